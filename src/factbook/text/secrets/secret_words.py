"""The words that announce a secret, and the words between one and its value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from factbook.text.word_lists import load_words

Sort = Literal["password", "key"]

_STEMS = tuple(
    """pass|pwd|pw|psk|mdp|kennwort|mot de passe|contrase|clave|senha|wachtwoord|lösenord|adgangskode|kodeord|salasana
    |hasł|hesl|jelsz|parola|парол|şifre|κωδικ|密码|密碼|口令|パスワード|비밀번호|암호|كلمة|סיסמ|पासवर्ड|mật khẩu|kata sandi
    |รหัสผ่าน|identified by|secure-string|securestring|key|token|secret|credential|salt""".replace(
        "\n", ""
    )
    .replace("    |", "|")
    .split("|")
)
_PASSWORD = re.compile(
    r"""pass[\s_-]?(?:words?|phrases?|codes?|wd|wort(?:es)?)|passwort|passord(?:et)?|pswd|kennwort|mot\sde\spasse
    |contrase[ñn]as?|senha|wachtwoord|lösenord(?:et)?|adgangskode[nr]?|kodeord(?:et)?|salasana(?:si)?|hasł(?:o|a|em)
    |hesl[oa]|jelsz(?:ó|ava)|парол(?:ь|я|ем|ю)|şifre(?:si|m|n)?|κωδικ(?:ός|ό)|密[码碼]|口令|パスワード|비밀번호|암호
    |كلمة\s(?:المرور|السر)|סיסמ[הת]|पासवर्ड|mật\skhẩu|kata\ssandi|รหัสผ่าน|identified\sby|secure-?string(?=\s)""",
    re.IGNORECASE | re.VERBOSE,
)
_SHORT = re.compile(r"pass|pwd|pw|psk|mdp|clave|parola", re.IGNORECASE)
_KEY = re.compile(r"tokens?|secrets?|credentials?|key[\s_-]?base|keys?|salt", re.IGNORECASE)
_WHICH_KEY = re.compile(
    r"(?:api|app|access|secret|private|account|auth|shared|storage|licen[sc]e|encryption|signing|"
    r"client|service|server"
    r"|master|deploy|admin|bot|preshared|jwt|webhook|hmac|aes|session|host|pre)[\s_.-]?$",
    re.IGNORECASE,
)
_NO_SECRET = re.compile(
    r"(?:continuation|page|next|prev|previous|sync|cancel|cancellation|cursor|pad|eos|bos|unk|sep|"
    r"cls|mask|public|public[_-]?key|design"
    r"|syntax|lexer|stop|special|max|min|foreign|primary|cache)[\s_.-]?$",
    re.IGNORECASE,
)
"""What tells that a token or key is none that opens anything: of paging, of a language's grammar,
of a database.
"""
_SUFFIX = re.compile(
    r"s?(?:[_-]?(?:\d{1,2}|prod|production|dev|test|staging|live|old|new|value))?(?!\w)",
    re.IGNORECASE,
)
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


@dataclass(frozen=True, slots=True)
class SecretWord:
    """A word that announces a secret.

    Attributes:
        start: of its whole identifier. end: behind the word. word: as it stands.
    """

    start: int
    end: int
    sort: Sort
    word: str


def find_keys(text: str) -> Iterator[SecretWord]:
    """Yields the words that announce a secret; one that goes on (`password_hash`, `token.type`)
    names something else.
    """
    low = text.lower()
    if len(low) != len(text):
        low = "".join(char.lower()[0] for char in text)
    places = sorted({place for stem in _STEMS if stem in low for place in _find_places(low, stem)})
    last = 0
    for place in places:
        if place < last:
            continue
        key = _key_at(text, place)
        if key is not None:
            last = key.end
            yield key


def _find_places(text: str, stem: str) -> Iterator[int]:
    place = text.find(stem)
    while place >= 0:
        yield place
        place = text.find(stem, place + 1)


def _key_at(text: str, place: int) -> SecretWord | None:
    sort: Sort = "password"
    found = _PASSWORD.match(text, place)
    if found is None:
        found = _SHORT.match(text, place)
        if found is not None and not _begins_word(text, place):
            return None
    if found is None:
        sort = "key"
        found = _KEY.match(text, place)
        if found is not None and _NO_SECRET.search(text[max(0, place - 16) : place]):
            return None
        bare = found is not None and found.group().lower().startswith(("key", "salt"))
        if bare and not _WHICH_KEY.search(text[max(0, place - 14) : place]):
            return None
    if found is None:
        return None
    end = found.end()
    if not is_unspaced(text[place]):
        suffix = _SUFFIX.match(text, end)
        if suffix is None:
            return None
        end = suffix.end()
        if _goes_on(text, end):
            return None
    return SecretWord(_identifier_start(text, place), end, sort, text[place:end])


def is_unspaced(word: str) -> bool:
    """Returns whether the word is of a script that sets no spaces between words, or joins endings
    to them.
    """
    return _UNSPACED.match(word) is not None


def _begins_word(text: str, place: int) -> bool:
    before = text[place - 1] if place else " "
    return not before.isalnum() or (before.islower() and text[place].isupper())


def _goes_on(text: str, end: int) -> bool:
    return text[end : end + 1] in {"-", "."} and text[end + 1 : end + 2].isalnum()


def _identifier_start(text: str, place: int) -> int:
    start = place
    least = max(0, place - 60)
    while start > least and (text[start - 1].isalnum() or text[start - 1] in "_-.$"):
        start -= 1
    return start


SAYS_HOW = load_words("text/secret_words", "says how")
"""Words that tell how a password is, where a plain word could be one."""


def says_how(word: str) -> bool:
    """Returns whether a plain word tells how a password is: `wrong`, `expired`, `required`."""
    low = word.lower()
    if low in SAYS_HOW or low.endswith(("ed", "ing", "ful", "less", "able", "ible")):
        return True
    return len(low) > 6 and low.endswith("ly") and not low.endswith("fly")
