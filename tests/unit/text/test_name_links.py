"""The names in a question: misspelt, in lower case, ordinary words that are names too, in any
script.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from factbook.ports.snapshot import NameHit
from factbook.text.name_links import Linked, link_misspelt, link_names, slip_fit, unclear_words
from factbook.text.names import name_keys
from factbook.text.question.question_words import (
    LONGEST_PIECE,
    MOST_PIECES,
    Gram,
    find_grams,
    keys_of,
    split_question,
)

PEOPLE = {
    "alice": "Alice Novak",
    "tom": "Tom Berger",
    "will": "Will Okafor",
    "rose": "Rose Marchetti",
    "mark": "Mark Lindqvist",
    "may": "May Chen",
    "grace": "Grace Holt",
}
KINDS = {
    "apple": "organization",
    "rust": "technology",
    "pottery": "concept",
    "lights": "project",
    "swim": "concept",
}
NAMES = {
    **PEOPLE,
    "apple": "Apple",
    "rust": "Rust",
    "pottery": "pottery",
    "lights": "Harbour Lights",
    "swim": "open water swimming",
}


def named(question: str, names: Mapping[str, str] = NAMES, *, above: float = 0.45) -> set[str]:
    """Whom a question names."""
    return {each.entity_id for each in links(question, names) if each.strength >= above}


def links(question: str, names: Mapping[str, str] = NAMES) -> tuple[Linked, ...]:
    index: dict[str, list[NameHit]] = {}
    for key, name in names.items():
        for each in name_keys(name):
            hit = NameHit(entity_id=key, name=name, kind=KINDS.get(key, "person"), primary=True)
            index.setdefault(each, []).append(hit)
    found = {
        gram: [(key, hit) for key in keys_of(gram) for hit in index.get(key, ())]
        for gram in find_grams(question)
    }
    return link_names(found, {}, split_question(question))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What will the office look like?", set()),
        ("What does Will think of it?", {"will"}),
        ("Will's car is broken", {"will"}),
        ("will the trains run?", set()),
        ("Will the trains run?", set()),
        ("how do I mark a task?", set()),
        ("did mark finish it", {"mark"}),
        ("I went there with mark.", {"mark"}),
        ("what mark did the school give?", set()),
        ("Mark the task as done", set()),
        ("marks sister called", {"mark"}),
        ("who planted the rose bushes?", set()),
        ("what did rose cook", {"rose"}),
        ("Rose said what?", {"rose"}),
        ("Mark said what?", {"mark"}),
        ("Rose and Tom went where?", {"rose", "tom"}),
        ("Mark and label it", set()),
        ("rose", {"rose"}),
        ("Rose petals where?", set()),
        ("the price rose with demand", set()),
        ("what is rose's colour", {"rose"}),
        ("what may happen in may?", set()),
        ("What did May buy in May?", {"may"}),
        ("What happened in May?", set()),
        ("between March and May", set()),
        ("What grace period is there?", set()),
        ("does grace matter with them", set()),
        ("did Grace sign?", {"grace"}),
        ("Apple pie recipe", set()),
        ("who works at apple?", {"apple"}),
        ("how to peel an apple quickly", set()),
        ("is rust on the bike", set()),
        ("is Rust fast", {"rust"}),
        ("what about pottery", {"pottery"}),
        ("how are the lights doing", {"lights"}),
        ("which lights did she buy", set()),
        ("what is open today", set()),
        ("is swimming fun", {"swim"}),
        ("WHAT DID MARK SAY", {"mark"}),
        ("What Is The Mark For This Essay", set()),
        ("toms brother", {"tom"}),
        ("T. Berger is away", {"tom"}),
        ("is Tim Berger away?", {"tom"}),
    ],
)
def test_an_ordinary_word_is_a_name_only_where_something_speaks_for_it(
    question: str, expected: set[str]
) -> None:
    assert named(question) == expected


def test_another_given_name_beside_a_known_surname_is_no_sure_link() -> None:
    (found,) = links("is Tim Berger away?")
    assert (found.name, found.strength) == ("Berger", 0.7)


def test_names_in_runs_without_spaces_are_found_within_them() -> None:
    names = {"li": "李明", "so": "ソフィア", "min": "민수"}
    assert named("李明はどこに住んでいますか", names) == {"li"}
    assert named("ソフィアの仕事は何ですか", names) == {"so"}
    assert named("민수는 어디에 살아요?", names) == {"min"}
    assert (
        max(
            len(gram.text)
            for gram in find_grams("東京都庁展望室案内所")
            if gram.text != "東京都庁展望室案内所"
        )
        == LONGEST_PIECE
    )


def test_of_long_runs_not_every_part_is_looked_up() -> None:
    assert len(find_grams("、".join(["東京都庁展望室案内所"] * 40))) < MOST_PIECES + 48


def test_the_longer_of_two_names_in_a_run_hides_the_shorter() -> None:
    assert named("山田太郎は", {"long": "山田太郎", "short": "山田"}) == {"long"}


def test_a_run_of_words_that_only_begins_with_a_given_name_names_nobody() -> None:
    assert named("please mark a task") == set()
    assert named("the city of Porto office", {"porto": "Porto"}) == {"porto"}


def test_words_beside_a_name_that_tell_its_kind_leave_it_less_sure() -> None:
    (found,) = links("where is Atlas project plan", {"atlas": "Atlas"})
    assert found.name == "Atlas"
    assert found.strength == 1.0


def test_names_end_where_parts_of_the_sentence_do() -> None:
    assert "Tom, Alice" not in {gram.text for gram in find_grams("Tom, Alice and Will")}


def test_tokens_know_capitals_that_tell_and_what_has_an_s() -> None:
    first, does, alice, plan = split_question("What does Alice's plan")
    assert (first.capital, first.first) == (False, True)
    assert (alice.capital, alice.owns, alice.text) == (True, True, "Alice")
    assert not does.owns
    assert not plan.capital
    parents = split_question("my parents' house")[1]
    assert (parents.owns, parents.text) == (True, "parents")
    assert [token.first for token in split_question("Hm. Then what?")] == [True, True, False]


def test_words_that_may_be_misspelt_are_unknown_ones() -> None:
    said = split_question("Where did Oluwasuen meet Tomasz about the budget in May 2025?")
    assert list(unclear_words(said, []).values()) == ["oluwasuen", "tomasz"]
    assert unclear_words(
        said, [Linked(entity_id="o", name="Oluwasuen", strength=0.9, start=2, end=3)]
    ) == {4: "tomasz"}
    assert unclear_words(said, [], {2, 4}) == {}
    beside = Linked(entity_id="p", name="raman", strength=0.7, start=2, end=3)
    assert unclear_words(split_question("does prya raman paint"), [beside]) == {1: "prya"}
    assert unclear_words(split_question("does prya paint"), []) == {}
    assert unclear_words(split_question("is it anna1 or Анны"), []) == {4: "анны"}


@pytest.mark.parametrize(
    ("written", "name", "likely"),
    [
        ("Alcie", "alice", True),
        ("Oluwasuen", "oluwaseun", True),
        ("Kathrna", "katherina", True),
        ("Jean", "lean", False),
        ("Kim", "tom", False),
        ("lindqvyss", "lindqvist", False),
    ],
)
def test_a_slip_is_a_letter_or_in_long_names_two(written: str, name: str, likely: bool) -> None:
    assert bool(slip_fit(split_question(f"is {written} in")[1], name)) is likely


def test_a_misspelt_word_names_whoever_bears_the_word_meant() -> None:
    said = split_question("what did Alcie say")
    hit = NameHit(entity_id="alice", name="Alice Novak", kind="person", primary=True)
    (found,) = link_misspelt({2: [("alice", hit)]}, said, (), {})
    assert (found.entity_id, found.name, found.bearer) == ("alice", "Alcie", "Alice Novak")
    assert 0.5 < found.strength < 0.7


def test_a_misspelt_word_beside_the_rest_of_the_name_makes_it_sure() -> None:
    said = split_question("does prya raman paint")
    hit = NameHit(entity_id="priya", name="Priya Raman", kind="person", primary=True)
    known = Linked(
        entity_id="priya", name="raman", strength=0.7, start=2, end=3, bearer="Priya Raman"
    )
    (found,) = link_misspelt({1: [("priya", hit)]}, said, (known,), {})
    assert (found.name, found.strength, found.start, found.end) == ("prya raman", 0.9, 1, 3)


def test_the_nearest_of_the_words_meant_counts() -> None:
    said = split_question("where is Oluwasuen now")
    hits = [
        (word, NameHit(entity_id="o", name=name, kind="person", primary=True))
        for word, name in (
            ("oluwaseun", "Oluwaseun Adeyemi"),
            ("oluwaseun", "Oluwaseun"),
            ("oluwas", "Oluwas"),
        )
    ]
    (found,) = link_misspelt({2: hits}, said, (), {})
    assert found.bearer == "Oluwaseun"
    assert link_misspelt({2: hits[2:]}, said, (), {}) == ()


def test_a_misspelt_name_of_many_says_nothing() -> None:
    said = split_question("what did Alcie say")
    hits = [
        ("alice", NameHit(entity_id=str(n), name="Alice", kind="person", primary=True))
        for n in range(6)
    ]
    assert link_misspelt({2: hits}, said, (), {}) == ()


def test_a_surer_link_is_not_replaced_by_a_misspelling() -> None:
    said = split_question("is Alice like Alcie")
    hit = NameHit(entity_id="alice", name="Alice", kind="person", primary=True)
    known = Linked(entity_id="alice", name="Alice", strength=1.0, start=0, end=1)
    assert link_misspelt({3: [("alice", hit)]}, said, (known,), {}) == (known,)


def test_of_two_whose_names_sound_alike_both_are_meant() -> None:
    gram, one = Gram(text="Mara Silva", start=3, end=5), Gram(text="Silva", start=4, end=5)
    maria, marta = (
        NameHit(entity_id=name, name=f"{name} Silva", kind="person", primary=True)
        for name in ("Maria", "Marta")
    )
    found = {gram: [("p:MR SLF", maria)], one: [("t:silva", maria), ("t:silva", marta)]}
    assert {each.entity_id: round(each.strength, 2) for each in link_names(found, {})} == {
        "Maria": 0.49,
        "Marta": 0.49,
    }
