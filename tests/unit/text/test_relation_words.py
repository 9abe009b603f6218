"""Everyday words for relations, and everyday words as such."""

from __future__ import annotations

import pytest

from factbook.model.relations import LABELS
from factbook.text.common_words import IMPERATIVES, UNCOUNTED, is_common
from factbook.text.relation_words import (
    relation_of_noun,
    relation_of_verb,
    singular_forms,
    verb_forms,
)


def test_nouns_lead_along_labels_whichever_number() -> None:
    manager = relation_of_noun("managers")
    assert manager is not None
    assert (">", "reports_to") in manager.ways
    assert "boss" in manager.attributes
    assert relation_of_noun("table") is None


def test_former_roles_lead_along_what_was() -> None:
    now, before = relation_of_noun("employer"), relation_of_noun("employer", former=True)
    assert now is not None
    assert before is not None
    assert (now.ways, before.ways) == (((">", "works_at"),), ((">", "worked_at"),))
    assert relation_of_noun("sister", former=True) == relation_of_noun("sister")


def test_verbs_lead_by_their_prepositions() -> None:
    at, on, alone = (
        relation_of_verb("works", "at"),
        relation_of_verb("works", "on"),
        relation_of_verb("worked"),
    )
    assert at is not None
    assert on is not None
    assert alone is not None
    assert (at.ways, on.ways) == (((">", "works_at"),), ((">", "works_on"),))
    assert alone.ways[0] == (">", "worked_at")
    assert relation_of_verb("came", "on") == relation_of_verb("came", "from")
    assert relation_of_verb("came", "on", exactly=True) is None
    assert relation_of_verb("came", "nowhere", exactly=True) is not None
    assert relation_of_verb("sings") is None


@pytest.mark.parametrize(
    "noun", ["manager", "sister", "pet", "team", "school", "founder", "teacher"]
)
def test_labels_are_those_of_the_vocabulary_or_say_the_same_of_others(noun: str) -> None:
    known = relation_of_noun(noun)
    assert known is not None
    unknown = [label for _, label in (*known.ways, *known.otherwise) if label not in LABELS]
    assert unknown in ([], ["teaches"])


def test_forms_of_words() -> None:
    assert singular_forms("companies")[1] == "company"
    assert singular_forms("people") == ("people", "person")
    assert "manage" in verb_forms("managed")
    assert "run" in verb_forms("ran")


@pytest.mark.parametrize(
    "word", ["plans", "planning", "hiked", "happier", "happiest", "cities", "kindness", "wrote"]
)
def test_common_words_are_known_in_their_forms(word: str) -> None:
    assert is_common(word)


@pytest.mark.parametrize("word", ["alice", "oluwaseun", "kestrel", "tom", "ids"])
def test_names_are_no_common_words(word: str) -> None:
    assert not is_common(word)


def test_the_small_lists_are_of_common_words() -> None:
    assert all(map(is_common, UNCOUNTED))
    assert all(map(is_common, IMPERATIVES))
