"""Recall and contexts over a store: what is said, why, and within which budget."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from factbook.errors import ConfigError
from factbook.model.kinds import BUILT_IN
from factbook.model.line import LineFilter
from factbook.model.recollection import Recollection
from factbook.model.record import SELF
from factbook.ports.models import Embedder, Tokenizer
from factbook.ports.store import Vectors
from factbook.recall.recollect import context, recall
from factbook.recall.request import RecallRequest
from factbook.recall.weights import DEFAULT, Weights
from factbook.store.ram import RamStore
from factbook.text.token_estimate import Estimate
from tests.support import builders as b

KINDS = {kind.id: kind for kind in BUILT_IN}
NOW = b.at(days=40)


class Letters:
    """Counts letters: a tokenizer unlike any estimate."""

    def count(self, text: str) -> int:
        return len(text)


class Words:
    """Counts white-space words."""

    def count(self, text: str) -> int:
        return len(text.split())


class Meanings:
    """An embedder that knows a few meanings: a text's vector points to the first whose words it
    holds.
    """

    name = "meanings/1"

    def __init__(self, *meanings: str) -> None:
        self.meanings = [set(meaning.split()) for meaning in meanings]
        self.size = len(meanings) + 1
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        import array

        self.asked.extend(texts)
        out: list[bytes] = []
        for text in texts:
            held = set(re.findall(r"\w+", text.lower()))
            numbers = [1.0 if held & meaning else 0.0 for meaning in self.meanings] + [0.0]
            length = sum(numbers) ** 0.5
            if not length:
                numbers[-1] = length = 1.0
            out.append(array.array("f", [number / length for number in numbers]).tobytes())
        return out


def ask(store: RamStore, question: str, *spaces: str, **rest: Any) -> Recollection:
    with store.snapshot() as snapshot:
        request = RecallRequest(
            snapshot=snapshot, spaces=spaces or ("ada",), question=question, **_defaults(rest)
        )
        return recall(request)


def brief(store: RamStore, question: str | None = None, *spaces: str, **rest: Any) -> Recollection:
    with store.snapshot() as snapshot:
        request = RecallRequest(
            snapshot=snapshot,
            spaces=spaces or ("ada",),
            question=question or "",
            whole=True,
            **_defaults(rest),
        )
        return context(request)


def _defaults(rest: Mapping[str, Any]) -> Any:
    tokenizer: Tokenizer = Estimate()
    embedder: Embedder | None = None
    now: datetime = NOW
    weights: Weights = DEFAULT
    default = {
        "budget": 300,
        "where": LineFilter(now=now),
        "embedder": embedder,
        "tokenizer": tokenizer,
    }
    return {**default, "kinds": KINDS, "now": now, "weights": weights, **rest}


def chat(*texts: str, **rest: Any) -> Any:
    """An episode of messages by Ada and Tom in turn."""
    told = [
        b.message(
            text, speaker=("Ada Lind", "Tom Berger")[number % 2], at=b.at(number), id=f"m{number}"
        )
        for number, text in enumerate(texts)
    ]
    return b.episode(*told, **{"session": "monday", **rest})


@pytest.fixture
def store() -> RamStore:
    return RamStore()


@pytest.fixture
def office(store: RamStore) -> RamStore:
    """A small office: a project that changes hands, a conflict, a preference."""
    store.remember(
        "ada",
        [
            chat(
                "Who takes over the migration?",
                "Priya will own the migration, I am moving to billing.",
                "Good. The deadline of Atlas is July 1.",
                "We can't make July, August 15 is realistic.",
                "Lunch at the new ramen place?",
            )
        ],
    )
    said = b.source(
        message_id="m1",
        speaker="Tom Berger",
        quote="Priya will own the migration",
        session="monday",
    )
    b.commit(
        store,
        "ada",
        b.entity("atlas", "Project Atlas", kind="project", description="The move to PostgreSQL."),
        b.entity("priya", "Priya Raman", importance=0.9),
        b.entity("tom", "Tom Berger"),
        b.entity(
            "short",
            "short answers",
            kind="preference",
            description="Ada wants short answers",
            importance=0.8,
        ),
        b.entity("slow", "slow login", kind="pain_point"),
        b.relation(
            "priya", "leads", "atlas", id="r1", valid_at=b.at(days=-4), grain="day", source=said
        ),
        b.relation("tom", "leads", "atlas", id="r0", invalid_at=b.START, grain="day"),
        b.fact("atlas", "deadline", "2024-07-01", id="f1", source=b.source(speaker="Ada Lind")),
        b.fact("atlas", "deadline", "2024-08-15", id="f2", source=b.source(speaker="Tom Berger")),
        b.note("Priya is on leave in August", "priya", id="n1"),
    )
    return store


def test_a_question_gets_the_lines_that_matter_each_with_its_reason(office: RamStore) -> None:
    found = ask(office, "who leads atlas?")
    assert str(found) == snapshot("""\
<memory about="Project Atlas" as-of="2024-06-15">
Priya Raman (person) — leads Project Atlas since 2024-05-02
[2024-05-06]
Tom Berger: “Priya will own the migration, I am moving to billing.”
Ada Lind: “Good. The deadline of Atlas is July 1.”
</memory>\
""")
    best = found.lines[0]
    assert (best.id, best.kind, best.space, best.source_id) == ("r1", "relation", "ada", "m1")
    assert best.because.startswith("words 0.")
    assert sum(best.parts.values()) == pytest.approx(best.score, abs=0.01)
    assert list(best.parts.values()) == sorted(best.parts.values(), key=abs, reverse=True)
    assert found.about == ("Project Atlas",)
    assert found.tokens == Estimate().count(str(found)) <= found.budget
    assert found.candidates > len(found.lines)


def test_scores_go_down_and_what_nearly_entered_comes_after(office: RamStore) -> None:
    found = ask(office, "who leads atlas?", budget=55)
    scores = [line.score for line in found.lines]
    assert scores == sorted(scores, reverse=True)
    assert found.near
    assert not {line.id for line in found.near} & {line.id for line in found.lines}


def test_a_question_that_fits_nothing_returns_nothing(office: RamStore) -> None:
    for question in ("what is the capital of Mongolia?", "", "   ", "what is it?"):
        found = ask(office, question)
        assert str(found) == ""
        assert not found
        assert found.tokens == 0


def test_an_empty_space_has_nothing_to_say(store: RamStore) -> None:
    assert not ask(store, "who leads atlas?")
    assert not brief(store)


def test_a_conflict_is_shown_with_both_claims_and_stands_once(office: RamStore) -> None:
    found = ask(office, "what is the deadline of atlas?")
    assert (
        "deadline UNRESOLVED: 2024-07-01 (Ada Lind, 05-06) or 2024-08-15 (Tom Berger, 05-06)"
        in str(found)
    )
    assert str(found).count("UNRESOLVED") == 1


def test_what_held_once_is_said_only_when_asked(office: RamStore) -> None:
    assert "Tom Berger (person)" not in str(ask(office, "who leads atlas?"))
    former = ask(office, "who used to lead atlas?")
    assert "Tom Berger (person) — formerly leads Project Atlas (until 2024-05-06)" in str(former)


def test_what_was_never_true_is_not_said_of_the_past_either(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.entity("tom", "Tom Berger"),
        b.entity("acme", "Acme", kind="organization"),
        b.fact("tom", "title", "pilot", expired_at=b.START),
        b.relation("tom", "worked_at", "acme", expired_at=b.START),
    )
    assert not ask(store, "what was Tom's title before, and was he formerly at Acme?").lines


def test_a_message_and_the_fact_it_says_do_not_both_enter_after_the_message(
    store: RamStore,
) -> None:
    store.remember("ada", [chat("I live in Lisbon, in a small flat near the river.")])
    b.commit(
        store,
        "ada",
        b.entity("lind", "Ada Lind"),
        b.fact("lind", "home", "flat", id="f", source=b.source(message_id="m0"), importance=0.0),
    )
    found = ask(store, "does Ada Lind live in Lisbon near the river?")
    assert [line.kind for line in found.lines] == ["message"]
    assert "f" in {line.id for line in found.near} or found.candidates == 3


def test_the_same_words_said_twice_enter_once(store: RamStore) -> None:
    store.remember(
        "ada", [chat("ramen on Friday?", "no", "ramen on Friday?", "no", "RAMEN on Friday?")]
    )
    assert str(ask(store, "ramen on Friday")).lower().count("ramen") == 1


def test_a_line_about_someone_is_found_by_a_name_that_it_does_not_hold(store: RamStore) -> None:
    she = b.message("She moved to Porto with her dog.", at=b.at(1), id="she")
    store.remember("ada", [b.episode(she, b.message("They opened a bakery in Faro.", at=b.at(2)))])
    b.commit(store, "ada", b.entity("priya", "Priya Raman"), b.mention("priya", she, "She"))
    assert ask(store, "what about priya?").lines[0].id == "she"


def test_the_asker_finds_what_the_user_said_and_what_is_known_of_them(store: RamStore) -> None:
    told = b.message("I keep bees on the roof.", id="bees")
    other = b.message("Bees are common in spring.", role="assistant", id="common")
    store.remember("ada", [b.episode(told, other)])
    b.commit(store, "ada", b.entity(SELF, SELF), b.fact(SELF, "likes", "bees"))
    found = ask(store, "what do I like about bees?")
    assert "User — likes bees" in str(found)
    scores = {line.id: line.score for line in found.lines}
    assert scores["bees"] > scores["common"]


def test_relations_lead_on_to_what_is_linked(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.entity("tom", "Tom Berger"),
        b.entity("priya", "Priya Raman"),
        b.entity("kit", "Kit Moss"),
        b.relation("tom", "manager", "priya"),
        b.fact("priya", "opinion", "wants the release moved", id="asked"),
        b.fact("kit", "opinion", "wants the release moved", id="other"),
    )
    found = ask(store, "what opinion on the release has Tom's manager?")
    scores = {line.id: line.score for line in (*found.lines, *found.near)}
    assert scores["asked"] > scores.get("other", 0.0)
    assert any("graph" in line.because for line in found.lines)


def test_a_list_question_names_the_entities_of_a_kind(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.entity("a", "Atlas", kind="project"),
        b.entity("b", "Borealis", kind="project", description="The new office."),
        b.entity("t", "Tom Berger"),
    )
    shown = str(ask(store, "which projects are there?"))
    assert "Atlas (project)" in shown
    assert "Borealis (project) — The new office" in shown
    assert "Tom" not in shown


def test_neighbours_come_along_with_what_fits(store: RamStore) -> None:
    store.remember(
        "ada", [chat("How was the pottery class?", "Wonderful, I made a blue bowl!", "Nice.")]
    )
    found = ask(store, "what about the pottery class?")
    bowl = next(line for line in found.lines if "bowl" in line.text)
    assert "near" in bowl.parts or "answer" in bowl.parts


def test_the_time_asked_for_counts(store: RamStore) -> None:
    early = b.message("we talked about the budget", at=b.at(days=1), id="early")
    late = b.message("we talked about a budget", at=b.at(days=31), id="late")
    store.remember("ada", [b.episode(early, late)])
    found = ask(store, "what did we say of the budget in June 2024?")
    assert found.lines[0].id == "late"
    assert "time" in found.lines[0].parts


def test_meaning_finds_what_words_do_not(store: RamStore) -> None:
    embedder = Meanings("whelp puppy", "rain")
    told = [b.message("we adopted a puppy", id="p"), b.message("much rain today", id="q")]
    store.remember("ada", [b.episode(*told)])
    rows = dict(zip("pq", embedder.embed([each.text for each in told]), strict=True))
    assert not ask(store, "do they have a whelp?")
    store.put_vectors("ada", Vectors(model=embedder.name, size=embedder.size, rows=rows))
    found = ask(store, "do they have a whelp?", embedder=embedder)
    assert [line.id for line in found.lines] == ["p"]
    assert found.lines[0].because.startswith("meaning")


def test_a_word_akin_finds_what_the_words_asked_for_do_not(store: RamStore) -> None:
    store.remember(
        "ada",
        [b.episode(b.message("we adopted a puppy", id="p"), b.message("much rain today", id="q"))],
    )
    found = ask(store, "do they have a dog?")
    assert found.lines[0].id == "p"
    assert "akin" in found.lines[0].because


def test_the_speakers_names_are_left_out_of_what_is_embedded(store: RamStore) -> None:
    embedder = Meanings("dog")
    store.remember("ada", [chat("the dog is called Rex", "what a name")])
    row = embedder.embed(["the dog is called Rex"])[0]
    store.put_vectors("ada", Vectors(model=embedder.name, size=embedder.size, rows={"m0": row}))
    embedder.asked.clear()
    ask(store, "what is Tom's dog called?", embedder=embedder)
    assert embedder.asked == ["what is dog called?"]


def test_lines_without_a_vector_stand_beside_those_with_one(store: RamStore) -> None:
    embedder = Meanings("dog puppy")
    told = [b.message("we adopted a puppy", id="p"), b.message("the dog is called Rex", id="new")]
    store.remember("ada", [b.episode(*told)])
    store.put_vectors(
        "ada",
        Vectors(
            model=embedder.name, size=embedder.size, rows={"p": embedder.embed([told[0].text])[0]}
        ),
    )
    assert {line.id for line in ask(store, "the dog?", embedder=embedder).lines} == {"p", "new"}


def test_filters_hold_for_every_way_of_finding(office: RamStore) -> None:
    def kinds(*wanted: str) -> set[str]:
        found = ask(
            office,
            "who leads atlas, and its deadline?",
            where=LineFilter(now=NOW, kinds=wanted),  # type: ignore[arg-type]
        )
        return {line.kind for line in found.lines}

    assert kinds("message") == {"message"}
    assert kinds("fact") == {"fact"}
    assert kinds("note") <= {"note"}
    assert not ask(office, "who leads atlas?", where=LineFilter(now=NOW, sessions=("sunday",)))
    assert not ask(office, "who leads atlas?", where=LineFilter(now=NOW, since=NOW))


def test_each_space_is_ranked_by_itself_and_lines_of_others_are_marked(office: RamStore) -> None:
    alone = ask(office, "who leads atlas?")
    office.remember("team", [chat("Kit leads the atlas rollout.", "ok")])
    b.commit(office, "team", b.entity("kit", "Kit Moss"), b.fact("kit", "leads", "atlas"))
    again = ask(office, "who leads atlas?")
    assert str(again) == str(alone)
    assert [line.score for line in again.lines] == [line.score for line in alone.lines]
    both = ask(office, "who leads atlas?", "ada", "team")
    assert {line.space for line in both.lines} == {"ada", "team"}
    assert "[05-06, team]\nAda Lind: “Kit leads the atlas rollout.”\n" in str(both)
    assert "Kit Moss (person, team) — leads atlas" in str(both)


def test_a_budget_below_one_is_refused(office: RamStore) -> None:
    with pytest.raises(ConfigError, match="above 0"):
        ask(office, "who?", budget=0)
    with pytest.raises(ConfigError, match="above 0"):
        brief(office, budget=-5)


def test_where_the_block_itself_does_not_fit_nothing_is_said(office: RamStore) -> None:
    found = ask(office, "who leads atlas?", budget=12)
    assert (str(found), found.tokens, found.lines) == ("", 0, ())
    assert found.near


def test_a_context_begins_with_preferences_and_pain_points_and_says_the_cards_of_whom_one_should_know(
    office: RamStore,
) -> None:
    assert str(brief(office)) == snapshot("""\
<memory as-of="2024-06-15">
Priya Raman (person) — leads Project Atlas since 2024-05-02
Project Atlas (project) — The move to PostgreSQL; deadline UNRESOLVED: 2024-07-01 (Ada Lind, 05-06) or 2024-08-15 (Tom Berger, 05-06)
Preference: Ada wants short answers
Pain point: slow login
</memory>\
""")


def test_a_context_for_a_question_adds_what_it_needs(office: RamStore) -> None:
    found = brief(office, "when is lunch at the ramen place?")
    assert [line.kind for line in found.lines[:2]] == ["entity", "entity"]
    assert "Preference: Ada wants short answers" in str(found)
    assert "ramen place?”" in str(found)
    assert "PostgreSQL" not in str(found)


def test_a_context_for_what_nothing_fits_still_has_the_preferences(office: RamStore) -> None:
    found = brief(office, "what is the capital of Mongolia?")
    assert [line.id for line in found.lines] == ["short", "slow"]


def test_of_many_preferences_the_most_important_enter_within_a_fifth_of_the_budget(
    store: RamStore,
) -> None:
    b.commit(
        store,
        "ada",
        *(
            b.entity(f"p{n}", f"wish number {n}", kind="preference", importance=n / 10)
            for n in range(8)
        ),
        b.entity("gone", "an old wish", kind="preference", importance=1.0, expires_at=b.START),
        b.entity(
            "theirs",
            "a wish of Borealis",
            kind="preference",
            importance=1.0,
            source=b.source(project="borealis"),
        ),
    )
    where = LineFilter(now=NOW, projects=("atlas",))
    assert [line.id for line in brief(store, where=where).lines] == [
        "p7",
        "p6",
        "p5",
        "p4",
        "p3",
        "p2",
    ]
    assert len(brief(store, where=where, budget=900).lines) == 8
    small = brief(store, where=where, budget=105)
    assert [line.id for line in small.lines] == ["p7", "p6"]


def test_recall_adds_nothing_unasked(office: RamStore) -> None:
    assert "Preference" not in str(ask(office, "who leads atlas?"))


def test_a_preference_that_is_asked_for_is_a_line_of_its_own_with_its_facts(
    store: RamStore,
) -> None:
    b.commit(
        store,
        "ada",
        b.entity(
            "short", "short answers", kind="preference", description="Ada wants short answers"
        ),
        b.fact("short", "confidence", "high"),
    )
    found = ask(store, "does Ada want short answers?")
    assert "\nPreference: Ada wants short answers (confidence high)\n" in str(found)
    marked = ask(store, "does Ada want short answers?", "mine", "ada")
    assert "\n(ada) Preference: Ada wants short answers" in str(marked)


def test_merged_entities_are_one_card(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.entity("liz", "Liz Moss"),
        b.entity("el", "Elizabeth Moss"),
        b.same_as("liz", "el"),
        b.fact("liz", "role", "nurse"),
        b.fact("el", "hobby", "chess"),
    )
    shown = str(ask(store, "liz moss: role and hobby"))
    assert "Elizabeth Moss (person) — " in shown
    assert shown.count("Moss (person)") == 1


def test_a_project_sees_its_own_and_what_is_of_none_also_in_conflicts_and_cards(
    store: RamStore,
) -> None:
    def of(project: str, value: str) -> Any:
        said = b.source(project=project, speaker="Tom Berger")
        return b.fact("acme", "deadline", value, source=said)

    b.commit(
        store,
        "ada",
        b.entity("acme", "Acme", kind="organization"),
        b.entity("kit", "Kit Moss"),
        of("", "July"),
        of("atlas", "August"),
        of("borealis", "September"),
        b.relation("kit", "audits", "acme", source=b.source(project="borealis")),
    )
    where = LineFilter(now=NOW, projects=("atlas",))
    for found in (ask(store, "what deadline has Acme?", where=where), brief(store, where=where)):
        assert "deadline UNRESOLVED: July (Tom Berger, 05-06) or August (Tom Berger, 05-06)" in str(
            found
        )
        assert "September" not in str(found)
        assert "audits" not in str(found)
    assert "September" in str(brief(store))


def test_notes_are_quoted_and_dated_and_stand_once(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.note("the vault code changes on Mondays"),
        b.note("The vault code changes on Mondays"),
    )
    assert str(ask(store, "vault code")) == snapshot("""\
<memory as-of="2024-06-15">
[2024-05-06] Note: “the vault code changes on Mondays”
</memory>\
""")


def test_rows_that_are_gone_are_left_out(store: RamStore) -> None:
    b.commit(
        store, "ada", b.fact("nobody", "role", "nurse"), b.relation("nobody", "knows", "noone")
    )
    assert not ask(store, "who is a nurse?")


texts = st.lists(
    st.text(
        st.sampled_from("atlas deadline july </memory>\n“”;—[]日本 12345 supercalifragilistic"),
        max_size=80,
    ),
    min_size=1,
    max_size=12,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts, st.integers(1, 160), st.sampled_from([Estimate(), Letters(), Words()]), st.booleans())
def test_a_context_never_costs_more_than_its_budget_by_the_counter_asked_for(
    texts: list[str], budget: int, tokenizer: Tokenizer, whole: bool
) -> None:
    store = RamStore()
    store.remember("ada", [chat(*(f"atlas {text}" for text in texts))])
    b.commit(
        store,
        "ada",
        b.entity("atlas", "Atlas", kind="project", description=texts[0]),
        b.entity("wish", texts[-1] or "wish", kind="preference"),
        *(b.fact("atlas", f"a_{number}", text or "x") for number, text in enumerate(texts)),
    )
    call = brief if whole else ask
    for size in (budget, 10 * budget):
        found = call(store, "atlas deadline july", budget=size, tokenizer=tokenizer)
        assert tokenizer.count(str(found)) == found.tokens <= size
        assert bool(str(found)) == bool(found.lines)
        assert str(found).count("</memory>") == bool(found.lines)


def test_what_asks_for_a_kind_and_nothing_else_gets_all_of_it(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        *(b.entity(f"d{number}", f"Tool {number}", kind="decision") for number in range(3)),
    )
    assert {line.id for line in ask(store, "list all decisions").lines} == {"d0", "d1", "d2"}
    assert not ask(store, "list all campaigns")
    assert not ask(store, "which decision was about opera?")


def test_what_asks_for_a_time_and_nothing_else_gets_what_was_then(store: RamStore) -> None:
    roof = b.message("The roof was repaired.", at=b.at(0), id="m1")
    store.remember("ada", [b.episode(roof, b.message("It held.", at=b.at(1), id="m2"))])
    assert "m1" in {line.id for line in ask(store, "what happened in May?").lines}
    assert not ask(store, "what happened in March?")
    assert not ask(store, "what happened to the opera in May?")


def test_a_rare_word_is_not_silenced_by_words_that_only_say_that_something_was_said(
    store: RamStore,
) -> None:
    embedder = Meanings("mentioned talking", "rain")
    told = [b.message("we went by kayak", id="p"), b.message("much rain today", id="q")]
    store.remember("ada", [b.episode(*told)])
    rows = dict(zip("pq", embedder.embed([each.text for each in told]), strict=True))
    store.put_vectors("ada", Vectors(model=embedder.name, size=embedder.size, rows=rows))
    for question in (
        "who mentioned a kayak?",
        "do you remember somebody talking of the kayak, or what was said of it?",
    ):
        assert ask(store, question, embedder=embedder).lines[0].id == "p"
    assert not ask(store, "who mentioned the opera?", embedder=embedder)
