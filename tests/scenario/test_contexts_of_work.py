"""Contexts that begin with an agent's working rules, and contexts that are about somebody."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from factbook import AsyncMemory, Entity, Memory
from factbook.errors import AmbiguousError, InputError, NotFoundError
from factbook.model.record import SELF
from factbook.text.token_estimate import Estimate
from tests.support.models import Script, ScriptedExtractor, draft_entity, draft_observation

NOON = datetime(2026, 5, 7, 12, tzinfo=UTC)
COUNT = Estimate().count
PYTEST = "Use `pytest -q  --tb=short`, never unittest"
VOID = "Handlers return `Promise<void>`"
QUESTION = "what does Ada keep?"


def opened(script: Mapping[str, Script] | None = None) -> Memory:
    ids = itertools.count()
    return Memory.open(
        "ram:",
        extractor=ScriptedExtractor(script=script) if script else "none",
        embedder="none",
        clock=lambda: NOON,
        new_id=lambda: f"id{next(ids):04d}",
        background=False,
    )


def at_work() -> Memory:
    memory = opened()
    memory.put(Entity("Ada Moreau", "person", {"role": "beekeeper", "likes": "tea"}))
    memory.put(Entity("Bo Estran", "person", {"role": "miller"}))
    memory.put(Entity("Atlas", "project"))
    memory.put(Entity("short answers", "preference"))
    memory.relate("Ada Moreau", "friend_of", "Bo Estran")
    memory.observe("is allergic to nuts", about="Ada Moreau", importance=0.9)
    return memory


def with_rules() -> Memory:
    memory = at_work()
    memory.observe(PYTEST, sort="rule")
    memory.observe(VOID, sort="rule", project="atlas")
    memory.observe("Squash merges only", about="Atlas", sort="rule")
    memory.observe("Tabs in Borealis", sort="rule", project="borealis")
    memory.observe("Bake at noon", about="Bo Estran", sort="rule")
    return memory


def rules_of(memory: Memory, *args: Any, **given: Any) -> list[str]:
    lines = str(memory.context(*args, **given)).splitlines()
    return [line.partition("Rule: ")[2] for line in lines if "Rule: " in line]


# --- working rules --------------------------------------------------------------------------------


def test_rules_stand_first_whole_and_with_their_code() -> None:
    with with_rules() as memory:
        lines = str(memory.context()).splitlines()
        assert lines[1] == f"Rule: {PYTEST} (2026-05-07)"
        assert lines[2].startswith("Ada Moreau (person)")
        found = memory.context()
    rule = next(line for line in found.lines if line.text.startswith("Rule"))
    assert (rule.kind, rule.because) == ("observation", "rule 1.00")


def test_a_project_s_rules_hold_there_alone_and_another_s_never() -> None:
    with with_rules() as memory:
        assert rules_of(memory) == [f"{PYTEST} (2026-05-07)"]
        found = rules_of(memory, project="atlas")
        assert set(found) == {
            f"{PYTEST} (2026-05-07)",
            f"{VOID} (2026-05-07)",
            "Squash merges only (2026-05-07)",
        }
        marked = str(memory.context(project="atlas"))
        assert f"(general) Rule: {PYTEST}" in marked
        assert "\nRule: Squash merges only" in marked
        assert "Bake at noon" not in marked
        assert len(rules_of(memory, project=["atlas", "borealis"])) == 4


def test_rules_enter_where_work_is_and_where_they_are_wanted() -> None:
    with with_rules() as memory:
        assert rules_of(memory, QUESTION) == []
        assert rules_of(memory, QUESTION, rules=True) == [f"{PYTEST} (2026-05-07)"]
        assert len(rules_of(memory, QUESTION, project="atlas")) == 3
        assert rules_of(memory, project="atlas", rules=False) == []
        assert rules_of(memory, kinds="fact") == []
        assert "Rule: " not in str(memory.recall("what do we test with pytest?"))
        with pytest.raises(InputError, match="rules is True or False"):
            memory.context(rules="yes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"question": QUESTION},
        {"project": "atlas"},
        {"question": QUESTION, "project": "atlas", "budget": 60},
        {"format": "entity_memory"},
        {"format": "known_entities", "question": QUESTION},
    ],
)
def test_without_rules_in_the_record_a_context_is_letter_for_letter_the_same(
    asked: dict[str, Any],
) -> None:
    with at_work() as memory:
        assert str(memory.context(**asked)) == str(memory.context(**asked, rules=False))
        assert str(memory.context(**asked)) == str(memory.context(**asked, rules=True))


def test_rules_have_three_tenths_of_the_budget_and_none_is_cut() -> None:
    with at_work() as memory:
        for each in range(40):
            memory.observe(f"Rule number {each} says to write test {each} first", sort="rule")
        memory.observe("word " * 300, sort="rule", importance=1.0)
        for budget in (30, 60, 120, 400, 1000):
            found = memory.context(budget=budget)
            assert found.tokens == COUNT(str(found))
            assert found.tokens <= budget
            rules = [line for line in found.lines if line.text.startswith("Rule")]
            assert sum(line.tokens for line in rules) <= 0.3 * budget
            assert all(line.text.endswith("first (2026-05-07)") for line in rules)
        assert "Ada Moreau" in str(memory.context(budget=120))


def test_rules_keep_the_order_in_which_they_were_told() -> None:
    minutes = itertools.count()
    with Memory.open(
        "ram:",
        extractor="none",
        embedder="none",
        clock=lambda: NOON + timedelta(minutes=next(minutes)),
    ) as memory:
        memory.observe("first", sort="rule", importance=0.2)
        memory.observe("second", sort="rule", importance=0.9)
        assert [each.split()[0] for each in rules_of(memory)] == ["first", "second"]
        memory.observe("third", sort="rule", importance=1.0)
        assert [each.split()[0] for each in rules_of(memory)] == ["first", "second", "third"]


def test_what_is_denied_over_hidden_or_not_the_user_s_word_is_no_rule() -> None:
    with at_work() as memory:
        memory.observe("denied", sort="rule", holds="denied")
        memory.observe("hearsay", sort="rule", holds="hearsay")
        memory.observe("over", sort="rule", expires_at=NOON - timedelta(days=1))
        memory.observe("by the page", sort="rule", standing="web")
        memory.observe("by the agent", sort="rule", standing="assistant")
        assert rules_of(memory) == []


def test_a_rule_that_was_said_enters_once_and_its_message_and_preference_not_again() -> None:
    said = "Never push to main."
    script = {
        said: Script(observations=[draft_observation("Never push to main", SELF, sort="rule")])
    }
    with opened(script) as memory:
        memory.remember(said, session="one")
        memory.remember(said, session="two")
        memory.wait()
        memory.put(Entity("never push to main", "preference"))
        text = str(memory.context("push to main?", rules=True))
    assert text.casefold().count("push to main") == 1


def test_a_rule_that_was_heard_in_talk_enters_in_work_and_where_it_is_wanted() -> None:
    said = "Never push to main."
    script = {
        said: Script(observations=[draft_observation("Never push to main", SELF, sort="rule")])
    }
    with opened(script) as memory:
        memory.remember(said, project="atlas", session="work")
        memory.remember(said, session="chat")
        memory.wait()
        assert rules_of(memory) == []
        assert rules_of(memory, rules=True) == ["Never push to main (2026-05-07)"]
        assert len(rules_of(memory, "what now?", project="atlas")) == 1


def test_rules_stand_first_in_the_other_formats_too() -> None:
    with with_rules() as memory:
        sections = str(memory.context(format="entity_memory", project="atlas"))
        assert sections.index("### Working Rules") < sections.index("### User Preferences")
        assert VOID in sections
        known = str(memory.context(format="known_entities")).splitlines()
        assert known[1] == f"- {PYTEST} (rule)"
        assert PYTEST in str(memory.context(format="semantic_memory"))


# --- about somebody -------------------------------------------------------------------------------


def test_a_profile_stands_in_the_context_and_nothing_is_told_twice() -> None:
    with at_work() as memory:
        text = str(memory.context(QUESTION, about="Ada"))
        lines = text.splitlines()
        assert lines[0] == '<memory about="Ada Moreau" as-of="2026-05-07">'
        profile = memory.profile("Ada").splitlines()
        assert lines[1 : len(profile) + 1] == profile
        assert "Preference: short answers" in lines
        for words in ("beekeeper", "tea", "friend", "allergic"):
            assert text.count(words) == 1


def test_without_a_question_the_context_is_about_them_alone() -> None:
    with at_work() as memory:
        text = str(memory.context(about="Ada Moreau"))
        assert "miller" not in text
        both = str(memory.context(about=["Ada Moreau", "Bo Estran", "ada"]))
    assert both.count("Ada Moreau (person)") == 1
    assert both.count("miller") == 1
    assert both.count("friend of") == 1


def test_profiles_share_a_budget_and_never_exceed_it() -> None:
    with with_rules() as memory:
        for name in ("Ada Moreau", "Bo Estran"):
            for each in range(30):
                memory.observe(f"owns painting {each} of the {each} masters", about=name)
        for question, budget in itertools.product((None, QUESTION), range(20, 400, 20)):
            found = memory.context(question, budget, about=["Ada Moreau", "Bo Estran"])
            assert found.tokens == COUNT(str(found))
            assert found.tokens <= budget
        text = str(memory.context(QUESTION, 1000, about=["Ada Moreau", "Bo Estran"]))
        ada, _, bo = text.partition("Bo Estran (person)\n")
        assert ada.count("painting") > 3
        assert bo.count("painting") > 3
        assert text == str(memory.context(QUESTION, 1000, about=["Ada Moreau", "Bo Estran"]))


def test_what_a_message_tells_word_for_word_is_not_told_in_the_profile() -> None:
    said = "I keep bees in Uhlm and my cellar is full of wax."
    script = {
        said: Script(
            entities=[draft_entity("Uhlm", kind="place")],
            observations=[draft_observation("I keep bees in Uhlm", SELF)],
        )
    }
    with opened(script) as memory:
        memory.remember(said)
        memory.wait()
        memory.observe("is allergic to nuts")
        assert "keep bees" in str(memory.context(about="self"))
        text = str(memory.context("what is in my cellar in Uhlm?", about="me"))
    assert "full of wax" in text
    assert text.count("keep bees") == 1
    assert "allergic" in text


def test_filters_hold_for_profiles_and_rules() -> None:
    with with_rules() as memory:
        memory.observe("paints the Atlas wall", about="Ada Moreau", project="atlas")
        memory.observe("paints the Borealis wall", about="Ada Moreau", project="borealis")
        text = str(memory.context(about="Ada Moreau", project="atlas"))
        assert "paints the Atlas wall" in text
        assert "Borealis" not in text
        assert "beekeeper (by hand, 2026-05-07) (general)" in text
        assert "allergic" not in str(memory.context(about="Ada Moreau", kinds="fact"))
        assert "beekeeper" not in str(memory.context(about="Ada Moreau", as_of="2020"))


def test_an_unknown_or_ambiguous_name_is_an_error_and_other_spaces_stay_shut() -> None:
    with at_work() as memory:
        with pytest.raises(NotFoundError, match="nothing is known of 'Nobody'"):
            memory.context(about="Nobody")
        memory.put(Entity("Ada Quist", "person"))
        with pytest.raises(AmbiguousError):
            memory.context(QUESTION, about="Ada")
        with pytest.raises(NotFoundError):
            memory.within("other").context(about="Ada Moreau")
        with pytest.raises(InputError, match="list of texts"):
            memory.context(about=7)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_whole_entities_tell_what_is_worth_knowing_of_those_asked_about() -> None:
    with at_work() as memory:
        for form in ("entity_memory", "known_entities", "semantic_memory"):
            text = str(memory.context(about="Ada Moreau", format=form))
            assert "is allergic to nuts" in text
            assert "miller" not in text
            assert "is allergic" not in str(memory.context(format=form))


def test_an_async_context_is_about_somebody_too() -> None:
    with at_work() as memory:
        found = asyncio.run(AsyncMemory(memory).context(about="Ada Moreau", rules=True))
    assert "beekeeper" in str(found)
