"""Ids are known by their beginning, as in git, and never mistaken for names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook import Entity
from factbook.errors import AmbiguousError, NotFoundError
from factbook.memory.memory import Memory
from factbook.views.short_ids import shorten_id, the_one


@pytest.fixture(params=["ram:", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    ids = iter([f"k80it15t{number:04}abcdefgh" for number in range(500)])
    url = "ram:" if request.param == "ram:" else str(tmp_path / "m.db")
    with Memory.open(url, extractor="none", embedder="none", new_id=lambda: next(ids)) as opened:
        yield opened


def test_an_entity_is_found_by_as_much_of_its_id_as_sets_it_apart(memory: Memory) -> None:
    memory.put(Entity("Jonas", "person"))
    memory.put(Entity("Mira", "person"))
    jonas = memory.get("Jonas")
    assert memory.get(jonas.id[:12]).name == "Jonas"
    memory.merge(jonas.id[:12], memory.get("Mira").id[:12])
    memory.unmerge(jonas.id[:12], "Mira")
    with pytest.raises(AmbiguousError, match="several ids begin with 'k80it1'") as caught:
        memory.get("k80it1")
    assert jonas.id in caught.value.candidates
    with pytest.raises(NotFoundError):
        memory.get("k80it")
    with pytest.raises(NotFoundError):
        memory.get(f"{jonas.id}0")


def test_a_name_is_no_id(memory: Memory) -> None:
    memory.put(Entity("Jonas", "person"))
    memory.put(Entity("k80it15t", "technology"))
    assert memory.get("k80it15t").entity_type == "technology"


def test_a_message_and_a_note_are_whole_by_the_beginning_of_their_ids(memory: Memory) -> None:
    memory.remember("the kettle is broken")
    note = memory.note("buy a kettle").ids[0]
    assert memory.whole(note[:12]) == "buy a kettle"
    line = memory.recall("kettle broken").lines[0]
    assert memory.whole(line.id[:12]) == "the kettle is broken"
    with pytest.raises(NotFoundError):
        memory.whole("no-such-id")


def test_unknown_names_bring_those_that_are_nearly_so_written(memory: Memory) -> None:
    for name in ("Jonas", "Jonathan Reed", "Mira Kovac", "Atlas"):
        memory.put(Entity(name, "project" if name == "Atlas" else "person"))
    with pytest.raises(NotFoundError, match="did you mean Jonas") as caught:
        memory.get("Jonass")
    assert caught.value.suggestions[0] == "Jonas"
    with pytest.raises(NotFoundError, match="did you mean Mira Kovac"):
        memory.get("Mira Kovacs")
    with pytest.raises(NotFoundError) as caught:
        memory.get("Zebedee")
    assert caught.value.suggestions == ()


@given(st.sets(st.text("01ab", min_size=9, max_size=14), max_size=30))
def test_what_is_shown_of_an_id_names_it_alone(ids: set[str]) -> None:
    short = shorten_id(ids)
    assert set(short) == ids
    for whole, beginning in short.items():
        if beginning != whole:
            assert the_one(beginning, ids) == whole
