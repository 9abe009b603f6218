"""The index of names beyond exact keys: how many bear a key, words spelt nearly so, and what was
decided of whom.
"""

from __future__ import annotations

from typing import Any

from factbook.model.change import Change
from factbook.model.record import NotSame, Review, SameAs
from factbook.ports.store import Store
from factbook.text.names import slip_forms
from tests.support.builders import alias, commit, entity, not_same, review, same_as


def test_bearers_of_a_key_are_counted_up_to_a_limit(store: Store):
    commit(
        store, "ada", *(entity(f"e{n}", name="Dana Osei") for n in range(3)), alias("e0", "Dana")
    )
    with store.snapshot() as snapshot:
        keys = ["f:dana osei", "t:osei", "f:dana", "f:nobody"]
        assert snapshot.name_counts("ada", keys, limit=2) == {
            "f:dana osei": 2,
            "t:osei": 2,
            "f:dana": 1,
        }
        assert snapshot.name_counts("other", keys, limit=2) == {}
        assert snapshot.name_counts("ada", [], limit=2) == {}


def test_a_misspelt_word_leads_to_those_of_names(store: Store):
    commit(store, "ada", entity("a", name="Dana Osei"), entity("b", name="Bartholomew Osel"))
    commit(store, "other", entity("a", name="Dona Oseu"))
    with store.snapshot() as snapshot:
        assert snapshot.near_words("ada", ["oesi", "dqna", "osei", "xy", "nobody"], limit=9) == {
            "oesi": ["osei"],
            "dqna": ["dana"],
            "osei": ["osel"],
        }
        assert snapshot.near_words("ada", ["osex"], limit=1) == {"osex": ["osei"]}


def test_a_word_goes_with_the_last_name_that_has_it(store: Store):
    first, second = entity("a", name="Dana Osei"), entity("b", name="Kofi Osei")
    commit(store, "ada", first, second)
    commit(store, "ada", Change(before=first))
    with store.snapshot() as snapshot:
        assert snapshot.near_words("ada", ["osey", "dena"], limit=9) == {"osey": ["osei"]}
    commit(store, "ada", Change(before=second, after=entity("b", name="Kofi Mensah")))
    with store.snapshot() as snapshot:
        assert snapshot.near_words("ada", ["osey", "mensa"], limit=9) == {"mensa": ["mensah"]}
    assert store.check() == []


def test_a_word_is_near_another_if_one_letter_is_left_out_of_each():
    assert slip_forms("osei") == ("osei", "sei", "oei", "osi", "ose")
    assert (
        slip_forms("ada")
        == slip_forms("x" * 30)
        == slip_forms("k8s1")
        == slip_forms("王伟王伟")
        == ()
    )


def test_decisions_are_found_by_either_end(store: Store):
    rows: list[Any] = [
        same_as("b", "a", id="b"),
        same_as("c", "b", id="c"),
        not_same("a", "d", id="n1"),
        not_same("e", "f", id="n2"),
        review("d", "a", id="r1", state="refused"),
        review("e", "f", id="r2"),
    ]
    commit(store, "ada", *(entity(key) for key in "abcdef"), *rows)
    with store.snapshot() as snapshot:
        assert [row.id for row in snapshot.verdicts("ada", SameAs, ["b"])] == ["b", "c"]
        assert [row.id for row in snapshot.verdicts("ada", NotSame, ["d", "a"])] == ["n1"]
        assert [row.id for row in snapshot.verdicts("ada", Review, ["a", "f"])] == ["r1", "r2"]
        assert (
            snapshot.verdicts("ada", Review, []) == snapshot.verdicts("other", Review, ["a"]) == []
        )
