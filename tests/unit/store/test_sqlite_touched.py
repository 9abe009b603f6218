"""Every column that may hold what people said is looked at when something is forgotten."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import get_type_hints

import pytest

from factbook.model.record import RECORD_TYPES, EntityType, Record, Source
from factbook.store.erase import _KEPT
from factbook.store.masking import Mask
from factbook.store.sqlite.touched import looked_at


def said(cls: type) -> set[str]:
    """Fields of text that the `Eraser` masks."""
    hints = get_type_hints(cls)
    out: set[str] = set()
    for field in dataclasses.fields(cls):
        hint = hints[field.name]
        if field.name in _KEPT or field.name.endswith(("_id", "_ids")):
            continue
        if hint is str or hint == tuple[str, ...] or getattr(hint, "__origin__", None) is Mapping:
            out.add(field.name)
    return out


@pytest.mark.parametrize("cls", [cls for cls in RECORD_TYPES if cls is not EntityType])
def test_all_texts_of_a_row_are_looked_at(cls: type[Record]) -> None:
    wanted = said(cls)
    if "source" in {field.name for field in dataclasses.fields(cls)}:
        wanted |= {f"source_{name}" for name in said(Source)}
    assert set(looked_at(cls)) == wanted


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Tom Berger", "I saw TOM BERGER"),
        ("José Núñez", "jose nunez came"),
        ("Jose Nunez", "JOSÉ NU\u0301ÑEZ"),
        ("Łukasz", "LUKASZ"),
        ("Strauß", "strauss"),
        ("Tom", "T\u200bom"),
        ("山田太郎", "昨日山田太郎さん"),
        ("O'Brien", "O’Brien"),
        ("Anna-Lena", "anna lena"),
        ("!!!", "what!!!"),
        ("Tom", "Tom " + "".join(map(chr, range(0x4E00, 0x4E40)))),
    ],
)
def test_a_quick_look_misses_no_name(name: str, text: str) -> None:
    mask = Mask([name], "[forgotten]")
    assert mask.spans(text)
    assert mask.may_hold(text)


def test_a_quick_look_passes_over_what_holds_none() -> None:
    assert not Mask(["Tom Berger"], "x").may_hold("Nobody of that name, also in Norwegian: blåbær")
    assert not Mask([], "x").may_hold("Tom")
