"""Rows are grouped by what they have in common."""

from __future__ import annotations

from factbook.model.grouping import group_by


def test_groups_and_their_rows_keep_the_order_in_which_they_come() -> None:
    groups = group_by(["bb", "a", "cc", "d"], len)
    assert list(groups.items()) == [(2, ["bb", "cc"]), (1, ["a", "d"])]


def test_no_rows_make_no_group() -> None:
    assert group_by(list[str](), len) == {}
