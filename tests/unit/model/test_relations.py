"""The one table of relations, and that no other file keeps a table of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from factbook.model.relation_table import RELATIONS
from factbook.model.relations import (
    LABELS,
    Form,
    bearing_labels,
    ended_by,
    form_of,
    is_symmetric,
    known_label,
    names_of_label,
    relation_type,
)

ROOT = Path(__file__).parents[3]
TABLE = ROOT / "src/factbook/model/relation_table.py"
FILES = [
    path
    for folder in ("src/factbook", "bench", "training")
    for path in (ROOT / folder).rglob("*.py")
]
NAMES = sorted(
    {each.label for each in RELATIONS}
    | {name for label in LABELS for name in names_of_label(label)}
)


def everybody(_: str) -> bool:
    return True


def nobody(_: str) -> bool:
    return False


def test_a_name_stands_once_in_the_table():
    names = [
        name
        for each in RELATIONS
        for some in (each.label, each.same, each.like, each.turned, each.turned_like, each.was)
        for name in some.split()
    ]
    assert len(names) == len(set(names))
    assert {
        end for each in RELATIONS for end in (*each.past_of, each.inverse, each.broader) if end
    } <= {each.label for each in RELATIONS}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("roommate_of", "a", "b"), ("roommate_of", "b", "a")),
        (("flatmate_of", "a", "b"), ("roommate_of", "b", "a")),
        (("parent_of", "a", "b"), ("child_of", "b", "a")),
        (("has_child", "a", "b"), ("has_parent", "b", "a")),
        (("manages", "a", "b"), ("reports_to", "b", "a")),
        (("manager_of", "a", "b"), ("reports_to", "b", "a")),
        (("managed_by", "a", "b"), ("manages", "b", "a")),
        (("employs", "a", "b"), ("works_for", "b", "a")),
        (("led_by", "a", "b"), ("heads", "b", "a")),
        (("nephew_or_niece_of", "a", "b"), ("aunt_or_uncle_of", "b", "a")),
        (("worked_with", "a", "b"), ("worked_with", "b", "a")),
    ],
)
def test_a_relation_has_one_form_whichever_name_and_end_it_is_said_with(one, other):
    assert form_of(*one, is_person=everybody) == form_of(*other, is_person=everybody)


@pytest.mark.parametrize(
    ("one", "other", "is_person"),
    [
        (
            ("manages", "a", "b"),
            ("reports_to", "b", "a"),
            nobody,
        ),  # nobody says that a team reports to its manager so
        (("brother_of", "a", "b"), ("brother_of", "b", "a"), everybody),
        (("mother_of", "a", "b"), ("parent_of", "a", "b"), everybody),  # says more
        (("joined", "a", "b"), ("works_at", "a", "b"), everybody),
        (("likes", "a", "b"), ("likes", "b", "a"), everybody),
        (("haunts", "a", "b"), ("haunts", "b", "a"), everybody),
    ],
)
def test_what_says_more_or_else_is_a_relation_of_its_own(one, other, is_person):
    assert form_of(*one, is_person=is_person) != form_of(*other, is_person=is_person)


@pytest.mark.parametrize(
    ("said", "over"),
    [
        ("worked_at", {"works_at"}),
        ("left", {"works_at"}),
        ("volunteered_at", {"volunteers_at"}),
        ("ex_partner_of", {"partner_of", "spouse_of", "dating", "engaged_to"}),
        ("divorced_from", {"spouse_of"}),
        ("was_married_to", {"spouse_of"}),
        ("reported_to", {"reports_to"}),
        ("managed", {"reports_to"}),
        ("headed", {"leads"}),
        ("was_ceo_of", {"ceo_of"}),
        ("partner_of", set[str]()),
        ("haunted", set[str]()),
    ],
)
def test_a_past_form_says_what_holds_no_longer(said, over):
    assert {form.label for form in ended_by(said, "a", "b", everybody)[0]} == over


def test_what_lapses_is_over_once_its_present_holds_again():
    assert [form.label for form in ended_by("partner_of", "a", "b", everybody)[1]] == [
        "ex_partner_of"
    ]
    assert ended_by("works_at", "a", "b", everybody)[1] == []


def touched(label: str, ends: tuple[str, str], is_person: Callable[[str], bool]) -> set[Form]:
    over, lapsed = ended_by(label, *ends, is_person)
    return {form_of(label, *ends, is_person), *over, *lapsed}


@pytest.mark.parametrize("label", NAMES)
def test_every_name_that_can_be_one_with_a_label_or_end_it_bears_on_it(label):
    along, against = bearing_labels(label)
    for other, ends, is_person in product(NAMES, (("a", "b"), ("b", "a")), (everybody, nobody)):
        if touched(label, ("a", "b"), is_person) & touched(other, ends, is_person):
            assert (
                other in (along if ends == ("a", "b") else against)
                or other in (along & against)
                or (
                    # Of the form's own direction: the label itself may go against it.
                    other in (against if ends == ("a", "b") else along)
                )
            )


def test_what_a_row_doesnt_know_says_nothing():
    assert relation_type("haunts").symmetric is False
    assert known_label("haunts") == ("haunts", False)
    assert names_of_label("haunts") == ("haunts",)


# --- no other table -------------------------------------------------------------------------------


def words_of(node: ast.AST) -> list[str]:
    """The texts that a literal lists: a set, list or tuple of them, or the words of one that is
    split.
    """
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "split"
    ):
        value = node.func.value
        return (
            value.value.split()
            if isinstance(value, ast.Constant) and isinstance(value.value, str)
            else []
        )
    if isinstance(node, ast.Set | ast.List | ast.Tuple):
        return [
            each.value
            for each in node.elts
            if isinstance(each, ast.Constant) and isinstance(each.value, str)
        ]
    return []


def pairs_of(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The texts that a literal maps to each other."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(value, ast.Constant):
                yield str(key.value), str(value.value)


def is_of_the_table(left: str, right: str) -> bool:
    """Whether one is the past or the inverse of the other by the table."""
    for one, other in ((left, right), (right, left)):
        row = relation_type(one)
        if other and (other in row.past_of or row.inverse == other):
            return True
    return False


def tables_in(text: str) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.expr):
            continue
        words = words_of(node)
        if len(words) > 2 and all(map(is_symmetric, words)):
            found.append(f"line {node.lineno}: symmetric labels")
        pasts = [word for word in words if relation_type(word).past_of]
        if len(pasts) > 2 and len(pasts) == len(words):
            found.append(f"line {node.lineno}: past forms")
        if sum(is_of_the_table(*pair) for pair in pairs_of(node)) > 1:
            found.append(f"line {node.lineno}: past forms or inverses")
    return found


def test_no_other_file_lists_symmetric_labels_past_forms_or_inverses():
    found = {
        path.relative_to(ROOT): tables_in(path.read_text("utf-8"))
        for path in FILES
        if path != TABLE
    }
    assert {path: tables for path, tables in found.items() if tables} == {}


def test_such_a_list_would_be_found():
    assert tables_in('A = frozenset("spouse_of knows met".split())')
    assert tables_in('A = {"spouse_of", "married_to", "roommate_of"}')
    assert tables_in('A = {"worked_at": "works_at", "led": "leads"}')
    assert tables_in('A = {"leads": "led", "lives_in": "lived_in"}')
    assert tables_in('A = {"parent_of": "child_of", "reports_to": "manages"}')
    assert tables_in('A = ["worked_at", "led", "lived_in"]')
    assert not tables_in('A = {"works_at", "spouse_of", "met"}')
