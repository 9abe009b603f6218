"""Parts of names that stand for the whole, and names that may be one person's."""

from __future__ import annotations

import pytest

from factbook.text.name_parts import (
    is_everyday_name,
    may_name_one,
    parts_that_stand_alone,
    stands_beside_another,
)


def test_titles_particles_and_generations_stand_for_nobody() -> None:
    assert parts_that_stand_alone(["Dr. Tom van Berger Jr."]) == ["Tom", "Berger"]


def test_a_name_of_one_word_has_no_parts() -> None:
    assert parts_that_stand_alone(["Tom", "Tom Berger"]) == ["Berger"]


@pytest.mark.parametrize(("name", "everyday"), [("May", True), ("Priya", False), ("may", False)])
def test_an_everyday_word_counts_as_a_name_only_in_capitals(name: str, everyday: bool) -> None:
    assert is_everyday_name(name) is everyday


@pytest.mark.parametrize(
    ("text", "beside"),
    [
        ("We met Tom Fischer.", True),
        ("We met Anna Tom.", True),
        ("We met Tom Berger.", False),
        ("Dr Tom called.", False),
        ("We met Tom again.", False),
    ],
)
def test_a_part_beside_another_name_is_seen(text: str, beside: bool) -> None:
    start = text.index("Tom")
    assert stands_beside_another(text, start, start + 3, {"tom", "berger"}) is beside


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        ("Tom Berger", "Thomas Berger", True),
        ("T Berger", "Tom Berger", True),
        ("Tom", "Tom Berger", True),
        ("Tom Berger", "Anna Berger", False),
    ],
)
def test_names_of_people_may_be_one(left: str, right: str, alike: bool) -> None:
    assert may_name_one(left, right, is_person=True) is alike


def test_names_of_things_are_one_only_where_they_are_equal() -> None:
    assert may_name_one("Atlas", "ATLAS", is_person=False)
    assert not may_name_one("Atlas", "Project Atlas", is_person=False)
