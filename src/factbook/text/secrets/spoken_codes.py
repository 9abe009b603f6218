"""Codes that are said: PINs, door codes, combinations, seed phrases, recovery codes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.text.secrets.secret_span import SecretSpan
from factbook.text.secrets.secret_values import is_strong
from factbook.text.word_lists import load_words

_OF = (
    r"(?:\s(?:for|to|of|on|at|für|zum|zur|von|vom|du|de|del|della|do|"
    r"da)\s(?:[\w.'-]{1,30}\s){0,3}?[\w.'-]{1,30})?"
)
_WHAT = (
    r"(?:front\s|back\s)?door|gate|alarm|safe|lock|lockbox|key\s?box|garage|entry|entrance|unlock|"
    r"phone|screen|verification"
    r"|security|access|sms|login|sign-?in|one-?time|2fa|otp"
)
_CODE = re.compile(
    rf"""\b(?:(?P<pin>(?:sim\s)?(?:pin|puk)(?:[\s-]?(?:code|number|nummer))?s?|passcode)|(?:{_WHAT})\scode|cv[vc]2?
    |(?:tür|haus|zugangs|alarm|tor|sperr|sicherheits|bestätigungs)-?code|code\s(?:de\sla|du|d['’]|pour\sla)\s?\w{{2,20}}|digicode
    |(?:lock|bike|safe|padlock|vault)\s(?:combo|combination)|comb(?:o|ination)|code\s(?:for|to|of)\s(?:the|our|my|your)\s(?:{_WHAT})|(?:código|codice)\sd(?:e|el|i|ella)\s\w{{2,20}}(?:\s\w{{2,20}})?){_OF}
    (?P<conn>\s*[=:]|\s(?:is|was|are|ist|lautet|est|es|é|è)|['’]s|\s)\s*:?\s*
    (?P<value>\d{{3,8}}(?:-\d{{1,4}}){{0,3}}[A-F]?|\d{{1,3}}(?:-\d{{1,3}}){{1,5}})(?![\w%]|[.,:/-]\d|\s?(?:digit|char|letter|stell|time|°))""",
    re.IGNORECASE | re.VERBOSE,
)
_OWN = re.compile(
    r"\b(?:my|your|our|his|her|their|bank|card|sim|atm|phone)(?:['’]s)?\s$", re.IGNORECASE
)
_CARD_CODE = re.compile(r"cv[vc]", re.IGNORECASE)

_SEED = re.compile(
    r"""\b(?:(?:seed|recovery|backup|wallet|secret|mnemonic|bip-?39)\s?(?:phrase|words?|seed)|mnemonic|\d\d[\s-]word\sseed|seed)
    (?:[\s:="'`(\[-]|\bis\b|\bare\b){1,8}(?P<value>(?:\d{1,2}[.)]\s?)?[a-z]{3,8}(?:[\s,]{1,3}(?:\d{1,2}[.)]\s?)?[a-z]{3,8}){11,23})(?![a-z])""",
    re.IGNORECASE | re.VERBOSE,
)
_NO_SEED_WORD = load_words("text/secret_words", "no seed words")
_RECOVERY = re.compile(
    r"\b(?:recovery|backup|back-up|rescue|emergency|scratch|2fa|mfa|one-time|wiederherstellungs|"
    r"backup-?)[\s-]?(?:backup\s)?codes?"
    r"(?:\sfor\s[\w.-]{1,30}|\sare|"
    r"\sfor\s[\w.-]{1,30}\sare)?\s{0,3}:?(?P<list>(?:[\s,;•*-]{1,6}(?:\d{1,2}[.)]\s)?[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){0,3}(?![\w.])){1,20})",
    re.IGNORECASE,
)
_ONE_CODE = re.compile(r"(?<![\w-])[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12}){0,3}(?![\w.])")
_TOTP = re.compile(
    r"\b(?:totp|2fa|mfa|otp|authenticator|secret)(?:[\s:=]|\b(?:is|key|seed|secret|"
    r"code)\b){1,8}(?P<value>[A-Z2-7]{4}(?: [A-Z2-7]{4}){3,7}|[A-Z2-7]{16,64})(?!\w)",
    re.IGNORECASE,
)
_STEMS = tuple(
    "pin puk code código cvv cvc comb seed phrase mnemonic wallet bip totp 2fa mfa otp "
    "authenticator secret".split()
)


def find_codes(text: str) -> Iterator[SecretSpan]:
    """Yields codes with the words that say what they are."""
    low = text.lower()
    if not any(stem in low for stem in _STEMS):
        return
    for found in _CODE.finditer(text):
        if _is_code(text, found):
            yield SecretSpan(*found.span("value"), "pin")
    for found in _SEED.finditer(text):
        words = re.findall(r"[a-z]+", found["value"].lower())
        if not _NO_SEED_WORD.intersection(words):
            yield SecretSpan(*found.span("value"), "seed_phrase")
    for found in _RECOVERY.finditer(text):
        start = found.start("list")
        yield from (
            SecretSpan(start + each.start(), start + each.end(), "recovery_code")
            for each in _ONE_CODE.finditer(found["list"])
            if _is_recovery_code(each.group())
        )
    for found in _TOTP.finditer(text):
        if found["value"].isupper() and any(char.isdigit() for char in found["value"]):
            yield SecretSpan(*found.span("value"), "key")


def _is_code(text: str, found: re.Match[str]) -> bool:
    if found["conn"].isspace():
        return _is_code_beside(text, found)
    if "=" in found["conn"] and not _CARD_CODE.match(found.group()):
        return len(found["value"]) >= 4
    return True


def _is_code_beside(text: str, found: re.Match[str]) -> bool:
    """Returns whether a number that follows its word without a sign is a code."""
    value = found["value"]
    if len(value) < 4 or "omb" in found.group()[:20] or not _is_own(text, found):
        return bool(_CARD_CODE.match(found.group()))
    if not found["pin"]:
        return True
    # A postal code of India is called PIN: a number of six digits behind a place.
    line = text[max(0, found.start() - 40) : found.start()].rstrip()
    return not (len(value) == 6 and line.endswith((",", "-")))


def _is_own(text: str, found: re.Match[str]) -> bool:
    """Returns whether it is no pin of a board: `PIN 4921`, `my pin 4921`."""
    word = found["pin"]
    return (
        not word
        or not word.islower()
        or _OWN.search(text, max(0, found.start() - 20), found.start()) is not None
    )


def _is_recovery_code(code: str) -> bool:
    plain = code.replace("-", "")
    if plain.isdigit():
        return len(plain) >= 6
    return len(plain) >= 8 and is_strong(code)
