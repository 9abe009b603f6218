"""Recall and contexts of a part of what is known: filters, projects, several spaces, and why a line
is missing.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from inline_snapshot import snapshot

from factbook import AsyncMemory, Entity, InputError, Memory, Message
from factbook.errors import ConfigError
from factbook.model.recollection import CONTEXT_FORMATS, ContextFormat, Recollection
from factbook.recall.request import CachedEmbedder
from factbook.tools.bound import memory_tools
from tests.support.models import (
    HashEmbedder,
    Script,
    ScriptedExtractor,
    draft_entity,
    draft_fact,
    draft_relation,
)

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)

PRIYA, ATLAS, ORION = (
    draft_entity("Priya Raman"),
    draft_entity("Atlas", kind="project"),
    draft_entity("Orion", kind="project"),
)
SCRIPT = {
    "Priya Raman owns the migration of Atlas.": Script(
        entities=[PRIYA, ATLAS], relations=[draft_relation("Priya Raman", "owns", "Atlas")]
    ),
    "Priya Raman owns the migration of Orion.": Script(
        entities=[PRIYA, ORION], relations=[draft_relation("Priya Raman", "owns", "Orion")]
    ),
    "Priya Raman lives in Lisbon.": Script(entities=[PRIYA], facts=[draft_fact("Priya Raman", "home", "Lisbon")]),
    "Priya Raman lives in Porto.": Script(entities=[PRIYA], facts=[draft_fact("Priya Raman", "home", "Porto")]),
    "Priya Raman is a baker.": Script(entities=[PRIYA], facts=[draft_fact("Priya Raman", "job", "baker")]),
}  # fmt: skip


@pytest.fixture(params=["ram", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    """Ada's: of two projects and in general, in three sessions, by people and by an assistant."""
    ids = itertools.count()
    url = "ram:" if request.param == "ram" else str(tmp_path / "m.db")
    with Memory.open(
        url,
        extractor=ScriptedExtractor(script=SCRIPT),
        embedder=HashEmbedder(),
        background=False,
        clock=lambda: NOW,
        new_id=lambda: f"id{next(ids):06d}",
    ) as opened:
        mine = opened.within("ada")
        tell(
            mine,
            "Priya Raman owns the migration of Atlas.",
            day=2,
            session="monday",
            project="atlas",
        )
        tell(
            mine,
            "Priya Raman owns the migration of Orion.",
            day=3,
            session="tuesday",
            project="orion",
        )
        tell(mine, "Priya Raman lives in Lisbon.", day=4, session="friday")
        tell(mine, "Priya Raman is a baker.", day=4, session="friday", role="assistant")
        mine.wait()
        yield mine


def tell(
    memory: Memory, text: str, *, day: int, session: str = "", project: str = "", **rest: Any
) -> None:
    at = datetime(2026, 3, day, 9, tzinfo=UTC)
    given: Any = {"speaker": "Ada", **rest}
    memory.remember(Message(text, at=at, **given), session=session, project=project)


def told(found: Recollection) -> set[str]:
    """What the lines say, without heading or mark."""
    return {line.text.split("] ")[-1].split(" — ")[-1] for line in found.lines}


def texts(found: Recollection) -> str:
    return "\n".join(line.text for line in found.lines)


# --- a project ------------------------------------------------------------------------------------


def test_a_projects_recall_marks_what_is_general(memory: Memory) -> None:
    found = memory.recall("what does Priya Raman own, and where does she live?", project="atlas")
    assert str(found) == snapshot("""\
<memory about="Priya Raman" as-of="2026-06-14">
[2026-03-02] Ada: “Priya Raman owns the migration of Atlas.”
[03-04, general] Ada: “Priya Raman lives in Lisbon.” “Priya Raman is a baker.”
</memory>\
""")
    assert {(line.project, line.general) for line in found.lines} == {("atlas", False), ("", True)}
    assert all(("general" in line.text) == line.general for line in found.lines)


def test_a_recall_of_several_projects_marks_each_by_its_name(memory: Memory) -> None:
    found = memory.recall(
        "what does Priya Raman own, and where does she live?", project=["atlas", "orion"]
    )
    assert str(found) == snapshot("""\
<memory about="Priya Raman" as-of="2026-06-14">
[2026-03-02, atlas] Ada: “Priya Raman owns the migration of Atlas.”
[03-03, orion] Ada: “Priya Raman owns the migration of Orion.”
[03-04, general] Ada: “Priya Raman lives in Lisbon.” “Priya Raman is a baker.”
</memory>\
""")
    assert {line.project for line in found.lines} == {"atlas", "orion", ""}


def test_without_a_project_nothing_is_marked(memory: Memory) -> None:
    found = memory.recall("what does Priya Raman own, and where does she live?")
    assert {line.project for line in found.lines} == {"atlas", "orion", ""}
    assert not any(line.general for line in found.lines)
    assert "general" not in str(found)
    assert "atlas]" not in str(found)


def test_a_project_named_general_is_told_from_what_is_general(memory: Memory) -> None:
    memory.note("Priya Raman owns a boat", project="general")
    found = memory.recall(
        "what does Priya Raman own, and where does she live?", project=["general", "atlas"]
    )
    assert "general] Note" in str(found)
    assert "no project]" in str(found)


def test_another_projects_name_for_what_is_asked_about_is_not_told(memory: Memory) -> None:
    memory.put(Entity("Zara Quill", "person"), project="orion")
    memory.note("Zara owns the boat house", project="atlas")
    assert memory.recall("what does Zara own?").about == ("Zara Quill",)
    found = memory.recall("what does Zara own?", project="atlas", explain=True)
    assert found.about == ()
    assert "Quill" not in repr(found)


@pytest.mark.parametrize("form", CONTEXT_FORMATS)
def test_a_projects_context_marks_what_is_general_in_every_form(
    memory: Memory, form: ContextFormat
) -> None:
    memory.put(Entity("short answers", "preference", description="Ada wants short answers"))
    found = memory.context(project="atlas", format=form)
    assert "Orion" not in str(found)
    assert "general" in str(found)
    assert any(line.general for line in found.lines)
    assert found.tokens <= found.budget


def test_a_context_of_whole_entities_marks_the_parts_where_they_differ(memory: Memory) -> None:
    assert str(memory.context(project="atlas", format="entity_memory")) == snapshot("""\
<entity_memory>

### People
- **Priya Raman**: job baker (general); home Lisbon (general); owns Atlas

### Projects
- **Atlas**
</entity_memory>\
""")
    assert str(memory.context(project=["atlas", "orion"], format="known_entities")) == snapshot("""\
[Known Entities]
- Priya Raman (person): job=baker (general), home=Lisbon (general), owns=Orion (orion); Atlas (atlas)
- Orion (project, orion)
- Atlas (project, atlas)\
""")


# --- filters --------------------------------------------------------------------------------------

OWNS = "what does Priya Raman own, and where does she live?"


@pytest.mark.parametrize(
    ("filters", "there", "gone"),
    [
        ({"session": "monday"}, {"Atlas"}, {"Orion", "Lisbon", "baker"}),
        ({"session": ["monday", "tuesday"]}, {"Atlas", "Orion"}, {"Lisbon", "baker"}),
        ({"since": "2026-03-03"}, {"Orion", "Lisbon"}, {"of Atlas", "owns Atlas"}),
        ({"until": "2026-03-03"}, {"Atlas"}, {"Orion", "Lisbon", "baker"}),
        ({"since": "2026-03-03", "until": "2026-03-04"}, {"Orion"}, {"Atlas", "Lisbon", "baker"}),
        ({"project": "orion"}, {"Orion", "Lisbon"}, {"Atlas"}),
        ({"verified": True}, {"Atlas", "Orion", "Lisbon"}, {"baker"}),
    ],
)
def test_filters_hold_in_recall_and_in_every_context(
    memory: Memory, filters: dict[str, Any], there: set[str], gone: set[str]
) -> None:
    found = [
        memory.recall(OWNS, **filters),
        memory.context(OWNS, **filters),
        memory.context(**filters),
    ]
    found += [
        memory.context(asked, format=form, **filters)
        for form in CONTEXT_FORMATS
        for asked in (OWNS, None)
    ]
    for each in found:
        # Whole entities are shown with what may be said of them: a name stands in what names it.
        assert not [word for word in gone if word in str(each)], str(each)
    for each in found[:3]:
        assert all(word in str(each) for word in there), str(each)


@pytest.mark.parametrize("kind", ["message", "fact", "relation", "note", "entity"])
def test_a_kind_of_line_is_the_only_one(memory: Memory, kind: Any) -> None:
    memory.note("Priya Raman owns a boat")
    memory.put(Entity("Priya Raman", "person", description="The one who owns Atlas"))
    memory.put(
        Entity(
            "short",
            "preference",
            description="Short answers about Priya",
            attributes={"value": "Priya"},
        )
    )
    for found in (memory.recall(OWNS, kinds=kind), memory.context(OWNS, kinds=[kind])):
        assert {line.kind for line in found.lines} == {kind}


def test_what_is_less_important_is_left_out(memory: Memory) -> None:
    memory.note("Priya Raman owns a boat", importance=0.9)
    memory.put(Entity("quiet", "preference", description="Quiet boats", importance=0.2))
    for found in (
        memory.recall(OWNS, min_importance=0.8),
        memory.context(OWNS, min_importance=0.8),
    ):
        assert told(found) == {"Note: “Priya Raman owns a boat”"}
    assert memory.recall(OWNS, min_importance=0.5, kinds="message").lines


def test_what_is_disputed_is_not_verified(memory: Memory) -> None:
    assert "home Lisbon" in texts(memory.recall(OWNS, verified=True, kinds="fact"))
    tell(memory, "Priya Raman lives in Porto.", day=4, session="friday", speaker="Tom")
    memory.wait()
    assert memory.conflicts()
    assert "home UNRESOLVED" in texts(memory.recall(OWNS, kinds="fact"))
    for ask in (memory.recall, memory.context):
        assert not ask(OWNS, verified=True, kinds="fact")
        assert "lives in Porto" in texts(ask(OWNS, verified=True))  # that he said so is true


def test_what_was_made_by_hand_is_verified_and_what_a_tool_wrote_is_not(memory: Memory) -> None:
    memory.put(Entity("Priya Raman", attributes={"badge": "17"}))
    memory.put(Entity("Priya Raman", attributes={"locker": "23"}), standing="assistant")
    memory.note("Priya Raman owns a boat")
    memory.note("Priya Raman owns a kite", standing="tool")
    memory.put(Entity("brief", "preference", description="Priya wants it brief"))
    for ask in (memory.recall, memory.context):
        found = texts(
            ask("what badge, locker, boat and kite does Priya Raman own, brief?", verified=True)
        )
        assert "badge 17" in found
        assert "boat" in found
        assert "Priya wants it brief" in found
        assert "23" not in found
        assert "kite" not in found


def test_what_the_user_says_again_after_the_assistant_is_verified(memory: Memory) -> None:
    asked = "what is the job of Priya Raman?"
    assert "baker" not in str(memory.recall(asked, verified=True))
    tell(memory, "Priya Raman is a baker.", day=5, session="later")
    memory.wait()
    assert "job baker" in texts(memory.recall(asked, verified=True, kinds="fact"))


def test_a_conflict_shows_only_the_claims_that_the_filter_lets_through(memory: Memory) -> None:
    at = datetime(2026, 4, 1, tzinfo=UTC)
    script = {
        f"The deadline of Atlas is {day}.": Script(
            entities=[ATLAS], facts=[draft_fact("Atlas", "deadline", day)]
        )
        for day in ("July", "August")
    }
    with Memory.open(
        "ram:", extractor=ScriptedExtractor(script=script), embedder="none", background=False
    ) as other:
        for day, session, speaker in (("July", "monday", "Ada"), ("August", "tuesday", "Tom")):
            other.remember(
                Message(f"The deadline of Atlas is {day}.", speaker=speaker, at=at), session=session
            )
        other.wait()
        assert other.conflicts()
        both = texts(other.recall("deadline of Atlas", kinds="fact"))
        assert "July" in both
        assert "August" in both
        one = texts(other.recall("deadline of Atlas", kinds="fact", session="monday"))
        assert "UNRESOLVED: July" in one
        assert "August" not in one
        assert not other.recall("deadline of Atlas", kinds="fact", verified=True)


def test_a_context_without_a_question_finds_what_a_filter_leaves_beyond_the_latest(
    memory: Memory,
) -> None:
    for number in range(150):
        memory.put(
            Entity(f"Person {number}", "person", attributes={"badge": str(number)}),
            session="import",
        )
    for form in CONTEXT_FORMATS:
        found = memory.context(format=form, session="monday")
        assert "atlas" in str(found).lower(), form
        assert "badge" not in str(found)


def test_filters_hold_for_another_time_of_the_world_and_of_the_record(memory: Memory) -> None:
    memory.put(Entity("Priya Raman", attributes={"home": "Faro"}))
    then = memory.recall(OWNS, verified=True, kinds="fact", as_of="2026-04-01")
    assert told(then) == {"home Lisbon"}
    assert not memory.recall(OWNS, verified=True, kinds="fact", as_of="2026-02")
    before = memory.recall(OWNS, verified=True, project="atlas", recorded_as_of="2026-06-01")
    assert not before
    known = memory.recall(
        OWNS, verified=True, project="atlas", session="monday", recorded_as_of=NOW
    )
    assert {line.session for line in known.lines} == {"monday"}


def test_what_a_project_decided_is_weighed_however_many_others_decided_since(
    memory: Memory,
) -> None:
    memory.put(
        Entity("use PostgreSQL", "decision", attributes={"rationale": "we know it"}),
        project="atlas",
    )
    for number in range(30):
        memory.put(
            Entity(f"choice {number}", "decision", attributes={"rationale": "why not"}),
            project="orion",
        )
    found = memory.recall("which decisions did we make, and why?", project="atlas")
    weighed = "\n".join(line.text for line in (*found.lines, *found.near))
    assert "use PostgreSQL" in weighed
    assert "choice" not in weighed


@pytest.mark.parametrize(
    ("filters", "error"),
    [
        ({"kinds": "person"}, "kinds of lines are"),
        ({"since": "2026-03-04", "until": "2026-03-02"}, "nothing lies between them"),
        ({"min_importance": 2}, "min_importance is 0 to 1"),
        ({"verified": "yes"}, "verified is True or False"),
        ({"explain": "yes"}, "explain is True or False"),
    ],
)
def test_what_can_be_no_filter_is_refused(
    memory: Memory, filters: dict[str, Any], error: str
) -> None:
    for ask in (memory.recall, memory.context):
        with pytest.raises(InputError, match=error):
            ask("what?", **filters)


def test_an_async_memory_takes_the_same_filters(memory: Memory) -> None:
    mine = AsyncMemory(memory)
    found = asyncio.run(
        mine.recall(OWNS, project="atlas", kinds="relation", verified=True, tokenizer=len)
    )
    assert told(found) == {"owns Atlas"}
    assert found.tokens == len(str(found))


def test_a_tool_of_a_project_marks_what_is_general(memory: Memory) -> None:
    (recall,) = (tool for tool in memory_tools(memory, project="atlas") if tool.name == "recall")
    said = recall.run(query=OWNS, category="", max_results=9)
    assert "- [2026-03-04, general] Ada: “Priya Raman lives in Lisbon.”" in said
    assert "Orion" not in said
    memory.note("buy tea", category="to_do")
    memory.note("call Priya", category="to_do", project="atlas")
    said = recall.run(query="", category="to_do", max_results=9)
    assert "- [2026-06-14, general] Note: “buy tea”" in said
    assert "- [2026-06-14] Note: “call Priya”" in said


# --- several spaces -------------------------------------------------------------------------------


@pytest.fixture
def both(memory: Memory) -> Memory:
    """Ada's space with the team's open for reading."""
    team = memory.within("team")
    tell(
        team, "Priya Raman owns the migration of Orion.", day=5, session="standup", project="orion"
    )
    team.note("Priya Raman owns the pager in June", importance=0.9)
    team.put(Entity("self", attributes={"home": "Lisbon"}))
    memory.put(Entity("self", attributes={"home": "Lisbon"}))
    team.put(Entity("formal", "preference", description="The team wants it formal"))
    team.wait()
    return memory.within("ada", reads=["team"])


def test_each_line_of_another_space_is_marked_with_it(both: Memory) -> None:
    for found in (both.recall(OWNS, 2000), both.context(OWNS, 2000), both.context(budget=2000)):
        assert {line.space for line in found.lines} == {"ada", "team"}
        assert all(("team" in line.text) == (line.space == "team") for line in found.lines), texts(
            found
        )
    for form in CONTEXT_FORMATS:
        assert "team" in str(both.context(OWNS, 2000, format=form))


def test_the_user_of_another_space_is_another_one(both: Memory) -> None:
    found = both.recall("where is my home?", kinds="fact")
    assert {line.text for line in found.lines if "User" in line.text} == {
        "User — home Lisbon",
        "User (team) — home Lisbon",
    }


def test_a_mark_says_the_space_and_that_it_is_general(both: Memory) -> None:
    found = both.recall("who owns the pager in June?", project="orion")
    assert "[2026-06-14, team, general] Note: “Priya Raman owns the pager in June”" in texts(found)


@pytest.mark.parametrize(
    ("filters", "gone"),
    [
        ({"session": "standup"}, {"Atlas", "pager", "formal"}),
        ({"project": "atlas"}, {"Orion"}),
        ({"until": "2026-03-05"}, {"pager", "formal"}),
        ({"min_importance": 0.8}, {"Orion", "Atlas", "formal"}),
        ({"kinds": "note"}, {"Atlas", "Orion", "formal"}),
    ],
)
def test_filters_hold_in_every_space(both: Memory, filters: dict[str, Any], gone: set[str]) -> None:
    for found in (
        both.recall(OWNS, 2000, **filters),
        both.context(OWNS, 2000, **filters),
        both.context(**filters),
    ):
        assert not [word for word in gone if word in str(found)], str(found)


def test_a_question_is_embedded_once_however_many_spaces_are_asked() -> None:
    embedder = Counting()
    with Memory.open("ram:", extractor="none", embedder=embedder, background=False) as memory:
        for space in ("ada", "team", "guild"):
            memory.within(space).note(f"The pager is with {space}")
            memory.within(space).work()
        embedder.asked.clear()
        found = memory.within("ada", reads=["team", "guild"]).recall(
            "who has the pager?", kinds="note", explain=True
        )
        assert {line.space for line in found.lines} == {"ada", "team", "guild"}
        assert embedder.asked == ["who has the pager?"]
        once = CachedEmbedder(embedder)
        assert (once.name, once.size) == (embedder.name, embedder.size)


class Counting(HashEmbedder):
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__(16)
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        self.asked.extend(texts)
        return super().embed(texts)


def test_what_another_space_holds_changes_no_score(memory: Memory) -> None:
    alone = {line.id: (line.score, line.parts) for line in memory.recall(OWNS, 3000).lines}
    team = memory.within("team")
    for number in range(40):
        team.note(f"Priya Raman owns the migration number {number}")
    team.wait()
    both = memory.within("ada", reads=["team"]).recall(OWNS, 3000)
    mine = {
        line.id: (line.score, line.parts)
        for line in (*both.lines, *both.near)
        if line.space == "ada"
    }
    assert mine
    assert all(mine[key] == alone[key] for key in mine if key in alone)
    assert memory.within("ada").recall(OWNS, 3000).candidates < both.candidates


@pytest.mark.parametrize("budget", [150, 300, 1000])
def test_a_large_space_leaves_room_for_a_small_one(memory: Memory, budget: int) -> None:
    team = memory.within("team")
    for number in range(60):
        team.note(f"Priya Raman owns the migration of part {number}, and lives for it")
    team.wait()
    for ask in (memory.within("ada", reads=["team"]), memory.within("team", reads=["ada"])):
        found = ask.recall(OWNS, budget)
        mine = sum(line.tokens for line in found.lines if line.space == "ada")
        assert mine >= min(0.15 * budget, 60), str(found)
        assert found.tokens <= budget


def test_a_space_in_which_nothing_fits_takes_no_room_and_says_so(memory: Memory) -> None:
    team = memory.within("team")
    team.note("The printer on floor two is out of toner")
    team.wait()
    found = memory.within("ada", reads=["team"]).recall(OWNS)
    assert {line.space for line in found.lines} == {"ada"}
    (silent,) = found.silent
    assert silent.space == "team"
    assert silent.fit < silent.least


# --- why a line is missing ------------------------------------------------------------------------


def left_out(found: Recollection, why: str) -> str:
    return "\n".join(line.text for line in found.near if line.left_out == why)


def test_what_was_cut_by_the_budget_is_told(memory: Memory) -> None:
    found = memory.recall(OWNS, 60)
    assert left_out(found, "budget")
    assert not any(line.left_out for line in found.lines)
    assert all(line.left_out for line in found.near)


def test_what_is_said_already_is_told(memory: Memory) -> None:
    memory.note("Priya Raman owns the migration of Atlas.")
    memory.note("Priya Raman owns the migration of Atlas.")
    assert "Note: “Priya Raman owns the migration of Atlas.”" in left_out(
        memory.recall(OWNS), "said"
    )


def test_what_lies_below_the_floor_is_told_with_the_floor(memory: Memory) -> None:
    for number in range(30):
        memory.note(f"The printer {number} is out of toner and where is she")
    memory.note("Who owns printer toner? Priya Raman owns it")
    found = memory.recall("who owns printer toner?", 2000)
    below = [line for line in found.near if line.left_out == "floor"]
    assert all(line.score <= found.floor for line in below)
    assert all(line.score >= found.floor for line in found.lines if line.kind != "entity")


def test_silence_is_explained_by_the_best_fit(memory: Memory) -> None:
    found = memory.recall("what is the capital of Mongolia, the migration?")
    if not found:
        (silent,) = found.silent
        assert (silent.space, silent.fit < silent.least) == ("ada", True)
        assert left_out(found, "silence")
    nothing = memory.recall("quantum chromodynamics")
    assert not nothing
    assert nothing.silent[0].fit < nothing.silent[0].least


def test_what_a_filter_kept_out_is_told_only_when_asked(memory: Memory) -> None:
    plain = memory.recall(OWNS, session="monday")
    assert not left_out(plain, "filter")
    found = memory.recall(OWNS, session="monday", explain=True)
    assert str(found) == str(plain)
    assert "Lisbon" in left_out(found, "filter")
    assert "Atlas" not in left_out(found, "filter")
    found = memory.recall(OWNS, verified=True, explain=True)
    assert "baker" in left_out(found, "filter")
    narrows: list[dict[str, Any]] = [
        {"kinds": "note"},
        {"min_importance": 0.9},
        {"since": "2026-05"},
        {"until": "2026-02"},
    ]
    for narrow in narrows:
        assert left_out(memory.recall(OWNS, explain=True, **narrow), "filter")


def test_what_another_project_holds_is_not_told_whoever_asks_why(memory: Memory) -> None:
    found = memory.recall(OWNS, project="atlas", session="friday", explain=True)
    assert "Atlas" in left_out(found, "filter")
    assert not any("Orion" in line.text for line in (*found.lines, *found.near))


def test_what_holds_no_longer_is_told(memory: Memory) -> None:
    memory.put(Entity("Priya Raman", attributes={"home": "Faro"}))
    found = memory.recall("where is the home of Priya Raman?", explain=True)
    assert "home Faro" in texts(found)
    assert "formerly home Lisbon" in left_out(found, "superseded")
    assert not left_out(
        memory.recall("where is the home of Priya Raman?", explain=True, superseded=True),
        "superseded",
    )


def test_a_disputed_line_was_kept_out_of_the_verified() -> None:
    script = {
        f"The deadline of Atlas is {day}.": Script(
            entities=[ATLAS], facts=[draft_fact("Atlas", "deadline", day)]
        )
        for day in ("July", "August")
    }
    with Memory.open(
        "ram:", extractor=ScriptedExtractor(script=script), embedder="none", background=False
    ) as other:
        for day, speaker in (("July", "Ada"), ("August", "Tom")):
            other.remember(
                Message(
                    f"The deadline of Atlas is {day}.", speaker=speaker, at=NOW - timedelta(days=9)
                )
            )
        other.wait()
        found = other.recall("deadline of Atlas", kinds="fact", verified=True, explain=True)
        assert not found
        assert "UNRESOLVED" in left_out(found, "filter")


def test_a_context_explains_too(memory: Memory) -> None:
    found = memory.context(OWNS, session="monday", explain=True)
    assert "Lisbon" in left_out(found, "filter")
    assert not left_out(memory.context(session="monday", explain=True), "filter")
    small = memory.context(budget=40, format="known_entities")
    assert left_out(small, "budget")


# --- who counts -----------------------------------------------------------------------------------


def test_a_call_may_bring_its_own_tokenizer(memory: Memory) -> None:
    for ask in (memory.recall, memory.context):
        found = ask(OWNS, 200, tokenizer=len)
        assert found.tokens == len(str(found)) <= 200
    assert memory.recall(OWNS, 200).tokens < len(str(memory.recall(OWNS, 200)))
    with pytest.raises(ConfigError, match="a tokenizer is"):
        memory.recall(OWNS, tokenizer=5)  # type: ignore[arg-type]


def test_a_memory_may_be_opened_with_one(tmp_path: Path) -> None:
    with Memory.open(
        "ram:", extractor="none", embedder="none", background=False, tokenizer=str.split
    ) as memory:
        memory.note("Priya Raman owns a boat")
        found = memory.recall("who owns a boat?")
        assert found.tokens == len(str(found).split())
    with pytest.raises(ConfigError, match="can't be read"):
        Memory.open(tmp_path / "m.db", tokenizer=tmp_path / "none.json")
    assert not (tmp_path / "m.db").exists()
