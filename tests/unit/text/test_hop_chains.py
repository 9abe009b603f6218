"""Several hops in a question, as steps from what it names."""

from __future__ import annotations

import pytest

from factbook.model.record import SELF
from factbook.text.name_links import Linked
from factbook.text.question.hop_chains import MOST_STEPS, Chain, chains
from factbook.text.question.question_words import split_question

NAMES = ("Alice", "Tom", "Mark", "Anna", "Acme", "Rust", "May", "Will")


def read(question: str) -> list[Chain]:
    said = split_question(question)
    linked = [
        Linked(
            entity_id=token.text.lower(), name=token.text, strength=1.0, start=place, end=place + 1
        )
        for place, token in enumerate(said)
        if token.text in NAMES or token.text.capitalize() in NAMES
    ]
    return list(chains(said, linked))


def steps(question: str) -> list[str]:
    """Each chain as `alice manager sister`; a step to the answer has a question mark, a former one
    a cross.
    """
    out: list[str] = []
    for chain in read(question):
        words = [
            f"{step.word}{'?' * step.answer}{'+' * step.former}{'~' * step.open}"
            for step in chain.steps
        ]
        out.append(" ".join([chain.anchors[0].entity_id, *words]))
    return out


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What does Alice's manager think?", ["alice manager"]),
        ("where does Alice's boss's sister live", ["alice boss sister"]),
        ("what is my sister's dog called", ["self sister dog"]),
        ("Alice manager email", ["alice manager"]),
        ("who does Alice report to", []),
        ("Alice's new line manager", ["alice manager"]),
        ("Alice's team lead", ["alice manager"]),
        ("my best friend", ["self friend"]),
        ("our team", ["self team"]),
        ("Alice's former employer", ["alice employer+"]),
        ("Alice's ex-wife", ["alice ex-wife+"]),
        ("the manager of Alice", ["alice manager"]),
        ("the sister of the manager of Tom", ["tom manager sister"]),
        ("the old boss of Tom", ["tom boss+"]),
        ("a member of the Acme", []),
        ("the godmother of May", ["may godmother~"]),
        ("Alice's accountant", ["alice accountant~"]),
        ("the picture of Alice's sister", ["alice sister"]),
        ("the company that Mark left", ["mark left+"]),
        ("the company where Mark used to work", ["mark work+"]),
        ("the company Alice works for", ["alice works"]),
        ("the city in which Alice lives", ["alice lives"]),
        ("the company my sister works for", ["self sister works"]),
        ("the person who manages Alice", ["alice manages"]),
        ("people working at Acme", ["acme working"]),
        ("people of Acme", ["acme people~"]),
        ("the project that uses Rust", ["rust uses"]),
        ("who works at Acme", []),
        ("Who else works at the company that Mark left?", ["mark left+ works?"]),
        ("which team owns the project that uses Rust", ["rust uses"]),
        ("who manages the person who mentors Anna?", ["anna mentors manages?"]),
        ("what uses the project that Tom leads", ["tom leads uses?"]),
        ("what does Alice's colleague, Tom, want", []),
        ("my sister Anna", []),
        ("Alice's, manager", []),
        ("Alice's the", []),
        ("the blue thing Alice left", []),
        ("the company Alice sings", []),
        ("the who manages Alice", []),
        ("Alice's plan for the team", ["alice plan~"]),
        ("Alice's last", []),
    ],
)
def test_the_steps_that_a_question_asks_for(question: str, expected: list[str]) -> None:
    assert steps(question) == expected


def test_there_are_three_steps_at_most() -> None:
    (chain,) = read("my sister's boss's wife's dog's owner")
    assert len(chain.steps) == MOST_STEPS
    (chain,) = read("who manages the sister of the boss of the wife of Tom")
    assert len(chain.steps) == MOST_STEPS


def test_a_clause_turns_the_verb_round_and_restricts_the_kind() -> None:
    (chain,) = read("the person who manages Alice")
    (step,) = chain.steps
    assert step.kinds == ("person",)
    assert step.ways == (("<", "manages"), (">", "reports_to"))
    assert step.otherwise == (("<", "leads"),)
    (chain,) = read("the company that Alice works for")
    assert chain.steps[0].kinds == ("organization",)
    assert chain.steps[0].ways == ((">", "works_at"),)


def test_namesakes_are_the_anchors_of_one_chain() -> None:
    said = split_question("Tom's sister")
    both = [Linked(entity_id=key, name="Tom", strength=0.5, start=0, end=1) for key in ("a", "b")]
    (chain,) = chains(said, both)
    assert [anchor.entity_id for anchor in chain.anchors] == ["a", "b"]
    assert chains(said, [Linked(entity_id=SELF, name="I", strength=0.6)]) == ()


def test_the_asker_is_an_anchor_in_clauses_too() -> None:
    (chain,) = read("who works at the company that I left?")
    assert chain.anchors[0].entity_id == SELF
    assert [step.answer for step in chain.steps] == [False, True]
