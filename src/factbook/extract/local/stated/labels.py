"""The one form of a relation that equal ones share."""

from __future__ import annotations

SYMMETRIC = frozenset(
    """spouse_of sibling_of friend_of colleague_of works_with partner_of ex_partner_of cousin_of roommate_of neighbor_of
    classmate_of knows met partners_with competes_with""".split()
)
INVERSE = {"child_of": "parent_of", "grandchild_of": "grandparent_of", "nephew_or_niece_of": "aunt_or_uncle_of"}


def canonical(left: str, label: str, right: str) -> tuple[str, str, str]:
    """The relation by the label of its inverse where that is the one that is learned."""
    return (right, INVERSE[label], left) if label in INVERSE else (left, label, right)


def mirrored(label: str) -> bool:
    """Whether the relation holds both ways."""
    return label in SYMMETRIC
