"""The truth about one attribute or link over time, from everything that was said of it.

All statements of a group (one attribute of one entity, or one sort of link) are taken in the order in which they were
said, whatever the order of learning, and laid out as stretches of time:

- A statement without an end says that its value holds when it is said. Where the words give no beginning, the value
  counts from then on.
- The same value said again within its stretch supports it; an earlier beginning moves the stretch's beginning.
- Where one value holds at a time, a statement closes the other values' stretches at its own beginning, if its standing
  is equal or higher. A later statement about an earlier time (both beginnings being given in the words) enters
  already closed. What a lower standing says is kept beside, and so is what another person says on the same day without
  saying since when: that is a conflict, which reading derives.
- A retraction closes the stretch of its value. It is kept as a row that never held, with the words that say so.
- A correction, a retraction that ends its value at `NEVER`, takes the latest stretch of the value out: it was never so.
  What the same message says in its place holds from when the wrong value was said to begin.

The row of a stretch is its first statement; later ones are `Support` rows. The layout is a function of the statements
alone, so that any order of learning ends in the same truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar

from factbook.model.record import NEVER, STANDING_RANK, Cardinality, Fact, Relation, Source, Support
from factbook.resolve.sheet import Sheet

Row = TypeVar("Row", Fact, Relation)

BEGINNING = NEVER
"""Stands for a beginning that nobody gave."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Said(Generic[Row]):
    """A new statement: the row that it would be, without id; the times that the words give are in its source.

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
    """

    rows: Sequence[Row]
    supports: Mapping[str, Sequence[Support]]
    value: Callable[[Row], str]
    cardinality: Cardinality
    endings: Sequence[Row] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Statement(Generic[Row]):
    """One statement. `row`: the row that it is, that it restates, or that it would become; `held`: where it is kept.

    `begins`: since when its value holds, where it stands in for one that never did.
    """

    row: Row
    value: str
    source: Source
    said: datetime
    recorded: datetime
    retracts: bool = False
    marked: bool = True
    held: Row | Support | None = None
    begins: datetime | None = None

    @property
    def start(self) -> datetime:
        if self.source.since is not None:
            return self.source.since
        if self.begins is not None:
            return min(self.begins, self.said)
        return BEGINNING if self.end is not None and self.end <= self.said else self.said

    @property
    def given(self) -> bool:
        return self.source.since is not None

    @property
    def end(self) -> datetime | None:
        return self.source.until

    @property
    def rank(self) -> int:
        return STANDING_RANK[self.source.standing]

    @property
    def corrects(self) -> bool:
        """True if it says that its value never held."""
        return self.retracts and self.source.until == NEVER

    @property
    def ends_at(self) -> datetime:
        """When a retraction ends its value."""
        return self.source.until or self.source.since or self.said

    @property
    def key(self) -> tuple[datetime, str, int, bool, datetime]:
        """The order of what was said; at one moment that of the messages, then of the record."""
        return self.said, self.source.session, self.source.position, self.retracts, self.recorded


@dataclass(kw_only=True, slots=True)
class _Stretch(Generic[Row]):
    """A time in which one value holds, with what says so; `denied`: when the record learned that it never did."""

    value: str
    start: datetime
    given: bool
    end: datetime | None
    statements: list[_Statement[Row]]
    denied: datetime | None = None

    @property
    def rank(self) -> int:
        return max(each.rank for each in self.statements)

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
    known: list[_Statement[Row]] = _stored(group)
    fresh: list[_Statement[Row]] = []
    for each in new:
        statement = _fresh(each, now)
        if not _is_known(statement, known + fresh):
            fresh.append(statement)
    if not fresh:
        return
    for statement in fresh:
        if statement.retracts and statement.marked and statement.value:
            ends = statement.ends_at
            sheet.put(
                replace(statement.row, id=new_id(), valid_at=None, invalid_at=ends, created_at=now, expired_at=now)
            )
    for stretch in _lay_out(known + fresh, group.cardinality):
        _write(stretch, sheet, now, new_id)


def resettle(group: Group[Row], sheet: Sheet, *, now: datetime, new_id: Callable[[], str]) -> None:
    """Writes to the sheet what follows from the statements that are left, after others were erased."""
    for stretch in _lay_out(_stored(group), group.cardinality):
        _write(stretch, sheet, now, new_id)


def unsay(
    group: Group[Row], is_meant: Callable[[Source], bool], sheet: Sheet, *, now: datetime, new_id: Callable[[], str]
) -> None:
    """Writes to the sheet the group without the statements that are meant, as if they had never been made.

    A row whose own statement goes, and that others restate, stays: it rests on the first of them.
    """
    statements: list[_Statement[Row]] = _stored(group)
    left = [each for each in statements if not is_meant(each.source)]
    if len(left) == len(statements):
        return
    for each in (each for each in statements if is_meant(each.source)):
        if isinstance(each.held, Support):
            sheet.take(each.held)
        elif each.held is not None:
            heirs = [other for other in left if isinstance(other.held, Support) and other.row.id == each.held.id]
            if not heirs:
                sheet.take(each.held)
                continue
            first = min(heirs, key=_key)
            assert isinstance(first.held, Support)
            sheet.take(first.held)
            left[left.index(first)] = replace(first, held=each.held)
    for stretch in _lay_out(left, group.cardinality):
        _write(stretch, sheet, now, new_id)


def as_one(group: Group[Row]) -> list[Row]:
    """The rows of a group as they hold where several entities, each with its own rows, are read as one.

    What one entity's statements close of another's ends there; a row that holds again later comes twice.
    """
    held = [
        replace(
            stretch.statements[0].row,
            valid_at=None if stretch.start == BEGINNING else stretch.start,
            invalid_at=None if stretch.denied else stretch.end,
            expired_at=stretch.denied,
        )
        for stretch in _lay_out(_stored(group), group.cardinality)
    ]
    return held + [row for row in group.rows if is_retraction(row)]


def is_retraction(row: Fact | Relation) -> bool:
    """Whether the row says that its value holds no longer, or never did: a row that never held."""
    return row.expired_at is not None and row.valid_at is None and row.invalid_at is not None


# --- statements -----------------------------------------------------------------------------------------------------


def _stored(group: Group[Row]) -> list[_Statement[Row]]:
    out: list[_Statement[Row]] = []
    for row in group.rows:
        if is_retraction(row):
            out.append(replace(_statement(row, group), retracts=True))
        else:
            out.append(_statement(row, group))
            out += [_restated(support, row, group) for support in group.supports.get(row.id, ())]
    for past in group.endings:
        # Said again it ends anew: what it is the end of may have begun again in between.
        ends = [_statement(past, group)]
        ends += [_restated(support, past, group) for support in group.supports.get(past.id, ())]
        out += [replace(end, retracts=True, marked=False, held=None) for end in ends]
    return out


def _statement(row: Row, group: Group[Row]) -> _Statement[Row]:
    return _Statement(
        row=row, value=group.value(row), source=row.source, said=said_at(row), recorded=row.created_at, held=row
    )


def _restated(support: Support, row: Row, group: Group[Row]) -> _Statement[Row]:
    return _Statement(
        row=row,
        value=group.value(row),
        source=support.source,
        said=said_at(support),
        recorded=support.created_at,
        held=support,
    )


def _fresh(said: Said[Row], now: datetime) -> _Statement[Row]:
    source = said.row.source
    return _Statement(
        row=said.row,
        value=said.value,
        source=source,
        said=source.said_at or now,
        recorded=now,
        retracts=said.retracts,
        marked=said.marked,
    )


def _is_known(new: _Statement[Row], statements: Sequence[_Statement[Row]]) -> bool:
    """True if the record has this statement already: the same message says it, or the same hand wrote it last."""
    same = [each for each in statements if each.value == new.value and each.retracts == new.retracts]
    if new.source.message_id:
        return any(each.source.message_id == new.source.message_id for each in same)
    last = max(statements, key=_key, default=None)
    if last is None or last not in same or (new.given and new.start != last.start):
        return False
    return not last.source.message_id and last.source.standing == new.source.standing


def _key(statement: _Statement[Row]) -> tuple[datetime, str, int, bool, datetime]:
    return statement.key


# --- the layout -----------------------------------------------------------------------------------------------------


def _lay_out(statements: list[_Statement[Row]], cardinality: Cardinality) -> list[_Stretch[Row]]:
    """The stretches in the order in which their first statements were said, after them those that never were."""
    ordered = sorted(statements, key=_key)
    denied: list[_Stretch[Row]] = []
    for correction in [each for each in ordered if each.corrects]:
        place = ordered.index(correction)
        wrong = _meant(correction, _stretches(ordered[:place], cardinality))
        if not wrong:
            continue
        for stretch in wrong:
            stretch.denied = correction.recorded
        denied += wrong
        taken = [each for stretch in wrong for each in stretch.statements]
        ordered = [each for each in ordered if each not in taken]
        if cardinality == "single":
            begins = min(stretch.start for stretch in wrong)
            ordered = [replace(each, begins=begins) if _stands_in(each, correction) else each for each in ordered]
    return _stretches(ordered, cardinality) + denied


def _meant(correction: _Statement[Row], stretches: Sequence[_Stretch[Row]]) -> list[_Stretch[Row]]:
    """What never was: the latest stretch of the value; of no value, all that are open."""
    fitting = [each for each in stretches if correction.rank >= each.rank]
    if not correction.value:
        return [each for each in fitting if each.open_at(correction.said)]
    return [each for each in fitting if each.value == correction.value][-1:]


def _stands_in(statement: _Statement[Row], correction: _Statement[Row]) -> bool:
    """True if the statement says what is so instead: in the same message, or by the same hand at once."""
    if statement.retracts or statement.value == correction.value or statement.said != correction.said:
        return False
    return statement.source.message_id == correction.source.message_id


def _stretches(ordered: Sequence[_Statement[Row]], cardinality: Cardinality) -> list[_Stretch[Row]]:
    """The stretches, in the order in which their first statements were said."""
    stretches: list[_Stretch[Row]] = []
    for statement in ordered:
        if statement.retracts:
            if not statement.corrects:
                _retract(statement, stretches)
            continue
        home = next((each for each in stretches if _belongs(statement, each, cardinality)), None)
        if home is None:
            home = _Stretch(
                value=statement.value,
                start=statement.start,
                given=statement.given,
                end=statement.end,
                statements=[statement],
            )
            stretches.append(home)
        else:
            home.statements.append(statement)
            home.given = home.given or statement.given
            home.start = min(home.start, statement.start)
            if statement.end is not None:
                home.close(statement.end)
        if cardinality == "single":
            _enter(statement, home, stretches)
    return stretches


def _retract(statement: _Statement[Row], stretches: Sequence[_Stretch[Row]]) -> None:
    moment = statement.ends_at
    for stretch in stretches:
        if statement.value in ("", stretch.value) and stretch.start <= moment and statement.rank >= stretch.rank:
            stretch.close(moment)


def _belongs(statement: _Statement[Row], stretch: _Stretch[Row], cardinality: Cardinality) -> bool:
    """True if the statement says again what the stretch says."""
    if statement.value != stretch.value:
        return False
    if cardinality == "event":
        return statement.start == stretch.start
    if statement.start < stretch.start:
        return stretch.open_at(statement.said) and (statement.end is None or statement.end >= stretch.start)
    return stretch.open_at(statement.start)


def _enter(statement: _Statement[Row], home: _Stretch[Row], stretches: Sequence[_Stretch[Row]]) -> None:
    """Lets the statement close what it supersedes, and be closed by what it comes before in the world."""
    begin = statement.start
    for other in stretches:
        if other.value == home.value or not other.open_at(begin) or _says_both(statement, other):
            continue
        if statement.given and other.given and begin < other.start and statement.rank <= other.rank:
            if statement.end is None:
                home.close(other.start)
        elif statement.rank >= other.rank and _supersedes(statement, other):
            other.close(begin)


def _says_both(statement: _Statement[Row], other: _Stretch[Row]) -> bool:
    """True if one message says this value and that one."""
    key = statement.source.message_id
    return bool(key) and any(each.source.message_id == key for each in other.statements)


def _supersedes(statement: _Statement[Row], other: _Stretch[Row]) -> bool:
    source, last = statement.source, other.statements[-1]
    if statement.end is not None and statement.end <= last.said:
        return False
    if not source.message_id:
        return True
    if statement.said > last.said and statement.rank > other.rank:
        return True
    same_speaker = any(each.source.speaker == source.speaker for each in other.statements)
    if statement.said == last.said:
        same_place = (source.session, source.episode_id) == (last.source.session, last.source.episode_id)
        return same_speaker and same_place and source.position > last.source.position
    if not same_speaker and not statement.given:
        return statement.said.astimezone(UTC).date() != last.said.astimezone(UTC).date()
    return True


# --- rows -----------------------------------------------------------------------------------------------------------


def _write(stretch: _Stretch[Row], sheet: Sheet, now: datetime, new_id: Callable[[], str]) -> None:
    """Puts the stretch into the first row that is kept for it, or a new one; its other statements are supports."""
    first = stretch.statements[0]
    kept: list[Row] = [each.held for each in stretch.statements if isinstance(each.held, Fact | Relation)]
    keep = kept[0] if kept else replace(first.row, id=new_id(), created_at=now)
    for row in kept[1:]:
        sheet.take(row)
    begins = next(each for each in stretch.statements if each.start == stretch.start)
    row = replace(
        keep,
        source=first.source,
        valid_at=None if stretch.start == BEGINNING else stretch.start,
        invalid_at=None if stretch.denied else stretch.end,
        expired_at=(keep.expired_at or stretch.denied) if stretch.denied else None,
        grain=begins.source.grain,
        importance=max(each.row.importance for each in stretch.statements),
        **_note(stretch),
    )
    sheet.put(row, before=keep if kept else None)
    _write_supports(stretch, row.id, sheet, now, new_id)


def _note(stretch: _Stretch[Row]) -> dict[str, Any]:
    """A relation's note: the first that there is."""
    rows: list[Fact | Relation] = [each.row for each in stretch.statements]
    notes = [row.note for row in rows if isinstance(row, Relation) and row.note]
    return {"note": notes[0]} if notes else {}


def _write_supports(
    stretch: _Stretch[Row], record_id: str, sheet: Sheet, now: datetime, new_id: Callable[[], str]
) -> None:
    """Makes every statement but the first a support; rows that exist are kept for what they say, where they can be."""
    wanted = [each.source for each in stretch.statements[1:]]
    for statement in stretch.statements:
        support = statement.held
        if not isinstance(support, Support):
            continue
        if support.source in wanted:
            wanted.remove(support.source)
            sheet.put(replace(support, record_id=record_id), before=support)
        else:
            sheet.take(support)
    for source in wanted:
        sheet.put(Support(id=new_id(), record_id=record_id, created_at=now, source=source))
