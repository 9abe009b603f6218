"""The judge of a value that stands behind a key such as `password`: a secret, or an expression, a
template or prose.
"""

from __future__ import annotations

import re
from collections import Counter

from factbook.text.word_lists import load_words

_TEMPLATE = re.compile(
    r"\$\{|\$\(|\{\{|<%|#\{|%\(\w|\$\{\{|^\$\{?[A-Za-z_][\w:.]*\}?$|^\$env:|^%\w+%$|^<[^<>]*>?$|"
    r"^@[\w.]+@$|^\[.*\]$"
    r"|^\{[\w.:-]*\}$|^:'?\"?[A-Za-z_]\w*|^&?\*?\w+\[|^!|^(?:op|vault|ref\+\w+|awssm|keyring|"
    r"secretref|arn|file|env):"
    r"|^[a-z_]+(?::[\w,]+)?(?:\|[a-z_]+(?::[\w,]+)?)+$|^%[sdr]$|^&\#?\w*$|^\?$|^\\$"
)
"""References that something else fills in: `${X}`, `$(cmd)`, `{{ x }}`, `<x>`, `%X%`, `@x@`,
`:bind`, `!vault`, `op://`, `required|min:8`.
"""
_HIDDEN = re.compile(r"(?i)([*x•●._?-])\1{2,}|…|\.\.\.|x{4}|\*{3}")
"""A value that was made unreadable, or left out, by whoever wrote it."""
_CHAIN = re.compile(r"[A-Za-z_$@&*][\w$]*(?:(?:\.|::|->|\?\.|!!?\.)[A-Za-z_$][\w$]*)+[!?]{0,2}")
"""`settings.oauth2.secret`, `Foo::bar`, `self->key`."""
_CALL = re.compile(r"(?:[\w.$@:&*!?'-]|->){0,200}(?:<[^<>()]{0,80}>)?[(\[{`]")
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*[!?]?")
_PATH = re.compile(r"(?:[A-Za-z]:)?[~.]{0,2}[/\\](?:[\w.@~{}$-]+[/\\]?)+")
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,20}://", re.IGNORECASE)
_SIZE = re.compile(
    r"(?:sha|md|aes|des|utf|base|u?int|float|double|rsa|ed|x|[rhep]s|rc|crc|b|h|win|oauth|iso|"
    r"latin|argon|ripemd|blake|hmac|secp"
    r"|ipv|v|http|tls|ssl|str|char|[iufsk]|arm|amd|node|python|py|vue|web|log)[_-]?\d{1,5}\w{0,3}",
    re.IGNORECASE,
)
"""An algorithm or a type: `sha256`, `utf8`, `ed25519`, `int64`."""
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_MEASURE = re.compile(r"[<>~≥≤]?\d[\d.,–-]*\+?(?:[^\W\d_]+\.?)?|\d+(?:x\d+)+")
"""A number with its unit: `8characters`, `90days`, `3-5Tagen`."""
_LABEL = re.compile(r"[A-Za-z]{1,5}-?\d{1,3}[a-z]?|[A-Z][A-Z0-9]{0,4}")
"""A label: `KW32`, `v2`, `B12`."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_CLUSTER = re.compile(r"[^aeiouy]{4}|[aeiou]{4}")
_SLUG = re.compile(r"(?:[A-Z]?[a-z]*|[A-Z]*)\d{0,2}|\d{1,4}[a-z]?")
_WORDLIKE = 4
_SIGN = re.compile(r"[^\w\s.,:;()\[\]{}<>\"'`/=|+*-]")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_HASHED = re.compile(r"\$\w{1,8}\$")

KEY_WORDS = load_words("text/secret_words", "key words")
"""Words that name what holds a secret: a value made of them refers to one."""
_FILLED_IN = load_words("text/secret_words", "placeholders")
_TO_FILL_IN = _FILLED_IN | KEY_WORDS
_STANDS_FOR_VALUE = _FILLED_IN | load_words("text/secret_words", "types")
_TELLS_TO_FILL_IN = frozenset("your here replace change me".split())
_ABOUT = re.compile(
    r"(?i)\b(?:enter|type|your|must|should|required|invalid|least|minimum|characters?|chars|"
    r"forgot(?:ten)?|confirm|choose"
    r"|wrong|incorrect|too|please|show|hide|repeat|match|don't|cannot|can't|need|is|are|was|has|"
    r"have|not|ihre?|dein|bitte"
    r"|eingeben|mindestens|votre|doit|saisir|tu|su|debe|introduce|sua|deve|digite|uw|voer|ditt|"
    r"twoje|podaj|ваш|введите)\b"
)
"""Words of labels and messages about passwords."""


def is_reference(value: str) -> bool:
    """Returns whether a value stands for a secret that is elsewhere: a template, a placeholder, a
    path or address.
    """
    if not value:
        return True
    if _HASHED.match(value):
        return False
    if _TEMPLATE.search(value) or _HIDDEN.search(value) or _URL.match(value):
        return True
    if len(set(value)) <= 2 or value.lower() in _STANDS_FOR_VALUE:
        return True
    if _PATH.fullmatch(value) and not looks_random(value):
        return True
    return is_filled_in(value)


def is_filled_in(value: str) -> bool:
    """Returns whether the value says that somebody has to fill it in: `your-api-key-here`,
    `CHANGE_ME`, `PASSWORD_1`.
    """
    parts = [part.lower() for part in _PARTS.findall(value)]
    words = [part for part in parts if not part.isdigit()]
    if not words or sum(len(part) for part in parts if part.isdigit()) > 2:
        return False
    told = sum(part in _TO_FILL_IN for part in words)
    if told == len(words):
        return True
    return told > 0 and not _TELLS_TO_FILL_IN.isdisjoint(words)


def is_expression(value: str) -> bool:
    """Returns whether a bare value is code: a call, an attribute, an index, or a name that tells of
    a secret.
    """
    if _CALL.match(value) or _CHAIN.fullmatch(value):
        return True
    if not _IDENTIFIER.fullmatch(value):
        return False
    return bool(_SIZE.fullmatch(value)) or _names_a_secret(value)


def _names_a_secret(value: str) -> bool:
    """Returns whether an identifier holds a word for a secret, and no more than a number besides:
    `rawPassword2`.
    """
    parts = [part.lower() for part in _PARTS.findall(value)]
    digits = sum(len(part) for part in parts if part.isdigit())
    words = [part for part in parts if not part.isdigit()]
    return digits <= 2 and any(
        part in KEY_WORDS or part.removesuffix("s") in KEY_WORDS for part in words
    )


def is_prose(value: str) -> bool:
    """Returns whether a quoted text of several words speaks of passwords: a label, a message, a
    question.
    """
    if re.search(r"[^\W\d_]\d+[^\W\d_]", value):
        return False
    if value.rstrip().endswith((".", "?", ":", "…")) or _ABOUT.search(value):
        return True
    return any(word.lower() in KEY_WORDS for word in re.findall(r"[^\W\d_]+", value))


def is_measure(value: str) -> bool:
    """Returns whether the value is a number with its unit (`8characters`), an algorithm (`sha256`)
    or an e-mail address.
    """
    return bool(_MEASURE.fullmatch(value) or _SIZE.fullmatch(value) or _EMAIL.fullmatch(value))


def is_literal(value: str, *, labels: bool = False) -> bool:
    """Returns whether a bare value has what words and names have not: digits among letters, or
    signs.

    Args:
        labels: whether `abc12` is one too, which elsewhere is a label.
    """
    if is_measure(value) or (_LABEL.fullmatch(value) and not labels):
        return False
    return _has_digit_and_letter(value) or _has_sign(value) or bool(re.search(r"[a-z][A-Z]", value))


def is_strong(value: str) -> bool:
    """Returns whether a bare value is no name of code either: two digits or more, digits within, or
    signs and a digit.
    """
    if len(value) < 5 or not is_literal(value) or not _LETTER.search(value):
        return False
    digits = len(_DIGIT.findall(value))
    if digits >= 2:
        return True
    within = re.search(r"[^\W\d_]\d[^\W\d_]", value) is not None
    return within or (digits > 0 and _has_sign(value))


def _has_digit_and_letter(value: str) -> bool:
    return bool(_DIGIT.search(value) and _LETTER.search(value))


def _has_sign(value: str) -> bool:
    return bool(_SIGN.search(value)) and any(char.isalnum() for char in value)


def looks_random(value: str, least: int = 12) -> bool:
    """Returns whether letters and digits stand without order, as in keys: few runs that could be
    words.

    Args:
        least: the shortest length.
    """
    if len(value) < least or not _has_digit_and_letter(value):
        return False
    segments = re.split("[_./+=-]", value)
    if len(segments) > 2 and all(_SLUG.fullmatch(segment) for segment in segments):
        return False
    letters = sum(len(run) for run in _RUN.findall(value))
    wordlike = sum(len(run) for run in _RUN.findall(value) if _could_be_word(run))
    return wordlike <= 0.5 * letters and max(Counter(value).values()) <= max(4, len(value) // 3)


def _could_be_word(run: str) -> bool:
    low = run.lower()
    return len(low) >= _WORDLIKE and bool(re.search(r"[aeiouy]", low)) and not _CLUSTER.search(low)
