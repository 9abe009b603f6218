"""Decisions and tasks have short names, and the clause that tells one is an observation about it."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta
from typing import Any

from factbook import Memory, Message
from factbook.model.draft import DraftMention
from factbook.model.record import SELF
from tests.support.models import Script, ScriptedExtractor, draft_entity, draft_observation

START = datetime(2026, 3, 2, tzinfo=UTC)
LONG = "switch all customer invoices to the new billing provider before the end of June"
TEXT = f"We decided to {LONG}. I'll tell Globex by Friday. FALC-7 is done."
SAID = Script(
    entities=[
        draft_entity("d1", LONG, "decision", importance=0.9),
        draft_entity("t1", "tell Globex by Friday", "task", metadata={"owner": "self"}),
        draft_entity("t2", "FALC-7", "task"),
    ],
    observations=[draft_observation(f"We decided to {LONG}", SELF, sort="decision")],
)
OTHER = f"Bo here: we {LONG}"
SAID_BY_BO = Script(entities=[draft_entity("Bo"), draft_entity("d1", LONG, "decision")])


def opened(**given: Any) -> Memory:
    ids, minutes = itertools.count(), itertools.count()
    default: dict[str, Any] = {
        "extractor": ScriptedExtractor(script={TEXT: SAID, OTHER: SAID_BY_BO}),
        "embedder": "none",
        "background": False,
        "clock": lambda: START + timedelta(minutes=next(minutes)),
        "new_id": lambda: f"id{next(ids):04d}",
    }
    memory = Memory.open("ram:", **{**default, **given})
    memory.remember([Message(TEXT, at=START)])
    memory.wait()
    return memory


def test_the_clause_that_was_kept_is_about_the_decision_too() -> None:
    with opened() as memory:
        decided = memory.get("switch all customer invoices")
        assert (decided.entity_type, decided.mentions) == ("decision", 1)
        (row,) = memory.observations(decided.id)
        assert row.text == f"We decided to {LONG}"
        assert row.entity_ids == (SELF, decided.id)
        assert row in memory.observations()


def test_where_no_clause_was_kept_its_own_words_are() -> None:
    with opened() as memory:
        (row,) = memory.observations("tell Globex by Friday")
        assert (row.text, row.sort, row.holds) == ("tell Globex by Friday", "commitment", "planned")
        assert (row.entity_ids[0], row.importance) == (SELF, 0.3)
        assert memory.observations("FALC-7") == []


def test_said_again_at_length_it_is_the_same_one_and_each_teller_has_their_words() -> None:
    with opened() as memory:
        memory.remember([Message(OTHER, at=START, speaker="Bo")])
        memory.wait()
        assert len(memory.entities(kinds=["decision"])) == 1
        decided = memory.get("switch all customer invoices")
        assert decided.mentions == 2
        assert {row.text for row in memory.observations(decided.id)} == {
            f"We decided to {LONG}",
            LONG,
        }
        assert [row.text for row in memory.observations("Bo")] == [LONG]


def test_undoing_takes_the_clause_along() -> None:
    with opened() as memory:
        memory.undo()
        assert memory.entities() == []
        assert memory.observations() == []


def test_a_forgotten_decision_takes_its_clause_along() -> None:
    with opened() as memory:
        memory.forget("switch all customer invoices")
        assert "billing" not in repr(memory.observations()) + repr(memory.log())


def test_a_draft_without_mentions_keeps_its_name() -> None:
    script = {TEXT: Script(entities=[draft_entity("d1", LONG, "decision", mentions=())])}
    unplaced = draft_entity("d1", LONG, "decision")
    mention = DraftMention(message_id="none", start=0, end=1, text="W")
    script = {TEXT: Script(entities=[draft_entity("d1", LONG, "decision", mentions=(mention,))])}
    with opened(extractor=ScriptedExtractor(script=script)) as memory:
        assert [each.name for each in memory.entities()] == [unplaced.name]
