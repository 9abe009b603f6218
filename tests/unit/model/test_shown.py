"""What people see of values: `print(entity)`, `repr(memory)`, the text of receipts."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from factbook import (
    AsyncMemory,
    Entity,
    EntityMemory,
    Event,
    KnowledgeMemory,
    Memory,
    RecalledLine,
    Receipt,
)
from factbook.facades.entity_memory.backing import Backing
from factbook.model import Dropped, Erased, Job, Learned
from factbook.model.receipt import Doubtful
from factbook.model.shown import counted, short

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_an_entity_is_told_in_a_few_lines() -> None:
    ids = count()
    with Memory.open(
        "ram:",
        extractor="none",
        embedder="none",
        background=False,
        clock=lambda: NOW,
        new_id=lambda: f"i{next(ids)}",
    ) as memory:
        memory.put(
            Entity(
                "Tom Lind",
                "person",
                {"role": "cook"},
                aliases=["Tommy"],
                description="Rows on Sundays.",
            )
        )
        memory.put(Entity("Kiln", "organization"))
        memory.relate("Tom Lind", "works_at", "Kiln")
        tom = memory.get("Tom Lind")
        lines = str(tom).splitlines()
        assert lines[:4] == [
            "Tom Lind (person), also Tommy",
            "Rows on Sundays.",
            "  role: cook",
            "  Tom Lind works_at Kiln",
        ]
        assert lines[-1].endswith(f"id {tom.id}")
        assert str(tom.facts[0]) == "role = cook (current, since 2026-03-02)"
        memory.put(Entity("Tom Lind", "person", {"role": "baker"}), standing="web")
        assert str(memory.conflicts()[0]) in {
            "Tom Lind: role is cook or baker",
            "Tom Lind: role is baker or cook",
        }
        (latest, *_) = memory.history("Tom Lind")
        assert str(latest).startswith("version 4, 2026-03-02 09:00 put by ")
        assert "role = baker" in str(latest)
    assert str(Entity("Ada")) == "Ada (other)"


def test_a_receipt_says_what_was_done() -> None:
    assert str(
        Receipt(space="ada", verb="remember", stored=2, duplicates=1, held_back=3, episode_ids=("e1",),
                masked={"password": 2, "key": 1}, skipped={"empty": 1})
    ) == (
        "remember in ada: 2 messages; 1 known already; 3 held back, forgotten before; masked: password 2, key; "
        "skipped: empty (episode e1)"
    )  # fmt: skip
    assert str(
        Receipt(space="ada", verb="put", versions=(3,), entity_ids=("a", "b"), ids=("f",))
    ) == ("put in ada: 2 entities, 1 row (version 3)")
    assert str(Receipt(space="ada", verb="note")) == "note in ada: nothing new"
    learned = Learned(
        space="ada", episode_id="e1", entities=1, facts=2, dropped={"ungrounded": 2}, stand_in=True
    )
    assert str(learned) == (
        "learned in ada from episode e1: 1 entity, 2 facts; left out: ungrounded 2; by a stand-in"
    )
    assert (
        str(Learned(space="ada", episode_id="e1")) == "learned in ada from episode e1: nothing new"
    )
    assert (
        str(Learned(space="ada", episode_id="e1", error="away"))
        == "not learned in ada from episode e1: away"
    )
    erased = Erased(
        space="ada", what="an entity", dry_run=True, counts={"facts": 1, "mentions": 0}, lines=("Tom rows",),
        pending=("backups",), reviews=("Tom and Tim",), doubtful=(Doubtful(id="d1", text="He rows", why="a pronoun"),),
    )  # fmt: skip
    assert str(erased) == (
        "an entity would be forgotten in ada: 1 fact\n- Tom rows\n? backups\nreview: Tom and Tim"
    )
    assert str(Erased(space="ada", what="a topic")) == "a topic forgotten in ada: nothing"
    assert str(erased.doubtful[0]) == "d1: He rows (a pronoun)"


def test_lines_jobs_events_and_what_was_dropped_are_told() -> None:
    line = RecalledLine(
        id="f",
        kind="fact",
        space="ada",
        text="Tom — cook",
        score=0.517,
        parts={},
        because="name 0.3",
    )
    assert str(line) == "0.52 fact Tom — cook [name 0.3]"
    out = RecalledLine(
        id="f",
        kind="fact",
        space="ada",
        text="x",
        score=0.1,
        parts={},
        because="y",
        left_out="floor",
    )
    assert str(out) == "0.10 fact x [left out: floor]"
    assert str(Dropped(reason="ungrounded", what="Zed")) == "ungrounded: Zed"
    job = Job(
        id="e1",
        space="ada",
        state="failed",
        attempts=3,
        error="away",
        created_at=NOW,
        dropped={"cut_off": 1},
    )
    assert str(job) == "job e1 in ada failed after 3 tries: away; left out: cut_off"
    event = Event(
        name="learned",
        space="ada",
        at=NOW,
        data={"episode": "e1", "ms": 3},
        texts={"query": "secret"},
    )
    assert str(event) == "2026-03-02 09:00:00 learned in ada: episode=e1, ms=3"
    assert str(Event(name="undone", space="ada", at=NOW)) == "2026-03-02 09:00:00 undone in ada"


def test_a_memory_says_where_it_lies_and_whose_it_is(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory.open(path, extractor="none", embedder="none", background=False) as memory:
        ada = memory.within("ada", reads=["team"])
        assert repr(memory) == f"Memory(SqliteStore({str(path)!r}), space='default')"
        assert repr(ada) == f"Memory(SqliteStore({str(path)!r}), space='ada', reads=['team'])"
        assert repr(AsyncMemory(ada)) == f"Async{ada!r}"
        assert (
            repr(KnowledgeMemory(memory=ada)) == f"KnowledgeMemory(SQLiteKnowledgeStore({ada!r}))"
        )
        assert repr(EntityMemory(5, memory=ada)) == (
            f"EntityMemory(0 of 5 entities, extracts by nothing, memory={Backing(ada)!r})"
        )
    with Memory.open("ram:", extractor="none", embedder="none", background=False) as memory:
        assert repr(memory) == "Memory(RamStore(), space='default')"
    knowledge = KnowledgeMemory(tmp_path / "k")
    assert repr(knowledge).startswith("KnowledgeMemory(FileKnowledgeStore('")
    assert repr(KnowledgeMemory(tmp_path, store=_Foreign())) == "KnowledgeMemory(_Foreign)"  # type: ignore[arg-type]
    em = EntityMemory(provider=lambda prompt: "[]")
    em.update([Entity("Ada")])
    assert repr(em).startswith("EntityMemory(1 of 100 entities, extracts by ")


class _Foreign:
    """A store of another library, which may show a password."""

    def __repr__(self) -> str:
        return "postgres://ada:hunter2@db"


@pytest.mark.parametrize("length", [10, 10_000, 1_000_000])
def test_nothing_that_is_shown_is_unbounded_or_forges_a_line(length: int) -> None:
    long = "a\n\x1b[31m" * length
    entity = Entity(
        long, long, {f"{n}{long}": long for n in range(30)}, aliases=[long] * 30, description=long
    )
    shown = str(entity)
    assert len(shown) < 8_000
    assert len(shown.splitlines()) < 16
    assert "\x1b" not in shown
    for value in (
        Receipt(
            space=long,
            verb="put",
            versions=tuple(range(99)),
            episode_ids=("e",) * 99,
            masked={long: 1},
        ),
        Learned(
            space=long, episode_id="e", dropped={f"{n}{long}": 1 for n in range(30)}, error=long
        ),
        Erased(
            space=long, what=long, lines=(long,) * 50, pending=(long,) * 50, reviews=(long,) * 50
        ),
        Dropped(reason="x", what=long),
        Event(name="failed", space=long, at=NOW, data={str(n): long for n in range(50)}),
    ):
        assert len(str(value)) < 8_000
        assert "\x1b" not in str(value)


def test_short_and_counted() -> None:
    assert short("a  b\n c") == "a b c"
    assert short("x" * 300, 10) == "x" * 10 + " …"
    assert counted({"entities": 1, "facts": 2, "mentions": 0}) == "1 entity, 2 facts"
