"""Every column that may hold what people said is looked at when something is forgotten."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import get_type_hints

import pytest

from factbook.model.change import Change
from factbook.model.record import RECORD_TYPES, EntityType, Record
from factbook.model.source import Source
from factbook.ports.store import Erasure
from factbook.store.erase import _KEPT
from factbook.store.sqlite import SqliteStore
from factbook.store.sqlite.row_codecs import pack_json
from factbook.store.sqlite.writing.touched_rows import _finder, looked_at
from factbook.text.name_masks import Mask
from tests.support.builders import at, commit, episode, fact, message, source


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


@pytest.mark.parametrize(
    "ids",
    [
        {"id1"},
        {f"id{number}" for number in range(200)},
        {'a"b', "id1"},
        {'a"b', *(f"id{n}" for n in range(200))},
    ],
)
def test_entries_of_the_log_are_found_by_any_of_the_ids(ids: set[str]) -> None:
    holds = _finder(ids)
    assert holds('[{"after":{"type":"Fact","id":"f1","entity_id":"id1"}}]')
    if not any('"' in each for each in ids):
        assert not holds('[{"after":{"type":"Fact","id":"f1","entity_id":"id1000"}}]')


@pytest.mark.parametrize("before", ["", "x" * 300, 'he said "so"', "ends in a \\", '"', "a\nb"])
@pytest.mark.parametrize("count", [1, 200])
def test_no_text_before_an_id_hides_it(before: str, count: int) -> None:
    ids = {"id1", *(f"no{number}" for number in range(count - 1))}
    for told in ([before, "id1"], {"quote": before, "id": "id1"}, [before, before, {"id": "id1"}]):
        assert _finder(ids)(pack_json(told))
        assert not _finder({f"{each}0" for each in ids})(pack_json(told))


@pytest.mark.parametrize("strange", ['a"b', "a\\b", "a\nb", "x" * 300])
@pytest.mark.parametrize("count", [1, 200])
def test_strange_ids_are_found_as_they_are_written(strange: str, count: int) -> None:
    holds = _finder({strange, *(f"no{number}" for number in range(count - 1))})
    assert holds(pack_json([{"id": strange}]))
    assert not holds(pack_json([{"id": f"{strange}."}]))


def test_a_long_session_is_forgotten_with_every_entry_of_the_log(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")
    said = [
        message(f'xylophone {number} "{"x" * 250}"', id=f"m{number}", key=f"k{number}")
        for number in range(100)
    ]
    store.remember("ada", [episode(*said, id="e1", session="s")])
    for each in said:
        rest = source(message_id=each.id, episode_id="e1", quote=each.text)
        row = fact("t", "plays", each.text, id=f"f{each.id}", source=rest)
        commit(store, "ada", row)
        commit(store, "ada", Change(before=row))
    store.forget("ada", Erasure(message_ids=tuple(each.id for each in said), at=at(9)))
    store.close()
    assert b"xylophone" not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
