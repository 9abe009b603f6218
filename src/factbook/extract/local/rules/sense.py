"""What a verb says of its ends: the form in which the vocabulary is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from factbook.extract.relation_ends import ACTORS, ANYTHING, EFFORTS, GROUPS, SYSTEMS, TOOLS
from factbook.model.relation_table import PEOPLE, PLACES
from factbook.model.relations import PAST_FORMS

__all__ = [
    "ACTORS",
    "ANYTHING",
    "EFFORTS",
    "GROUPS",
    "PEOPLE",
    "PLACES",
    "SYSTEMS",
    "TOOLS",
    "Sense",
]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sense:
    """What a verb says of its subject and object.

    Attributes:
        label: the relation; `past`: whether what is over is told by the label's past form.
        left, right: the kinds that its ends may have; the empty one is a plain phrase.
        event: whether it happens at a time (`approved`) rather than lasts.
        begins: whether it is a state that begins when the verb happens (`joined`).
        stays: whether what is told of it in the past holds still (`we stuck with Postgres`).
        turned: whether the object is the relation's first end (`Postgres powers the shop`: the shop
            uses it).
        group: whether what `we` do is what the speaker does.
        shared: whether those with whom one does it do it too (`Ana founded it with Tom`).
        made: whether an object without preposition is what it is said of (`I wrote the shop in
            Go`).
        phrase: where the object may be a plain phrase, which: one that means a certain thing (`the
            team`), one that is a name in all but letters (`the onboarding guide`), one that means
            any of its sort (`dark chocolate`), a certain one or one of two words (`nitrogen
            uptake`), or any.
        nouns: with which such a phrase must end, any if empty; `strict`: and a name too.
    """

    label: str
    past: bool = False
    left: frozenset[str] = PEOPLE
    right: frozenset[str] = ANYTHING
    event: bool = False
    begins: bool = False
    stays: bool = False
    turned: bool = False
    group: bool = False
    shared: bool = False
    made: bool = False
    phrase: Literal["certain", "named", "loose", "distinct", "any"] = "certain"
    nouns: frozenset[str] = frozenset()
    strict: bool = False

    @property
    def past_label(self) -> str:
        """Returns the label of the relation once it is over; empty where it has none of its own."""
        return PAST_FORMS[self.label] if self.past else ""
