"""A memory from what was said to what is known, through the public API, on both stores."""

from __future__ import annotations

import io
import itertools
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from factbook import Entity, EntityType, Event, InputError, Memory, Message, NotFoundError
from factbook.errors import AmbiguousError, ConfigError, SpaceError
from tests.scenario.child import Badges

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Ticking:
    """A clock that goes on a minute each time it is asked."""

    def __init__(self) -> None:
        self._minutes = itertools.count()

    def __call__(self) -> datetime:
        return START + timedelta(minutes=next(self._minutes))


class Ears:
    """An observer that keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[Event] = []

    def on_event(self, event: Event) -> None:
        self.heard.append(event)


@pytest.fixture
def ears() -> Ears:
    return Ears()


@pytest.fixture(params=["ram", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path, ears: Ears) -> Iterator[Memory]:
    ids = itertools.count()
    url = "ram:" if request.param == "ram" else str(tmp_path / "m.db")
    opened = Memory.open(
        url,
        extractor=Badges(),
        embedder="none",
        observers=[ears],
        background=False,
        clock=Ticking(),
        new_id=lambda: f"id{next(ids):06d}",
    )
    with opened:
        yield opened


def learned(memory: Memory, *texts: str, session: str = "") -> None:
    memory.remember([Message(text) for text in texts], session=session)
    memory.wait()


def record(memory: Memory) -> str:
    """All that is known, as text to compare; the log and its versions apart."""
    return "\n".join(
        f"{entity.id} {entity.name} {entity.entity_type} {entity.version} {entity.attributes} {entity.aliases} "
        f"{entity.mentions} {entity.facts} {[link.relation for link in entity.links]}"
        for entity in sorted(memory.entities(include_self=True), key=lambda each: each.id)
    )


# --- learning -------------------------------------------------------------------------------------


def test_what_is_said_can_be_recalled_as_text_before_anything_is_learned(memory: Memory) -> None:
    memory.remember("Ana has badge 17")
    found = memory.recall("who has the badge?")
    assert [line.kind for line in found.lines] == ["message"]
    assert "Ana has badge 17" in str(found)


def test_what_was_learned_has_its_time_speaker_and_words(memory: Memory) -> None:
    memory.remember(
        Message("Ana has badge 17", speaker="Tom", at=START - timedelta(days=3)), session="s1"
    )
    (learning,) = memory.wait()
    assert (learning.entities, learning.facts, learning.mentions) >= (1, 1, 1)
    ana = memory.get("ana")
    (fact,) = ana.facts
    assert (ana.name, ana.entity_type, ana.attributes, ana.mentions) == (
        "Ana",
        "person",
        {"badge": "17"},
        1,
    )
    assert (fact.source.speaker, fact.source.said_at, fact.source.session, fact.quote) == (
        "Tom",
        START - timedelta(days=3),
        "s1",
        "Ana has badge 17",
    )
    assert ana.first_seen == ana.last_seen == START - timedelta(days=3)


def test_a_newer_value_closes_the_older_one_and_keeps_it(memory: Memory) -> None:
    learned(memory, "Ana has badge 17")
    learned(memory, "Ana has badge 18")
    ana = memory.get("Ana")
    assert ana.attributes == {"badge": "18"}
    assert [(fact.value, fact.state) for fact in ana.facts] == [
        ("18", "current"),
        ("17", "superseded"),
    ]


def test_saying_it_again_counts_and_makes_nothing_new(memory: Memory) -> None:
    learned(memory, "Ana has badge 17")
    learned(memory, "Ana has badge 17, as I said")
    (fact,) = memory.get("Ana").facts
    assert fact.count == 2


def test_waiting_tells_how_far_it_is(memory: Memory) -> None:
    memory.remember([f"Ana{n} has badge {n}" for n in range(40)])
    steps: list[tuple[int, int]] = []
    memory.wait(progress=lambda done, total: steps.append((done, total)))
    assert steps[-1] == (3, 3)
    assert memory.wait() == []


def test_waiting_no_longer_than_the_timeout(memory: Memory) -> None:
    memory.remember("Ana has badge 17")
    assert memory.wait(timeout=0) == []
    assert [job.state for job in memory.jobs()] == ["waiting"]


def test_a_failed_extraction_is_a_visible_job_that_can_be_tried_again(tmp_path: Path) -> None:
    class Moody(Badges):
        broken = True

        def extract(self, *args, **kwargs):
            if self.broken:
                raise ConfigError("the model is not there")
            return super().extract(*args, **kwargs)

    extractor = Moody()
    with Memory.open(
        tmp_path / "m.db", extractor=extractor, embedder="none", background=False
    ) as memory:
        memory.remember("Ana has badge 17")
        assert [bool(each.error) for each in memory.wait(raises=False)] == [True]
        (job,) = memory.jobs()
        assert (job.state, job.error) == ("failed", "ConfigError: the model is not there")
        assert memory.recall("badge").lines[0].kind == "message"
        extractor.broken = False
        assert memory.work() == 0
        assert memory.work(retry=True) == 1
        assert memory.get("Ana").attributes == {"badge": "17"}


def test_one_job_that_fails_again_does_not_keep_the_others_from_their_next_try(
    tmp_path: Path,
) -> None:
    class Picky(Badges):
        broken = True

        def extract(self, episodes, context):
            if self.broken or "Zoe" in episodes[0].messages[0].text:
                raise ConfigError("the model is not there")
            return super().extract(episodes, context)

    extractor = Picky()
    with Memory.open(
        tmp_path / "m.db", extractor=extractor, embedder="none", background=False
    ) as memory:
        for name in ("Zoe", "Ana", "Bo"):
            memory.remember(f"{name} has badge 17")
        memory.wait(raises=False)
        extractor.broken = False
        assert memory.work(retry=True) == 3
        assert [(job.state, job.attempts) for job in memory.jobs()] == [
            ("failed", 2),
            ("done", 2),
            ("done", 2),
        ]


def test_a_defect_in_an_extractor_fails_the_job_without_its_words(tmp_path: Path) -> None:
    class Broken(Badges):
        def extract(self, *args, **kwargs):
            raise ZeroDivisionError("Ana's secret")

    with Memory.open(
        tmp_path / "m.db", extractor=Broken(), embedder="none", background=False
    ) as memory:
        memory.remember("Ana has badge 17")
        memory.wait(timeout=5, raises=False)
        (job,) = memory.jobs()
        assert (job.state, job.attempts) == ("waiting", 1)
        assert re.fullmatch(r"unexpected ZeroDivisionError at tests[.\w]*:\d+", job.error)


def test_the_background_thread_learns_by_itself(tmp_path: Path) -> None:
    ears = Ears()
    with Memory.open(
        tmp_path / "m.db", extractor=Badges(), embedder="none", observers=[ears]
    ) as memory:
        memory.remember("Ana has badge 17")
        memory.wait(timeout=30)
        assert memory.get("Ana").attributes == {"badge": "17"}
    assert {"remembered", "learned"} <= {event.name for event in ears.heard}


def test_without_an_extractor_it_is_all_kept_and_found_as_text(tmp_path: Path) -> None:
    with Memory.open(tmp_path / "m.db", extractor="none", embedder="none") as memory:
        memory.remember("Ana has badge 17")
        assert memory.wait() == []
        assert memory.stats()["jobs_waiting"] == 1
        assert "badge 17" in str(memory.recall("badge"))


def test_an_observer_that_raises_disturbs_nobody(tmp_path: Path) -> None:
    class Rude:
        def on_event(self, event: Event) -> None:
            raise RuntimeError(event.name)

    ears = Ears()
    with Memory.open(
        "ram:", extractor=Badges(), embedder="none", observers=[Rude(), ears], background=False
    ) as memory:
        learned(memory, "Ana has badge 17")
    assert [event.name for event in ears.heard] == ["remembered", "extracted", "learned"]


# --- writing by hand ------------------------------------------------------------------------------


def test_an_entity_put_by_hand_is_an_upsert_by_name(memory: Memory) -> None:
    memory.put(Entity("Ana Diaz", "person", {"role": "engineer"}, aliases=["Ani"]))
    memory.put(Entity("ana diaz", "person", {"role": "lead", "city": "Lisbon"}))
    ana = memory.get("ANI")
    assert ana.name == "Ana Diaz"
    assert ana.attributes == {"city": "Lisbon", "role": "lead"}
    assert len(memory.entities()) == 1


def test_putting_back_what_was_read_changes_nothing(memory: Memory) -> None:
    memory.remember(
        [Message("Ana has badge 17", speaker="Tom"), Message("Ana has badge 18", speaker="Bo")]
    )
    memory.wait()
    ana = memory.get("Ana")
    assert len(ana.conflicts) == 1
    receipt = memory.put(ana)
    assert receipt.versions == ()
    assert memory.get("Ana") == ana


def test_relations_are_followed_both_ways_over_several_hops(memory: Memory) -> None:
    for name in ("Ana", "Bo", "Atlas", "Rust"):
        memory.put(Entity(name, "person" if len(name) < 4 else "technology"))
    memory.relate("Ana", "knows", "Bo")
    memory.relate("Bo", "works on", "Atlas")
    memory.relate("Atlas", "uses", "Rust")
    assert [(link.label, link.hops) for link in memory.neighbours("Rust", 3)] == [
        ("uses", 1),
        ("works_on", 2),
        ("knows", 3),
    ]
    assert [link.to_name for link in memory.relations("Ana")] == ["Bo"]
    assert len(memory.relations()) == 3
    with pytest.raises(InputError, match="hops are 1 to 3"):
        memory.neighbours("Rust", 4)


def test_links_that_ended_are_followed_on_request(memory: Memory) -> None:
    for name in ("Ana", "Acme", "Brightwater"):
        memory.put(Entity(name, "person" if name == "Ana" else "organization"))
    memory.relate("Ana", "works_at", "Acme")
    memory.relate("Ana", "works_at", "Brightwater")
    assert [link.to_name for link in memory.neighbours("Ana")] == ["Brightwater"]
    assert {link.to_name for link in memory.neighbours("Ana", superseded=True)} == {
        "Acme",
        "Brightwater",
    }


def test_a_note_is_linked_to_whom_it_names_and_can_be_recalled(memory: Memory) -> None:
    memory.put(Entity("Ana", "person"))
    memory.note("Ana is on leave in August", category="team", importance=0.8)
    memory.note("the vault code is changed on Mondays", about=["ana"])
    assert [line.kind for line in memory.recall("who is on leave?").lines] == ["note"]
    assert "vault" in str(memory.recall("what about Ana?"))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m: m.put(Entity(" ")), "an entity needs a name"),
        (lambda m: m.note(" "), "a note needs a text"),
        (lambda m: m.note("x", importance=2), "importance is 0 to 1"),
        (lambda m: m.relate("a", "!", "b"), "a relation needs a label"),
        (lambda m: m.register(EntityType(id="Not Snake")), "snake_case"),
        (lambda m: m.recall("x", budget=0), "a budget is at least 1"),
        (lambda m: m.forget(), "name one thing to forget"),
        (lambda m: m.forget("a", everything=True), "name one thing to forget: an"),
        (lambda m: m.undo(), "nothing to undo"),
    ],
)
def test_bad_input_is_refused_in_a_sentence_and_nothing_is_written(
    memory: Memory, call: Callable[[Memory], object], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        call(memory)
    assert memory.log() == []


def test_a_kind_of_ones_own_decides_how_values_live(memory: Memory) -> None:
    memory.register(EntityType(id="person", attributes={"badge": "set"}))
    memory.register(EntityType(id="person", attributes={"badge": "set"}))
    learned(memory, "Ana has badge 17")
    learned(memory, "Ana has badge 18")
    assert set(memory.get("Ana").attributes["badge"].split("; ")) == {"17", "18"}
    assert memory.kinds()["person"].attributes == {"badge": "set"}
    assert len([c for c in memory.log() if c.stamp.verb == "register"]) == 1


# --- identity -------------------------------------------------------------------------------------


def test_a_merge_shows_one_and_is_undone_without_a_trace(memory: Memory) -> None:
    memory.put(Entity("Ana", "person", {"badge": "17"}))
    memory.put(Entity("Dr. Diaz", "person", {"city": "Lisbon"}))
    before = record(memory)
    receipt = memory.merge("Ana", "Dr. Diaz", reason="same badge number")
    ana = memory.get("Dr. Diaz")
    assert ana.id == memory.get("Ana").id
    assert ana.attributes == {"badge": "17", "city": "Lisbon"}
    assert len(memory.entities()) == 1
    memory.undo(receipt)
    assert record(memory) == before


def test_what_is_learned_after_a_merge_lies_where_it_was_said_when_unmerged(memory: Memory) -> None:
    memory.put(Entity("Ana", "person"))
    memory.put(Entity("Bo", "person"))
    memory.merge("Ana", "Bo")
    learned(memory, "Bo has badge 18")
    memory.unmerge("Ana", "Bo")
    assert memory.get("Ana").attributes == {}
    assert memory.get("Bo").attributes == {"badge": "18"}
    with pytest.raises(InputError):
        memory.unmerge("Ana", "Bo")


def test_a_name_that_nobody_or_several_have_is_said(memory: Memory) -> None:
    with pytest.raises(NotFoundError, match="nothing is known of 'Zoe'"):
        memory.get("Zoe")
    assert memory.find("Zoe") is None
    memory.put(Entity("Jordan", "person"))
    memory.put(Entity("Jordan", "place"))
    with pytest.raises(AmbiguousError) as error:
        memory.get("Jordan")
    assert len(error.value.candidates) == 2


# --- history and undo -----------------------------------------------------------------------------


def test_undoing_what_was_learned_from_a_receipt_leaves_the_words(memory: Memory) -> None:
    receipt = memory.remember("Ana has badge 17")
    memory.wait()
    memory.undo(receipt)
    assert memory.entities() == []
    assert "badge 17" in str(memory.recall("badge"))
    with pytest.raises(InputError, match="undone already"):
        memory.undo(receipt)


def test_undoing_in_the_middle_says_what_rests_on_it_and_takes_it_along_on_request(
    memory: Memory,
) -> None:
    put = memory.put(Entity("Ana", "person", {"badge": "17"}))
    memory.put(Entity("Ana", "person", {"badge": "18"}))
    with pytest.raises(InputError, match="later changes rest on this"):
        memory.undo(put)
    memory.undo(put, cascade=True)
    assert memory.entities() == []


def test_the_latest_change_is_undone_one_after_the_other(memory: Memory) -> None:
    states = [record(memory)]
    for number in range(3):
        memory.put(Entity("Ana", "person", {"badge": str(number)}))
        states.append(record(memory))
    for state in reversed(states[:-1]):
        memory.undo()
        assert record(memory) == state


def test_history_tells_what_changed_and_the_words_it_rests_on(memory: Memory) -> None:
    learned(memory, "Ana has badge 17")
    learned(memory, "Ana has badge 18")
    latest, first = memory.history("Ana")
    assert "+ Ana (person)" in first.lines
    assert "+ Ana: badge = 17" in first.lines
    assert first.quotes == ("Ana has badge 17",)
    assert any(line.startswith("~ Ana: badge = 17, until 2026-03-02") for line in latest.lines)
    assert [entry.version for entry in memory.history()] == [2, 1]


# --- spaces ---------------------------------------------------------------------------------------


def test_no_space_sees_another_but_where_it_was_opened(memory: Memory) -> None:
    ada, bob = memory.within("ada"), memory.within("bob")
    learned(ada, "Ana has badge 17")
    learned(bob, "Ana has badge 99")
    assert "99" not in str(ada.recall("Ana's badge"))
    assert ada.get("Ana").attributes == {"badge": "17"}
    both = memory.within("ada", reads=["bob"]).recall("Ana's badge")
    assert {line.space for line in both.lines} == {"ada", "bob"}
    assert memory.spaces() == ["ada", "bob"]
    assert not memory.recall("Ana's badge")
    with pytest.raises(SpaceError):
        memory.within("a\nb")


def test_a_project_sees_its_own_lines_and_those_of_none(memory: Memory) -> None:
    memory.remember("the red door code is 1", project="red")
    memory.remember("the blue door code is 2", project="blue")
    memory.remember("the main door code is 3")
    text = str(memory.recall("which door code?", project="red"))
    assert ("code is 1" in text, "code is 2" in text, "code is 3" in text) == (True, False, True)


# --- forgetting and exchange ----------------------------------------------------------------------


def test_whom_one_forgets_is_gone_and_does_not_come_back(memory: Memory) -> None:
    memory.remember(["Ana has badge 17", "Bo has badge 18, says Ana"], session="s")
    memory.wait()
    planned = memory.forget("Ana", dry_run=True)
    assert planned.counts["facts"] == 1
    assert memory.find("Ana") is not None
    erased = memory.forget("Ana", reason="she asked")
    assert erased.pending
    assert memory.find("Ana") is None
    assert "Ana" not in str(memory.recall("badge"))
    assert memory.get("Bo").attributes == {"badge": "18"}
    assert (
        memory.remember(["Ana has badge 17", "Bo has badge 18, says Ana"], session="s").stored == 0
    )
    memory.wait()
    assert memory.find("Ana") is None


def test_a_session_a_time_or_everything_can_be_forgotten(memory: Memory) -> None:
    learned(memory, "Ana has badge 17", session="one")
    learned(memory, "Bo has badge 18", session="two")
    memory.forget(session="one")
    assert "Ana" not in str(memory.recall("badge"))
    memory.forget(until=START + timedelta(days=9))
    assert memory.stats().get("messages", 0) == 0
    memory.note("a note")
    memory.forget(ids=[memory.note("a second note").ids[0]])
    assert memory.stats()["notes"] == 1
    memory.forget(everything=True)
    assert memory.stats().get("notes", 0) == 0


def test_an_export_imported_elsewhere_is_the_same_memory(memory: Memory) -> None:
    learned(memory, "Ana has badge 17", session="one")
    memory.put(Entity("Ana", "person", {"badge": "18"}))
    memory.undo()
    file = io.StringIO()
    lines = memory.export(file)
    other = memory.within("copy")
    for _ in range(2):
        file.seek(0)
        assert other.import_(file) == lines
    assert record(other) == record(memory)
    assert [c.changes for c in other.log()] == [c.changes for c in memory.log()]
    assert other.remember("Ana has badge 17", session="one").duplicates == 1


def test_an_export_goes_into_a_file_and_a_bad_one_is_refused_with_its_line(
    memory: Memory, tmp_path: Path
) -> None:
    learned(memory, "Ana has badge 17")
    path = tmp_path / "ana.jsonl"
    memory.export(path)
    good = path.read_text().splitlines()
    other = memory.within("copy")
    for text, words in [
        ("", "the export is empty"),
        ('{"format": "other"}', "line 1: this is not an export of factbook"),
        (json.dumps({"format": "factbook", "format_version": 99}), "newer factbook"),
        ("\n".join([good[0], "{"]), "line 2: not a line of an export"),
        (
            "\n".join([good[0], good[-1].replace('"commit": 1', '"commit": 5')]),
            "can't follow version 0",
        ),
    ]:
        path.write_text(text)
        with pytest.raises(InputError, match=words):
            other.import_(path)
    with pytest.raises(InputError, match="No such file"):
        other.import_(tmp_path / "absent.jsonl")
    other.put(Entity("Zed", "person"))
    path.write_text("\n".join(good))
    with pytest.raises(InputError, match="another history"):
        other.import_(path)
