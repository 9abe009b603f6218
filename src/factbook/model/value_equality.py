"""Values of statements: when two are equal, and how many hold at once."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from factbook.model.record import Cardinality, EntityType
from factbook.model.relations import own_label

NAME_ATTRIBUTES = frozenset({"name", "full_name", "nickname", "alias", "also_known_as"})
"""Attributes whose value is another name of the entity."""


@lru_cache(maxsize=8192)
def fold_value(value: str) -> str:
    """Returns the form in which two attribute values are equal: case, width, spacing and the end's
    punctuation don't count.
    """
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split()).strip(" .,;:!?\"'“”‘’")


def attribute_cardinality(kind: EntityType | None, attribute: str) -> Cardinality:
    """Returns the cardinality of the attribute for entities of the kind; `single` if it is not
    declared.
    """
    if attribute in NAME_ATTRIBUTES:
        return "set"
    return kind.attributes.get(attribute, "single") if kind else "single"


def relation_cardinality(kind: EntityType | None, label: str) -> Cardinality:
    """Returns the same for a relation's label, by whichever name; `set` if it is not declared."""
    if kind is None:
        return "set"
    names = [name for name in kind.relations if own_label(name) == own_label(label)]
    return (
        kind.relations[label]
        if label in kind.relations
        else kind.relations[names[0]]
        if names
        else "set"
    )
