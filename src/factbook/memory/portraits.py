"""Contexts of whole entities: which of them enter, and what is known of each, for the forms of `render`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from factbook.memory.composing import SHARE_OF_ALWAYS
from factbook.memory.filtering import described, narrows
from factbook.memory.introducing import latest, shown_rows
from factbook.memory.phrasing import Candidate
from factbook.memory.rows import Rows, is_hidden, is_over, read_rows
from factbook.memory.searching import pages
from factbook.model.line import ContextFormat, LeftOut, LineFilter, RecalledLine, Recollection
from factbook.model.record import EntityRecord, EntityType, Fact, Relation
from factbook.ports.models import Tokenizer
from factbook.ports.store import Reader
from factbook.recall.rank import because
from factbook.recall.weights import DEFAULT, FADES_OVER_DAYS, IMPORTANCE, RECENCY, RELEVANCE, Weights
from factbook.render import lines
from factbook.render.forms import form_of
from factbook.render.listing import Shown, Subject, fitted

MOST = 100
"""Entities that are looked at."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sitting:
    """What is read: one consistent view of these spaces, the asker's own first."""

    reader: Reader
    spaces: Sequence[str]
    where: LineFilter
    kinds: Mapping[str, EntityType]
    now: datetime
    weights: Weights = DEFAULT


@dataclass(frozen=True, kw_only=True, slots=True)
class _Portrait:
    space: str
    owner: EntityRecord
    subject: Subject
    parts: Mapping[str, float]
    score: float


def portray(
    sitting: Sitting,
    always: Sequence[tuple[str, str]],
    needed: Sequence[Candidate] | None,
    *,
    question: str,
    form: ContextFormat,
    budget: int,
    tokenizer: Tokenizer,
    about: Sequence[str],
) -> Recollection:
    """The entities that matter, whole, in this form and within the budget.

    With a question they are ordered by document 002's weights: 0.6 for how well their best line answers it, 0.3 for
    importance, 0.1 for recency over 180 days; without one by importance and recency alone.

    Args:
        always: (space, id) of those that enter first, within their share of the budget.
        needed: the lines that answer the question; None without one.
    """
    kept = set(always)
    ranked = [each for space in sitting.spaces for each in _portraits(sitting, space, kept, needed)]
    ranked.sort(key=lambda each: -each.score)
    first = _in_turn([each for each in ranked if (each.space, each.owner.id) in kept])
    portraits = [*first, *(each for each in ranked if (each.space, each.owner.id) not in kept)]
    subjects = [each.subject for each in portraits]
    shape = form_of(form, subjects)
    share = int(SHARE_OF_ALWAYS * budget)
    shown = fitted(subjects, shape, tokenizer, budget, first=len(first), share=share)
    text = shape.whole(shown)
    chosen = {each.place for each in shown}
    told = [_line(portraits[each.place], each, tokenizer) for each in shown]
    left = [number for number in range(len(portraits)) if number not in chosen][:10]
    return Recollection(
        question=question,
        text=text,
        lines=tuple(sorted(told, key=lambda line: -line.score)),
        tokens=tokenizer.count(text) if text else 0,
        budget=budget,
        candidates=len(portraits),
        near=tuple(
            _line(
                portraits[number],
                Shown(place=number, subject=subjects[number], line=_name(portraits[number])),
                tokenizer,
                "budget",
            )
            for number in left
        ),
        about=tuple(dict.fromkeys(about)),
    )


def _in_turn(portraits: Sequence[_Portrait]) -> list[_Portrait]:
    """One of each kind after the other, so that no kind takes the whole share."""
    turns: dict[str, int] = {}
    order: list[tuple[int, int]] = []
    for number, each in enumerate(portraits):
        turns[each.owner.kind] = turns.get(each.owner.kind, 0) + 1
        order.append((turns[each.owner.kind], number))
    return [portraits[number] for _, number in sorted(order)]


def _portraits(
    sitting: Sitting, space: str, kept: set[tuple[str, str]], needed: Sequence[Candidate] | None
) -> list[_Portrait]:
    relevance = _relevance(sitting, space, needed or ())
    first = [key for home, key in kept if home == space]
    if needed is not None:
        return _portraits_of(sitting, space, list(dict.fromkeys([*first, *relevance]))[:MOST], relevance)
    out: list[_Portrait] = _portraits_of(sitting, space, first, None)
    for ids in pages(sitting.reader, space, MOST):
        more = _portraits_of(sitting, space, [key for key in ids if key not in first], None)
        out += [each for each in more if each.owner.kind not in lines.ALWAYS]
        if not narrows(sitting.where) or len(out) >= MOST:
            break
    return out[:MOST]


def _portraits_of(
    sitting: Sitting, space: str, ids: Sequence[str], relevance: Mapping[str, float] | None
) -> list[_Portrait]:
    """Those of these entities that the filter lets through, or something said of them."""
    reader, where, now = sitting.reader, sitting.where, sitting.now
    owners = shown_rows(reader, space, ids, now)
    members = reader.members(space, [row.id for row in owners])
    known = latest(reader, space, [member for group in members.values() for member in group], where, sitting.kinds)
    rows = read_rows(reader, space, {**known, "entity": [row.id for row in owners]}, sitting.kinds, where, now)
    out: list[_Portrait] = []
    for row in owners:
        age = max(0.0, (now - row.updated_at).total_seconds() / 86400)
        weight = sitting.weights.faded(row.importance, age)
        parts = {"importance": IMPORTANCE * weight, "recency": RECENCY * max(0.0, 1 - age / FADES_OVER_DAYS)}
        if relevance is not None:
            parts = {"relevance": RELEVANCE * relevance.get(row.id, 0.0), **parts}
        describes = described(row, where)
        subject = _subject(row, rows, sitting, space, describes=describes)
        if not describes and not subject.statements:
            continue
        out.append(_Portrait(space=space, owner=row, subject=subject, parts=parts, score=sum(parts.values())))
    return out


def _relevance(sitting: Sitting, space: str, needed: Sequence[Candidate]) -> dict[str, float]:
    """By canonical id, how well the best line about it answers the question, best first."""
    mine = sorted((each for each in needed if each.space == space), key=lambda each: -each.score)
    said = {key for each in mine for key in each.entity_ids}
    canonical = sitting.reader.canonical(space, said) if said else {}
    out: dict[str, float] = {}
    for each in mine:
        for key in each.entity_ids:
            out.setdefault(canonical.get(key, key), min(max(each.score, 0.0), 1.0))
    return out


def _subject(owner: EntityRecord, rows: Rows, sitting: Sitting, space: str, *, describes: bool) -> Subject:
    """What is known of the entity now: conflicts as such, superseded and expired statements not at all."""
    facts = [row for row in rows.facts.values() if _is_of(row.entity_id, row, owner, rows, sitting.now)]
    ties = [row for row in rows.relations.values() if _is_of(row.from_id, row, owner, rows, sitting.now)]
    description = owner.description if describes else ""
    tags = _Tags(sitting.where.projects, [*([owner] if describes else []), *facts, *ties])
    clashes = rows.clashes.get(owner.id, {})
    told: dict[str, str] = {}
    pairs: dict[str, list[str]] = {}
    for row in facts:
        clash = clashes.get(row.attribute, ())
        if clash:
            told[row.attribute] = lines.conflict(row.attribute, clash, sitting.now)
            pairs[row.attribute] = [f"UNRESOLVED: {' or '.join(dict.fromkeys(each.value for each in clash))}"]
        else:
            told[row.id] = tags.on(lines.fact(row), row)
            pairs.setdefault(row.attribute, []).append(tags.on(lines.claimed(row.value, row), row))
    links: list[tuple[str, str]] = []
    tied: list[str] = []
    for tie in ties:
        other = rows.entity(tie.to_id)
        if other is None or is_hidden(other, sitting.now):
            continue
        links.append((tie.label, f"{space} {other.id}"))
        if dispute := rows.disputes.get(owner.id, {}).get(tie.label, ()):
            claims = rows.claims(dispute)
            tied.append(lines.dispute(tie.label, claims, sitting.now))
            pairs[tie.label] = [f"UNRESOLVED: {' or '.join(dict.fromkeys(value for value, _ in claims))}"]
        else:
            tied.append(tags.on(lines.relation(tie, rows.names), tie))
            pairs.setdefault(tie.label, []).append(tags.on(lines.claimed(lines.named(other), tie), tie))
    kind = sitting.kinds.get(owner.kind)
    return Subject(
        key=f"{space} {owner.id}",
        name=lines.named(owner),
        kind=owner.kind,
        label=owner.label or owner.kind,
        section=kind.section if kind is not None else "",
        space="" if space == sitting.spaces[0] else space,
        scope=tags.all,
        description=tags.on(description.strip().removesuffix("."), owner) if description else "",
        statements=tuple(dict.fromkeys([*told.values(), *tied])),
        facts=tuple(dict.fromkeys(told.values())),
        pairs={key: "; ".join(dict.fromkeys(values)) for key, values in pairs.items()},
        links=tuple(dict.fromkeys(links)),
    )


class _Tags:
    """Marks what is of a project, or general, where that is to be told: the whole if all its parts have the same mark
    (`all`), else each part."""

    def __init__(self, projects: Sequence[str], rows: Sequence[EntityRecord | Fact | Relation]) -> None:
        self._projects = projects
        labels = {lines.label(row.source.project, projects) for row in rows}
        self._differ = len(labels) > 1
        self.all = "" if self._differ else next(iter(labels), "")

    def on(self, text: str, row: EntityRecord | Fact | Relation) -> str:
        """The text with its mark, if parts have marks of their own."""
        label = lines.label(row.source.project, self._projects) if self._differ else ""
        return f"{text} ({label})" if label else text


def _is_of(key: str, row: Fact | Relation, owner: EntityRecord, rows: Rows, now: datetime) -> bool:
    return rows.canonical.get(key) == owner.id and row.expired_at is None and not is_over(row, now)


def _name(portrait: _Portrait) -> str:
    return lines.heading(portrait.owner, portrait.subject.space, portrait.subject.scope)


def _line(portrait: _Portrait, shown: Shown, tokenizer: Tokenizer, left_out: LeftOut = "") -> RecalledLine:
    return RecalledLine(
        id=portrait.owner.id,
        kind="entity",
        space=portrait.space,
        text=shown.text,
        score=portrait.score,
        parts=portrait.parts,
        because=because(portrait.parts),
        at=portrait.owner.updated_at,
        tokens=tokenizer.count(shown.text),
        speaker=portrait.owner.source.speaker,
        session=portrait.owner.source.session,
        entity_ids=(portrait.owner.id,),
        source_id=portrait.owner.source.message_id,
        project=portrait.owner.source.project,
        general=bool(portrait.subject.scope) and not portrait.owner.source.project,
        left_out=left_out,
    )
