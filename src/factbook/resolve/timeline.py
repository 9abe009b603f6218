"""The truth about one attribute or link over time, from everything that was said of it.

All statements of a group (one attribute of one entity, or one sort of link) are taken in the order in which they were
said, whatever the order of learning, and laid out as stretches of time:

- A statement without an end says that its value holds when it is said. Where the text gives no beginning, the value
  counts from then on.
- The same value said again within its stretch supports it; an earlier beginning moves the stretch's beginning.
- Where one value holds at a time, a statement closes the other values' stretches at its own beginning, if it was said
  later and its standing is equal or higher. A later statement about an earlier time (both beginnings being given in
  the text) enters already closed. What a lower standing says is kept beside, and so is what another person says on
  the same day without saying since when: that is a conflict, which reading derives.
- A retraction closes the stretch of its value. Where there is nothing to close it is kept as a row that never held
  (`expired_at`), so that learning the older statement later ends in the same truth.

The row of a stretch is its first statement; later ones are `Support` rows. Ends only ever move to earlier times, so
that an end which the text gave needs no mark of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Generic, TypeVar

from factbook.model.record import STANDING_RANK, Cardinality, Fact, Grain, Relation, Source, Support
from factbook.resolve.sheet import Sheet

Row = TypeVar("Row", Fact, Relation)

BEGINNING = datetime.min.replace(tzinfo=UTC)
"""Stands for a beginning that nobody gave."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Said(Generic[Row]):
    """A new statement: the row that it would be, without id, with the times that the text gives.

    `marked` False: a retraction that has a row of its own elsewhere ("worked at") and needs none here.
    """

    row: Row
    value: str
    retracts: bool = False
    marked: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Group(Generic[Row]):
    """What is known of one attribute or link.

    Attributes:
        rows: every row of the group. supports: their restatements. value: what is compared in a row.
        cardinality: how many values hold at once. endings: rows of other groups that end a value of this one.
        order: place of each message of the present episode, for statements of the same moment.
    """

    rows: Sequence[Row]
    supports: Mapping[str, Sequence[Support]]
    value: Callable[[Row], str]
    cardinality: Cardinality
    endings: Sequence[Row] = ()
    order: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(kw_only=True, slots=True)
class _Statement(Generic[Row]):
    row: Row
    value: str
    source: Source
    said: datetime
    begin: datetime | None
    end: datetime | None
    order: tuple[int, int]
    retracts: bool = False
    marked: bool = True
    stored: bool = False
    """True for what is a row of the group already."""
    support: Support | None = None

    @property
    def start(self) -> datetime:
        if self.begin is not None:
            return self.begin
        return BEGINNING if self.end is not None and self.end <= self.said else self.said


@dataclass(kw_only=True, slots=True)
class _Stretch(Generic[Row]):
    value: str
    start: datetime
    given: bool
    end: datetime | None
    statements: list[_Statement[Row]]

    @property
    def rank(self) -> int:
        return max(STANDING_RANK[each.source.standing] for each in self.statements)

    @property
    def last(self) -> _Statement[Row]:
        return self.statements[-1]

    @property
    def stored(self) -> _Statement[Row] | None:
        return next((each for each in self.statements if each.stored), None)

    def open_at(self, moment: datetime) -> bool:
        return self.end is None or self.end > moment

    def close(self, moment: datetime) -> None:
        moment = max(moment, self.start)
        self.end = moment if self.end is None else min(self.end, moment)


def said_at(row: Fact | Relation | Support) -> datetime:
    """When it was said; for what has no such time, when it was recorded."""
    return row.source.said_at or row.created_at


def settle(
    group: Group[Row], new: Sequence[Said[Row]], sheet: Sheet, *, now: datetime, new_id: Callable[[], str]
) -> None:
    """Writes to the sheet what the new statements change in the group; nothing for what it has already."""
    stored: list[_Statement[Row]] = _stored(group)
    fresh: list[_Statement[Row]] = [each for each in _fresh(group, new, now) if not _is_known(each, stored)]
    if not fresh:
        return
    stretches, held_nothing = _lay_out(stored + fresh, group.cardinality)
    for statement in held_nothing:
        if statement.marked and not statement.stored and statement.value:
            moment = statement.end or statement.begin or statement.said
            sheet.put(replace(statement.row, id=new_id(), valid_at=None, invalid_at=moment, expired_at=now))
    for stretch in stretches:
        _write(stretch, sheet, now, new_id)


def as_one(group: Group[Row]) -> list[Row]:
    """The rows of a group as they hold where several entities, each with its own rows, are read as one.

    What one entity's statements close of another's ends there; a row that holds again later comes twice.
    """
    stretches, _ = _lay_out(_stored(group), group.cardinality)
    return [
        replace(
            stretch.statements[0].row,
            valid_at=None if stretch.start == BEGINNING else stretch.start,
            invalid_at=stretch.end,
        )
        for stretch in stretches
    ] + [row for row in group.rows if row.expired_at is not None]


def _lay_out(
    statements: list[_Statement[Row]], cardinality: Cardinality
) -> tuple[list[_Stretch[Row]], list[_Statement[Row]]]:
    """Stretches in the order in which they begin to be said, and the retractions that found nothing to close."""
    stretches: list[_Stretch[Row]] = []
    held_nothing: list[_Statement[Row]] = []
    for statement in sorted(statements, key=_when_said):
        if not statement.retracts:
            _state(statement, stretches, cardinality)
        elif not _retract(statement, stretches):
            held_nothing.append(statement)
    return stretches, held_nothing


def _when_said(statement: _Statement[Row]) -> tuple[datetime, tuple[int, int]]:
    return statement.said, statement.order


def _stored(group: Group[Row]) -> list[_Statement[Row]]:
    out: list[_Statement[Row]] = []
    for row in group.rows:
        if row.expired_at is not None:
            if row.valid_at is None and row.invalid_at is not None:
                out.append(_statement(row, group, end=row.invalid_at, retracts=True, stored=True))
            continue
        begin = BEGINNING if row.valid_at is None else row.valid_at
        out.append(
            _statement(row, group, begin=None if begin == said_at(row) else begin, end=row.invalid_at, stored=True)
        )
        for support in group.supports.get(row.id, ()):
            statement = _statement(row, group, end=row.invalid_at)
            statement.source, statement.said, statement.support = support.source, said_at(support), support
            out.append(statement)
    out += [_ending(row, group) for row in group.endings]
    return out


def _statement(
    row: Row,
    group: Group[Row],
    *,
    begin: datetime | None = None,
    end: datetime | None = None,
    retracts: bool = False,
    stored: bool = False,
) -> _Statement[Row]:
    return _Statement(
        row=row,
        value=group.value(row),
        source=row.source,
        said=said_at(row),
        begin=begin,
        end=end,
        order=(group.order.get(row.source.message_id, -1), -1),
        retracts=retracts,
        stored=stored,
    )


def _ending(row: Row, group: Group[Row]) -> _Statement[Row]:
    ending = _statement(row, group, end=row.invalid_at, retracts=True)
    ending.marked = False
    return ending


def _fresh(group: Group[Row], new: Sequence[Said[Row]], now: datetime) -> list[_Statement[Row]]:
    return [
        _Statement(
            row=each.row,
            value=each.value,
            source=each.row.source,
            said=each.row.source.said_at or now,
            begin=each.row.valid_at,
            end=each.row.invalid_at,
            order=(group.order.get(each.row.source.message_id, -1), place),
            retracts=each.retracts,
            marked=each.marked,
        )
        for place, each in enumerate(new)
    ]


def _is_known(new: _Statement[Row], statements: Sequence[_Statement[Row]]) -> bool:
    """True if the record has this statement already: the same message says it, or the same hand wrote it."""
    for old in statements:
        if old.value != new.value or old.retracts != new.retracts:
            continue
        same_place = (old.source.message_id, old.source.standing) == (new.source.message_id, new.source.standing)
        if same_place and (new.source.message_id or (old.end is None and old.start <= new.start)):
            return True
    return False


def _retract(statement: _Statement[Row], stretches: Sequence[_Stretch[Row]]) -> bool:
    """Closes the stretches of the value; False if there is none that this may close."""
    moment = statement.end or statement.begin or statement.said
    found = False
    for stretch in stretches:
        if statement.value not in ("", stretch.value) or stretch.start > moment:
            continue
        if STANDING_RANK[statement.source.standing] >= stretch.rank or not stretch.open_at(moment):
            stretch.close(moment)
            found = True
    return found


def _state(statement: _Statement[Row], stretches: list[_Stretch[Row]], cardinality: Cardinality) -> None:
    home = next((each for each in stretches if _belongs(statement, each, cardinality)), None)
    if home is None:
        home = _Stretch(
            value=statement.value,
            start=statement.start,
            given=statement.begin is not None,
            end=statement.end,
            statements=[statement],
        )
        if cardinality == "single":
            _enter(statement, home, stretches)
        stretches.append(home)
        return
    home.statements.append(statement)
    home.given = home.given or statement.begin is not None
    home.start = min(home.start, statement.start)
    if statement.end is not None and statement.support is None:
        home.close(statement.end)
    if cardinality == "single":
        _enter(statement, home, stretches)


def _belongs(statement: _Statement[Row], stretch: _Stretch[Row], cardinality: Cardinality) -> bool:
    """True if the statement says again what the stretch says."""
    if statement.value != stretch.value or (statement.stored and stretch.stored):
        return False
    if cardinality == "event":
        return statement.start == stretch.start or _is_support_of(statement, stretch)
    if statement.support and statement.end is not None and statement.end <= statement.said:
        return _is_support_of(statement, stretch)
    if statement.begin is not None and statement.begin < stretch.start:
        return stretch.open_at(statement.said) and (statement.end is None or statement.end >= stretch.start)
    return stretch.start <= statement.start and stretch.open_at(statement.start)


def _is_support_of(statement: _Statement[Row], stretch: _Stretch[Row]) -> bool:
    held = stretch.stored
    return statement.support is not None and held is not None and held.row.id == statement.support.record_id


def _enter(statement: _Statement[Row], home: _Stretch[Row], stretches: Sequence[_Stretch[Row]]) -> None:
    """Lets the statement close what it supersedes, and be closed by what it comes before in the world."""
    begin = statement.start
    for other in stretches:
        if other is home or other.value == home.value or not other.open_at(begin):
            continue
        rank = STANDING_RANK[statement.source.standing]
        both_given = home.given and other.given and statement.begin is not None
        if both_given and begin < other.start and rank <= other.rank:
            if statement.end is None:
                home.close(other.start)
        elif rank >= other.rank and _supersedes(statement, other):
            other.close(begin)


def _supersedes(statement: _Statement[Row], other: _Stretch[Row]) -> bool:
    source, last = statement.source, other.last
    if statement.end is not None and statement.end <= last.said:
        return False
    if source.message_id and any(each.source.message_id == source.message_id for each in other.statements):
        return False
    if source.standing == "note":
        return True
    same_speaker = any(each.source.speaker == source.speaker for each in other.statements)
    if statement.said == last.said:
        return same_speaker and source.episode_id == last.source.episode_id and statement.order > last.order
    if not same_speaker and statement.begin is None:
        return statement.said.astimezone(UTC).date() != last.said.astimezone(UTC).date()
    return True


def _write(stretch: _Stretch[Row], sheet: Sheet, now: datetime, new_id: Callable[[], str]) -> None:
    first, stored = stretch.statements[0], stretch.stored
    keep = stored.row if stored else replace(first.row, id=new_id(), created_at=now)
    row: Row = replace(
        keep,
        source=first.source,
        valid_at=None if stretch.start == BEGINNING else stretch.start,
        invalid_at=stretch.end,
        importance=max(each.row.importance for each in stretch.statements),
        grain=_grain(stretch),
    )
    sheet.put(row, before=keep if stored else None)
    _write_supports(stretch, row.id, sheet, now, new_id)


def _grain(stretch: _Stretch[Row]) -> Grain:
    for each in stretch.statements:
        if each.start == stretch.start:
            return each.row.grain
    return "instant"


def _write_supports(
    stretch: _Stretch[Row], record_id: str, sheet: Sheet, now: datetime, new_id: Callable[[], str]
) -> None:
    """Makes every statement but the first a support; rows that exist are kept for what they say, where they can be."""
    held = [each.support for each in stretch.statements if each.support is not None]
    wanted = [each.source for each in stretch.statements[1:]]
    for support in held:
        if support.source in wanted:
            wanted.remove(support.source)
            sheet.put(replace(support, record_id=record_id), before=support)
        else:
            sheet.take(support)
    for source in wanted:
        sheet.put(Support(id=new_id(), record_id=record_id, created_at=now, source=source))
