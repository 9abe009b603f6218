"""Secrets that are known by their form, wherever they stand: providers' tokens, key blocks, payment
cards, URLs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from factbook.text.secrets.secret_span import SecretSpan
from factbook.text.secrets.secret_values import is_filled_in, is_reference, looks_random

_SURROGATE = re.compile("[\ud800-\udfff]")
# The library's time grows with the square of some texts' length; windows that overlap by more than
# any key is long (blocks apart, which have a rule here) keep it to milliseconds.
_WINDOW = 12288
_OVERLAP = 4096

_PREFIXED = re.compile(
    r"""(?<![\w-])(?:
    sk-(?=[\w-]{0,40}\d)[\w-]{24,200}|SK[0-9a-f]{32}(?!\w)|key-[0-9a-f]{32}(?!\w)|[0-9a-f]{32}-us\d{1,2}(?!\w)
    |figd_[\w-]{36,60}|ntn_[A-Za-z0-9]{40,60}|sntry[su]_[\w+/=-]{40,400}|oy2[a-z0-9]{43}(?!\w)|1//0[\w-]{40,200}
    |sl\.[\w-]{60,400}|EAA[A-Za-z0-9_-]{50,400}|sq0(?:csp|atp|idp)-[\w-]{22,60}|GOCSPX-[\w-]{24,40}|rubygems_[0-9a-f]{40,64}
    |lin_api_[A-Za-z0-9]{32,60}|ATBB[A-Za-z0-9]{24,40}|HRKU-[\w-]{30,80}|nfp_[A-Za-z0-9]{30,60}|fo1_[\w-]{30,80}
    |pscale_(?:tkn|pw|oauth)_[\w.-]{30,80}|NRAK-[A-Z0-9]{24,40}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|dckr_(?:pat|oat)_[\w-]{24,60}
    |pat[A-Za-z0-9]{14}\.[0-9a-f]{64}|tskey-[a-z]{2,12}-[\w-]{20,100}|hf_[A-Za-z]{30,40}(?!\w)|npm_[A-Za-z0-9]{36}(?!\w)
    |A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,6}){3,6}|AGE-SECRET-KEY-1[A-Z0-9]{20,80}|pypi-AgE[\w-]{40,400}|glpat-[\w-]{20,60}
    |whsec_[A-Za-z0-9+/=]{24,80}|IQoJb3JpZ2luX2Vj[A-Za-z0-9+/=]{100,2000}|ya29\.[\w-]{40,400}|dapi[0-9a-f]{32}(?:-\d)?(?!\w)
    |xprv[1-9A-HJ-NP-Za-km-z]{100,120}|nsec1[02-9ac-hj-np-z]{58}(?!\w)|[5KL][1-9A-HJ-NP-Za-km-z]{50,51}(?!\w)
    |base64:[A-Za-z0-9+/]{43}=|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}(?!\w)
    |\d{8,10}:AA[\w-]{32,34}(?![\w-])|AAAA[\w-]{7}:APA91b[\w-]{100,200}|cio[A-Za-z0-9]{32}(?!\w)
    )""",
    re.VERBOSE,
)
"""Formats that providers publish, and the library doesn't know or knows only beside their names."""

_SHORTEST = 20
_FEW_LETTERS = 6
"""A long run of so few different characters is a sequence of bases or a line drawn, and no key."""

_AWS = re.compile(r"(?<![\w/+=.-])[A-Za-z0-9/+]{40}(?![\w/+=-])")
"""A secret key of AWS has forty characters of base64, and nothing else."""

_IN_URL = re.compile(r"://[^\s:/@\"'`<>]{0,64}:(?P<value>[^\s@/\"'`<>]{3,200})@[\w.\[-]")
_IN_QUERY = re.compile(
    r"[?&;]\s?(?:sig|token|access_token|id_token|refresh_token|api_?key|key|secret|client_secret|"
    r"signature|x-amz-signature"
    r"|x-amz-security-token|auth|session_?id|sid)=(?P<value>[\w%+/.~-]{16,2000}={0,2})",
    re.IGNORECASE,
)
_HOOK = re.compile(
    r"\b(?P<slack>https://hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{20,200})"
    r"|\bhttps://(?:\w{1,20}\.)?discord(?:app)?\.com/api/webhooks/\d{5,25}/(?P<value>[\w-]{40,100})"
)
_HEADER = re.compile(
    r"\b(?:Authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:Basic|Bearer|Token|ApiKey|Digest)|"
    r"Bearer)\s{1,3}"
    r"(?P<value>[\w.~+/-]{16,2000}={0,2})",
    re.IGNORECASE,
)
_COOKIE = re.compile(
    r"\b\w{0,20}(?:sess|sid|auth|token|jwt|csrf)\w{0,20}=(?P<value>[\w%.~+/-]{16,1000}={0,2})",
    re.IGNORECASE,
)

_KEY_BLOCK = re.compile(
    r"-----BEGIN (?P<name>[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----"
    r"(?:(?:(?!-----)[\s\S]){1,20000}?-----END (?P=name)-----|(?:(?:\\n|\s){1,8}[A-Za-z0-9+/=:, "
    r"-]{16,})*)"
)

# Digits that stand together, in fours (or four, six, five), with one sort of separator.
_CARD = re.compile(
    r"(?<![\w.+-])(?:\d{13,19}|\d{4}(?P<gap>[ -])\d{4}(?P=gap)\d{4}(?P=gap)\d{4}|\d{4}(?P<gap2>[ "
    r"-])\d{6}(?P=gap2)\d{4,5})"
    r"(?![\w-]|\.\d)"
)
# Visa, Mastercard, American Express, Discover, Diners Club, JCB, UnionPay: ISO/IEC 7812's ranges
# with their lengths.
_ISSUER = re.compile(
    r"4(?:\d{12}|\d{15})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|"
    r"3[47]\d{13}"
    r"|(?:6011|65\d\d|64[4-9]\d)\d{12}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|"
    r"62\d{14,17}"
)


def find_formats(text: str) -> Iterator[SecretSpan]:
    """Yields what has a secret's form."""
    yield from _known_to_library(text)
    if any(len(word) >= _SHORTEST for word in text.split()):
        yield from _find_unspaced(text)
    for found in _CARD.finditer(text):
        if _is_card(found.group()):
            yield SecretSpan(found.start(), found.end(), "card")
    if "-----BEGIN" in text:
        yield from (
            SecretSpan(found.start(), found.end(), "private_key")
            for found in _KEY_BLOCK.finditer(text)
        )


def _find_unspaced(text: str) -> Iterator[SecretSpan]:
    for found in _PREFIXED.finditer(text):
        tail = max(re.split("[:_.-]", found.group()), key=len)
        if looks_random(tail, 12) or found.group().startswith(("hf_", "nsec1", "A3-", "NRAK")):
            yield SecretSpan(found.start(), found.end(), "token")
    for found in _AWS.finditer(text):
        if _is_aws(found.group()):
            yield SecretSpan(found.start(), found.end(), "key")


def find_in_addresses(text: str) -> Iterator[SecretSpan]:
    """Yields the secrets of URLs, headers and cookies."""
    if "://" in text:
        yield from (
            SecretSpan(*found.span("value"), "password")
            for found in _IN_URL.finditer(text)
            if not is_reference(found["value"]) and not is_filled_in(found["value"])
        )
    if "https://" in text:
        for found in _HOOK.finditer(text):
            yield SecretSpan(*found.span("slack" if found["slack"] else "value"), "token")
    if "=" in text:
        for found in (*_IN_QUERY.finditer(text), *_COOKIE.finditer(text)):
            if looks_random(found["value"].split("%")[0], 8) and not is_reference(found["value"]):
                yield SecretSpan(*found.span("value"), "token")
    low = text.lower()
    if "bearer" in low or "authorization" in low:
        for found in _HEADER.finditer(text):
            value = found["value"]
            if not is_reference(value) and (
                looks_random(value, 16) or "asic" in found.group()[:40]
            ):
                yield SecretSpan(*found.span("value"), "token")


def _known_to_library(text: str) -> Iterator[SecretSpan]:
    import redact_secret

    # Half a surrogate pair is no text to the library; another character keeps the places.
    clean = text if text.isascii() else _SURROGATE.sub("\ufffd", text)
    for start in range(0, max(1, len(text) - _OVERLAP), _WINDOW - _OVERLAP):
        for found in redact_secret.scan(clean[start : start + _WINDOW]):
            # What the library guesses from a key beside it is judged here, by the value (see
            # `keys`).
            value = clean[start + found.start : start + found.end]
            if found.type != "contextual_secret" and not (
                len(value) > _SHORTEST and len(set(value)) <= _FEW_LETTERS
            ):
                yield SecretSpan(start + found.start, start + found.end, found.type)


_BEHIND_HEX = frozenset("ghijklmnopqrstuvwxyz")


def _is_aws(value: str) -> bool:
    """Returns whether forty characters are a key: of all three sorts, mixed, and no path."""
    if not looks_random(value, 40) or _BEHIND_HEX.isdisjoint(value):
        return False
    if not any(char.isupper() for char in value) or sum(char.isdigit() for char in value) < 2:
        return False
    return sum(one.isupper() != two.isupper() for one, two in pairwise(value)) >= 10


def _is_card(text: str) -> bool:
    digits = text.replace(" ", "").replace("-", "")
    return _ISSUER.fullmatch(digits) is not None and _passes_luhn(digits)


def _passes_luhn(digits: str) -> bool:
    total = sum(int(digit) for digit in digits[-1::-2])
    return (total + sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])) % 10 == 0
