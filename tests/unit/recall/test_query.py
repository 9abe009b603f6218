"""What a question asks for."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF
from factbook.ports.snapshot import NameHit
from factbook.recall.understand.query import Reached, nameless, understand, with_reached
from factbook.text.name_links import MOST_BEARERS, Linked, link_names
from factbook.text.question.question_words import Gram, find_grams, keys_of

NOW = datetime(2026, 6, 14, tzinfo=UTC)
KINDS = {kind.id: kind for kind in BUILT_IN}


def linked(
    question: str, names: Mapping[str, str], canonical: Mapping[str, str] | None = None
) -> dict[str, float]:
    """Ids and strengths for a question, where ids bear names."""
    from factbook.text.names import name_keys

    index: dict[str, list[NameHit]] = {}
    for key, name in names.items():
        for each in name_keys(name):
            index.setdefault(each, []).append(
                NameHit(entity_id=key, name=name, kind="person", primary=True)
            )
    found = {
        gram: [(key, hit) for key in keys_of(gram) for hit in index.get(key, ())]
        for gram in find_grams(question)
    }
    return {each.entity_id: round(each.strength, 2) for each in link_names(found, canonical or {})}


def test_runs_of_words_that_may_be_names_neither_begin_nor_end_with_a_stop_word() -> None:
    assert [gram.text for gram in find_grams("did the Bank of Porto's app work?")] == [
        "Bank",
        "Bank of Porto",
        "Bank of Porto's app",
        "Porto",
        "Porto's app",
        "Porto's app work",
        "app",
        "app work",
        "work",
    ]


def test_names_are_found_in_lower_case_in_part_and_joined() -> None:
    names = {"p": "Priya Raman", "a": "Project Atlas", "b": "BillingService"}
    assert linked("what does priya raman think of atlas?", names) == {"p": 1.0, "a": 0.9}
    assert linked("who owns the billing service", names) == {"b": 0.95}
    assert linked("what did raman say?", names) == {"p": 0.7}
    assert linked("who was there?", names) == {}


def test_a_misspelling_that_sounds_alike_is_followed_with_less_trust() -> None:
    assert linked("where is Katherina?", {"k": "Catherina"}) == {"k": 0.62}
    assert linked("where is Kit?", {"k": "Ket"}) == {}


def test_a_nickname_is_followed() -> None:
    assert linked("where is Bob Reed?", {"r": "Robert Reed"}) == {"r": 0.85}


def test_a_whole_name_hides_the_shorter_ones_inside_it() -> None:
    assert linked("what does Tom Berger do?", {"t": "Tom Berger", "o": "Tom"}) == {"t": 1.0}


def test_a_name_of_two_is_shared_and_one_of_many_says_nothing() -> None:
    assert linked("where is Tom?", {"a": "Tom Berger", "b": "Tom Reed"}) == {"a": 0.49, "b": 0.49}
    crowd = {str(number): f"Tom {chr(65 + number) * 3}" for number in range(MOST_BEARERS + 1)}
    assert linked("where is Tom?", crowd) == {}


def test_merged_entities_are_one_bearer() -> None:
    assert linked("where is Tom?", {"a": "Tom Berger", "b": "Tom Reed"}, {"b": "a"}) == {"a": 0.7}


def test_the_asker_is_meant_by_i_and_my() -> None:
    query = understand("where do I live?", now=NOW)
    assert query.asks_self
    assert [each.entity_id for each in query.linked] == [SELF]
    assert not understand("where does Ida live?", now=NOW).asks_self
    already = Linked(entity_id=SELF, name="Ada", strength=1.0)
    assert understand("where do I live?", linked=[already], now=NOW).linked == (already,)


def test_words_are_distinct_stems_and_content_leaves_sure_names_out() -> None:
    query = understand(
        "Alice's projects, and whose project?",
        linked=[Linked(entity_id="a", name="Alice", strength=1.0)],
        now=NOW,
    )
    assert query.words == ("alic", "project", "whose")
    assert query.content == ("project", "whose")


@pytest.mark.parametrize(
    ("question", "shape"),
    [
        ("where does Ada live?", "open"),
        ("is Tom on leave?", "yes_no"),
        ("Didn't Ada move?", "yes_no"),
        ("how many projects has Ada led?", "count"),
        ("what activities does Ada like?", "list"),
        ("list the open tasks", "list"),
        ("which projects use Rust?", "list"),
        ("what is the status?", "open"),
    ],
)
def test_the_shape_of_the_answer(question: str, shape: str) -> None:
    assert understand(question, now=NOW).shape == shape


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("which projects are late?", ("project",)),
        ("what pain points are there?", ("pain_point",)),
        ("which company does Ada work for?", ("organization",)),
        ("who knows Rust?", ("person",)),
        ("which books did Ada read?", ("work",)),
        ("does Ada work on Falcon?", ()),
        ("what pets does Ada have?", ("animal",)),
        ("where is the office?", ("place",)),
        ("what is new?", ()),
    ],
)
def test_the_kinds_asked_for(question: str, kinds: tuple[str, ...]) -> None:
    assert understand(question, kinds=KINDS, now=NOW).kinds == kinds


def test_times_and_the_past() -> None:
    span = understand("what did we decide in May 2026?", now=NOW).span
    assert span is not None
    assert (span.at, span.until) == (
        datetime(2026, 5, 1, tzinfo=UTC),
        datetime(2026, 6, 1, tzinfo=UTC),
    )
    assert understand("what did we decide?", now=NOW).span is None
    assert understand("where did Ada use to work before Acme?", now=NOW).past
    assert not understand("where does Ada work?", now=NOW).past


def test_a_question_that_begins_with_a_name_begins_with_no_verb() -> None:
    will = Linked(entity_id="will", name="Will", strength=0.7, start=0, end=1)
    assert understand("Will's car is broken, who can help?", linked=[will], now=NOW).shape == "open"
    assert understand("will the car go?", now=NOW).shape == "yes_no"


@pytest.mark.parametrize(
    ("question", "asker", "assistant"),
    [
        ("tell me where Tom lives", False, False),
        ("remind us what Tom said", False, False),
        ("I wonder where Tom lives", False, False),
        ("do you remember where I parked", True, False),
        ("what did we decide", True, False),
        ("what have you suggested", False, True),
        ("was your advice any good", False, True),
        ("how are you", False, False),
        ("I've lost it", True, False),
    ],
)
def test_the_asker_and_the_assistant_are_told_from_politeness(
    question: str, asker: bool, assistant: bool
) -> None:
    query = understand(question, now=NOW)
    assert (query.asks_self, query.asks_you) == (asker, assistant)


def test_words_that_mean_a_label_or_an_attribute_are_known() -> None:
    means = understand("when is it due, and who is her boss?", now=NOW).means
    assert means["deadline"] == {"due"}
    assert means["reports_to"] == {"boss"}


def test_a_name_leads_only_on_where_hops_reach_somebody() -> None:
    alice = Linked(
        entity_id="alice", name="Alice", strength=1.0, start=2, end=3, bearer="Alice Novak"
    )
    query = understand("What does Alice's manager think?", linked=[alice], now=NOW)
    assert query.speakers == {"alice novak"}
    assert with_reached(query, []) is query
    team = Reached(
        entity_id="t",
        name="Team",
        kind="organization",
        strength=0.9,
        path="Alice – Team",
        steps=("alice",),
    )
    assert with_reached(query, [team]).speakers == {"alice novak"}
    tom = Reached(
        entity_id="tom",
        name="Tom Berger",
        strength=0.9,
        path="Alice Novak – Tom Berger",
        anchor="Alice Novak",
        steps=("alice", ">reports_to>", "tom"),
        asked=frozenset({"alic", "manag"}),
    )
    led = with_reached(query, [tom])
    assert led.speakers == {"tom berger"}
    assert led.via == {"alice", "manager"}
    assert led.content == ("think",)


def test_speakers_are_left_out_of_what_is_embedded() -> None:
    assert (
        nameless("What is Ada's favourite painting?", ["ada lind"]) == "What is favourite painting?"
    )
    assert (
        nameless("What is Ada's favourite painting?", ["tom"])
        == "What is Ada's favourite painting?"
    )


def test_a_question_of_little_more_than_a_name_is_embedded_as_it_is() -> None:
    assert nameless("Who is Ada?", ["ada"]) == "Who is Ada?"


def test_a_long_question_is_looked_at_only_so_far() -> None:
    assert max(gram.end for gram in find_grams("word " * 200)) == 48


def test_an_empty_question_asks_for_nothing() -> None:
    assert find_grams("") == ()
    assert understand("", now=NOW).words == ()
    assert link_names({Gram(text="x", start=0, end=1): []}, {}) == ()
