"""What enters a context unasked: what is well supported, whose it is, and what expires together."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from factbook import Entity, Memory
from factbook.model.change import Change
from factbook.model.kinds import BUILT_IN
from factbook.model.line import LineFilter
from factbook.model.recollection import CONTEXT_FORMATS, ContextFormat, Recollection
from factbook.model.record import EntityRecord
from factbook.recall.recollect import context
from factbook.recall.request import RecallRequest
from factbook.store.ram import RamStore
from factbook.text.token_estimate import Estimate
from tests.support import builders as b

NOW = b.at(days=10)
LATER = b.at(days=200)


@pytest.fixture
def store() -> RamStore:
    return RamStore()


def brief(
    store: RamStore,
    form: ContextFormat = "memory",
    question: str | None = None,
    now: datetime = NOW,
    **rest: Any,
) -> Recollection:
    where = LineFilter(now=now, **rest)
    with store.snapshot() as snapshot:
        request = RecallRequest(
            snapshot=snapshot,
            spaces=["ada"],
            question=question or "",
            budget=2000,
            where=where,
            kinds={kind.id: kind for kind in BUILT_IN},
            now=now,
            tokenizer=Estimate(),
            whole=True,
            form=form,
        )
        return context(request)


def learn(store: RamStore, text: str, *named: tuple[str, str, str], **rest: Any) -> dict[str, Any]:
    """Stores a message with the entities that it names (id, kind, words); returns the source of its
    statements.
    """
    message = {key: rest.pop(key) for key in ("role", "speaker", "at") if key in rest}
    said = b.message(text, **message)
    episode = b.episode(said)
    store.remember("ada", [episode])
    origin = {
        "message_id": said.id,
        "episode_id": episode.id,
        "speaker": said.speaker,
        "said_at": said.at,
    }
    with store.snapshot() as snapshot:
        there = snapshot.get("ada", EntityRecord, [key for key, _, _ in named])
    rows: list[Any] = []
    for key, kind, words in named:
        if key not in there:
            rows.append(
                b.entity(
                    key, words, kind=kind, source=b.source(**origin), **{"importance": 0.7, **rest}
                )
            )
        rows.append(b.mention(key, said, words, episode.id))
    b.commit(store, "ada", *rows)
    return origin


@pytest.mark.parametrize("form", CONTEXT_FORMATS)
def test_what_is_nobodys_complaint_does_not_enter_unasked(
    store: RamStore, form: ContextFormat
) -> None:
    learn(store, "It really brightens my day!", ("p1", "pain_point", "It really brightens my day"))
    learn(store, "Domestic abuse is horrible.", ("p2", "pain_point", "Domestic abuse is horrible"))
    learn(store, "The billing page is slow.", ("p3", "pain_point", "billing page is slow"))
    text = str(brief(store, form))
    assert "billing" in text
    assert "brighten" not in text
    assert "abuse" not in text


def test_it_enters_where_it_is_asked_for(store: RamStore) -> None:
    learn(store, "Domestic abuse is horrible.", ("p2", "pain_point", "Domestic abuse is horrible"))
    assert "abuse" in str(brief(store, question="what did she say of domestic abuse?"))


def test_what_is_said_again_and_again_is_supported(store: RamStore) -> None:
    learn(store, "Traffic is horrible.", ("p", "pain_point", "Traffic is horrible"))
    assert "Traffic" not in str(brief(store))
    learn(store, "Again: Traffic is horrible.", ("p", "pain_point", "Traffic is horrible"))
    assert "Pain point: Traffic is horrible" in str(brief(store))


@pytest.mark.parametrize("role", ["assistant", "tool"])
def test_what_the_assistant_or_a_tool_prefers_is_nobodys_preference(
    store: RamStore, role: str
) -> None:
    learn(
        store,
        "I prefer to see the bright side.",
        ("p", "preference", "see the bright side"),
        role=role,
    )
    assert "bright" not in str(brief(store))


@pytest.mark.parametrize("form", CONTEXT_FORMATS)
def test_a_preference_that_somebody_else_has_is_shown_with_their_name(
    store: RamStore, form: ContextFormat
) -> None:
    learn(
        store,
        "Maya prefers async standups.",
        ("maya", "person", "Maya"),
        ("p1", "preference", "async standups"),
    )
    learn(store, "My husband prefers window seats.", ("p2", "preference", "window seats"))
    text = str(brief(store, form))
    (line,) = [line for line in text.splitlines() if "async" in line]
    assert "Maya" in line
    assert "window" not in text


@pytest.mark.parametrize(("confidence", "enters"), [("0.2", False), ("0.3", True), ("0.9", True)])
@pytest.mark.parametrize("by", ["fact", "metadata"])
def test_what_has_a_confidence_below_a_third_does_not_enter_unasked(
    store: RamStore, confidence: str, enters: bool, by: str
) -> None:
    if by == "fact":
        b.commit(
            store,
            "ada",
            b.entity("p", "green tea", kind="preference"),
            b.fact("p", "confidence", confidence),
        )
    else:
        b.commit(
            store,
            "ada",
            b.entity("p", "green tea", kind="preference", metadata={"confidence": confidence}),
        )
    b.commit(
        store, "ada", b.note("red tea", category="preference", metadata={"confidence": confidence})
    )
    assert ("green tea" in str(brief(store))) == enters
    assert ("red tea" in str(brief(store))) == enters


def test_a_confidence_given_by_hand_outweighs_the_doubts_of_a_learned_one(store: RamStore) -> None:
    learn(store, "It sucks.", ("p", "pain_point", "It sucks"))
    assert "sucks" not in str(brief(store))
    b.commit(store, "ada", b.fact("p", "confidence", "0.9", source=b.source(standing="note")))
    assert "sucks" in str(brief(store))


@pytest.mark.parametrize("form", CONTEXT_FORMATS)
def test_a_resolved_pain_point_does_not_enter_unasked(store: RamStore, form: ContextFormat) -> None:
    b.commit(
        store,
        "ada",
        b.entity("p1", "slow login", kind="pain_point"),
        b.fact("p1", "resolved", "true"),
        b.entity("p2", "slow export", kind="pain_point", metadata={"resolved": "false"}),
        b.entity("p3", "slow search", kind="pain_point", metadata={"resolved": "true"}),
        b.note("slow start", category="pain_point", metadata={"resolved": "true"}),
    )
    text = str(brief(store, form)).replace("_", " ")
    assert "slow export" in text
    assert not any(name in text for name in ("login", "search", "start"))
    assert "login" in str(brief(store, form, "what about the slow login?"))


@pytest.mark.parametrize("form", CONTEXT_FORMATS)
def test_notes_that_are_preferences_or_pain_points_enter_every_context(
    store: RamStore, form: ContextFormat
) -> None:
    b.commit(
        store,
        "ada",
        b.note("No sugar in the tea.", category="Preference", source=b.source()),
        b.note("The lift is out of order", category="pain point"),
        b.note("Buy milk", category="todo"),
        b.note("An old wish", category="preference", expires_at=b.START),
        b.entity("same", "no sugar in the tea", kind="preference"),
    )
    for question in (None, "who is Tom Berger?"):
        text = str(brief(store, form, question)).replace("_", " ").lower()
        assert text.count("sugar in the tea") == 1
        assert "the lift is out of order" in text
        assert "milk" not in text
        assert "old wish" not in text
    asked = brief(store, form, "who takes sugar in the tea?")
    assert str(asked).replace("_", " ").lower().count("sugar in the tea") == 1
    assert "lift" not in str(brief(store, form, sessions=("s9",)))
    assert "lift" not in str(brief(store, form, kinds=("entity",)))


def test_a_note_is_a_line_of_its_own_and_told_as_a_note(store: RamStore) -> None:
    b.commit(store, "ada", b.note("No sugar in the tea.", id="n1", category="preference"))
    for form in CONTEXT_FORMATS:
        (line,) = brief(store, form).lines
        assert (line.id, line.kind, line.entity_ids) == ("n1", "note", ())
    assert "\nPreference: No sugar in the tea\n" in str(brief(store))


def test_pain_points_are_not_crowded_out_by_preferences(store: RamStore) -> None:
    b.commit(
        store, "ada", *(b.entity(f"p{n}", f"wish number {n}", kind="preference") for n in range(30))
    )
    b.commit(store, "ada", b.entity("pain", "slow login", kind="pain_point", importance=0.1))
    with store.snapshot() as snapshot:
        request = RecallRequest(
            snapshot=snapshot,
            spaces=["ada"],
            budget=200,
            where=LineFilter(now=NOW),
            kinds={kind.id: kind for kind in BUILT_IN},
            now=NOW,
            tokenizer=Estimate(),
            whole=True,
        )
        found = context(request)
    assert "slow login" in str(found)


def prefer_tables(store: RamStore) -> dict[str, Any]:
    """Ada prefers tables: a preference that shows for 180 days, a relation, a name, and a fact."""
    text = "I prefer tables over charts. I live in Bern."
    origin = learn(
        store,
        text,
        ("p", "preference", "tables over charts"),
        ("tables", "other", "tables"),
        ("bern", "place", "Bern"),
        expires_at=b.at(days=180),
    )
    b.commit(store, "ada", b.entity("self", "self"))
    quote = b.source(**origin, quote="I prefer tables over charts.")
    b.commit(
        store,
        "ada",
        b.relation("self", "prefers", "tables", id="r1", source=quote),
        b.fact("self", "likes", "tables", id="f1", source=quote),
        b.relation(
            "self", "lives_in", "bern", id="r2", source=b.source(**origin, quote="I live in Bern.")
        ),
    )
    with store.snapshot() as snapshot:
        rows = snapshot.get("ada", EntityRecord, ["tables", "bern"])
    b.commit(
        store,
        "ada",
        *(
            Change(before=row, after=replace(row, expires_at=None, kind=row.kind))
            for row in rows.values()
        ),
    )
    return origin


@pytest.mark.parametrize("form", CONTEXT_FORMATS)
@pytest.mark.parametrize("question", [None, "where does the user live, and what is liked?"])
def test_what_the_words_of_an_expired_preference_produced_expires_with_it(
    store: RamStore, form: ContextFormat, question: str | None
) -> None:
    prefer_tables(store)
    assert "tables" in str(brief(store, form))
    later = [
        line for line in str(brief(store, form, question, LATER)).splitlines() if "“" not in line
    ]
    assert not [line for line in later if "tables" in line]
    assert [line for line in later if "bern" in line.lower()] or question


def test_what_was_stated_in_other_words_as_well_stays(store: RamStore) -> None:
    prefer_tables(store)
    origin = learn(store, "I like tables.", ("tables", "other", "tables"))
    b.commit(store, "ada", b.support("r1", source=b.source(**origin, quote="I like tables.")))
    assert "prefers tables" in str(brief(store, now=LATER))
    assert "likes tables" not in str(brief(store, now=LATER))


def test_history_still_knows_what_expired() -> None:
    times = [b.START]
    with Memory.open("ram:", extractor="none", embedder="none", clock=lambda: times[0]) as memory:
        memory.put(Entity("tables over charts", "preference"))
        times[0] = LATER
        assert "tables" not in str(memory.context())
        assert memory.get("tables over charts").name == "tables over charts"


def test_no_clause_is_printed_as_whom_a_context_is_about(store: RamStore) -> None:
    clause = "It's frustrating when new things go awry so soon"
    learn(
        store, f"{clause}. Maya is here.", ("p", "pain_point", clause), ("maya", "person", "Maya")
    )
    b.commit(
        store, "ada", b.entity("o", "we never got the keys", kind="other", description="A story.")
    )
    found = brief(store, question=f"What did Maya say when {clause.lower()}?")
    assert found.about == ("Maya",)
    assert "awry" not in str(found).splitlines()[0]
    assert brief(store, question="who said we never got the keys?").about == ()
