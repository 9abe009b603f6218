"""Observations: what was said of somebody, word for word, from a draft or a hand to recall, undo and forgetting."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from factbook import Entity, Memory
from factbook.errors import InputError, ModelUnavailableError, NotFoundError
from factbook.model.record import SELF
from tests.support.models import Script, ScriptedExtractor, draft_entity, draft_observation

TEXT = "I've been doing it for five years. Ana hates olives, but her sister sold the farm"
ANA = draft_entity("Ana")
SAID = Script(
    entities=[ANA],
    observations=[
        draft_observation(
            "I've been doing it for five years",
            SELF,
            text="I've been doing it [pottery] for five years",
            importance=1.0,
        ),
        draft_observation("Ana hates olives", "Ana", SELF, sort="preference"),
        draft_observation("her sister sold the farm", "Ana", sort="event", told_by="Ana"),
    ],
)


def opened(script: Mapping[str, Script], url: str = "ram:", **given: Any) -> Memory:
    ids, minutes = itertools.count(), itertools.count()
    default: dict[str, Any] = {
        "extractor": ScriptedExtractor(script=script),
        "embedder": "none",
        "background": False,
        "clock": lambda: datetime(2026, 3, 2, tzinfo=UTC) + timedelta(minutes=next(minutes)),
        "new_id": lambda: f"id{next(ids):04d}",
    }
    return Memory.open(url, **{**default, **given})


@pytest.fixture(params=["ram", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "m.db")
    with opened({TEXT: SAID}, url) as memory:
        yield memory


def learned(memory: Memory) -> Memory:
    memory.remember(TEXT)
    (report,) = memory.wait()
    assert (report.observations, report.entities) == (3, 2)
    return memory


def texts(memory: Memory, name: str = "self", **given: Any) -> list[str]:
    return [row.text for row in memory.observations(name, **given)]


# --- from a draft ---------------------------------------------------------------------------------


def test_what_was_said_is_kept_word_for_word_with_whom_it_is_about(memory: Memory) -> None:
    learned(memory)
    first, second = memory.observations()
    assert first.text == "I've been doing it [pottery] for five years"
    assert first.source.quote == "I've been doing it for five years"
    assert (first.importance, first.source.standing) == (1.0, "user")
    assert (second.text, second.sort) == ("Ana hates olives", "preference")
    hearsay = memory.observations("Ana", sorts=["event"])[0]
    assert (hearsay.holds, hearsay.source.standing, hearsay.source.speaker) == (
        "hearsay",
        "hearsay",
        "Ana",
    )
    assert len(memory.observations("Ana", limit=1)) == 1
    with pytest.raises(NotFoundError):
        memory.observations("Nobody")


def test_the_same_episode_learned_again_brings_nothing_new(memory: Memory) -> None:
    learned(memory)
    before = texts(memory, "Ana")
    memory.remember(TEXT, session="another")
    (report,) = memory.wait()
    assert report.observations == 3  # said again, on another day: both stand with their source
    memory.undo()
    assert texts(memory, "Ana") == before


@pytest.mark.parametrize(
    ("quote", "given", "reason"),
    [
        ("Ana loves olives", {}, "ungrounded"),
        ("Ana hates olives", {"refs": ("Tom",)}, "unknown_end"),
        ("Ana hates olives", {"told_by": "Zoe"}, "ungrounded"),
        (" ", {}, "no_value"),
    ],
)
def test_what_the_text_does_not_bear_out_is_dropped_and_told(
    quote: str, given: Mapping[str, Any], reason: str
) -> None:
    said = Script(entities=[ANA], observations=[draft_observation(quote, "Ana", **given)])
    with opened({TEXT: said}) as memory:
        memory.remember(TEXT)
        (report,) = memory.wait()
        assert report.observations == 0
        assert report.dropped == {reason: 1}


def test_a_text_that_is_worded_otherwise_than_its_quote_is_not_taken() -> None:
    row = draft_observation("Ana hates olives", "Ana", text="Ana adores olives [green ones]")
    with opened({TEXT: Script(entities=[ANA], observations=[row, row])}) as memory:
        memory.remember(TEXT)
        memory.wait()
        assert texts(memory, "Ana") == ["Ana hates olives"]


def test_a_models_answer_takes_the_place_of_a_stand_ins() -> None:
    model = ScriptedExtractor(
        script={
            TEXT: Script(
                entities=[ANA],
                observations=[draft_observation("Ana hates olives", "Ana", importance=0.9)],
            )
        },
        error=ModelUnavailableError("away"),
        name="model/1",
    )
    local = ScriptedExtractor(script={TEXT: SAID}, name="local/1")
    with opened({}, extractor=model, stand_in=local) as memory:
        memory.remember(TEXT)
        memory.wait(raises=False)
        old = {row.text: row.id for row in memory.observations("Ana")}
        assert len(old) == 2
        model.error = None
        memory.work(retry=True)
        (row,) = memory.observations("Ana")
        assert (row.text, row.importance) == ("Ana hates olives", 0.9)
        assert row.id == old["Ana hates olives"]


# --- by hand --------------------------------------------------------------------------------------


def test_an_observation_by_hand_is_found_and_shown_on_the_card_of_whom_it_is_about(
    memory: Memory,
) -> None:
    learned(memory)
    memory.observe("only drinks oat milk", about="Ana", sort="preference", importance=0.9)
    assert "Ana (person) — “only drinks oat milk” (2026-03-02)" in str(memory.recall("oat milk?"))
    (line,) = [each for each in memory.recall("oat milk?").lines if each.kind == "observation"]
    assert line.id == memory.observations("Ana", limit=1)[0].id
    assert not memory.recall("oat milk?", kinds="message").lines


def test_written_again_it_is_another_version_of_the_same(memory: Memory) -> None:
    first = memory.observe("Use pytest, never unittest", sort="rule", metadata={"by": "Ana"})
    again = memory.observe("use pytest,  never unittest", sort="rule", importance=1.0)
    assert first.ids == again.ids
    (row,) = memory.observations()
    assert (row.version, row.importance, row.metadata) == (2, 1.0, {"by": "Ana"})
    memory.undo(again)
    assert [(row.version, row.importance) for row in memory.observations()] == [(1, 0.5)]


def test_one_that_has_expired_is_told_no_more(memory: Memory) -> None:
    memory.observe("is on leave", expires_at=datetime(2026, 3, 1, tzinfo=UTC))
    assert texts(memory) == []
    assert texts(memory, expired=True) == ["is on leave"]
    assert not memory.recall("leave").lines


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": " "},
        {"text": 7},
        {"text": "x", "sort": "thought"},
        {"text": "x", "holds": "perhaps"},
        {"text": "x", "importance": 2},
        {"text": "x", "about": [7]},
        {"text": "x", "metadata": ["a"]},
        {"text": "x", "expires_at": "tomorrow"},
    ],
)
def test_what_is_no_observation_is_refused_and_nothing_written(
    memory: Memory, wrong: Mapping[str, Any]
) -> None:
    with pytest.raises(InputError):
        memory.observe(**wrong)
    assert memory.log() == []


def test_secrets_are_masked_before_they_are_written(memory: Memory) -> None:
    receipt = memory.observe("my api key is sk-proj-4Tq9vXw2LmZ8rBn5KcYhJdEa7Gs1PfUo")
    assert receipt.masked
    assert "sk-proj" not in repr(memory.log())


# --- what must always hold ------------------------------------------------------------------------


def test_undoing_gives_back_the_same_record(memory: Memory) -> None:
    learned(memory)
    before = memory.observations("Ana"), memory.observations()
    memory.undo(memory.observe("has two cats", about="Ana"))
    assert (memory.observations("Ana"), memory.observations()) == before
    assert [line for entry in memory.history("Ana") for line in entry.lines if "cats" in line]


def test_one_made_by_an_earlier_commit_rests_on_its_entity(memory: Memory) -> None:
    learned(memory)
    memory.observe("has two cats", about="Ana")
    assert [each.version for each in memory.foresee_undo(1).resting] == [2]


def test_a_forgotten_entity_takes_what_was_said_of_it_along(memory: Memory) -> None:
    learned(memory)
    memory.observe("has two cats", about="Ana")
    memory.observe("met Ana in Rome", about=["self", "Ana"])
    memory.forget("Ana")
    assert not any("Ana" in text for text in texts(memory))
    assert "cats" not in repr(memory.log())
    assert "olives" not in repr(memory.log())


def test_a_single_observation_is_forgotten_by_its_id(memory: Memory) -> None:
    (row_id,) = memory.observe("owes the bank 4,000", importance=0.9).ids
    erased = memory.forget(ids=[row_id])
    assert erased.counts == {"observations": 1, "commits": 1}
    assert texts(memory) == []
    assert "bank" not in repr(memory.log())


def test_a_topic_takes_observations_by_hand_too(memory: Memory) -> None:
    memory.observe("owes the bank 4,000")
    memory.observe("likes tea")
    memory.forget(topic="bank")
    assert texts(memory) == ["likes tea"]


def test_an_export_brings_them_to_another_memory(memory: Memory) -> None:
    learned(memory)
    memory.observe("has two cats", about="Ana")
    out = io.StringIO()
    memory.export(out)
    with opened({}) as other:
        other.import_(io.StringIO(out.getvalue()))
        assert other.observations("Ana") == memory.observations("Ana")


def test_merged_entities_share_what_was_said_of_them(memory: Memory) -> None:
    learned(memory)
    memory.put(Entity("Anna Silva", "person"))
    memory.observe("has two cats", about="Anna Silva")
    memory.merge("Ana", "Anna Silva")
    assert {"has two cats", "Ana hates olives"} <= set(texts(memory, "Ana"))
