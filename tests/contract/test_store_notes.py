"""Notes of a space: by category, project, time, importance and text."""

from __future__ import annotations

from typing import Any

import pytest

from factbook.model.change import Change
from factbook.model.line import LineFilter
from factbook.ports.store import Store
from factbook.text.index_words import index_words
from tests.support.builders import at, commit, note, source


@pytest.fixture
def told(store: Store) -> Store:
    commit(
        store,
        "ada",
        note("Green tea every morning", id="n1", category="preference", importance=0.9),
        note("The rent is due", id="n2", category="home", created_at=at(1), persistent=True),
        note(
            "TEA for Tom, straße",
            id="n3",
            category="preference",
            created_at=at(2),
            source=source(project="atlas"),
        ),
        note(
            "The door code",
            id="n4",
            category="home",
            created_at=at(2),
            expires_at=at(9),
            importance=0.9,
        ),
        note("100% of_it", id="n5", created_at=at(3), source=source(project="orion")),
    )
    commit(store, "tom", note("Green tea", id="t1", category="preference"))
    return store


@pytest.mark.parametrize(
    ("where", "found"),
    [
        ({}, ["n5", "n4", "n3", "n2", "n1"]),
        ({"limit": 2}, ["n5", "n4"]),
        ({"limit": 0}, []),
        ({"limit": -1}, []),
        ({"order": "importance"}, ["n4", "n1", "n5", "n3", "n2"]),
        ({"order": "importance", "limit": 1}, ["n4"]),
        ({"categories": ["home"]}, ["n4", "n2"]),
        ({"categories": ["home", "general"], "order": "importance"}, ["n4", "n5", "n2"]),
        ({"categories": ["none"]}, []),
        ({"projects": ["atlas"]}, ["n4", "n3", "n2", "n1"]),
        ({"persistent": True}, ["n2"]),
        ({"persistent": False}, ["n5", "n4", "n3", "n1"]),
        ({"min_importance": 0.6}, ["n4", "n1"]),
        ({"since": at(2)}, ["n5", "n4", "n3"]),
        ({"now": at(8)}, ["n5", "n4", "n3", "n2", "n1"]),
        ({"now": at(9)}, ["n5", "n3", "n2", "n1"]),
        ({"containing": "tea"}, ["n3", "n1"]),
        ({"containing": "EN TEA"}, ["n1"]),
        ({"containing": "STRASSE"}, []),
        ({"containing": "straße"}, ["n3"]),
        ({"containing": "0% of_"}, ["n5"]),
        (
            {
                "containing": "tea",
                "categories": ["preference"],
                "projects": ["orion"],
                "now": at(9),
            },
            ["n1"],
        ),
    ],
)
def test_notes_are_chosen_and_ordered(told: Store, where: dict[str, Any], found: list[str]):
    with told.snapshot() as snapshot:
        assert [row.id for row in snapshot.notes("ada", **where)] == found


def test_a_space_that_is_not_there_has_no_notes(told: Store):
    with told.snapshot() as snapshot:
        assert snapshot.notes("none") == []
        assert snapshot.note_categories("none") == {}


def test_categories_are_counted(told: Store):
    with told.snapshot() as snapshot:
        assert snapshot.note_categories("ada") == {"general": 1, "home": 2, "preference": 2}
        assert snapshot.note_categories("ada", now=at(9)) == {
            "general": 1,
            "home": 1,
            "preference": 2,
        }
        assert snapshot.note_categories("tom") == {"preference": 1}


def test_a_search_may_be_for_notes_of_some_categories(told: Store):
    def found(where: LineFilter) -> set[str]:
        with told.snapshot() as snapshot:
            numbers = snapshot.find_words(
                "ada", index_words("tea rent door morning"), where, limit=9
            )
            return {hit.id for hit in snapshot.hits("ada", numbers, [])}

    assert found(LineFilter()) == {"n1", "n2", "n3", "n4"}
    assert found(LineFilter(categories=("home",))) == {"n2", "n4"}
    assert found(LineFilter(categories=("home", "preference"), now=at(9), projects=("orion",))) == {
        "n1",
        "n2",
    }
    assert found(LineFilter(categories=("home",), kinds=("message",))) == set()
    with told.snapshot() as snapshot:
        before = snapshot.notes("ada", categories=["home"])[0]
    commit(told, "ada", Change(before=before))
    assert found(LineFilter(categories=("home",))) == {"n2"}
