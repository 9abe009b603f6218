"""A name that fits two never makes them one, whatever the order in which the three come up."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime

import pytest

from factbook import Entity, Memory, Message
from factbook.model.draft import Draft, DraftEntity, DraftMention
from factbook.model.record import EntityRecord
from factbook.resolve.entity_match import Side, judge_pair
from factbook.resolve.name_match import check_other_names, decide_names
from factbook.resolve.verdict import Named
from tests.support.telling import Telling

NOW = datetime(2026, 3, 2, tzinfo=UTC)
BETWEEN = [
    ("Patrick Roe", "Pat Roe", "Patricia Roe"),
    ("Maximilian Wolf", "Max Wolf", "Maxine Wolf"),
    ("Mr. Berger", "Berger", "Mrs. Berger"),
    ("Mr. Sarah Chen", "Sarah Chen", "Mrs. Sarah Chen"),
    ("Abdelrahman Saleh", "Abdulrahman Saleh", "Abdulrahmon Saleh"),
]


@pytest.mark.parametrize("names", BETWEEN)
def test_two_names_that_a_third_fits_never_become_one(names: tuple[str, str, str]) -> None:
    for order, session in itertools.product(itertools.permutations(names), ("", "same")):
        with Memory.open("ram:", extractor=Telling(), embedder="none", background=False) as memory:
            for name in order:
                memory.remember(Message(f"{name} / of / {name}"), session=session or name)
                memory.wait()
            said = [{fact.value for fact in entity.facts} for entity in memory.entities()]
            assert not any({names[0], names[2]} <= values for values in said), order
            assert memory.doubts() != [], order


def test_a_short_name_that_is_told_of_one_takes_nobody_in() -> None:
    """Patricia, "Pat Roe to us", is not Patrick, who may be called so too."""

    class Told:
        name = "told/1"

        def extract(self, episodes, context):
            return [self.read(episode) for episode in episodes]

        def read(self, episode):
            [message] = episode.messages
            name = message.text.partition(",")[0]
            mention = DraftMention(message_id=message.id, start=0, end=len(name), text=name)
            aliases = ("Pat Roe",) if "Pat Roe" in message.text else ()
            row = DraftEntity(
                ref="p", name=name, kind="person", aliases=aliases, mentions=(mention,)
            )
            return Draft(episode_id=episode.id, entities=(row,))

    with Memory.open("ram:", extractor=Told(), embedder="none", background=False) as memory:
        memory.remember("Patrick Roe, our vet")
        memory.remember("Patricia Roe, Pat Roe to us")
        memory.wait()
        assert sorted(entity.name for entity in memory.entities()) == [
            "Patricia Roe",
            "Patrick Roe",
        ]
        (doubt,) = memory.doubts()
        assert doubt.evidence[-1] == "but Patricia Roe is not Patrick Roe"


def test_duplicates_with_a_name_between_them_are_asked_about_at_most() -> None:
    with Memory.open("ram:", extractor="none", embedder="none", background=False) as memory:
        memory.put(Entity("Patrick Roe", "person", aliases=["Pat Roe"]))
        memory.put(Entity("Patricia Roe", "person"))
        assert [each.verdict for each in memory.duplicates()] == ["ask"]


def test_another_name_of_its_own_speaks_against_nobody() -> None:
    def side(key: str, *names: str) -> Side:
        row = EntityRecord(id=key, name=names[0], kind="person", created_at=NOW, updated_at=NOW)
        return Side(row=row, names=names)

    married = side("a", "Anna Berger", "Anna Kim")
    assert judge_pair(married, side("b", "Dr. Anna Kim")).verdict == "merge"
    assert judge_pair(side("b", "Dr. Anna Kim"), married).verdict == "merge"
    assert (
        judge_pair(side("a", "Patrick Roe", "Pat Roe"), side("b", "Patricia Roe")).verdict == "ask"
    )


def test_what_is_called_the_same_is_the_same_whatever_else_it_is_called() -> None:
    left, right = (Named(name="Pat Roe", kind="person") for _ in range(2))
    found = decide_names(left, right)
    assert check_other_names(found, left, right, ["Patrick Roe"], ["Patricia Roe"]) is found
    short, number = Named(name="Atlas", kind="project"), Named(name="Project Atlas", kind="project")
    assert (
        check_other_names(
            decide_names(short, number), short, number, ["Atlas", "Atlas 2"], []
        ).verdict
        == "merge"
    )


@pytest.mark.parametrize("merged", [False, True])
def test_a_name_of_either_stays_where_it_was_linked_while_the_two_were_one(merged: bool) -> None:
    with Memory.open("ram:", extractor=Telling(), embedder="none", background=False) as memory:
        ids: list[str] = []
        for name in ("Tom Berger", "Tom Osei"):
            memory.remember(f"{name} / city / {name}", session="same")
            memory.wait()
            ids.append(memory.get(name).id)
        if merged:
            memory.merge(*ids)
        told = memory.remember("Tom / team / red", session="same")
        memory.wait()
        if merged:
            memory.unmerge(*ids)
        bearers = [entity.name for entity in memory.entities() if "team" in entity.attributes]
        assert (bearers, len(memory.doubts())) == ((["Tom Berger"], 0) if merged else (["Tom"], 2))
        memory.undo(told)
        assert [memory.get(key).attributes for key in ids] == [
            {"city": "Tom Berger"},
            {"city": "Tom Osei"},
        ]
        assert sorted(entity.name for entity in memory.entities()) == ["Tom Berger", "Tom Osei"]
