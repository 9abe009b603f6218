"""Masking of secrets, before anything is stored.

Formats of keys and tokens are known to `redact-secret` (docs/decisions/0002-secrets.md); the rules here add what people
say in talk and what it leaves: passwords and PINs in a sentence, payment cards, unfinished key blocks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from factbook.text.signs import plain_signs

_MARK = re.compile(r"(\[secret:[a-z0-9_]+\])")
_SURROGATE = re.compile("[\ud800-\udfff]")
# The library's time grows with the square of some texts' length; windows that overlap by more than any key is long
# (blocks apart, which have a rule here) keep it to milliseconds.
_WINDOW = 12288
_OVERLAP = 4096

# What every rule below needs; a text without it is not looked at by them.
_SUSPECT = re.compile(
    r"pass|pwd|pw\s?[:=]|kennwort|contraseña|senha|wachtwoord|lösenord|пароль|\bpin\b|\bcode\b|key|token|secret|credential|cv[vc]\b|sk-|hooks\.slack|\d(?:[ -]?\d){12}",
    re.IGNORECASE,
)

# What a password has and a word has not: a digit, a sign or a capital within.
_NOT_A_WORD = r"""(?=[^\s"'`]{0,64}(?:\d|[@#$%^&*+=|~\\]|(?-i:[a-z][A-Z])))"""
_MIXED = r"""(?=[^\s"'`]{0,64}\d)(?=[^\s"'`]{0,64}[^\W\d])"""
_QUOTED = r"""(?P<quote>["'`])(?P<quoted>[^\s"'`]{3,200})(?P=quote)"""
_QUOTED2 = _QUOTED.replace("quote", "quote2").replace("quote2d", "quoted2")
# An expression in code, or how long and how old it is.
_NO_VALUE = r"""(?!\$|%\w+%|<|\{|\*{3}|\.{3}|os\.|process\.|env\b|self\.|getenv|input\(|None\b|null\b|\w+://
    |\d[\d-]*\+?\s*(?:char|letter|digit|symbol|sign|word|bit|hour|minute|day|week|month|year))"""
_WHOSE = r"(?:\s(?:for|to|of|on|at|für|vom|zum|pour|du|de|del|para)\s(?:\w[\w.'-]{0,30}\s){0,3}?\w[\w.'-]{0,30})?"

_PASSWORD = re.compile(
    rf"""\b(?:pass\s?(?:word|phrase|code)|passwd|pwd|pass(?=["']?\s?[=:])|pw(?=\s?[=:])
        |passwort|kennwort|mot\sde\spasse|contraseña|senha|wachtwoord|lösenord|пароль)s?{_WHOSE}["']?
    (?:(?:\s*(?::=|=>|=|:)\s*|\s(?:is|was|are|to|will\sbe|now|ist|lautet|est|es|é|är)\s*:?\s*(?:now\s|just\s)?)
        (?:{_QUOTED}|{_NO_VALUE}{_NOT_A_WORD}(?P<bare>[^\s"'`<>;]{{4,200}}))
    |\s+(?:{_QUOTED2}|{_NO_VALUE}{_MIXED}(?P<bare2>[^\s"'`<>;]{{6,200}})))""",
    re.IGNORECASE | re.VERBOSE,
)

# "my password is sunflower": a plain word, only right after the verb, at the end of its clause, and not one that says
# how the password is.
_PLAIN_PASSWORD = re.compile(
    r"""\b(?:my|our|your|his|her|their|the)\s(?:\w+\s){0,2}(?:password|passphrase|passcode)\s(?:is|was)\s
    (?P<bare>[a-z]{4,40})(?=\s*(?:[.,;!?)]|$|\n|\s(?:and|but|so)\b))""",
    re.IGNORECASE | re.VERBOSE,
)
_SAYS_HOW = frozenset(
    """above absent accepted active again alphanumeric already always anonymous another available awful back bad basic
    being below best better both brilliant broken case changed clear common compromised confidential correct crucial
    dead default different difficult down easy empty enough essential even every everything exposed fine first forever
    free fresh funny gone good great hard hashed here hidden horrible huge important impossible incorrect initial insane
    insecure inside invalid just kept late legit like long lost mandatory maybe mine missing mixed more much near needed
    never next nice none nonsense nothing null numeric obvious okay older only open optional ours personal perfect plain
    poor possible precious predictable private public random ready really reasonable recent redundant required right
    robust rubbish safe same secret secure sensitive separate short silly simple some something somewhere soon sound
    stale static still strict strong stupid such super taken temporary terrible that theirs there this those tough
    tricky true trivial unchanged undefined unique unknown unsafe unset useful useless valid very visible weak weird
    well what whatever where which whole wrong yours""".split()
)

_PIN = re.compile(
    rf"""\b(?:pin(?:\s(?:code|number))?|passcode|(?:door|gate|alarm|safe|lock|garage|entry)\scode|cv[vc]2?|security\scode){_WHOSE}
    (?:\s*[=:]|\s(?:is|was)|'s|\s)\s*:?\s*(?P<bare>\d{{3,8}})\b""",
    re.IGNORECASE | re.VERBOSE,
)

_KEY = re.compile(
    rf"""\b\w{{0,40}}?(?:(?:api|access|secret|private|account|auth|shared|storage|license|encryption|signing|client)
    [\s_-]?(?:key|token|secret)|token|secret|credentials?)["']?
    (?:\s*(?::=|=>|=|:)\s*|\s+(?:is|was|to)\s*:?\s+)["'`]?{_NO_VALUE}
    (?P<bare>(?=[\w./+=~-]{{0,64}}\d)(?=[\w./+=~-]{{0,64}}[A-Za-z])[\w./+=~-]{{12,500}})""",
    re.IGNORECASE | re.VERBOSE,
)

_TOKEN = re.compile(
    r"\bsk-(?=[\w-]*\d)[A-Za-z0-9_-]{24,}|\bAGE-SECRET-KEY-1[A-Z0-9]{20,}"
    r"|\bhttps://hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{20,}"
)

_KEY_BLOCK = re.compile(
    r"-----BEGIN (?P<name>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
    r"(?:(?:(?!-----)[\s\S]){1,20000}?-----END (?P=name)-----|(?:(?:\\n|\s)+[A-Za-z0-9+/=:, -]{16,})*)"
)

# Digits that stand together, in fours (or four, six, five), with one sort of separator.
_CARD = re.compile(
    r"(?<![\w.+-])(?:\d{13,19}|\d{4}(?P<gap>[ -])\d{4}(?P=gap)\d{4}(?P=gap)\d{4}|\d{4}(?P<gap2>[ -])\d{6}(?P=gap2)\d{4,5})"
    r"(?![\w-]|\.\d)"
)
# Visa, Mastercard, American Express, Discover, Diners Club, JCB, UnionPay: ISO/IEC 7812's ranges with their lengths.
_ISSUER = re.compile(
    r"4(?:\d{12}|\d{15})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}"
    r"|(?:6011|65\d\d|64[4-9]\d)\d{12}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}"
)


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    kind: str


def mask(text: str) -> tuple[str, dict[str, int]]:
    """The text with every secret replaced by `[secret:kind]`, and how many there were of each kind.

    Keys, tokens, passwords, PINs, private keys and payment card numbers. Masking what is masked already changes
    nothing. Never raises; a text without secrets comes back as it is (about 10 µs for a message).
    """
    counts: Counter[str] = Counter()
    while True:  # a mark may bring out what another rule then sees; each round leaves less outside of marks
        parts = [part if _MARK.fullmatch(part) else _mask_part(part, counts) for part in _MARK.split(text)]
        if (masked := "".join(parts)) == text:
            return text, dict(counts)
        text = masked


def _mask_part(text: str, counts: Counter[str]) -> str:
    out: list[str] = []
    last = 0
    for span in sorted(_spans(plain_signs(text)), key=lambda span: (span.start, -span.end)):
        if span.end <= last:
            continue
        if span.start >= last:
            out.append(text[last : span.start])
            out.append(f"[secret:{span.kind}]")
            counts[span.kind] += 1
        # Where two overlap, the first one's mark stands for both.
        last = span.end
    if not out:
        return text
    out.append(text[last:])
    return "".join(out)


def _spans(text: str) -> Iterator[_Span]:
    """What to mask. Of two rules that find a secret at the same place, the first one names it."""
    suspect = _SUSPECT.search(text) is not None
    if suspect:
        yield from _said(text)
    yield from _known_formats(text)
    if suspect:
        yield from (_value(found, "key") for found in _KEY.finditer(text))
        yield from (_Span(found.start(), found.end(), "token") for found in _TOKEN.finditer(text))
    if "-----BEGIN" in text:
        yield from (_Span(found.start(), found.end(), "private_key") for found in _KEY_BLOCK.finditer(text))


def _said(text: str) -> Iterator[_Span]:
    yield from (_value(found, "password") for found in _PASSWORD.finditer(text))
    for found in _PLAIN_PASSWORD.finditer(text):
        if not _says_how(found["bare"].lower()):
            yield _value(found, "password")
    yield from (_value(found, "pin") for found in _PIN.finditer(text))
    for found in _CARD.finditer(text):
        if _is_card(found.group()):
            yield _Span(found.start(), found.end(), "card")


def _known_formats(text: str) -> Iterator[_Span]:
    import redact_secret

    # Half a surrogate pair is no text to the library; another character keeps the places.
    clean = text if text.isascii() else _SURROGATE.sub("\ufffd", text)
    for start in range(0, max(1, len(text) - _OVERLAP), _WINDOW - _OVERLAP):
        for found in redact_secret.scan(clean[start : start + _WINDOW]):
            kind = "key" if found.type == "contextual_secret" else found.type
            yield _Span(start + found.start, start + found.end, kind)


def _value(found: re.Match[str], kind: str) -> _Span:
    """The part of a match that is the secret; the sentence's own punctuation stays outside."""
    for name in ("quoted", "quoted2"):
        if name in found.re.groupindex and found[name] is not None:
            return _Span(*found.span(name), kind)
    name = "bare" if found["bare"] is not None else "bare2"
    start, end = found.span(name)
    return _Span(start, end - (len(found[name]) - len(found[name].rstrip(".,;:!?)"))), kind)


def _says_how(word: str) -> bool:
    return word in _SAYS_HOW or word.endswith(("ed", "ing", "ly", "ful", "less", "able", "ible"))


def _is_card(text: str) -> bool:
    digits = text.replace(" ", "").replace("-", "")
    return _ISSUER.fullmatch(digits) is not None and _luhn(digits)


def _luhn(digits: str) -> bool:
    total = sum(int(digit) for digit in digits[-1::-2])
    return (total + sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])) % 10 == 0
