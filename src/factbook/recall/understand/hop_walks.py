"""Walks the hops that a question asks for: `Alice's manager` along relations, or by a fact that
holds the name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from factbook.model.record import SELF, EntityRecord, Fact, Relation
from factbook.model.relations import PASTS, known_label, names_of_label
from factbook.model.source import NEVER
from factbook.recall.request import RecallRequest
from factbook.recall.understand.query import Query, Reached
from factbook.text.index_words import index_words, stem
from factbook.text.name_links import link_names
from factbook.text.question.hop_chains import Chain, Step
from factbook.text.question.question_words import Gram, keys_of

HUB = 60
"""Relations of one entity that are followed at most."""
MOST_REACHED = 6
"""Entities that one step leads to at most; more of them each count less."""
LONGEST_VALUE = 5
"""Words of a fact's value that is looked up as a name."""
_FADES = 0.9
_BY_FACT = 0.9
_ALIKE = 0.8
"""Of a label that only holds the asked word."""
_LEAST_NAMED = 0.45
_ASKER = 0.9


@dataclass(frozen=True, kw_only=True, slots=True)
class _Place:
    """A stop of a walk: a canonical id, how surely it is reached, along which steps, in words and
    as ids.
    """

    entity_id: str
    name: str
    kind: str
    strength: float
    path: str
    steps: tuple[str, ...]
    anchor: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Hop:
    """One way on: from a canonical id to an id as said, in words, as a step, and the words it rests
    on.
    """

    near: str
    far: str
    fit: float
    arrow: str
    step: str
    said: str = ""


def walk(request: RecallRequest, query: Query) -> list[Reached]:
    """Returns the entities that the question's hops lead to, by canonical id; those reached twice
    once, by the surer way.
    """
    best: dict[str, Reached] = {}
    walker = _Walker(request)
    for chain in query.chains:
        for reached in walker.reached(chain):
            before = best.get(reached.entity_id)
            if before is None or before.strength < reached.strength:
                best[reached.entity_id] = reached
    return sorted(best.values(), key=lambda each: (-each.strength, each.entity_id))


def _asked(chain: Chain) -> frozenset[str]:
    names = [anchor.name for anchor in chain.anchors if anchor.entity_id != SELF]
    return frozenset(
        index_words(" ".join([*names, *(step.word.replace("_", " ") for step in chain.steps)]))
    )


def _reached(place: _Place, asked: frozenset[str], *, answer: bool = False) -> Reached:
    return Reached(
        entity_id=place.entity_id,
        name=place.name,
        kind=place.kind,
        strength=min(place.strength, 1.0),
        path=place.path,
        anchor=place.anchor,
        steps=place.steps,
        answer=answer,
        asked=asked,
    )


@dataclass(frozen=True, slots=True)
class _Walker:
    """The walks of one request in one space."""

    request: RecallRequest

    def reached(self, chain: Chain) -> list[Reached]:
        """Returns the chain's ends, and the entities it asks for them; nothing where a step leads
        nowhere.
        """
        before = places = self._begin(chain)
        asked = _asked(chain)
        for step in chain.steps:
            before, places = places, self._step(places, step)
        if not places:
            return []
        last = chain.steps[-1]
        out = [_reached(place, asked, answer=last.answer) for place in places]
        return [*(_reached(place, asked) for place in before), *out] if last.answer else out

    def _begin(self, chain: Chain) -> list[_Place]:
        rows = self.request.snapshot.get(
            self.request.space, EntityRecord, [anchor.entity_id for anchor in chain.anchors]
        )
        return [
            _Place(
                entity_id=anchor.entity_id,
                name=(
                    name := rows[anchor.entity_id].name if anchor.entity_id in rows else anchor.name
                ),
                kind="person",
                strength=_ASKER if anchor.entity_id == SELF else anchor.strength,
                path=name,
                steps=(anchor.entity_id,),
                anchor=name,
            )
            for anchor in chain.anchors
        ]

    def _step(self, places: Sequence[_Place], step: Step) -> list[_Place]:
        if not places:
            return []
        members = self.request.snapshot.members(
            self.request.space, [place.entity_id for place in places]
        )
        home = {member: key for key, group in members.items() for member in group}
        for place in places:
            home.setdefault(place.entity_id, place.entity_id)
        hops = self._hops(home, step)
        canonical = (
            self.request.snapshot.canonical(self.request.space, {hop.far for hop in hops})
            if hops
            else {}
        )
        rows = (
            self.request.snapshot.get(self.request.space, EntityRecord, set(canonical.values()))
            if hops
            else {}
        )
        near = {place.entity_id: place for place in places}
        been = {key for place in places for key in place.steps[::2]}
        out: dict[str, _Place] = {}
        for hop in _said_so(hops, step):
            key = canonical.get(hop.far, hop.far)
            row = rows.get(key)
            if row is None or key in been or not _of_kind(row, step):
                continue
            if row.is_hidden_at(self.request.now):
                continue
            place = near[hop.near]
            reached = _Place(
                entity_id=key,
                name=row.name,
                kind=row.kind,
                strength=place.strength * hop.fit * _FADES,
                path=f"{place.path} {hop.arrow} {row.name}",
                steps=(*place.steps, hop.step, key),
                anchor=place.anchor,
            )
            if key not in out or out[key].strength < reached.strength:
                out[key] = reached
        kept = sorted(out.values(), key=lambda each: -each.strength)[:MOST_REACHED]
        return [replace(each, strength=each.strength / len(kept) ** 0.5) for each in kept]

    def _hops(self, home: Mapping[str, str], step: Step) -> list[_Hop]:
        """Returns the relations and facts that lead on: relations of the first ways before others,
        and before facts.
        """
        rows = [
            row
            for row in self._relations(home, step)
            if self.request.where.allows_row(row) and self._holds(row, step)
        ]
        for ways in (step.ways, step.otherwise):
            if found := list(_along(rows, home, ways)):
                return found
        return list(_worded(rows, home, step)) or self._by_facts(home, step)

    def _relations(self, ids: Iterable[str], step: Step) -> list[Relation]:
        near = self.request.snapshot.relations_between(self.request.space, list(ids), limit=HUB)
        every = step.former or step.ever or self.request.where.as_of is not None
        if not every or len(near) >= HUB:
            return near
        labels = [
            name for _, label in (*step.ways, *step.otherwise) for name in names_of_label(label)
        ]
        if not labels:
            return []
        return self.request.snapshot.relations(self.request.space, list(ids), labels=labels)[
            -2 * HUB :
        ][::-1]

    def _holds(self, row: Relation | Fact, step: Step) -> bool:
        if row.expired_at is not None or row.invalid_at == NEVER:
            return False
        then = self.request.where.as_of
        ended = row.state_at(then or self.request.now, then=then is not None)
        if ended == "upcoming":
            return False
        past = ended == "superseded" or (
            isinstance(row, Relation) and known_label(row.label)[0] in PASTS
        )
        return past if step.former else step.ever or ended == "current"

    def _by_facts(self, home: Mapping[str, str], step: Step) -> list[_Hop]:
        attributes = step.attributes or ((step.word,) if step.open else ())
        if not attributes or step.former:
            return []
        out: list[_Hop] = []
        for row in self.request.snapshot.facts(
            self.request.space, list(home), attributes=attributes
        )[-HUB:]:
            if not self.request.where.allows_row(row) or not self._holds(row, step):
                continue
            arrow = f"–{row.attribute.replace('_', ' ')}→"
            out += [
                _Hop(
                    near=home[row.entity_id],
                    far=far,
                    fit=_BY_FACT * fit,
                    arrow=arrow,
                    step=f"={row.attribute}=",
                )
                for far, fit in self._named(row.value)
            ]
        return out

    def _named(self, value: str) -> list[tuple[str, float]]:
        """The entities whose name a fact's value is."""
        text = value.partition("(")[0].strip(" .,;")
        if not text or len(text.split()) > LONGEST_VALUE:
            return []
        gram = Gram(text=text, start=0, end=len(text.split()))
        keys = [key for key in keys_of(gram) if key[0] != "p"]
        bearers = self.request.snapshot.names(self.request.space, keys, limit=MOST_REACHED)
        found = {gram: [(key, hit) for key in keys for hit in bearers.get(key, ())]}
        canonical = (
            self.request.snapshot.canonical(
                self.request.space, {hit.entity_id for _, hit in found[gram]}
            )
            if bearers
            else {}
        )
        linked = link_names(found, canonical)
        return [(each.entity_id, each.strength) for each in linked if each.strength >= _LEAST_NAMED]


def _along(
    rows: Iterable[Relation], home: Mapping[str, str], ways: Sequence[tuple[str, str]]
) -> Iterator[_Hop]:
    if not ways:
        return
    for row in rows:
        label, turned = known_label(row.label)
        for outward in (True, False):
            near, far = (row.from_id, row.to_id) if outward else (row.to_id, row.from_id)
            if near not in home:
                continue
            direction = ">" if outward != turned else "<"
            if (direction, label) in ways or ("~", label) in ways:
                yield _hop(row, home[near], far, outward, label, direction)


def _worded(rows: Iterable[Relation], home: Mapping[str, str], step: Step) -> Iterator[_Hop]:
    """By labels that hold the asked word: `godmother_of` from its second end, `has_godmother` from
    its first.
    """
    asked = stem(step.word.partition("_")[0])
    for row in rows:
        if asked not in index_words(row.label.replace("_", " ")):
            continue
        inward = row.label.endswith(("_of", "_to", "_for"))
        near, far = (row.to_id, row.from_id) if inward else (row.from_id, row.to_id)
        if near in home:
            hop = _hop(row, home[near], far, not inward, row.label, "<" if inward else ">")
            yield replace(hop, fit=_ALIKE)


def _hop(row: Relation, near: str, far: str, outward: bool, label: str, direction: str) -> _Hop:
    text = row.label.replace("_", " ")
    arrow = f"–{text}→" if outward else f"←{text}–"
    said = f"{text} {row.note} {row.source.quote}"
    return _Hop(
        near=near, far=far, fit=1.0, arrow=arrow, step=f"{direction}{label}{direction}", said=said
    )


def _said_so(hops: Sequence[_Hop], step: Step) -> Sequence[_Hop]:
    """Keeps the ones said with the asked word, if any were: of several siblings, the sister."""
    if len(hops) < 2:
        return hops
    asked = stem(step.word)
    exact = [hop for hop in hops if hop.said and asked in index_words(hop.said)]
    return exact or hops


def _of_kind(row: EntityRecord, step: Step) -> bool:
    return not step.kinds or row.kind in step.kinds or row.kind == "other"
