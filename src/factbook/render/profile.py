"""A profile: an entity's name, what holds of it now, and what else is most worth knowing, by sort
and date, within a budget of tokens.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from factbook.model.entity import Entity, Link
from factbook.model.profile import ProfileLine
from factbook.model.record import SELF, Fact, Observation, ObservationSort, Relation
from factbook.model.relations import is_symmetric, relation_type
from factbook.model.source import Source
from factbook.ports.models import Tokenizer
from factbook.render import row_words
from factbook.render.worth_knowing import ToldWords, by_worth
from factbook.text.days import show_day_of, show_moment
from factbook.text.escape import inline, item
from factbook.text.index_words import index_words
from factbook.text.names import fold

SECTIONS: Mapping[ObservationSort, str] = {
    "state": "State",
    "preference": "Preferences",
    "opinion": "Opinions",
    "rule": "Rules",
    "decision": "Decisions",
    "commitment": "Commitments",
    "plan": "Plans",
    "event": "Events",
    "complaint": "Complaints",
    "figure": "Figures",
}
"""The headings of what is worth knowing, in their order."""
SHARE_HELD = 0.5
"""Of the budget, what is told of what holds before all else had its chance."""
MOST_VALUES = 8
"""Values of one attribute, or ends of one relation: the latest said."""
NORMAL = 0.4
"""From this share of its words on, a fact or relation of the same message is its normal form."""
_HOLDS = {"denied": "not so", "planned": "planned"}
_AHEAD = frozenset({"plan", "commitment"})
"""Sorts of which it goes without saying that they are planned."""
_POINTS = frozenset({"event", "plan", "commitment", "decision", "figure"})
"""Sorts of what is so at a time, and not from then on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Contender:
    """A line that competes by its worth, with the words that it is compared by.

    Attributes:
        rows: the facts and relations that are its normal form.
    """

    line: ProfileLine
    sort: ObservationSort
    importance: float
    plain: str
    rows: tuple[str, ...] = ()


def choose_lines(
    entity: Entity,
    observations: Sequence[Observation],
    *,
    tokenizer: Tokenizer,
    budget: int,
    now: datetime,
    before: Iterable[str] = (),
) -> list[ProfileLine]:
    """Returns the lines of the profile that fit the budget together with its heading, in order.

    Args:
        observations: those that may be told, the most worth knowing first. before: texts that are
            told already.
    """
    held = list(_held_lines(entity, now))
    fitting = _Fitting(entity=entity, tokenizer=tokenizer)
    for line in held:
        fitting.take(line, int(SHARE_HELD * budget))
    told = ToldWords()
    for text in (*before, *(line.words for line in fitting.lines)):
        told.add(text)
    shown = {key for line in fitting.lines for key in line.ids}
    for each in by_worth(_worth_knowing(entity, observations)):
        is_told = not shown.isdisjoint(each.rows) or told.has(each.plain)
        if not is_told and fitting.take(each.line, budget):
            told.add(each.plain)
    for line in held:
        fitting.take(line, budget)
    return fitting.in_order()


def profile_text(entity: Entity, lines: Sequence[ProfileLine]) -> str:
    """Returns the heading and the lines, those of a sort below its name."""
    told = [profile_heading(entity)]
    last = ""
    for line in lines:
        if line.sort and line.sort != last:
            told.append(f"{SECTIONS[line.sort]}:")
        last = line.sort
        told.append(f"- {line.text}")
    return "\n".join(told)


@dataclass(kw_only=True, slots=True)
class _Fitting:
    """The lines that were taken, and as they come the places of those of what holds."""

    entity: Entity
    tokenizer: Tokenizer
    lines: list[ProfileLine] = field(default_factory=list[ProfileLine])

    def take(self, line: ProfileLine, limit: int) -> bool:
        """Takes a line that the profile has room for, and has not taken yet; says whether it did."""
        if line in self.lines:
            return False
        self.lines.append(line)
        if self.tokenizer.count(profile_text(self.entity, self.in_order())) <= limit:
            return True
        self.lines.pop()
        return False

    def in_order(self) -> list[ProfileLine]:
        """Returns what holds, and then each sort in its turn, the latest first."""
        turns = ["", *SECTIONS]
        latest = sorted(self.lines, key=lambda line: line.said, reverse=True)
        held = [line for line in self.lines if not line.sort]
        rest = [line for line in latest if line.sort]
        return [*held, *sorted(rest, key=lambda line: turns.index(line.sort))]


def profile_heading(entity: Entity) -> str:
    """`Ada Moreau (person), also Ada: keeps bees`."""
    kind = "" if entity.id == SELF else item(entity.entity_type).replace("_", " ")
    head = row_words.user(entity.name) if entity.id == SELF else item(entity.name)
    head += f" ({kind})" if kind not in ("", "other") else ""
    head += f", also {', '.join(map(item, entity.aliases))}" if entity.aliases else ""
    return f"{head}: {inline(entity.description)}" if entity.description else head


# --- what holds now -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, slots=True)
class _HeldValue:
    """A value of an attribute, or the other end of a relation."""

    row: Fact | Relation
    label: str
    words: str


def _held_lines(entity: Entity, now: datetime) -> Iterator[ProfileLine]:
    """Yields what is disputed, and then what holds: of what has one value at first, and the lists
    after it.
    """
    disputed = set[str]()
    for conflict in entity.conflicts:
        rows: tuple[Fact | Relation, ...] = conflict.facts or conflict.relations
        disputed.update(row.id for row in rows)
        yield ProfileLine(
            ids=tuple(row.id for row in rows),
            kind="fact" if conflict.facts else "relation",
            words=row_words.dispute(conflict.attribute, conflict.claims, now),
        )
    groups: dict[str, list[_HeldValue]] = {}
    for value in _values(entity):
        if value.row.id not in disputed:
            groups.setdefault(value.label, []).append(value)
    lists = [_without_twins(group) for group in groups.values()]
    for group in sorted(lists, key=lambda group: len(group) > 1):
        yield _grouped(entity, group)


def _values(entity: Entity) -> Iterator[_HeldValue]:
    """Yields what holds, with the label under which it is told: `works at`, of the other end `works
    at Quoin`.
    """
    for each in entity.facts:
        if each.state == "current":
            yield _HeldValue(
                row=each.fact,
                label=row_words.written_label(each.attribute),
                words=row_words.value(each.fact),
            )
    for link in _links(entity, once=False):
        row, (label, name) = link.relation, _seen(entity, link)
        yield _HeldValue(row=row, label=label, words=row_words.dated_end(row, *name))


def _links(entity: Entity, *, once: bool) -> Iterator[Link]:
    """Yields the relations that hold, or those that tell what happened."""
    for link in entity.links:
        if link.state == "current" and relation_type(link.label).once == once:
            yield link


def _seen(entity: Entity, link: Link) -> tuple[str, tuple[str, str]]:
    """Returns how the entity stands to the other end, and that one's id and name."""
    label = row_words.written_label(link.label)
    if link.from_id == entity.id:
        return label, (link.to_id, link.to_name)
    other = (link.from_id, link.from_name)
    if is_symmetric(link.label):
        return label, other
    return f"{label} {row_words.end_name(link.to_id, link.to_name)}:", other


def _without_twins(group: Sequence[_HeldValue]) -> list[_HeldValue]:
    """Returns the latest first, without those that have the same words in another form."""
    out: dict[frozenset[str] | str, _HeldValue] = {}
    by_words = sorted(group, key=lambda value: value.words)
    for value in sorted(by_words, key=lambda value: value.row.said_at, reverse=True):
        out.setdefault(frozenset(index_words(value.words)) or value.words, value)
    return list(out.values())


def _grouped(entity: Entity, group: Sequence[_HeldValue]) -> ProfileLine:
    """`likes tea; honey (2026-05-07)`; one of the other end `Ada Moreau works at Quoin`."""
    first, shown = group[0], group[:MOST_VALUES]
    words = "; ".join(value.words for value in shown)
    words += f"; … {len(group) - len(shown)} more" if len(shown) < len(group) else ""
    is_turned = first.label.endswith(":") and len(group) == 1
    sources = [value.row.source for value in shown if value.row.source.standing != "hearsay"]
    return ProfileLine(
        ids=tuple(value.row.id for value in shown),
        kind="fact" if isinstance(first.row, Fact) else "relation",
        words=f"{words} {first.label[:-1]}" if is_turned else f"{first.label} {words}",
        note=_speakers(entity, sources),
        said=show_day_of(first.row.said_at),
    )


# --- what is worth knowing ------------------------------------------------------------------------


def _worth_knowing(entity: Entity, observations: Sequence[Observation]) -> list[_Contender]:
    """Returns the observations, and of the relations that tell what happened those that none of
    them tells in more words.
    """
    events = [row for row in observations if row.sort == "event"]
    stated = [value for value in _values(entity) if value.row.source.message_id]
    out = [_observed(entity, row, stated) for row in observations]
    for link in _links(entity, once=True):
        name = link.to_name if link.from_id == entity.id else link.from_name
        if not any(_tells(row, link.relation, name) for row in events):
            out.append(_happened(entity, link))
    return out


def _tells(row: Observation, relation: Relation, name: str) -> bool:
    """Tells whether an observation is of the same message and names the other end."""
    is_same = row.source.message_id and row.source.message_id == relation.source.message_id
    return bool(is_same) and set(index_words(name)) <= set(index_words(row.text))


def _happened(entity: Entity, link: Link) -> _Contender:
    """`visited Paris (on 2023-01-28, said 2023-01-29)`."""
    row, (label, other) = link.relation, _seen(entity, link)
    end = row_words.end_name(*other)
    words = f"{end} {label[:-1]}" if label.endswith(":") else f"{label} {end}"
    is_hearsay = row.source.standing == "hearsay"
    line = ProfileLine(
        ids=(row.id,),
        kind="relation",
        sort="event",
        words=words,
        note=_source(entity, row, hearsay=is_hearsay),
        when=_when(row, point=True),
        said=show_day_of(row.said_at),
    )
    return _Contender(line=line, sort="event", importance=row.importance, plain=words)


def _observed(entity: Entity, row: Observation, stated: Sequence[_HeldValue]) -> _Contender:
    """`“only drinks oat milk” (Bo, 2026-05-07)`; of what is stated, the same in its normal form is
    that of the same message with so many of the words.
    """
    words = set(index_words(row.text))
    normal = [
        value.row.id
        for value in stated
        if words
        and value.row.source.message_id == row.source.message_id
        and len(words.intersection(index_words(value.words))) >= NORMAL * len(words)
    ]
    hold = "" if row.sort in _AHEAD and row.holds == "planned" else _HOLDS.get(row.holds, "")
    by = _source(entity, row, hearsay=row.holds == "hearsay")
    line = ProfileLine(
        ids=(row.id,),
        kind="observation",
        sort=row.sort,
        words=row_words.quoted(row.text, lined=False),
        note=", ".join(part for part in (hold, by) if part),
        when=_when(row, point=row.sort in _POINTS),
        said=show_day_of(row.said_at),
    )
    return _Contender(
        line=line,
        sort=row.sort,
        importance=row.importance,
        plain=row.text,
        rows=(*row.record_ids, *normal),
    )


def _source(entity: Entity, row: Observation | Relation, *, hearsay: bool) -> str:
    if hearsay:
        return f"{row_words.who(row.source.speaker)} says"
    return _speakers(entity, [row.source])


def _speakers(entity: Entity, sources: Sequence[Source]) -> str:
    """Returns those who said it; nobody where it is all the entity's own words."""
    own = {fold(name) for name in (entity.name, *entity.aliases)}
    own |= {""} if entity.id == SELF else set()
    said = dict.fromkeys(_speaker(source, own) for source in sources)
    mine = row_words.who("" if entity.name == SELF else entity.name)
    return "" if [*said] == [""] else ", ".join(by or mine for by in said)


def _speaker(source: Source, own: Container[str]) -> str:
    if source.standing == "note":
        return "by hand"
    is_own = source.standing == "user" and fold(source.speaker) in own
    return "" if is_own else row_words.who(source.speaker, source.standing)


def _when(row: Observation | Relation, *, point: bool) -> str:
    """Returns when it is or was so: `in 2023-07`; nothing where that is the day on which it was
    said.
    """
    begin = show_moment(row.valid_at, row.grain) if row.valid_at else ""
    until = show_moment(row.invalid_at, row.grain) if row.invalid_at else ""
    at_once = point or _is_of_a_day(row)
    if until and not at_once:
        return f"since {begin}, until {until}" if begin else f"until {until}"
    if not begin or show_day_of(row.said_at).startswith(begin):
        return ""
    since = "since" if not at_once else "in" if row.grain in ("month", "year") else "on"
    return f"{since} {begin}"


def _is_of_a_day(row: Observation | Relation) -> bool:
    """Tells whether it is over within a day."""
    if row.valid_at is None or row.invalid_at is None:
        return False
    return row.invalid_at - row.valid_at <= timedelta(days=1)
