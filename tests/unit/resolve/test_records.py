"""Records are told apart by how far their attributes agree."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factbook.resolve.records.agree import compare_values
from factbook.resolve.records.blocks import candidate_pairs
from factbook.resolve.records.link import group_records
from factbook.resolve.records.population import Population, population_of
from factbook.resolve.records.score import score_records
from factbook.resolve.records.sorts import (
    Record,
    attribute_sort,
    is_for_life,
    is_of_place,
    is_own_code,
    normal_form,
)

FEBRL = Path(__file__).parents[3].parent / "shared" / "data" / "febrl"


def record(**values: str) -> Record:
    return {name: (value,) for name, value in values.items()}


def bits(left: Record, right: Record, population: Population | None = None) -> float:
    among = population or Population(size=100)
    return score_records(among.prepare_record(left), among.prepare_record(right), among).bits


@pytest.mark.parametrize(
    ("attribute", "sort"),
    [
        ("given_name", "name"),
        ("date_of_birth", "date"),
        ("birthday", "date"),
        ("postcode", "postal"),
        ("soc_sec_id", "code"),
        ("email", "code"),
        ("street_number", "number"),
        ("address_1", "words"),
        ("state", "category"),
        ("mood", "text"),
    ],
)
def test_the_sort_of_an_attribute_is_told_by_its_name(attribute: str, sort: str) -> None:
    assert attribute_sort(attribute) == sort


@pytest.mark.parametrize(
    ("values", "sort"),
    [
        (["2020-01-02", "3/4/1999", "19870304"], "date"),
        (["AB-12345", "CD-99812"], "code"),
        (["12", "7.5"], "number"),
        (["red", "blue"] * 40, "category"),
        (["likes tea"], "text"),
    ],
)
def test_or_else_by_its_values(values: list[str], sort: str) -> None:
    assert attribute_sort("badge", values) == sort


def test_values_compare_in_a_normal_form() -> None:
    assert normal_form("date", "2/4/1980") == normal_form("date", "1980-04-02") == "19800402"
    assert normal_form("date", "in spring") == "in spring"
    assert normal_form("code", "+351 (21) 555-010") == normal_form("code", "+35121555010")
    assert normal_form("code", " Ada@Berger.com ") == "ada@berger.com"
    assert normal_form("postal", "0450") == "450"
    assert normal_form("number", "0") == "0"
    assert normal_form("words", "Zoë’s  Lane") == "zoes lane"


@pytest.mark.parametrize(
    ("sort", "left", "right", "level"),
    [
        ("date", "19800402", "19800204", "near"),
        ("date", "19800402", "19800412", "near"),
        ("date", "19800402", "19800419", "part"),
        ("date", "19800402", "19651130", "differ"),
        ("date", "in spring", "in autumn", "differ"),
        ("code", "5437911", "5473911", "near"),
        ("code", "5437911", "5437900", "part"),
        ("code", "5437911", "9020113", "differ"),
        ("number", "127", "12", "part"),
        ("number", "127", "137", "near"),
        ("number", "12", "21", "part"),
        ("number", "7", "8", "differ"),
        ("postal", "4070", "4700", "near"),
        ("category", "nsw", "nws", "near"),
        ("category", "a", "b", "differ"),
        ("name", "robert", "bob", "near"),
        ("name", "lauren", "lauern", "near"),
        ("name", "s", "samuel", "part"),
        ("name", "mac donald", "macdonald", "near"),
        ("name", "jon", "ian", "part"),
        ("name", "ana maria", "maria", "part"),
        ("name", "ana", "bruno", "differ"),
        ("words", "mill lane", "lane mill", "near"),
        ("words", "mill lane", "mil llane", "near"),
        ("words", "harbour street", "station street", "part"),
        ("words", "harbour street", "mill lane", "differ"),
        ("text", "head of sales", "sales head of", "near"),
    ],
)
def test_how_far_values_agree(sort: str, left: str, right: str, level: str) -> None:
    assert compare_values(sort, left, right) == level
    assert compare_values(sort, right, left) == level


def test_what_belongs_to_one_alone_and_to_a_household() -> None:
    assert (is_own_code("email"), is_own_code("street")) == (True, False)
    assert (is_of_place("postcode"), is_of_place("email")) == (True, False)
    assert (is_for_life("date_of_birth"), is_for_life("email")) == (True, False)


def test_a_rare_value_says_more_than_a_common_one() -> None:
    people = [record(surname="berger") for _ in range(900)] + [record(surname="osei")] * 2
    among = population_of(people)
    assert bits(people[-1], people[-2], among) > bits(people[0], people[1], among) + 4


def test_swapped_fields_are_seen_and_said() -> None:
    left = record(given_name="dana", surname="osei", suburb="east legon")
    right = record(given_name="osei", surname="dana", suburb="east legon")
    among = Population(size=100)
    found = score_records(among.prepare_record(left), among.prepare_record(right), among)
    assert "given name is the same, swapped with surname" in found.evidence
    assert found.bits > bits(left, record(given_name="rui", surname="silva", suburb="east legon"))


def test_a_value_that_says_nothing_is_left_out() -> None:
    assert Population().prepare_record({"city": ("...", "Porto", "porto")}) == {
        "city": ("...", "porto")
    }
    assert Population().prepare_record({"email": (" ",)}) == {}


def test_the_best_of_several_values_counts() -> None:
    one = {"email": ("old@berger.com", "tom@berger.com")}
    assert bits(one, record(email="tom@berger.com")) > 0


def test_groups_are_not_joined_by_a_chain_of_slips() -> None:
    assert group_records([]) == []
    assert group_records(
        [record(name="Ana Silva", email="ana@silva.pt", born="1980-02-03")] * 2
        + [record(name="Rui")]
    ) == [[0, 1]]


def test_a_slip_after_a_slip_does_not_lead_to_another() -> None:
    ana = {"given_name": "ana", "surname": "silva", "born": "1980-02-03", "email": "ana@silva.pt"}
    rui = {"given_name": "rui", "surname": "costa", "born": "1971-09-30", "email": "rui@costa.pt"}
    mixed = {**ana, "surname": "costa", "email": "rui@costa.pt", "phone": "5550101"}
    others = [
        record(given_name=f"n{n}", surname=f"s{n}", born=f"19{n:02}-01-01", email=f"m{n}@x.pt")
        for n in range(90)
    ]
    found = group_records(
        [
            record(**ana),
            record(**mixed),
            record(**rui),
            record(**{**rui, "phone": "5550101"}),
            *others,
        ]
    )
    assert all({0, 2} - set(group) for group in found)


def test_fields_of_two_sorts_are_never_swapped() -> None:
    left, right = record(surname="porto", suburb="faro"), record(surname="lisboa", suburb="porto")
    among = Population(size=100)
    assert not any(
        part.swapped_with
        for part in score_records(
            among.prepare_record(left), among.prepare_record(right), among
        ).parts
    )


def test_a_field_is_swapped_with_one_other_at_most() -> None:
    left = record(given_name="ana", surname="maria", nickname="lena")
    right = record(given_name="maria", surname="ana", nickname="ana")
    among = Population(size=100)
    found = score_records(among.prepare_record(left), among.prepare_record(right), among).parts
    assert sorted(part.swapped_with for part in found) == ["", "given_name", "surname"]


def test_common_values_make_no_pairs() -> None:
    assert candidate_pairs([record(state="nsw") for _ in range(300)]) == []
    assert candidate_pairs([record(surname=f"berger{n % 2}") for n in range(300)]) == []


_VALUES = st.fixed_dictionaries(
    {},
    optional={
        "given_name": st.sampled_from(["ana", "anna", "rui", "dana"]),
        "surname": st.sampled_from(["silva", "sliva", "osei", "dana"]),
        "born": st.sampled_from(["1980-04-02", "1980-02-04", "1975-12-31"]),
        "email": st.sampled_from(["a@b.pt", "c@d.pt"]),
        "city": st.text(max_size=6),
    },
)


@given(_VALUES, _VALUES)
@settings(max_examples=200, deadline=None)
def test_the_score_is_the_same_whichever_comes_first(
    left: dict[str, str], right: dict[str, str]
) -> None:
    assert bits(record(**left), record(**right)) == pytest.approx(
        bits(record(**right), record(**left))
    )


@pytest.mark.parametrize(("name", "wanted"), [("dataset1.csv", 0.995), ("dataset3.csv", 0.99)])
def test_records_of_one_person_are_found_and_hardly_any_other(name: str, wanted: float) -> None:
    if not (FEBRL / name).exists():
        pytest.skip("the records of Febrl are not here (../shared/data/febrl)")
    with (FEBRL / name).open(newline="") as file:
        rows = list(csv.DictReader(file, skipinitialspace=True))
    owners = [row.pop("rec_id").split("-")[1] for row in rows]
    people = [
        {key: (value.strip(),) for key, value in row.items() if value.strip()} for row in rows
    ]
    found = {
        (a, b) for group in group_records(people) for at, b in enumerate(group) for a in group[:at]
    }
    gold = {(a, b) for b in range(len(rows)) for a in range(b) if owners[a] == owners[b]}
    precision, recall = len(found & gold) / len(found), len(found & gold) / len(gold)
    assert precision >= 0.999
    assert 2 * precision * recall / (precision + recall) >= wanted
