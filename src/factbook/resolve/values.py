"""Values and labels of statements: when two are equal, and what follows from a label."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping
from functools import lru_cache

from factbook.model.record import Cardinality, EntityType

PRESENT_OF: Mapping[str, str] = {
    "worked_at": "works_at",
    "worked_for": "works_for",
    "worked_on": "works_on",
    "worked_with": "works_with",
    "lived_in": "lives_in",
    "led": "leads",
    "managed": "manages",
    "owned": "owns",
    "used": "uses",
    "studied_at": "studies_at",
    "reported_to": "reports_to",
    "headed": "heads",
    "belonged_to": "belongs_to",
    "was_part_of": "part_of",
    "was_member_of": "member_of",
    "was_spouse_of": "spouse_of",
    "former_spouse_of": "spouse_of",
    "divorced_from": "spouse_of",
    "was_ceo_of": "ceo_of",
    "was_located_in": "located_in",
    "depended_on": "depends_on",
    "sponsored": "sponsors",
    "was_married_to": "married_to",
}
"""Labels that say of another label that it holds no longer."""

ONE_HOLDER = frozenset({"leads", "heads", "ceo_of", "chairs"})
"""Labels of which one thing has one holder at a time: a newcomer closes the one before."""

_PAST_OF: Mapping[str, tuple[str, ...]] = {
    present: tuple(past for past, of in PRESENT_OF.items() if of == present) for present in PRESENT_OF.values()
}


def labels_with(labels: Collection[str]) -> frozenset[str]:
    """The labels, and those that bear upon what they say."""
    wanted = {PRESENT_OF.get(label, label) for label in labels} | set(labels)
    return frozenset(wanted | {past for label in wanted for past in _PAST_OF.get(label, ())})


NAME_ATTRIBUTES = frozenset({"name", "full_name", "nickname", "alias", "also_known_as"})
"""Attributes whose value is another name of the entity."""


@lru_cache(maxsize=8192)
def fold_value(value: str) -> str:
    """The form in which two attribute values are equal: case, width, spacing and the end's punctuation don't count."""
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split()).strip(" .,;:!?\"'“”‘’")


def attribute_cardinality(kind: EntityType | None, attribute: str) -> Cardinality:
    """How many values of the attribute hold at once, for entities of the kind; `single` if it is not declared."""
    if attribute in NAME_ATTRIBUTES:
        return "set"
    return kind.attributes.get(attribute, "single") if kind else "single"


def relation_cardinality(kind: EntityType | None, label: str) -> Cardinality:
    """The same for a relation's label; `set` if it is not declared."""
    return kind.relations.get(label, "set") if kind else "set"


SYMMETRIC = frozenset(
    "spouse_of married_to sibling_of friend_of knows partner_of colleague_of related_to cousin_of neighbor_of".split()
)
"""Labels that say the same either way round."""
