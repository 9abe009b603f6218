"""The forms that a kind's schema asks of its attributes, and whether a value has one.

`number`: a figure (`5000`, `$120k`, `3.4%`), kept as it is written. `count`: a whole number from 0
on. `share`: 0 to 1. `yes_no`: `true` or `false`. `figures`: figures by name (`ctr: 1.8%, cpa: 42`).
`a|b|c`: one of these words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from factbook.text.figures import read_figure, read_figures
from factbook.text.word_lists import load_lines, load_pairs, load_words

_NAMES: Mapping[str, str] = {
    "number": "a figure such as 5000, 3.4% or $120k",
    "count": "a whole number from 0 on",
    "share": "a number from 0 to 1",
    "yes_no": "true or false",
    "figures": "figures by name, such as ctr: 1.8%, cpa: 42",
}
_COUNTS = {"once": "1", "twice": "2", "never": "0", "thrice": "3"} | {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
}
_SHARES = load_pairs("text/form_words", "shares")
_YES = load_words("text/form_words", "yes")
_NO = frozenset(load_lines("text/form_words", "no"))
_LIKE: Mapping[str, str] = load_pairs("text/form_words", "like")
"""Words that mean one of a schema's own, where it has that one."""


def is_form(form: str) -> bool:
    """Returns whether there is such a form."""
    return form in _NAMES or all(choice.strip() == choice != "" for choice in form.split("|"))


def describe_form(form: str) -> str:
    """Returns the form in words: `low, medium or high`."""
    if form in _NAMES:
        return _NAMES[form]
    *first, last = form.split("|")
    return f"{', '.join(first)} or {last}" if first else last


def fit_value(value: str, form: str) -> str | None:
    """Returns the value in that form; None if it can't be read so. Figures stay as written."""
    text = " ".join(value.split())
    plain = text.casefold().strip(" .!")
    match form:
        case "number":
            return text if read_figure(text) is not None else None
        case "figures":
            return text if read_figures(text) is not None else None
        case "count":
            return _read_count(plain)
        case "share":
            return _read_share(plain)
        case "yes_no":
            return "true" if plain in _YES else "false" if plain in _NO else None
        case _:
            choices = {choice.casefold(): choice for choice in form.split("|")}
            meant = plain.replace("_", " ")
            return choices.get(plain) or choices.get(meant) or choices.get(_LIKE.get(meant, ""))


def _read_count(text: str) -> str | None:
    text = re.sub(r"(?: times?| x)$|(?<=\d)(?:x|st|nd|rd|th)$", "", text)
    number = _COUNTS.get(text, text).replace(",", "")
    number = number.removesuffix(".0")
    return str(int(number)) if number.isascii() and number.isdigit() and len(number) < 16 else None


def _read_share(text: str) -> str | None:
    found = read_figure(_SHARES.get(text, text))
    if found is None or found.unit not in ("", "%"):
        return None
    number = found.value / 100 if found.unit else found.value
    return f"{number:g}" if 0 <= number <= 1 else None
