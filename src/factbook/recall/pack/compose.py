"""From candidates in words to a recollection: packed into the budget, rendered, counted,
explained.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from factbook.model.recollection import LeftOut, RecalledLine, Recollection
from factbook.ports.models import Tokenizer
from factbook.recall.pack.knapsack import Item, pack
from factbook.recall.phrase.phrased_line import Candidate
from factbook.recall.request import RecallRequest
from factbook.recall.weights import Weights
from factbook.render.block import CLOSING, Entry, alone, because, block, marked, opening
from factbook.render.row_words import quoted
from factbook.text.coverage import covered
from factbook.text.excerpt import Cut
from factbook.text.index_words import index_words

MOST_NEAR = 5
"""Lines that are told of without entering, for each reason."""
SHARE_OF_SPACES = 0.5
"""Of the budget, what is shared equally by the spaces that have something to say; for the rest only
worth counts.
"""
SHARE_OF_ALWAYS = 0.2
"""Of the budget, for what enters every context."""
FADING = 0.2
"""Of a long message's score, what a portion of it that holds nothing of the question would lose."""
_ROUNDS = 3
_JOINT = ";"


@dataclass(frozen=True, kw_only=True, slots=True)
class Ahead:
    """So many of the candidates enter before those behind them, as far as their share of the budget
    holds them (1 for all of it).
    """

    number: int
    share: float


@dataclass(frozen=True, kw_only=True, slots=True)
class PackingAim:
    """The aim of packing for one question.

    Attributes:
        about: names for the block's opening.
        ahead: the first of the candidates, group by group.
        weighed: how many lines were looked at.
        share_of_cards: of the budget, what cards may take before all else had its chance.
        spread: prefer lines of sessions that are not in yet.
        repeats: what was said again on another day counts, too; what goes by the day always does.
    """

    about: Sequence[str]
    ahead: Sequence[Ahead] = ()
    weighed: int = 0
    share_of_cards: float = 1.0
    spread: bool = False
    repeats: bool = False


def compose(
    candidates: Sequence[Candidate], request: RecallRequest, aim: PackingAim
) -> Recollection:
    """Packs the candidates, given best first, into the request's budget: the recollection's text
    costs at most that by its tokenizer, headings and all.
    """
    tokenizer, budget = request.tokenizer, request.budget
    candidates = _once(candidates, aim.repeats)
    frame = tokenizer.count(f"{opening(aim.about, request.now)}\n{CLOSING}")
    places = _places(candidates)
    items = [
        _item(key, candidate, places[key], tokenizer)
        for key, candidate in enumerate(candidates)
        if not candidate.left_out
    ]
    table = _WordTable(candidates=candidates)
    items += table.more(tokenizer)
    first, number = list[int](), 0
    for each in aim.ahead:
        share = int(each.share * budget)
        first += _first(items[number : number + each.number], share)
        number += each.number
    rest = items[number:]
    items = [*(items[key] for key in first), *rest]
    target = budget - frame
    first += _shared(rest, table, target, request.weights)
    packing = _Packing(table=table, items=items, target=target, request=request, aim=aim)
    best, text = packing.run(first)
    if open_claims := _open_claims(candidates, table.told(best)):
        first = [*first, *open_claims]
        best, text = packing.run(first)
    if repeated := _repeated(table.told(best)):
        fresh = replace(packing, items=[each for each in items if each.key not in repeated])
        again, shorter = fresh.run([key for key in first if key not in repeated])
        if set(best) - repeated <= set(again):
            best, text = again, shorter
    told = table.told(best)
    return Recollection(
        question=request.question,
        text=text,
        lines=tuple(_line(each, tokenizer) for each in told.values()),
        tokens=tokenizer.count(text) if text else 0,
        budget=budget,
        candidates=aim.weighed or len(candidates),
        near=tuple(_line(candidates[key], tokenizer, why) for key, why in _near(candidates, told)),
        about=tuple(dict.fromkeys(aim.about)),
    )


def _open_claims(candidates: Sequence[Candidate], told: Collection[int]) -> list[int]:
    """The conflicts that are left out, of which a message in the block tells one side."""
    said = {candidates[place].id for place in told if candidates[place].kind == "message"}
    return [
        place
        for place, each in enumerate(candidates)
        if place not in told and not each.left_out and set() < each.claims & said < each.claims
    ]


def _repeated(told: Mapping[int, Candidate]) -> set[int]:
    """The lines of profiles whose words a message in the block tells, too."""
    said = {each.id: each for each in told.values() if each.kind == "message"}
    out: set[int] = set()
    for place, each in told.items():
        message = said.get(each.source_id)
        if each.entry.shape != "profile" or each.kind != "observation" or message is None:
            continue
        words, _, _ = each.entry.text.rpartition("” (")
        if message.cut is None or set(index_words(words)) <= set(index_words(message.entry.text)):
            out.add(place)
    return out


def _once(candidates: Sequence[Candidate], repeats: bool) -> list[Candidate]:
    """The candidates, of which those say the same whose words stand in a better one by the same
    speaker and space.
    """
    said = [place for place, each in enumerate(candidates) if each.entry.by and not each.left_out]
    out = list(candidates)
    for place, found in covered([_words(candidates[place], repeats) for place in said]).items():
        same = frozenset({f"words of {said[found.by]}"})
        number, by = said[place], said[found.by]
        out[number] = replace(out[number], unless=out[number].unless | same)
        out[by] = replace(out[by], says=out[by].says | same)
        if found.both:
            out[number] = replace(out[number], says=out[number].says | same)
            out[by] = replace(out[by], unless=out[by].unless | same)
    return out


def _words(candidate: Candidate, repeats: bool) -> tuple[tuple[str, ...], str]:
    """Returns the speaker and the words. Of one that is cut not all is told: another has to be the
    same throughout.
    """
    entry = candidate.entry
    whose = (
        candidate.space,
        entry.by,
        entry.group if repeats or _BY_DAY.search(entry.text) else "",
    )
    if candidate.cut is None:
        return whose, entry.text.strip("“”")
    text = " ".join(candidate.cut.text.casefold().split())
    return (*whose, text), text[:_ENOUGH]


_BY_DAY = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|ago|(?:last|next|this|on|by|until|till|since) "
    r"(?:night|morning|afternoon|evening"
    r"|week(?:end)?|month|year|spring|summer|autumn|fall|winter|(?:mon|tues|wednes|thurs|fri|"
    r"satur|sun)day)"
    r"|heute|gestern|morgen|aujourd['’]hui|demain|hier|hoy|ayer|mañana|oggi|ieri|domani|vandaag|"
    r"gisteren)\b"
    r"|сегодня|завтра|вчера|今日|明日|昨日|今天|明天|昨天",
    re.IGNORECASE,
)
"""What says another thing on another day."""
_ENOUGH = 80
"""Characters of a text that is compared throughout anyway."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _WordTable:
    """Candidates by the keys of their items. More portions of one that is cut have keys behind
    those of all candidates.
    """

    candidates: Sequence[Candidate]
    portions: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])

    def more(self, tokenizer: Tokenizer) -> list[Item]:
        """An item for each portion beyond the first, of all candidates."""
        out: list[Item] = []
        for key, candidate in enumerate(self.candidates):
            if candidate.cut is None or candidate.left_out:
                continue
            for number, portion in enumerate(candidate.cut.portions[1:], 1):
                out.append(
                    Item(
                        key=len(self.candidates) + len(self.portions),
                        score=candidate.score * (1.0 - FADING * (1.0 - portion.worth)),
                        cost=_price(candidate.cut, number, tokenizer),
                        needs=key,
                    )
                )
                self.portions.append((key, number))
        return out

    def of(self, key: int) -> Candidate:
        """The candidate of an item."""
        return self.candidates[
            key if key < len(self.candidates) else self.portions[key - len(self.candidates)][0]
        ]

    def told(self, keys: Sequence[int]) -> dict[int, Candidate]:
        """The candidates of these items, by place and best first, each with all of its portions
        that are among them.
        """
        chosen: dict[int, list[int]] = {}
        for key in keys:
            place, portion = (
                self.portions[key - len(self.candidates)]
                if key >= len(self.candidates)
                else (key, 0)
            )
            chosen.setdefault(place, []).append(portion)
        ranked = sorted(chosen, key=lambda place: (-self.candidates[place].score, place))
        return {place: _with(self.candidates[place], chosen[place]) for place in ranked}


def _price(cut: Cut, number: int, tokenizer: Tokenizer) -> int:
    """Returns the cost that a portion adds to its text."""
    parts = [part for part in cut.parts([number]) if part]
    if cut.lined:
        return tokenizer.count(quoted(*parts, "", lined=True))
    return sum(tokenizer.count(f"{part} …") for part in parts)


def _with(candidate: Candidate, portions: Sequence[int]) -> Candidate:
    """The candidate with these portions of its words; no longer cut where they are all there is."""
    if candidate.cut is None or len(portions) < 2:
        return candidate
    parts = candidate.cut.parts(portions)
    left = candidate.cut if len(parts) > 1 else None
    return replace(
        candidate,
        entry=replace(candidate.entry, text=quoted(*parts, lined=candidate.cut.lined)),
        cut=left,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Packing:
    """The state of packing."""

    table: _WordTable
    items: Sequence[Item]
    target: int
    request: RecallRequest
    aim: PackingAim

    def run(self, first: Sequence[int]) -> tuple[list[int], str]:
        """The keys of the best items that the budget holds, those of `first` before all others, and
        the block.
        """
        best: list[int] = []
        text = ""
        target, weights = self.target, self.request.weights
        for _ in range(_ROUNDS):
            keys = pack(
                self.items,
                target,
                sharpness=weights.sharpness,
                thrift=weights.thrift,
                spread=weights.spread if self.aim.spread else 0.0,
                cap=int(self.aim.share_of_cards * target),
                first=first,
            )
            keys, tried = self._fit(keys)
            if len(keys) <= len(best):
                break
            best, text = keys, tried
            left = self.request.budget - self.request.tokenizer.count(text)
            if left < 2:
                break
            target += left
        return best, text

    def _fit(self, keys: Sequence[int]) -> tuple[list[int], str]:
        """Returns the keys whose block costs at most the budget, and the block: the last chosen are
        dropped until it fits.
        """
        count, kept = self.request.tokenizer.count, list(keys)
        while kept:
            entries = [each.entry for each in self.table.told(kept).values()]
            text = block(entries, self.aim.about, self.request.now)
            over = count(text) - self.request.budget
            if over <= 0:
                return kept, text
            while kept and over > 0:
                over -= max(count(alone(self.table.of(kept.pop()).entry)), 1)
        return [], ""


def _near(candidates: Sequence[Candidate], chosen: Collection[int]) -> list[tuple[int, LeftOut]]:
    """The candidates that are not in, best first, with why: at most so many for each reason."""
    said = {key for number in chosen for key in candidates[number].says}
    told: Counter[LeftOut] = Counter()
    out: list[tuple[int, LeftOut]] = []
    for number, candidate in enumerate(candidates):
        if number not in chosen:
            why = candidate.left_out or ("budget" if candidate.unless.isdisjoint(said) else "said")
            told[why] += 1
            if told[why] <= MOST_NEAR:
                out.append((number, why))
    return out


def _places(candidates: Sequence[Candidate]) -> list[int]:
    """Returns each one's place as a number that no two spaces share; -1 for none."""
    numbers: dict[tuple[str, int], int] = {}
    return [
        numbers.setdefault((each.space, each.place), len(numbers)) if each.place >= 0 else -1
        for each in candidates
    ]


def _shared(items: Sequence[Item], table: _WordTable, target: int, weights: Weights) -> list[int]:
    """The best of each space, within its share of the room; nothing where one space alone
    speaks.
    """
    spaces: dict[str, list[Item]] = {}
    for item in items:
        spaces.setdefault(table.of(item.key).space, []).append(item)
    if len(spaces) < 2:
        return []
    share = int(SHARE_OF_SPACES * target / len(spaces))
    return [
        key
        for some in spaces.values()
        for key in pack(some, share, sharpness=weights.sharpness, thrift=weights.thrift)
    ]


def _item(key: int, candidate: Candidate, place: int, tokenizer: Tokenizer) -> Item:
    entry = candidate.entry
    card = entry.shape == "card"
    return Item(
        key=key,
        score=candidate.score,
        cost=tokenizer.count(_priced(entry)) if entry.text else 0,
        group=entry.group,
        heading=tokenizer.count(f"{entry.heading} —" if card else entry.heading)
        if entry.heading
        else 0,
        session=place,
        capped=card,
        says=candidate.says,
        unless=candidate.unless,
    )


def _priced(entry: Entry) -> str:
    """The text by which a line is priced, with what joins it to those beside it."""
    match entry.shape:
        case "card":
            return marked(entry) + _JOINT
        case "profile":
            return f"\n- {marked(entry)}"
        case _:
            return marked(entry)


def _first(items: Sequence[Item], share: int) -> list[int]:
    """The keys of those that the share holds; a heading is paid for once."""
    out: list[int] = []
    groups: set[str] = set()
    for item in items:
        price = item.cost + (item.heading if item.group not in groups else 0)
        if price <= share:
            share -= price
            groups.add(item.group)
            out.append(item.key)
    return out


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
        cut=candidate.cut is not None,
    )
