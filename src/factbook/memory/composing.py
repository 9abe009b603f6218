"""From candidates in words to a recollection: packed into the budget, rendered, counted, explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from factbook.memory.phrasing import Candidate
from factbook.model.line import LeftOut, RecalledLine, Recollection
from factbook.ports.models import Tokenizer
from factbook.recall.pack import Item, pack
from factbook.recall.rank import because
from factbook.recall.weights import Weights
from factbook.render.block import CLOSING, alone, block, marked, opening

MOST_NEAR = 5
"""Lines that are told of without entering, for each reason."""
SHARE_OF_SPACES = 0.5
"""Of the budget, what is shared equally by the spaces that have something to say; for the rest only worth counts."""
SHARE_OF_ALWAYS = 0.2
"""Of the budget, for what enters every context."""
_ROUNDS = 3
_JOINT = ";"


def compose(
    candidates: Sequence[Candidate],
    *,
    question: str,
    about: Sequence[str],
    budget: int,
    tokenizer: Tokenizer,
    weights: Weights,
    now: datetime,
    spread: bool = False,
    always: int = 0,
    weighed: int = 0,
) -> Recollection:
    """The recollection; its text costs at most `budget` by the tokenizer, headings and all.

    Args:
        candidates: best first. The first `always` of them enter before the others, as far as their share of the
            budget holds them.
        spread: prefer lines of sessions that are not in yet.
        weighed: how many lines were looked at.
    """
    frame = tokenizer.count(f"{opening(about, now)}\n{CLOSING}")
    places = _places(candidates)
    items = [
        _item(key, candidate, places[key], tokenizer)
        for key, candidate in enumerate(candidates)
        if not candidate.left_out
    ]
    first = _first(items[:always], int(SHARE_OF_ALWAYS * budget))
    items = [*(items[key] for key in first), *items[always:]]
    target = budget - frame
    first += _shared([item for item in items if item.key >= always], candidates, target, weights)
    best: list[int] = []
    text = ""
    for _ in range(_ROUNDS):
        keys = pack(
            items,
            target,
            sharpness=weights.sharpness,
            thrift=weights.thrift,
            spread=weights.spread if spread else 0.0,
            first=first,
        )
        keys, tried = _fitted(keys, candidates, about, now, budget, tokenizer)
        if len(keys) <= len(best):
            break
        best, text = keys, tried
        left = budget - tokenizer.count(text)
        if left < 2:
            break
        target += left
    ranked = sorted(best, key=lambda key: (-candidates[key].score, key))
    return Recollection(
        question=question,
        text=text,
        lines=tuple(_line(candidates[key], tokenizer) for key in ranked),
        tokens=tokenizer.count(text) if text else 0,
        budget=budget,
        candidates=weighed or len(candidates),
        near=tuple(_line(candidates[key], tokenizer, why) for key, why in _near(candidates, best)),
        about=tuple(dict.fromkeys(about)),
    )


def _near(candidates: Sequence[Candidate], chosen: Sequence[int]) -> list[tuple[int, LeftOut]]:
    """The candidates that are not in, best first, with why: at most so many for each reason."""
    inside = set(chosen)
    said = {key for number in chosen for key in candidates[number].says}
    told: Counter[LeftOut] = Counter()
    out: list[tuple[int, LeftOut]] = []
    for number, candidate in enumerate(candidates):
        if number not in inside:
            why = candidate.left_out or ("budget" if candidate.unless.isdisjoint(said) else "said")
            told[why] += 1
            if told[why] <= MOST_NEAR:
                out.append((number, why))
    return out


def _places(candidates: Sequence[Candidate]) -> list[int]:
    """Where each was said, as a number that no two spaces share; -1 for nowhere."""
    numbers: dict[tuple[str, int], int] = {}
    return [
        numbers.setdefault((each.space, each.place), len(numbers)) if each.place >= 0 else -1 for each in candidates
    ]


def _shared(items: Sequence[Item], candidates: Sequence[Candidate], target: int, weights: Weights) -> list[int]:
    """The best of each space, within its share of the room; nothing where one space alone speaks."""
    spaces: dict[str, list[Item]] = {}
    for item in items:
        spaces.setdefault(candidates[item.key].space, []).append(item)
    if len(spaces) < 2:
        return []
    share = int(SHARE_OF_SPACES * target / len(spaces))
    return [
        key for some in spaces.values() for key in pack(some, share, sharpness=weights.sharpness, thrift=weights.thrift)
    ]


def _item(key: int, candidate: Candidate, place: int, tokenizer: Tokenizer) -> Item:
    entry = candidate.entry
    card = entry.shape == "card"
    return Item(
        key=key,
        score=candidate.score,
        cost=tokenizer.count(marked(entry) + _JOINT if card else marked(entry)) if entry.text else 0,
        group=entry.group,
        heading=tokenizer.count(f"{entry.heading} —" if card else entry.heading) if entry.heading else 0,
        session=place,
        capped=card,
        says=candidate.says,
        unless=candidate.unless,
    )


def _first(items: Sequence[Item], share: int) -> list[int]:
    out: list[int] = []
    for item in items:
        price = item.cost + item.heading
        if price <= share:
            share -= price
            out.append(item.key)
    return out


def _fitted(
    keys: Sequence[int],
    candidates: Sequence[Candidate],
    about: Sequence[str],
    now: datetime,
    budget: int,
    tokenizer: Tokenizer,
) -> tuple[list[int], str]:
    """The keys whose block costs at most the budget, and the block: the last chosen are dropped until it fits."""
    kept = list(keys)
    while kept:
        text = block([candidates[key].entry for key in _ordered(kept, candidates)], about, now)
        over = tokenizer.count(text) - budget
        if over <= 0:
            return kept, text
        while kept and over > 0:
            over -= max(tokenizer.count(alone(candidates[kept.pop()].entry)), 1)
    return [], ""


def _ordered(keys: Sequence[int], candidates: Sequence[Candidate]) -> list[int]:
    return sorted(keys, key=lambda key: (-candidates[key].score, key))


def _line(candidate: Candidate, tokenizer: Tokenizer, left_out: LeftOut = "") -> RecalledLine:
    text = alone(candidate.entry)
    return RecalledLine(
        id=candidate.id,
        kind=candidate.kind,
        space=candidate.space,
        text=text,
        score=candidate.score,
        parts=candidate.parts,
        because=because(candidate.parts),
        at=candidate.at,
        tokens=tokenizer.count(text),
        speaker=candidate.speaker,
        session=candidate.session,
        entity_ids=candidate.entity_ids,
        source_id=candidate.source_id,
        project=candidate.project,
        general=candidate.general,
        left_out=left_out,
    )
