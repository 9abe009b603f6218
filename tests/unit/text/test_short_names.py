"""Short names of what is told by a clause."""

from __future__ import annotations

import pytest

from factbook.text.short_names import shorten_clause


@pytest.mark.parametrize(
    ("clause", "name"),
    [
        ("use Terraform", "use Terraform"),
        ("answer every  customer ticket the same day", "answer every customer ticket the same day"),
        (
            "move the weekly planning meeting with Globex to Monday at nine",
            "move the weekly planning meeting with Globex",
        ),
        (
            "not renew the contract with Initrode, since they raised the price again",
            "not renew the contract with Initrode",
        ),
        (
            "pick customers partners suppliers vendors auditors lawyers bankers brokers agents",
            "pick customers partners suppliers vendors auditors lawyers bankers",
        ),
    ],
)
def test_a_long_clause_is_cut_before_a_phrase(clause: str, name: str) -> None:
    assert shorten_clause(clause) == name
