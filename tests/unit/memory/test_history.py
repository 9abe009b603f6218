"""The log as people read it."""

from __future__ import annotations

import pytest

from factbook.errors import InputError, NotFoundError
from factbook.memory.history import plan_undo
from factbook.memory.history_words import describe_change
from factbook.model.change import Change
from factbook.model.record import EntityType, Record
from factbook.store import open_store
from tests.support.builders import (
    alias,
    at,
    entity,
    fact,
    mention,
    message,
    not_same,
    note,
    relation,
    review,
    same_as,
    source,
    support,
)

NAMES = {"ana": "Ana", "bob": "Bob"}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (entity("ana", "Ana"), "+ Ana (person)"),
        (alias("ana", "Annie"), "+ Ana, also Annie"),
        (fact("ana", "badge", "17"), "+ Ana: badge = 17"),
        (relation("ana", "knows", "bob"), "+ Ana knows Bob"),
        (note("remember tea", category="habit"), "+ note (habit): remember tea"),
        (same_as("ana", "bob"), "+ Ana is the same as Bob"),
        (not_same("ana", "bob"), "+ Ana is not Bob"),
        (review("ana", "bob"), "+ Ana / Bob: review open"),
        (EntityType(id="ship"), "+ kind ship"),
        (mention("ana", message("Ana"), "Ana"), ""),
        (support("f"), ""),
    ],
)
def test_every_sort_of_row_is_put_in_words(row: Record, words: str) -> None:
    assert describe_change(Change(after=row), NAMES) == words
    assert describe_change(Change(before=row), NAMES) == words.replace("+", "\u2212")


def test_a_changed_row_says_how_it_ended() -> None:
    old = fact("ana", "badge", "17", id="f")
    ended = fact("ana", "badge", "17", id="f", invalid_at=at(days=1))
    taken_back = fact("ana", "badge", "17", id="f", expired_at=at())
    other = fact("ana", "badge", "18", id="f")
    named = [
        describe_change(Change(before=old, after=after), NAMES)
        for after in (ended, taken_back, other)
    ]
    assert named == [
        "~ Ana: badge = 17, until 2024-05-07",
        "~ Ana: badge = 17, retracted",
        "~ Ana: badge = 18",
    ]
    assert (
        describe_change(Change(before=entity("ana", "Ana"), after=entity("ana", "Anna")), NAMES)
        == "~ Ana is called Anna (person)"
    )
    assert describe_change(Change(), NAMES) == ""


def test_what_cannot_be_undone_is_said() -> None:
    store = open_store("ram:")
    with store.snapshot() as snapshot:
        with pytest.raises(InputError, match="nothing to undo"):
            plan_undo(snapshot, "ada", None, cascade=False)
        with pytest.raises(NotFoundError, match="no version 3"):
            plan_undo(snapshot, "ada", 3, cascade=False)


def test_quotes_stand_with_their_entries() -> None:
    assert fact("ana", "badge", "17", source=source(quote="badge 17")).source.quote == "badge 17"
