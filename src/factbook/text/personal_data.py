"""Redaction of personal data: numbers and addresses that lead to a person. Names stay.

Rules, not a model: what is masked has a form of its own (an e-mail address, an IBAN with its check
digits) or stands beside words that say what it is. Numbers of orders, versions, dates, times and
prices have neither. What was weighed stands in docs/decisions/0016-forgetting-and-personal-data.md.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping

from factbook.text.plain_signs import plain_signs

SORTS = ("phone", "email", "address", "iban", "id", "ip", "birth_date")
"""What can be redacted. `id`: numbers of social security, passports, driving licences and identity
cards. Payment cards are masked always, with the secrets.
"""
USUAL = SORTS[:-1]
"""What is redacted where no sorts are named: a birthday is what an assistant should remember."""

_MARK = re.compile(r"(\[(?:secret:[a-z0-9_]+|" + "|".join(SORTS) + r")(?: [0-9a-f]{4})?\])")
_WORTH_IT = re.compile(r"[\d@＠]")

_EMAIL = re.compile(
    r"(?<![\w.+/@-])(?!git@)[\w.+'-]{1,64}@(?:[\w-]{1,63}\.){1,5}(?!(?:jsx?|tsx?|json|ya?ml|html|"
    r"css|txt)\b)[^\W\d_]{2,24}(?![\w@-]|:[\w~/]|\.\w)"
)

_DIGITS = re.compile(r"\D")
_OTHER_NUMBER = re.compile(
    r"(?:\b(?:order|invoice|ticket|case|ref|reference|po|sku|isbn|tracking|parcel|serial|part|"
    r"item|issue|commit|build|version|"
    r"release|model|article|product|transaction|confirmation|booking|reservation|flight|room|page|"
    r"line|id|no|nr|code|batch|"
    r"lot|function|method|offset|index|seed|epoch|step|sample|account|customer|contract|policy|"
    r"zip|postcode|port|pid|bug|pr|rev|revision|hash|checksum|bestellung|rechnung)"
    r"(?:\s+(?:number|no\.?|nr\.?|id|code|is|was|for|#))*\s*[:#.=]?\s*|#\s?|[$€£¥]\s?)$",
    re.IGNORECASE,
)
_WORLD = re.compile(
    r"(?<![\w+./-])(?:\+|00(?=\d{1,3}[ ./-]))\s?\d(?:[ .\-/()]{0,4}\d){6,14}(?![\w%]|[-/.]\d|:\d)"
)
_GROUPED = re.compile(
    r"(?<![\w+./:-])(?:1[ .-])?(?:\([2-9]\d{2}\)\s?|[2-9]\d{2}(?P<gap>[-.]))\d{3}(?(gap)(?P=gap)|"
    r"[ .-])\d{4}(?![\w%]|[-/.:]\w)"
)
_NATIONAL = re.compile(
    r"(?<![\w+./:-])(?:0[1-9](?P<gap>[ .])\d\d(?:(?P=gap)\d\d){3}|\(?0[1-9]\d{1,4}\)?[ "
    r"/-]{1,3}\d{3,8}(?:[ -]\d{2,6}){0,3})(?![\w%]|[-/.:]\w)"
)
_AREA = re.compile(
    r"(?<![\w+./:-])(?:[08][ -]?)?\((?!(?:19|20)\d\d\))0?\d{2,4}\) ?\d{3,5}[ -]\d{2,4}(?:[ "
    r"-]\d{2,4})?(?![\w%]|[-/.:]\w)"
)
_CALLED = re.compile(
    r"\b(?:phone|telephone|tel|mobile|cell(?:phone)?|landline|fax|whatsapp|signal|handynummer|"
    r"handy|telefon|call|ring|dial|"
    r"reach|text|(?:my|his|her|our|their|your)\s(?:new\s|work\s|home\s|"
    r"private\s)?number(?=\s(?:is|was)\b|'s\b|:))\b(?:(?!order|invoice|ticket|"
    r"version)[^\d\n.]){0,28}\.?\s?(?P<value>\(?\d[\d ().-]{5,17}\d)"
    r"(?![\w%]|[-/.:]\w|\s?(?:bytes|bits|[kmgt]i?b|pixels|users|people|customers|rows|records|"
    r"lines|files|messages|requests|"
    r"times|steps|dollars|euros|pounds)\b)",
    re.IGNORECASE,
)
_NUMBER_OF = re.compile(
    r"(?<![\w+./:-])(?P<value>\(?\d[\d ().-]{5,17}\d)(?=(?:\s+is|,)\s+(?:my|her|his|their|our|"
    r"the)\s+(?:new\s+|work\s+|private\s+)?"
    r"(?:phone|number|cell|mobile|landline|fax|handy)|\s+ist\s+(?:meine|seine|ihre)\s+(?:nummer|"
    r"handy|telefon))",
    re.IGNORECASE,
)
_DATE_LIKE = re.compile(
    r"(?:(?:19|20)\d\d[-./ ]?\d{1,2}[-./ ]?\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)?\d\d|(?:19|"
    r"20)\d\d ?- ?(?:19|20)\d\d)(?:[ T]\d{1,2})?"
)
_FEWEST, _MOST = 7, 15

_IBAN = re.compile(
    r"(?<!\w)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?(?!\w)", re.IGNORECASE
)

_SOCIAL = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])")
_INSURANCE = re.compile(
    r"(?<!\w)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?!\w)"
)
_IDENTITY = re.compile(
    r"\b(?:ssn|social\ssecurity|passport|driv(?:er'?s?|ing)\slicen[cs]e|national\s(?:id|"
    r"insurance)|identity\scard|id\scard|tax\s(?:id|number)|"
    r"personnummer|personalausweis|steuer-?id)(?:\s?(?:number|no\.?|nr\.?|num|id|\#))*(?:\s(?:is|"
    r"was))?\s?[:=]?\s?"
    r"(?P<value>(?=[\w -]{0,12}\d[\w -]{0,6}\d)[A-Z0-9](?:[A-Z0-9]|[ "
    r"-](?=[A-Z0-9]*\d)){4,19})(?!\w)",
    re.IGNORECASE,
)

_V4 = re.compile(
    r"(?<![\w.-])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w-]|\.\d)"
)
_V6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){3,7}(?![\w:])")
_VERSION_BEFORE = re.compile(
    r"\b(?:v|ver|version|release|build|section|chapter|clause|firmware|upgraded?|downgraded?|"
    r"update[ds]?)\.?(?:\s(?:to|from|is|of))?\s*$",
    re.IGNORECASE,
)
_IP_BEFORE = re.compile(
    r"(?:\bip(?:v4|\saddress)?(?:\s(?:is|was|of))?\s*[:=]?|://|\bping|\bssh|@)\s*$", re.IGNORECASE
)
_NOBODYS = frozenset({0, 127, 255})
"""First numbers of addresses that lead to nobody: any address, one's own machine, masks of nets."""
_LEAST_OCTET = 32
"""Four numbers that are all lower may be a version."""

_UPPER = r"[A-ZÀ-ÖØ-Þ]"
_NAME = rf"(?:{_UPPER}|\d{{1,3}}(?:st|nd|rd|th)\b)[\w'’.-]*"
_STREET = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|"
    r"Terrace|Way|Parkway|Pkwy|"
    r"Highway|Hwy|Close|Crescent|Gardens|Row|Mews|Walk|Hill|Circle|Trail|Alley)"
)
_WITHIN = r"(?:,?\s(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor)\.?\s?#?\w{1,6}|,?\s\#\s?\d{1,5}\w?)?"
_POSTCODE = (
    r"(?:[A-Z]{2},?\s\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|\d{4,5}(?:\s[A-Z]{2})?)"
)
_TOWN = rf"(?:,\s?{_UPPER}[\w'’-]+(?:\s{_UPPER}[\w'’-]+){{0,2}})?(?:,?\s{_POSTCODE}(?!\w))?"
_AFTER = (
    r"(?=\s*(?:[,.;:!?)\"'”]|$|\n|(?:in|and|but|near|until|since|now|is|was|on|at|with|from|"
    r"which|next)\b))"
)
_ADDRESSES = (
    re.compile(
        rf"(?<![\w$€£.,#-])\d{{1,5}}[A-Za-z]?(?:-\d{{1,4}})?\s(?:[NSEW]\.?\s)?(?!Google\b|"
        rf"One\b)(?:{_NAME}\s){{1,4}}{_STREET}\b\.?(?:\s[NS][EW]?)?{_WITHIN}{_TOWN}{_AFTER}"
    ),
    re.compile(
        rf"(?<!\w){_UPPER}[\w-]*(?:straße|strasse|str\.|weg|platz|allee|gasse|damm|ufer|straat|"
        rf"laan|gracht|gatan|vägen|gade|vej)\s\d{{1,4}}\s?[a-z]?(?!\w)"
        rf"(?:,?\s(?:in\s)?\d{{4,5}}\s{_UPPER}[\w-]+)?"
    ),
    re.compile(
        rf"(?<![\w$€£.,-])\d{{1,4}}(?:\s(?:bis|ter))?,?\s(?:rue|avenue|boulevard|place|allée|"
        r"chemin|impasse|quai)\s(?:de\s|du\s|des\s|la\s|le\s|les\s|d[’']|l[’'])*"
        rf"{_UPPER}[\w'’-]+(?:\s{_UPPER}[\w'’-]+){{0,3}}(?:,?\s\d{{5}}\s{_UPPER}[\w-]+)?"
    ),
    re.compile(
        r"(?<!\w)(?:Calle|Avenida|Plaza|Via|Viale|Piazza|Corso|Rua)\s(?:de\s|del\s|la\s|da\s|"
        rf"do\s|dei\s)*{_UPPER}[\w'’-]+(?:\s{_UPPER}[\w'’-]+){{0,3}},?\s\d{{1,4}}\w?(?!\w)"
        rf"(?:,?\s\d{{5}}\s{_UPPER}[\w-]+)?"
    ),
    re.compile(r"(?<!\w)P\.?\s?O\.?\sBox\s\d{1,6}(?!\w)", re.IGNORECASE),
    re.compile(
        r"\b(?:postcode|post\scode|postal\scode|zip(?:\scode)?|plz)(?:\s(?:is|"
        rf"was))?\s?:?\s(?P<value>{_POSTCODE}|\d{{5}}(?:-\d{{4}})?)(?!\w)",
        re.IGNORECASE,
    ),
)

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_BIRTH = re.compile(
    r"\b(?:born(?:\son)?|birthday(?:\s(?:is|was))?(?:\son)?|birth\s?date(?:\s(?:is|was))?|"
    r"date\sof\sbirth(?:\s(?:is|was))?|d\.?o\.?b\.?|b-?day(?:\sis)?)\W{0,3}(?:the\s)?"
    rf"(?P<value>\d{{4}}-\d\d?-\d\d?|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}|"
    rf"{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?|\d{{1,2}}(?:st|nd|rd|"
    rf"th)?\s(?:of\s)?{_MONTH}(?:,?\s\d{{4}})?)",
    re.IGNORECASE,
)


def check_sorts(wish: bool | str | Collection[str]) -> tuple[str, ...]:
    """Returns the sorts that a wish means: all the usual ones for True, none for False, or those
    that are named.

    Raises:
        ValueError: there is no such sort.
    """
    if isinstance(wish, bool):
        return USUAL if wish else ()
    named = wish.replace(",", " ").split() if isinstance(wish, str) else list(wish)
    wanted = {
        sort
        for each in named
        for sort in ({"all": SORTS, "usual": USUAL, "none": ()}.get(each, (each,)))
    }
    if unknown := sorted(wanted - set(SORTS)):
        raise ValueError(
            f"no sort of personal data is called {unknown[0][:40]!r}; there are {', '.join(SORTS)}"
        )
    return tuple(sort for sort in SORTS if sort in wanted)


def redact_text(text: str, sorts: Collection[str] = USUAL) -> tuple[str, dict[str, int]]:
    """Returns the text with personal data of these sorts replaced by `[phone]`, `[email]` …, and
    how many there were of each.

    Redacting what is redacted already changes nothing. Never raises; a text without any comes back
    as it is.
    """
    counts: Counter[str] = Counter()
    if not sorts or not _WORTH_IT.search(text):
        return text, {}
    parts = [
        part if _MARK.fullmatch(part) else _redact_part(part, sorts, counts)
        for part in _MARK.split(text)
    ]
    return "".join(parts), dict(counts)


def redact_label(name: str, sorts: Collection[str], secret: str) -> tuple[str, dict[str, int]]:
    """Returns a speaker's name: one that is itself a number or address becomes a mark with four
    letters that tell two speakers apart (`[phone 3f2a]`), made with the secret, so that it can't be
    read back from it.
    """
    masked, counts = redact_text(f"tel {name}" if _looks_dialled(name) else name, sorts)
    masked = masked.removeprefix("tel ")
    if not counts:
        return name, {}
    digest = hashlib.blake2b(
        name.casefold().encode("utf-8", "replace"), key=secret.encode()[:64], digest_size=2
    )
    return _MARK.sub(lambda mark: f"{mark[1][:-1]} {digest.hexdigest()}]", masked), counts


def _looks_dialled(name: str) -> bool:
    return not re.search(r"[^\d\s()+.-]", name) and _FEWEST <= len(_DIGITS.sub("", name)) <= _MOST


def _redact_part(text: str, sorts: Collection[str], counts: Counter[str]) -> str:
    plain = plain_signs(text)
    spans = sorted(
        (
            (start, end, sort)
            for sort in SORTS
            if sort in sorts
            for start, end in _FINDERS[sort](plain)
        ),
        key=lambda span: (span[0], -span[1]),
    )
    out: list[str] = []
    last = 0
    for start, end, sort in spans:
        if start >= last:
            out += [text[last:start], f"[{sort}]"]
            counts[sort] += 1
        last = max(last, end)
    return "".join([*out, text[last:]]) if out else text


def _find_phones(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_WORLD, _GROUPED, _NATIONAL, _AREA):
        for found in pattern.finditer(text):
            least = 9 if pattern in (_NATIONAL, _AREA) else 8
            if _is_phone(found.group(), least) and not _OTHER_NUMBER.search(
                _text_before(text, found.start())
            ):
                yield found.span()
    for pattern in (_CALLED, _NUMBER_OF):
        for found in pattern.finditer(text):
            if _is_phone(found["value"], _FEWEST) and not _OTHER_NUMBER.search(
                _text_before(text, found.start("value"))
            ):
                yield found.span("value")


def _text_before(text: str, place: int) -> str:
    """Returns the text right before a place: enough for the words that say what a number is."""
    return text[max(0, place - 80) : place]


def _is_phone(written: str, least: int) -> bool:
    return least <= len(_DIGITS.sub("", written)) <= _MOST and not _DATE_LIKE.fullmatch(
        written.strip("() ")
    )


def _find_emails(text: str) -> Iterator[tuple[int, int]]:
    return (found.span() for found in _EMAIL.finditer(text)) if "@" in text else iter(())


def _find_addresses(text: str) -> Iterator[tuple[int, int]]:
    for pattern in _ADDRESSES:
        for found in pattern.finditer(text):
            yield found.span("value" if "value" in pattern.groupindex else 0)


def _find_ibans(text: str) -> Iterator[tuple[int, int]]:
    for found in _IBAN.finditer(text):
        plain = re.sub(r"[ -]", "", found.group()).upper()
        if (
            15 <= len(plain) <= 34
            and int("".join(str(int(c, 36)) for c in plain[4:] + plain[:4])) % 97 == 1
        ):
            yield found.span()


def _find_ids(text: str) -> Iterator[tuple[int, int]]:
    for pattern in (_SOCIAL, _INSURANCE):
        for found in pattern.finditer(text):
            if not _OTHER_NUMBER.search(_text_before(text, found.start())):
                yield found.span()
    for found in _IDENTITY.finditer(text):
        yield found.span("value")


def _find_ips(text: str) -> Iterator[tuple[int, int]]:
    for found in _V4.finditer(text):
        before = _text_before(text, found.start())
        octets = [int(octet) for octet in found.group().split(".")]
        high = max(octets) >= _LEAST_OCTET
        if octets[0] in _NOBODYS or _VERSION_BEFORE.search(before):
            continue
        if high or _IP_BEFORE.search(before):
            yield found.span()
    for found in _V6.finditer(text):
        try:
            address = ipaddress.IPv6Address(found.group())
        except ValueError:
            continue
        if not address.is_loopback and not address.is_unspecified:
            yield found.span()


def _find_births(text: str) -> Iterator[tuple[int, int]]:
    return (found.span("value") for found in _BIRTH.finditer(text))


_FINDERS: Mapping[str, Callable[[str], Iterator[tuple[int, int]]]] = {
    "phone": _find_phones,
    "email": _find_emails,
    "address": _find_addresses,
    "iban": _find_ibans,
    "id": _find_ids,
    "ip": _find_ips,
    "birth_date": _find_births,
}
