"""Drafts: what an extractor found in an episode, before identity is decided.

Within a draft an entity is named by its `ref`, a short key unique in the draft; `self` is the
space's own user and needs no `DraftEntity`: it has one only to hold the user's own name and
mentions, where the text gives them. Every name and quote stands in the text of the message that is
named: whoever takes a draft checks that (`extract.ground`) and reports what was dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from factbook.model.record import Hold, ObservationSort
from factbook.model.shown import short
from factbook.model.source import Grain
from factbook.model.value_equality import NAME_ATTRIBUTES

KNOWN = "known:"
"""Begins the ref of an entity that the record knows: its id follows."""

_REASON = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftMention:
    """`text` stands at `start:end` of the message."""

    message_id: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftEntity:
    """A named thing. `phrase` is True for a plain noun phrase ("the billing team") that is only an
    end of a relation.
    """

    ref: str
    name: str
    kind: str = "other"
    aliases: tuple[str, ...] = ()
    description: str = ""
    importance: float = 0.5
    mentions: tuple[DraftMention, ...] = ()
    phrase: bool = False
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftFact:
    """An attribute value said of `ref`. `retracts`: the text says that this value holds no longer
    or never did. `never`: of the two, the latter ("it's not Porto, sorry"): a correction, with
    which the value was never so. `told_by` names, as the text does, who says so where the speaker
    only passes it on ("Tom says that …").

    `valid_at` and `invalid_at` are the times that the words give ("since March", "until 2024").
    Without `invalid_at` the statement says that the value holds when it is said, so that "in 2019"
    comes with an end.
    """

    ref: str
    attribute: str
    value: str
    message_id: str
    quote: str
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    grain: Grain = "instant"
    importance: float = 0.5
    retracts: bool = False
    told_by: str = ""
    never: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftRelation:
    """A link said of two refs. `retracts`, `never` and `told_by`: as in `DraftFact`."""

    from_ref: str
    label: str
    to_ref: str
    message_id: str
    quote: str
    note: str = ""
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    grain: Grain = "instant"
    importance: float = 0.5
    retracts: bool = False
    told_by: str = ""
    never: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class DraftObservation:
    """A clause said of these refs; whose statement, opinion or plan it is comes first.

    Attributes:
        quote: the words, as the message has them.
        text: the same with what pronouns and relative days stand for in brackets; empty for none.
        sort, holds: as in `Observation`. importance: how much it is worth keeping, 0-1.
        told_by: as in `DraftFact`.
    """

    refs: tuple[str, ...]
    message_id: str
    quote: str
    text: str = ""
    sort: ObservationSort = "state"
    holds: Hold = "asserted"
    valid_at: datetime | None = None
    invalid_at: datetime | None = None
    grain: Grain = "instant"
    importance: float = 0.5
    told_by: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Dropped:
    """Something an extractor gave that was not taken, and why (`ungrounded`, `unknown_end`,
    `stop_name`, …).
    """

    reason: str
    what: str

    def __str__(self) -> str:
        return f"{self.reason}: {short(self.what)}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Draft:
    """All that was found in one episode. `extractor` names who found it, with its version."""

    episode_id: str
    extractor: str = ""
    entities: tuple[DraftEntity, ...] = ()
    facts: tuple[DraftFact, ...] = ()
    relations: tuple[DraftRelation, ...] = ()
    observations: tuple[DraftObservation, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    @property
    def naming_facts(self) -> list[DraftFact]:
        """The facts whose value is another name."""
        named = (each for each in self.facts if each.attribute in NAME_ATTRIBUTES)
        return [each for each in named if not each.retracts]

    @property
    def used_refs(self) -> set[str]:
        """The refs that the facts and relations are about."""
        ends = [(each.from_ref, each.to_ref) for each in self.relations]
        return {each.ref for each in self.facts}.union(*ends)

    @property
    def known_ids(self) -> set[str]:
        """Ids of the record's entities that the facts and relations are about."""
        return {ref.removeprefix(KNOWN) for ref in self.used_refs if ref.startswith(KNOWN)}

    def count_dropped(self) -> dict[str, int]:
        """Returns how much was not taken, by reason, as it outlives the draft.

        A reason that is no plain word could hold what was said: it counts as `other`.
        """
        reasons = (
            each.reason if _REASON.fullmatch(each.reason) else "other" for each in self.dropped
        )
        return dict(Counter(reasons).most_common())
