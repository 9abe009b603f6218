"""Figures as people write them: `3.4%`, `$120k`, `1.2M`, `-5 points`, `ctr 1.8%, cpa $42`.

A thousand is `k`, a million `M`, `m` after a currency, `mn` or `million`, a billion `B`, `bn` or
`billion`. A comma or dot with three digits behind it parts thousands where the other sign or a
second one of its kind says so, and where it is a comma; else it parts decimals.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from factbook.text.word_lists import load_pairs

LONGEST_FIGURE = 400
"""Characters of a figure with its name and unit; what is longer is a sentence."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number with its unit: `%`, a currency's code (`USD`), `x` for a multiple, another unit's
    word, or empty.
    """

    value: float
    unit: str = ""


def read_figure(text: str) -> Figure | None:
    """Returns the one figure that a text is; None for none, for several (`142/90`, `3 of 5`), or
    for one within a sentence.
    """
    match = (
        _FIGURE.fullmatch(" ".join(text.split()).replace("−", "-"))
        if len(text) <= LONGEST_FIGURE
        else None
    )
    return _read_match(match) if match else None


def read_figures(text: str) -> dict[str, Figure] | None:
    """Returns named figures (`ctr: 1.8%, cpa=42; roas 3.2`) by name in lower case; None if a part
    is none.
    """
    out: dict[str, Figure] = {}
    for part in re.split(r"[;\n]|,(?!\d{3}(?!\d))", text.strip(" {}")):
        match = _NAMED.fullmatch(part.strip()) if len(part) <= LONGEST_FIGURE else None
        figure = read_figure(match["figure"]) if match else None
        if match is None or figure is None:
            return None
        out[" ".join(match["name"].strip("\"' ").lower().split())] = figure
    return out or None


_CURRENCIES = load_pairs("text/units", "currencies")
_SCALES = {
    "k": 1e3, "thousand": 1e3, "mn": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6, "bn": 1e9, "b": 1e9, "billion": 1e9,
    "billions": 1e9,
}  # fmt: skip
_BEFORE = "|".join(
    re.escape(each) for each in sorted(_CURRENCIES, key=len, reverse=True) if len(each) < 4
)
_NUMBER = r"\d{1,3}(?:[ \u00a0\u202f'](?=\d{3}\b)\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*|\.\d+"
_FIGURE = re.compile(
    rf"""(?:(?:about|around|roughly|approximately|approx\.?|circa|some|over|under|nearly|almost|just|only|at|to|up\sto|~|≈|>|<)\s?)*
    (?P<sign>[-+])?\s?(?:(?P<before>{_BEFORE})\s?)?(?P<minus>-)?(?P<number>{_NUMBER})
    (?:\s?(?P<scale>k|thousand|M|MM|m|mn|mio|[Mm]illions?|B|bn|[Bb]illions?)\b\.?)?
    (?:\s?(?P<unit>%|percent|per\scent|percentage\spoints?|pp|x\b|/?[^\W\d_]+(?:[ /][^\W\d_]+){{0,3}}|[€£$¥₹]))?[.!]?""",
    re.VERBOSE | re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?P<name>[\"']?[^\W\d_][^:=]*?)\s*(?:[:=]|\s(?:is|was|of|at)\s|\s)\s*(?P<figure>[^:=]+)"
)


def _read_match(match: re.Match[str]) -> Figure | None:
    number = _read_number(match["number"])
    if number is None:
        return None
    if "-" in (match["sign"] or "") + (match["minus"] or ""):
        number = -number
    unit = (match["unit"] or "").lower()
    currency = _CURRENCIES.get((match["before"] or "").lower()) or _CURRENCIES.get(unit)
    scale = match["scale"] or ""
    if scale == "m" and currency is None:
        unit = f"m {unit}".strip()
    else:
        number *= 1e6 if scale in ("M", "MM", "m") else _SCALES.get(scale.lower(), 1.0)
    return Figure(round(number, 10), currency or _UNITS.get(unit, unit))


_UNITS = load_pairs("text/units", "units")


def _read_number(written: str) -> float | None:
    """Returns the number, whichever sign parts its thousands and decimals."""
    text = re.sub(r"[ \u00a0\u202f']", "", written)
    commas, dots = text.count(","), text.count(".")
    if commas and dots:
        decimal = max(",.", key=text.rfind)
        text = text.replace("," if decimal == "." else ".", "").replace(decimal, ".")
    elif commas:
        grouped = re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})+", text) is not None
        text = text.replace(",", "" if grouped or commas > 1 else ".")
    elif dots > 1:
        text = text.replace(".", "")
    try:
        return float(text)
    except ValueError:
        return None
