"""Names: their folded form, and the keys under which a store finds their bearers.

`fold` is the form in which two spellings of one name are equal: case, width, spacing, invisible
characters, marks on Latin letters, apostrophes, hyphens, `&` and the leading article don't count.
Marks of other scripts do: they tell letters apart (й and и, パ and ハ). Keys are only for finding
candidates; whether two names are one is decided by `resolve.name_match`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache, lru_cache

from factbook.text.host_ids import is_host_id, key_of
from factbook.text.legal_forms import (
    ANY_TYPE_WORD,
    GENERATIONS,
    LEGAL_FORMS,
    PARTICLES,
    SMALL_WORDS,
    TITLES,
)
from factbook.text.nicknames import formal_names, is_known_given
from factbook.text.phonetic import metaphone
from factbook.text.word_lists import load_sections

_NEAR_KIND = {"product": "technology", "concept": "technology"}
"""Kinds that read another kind's list of known aliases."""

LONGEST_NAME = 160
"""Characters of a folded name; a longer one is cut and ends with a hash of the whole."""

MOST_KEYS = 16

SHORTEST_SLIP, LONGEST_SLIP = 4, 24
"""Letters of a word that is looked for misspelt."""

_APOSTROPHES = dict.fromkeys(map(ord, "'’‘ʼʻ`´′ʹ＇"), None)
_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i", "ð": "d"}
)
_DIGRAPHS = str.maketrans({"ü": "ue", "ö": "oe", "ä": "ae", "ø": "oe", "å": "aa"})
_MARKS_ON_LATIN = re.compile("(?<=[a-z])[\u0300-\u036f]+")
_INITIAL = re.compile(r"(?<!\w)([^\W\d_])\.(?=\s*\S|$)")
_NOT_NAME = re.compile(r"[^\w\s.+#*%€$£°]|_", re.UNICODE)
_LOOSE = re.compile(
    r"(?<!\w)[+#*%]+(?=\w)|(?<!\w)\.+(?!\w)|(?<=[\w+#])\.+(?!\w)|\.{2,}|(?<!\S)[+#*%.]+(?!\S)"
)
_UNSPACED = re.compile(
    "[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_NUMBER_GAP = re.compile(r"(?<=\d)[\s.]+(?=\d)")
_GAP = re.compile(r"\s+|(?<!^)\.(?!\d)|(?<=[^\W\d])\.(?=\d)")


@lru_cache(maxsize=16384)
def fold(name: str) -> str:
    """Returns the form in which two spellings of one name are equal; empty only for a name of
    nothing visible.
    """
    return _bound_length(_fold_seen(clean_name(name)))


def clean_name(name: str) -> str:
    """Returns the name as a reader sees it: compatibility form, no invisible or control characters,
    single spaces.
    """
    if name.isascii() and name.isprintable():
        return " ".join(name.split())
    text = unicodedata.normalize("NFKC", name.translate(_APOSTROPHES_TO_ONE))
    kept = [
        " " if (sort := unicodedata.category(c)) in _BLANKS else "" if sort in _UNSEEN else c
        for c in text
    ]
    return " ".join("".join(kept).split())


_APOSTROPHES_TO_ONE = {**dict.fromkeys(_APOSTROPHES, "'"), **dict.fromkeys(map(ord, "™®©℠"), None)}
_BLANKS = frozenset({"Cc", "Zl", "Zp", "Zs"})
_UNSEEN = frozenset({"Cf", "Cs", "Cn"})


def without_marks(text: str) -> str:
    """Returns casefolded text without marks on Latin letters; ł, ø and ß become plain letters."""
    if text.isascii():
        return text.lower()
    parted = _MARKS_ON_LATIN.sub("", unicodedata.normalize("NFD", text.casefold()))
    return unicodedata.normalize("NFC", parted).translate(_LETTERS)


def _fold_seen(seen: str, *, digraphs: bool = False) -> str:
    text = unicodedata.normalize("NFC", seen.casefold()).translate(_DIGRAPHS) if digraphs else seen
    text = without_marks(text).translate(_APOSTROPHES)
    text = _INITIAL.sub(r"\1 ", text.replace("&", " and "))
    bare = " ".join(_LOOSE.sub(" ", _NOT_NAME.sub(" ", text)).split())
    bare = bare.removeprefix("the ") if bare != "the " else bare
    return bare or " ".join(text.split())


def _bound_length(folded: str) -> str:
    if len(folded) <= LONGEST_NAME:
        return folded
    digest = hashlib.blake2b(folded.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return f"{folded[:LONGEST_NAME].rstrip()}…{digest}"


@lru_cache(maxsize=16384)
def fold_digraphs(name: str) -> str:
    """Returns the second spelling of a folded name: ü as ue, ö oe, ä ae, ø oe, å aa."""
    if name.isascii():
        return fold(name)
    return _bound_length(_fold_seen(clean_name(name), digraphs=True))


@lru_cache(maxsize=16384)
def joined_name(name: str) -> str:
    """Returns the folded name without spaces and dots, but for a dot between digits and a leading
    one: `paymentsapi`, `v1.2`.
    """
    return _GAP.sub("", _NUMBER_GAP.sub(".", fold(name)))


def has_unspaced(text: str) -> bool:
    """Returns whether the text holds letters of a script that is written without spaces."""
    return not text.isascii() and bool(_UNSPACED.search(text))


def content_words(folded: str) -> list[str]:
    """Returns the tokens of a folded name without titles, legal forms, generations, type and small
    words (all, if none is left).
    """
    tokens = folded.split()
    kept = [token for token in tokens[:1] if token not in _EMPTY_FIRST]
    kept += [token for token in tokens[1:] if token not in _EMPTY_BEHIND]
    return kept or tokens


_EMPTY_FIRST = SMALL_WORDS.union(ANY_TYPE_WORD, TITLES)
_EMPTY_BEHIND = SMALL_WORDS.union(ANY_TYPE_WORD, LEGAL_FORMS, GENERATIONS)


def exact_key(name: str) -> str:
    """Returns the first of the keys, by which bearers of just this name are found; "" for a name of
    nothing visible.
    """
    if is_host_id(name):
        return key_of(name)
    folded = fold(name)
    return f"f:{folded}" if folded else ""


@lru_cache(maxsize=16384)
def name_keys(name: str) -> tuple[str, ...]:
    """Returns keys for the store's name index, at most 16; each begins with its sort and a colon.

    The first is `f:` + the folded name. Then `u:` the spelling with ü as ue; `j:` without spaces;
    `s:` content tokens sorted; `c:` the usual name where the curated list has one; `a:` acronym, of
    a long name or the name itself; `n:` formal given name, alone and with the surname; `i:` initial
    and surname; `p:` how it sounds; `t:` each content token. A name of nothing visible has none, a
    host's id `h:` alone. Whoever changes what they are adds a migration that indexes names again.
    """
    exact = exact_key(name)
    if not exact or is_host_id(name):
        return (exact,) if exact else ()
    folded = fold(name)
    tokens = content_words(folded)
    keys = [exact]
    second = fold_digraphs(name)
    if second != folded or re.search("ae|oe|ue|aa", folded):
        keys.append(f"u:{second}")
    keys.append(f"j:{joined_name(name)}")
    keys += (f"c:{usual}" for usual in sorted(_usual_anywhere().get(joined_name(name), ())))
    keys.append(f"s:{_bound_length(' '.join(sorted(tokens[:32])))}")
    keys += (f"a:{acronym}" for acronym in find_acronyms(name))
    keys += (f"n:{formal}" for formal in _formal_keys(tokens))
    keys += (f"i:{initial}" for initial in _initial_keys(folded, tokens))
    if sounds := sorted(sound for token in tokens[:8] if (sound := metaphone(token))):
        keys.append(f"p:{' '.join(sounds)}")
    keys += (
        f"t:{token}"
        for token in tokens
        if len(token) > 2 or (len(token) > 1 and not token.isascii())
    )
    return tuple(dict.fromkeys(keys))[:MOST_KEYS]


def find_acronyms(name: str) -> list[str]:
    """Returns the acronyms that the name is (two to six capitals) or gives (initials of three or
    more words), folded.
    """
    seen = clean_name(name[: 4 * LONGEST_NAME])
    letters = (
        seen.replace(".", "").replace(" ", "")
        if re.fullmatch(r"(?:[^\W\d_]\.\s?)+", seen)
        else seen
    )
    if 2 <= len(letters) <= 6 and letters.isalpha() and letters.isupper():
        return [letters.casefold()]
    words = [word for word in re.split(r"[\s_\-/,]+", seen) if word[:1].isalpha()]
    words = [word for word in words if fold(word) not in _NO_INITIALS]
    if not 2 < len(words) <= 8:
        return []
    every = "".join(word[0] for word in words)
    capitals = "".join(word[0] for word in words if fold(word) not in SMALL_WORDS)
    found = [initials.casefold() for initials in (capitals, every) if len(initials) > 2]
    return list(dict.fromkeys(found))


_NO_INITIALS = frozenset({"the", *LEGAL_FORMS})


def word_keys(tokens: list[str]) -> tuple[str, ...]:
    """Returns the `s:` and `n:` keys of a name of these content tokens: by all of its words."""
    return tuple(
        dict.fromkeys(
            [
                f"s:{_bound_length(' '.join(sorted(tokens[:32])))}",
                *(f"n:{each}" for each in _formal_keys(tokens)),
            ]
        )
    )


def slip_forms(word: str) -> tuple[str, ...]:
    """Returns the word, and the word without one letter each: two words that share one differ by a
    slip of the pen or so.

    None for words that are too short or too long to be misspelt, and those of scripts without
    spaces.
    """
    if not (SHORTEST_SLIP <= len(word) <= LONGEST_SLIP and word.isalpha()) or has_unspaced(word):
        return ()
    return tuple(
        dict.fromkeys([word, *(word[:place] + word[place + 1 :] for place in range(len(word)))])
    )


def name_words(name: str) -> tuple[str, ...]:
    """Returns the words of a name that `slip_forms` are kept of: those of its `t:` keys."""
    return tuple(key[2:] for key in name_keys(name) if key.startswith("t:"))


def _initial_keys(folded: str, tokens: list[str]) -> list[str]:
    """Returns the first letter of the given name with the surname, whichever stands first."""
    if folded[1:2] == " " and tokens[0] != folded[0]:
        tokens = [folded[0], *tokens]  # `A. Novak`: no article
    if not 2 <= len(tokens) <= 5 or has_unspaced(tokens[0]):
        return []
    first, last = tokens[0], tokens[-1]
    return [f"{last} {first}"] if len(last) == 1 < len(first) else [f"{first[0]} {last}"]


def _formal_keys(tokens: list[str]) -> list[str]:
    names = [token for token in tokens if token not in PARTICLES]
    if not 1 <= len(names) <= 4:
        return []
    given, surname = names[0], names[-1]
    if len(names) == 2 and is_known_given(surname) and not is_known_given(given):
        given, surname = surname, given
    formal = sorted({given, *formal_names(given)})[:4]
    if len(names) == 1:
        return formal if is_known_given(given) else []
    whole = [f"{each} {surname}" for each in formal]
    return [*whole, given] if is_known_given(given) else whole


def usual_name(name: str, kind: str) -> str:
    """Returns the usual name of what the curated list knows under this one, joined; the joined name
    itself if it knows none.

    Each kind has its own list; `other` reads them all.
    """
    bare = joined_name(name)
    return _load_usual(_NEAR_KIND.get(kind, kind)).get(bare, bare)


@cache
def _load_usual(kind: str) -> dict[str, str]:
    tables = load_sections("text/known_aliases")
    kinds = tables if kind == "other" else [kind]
    lines = [line for each in kinds for line in tables.get(each, ())]
    groups = [[joined_name(name) for name in line.split(",")] for line in lines]
    return {name: group[0] for group in groups for name in group}


@cache
def _usual_anywhere() -> dict[str, set[str]]:
    out: dict[str, set[str]] = {}
    for kind in load_sections("text/known_aliases"):
        for name, usual in _load_usual(kind).items():
            out.setdefault(name, set()).add(usual)
    return out
