"""A stand-in learns while the model can't be asked; when the model's answer comes, it is as if it
had been alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factbook import Entity, Memory
from factbook.errors import ConfigError, ModelUnavailableError, ReplyRejectedError
from factbook.model.record import Alias, EntityRecord, Fact, Mention, Relation, Review, Support
from tests.support.models import Script, ScriptedExtractor, draft_entity, draft_fact, draft_relation

TEXT = "Ana works at Acme and has badge 17"
AWAY = ModelUnavailableError("the server can't be reached")


def script(
    *facts: tuple[str, str, str],
    names: Mapping[str, str] | None = None,
    links: tuple[Any, ...] = (),
) -> Script:
    kinds = names or {}
    found = dict.fromkeys(
        [
            *(each[0] for each in facts),
            *kinds,
            *(end for link in links for end in (link[0], link[2])),
        ]
    )
    return Script(
        entities=[draft_entity(name, kind=kinds.get(name, "person")) for name in found],
        facts=[draft_fact(*each) for each in facts],
        relations=[draft_relation(*each) for each in links],
    )


class Two:
    """A memory whose model is away at first, and a stand-in with a script of its own."""

    def __init__(
        self, model: Mapping[str, Script], local: Mapping[str, Script], **given: Any
    ) -> None:
        self.model = ScriptedExtractor(script=model, error=AWAY, name="model/1")
        self.local = ScriptedExtractor(script=local, name="local/1")
        ids = itertools.count()
        days = itertools.count()
        default: dict[str, Any] = {
            "extractor": self.model,
            "stand_in": self.local,
            "embedder": "none",
            "background": False,
            "clock": lambda: datetime(2026, 3, 2, tzinfo=UTC) + timedelta(minutes=next(days)),
            "new_id": lambda: f"id{next(ids):04d}",
        }
        self.memory = Memory.open(**{"url": "ram:", **default, **given})

    def model_comes(self) -> None:
        self.model.error = None
        self.memory.work(retry=True)

    def rows(self) -> set[str]:
        return rows(self.memory)


def rows(memory: Memory) -> set[str]:
    with memory._engine.store.snapshot() as snapshot:
        kinds = (EntityRecord, Alias, Mention, Fact, Relation, Support, Review)
        return {repr(row) for cls in kinds for row in snapshot.every("default", cls)}


def told(memory: Memory) -> set[tuple[str, ...]]:
    """The record without ids and times of recording."""
    with memory._engine.store.snapshot() as snapshot:
        names = {
            row.id: f"{row.name}:{row.kind}" for row in snapshot.every("default", EntityRecord)
        }
        out: set[tuple[str, ...]] = {("entity", name) for name in names.values()}
        out |= {("alias", names[a.entity_id], a.name) for a in snapshot.every("default", Alias)}
        out |= {
            ("mention", names[m.entity_id], m.text, m.message_id)
            for m in snapshot.every("default", Mention)
        }
        said = {
            f.id: (names[f.entity_id], f.attribute, f.value)
            for f in snapshot.every("default", Fact)
        }
        said |= {
            r.id: (names[r.from_id], r.label, names[r.to_id])
            for r in snapshot.every("default", Relation)
        }
        rows: list[Fact | Relation] = [
            *snapshot.every("default", Fact),
            *snapshot.every("default", Relation),
        ]
        for row in rows:
            out.add(
                (
                    "said",
                    *said[row.id],
                    row.source.message_id,
                    str(row.valid_at),
                    str(row.invalid_at),
                )
            )
        out |= {
            ("again", *said[s.record_id], s.source.message_id)
            for s in snapshot.every("default", Support)
        }
        return out


def test_the_stand_in_learns_at_once_and_the_job_shows_why_the_model_did_not() -> None:
    two = Two({TEXT: script(("Ana", "badge", "17"))}, {TEXT: script(("Ana", "badge", "17"))})
    two.memory.remember(TEXT)
    (learned,) = two.memory.wait()
    assert (learned.stand_in, learned.facts) == (True, 1)
    assert two.memory.get("Ana").attributes == {"badge": "17"}
    (job,) = two.memory.jobs()
    assert (job.state, job.attempts, job.error) == ("waiting", 1, f"ModelUnavailableError: {AWAY}")
    assert job.next_at is not None
    assert [commit.stamp.verb for commit in two.memory.log()] == ["stand_in"]


def test_it_learns_an_episode_once_however_often_the_model_fails() -> None:
    two = Two({}, {TEXT: script(("Ana", "badge", "17"))})
    two.memory.remember(TEXT)
    for _ in range(3):
        two.memory.work(retry=True)
    assert (len(two.model.seen), len(two.local.seen)) == (3, 1)
    assert len(two.memory.log()) == 1


@pytest.mark.parametrize(
    "error", [AWAY, ReplyRejectedError("no JSON"), ConfigError("no key"), ZeroDivisionError()]
)
def test_it_stands_in_whatever_the_model_fails_by(error: Exception) -> None:
    two = Two({}, {TEXT: script(("Ana", "badge", "17"))})
    two.model.error = error
    two.memory.remember(TEXT)
    two.memory.wait()
    assert two.memory.get("Ana").attributes == {"badge": "17"}


def test_what_both_say_stays_as_it_is_and_what_only_the_stand_in_said_goes() -> None:
    two = Two(
        {
            TEXT: script(
                ("Ana", "badge", "17"),
                links=(("Ana", "works_at", "Acme"),),
                names={"Acme": "organization"},
            )
        },
        {TEXT: script(("Ana", "badge", "17"), ("Ana", "mood", "glum"), ("badge", "owner", "Ana"))},
    )
    two.memory.remember(TEXT)
    two.memory.wait()
    ana, before = two.memory.get("Ana"), two.rows()
    two.model_comes()
    assert [job.state for job in two.memory.jobs()] == ["done"]
    assert two.memory.get("Ana").id == ana.id
    assert two.memory.get("Ana").attributes == {"badge": "17"}
    assert [(link.label, link.to_name) for link in two.memory.relations("Ana")] == [
        ("works_at", "Acme")
    ]
    assert {entity.name for entity in two.memory.entities()} == {"Ana", "Acme"}
    kept = before & two.rows()
    assert {row.partition("(")[0] for row in kept} == {"EntityRecord", "Fact", "Mention"}


def test_the_replacement_is_one_commit_that_undo_takes_back_bit_for_bit() -> None:
    two = Two({TEXT: script(("Ana", "badge", "18"))}, {TEXT: script(("Ana", "badge", "17"))})
    receipt = two.memory.remember(TEXT)
    two.memory.wait()
    before = two.rows()
    two.model_comes()
    assert two.memory.get("Ana").attributes == {"badge": "18"}
    assert [commit.stamp.verb for commit in two.memory.log()] == ["stand_in", "learn"]
    two.memory.undo()
    assert two.rows() == before
    two.memory.undo(3)
    two.memory.undo(receipt)
    assert two.rows() == set()


def test_a_stand_in_that_says_the_same_leaves_nothing_to_commit() -> None:
    two = Two({TEXT: script(("Ana", "badge", "17"))}, {TEXT: script(("Ana", "badge", "17"))})
    two.memory.remember(TEXT)
    two.memory.wait()
    before = two.rows()
    two.model_comes()
    assert (two.rows(), len(two.memory.log())) == (before, 1)
    assert [job.state for job in two.memory.jobs()] == ["done"]


def test_a_kind_or_identity_that_the_stand_in_took_wrongly_is_the_models() -> None:
    first, second = "Jordan is a person I know", "We flew to Jordan"
    two = Two(
        {second: script(names={"Jordan": "place"})},
        {first: script(names={"Jordan": "person"}), second: script(names={"Jordan": "person"})},
    )
    two.model.error, two.model.script = (
        None,
        {**two.model.script, first: script(names={"Jordan": "person"})},
    )
    two.memory.remember(first, session="s")
    two.memory.wait()
    two.model.error = AWAY
    two.memory.remember(second, session="s")
    two.memory.wait()
    assert len(two.memory.entities()) == 1
    two.model_comes()
    assert sorted(entity.entity_type for entity in two.memory.entities()) == ["person", "place"]
    with two.memory._engine.store.snapshot() as snapshot:
        assert len(list(snapshot.every("default", Mention))) == 2


def test_what_others_rest_on_stays() -> None:
    first, later = "Ana, Bo, Cy and Di are here", "Ana is in the choir"
    two = Two(
        {},
        {
            first: script(
                ("Ana", "badge", "17"),
                ("Bo", "badge", "4"),
                ("Cy", "badge", "5"),
                ("Di", "badge", "6"),
            )
        },
    )
    two.memory.remember(first)
    two.memory.wait()
    two.model.script = {later: script(("Ana", "badge", "17"))}
    two.model.error = None
    two.memory.remember(later)
    two.memory.wait()
    two.memory.note("Bo is kind", about=["Bo"])
    two.memory.merge("Cy", two.memory.put(Entity("Cyril", "person")).entity_ids[0])
    two.model_comes()
    assert {entity.name for entity in two.memory.entities()} >= {"Ana", "Bo"}
    (fact,) = two.memory.get("Ana").facts
    assert (fact.value, fact.count, fact.source.quote) == ("17", 1, later)
    assert two.memory.find("Cy") is not None
    assert two.memory.find("Di") is None
    assert two.memory.get("Bo").attributes == {}


def test_a_value_that_the_stand_in_closed_holds_again() -> None:
    old = "Ana lives in Porto"
    two = Two({old: script(("Ana", "home", "Porto"))}, {TEXT: script(("Ana", "home", "Acme"))})
    two.model.error = None
    two.memory.remember(old)
    two.memory.wait()
    two.model.error = AWAY
    two.memory.remember(TEXT)
    two.memory.wait()
    assert two.memory.get("Ana").attributes == {"home": "Acme"}
    two.model_comes()
    assert two.memory.get("Ana").attributes == {"home": "Porto"}
    assert len(two.memory.get("Ana").facts) == 1


def test_replaying_the_log_gives_the_same_record() -> None:
    two = Two(
        {TEXT: script(("Ana", "badge", "18"), links=(("Ana", "works_at", "Acme"),))},
        {TEXT: script(("Ana", "badge", "17"), ("Acme", "badge", "17"))},
    )
    two.memory.remember(TEXT)
    two.memory.wait()
    two.model_comes()
    with Memory.open("ram:", extractor="none", embedder="none") as copy:
        for commit in two.memory.log():
            store = copy._engine.store
            store.commit(
                "default",
                expected_version=commit.version - 1,
                changes=commit.changes,
                stamp=commit.stamp,
            )
        assert rows(copy) == two.rows()


def test_what_was_forgotten_while_the_stand_in_read_is_not_written() -> None:
    two = Two({}, {TEXT: script(("Ana", "badge", "17"))})

    class Slow(ScriptedExtractor):
        def extract(self, episodes: Any, context: Any) -> Any:
            two.memory.forget(everything=True)
            return super().extract(episodes, context)

    slow = Slow(script=two.local.script)
    slow_memory = Two({}, {}, stand_in=slow)
    two.memory = slow_memory.memory
    two.memory.remember(TEXT)
    two.memory.work()
    assert (two.rows(), two.memory.jobs()) == (set(), [])


def test_a_stand_in_that_fails_leaves_the_models_error(caplog: pytest.LogCaptureFixture) -> None:
    two = Two({}, {})
    two.local.error = ZeroDivisionError("secret words")
    two.memory.remember(TEXT)
    two.memory.wait(raises=False)
    (job,) = two.memory.jobs()
    assert job.error == f"ModelUnavailableError: {AWAY}"
    assert "ZeroDivisionError" in caplog.text
    assert "secret" not in caplog.text


def test_an_unknown_stand_in_is_refused() -> None:
    with pytest.raises(ConfigError, match="no stand-in 'magic'"):
        Memory.open("ram:", stand_in="magic")  # type: ignore[arg-type]


# --- by any drafts --------------------------------------------------------------------------------

NAMES = ("Ana", "Bo", "Acme")
KINDS = ("person", "organization", "other")
ANY = st.builds(
    lambda names, facts, links: Script(
        entities=[draft_entity(name, kind=kind) for name, kind in names.items()],
        facts=[
            draft_fact(name, attribute, value) for name, attribute, value in facts if name in names
        ],
        relations=[
            draft_relation(left, label, right)
            for left, label, right in links
            if left in names and right in names and left != right
        ],
    ),
    st.dictionaries(st.sampled_from(NAMES), st.sampled_from(KINDS)),
    st.lists(
        st.tuples(
            st.sampled_from(NAMES), st.sampled_from(["badge", "likes"]), st.sampled_from("xyz")
        ),
        max_size=3,
    ),
    st.lists(
        st.tuples(
            st.sampled_from(NAMES),
            st.sampled_from(["leads", "led", "knows"]),
            st.sampled_from(NAMES),
        ),
        max_size=3,
    ),
)
TEXTS = tuple(f"Ana met Bo at Acme, part {number}" for number in range(3))


@settings(max_examples=150, deadline=None)
@given(model=st.tuples(ANY, ANY, ANY), local=ANY, place=st.integers(0, 1))
def test_after_the_model_it_is_as_if_there_had_been_no_stand_in(
    model: tuple[Script, ...], local: Script, place: int
) -> None:
    scripts = dict(zip(TEXTS, model, strict=True))

    def play(stood: bool) -> tuple[set[tuple[str, ...]], Memory]:
        two = Two(scripts, {TEXTS[place]: local})
        for number, text in enumerate(TEXTS[: place + 1]):
            two.model.error = AWAY if stood and number == place else None
            two.memory.remember({"role": "user", "content": text, "id": text}, session="s")
            two.memory.wait()
        if stood:
            before = two.rows()
            version = len(two.memory.log())
            two.model_comes()
            after = told(two.memory)
            if len(two.memory.log()) > version:
                two.memory.undo()
                assert two.rows() == before
            return after, two.memory
        return told(two.memory), two.memory

    alone, stood_in = play(False)[0], play(True)[0]
    assert _ids_out(stood_in) == _ids_out(alone)


def _ids_out(rows: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """Message ids are made anew in each play, and so are the minutes of the clock."""
    return {tuple("" if each.startswith(("id0", "2026")) else each for each in row) for row in rows}


# --- identity -------------------------------------------------------------------------------------


def test_aliases_and_doubts_that_the_stand_in_brought_go_with_it() -> None:
    first, second = "Priya Raman is here", "Priya Ramann and Pri are one"
    two = Two(
        {first: script(names={"Priya Raman": "person"})},
        {second: Script(entities=[draft_entity("a", name="Priya Ramann", aliases=("Pri",))])},
    )
    two.model.error = None
    two.memory.remember(first)
    two.memory.wait()
    before = told(two.memory)
    two.model.error = AWAY
    two.memory.remember(second)
    two.memory.wait()
    assert told(two.memory) != before
    two.model_comes()
    assert told(two.memory) == before
    assert two.memory.reviews() == []


def test_a_doubt_that_both_raise_stays_as_it_is_and_one_that_was_decided_too() -> None:
    first, second = "Priya Raman is here", "Priya R. Rahman is here"
    names = script(names={"Priya R. Rahman": "person"})
    for decided in (False, True):
        two = Two({first: script(names={"Priya Raman": "person"}), second: names}, {second: names})
        two.model.error = None
        two.memory.remember(first)
        two.memory.wait()
        two.model.error = AWAY
        two.memory.remember(second)
        two.memory.wait()
        for review in two.memory.reviews() if decided else ():
            two.memory.decide(review, same=False)
        before = two.rows()
        two.model_comes()
        assert two.rows() == before


def test_a_person_whom_the_stand_in_gave_a_whole_name_has_the_old_one_again() -> None:
    first, second = "Priya is here", "Priya Raman is here"
    two = Two(
        {first: script(names={"Priya": "person"})},
        {second: script(names={"Priya Raman": "person"})},
    )
    two.model.error = None
    two.memory.remember(first, session="s")
    two.memory.wait()
    two.model.error = AWAY
    two.memory.remember(second, session="s")
    two.memory.wait()
    assert [entity.name for entity in two.memory.entities()] == ["Priya Raman"]
    two.model_comes()
    assert [(entity.name, entity.aliases) for entity in two.memory.entities()] == [("Priya", [])]


@pytest.mark.parametrize(
    "what", [{"name": "Zanzibar Quetzal"}, {"session": "s"}, {"everything": True}]
)
def test_forgetting_reaches_what_a_stand_in_learned_and_the_job_that_waits(
    tmp_path: Path, what: dict[str, Any]
) -> None:
    text = "Zanzibar Quetzal has badge 17"
    two = Two(
        {text: script(("Zanzibar Quetzal", "badge", "18"))},
        {
            text: script(
                ("Zanzibar Quetzal", "badge", "17"), ("Made Up", "badge", "Zanzibar Quetzal")
            )
        },
        url=tmp_path / "m.db",
    )
    two.memory.remember(text, session="s")
    two.memory.wait()
    two.memory.remember("Ana is here", session="other")
    two.memory.work(retry=True)
    two.memory.forget(**what)
    assert not any("Zanzibar" in row for row in two.rows())
    two.model_comes()
    assert not any("Zanzibar" in row for row in two.rows())
    assert {job.state for job in two.memory.jobs()} <= {"done"}
    two.memory.close()
    held = b"".join(file.read_bytes().lower() for file in tmp_path.iterdir())
    assert b"zanzibar" not in held
    assert b"quetzal" not in held
