"""Drafts in a readable form, and the local extractor on a few words: `print(read("I use
Postgres."))`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache

from factbook.extract.local import LocalExtractor
from factbook.model.draft import Draft, DraftFact, DraftRelation
from factbook.model.episode import Episode, Role, StoredMessage
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF
from factbook.ports.models import ExtractionContext

SAID_AT = datetime(2024, 5, 15, 10, 30, tzinfo=UTC)
"""A Wednesday."""

KINDS = {kind.id: kind for kind in BUILT_IN}


@cache
def local() -> LocalExtractor:
    """One extractor for all tests of a process, with the rules alone: loading it takes a second."""
    return LocalExtractor(stated="none", observe=False)


@cache
def whole() -> LocalExtractor:
    """One extractor as it is without being told otherwise: the rules and what is read beside
    them.
    """
    return LocalExtractor()


def episode(*said: str | tuple[str, str], role: Role = "user", episode_id: str = "e") -> Episode:
    """Texts of the space's own user, or (speaker, text) pairs, as messages `m1`, `m2`, …"""
    pairs = [("", each) if isinstance(each, str) else each for each in said]
    messages = tuple(
        StoredMessage(
            id=f"m{number}",
            episode_id=episode_id,
            position=number,
            at=SAID_AT,
            text=text,
            speaker=speaker,
            role=role,
        )
        for number, (speaker, text) in enumerate(pairs, 1)
    )
    return Episode(id=episode_id, created_at=SAID_AT, messages=messages)


def context(**known: str) -> ExtractionContext:
    """What an extractor is told; kinds of known names by folded name."""
    return ExtractionContext(kinds=KINDS, known=known)


def draft(*said: str | tuple[str, str], role: Role = "user") -> Draft:
    """What the local extractor's rules find."""
    return local().extract([episode(*said, role=role)], context())[0]


def read(*said: str | tuple[str, str], role: Role = "user") -> str:
    """What the local extractor's rules find, compactly."""
    return compact(draft(*said, role=role))


def read_wholly(*said: str | tuple[str, str], role: Role = "user") -> str:
    """What the local extractor finds, compactly."""
    return compact(whole().extract([episode(*said, role=role)], context())[0])


def compact(found: Draft) -> str:
    """One line each: entities by kind (plain phrases in brackets), then facts, relations, and what
    was dropped.

    Times stand as `since`, `until`; what the text takes back begins with `not`.
    """
    names = {entity.ref: entity.name for entity in found.entities} | {SELF: SELF}
    lines: list[str] = []
    kinds: dict[str, list[str]] = {}
    for entity in found.entities:
        kinds.setdefault("phrase" if entity.phrase else entity.kind, []).append(entity.name)
    lines += [f"{kind}: {', '.join(those)}" for kind, those in kinds.items()]
    lines += [
        f"{_not(each)}{names[each.ref]}.{each.attribute} = {each.value}{_when(each)}"
        for each in found.facts
    ]
    lines += [
        f"{_not(each)}{names[each.from_ref]} {each.label} {names[each.to_ref]}{_when(each)}"
        for each in found.relations
    ]
    lines += [f"dropped {each.reason}: {each.what}" for each in found.dropped]
    return "\n".join(lines)


def statements(
    found: Draft, kinds: Sequence[str] = ("decision", "preference", "pain_point", "task")
) -> list[str]:
    """`kind: name` of each decision, preference, pain point and task."""
    return [f"{entity.kind}: {entity.name}" for entity in found.entities if entity.kind in kinds]


def _not(said: DraftFact | DraftRelation) -> str:
    return "not " if said.retracts else ""


def _when(said: DraftFact | DraftRelation) -> str:
    cut = {"year": 4, "month": 7}.get(said.grain, 10)
    since = f" since {said.valid_at.isoformat()[:cut]}" if said.valid_at else ""
    until = f" until {said.invalid_at.isoformat()[:cut]}" if said.invalid_at else ""
    told = f" says {said.told_by}" if said.told_by else ""
    return since + until + told
