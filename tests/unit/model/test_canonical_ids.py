from __future__ import annotations

import pytest

from factbook.errors import StoreError
from factbook.model.canonical_ids import canonical_map, members_map
from tests.support.builders import same_as


def test_every_id_of_a_chain_has_the_same_root():
    roots = canonical_map([same_as("a", "b"), same_as("b", "c"), same_as("x", "y")])
    assert roots == {"a": "c", "b": "c", "x": "y"}
    assert members_map(roots) == {"c": ("c", "a", "b"), "y": ("y", "x")}


@pytest.mark.parametrize(
    "pairs",
    [
        [("a", "a")],
        [("a", "b"), ("b", "a")],
        [("a", "b"), ("a", "c")],
        [("a", "b"), ("b", "c"), ("c", "b")],
    ],
)
def test_what_is_no_forest_is_refused(pairs: list[tuple[str, str]]):
    with pytest.raises(StoreError):
        canonical_map(same_as(*pair) for pair in pairs)
