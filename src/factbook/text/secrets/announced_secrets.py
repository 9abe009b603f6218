"""Secrets behind a word that announces them: `password = "…"`, `API_KEY=…`, "the wifi password is
…".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from factbook.text.secrets.secret_span import SecretSpan
from factbook.text.secrets.secret_values import (
    is_expression,
    is_filled_in,
    is_literal,
    is_measure,
    is_prose,
    is_reference,
    is_strong,
    looks_random,
)
from factbook.text.secrets.secret_words import SecretWord, find_keys, is_unspaced, says_how

Place = Literal["config", "loose", "said", "beside", "argument"]
"""How a value stands by its key: written where only literals are (`KEY=value`, a line of YAML),
where an expression may be (`password = …`), said in a sentence, beside it without a word, or as an
argument (`setPassword("…")`).
"""

_OF = (
    r"(?:\s(?:for|to|of|on|at|in|from|für|von|vom|zum|zur|pour|du|de|del|della|do|da|od|от|для|"
    r"till|för|voor|van|til|på)"
    r"\s(?:[\w.'-]{1,30}\s){0,3}?[\w.'-]{1,30})?"
)
_ASSIGNS = re.compile(
    rf"""(?:{_OF}|[\"'`]?\]?|\[\w{{0,20}}\])(?P<space>[ \t]{{0,16}})
    (?::[ \t]?(?P<type>&?'?[A-Za-z][\w.<>\[\]|?&' ]{{0,40}}?)(?=[ \t]=[ \t]|=[\"'])[ \t]?)?
    (?P<sign>[:=!]==?(?!=)|:=|=>|->|→|=|:(?!//))(?P<after>[ \t]{{0,16}}(?:\r?\n[ \t]{{0,16}})?)""",
    re.VERBOSE,
)
_SAYS = re.compile(
    rf"""{_OF}(?:\s{{1,3}}(?:is|was|are|be|will\sbe|to|ist|war|lautet|heißt|es|era|est|était|é|è|är|var|er|on|je|jest|—|–|это)
    \s{{1,3}}|['’]s\s{{1,3}})(?:now\s|just\s|still\s|set\sto\s|nun\s|jetzt\s)?:?\s?""",
    re.VERBOSE | re.IGNORECASE,
)
_SAYS_UNSPACED = re.compile(r"\s?(?:就?是|[为為]|は|[는은이가]|[:：=])?\s?")
_FROM_TO = re.compile(
    rf"{_OF}\s(?:from|von|de)\s(?P<value>\S{{4,200}})\s(?:to|auf|zu|à|a)\s(?P<second>\S{{4,200}})"
)
_AND_THEN = re.compile(
    r"(?:\b(?:one|it|that)(?:'s|’s|\s(?:is|was)))\s(?:now\s)?(?P<value>\S{6,200})", re.IGNORECASE
)
_TAG = re.compile(
    r"\s{0,2}(?:>\s{0,3}|[\"']\s{1,4}value\s?=\s?[\"'])(?P<value>[^<>\"'\n]{4,300})[<\"']"
)
_NAME_AND_VALUE = re.compile(r"[\"']?,?\s{1,40}(?:-\s)?[\"']?value[\"']?\s?:[ \t]{1,4}")
_ARGUMENT = re.compile(r"(?:[\"']\s?,\s?|\(\s?|\s?[\"']\s?\]?\s?,\s?)(?=[\"'])")
_BEFORE_QUOTE = re.compile(r"\s(?=[\"'])")
_BESIDE = re.compile(r"\s{1,4}")
_LINKS = frozenset("is was ist war est es è é as als".split())
"""Words that stand between a value and what it is: `X is the password`, `X as the password`."""
_MOST_BETWEEN = 5
_QUOTED = re.compile(
    r"(?P<prefix>[rbfuLRBFU@$]{0,2})(?P<quote>[\"'`“„«])(?P<value>(?:[^\"'`“”«»\\\n]|\\.|"
    r"(?<=\w)'(?=\w)){1,300})[\"'`”“»]"
)
_STRICT = {
    '"': re.compile(r'((?:[^"\\\n]|\\.){1,300})"'),
    "'": re.compile(r"((?:[^'\\\n]|\\.){1,300})'"),
}
_BARE = re.compile(r"[^\s\"'`<>;]{3,300}")
_ASCII = re.compile(r"[!-~]{4,200}")
_DIGIT = re.compile(r"\d")
_DIGITS = re.compile(r"\d{4,16}")
_CUE = re.compile(
    r"\b(?:user(?:name)?|login|log in|account|konto|benutzer|usuario|ssid|wifi|wlan)\b",
    re.IGNORECASE,
)
_APP_PASSWORD = re.compile(r"(?:[a-z]{4} ){3}[a-z]{4}")
"""As mail services give them out to programs."""
_LINE_ENDS = re.compile(r"[ \t]{0,16}(?:\r?\n|$)")
_MOST = 300
_REST = re.compile(r"(?:[^\s#]|\S#|[ \t](?!#))*")
_YAML = re.compile(r"\s*(?:[-*]\s+)?[\"']?$")
_ENV = re.compile(
    r"(?:^|[\s;&?(])(?:export\s+|set\s+|ENV\s+|ARG\s+|-e\s+|-D|--?|\$env:|[-*]\s+|[\"'])?$"
)
_PHRASE = re.compile(
    r"(?:\s?[:=]|\sis)\s(?P<value>(?:[a-z]{4} ){3}[a-z]{4}|[^\W\d_A-Z]{2,14}(?:[ "
    r"-][^\W_A-Z]{1,14}){2,7})(?=[.,;!?]?(?:\s|$))(?![ -][^\W_])"
)


@dataclass(frozen=True, slots=True)
class _KeyValue:
    start: int
    text: str
    quoted: bool
    template: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def find_announced(text: str) -> Iterator[SecretSpan]:
    """Yields the values that stand behind (or before) a word for a secret, and are one."""
    for key in find_keys(text):
        found = list(_values_behind(text, key)) or list(_in_front(text, key))
        for value in found:
            yield SecretSpan(
                value.start, value.end, "password" if key.sort == "password" else "key"
            )


def _values_behind(text: str, key: SecretWord) -> Iterator[_KeyValue]:
    opened = text[key.start - 1 : key.start] in {"<", '"', "'"}
    if opened and (tag := _TAG.match(text, key.end)) and not is_reference(tag["value"].strip()):
        tagged = _KeyValue(tag.start("value"), tag["value"], quoted=True)
        if _is_quoted_secret(tagged, key, "loose"):
            yield tagged
        return
    words = _PHRASE.match(text, key.end) if key.sort == "password" else None
    if words and _is_phrase(words, key):
        yield _KeyValue(words.start("value"), words["value"], quoted=False)
        return
    for found, place in _find_connections(text, key):
        value = _value_at(text, found.end(), place, key)
        if value is not None and _is_secret(text, value, key, place):
            yield value
            yield from _what_it_is_now(text, value, key)
            return
    changed = _FROM_TO.match(text, key.end) if key.sort == "password" else None
    if changed is None:
        return
    for name in ("value", "second"):
        value = _trim_value(_KeyValue(changed.start(name), changed[name], quoted=False), "said")
        if is_literal(value.text, labels=True) and not is_reference(value.text):
            yield value


def _is_phrase(found: re.Match[str], key: SecretWord) -> bool:
    """Returns whether words without quotes are the passphrase itself, and no sentence about it."""
    words = found["value"]
    if "phrase" not in key.word.lower() and not _APP_PASSWORD.fullmatch(words):
        return False
    tells = found.group().lstrip().startswith("is") and says_how(words.split()[0])
    return not tells and not is_prose(words) and not _PRONOUN.search(words)


_PRONOUN = re.compile(
    r"\b(?:i|you|we|he|she|they|it|that|which|who|what|to|be|by|will|would|can|could)\b"
)


def _find_connections(text: str, key: SecretWord) -> Iterator[tuple[re.Match[str], Place]]:
    """Yields the ways in which a value may follow the key."""
    word = key.word.lower()
    if is_unspaced(key.word) and (unspaced := _SAYS_UNSPACED.match(text, key.end)):
        yield unspaced, "said"
    if assigns := _ASSIGNS.match(text, key.end):
        yield assigns, _read_place(text, key, assigns)
    if names := _NAME_AND_VALUE.match(text, key.end):
        yield names, "config"
    says = _SAYS.match(text, key.end)
    if says and not (word == "pass" and " to " in says.group()):
        yield says, "said"
    if word == "identified by" and (quoted := _BEFORE_QUOTE.match(text, key.end)):
        yield quoted, "argument"
    if argument := _ARGUMENT.match(text, key.end):
        yield argument, "argument"
    if word == "identified by" or text[key.start] == "$":
        return
    if beside := _BESIDE.match(text, key.end):
        if word == "pass" and not _has_cue(text, key):
            return  # a verb
        flag = text[key.start : key.start + 2] == "--"
        yield beside, "said" if flag else "beside"


def _read_place(text: str, key: SecretWord, found: re.Match[str]) -> Place:
    """Returns whether only a literal can stand behind this sign: settings, YAML, prose; or an
    expression too.
    """
    if found["sign"][:2] in {"==", "!="}:
        return "argument"
    line = text.rfind("\n", max(0, key.start - 200), key.start) + 1 or max(0, key.start - 200)
    before = text[line : key.start]
    tight = not found["space"] and not found["after"]
    name = text[key.start : key.end]
    if found["sign"] == "=" and tight and not before.rstrip().endswith(("(", ",")):
        calls = "(" in before or before.lstrip().startswith(
            ("let ", "var ", "val ", "const ", "my ", "$")
        )
        return "config" if _ENV.search(before) and (name.isupper() or not calls) else "loose"
    if found["sign"] == ":":
        line_rest = _REST.match(text, found.end(), found.end() + _MOST)
        rest = line_rest.group().rstrip() if line_rest else ""
        whole = " " not in rest and not rest.endswith((",", ";", "{", ")"))
        typed = re.match(r"(?:(?:[A-Z][a-z]+){2,}|[A-Z]\w*\[.*)(?:[,;)?]|$)", rest) is not None
        if typed and name.islower():
            return "loose"
        if _YAML.match(before) and whole:
            return "config"
        is_title = key.word[0].isupper() and key.start + len(key.word) == key.end
        if is_title or " " in found.group().strip() or _CUE.search(before):
            return "said"
    return "loose"


def _value_at(text: str, start: int, place: Place, key: SecretWord) -> _KeyValue | None:
    quoted = _QUOTED.match(text, start)
    if quoted is not None:
        strict = _STRICT.get(quoted["quote"])
        inner = strict.match(text, quoted.start("value")) if strict else None
        held = inner[1] if inner else quoted["value"]
        template = ("f" in quoted["prefix"].lower() or "$" in quoted["prefix"]) and "{" in held
        runs = quoted["quote"] == "`" and " " in held and place != "said"  # a shell's command
        return _KeyValue(quoted.start("value"), held, quoted=True, template=template or runs)
    bare = (_ASCII if is_unspaced(key.word) else _BARE).match(text, start)
    if bare is None:
        return None
    held = bare.group()
    if text[start - 1] == "\n" and not _LINE_ENDS.match(text, bare.end()):
        return None
    if key.sort == "key":
        held = re.split("[&@]", held, maxsplit=1)[0]
    if text[key.start - 1 : key.start] in {"?", "&"}:
        held = held.split("&")[0]
    return _trim_value(_KeyValue(start, held, quoted=False), place)


def _trim_value(value: _KeyValue, place: Place) -> _KeyValue:
    """Returns the value without the sentence's own signs, and without what closes an expression
    around it.
    """
    held = value.text
    if not is_expression(held):
        held = held.split(",")[0]
    held = held.rstrip(".,:" if place == "config" else ".,:!?")
    while (opening := _OPENINGS.get(held[-1:])) and held.count(held[-1]) > held.count(opening):
        held = held[:-1]
    return _KeyValue(value.start, held, quoted=False)


_OPENINGS = {")": "(", "]": "[", "}": "{"}


def _is_secret(text: str, value: _KeyValue, key: SecretWord, place: Place) -> bool:
    if key.sort == "key" and not _DIGIT.search(value.text):
        return False
    if value.template or is_reference(value.text):
        return False
    if value.quoted:
        return _is_quoted_secret(value, key, place)
    if text[value.end : value.end + 1] in {"(", "[", "{"}:
        return False
    if key.sort == "key":
        return _is_bare_key(value.text, key, place)
    return _is_bare_password(text, value, key, place)


def _is_quoted_secret(value: _KeyValue, key: SecretWord, place: Place) -> bool:
    held = value.text
    if key.sort == "key":
        return place != "beside" and " " not in held and _is_key(held, key)
    if len(held) < 3:
        return False
    if place == "argument":
        return is_strong(held) and not is_filled_in(held) and not is_expression(held)
    if " " in held.strip():
        return 2 <= len(held.split()) <= 12 and not is_prose(held)
    if held.isalpha():
        return place != "beside" and not says_how(held)
    if not is_expression(held):
        return True
    return is_strong(held) and not is_filled_in(held) and "(" not in held


def _is_key(held: str, key: SecretWord) -> bool:
    if looks_random(held):
        return True
    is_full = len(held) >= 16 and sum(char.isdigit() for char in held) >= 2
    if not is_full or is_filled_in(held) or is_expression(held):
        return False
    return (
        key.word.lower().startswith(("secret", "salt"))
        and "/" not in held
        and any(map(str.isalpha, held))
    )


def _is_bare_key(held: str, key: SecretWord, place: Place) -> bool:
    if re.fullmatch(r"[\w./+=~:$&^%#@!*-]+", held) is None:
        return False
    if place == "config":
        return _is_key(held, key)
    return looks_random(held, 16 if place == "beside" else 12) and (
        is_strong(held) or len(held) >= 16
    )


def _is_bare_password(text: str, value: _KeyValue, key: SecretWord, place: Place) -> bool:
    held = value.text
    if _DIGITS.fullmatch(held):
        return place in {"said", "config"} and not _is_count(text, value)
    if is_measure(held) or _is_count(text, value):
        return False
    if held.isalpha() and held.isascii():
        return _is_plain_password(text, value, key, place)
    echo = is_expression(held)
    if place == "config":
        if len(held) < 4 or "(" in held:
            return False
        return is_strong(held) if echo else is_literal(held, labels=True)
    if echo and not (place == "said" and _is_bare_literal(held)):
        return False
    if place == "said":
        named = re.fullmatch(r"[^\W\d_]{2,30}-[A-Z]\w{0,30}", held) and _CLAUSE_ENDS.match(
            text, value.end
        )
        return len(held) >= 4 and (is_literal(held, labels=True) or named is not None)
    if place == "loose":
        return is_strong(held)
    return len(held) >= 6 and (is_literal(held) if _has_cue(text, key) else is_strong(held))


def _is_bare_literal(held: str) -> bool:
    """Returns whether what looks like an expression calls nothing and holds its value itself."""
    return "(" not in held and is_literal(held) and not is_filled_in(held)


def _has_cue(text: str, key: SecretWord) -> bool:
    """Returns whether a login is named before."""
    return _CUE.search(text, max(0, key.start - 60), key.start) is not None


def _is_plain_password(text: str, value: _KeyValue, key: SecretWord, place: Place) -> bool:
    """Returns whether a plain word is a password: a setting, or said right behind `my password is`,
    at the clause's end.
    """
    held = value.text
    if says_how(held) or not 4 <= len(held) <= 40:
        return False
    mixed = re.search(r"[a-z][A-Z]", held) is not None
    if place == "config":
        return True
    if place != "said":
        return False
    if mixed:
        return True
    return (
        bool(_WHOSE.search(text, max(0, key.start - 40), key.start))
        and _CLAUSE_ENDS.match(text, value.end) is not None
    )


_WHOSE = re.compile(r"\b(?:my|our|your|his|her|their|the)\s(?:\w{1,20}\s){0,2}$", re.IGNORECASE)
_CLAUSE_ENDS = re.compile(r"\s*(?:[.,;!?)]|$|\n|\s(?:and|but|so)\b)")
_UNIT = re.compile(
    r"[\d-]*\+?\s?(?:char|letter|digit|symbol|sign|word|bit|hour|minute|day|week|month|year|"
    r"zeichen|stell|tag|caract|tecken"
    r"|teken|znak|символ|[位文]|자)",
    re.IGNORECASE,
)


def _is_count(text: str, value: _KeyValue) -> bool:
    """Returns whether the number counts something: `8-12 characters`."""
    digits = re.match(r"\d+", value.text)
    return digits is not None and _UNIT.match(text, value.start + digits.end()) is not None


def _what_it_is_now(text: str, value: _KeyValue, key: SecretWord) -> Iterator[_KeyValue]:
    """Yields the other password of the sentence: "…, the new one is X"."""
    if key.sort != "password":
        return
    then = _AND_THEN.search(text, value.end, min(len(text), value.end + 100))
    if then is not None:
        other = _trim_value(_KeyValue(then.start("value"), then["value"], quoted=False), "said")
        if is_strong(other.text) and not is_reference(other.text):
            yield other


def _in_front(text: str, key: SecretWord) -> Iterator[_KeyValue]:
    """Yields what is said to be the password, or is to be used as one: `X is the password`."""
    first = max(0, key.start - 300)
    line = text[max(first, text.rfind("\n", first, key.start) + 1) : key.start]
    words = line.rsplit(" ", _MOST_BETWEEN + 1)
    links = [place for place in range(1, len(words)) if words[place].lower() in _LINKS]
    if not links:
        return
    before = " ".join(words[: links[-1] - 1])
    written = words[links[-1] - 1].rsplit(" ", 1)[-1]
    start = key.start - len(line) + len(before) + bool(before)
    value = written.strip("\"'`“”()")
    held = _trim_value(_KeyValue(start + written.find(value), value, quoted=False), "config")
    fits = (
        looks_random(held.text, 16)
        if key.sort == "key"
        else len(held.text) >= 6 and is_strong(held.text)
    )
    if fits and not is_reference(held.text) and not is_expression(held.text):
        yield held
