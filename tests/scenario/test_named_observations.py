"""Preferences and pain points are observations: put, listed and linked as the entities that they
were, migrated by one commit, and undone, forgotten and exported like every row.
"""

from __future__ import annotations

import io
import itertools
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from factbook import Entity, Memory, Message
from factbook.errors import InputError, ModelUnavailableError
from factbook.memory.exchange import export_space
from factbook.model.change import Change, Stamp
from factbook.model.record import SELF, EntityRecord, Fact, Mention, Observation, Relation
from factbook.model.source import Source
from factbook.ports.store import Store
from factbook.store import open_store
from factbook.store.ram import RamStore
from tests.support.dumps import dumped, replay
from tests.support.models import (
    HashEmbedder,
    Script,
    ScriptedExtractor,
    draft_entity,
    draft_observation,
)
from tests.support.older_files import lower

START = datetime(2026, 3, 2, tzinfo=UTC)
TEXT = "Please always answer in short lists, Ana hates prose. The wifi drops every day."
SHORT = draft_entity(
    "p1", "answer in short lists", "preference", importance=0.9, metadata={"confidence": "0.9"}
)
WIFI = draft_entity("p2", "wifi drops every day", "pain_point", metadata={"severity": "high"})
SAID = Script(
    entities=[draft_entity("Ana"), SHORT, WIFI],
    observations=[
        draft_observation("always answer in short lists", SELF, sort="rule", importance=0.7),
        draft_observation("Ana hates prose", "Ana", sort="preference"),
        draft_observation("The wifi drops every day", SELF, sort="complaint"),
    ],
)
AGAIN = "As I said: answer in short lists."
SAID_AGAIN = Script(
    entities=[SHORT],
    observations=[draft_observation("answer in short lists", SELF, sort="rule")],
)
OURS = "Prose takes us so long to read."
SAID_OF_US = Script(
    entities=[
        draft_entity("Ana"),
        draft_entity("p3", "Prose takes us so long to read", "pain_point"),
    ],
    observations=[draft_observation("Prose takes us so long to read", "Ana", sort="complaint")],
)
LONGER = "Again: answer in short lists, as my doctor says."
SAID_LONGER = Script(
    entities=[SHORT],
    observations=[draft_observation("answer in short lists, as my doctor says", SELF, sort="rule")],
)
SCRIPT = {TEXT: SAID, AGAIN: SAID_AGAIN, OURS: SAID_OF_US, LONGER: SAID_LONGER}


def opened(url: str = "ram:", **given: Any) -> Memory:
    ids, minutes = itertools.count(), itertools.count()
    default: dict[str, Any] = {
        "extractor": ScriptedExtractor(script=SCRIPT),
        "embedder": HashEmbedder(),
        "background": False,
        "clock": lambda: START + timedelta(minutes=next(minutes)),
        "new_id": lambda: f"id{next(ids):04d}",
    }
    return Memory.open(url, **{**default, **given})


@pytest.fixture(params=["ram", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "m.db")
    with opened(url) as memory:
        yield memory
        assert memory._engine.store.check() == []


def rows(memory: Memory) -> Any:
    return dumped(memory._engine.store, memory.space)


def logged(memory: Memory) -> list[type]:
    every = (change for commit in memory.log() for change in commit.changes)
    return [type(change.after or change.before) for change in every]


def told(memory: Memory, text: str = TEXT, speaker: str = "", session: str = "") -> Memory:
    memory.remember([Message(text, at=START, speaker=speaker)], session=session)
    memory.wait()
    return memory


# --- by hand --------------------------------------------------------------------------------------


def test_a_preference_that_is_put_is_an_observation_and_read_as_it_was(memory: Memory) -> None:
    given = Entity(
        "short answers",
        "Preference",
        description="Ada wants answers of at most two lines.",
        attributes={"category": "communication"},
        importance=0.9,
        metadata={"ticket": "T-1"},
    )
    receipt = memory.put(given)
    assert EntityRecord not in logged(memory)
    (row,) = memory.observations()
    assert (row.id,) == receipt.entity_ids
    assert (row.name, row.sort, row.text) == (
        "short answers",
        "preference",
        "Ada wants answers of at most two lines.",
    )
    assert (row.metadata, row.expires_at) == (
        {"ticket": "T-1"},
        START.replace(minute=row.created_at.minute) + timedelta(days=180),
    )
    found = memory.get("short answers")
    assert (found.id, found.entity_type, found.description) == (
        row.id,
        "Preference",
        given.description,
    )
    assert found.attributes == {"category": "communication"}
    assert [each.name for each in memory.entities(kinds=["preference"])] == ["short answers"]
    assert "short answers" in str(memory.context())


def test_put_again_it_is_another_version_and_a_value_ends_the_one_before(memory: Memory) -> None:
    memory.put(Entity("slow builds", "pain_point", attributes={"severity": "low"}))
    memory.put(
        Entity(
            "slow builds",
            "pain_point",
            {"severity": "high"},
            description="They take an hour.",
        )
    )
    (row,) = memory.observations(sorts=["complaint"])
    assert (row.version, row.text) == (2, "They take an hour.")
    found = memory.get("slow builds")
    assert (found.version, found.attributes) == (2, {"severity": "high"})
    assert {each.value for each in found.facts} == {"low", "high"}


def test_it_may_be_an_end_of_a_relation_and_gets_other_names(memory: Memory) -> None:
    memory.put(Entity("Ana", "person"))
    memory.put(Entity("slow builds", "pain_point", aliases=["hour-long builds"]))
    memory.relate("Ana", "reported", "hour-long builds")
    memory.rename("slow builds", "builds of an hour")
    assert memory.relations("Ana")[0].to_name == "builds of an hour"
    (row,) = memory.observations()
    assert (row.name, row.text) == ("builds of an hour", "builds of an hour")


def test_what_is_of_an_open_kind_becomes_one_when_its_kind_is_told(memory: Memory) -> None:
    memory.put(Entity("short answers"))
    before = rows(memory)
    memory.put(Entity("short answers", "preference"))
    assert [each.name for each in memory.observations()] == ["short answers"]
    assert memory.get("short answers").entity_type == "preference"
    memory.undo()
    assert rows(memory) == before


# --- from what was said ---------------------------------------------------------------------------


def test_what_is_learned_stands_once_in_the_words_of_its_clause(memory: Memory) -> None:
    told(memory)
    found = {row.name: row for row in memory.observations()}
    assert found.keys() == {"answer in short lists", "wifi drops every day"}
    short = found["answer in short lists"]
    assert (short.text, short.sort) == ("always answer in short lists", "rule")
    assert (short.importance, short.metadata) == (0.9, {"confidence": "0.9"})
    assert short.source.quote == "always answer in short lists"
    assert found["wifi drops every day"].sort == "complaint"
    assert [row.text for row in memory.observations("Ana")] == ["Ana hates prose"]
    assert memory.get("answer in short lists").entity_type == "preference"
    assert {each.name for each in memory.entities(kinds=["pain_point"])} == {"wifi drops every day"}


def test_said_again_it_is_the_same_one_with_another_mention(memory: Memory) -> None:
    told(told(memory), AGAIN)
    assert len(memory.observations()) == 2
    assert memory.get("answer in short lists").mentions == 2


def test_said_again_at_length_it_stands_beside_it_with_its_date(memory: Memory) -> None:
    told(told(memory), LONGER)
    assert [row.text for row in memory.observations(sorts=["rule"])] == [
        "always answer in short lists",
        "answer in short lists, as my doctor says",
    ]


def test_it_is_about_who_said_it(memory: Memory) -> None:
    told(told(memory), OURS, speaker="Ana")
    (row,) = memory.observations("Ana", sorts=["complaint"])
    assert (row.name, row.source.quote) == ("Prose takes us so long to read",) * 2
    assert len(memory.observations()) == 2


def test_a_models_answer_takes_the_place_of_a_stand_ins() -> None:
    model = ScriptedExtractor(
        script={TEXT: Script(entities=[SHORT])}, error=ModelUnavailableError("away"), name="m/1"
    )
    local = ScriptedExtractor(script=SCRIPT, name="local/1")
    with opened(extractor=model, stand_in=local) as memory:
        memory.remember(TEXT)
        memory.wait(raises=False)
        old = {row.name: row.id for row in memory.observations()}
        assert len(old) == 2
        model.error = None
        memory.work(retry=True)
        (row,) = memory.observations()
        assert (row.name, row.id) == ("answer in short lists", old["answer in short lists"])


# --- what must always hold ------------------------------------------------------------------------


def test_undoing_gives_back_the_same_record(memory: Memory) -> None:
    told(memory)
    before = rows(memory)
    memory.undo(memory.put(Entity("answer in short lists", "preference", description="no prose")))
    assert rows(memory) == before
    memory.undo(memory.put(Entity("slow builds", "pain_point", attributes={"severity": "low"})))
    assert rows(memory) == before
    assert [line for each in memory.history("slow builds") for line in each.lines][-2:] == [
        "+ slow builds (pain_point)",
        "+ slow builds: severity = low",
    ]


def test_what_hangs_on_it_rests_on_the_commit_that_made_it(memory: Memory) -> None:
    memory.put(Entity("slow builds", "pain_point"))
    memory.put(Entity("Ana", "person"))
    memory.relate("Ana", "reported", "slow builds")
    assert [each.version for each in memory.foresee_undo(1).resting] == [3]


def test_replaying_the_log_gives_the_same_record(memory: Memory) -> None:
    told(memory)
    memory.put(Entity("slow builds", "pain_point"))
    memory.forget("slow builds")
    target = RamStore()
    replay(memory._engine.store, target, memory.space)
    assert dumped(target, memory.space) == rows(memory)


def test_as_it_was_recorded_then(memory: Memory) -> None:
    memory.put(Entity("short answers", "preference", description="one line"))
    then = memory.log()[-1].stamp.at
    memory.put(Entity("short answers", "preference", description="two lines"))
    assert memory.get("short answers", recorded_as_of=then).description == "one line"


@pytest.mark.parametrize("way", ["name", "id", "topic", "message"])
def test_a_forgotten_one_leaves_no_word(memory: Memory, way: str) -> None:
    told(memory, session="first")
    (row,) = memory.observations(sorts=["complaint"])
    match way:
        case "name":
            memory.forget("wifi drops every day")
        case "id":
            memory.forget(ids=[row.id])
        case "topic":
            memory.forget(topic="wifi")
        case _:
            memory.forget(session="first")
    assert "wifi" not in repr(rows(memory)) + repr(memory.log())
    assert memory.find("wifi drops every day") is None
    target = RamStore()
    replay(memory._engine.store, target, memory.space)
    assert dumped(target, memory.space) == rows(memory)


def test_a_forgotten_person_takes_what_they_want_along(memory: Memory) -> None:
    told(memory, OURS, speaker="Ana")
    memory.put(Entity("slow builds", "pain_point"))
    memory.relate("Ana", "reported", "slow builds")
    memory.forget("Ana")
    assert [row.name for row in memory.observations()] == ["slow builds"]
    assert memory.find("Prose takes us so long to read") is None
    assert "rose" not in repr(rows(memory)) + repr(memory.log())


def test_one_that_others_say_too_stays_without_the_words_that_go(memory: Memory) -> None:
    told(told(memory, session="first"), AGAIN, session="second")
    memory.forget(session="first")
    (row,) = memory.observations()
    assert (row.name, row.text) == ("answer in short lists", "answer in short lists")
    assert "always" not in repr(rows(memory)) + repr(memory.log())


def test_an_export_brings_it_to_another_memory(memory: Memory) -> None:
    told(memory)
    memory.put(Entity("slow builds", "pain_point", attributes={"severity": "low"}))
    out = io.StringIO()
    memory.export(out)
    with opened() as other:
        other.import_(io.StringIO(out.getvalue()))
        other.import_(io.StringIO(out.getvalue()))
        assert rows(other) == rows(memory)


# --- from earlier versions ------------------------------------------------------------------------


def older_commits() -> list[list[Change]]:
    """What an earlier version wrote: entities of these kinds, with what hangs on them."""
    said = Source(speaker="Ana", said_at=START, episode_id="e1", message_id="m1")

    def made(key: str, name: str, kind: str, source: Source = said, **rest: Any) -> EntityRecord:
        return EntityRecord(
            id=key, name=name, kind=kind, created_at=START, updated_at=START, source=source, **rest
        )

    by_hand = Source(standing="note")
    short = made("p1", "short answers", "preference", by_hand, description="At most two lines.")
    wifi = made("w1", "wifi drops", "pain_point", metadata={"severity": "high"}, version=3)
    mention = Mention(
        id="n1",
        entity_id="w1",
        episode_id="e1",
        message_id="m1",
        start=0,
        end=10,
        text="wifi drops",
        at=START,
    )
    told_of = Relation(id="r1", from_id="a1", label="reported", to_id="w1", created_at=START)
    share = Fact(id="f1", entity_id="p1", attribute="confidence", value="0.9", created_at=START)
    return [
        [Change(after=made("a1", "Ana", "person"))],
        [Change(after=short), Change(after=share)],
        [Change(after=wifi), Change(after=mention), Change(after=told_of)],
    ]


def write_older(store: Store) -> None:
    for version, changes in enumerate(older_commits()):
        stamp = Stamp(at=START + timedelta(minutes=version))
        store.commit("default", expected_version=version, changes=changes, stamp=stamp)


def older_file(path: Path) -> None:
    with closing(open_store(str(path))) as store:
        write_older(store)
    with closing(sqlite3.connect(path)) as con:
        lower(con, 10)


def older_export() -> io.StringIO:
    out, store = io.StringIO(), RamStore()
    write_older(store)
    with store.snapshot() as snapshot:
        export_space(snapshot, "default", out)
    return io.StringIO(out.getvalue())


@pytest.fixture(params=["file", "export"])
def converted(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    path = tmp_path / "old.db"
    if request.param == "file":
        older_file(path)
    with opened(str(path)) as memory:
        if request.param == "export":
            memory.import_(older_export())
        yield memory
        assert memory._engine.store.check() == []


def test_an_earlier_memory_is_converted_by_one_commit_that_keeps_its_log(converted: Memory) -> None:
    log = converted.log()
    assert [list(commit.changes) for commit in log[:3]] == older_commits()
    assert [(commit.version, commit.stamp.verb) for commit in log[3:]] == [(4, "convert")]
    assert [
        (type(change.after or change.before), (change.after or change.before).id)  # type: ignore[union-attr]
        for change in log[3].changes
    ] == [(EntityRecord, "p1"), (Observation, "p1"), (EntityRecord, "w1"), (Observation, "w1")]
    short = converted.get("short answers")
    assert (short.id, short.attributes, short.description) == (
        "p1",
        {"confidence": "0.9"},
        "At most two lines.",
    )
    wifi = converted.get("wifi drops")
    assert (wifi.id, wifi.version, wifi.mentions) == ("w1", 3, 1)
    assert [link.from_name for link in wifi.links] == ["Ana"]
    assert [row.id for row in converted.observations()] == ["p1"]
    assert [row.id for row in converted.observations("Ana")] == ["w1"]


def test_converted_once_it_stays_so(converted: Memory, tmp_path: Path) -> None:
    before = rows(converted)
    with opened(str(tmp_path / "old.db")) as memory:
        assert (rows(memory), len(memory.log())) == (before, 4)


def test_undoing_an_older_commit_lists_the_conversion(converted: Memory) -> None:
    assert [each.version for each in converted.foresee_undo(3).resting] == [4]
    with pytest.raises(InputError, match="versions 4"):
        converted.undo(3)
    converted.undo(3, cascade=True)
    assert converted.find("wifi drops") is None
    assert converted.get("short answers").id == "p1"
    assert [row.name for row in converted.observations()] == []
    converted.put(Entity("short answers", "preference", description="One line."))
    assert [row.text for row in converted.observations()] == ["One line."]


def test_the_conversion_itself_is_undone_bit_for_bit(converted: Memory) -> None:
    converted.undo(4)
    every = [change.after for changes in older_commits() for change in changes]
    assert rows(converted) == sorted(every, key=lambda row: rows(converted).index(row))
    converted.undo()  # the undoing before is no change of its own: the latest is taken back
    assert converted.find("wifi drops") is None


def test_undo_takes_back_what_somebody_did_before_the_conversion(converted: Memory) -> None:
    assert [each.version for each in converted.foresee_undo().entries] == [3]


def test_an_export_of_a_converted_memory_is_imported_as_it_is(converted: Memory) -> None:
    out = io.StringIO()
    converted.export(out)
    assert [json.loads(line).get("commit") for line in out.getvalue().splitlines()][-1] == 4
    with opened() as other:
        other.import_(io.StringIO(out.getvalue()))
        assert (rows(other), len(other.log())) == (rows(converted), 4)
