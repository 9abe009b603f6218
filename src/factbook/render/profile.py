"""A profile: an entity's name, what holds of it now, and what else is most worth knowing,
within a budget of tokens.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from factbook.model.entity import Entity, Link, StatedFact
from factbook.model.record import SELF, Observation
from factbook.ports.models import Tokenizer
from factbook.render import row_words
from factbook.text.escape import inline, item
from factbook.text.index_words import index_words

FADES = 0.9
"""What each observation of a sort leaves of the worth of the next of that sort: ten opinions don't
keep out where somebody works.
"""
SAME = 0.7
"""From this share of its words in one line before it on, an observation tells nothing new."""


def profile(
    entity: Entity,
    observations: Sequence[Observation],
    *,
    tokenizer: Tokenizer,
    budget: int,
    now: datetime,
) -> str:
    """Returns the lines that fit, the heading first; empty where not even that does.

    Args:
        observations: those that may be told, the most worth knowing first.
    """
    told = _heading(entity)
    if tokenizer.count(told) > budget:
        return ""
    for line in _lines(entity, observations, now):
        longer = f"{told}\n- {line}"
        if tokenizer.count(longer) <= budget:
            told = longer
    return told


def _heading(entity: Entity) -> str:
    """`Ada Moreau (person), also Ada: keeps bees`."""
    kind = "" if entity.id == SELF else item(entity.entity_type).replace("_", " ")
    head = f"{row_words.user(entity.name) if entity.id == SELF else item(entity.name)}"
    head += f" ({kind})" if kind not in ("", "other") else ""
    head += f", also {', '.join(map(item, entity.aliases))}" if entity.aliases else ""
    return f"{head}: {inline(entity.description)}" if entity.description else head


def _lines(entity: Entity, observations: Sequence[Observation], now: datetime) -> Iterator[str]:
    """Yields what holds now, what is disputed, and then the observations that say more than that."""
    disputed = {row.id for each in entity.conflicts for row in each.facts}
    disputed |= {row.id for each in entity.conflicts for row in each.relations}
    shown: set[str] = set()
    before: list[frozenset[str]] = []
    for conflict in entity.conflicts:
        yield row_words.dispute(conflict.attribute, conflict.claims, now)
    held = [
        *((each.fact.id, row_words.fact(each.fact)) for each in entity.facts if _holds(each)),
        *((each.relation.id, _linked(entity, each)) for each in entity.links if _holds(each)),
    ]
    for row_id, line in held:
        shown.add(row_id)
        if row_id not in disputed:
            before.append(frozenset(index_words(line)))
            yield line
    for row in _by_worth(observations):
        words = frozenset(index_words(row.text))
        is_told = bool(shown.intersection(row.record_ids)) or any(
            len(words & those) >= SAME * len(words) for those in before
        )
        if not is_told:
            before.append(words)
            yield _observed(row)


def _holds(stated: StatedFact | Link) -> bool:
    return stated.state == "current"


def _linked(entity: Entity, link: Link) -> str:
    """`works at Acme since 2026-05`; of a relation from the other end, with who that is first."""
    line = row_words.relation(link.relation, {link.relation.to_id: link.to_name})
    return line if link.from_id == entity.id else f"{item(link.from_name)} {line}"


def _by_worth(observations: Sequence[Observation]) -> Iterator[Observation]:
    """Yields the most worth knowing first, the less so the more of its sort were told."""
    left = list(observations)
    told: Counter[str] = Counter()
    while left:
        best = max(left, key=lambda row: row.importance * FADES ** told[row.sort])
        left.remove(best)
        told[best.sort] += 1
        yield best


def _observed(row: Observation) -> str:
    """`preference: “only drinks oat milk” (Bo, 2026-05-07)`."""
    holds = {"denied": "not so, ", "planned": "planned, "}.get(row.holds, "")
    said = row_words.observation(row)
    words, _, source = said.rpartition(" (")
    speaker = "" if row.holds == "hearsay" else inline(row.source.speaker)
    return f"{row.sort}: {words} ({holds}{f'{speaker}, ' if speaker else ''}{source}"
