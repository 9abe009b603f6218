"""Entities of a whole space that may be one, and what is thought of two by all that is known of
them.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factbook.model.record import SELF
from factbook.resolve.duplicates import find_duplicates
from factbook.resolve.entity_match import Side, judge_pair, side_of
from tests.support.builders import entity
from tests.support.builders import fact as fact_row


def side(name: str, kind: str = "person", *names: str, id: str = "", **record: str) -> Side:  # noqa: A002
    row = entity(id or name.lower().replace(" ", "_"), name=name, kind=kind)
    return Side(
        row=row,
        names=(name, *names),
        record={"name": (name,), **{k: (v,) for k, v in record.items()}},
    )


def verdict(left: Side, right: Side) -> str:
    one, other = judge_pair(left, right), judge_pair(right, left)
    assert (one.verdict, round(one.score, 6)) == (other.verdict, round(other.score, 6))
    return one.verdict


def found(*sides: Side) -> list[tuple[str, str, str]]:
    return [
        (each.decision.verdict, sides[each.left].row.name, sides[each.right].row.name)
        for each in find_duplicates(sides)
    ]


@pytest.mark.parametrize(
    ("left", "right", "said"),
    [
        (side("Robert Fuller"), side("Bob Fuller"), "merge"),
        (side("Robert Fuller", born="1980-01-02"), side("Bob Fuller", born="1975-11-30"), "ask"),
        (side("R. Fuller", email="r@f.org"), side("Robert Fuller", email="r@f.org"), "merge"),
        (side("R. Fuller"), side("Bob Fuller"), "ask"),
        (side("Ana Silva", email="a@s.pt"), side("Rui Costa", email="a@s.pt"), "ask"),
        (
            side("Ana Silva", email="a@s.pt", born="1980-01-02", phone="351555010"),
            side("Ana Costa", email="a@s.pt", born="1980-01-02", phone="351555010"),
            "merge",
        ),
        (
            side(
                "Ana Silva", street="12 Mill Lane", postcode="4050", city="Porto", phone="351555010"
            ),
            side(
                "Rui Silva", street="12 Mill Lane", postcode="4050", city="Porto", phone="351555010"
            ),
            "ask",
        ),
        (
            side(
                "Ana Silva", street="12 Mill Lane", postcode="4050", city="Porto", born="1980-01-02"
            ),
            side(
                "Rui Silva", street="12 Mill Lane", postcode="4050", city="Porto", born="1950-10-30"
            ),
            "separate",
        ),
        (
            side("Tom Berger", email="t@b.org", born="1980-01-02"),
            side("Tom Berger Jr.", email="t@b.org", born="1980-01-02"),
            "separate",
        ),
        (
            side("Tom Berger", email="t@b.org"),
            side("Berger Ltd", "organization", email="t@b.org"),
            "separate",
        ),
        (
            side("T. Berger", born="1980-01-02", city="Porto"),
            side("Tom Berger", born="1980-01-02", city="Porto"),
            "merge",
        ),
        (
            side("T. Berger", born="1980-01-02", passport="AB12345", city="Porto"),
            side("Tom Berger", born="1951-12-13", passport="ZX98811", city="Oslo"),
            "separate",
        ),
        (
            side("Ana Silva", email="home@silva.pt", phone="351555010"),
            side("Rui Silva", email="home@silva.pt", phone="351555010"),
            "ask",
        ),
        (
            side("Ana Silva", email="n/a", passport="Unknown"),
            side("Rui Costa", email="N/A", passport="-"),
            "separate",
        ),
        (
            side("Ana Silva", email="[email]", ssn="[id]"),
            side("Rui Costa", email="[email]", ssn="[id]"),
            "separate",
        ),
        (
            side("Ana Silva", email="info@acme.org"),
            side("Rui Costa", email="info@acme.org"),
            "separate",
        ),
        (
            side("R. Fuller", id="e3", ssn="000-00-0000"),
            side("Robert Fuller", id="e4", ssn="000-00-0000"),
            "ask",
        ),
        (
            side("Tom Berger", "person", "Mrs. Berger", email="t@b.org", phone="351555010"),
            side("Mr. Berger", email="t@b.org", phone="351555010"),
            "separate",
        ),
        (side("Dana Osei", "person", "Dee"), side("Dee", "person"), "merge"),
        (side("Ana Silva", id=SELF), side("Ana Silva", id="e1"), "separate"),
    ],
)
def test_two_are_judged_by_all_that_is_known(left: Side, right: Side, said: str) -> None:
    assert verdict(left, right) == said


def test_recorded_as_two_they_are_two() -> None:
    left, right = (
        side("Ana Silva", id="a", email="a@s.pt"),
        side("Ana Silva", id="b", email="a@s.pt"),
    )
    assert judge_pair(left, right, must_not_link=True).verdict == "separate"
    assert find_duplicates([left, right], apart=[frozenset({"a", "b"})]) == []


def test_the_names_of_a_pair_that_waits_do_not_settle_it() -> None:
    left, right = side("Ana Silva", id="a"), side("Ana Silva", id="b")
    [pair] = find_duplicates([left, right], waiting=[frozenset({"a", "b"})])
    assert pair.decision.verdict == "ask"
    [pair] = find_duplicates([left, right])
    assert pair.decision.verdict == "merge"


def test_pairs_are_found_by_name_by_slips_and_by_attributes() -> None:
    sides = [
        side("Globex", "organization"),
        side("Globex GmbH", "organization"),
        side("Bartholomew Oyelaran"),
        side("Bartholomew Oyelaren"),
        side("Ana Silva", email="home@silva.pt", born="1980-02-03"),
        side("Ana Kirk", email="home@silva.pt", born="1980-02-03"),
        side("Lena Vogt"),
    ]
    assert {(left, right) for _, left, right in found(*sides)} == {
        ("Globex", "Globex GmbH"),
        ("Bartholomew Oyelaran", "Bartholomew Oyelaren"),
        ("Ana Silva", "Ana Kirk"),
    }


def test_a_short_name_that_fits_two_is_asked_about() -> None:
    assert found(side("Pat Osei"), side("Patrick Osei"), side("Patricia Osei")) == [
        ("ask", "Pat Osei", "Patrick Osei"),
        ("ask", "Pat Osei", "Patricia Osei"),
    ]


def test_single_names_are_never_merged_by_name_alone() -> None:
    assert found(side("Priya", id="a"), side("Priya", id="b")) == [("ask", "Priya", "Priya")]


def test_a_name_that_very_many_bear_says_nothing() -> None:
    assert find_duplicates([side("Ana Silva", id=f"e{n}") for n in range(60)]) == []


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    find_duplicates(
        [side("Ana Silva", id="a"), side("Ana Silva", id="b")],
        progress=lambda at, of: told.append((at, of)),
    )
    assert told == [(0, 1), (1, 1)]


def test_a_side_has_all_values_of_what_one_has_one_of() -> None:
    facts = [
        fact_row("e", "city", "Porto"),
        fact_row("e", "city", "Lisbon"),
        fact_row("e", "nickname", "Dee"),
    ]
    made = side_of(entity("e", name="Dana Osei"), ["Dee"], facts, None)
    assert made.record == {"name": ("Dana Osei",), "city": ("Porto", "Lisbon")}
    assert made.names == ("Dana Osei", "Dee")


_SIDES = st.builds(
    side,
    st.sampled_from(
        [
            "Ana Silva",
            "Ana M. Silva",
            "Tom Berger Jr.",
            "Tom Berger",
            "T. Berger",
            "Priya",
            "Bob Carter",
        ]
    ),
    st.sampled_from(["person", "other", "organization"]),
    id=st.sampled_from(["a", "b", "c"]),
    email=st.sampled_from(["a@s.pt", "t@b.org"]),
    born=st.sampled_from(["1980-01-02", "1975-11-30"]),
)


@given(_SIDES, _SIDES)
@settings(max_examples=300, deadline=None)
def test_decisions_are_symmetric(left: Side, right: Side) -> None:
    verdict(left, right)


@given(st.lists(_SIDES, min_size=2, max_size=6, unique_by=lambda each: each.row.id))
@settings(max_examples=100, deadline=None)
def test_nothing_is_merged_across_a_veto_in_any_order(sides: list[Side]) -> None:
    for each in find_duplicates(sides):
        decision = judge_pair(sides[each.left], sides[each.right], together=False)
        assert not decision.veto
    turned = sides[::-1]
    one = {
        (e.decision.verdict, frozenset((sides[e.left].row.id, sides[e.right].row.id)))
        for e in find_duplicates(sides)
    }
    other = {
        (e.decision.verdict, frozenset((turned[e.left].row.id, turned[e.right].row.id)))
        for e in find_duplicates(turned)
    }
    assert one == other
