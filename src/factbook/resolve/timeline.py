"""The truth about one attribute or link over time, from everything that was said of it.

All statements of a group (one attribute of one entity, or one sort of link) are taken in the order
in which they were said, whatever the order of learning, and laid out as stretches of time:

- A statement without an end says that its value holds when it is said. Where the words give no
  beginning, the value counts from then on.
- The same value said again within its stretch supports it; an earlier beginning moves the stretch's
  beginning.
- Where one value holds at a time, a statement closes the other values' stretches at its own
  beginning, if its standing is equal or higher. A later statement about an earlier time (both
  beginnings being given in the words) enters already closed. What a lower standing says is kept
  beside, and so is what another person says on the same day without saying since when: that is a
  conflict, which reading derives.
- A retraction closes the stretch of its value. It is kept as a row that never held, with the words
  that say so.
- A correction, a retraction that ends its value at `NEVER`, takes the latest stretch of the value
  out: it was never so. What the same message says in its place holds from when the wrong value was
  said to begin.

The row of a stretch is its first statement; later ones are `Support` rows. The layout is a function
of the statements alone, so that any order of learning ends in the same truth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, cast

from factbook.model.record import Fact, Relation, Support
from factbook.model.source import Source
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.validity_stretches import (
    Group,
    Row,
    Statement,
    Stretch,
    lay_out,
    statement_key,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class NewStatement(Generic[Row]):
    """A new statement: the row that it would be, without id; the times that the words give are in
    its source.

    `marked` False: a retraction that has a row of its own elsewhere ("worked at") and needs none
    here.
    """

    row: Row
    value: str
    retracts: bool = False
    marked: bool = True


def settle_group(
    group: Group[Row],
    new: Sequence[NewStatement[Row]],
    sheet: ChangeSheet,
    *,
    now: datetime,
    new_id: Callable[[], str],
) -> None:
    """Writes to the sheet what the new statements change in the group; nothing for what it has
    already.
    """
    known: list[Statement[Row]] = _stored_statements(group)
    fresh: list[Statement[Row]] = []
    for each in new:
        statement = _fresh_statement(each, now)
        if not _is_known(statement, known + fresh):
            fresh.append(statement)
    if not fresh:
        return
    for statement in fresh:
        if statement.retracts and statement.marked and statement.value:
            ends = statement.ends_at
            sheet.put_row(
                replace(
                    statement.row,
                    id=new_id(),
                    valid_at=None,
                    invalid_at=ends,
                    created_at=now,
                    expired_at=now,
                )
            )
    for stretch in lay_out(known + fresh, group):
        _write_stretch(stretch, sheet, now, new_id)


def resettle_group(
    group: Group[Row], sheet: ChangeSheet, *, now: datetime, new_id: Callable[[], str]
) -> None:
    """Writes to the sheet what follows from the statements that are left, after others were
    erased.
    """
    for stretch in lay_out(_stored_statements(group), group):
        _write_stretch(stretch, sheet, now, new_id)


def unsay_statements(
    group: Group[Row],
    is_meant: Callable[[Source], bool],
    sheet: ChangeSheet,
    *,
    now: datetime,
    new_id: Callable[[], str],
) -> None:
    """Writes to the sheet the group without the statements that are meant, as if they had never
    been made.

    A row whose own statement goes, and that others restate, stays: it rests on the first of them.
    """
    statements: list[Statement[Row]] = _stored_statements(group)
    left = [each for each in statements if not is_meant(each.source)]
    if len(left) == len(statements):
        return
    for each in (each for each in statements if is_meant(each.source)):
        if isinstance(each.held, Support):
            sheet.take_row(each.held)
        elif each.held is not None:
            heirs = [
                other
                for other in left
                if isinstance(other.held, Support) and other.row.id == each.held.id
            ]
            if not heirs:
                sheet.take_row(each.held)
                continue
            first = min(heirs, key=statement_key)
            assert isinstance(first.held, Support)
            sheet.take_row(first.held)
            left[left.index(first)] = replace(first, held=each.held)
    for stretch in lay_out(left, group):
        _write_stretch(stretch, sheet, now, new_id)


def as_one(group: Group[Row]) -> list[Row]:
    """Returns the rows of a group as they hold where several entities' rows are read as one.

    What one entity's statements close of another's ends there; a row that holds again later comes
    twice.
    """
    held = [each.row for each in held_of(group)]
    return held + [row for row in group.rows if row.is_retraction]


@dataclass(frozen=True, kw_only=True, slots=True)
class HeldValue(Generic[Row]):
    """A time in which one value holds: the row of its first statement, as it holds, the ids of all
    rows that say it, where each statement comes from, and what was noted of it.
    """

    row: Row
    ids: frozenset[str]
    sources: tuple[Source, ...]
    notes: tuple[str, ...] = ()


def held_of(group: Group[Row]) -> list[HeldValue[Row]]:
    """Returns what holds when in a group; the retractions are left out."""
    return [_held_value(stretch) for stretch in lay_out(_stored_statements(group), group)]


def _held_value(stretch: Stretch[Row]) -> HeldValue[Row]:
    rows = [each.row for each in stretch.statements]
    row = replace(
        rows[0],
        valid_at=stretch.valid_at,
        invalid_at=stretch.invalid_at,
        expired_at=stretch.denied,
    )
    return HeldValue(
        row=row,
        ids=frozenset(each.id for each in rows),
        sources=tuple(each.source for each in stretch.statements),
        notes=tuple(dict.fromkeys(filter(None, map(note_of, rows)))),
    )


# --- statements -----------------------------------------------------------------------------------


def _stored_statements(group: Group[Row]) -> list[Statement[Row]]:
    out: list[Statement[Row]] = []
    for row in group.rows:
        if row.is_retraction:
            out.append(replace(_row_statement(row, group), retracts=True))
        else:
            out.append(_row_statement(row, group))
            out += [
                _support_statement(support, row, group)
                for support in group.supports.get(row.id, ())
            ]
    for past in group.endings:
        # Said again it ends anew: what it is the end of may have begun again in between.
        ends = [_row_statement(past, group)]
        ends += [
            _support_statement(support, past, group) for support in group.supports.get(past.id, ())
        ]
        out += [replace(end, retracts=True, marked=False, held=None) for end in ends]
    return out


def _row_statement(row: Row, group: Group[Row]) -> Statement[Row]:
    return Statement(
        row=row,
        value=group.value(row),
        source=row.source,
        said=row.said_at,
        recorded=row.created_at,
        held=row,
    )


def _support_statement(support: Support, row: Row, group: Group[Row]) -> Statement[Row]:
    return Statement(
        row=_said_again(row, support),
        value=group.value(row),
        source=support.source,
        said=support.said_at,
        recorded=support.created_at,
        held=support,
    )


def _fresh_statement(said: NewStatement[Row], now: datetime) -> Statement[Row]:
    source = said.row.source
    return Statement(
        row=said.row,
        value=said.value,
        source=source,
        said=source.said_at or now,
        recorded=now,
        retracts=said.retracts,
        marked=said.marked,
    )


def _is_known(new: Statement[Row], statements: Sequence[Statement[Row]]) -> bool:
    """Returns whether the record has this statement already: the same message says it, or the same
    hand wrote it last.

    A note that is new, and the other end of a relation, are something new.
    """
    same: list[Statement[Row]]
    same = [
        each for each in statements if each.value == new.value and each.retracts == new.retracts
    ]
    if new.source.message_id:
        return any(
            each.source.message_id == new.source.message_id and _is_worded_so(new, each)
            for each in same
        )
    last = max(
        reversed(statements), key=statement_key, default=None
    )  # of one moment, the one recorded last
    if last is None or last not in same:
        return False
    if new.given and new.start != last.start:
        return False
    if last.source.message_id or last.source.standing != new.source.standing:
        return False
    noted = {"", *(note_of(each.row) for each in same)}
    return note_of(new.row) in noted and _is_worded_so(new, last)


def _is_worded_so(new: Statement[Row], old: Statement[Row]) -> bool:
    """Returns whether both name a relation from the same end; always for a fact."""
    if not new.marked or not old.marked:
        return True
    left: Fact | Relation = new.row
    right: Fact | Relation = old.row
    if not isinstance(left, Relation) or not isinstance(right, Relation):
        return True
    return (left.from_id, left.to_id) == (
        right.from_id,
        right.to_id,
    ) or new.source.quote == old.source.quote != ""


def note_of(row: Fact | Relation) -> str:
    """Returns a relation's note; empty for a fact."""
    return row.note if isinstance(row, Relation) else ""


def _said_again(row: Row, support: Support) -> Row:
    """Returns a relation as it was stated again; a fact as it is."""
    known: Fact | Relation = row
    again: Any = support.said_of(known) if isinstance(known, Relation) else row
    return cast(Row, again)


def _as_first_said(kept: Row, first: Row) -> Row:
    """Returns the relation that is kept, named from the end it was first said from; a fact as it
    is.
    """
    known: Fact | Relation = first
    if isinstance(known, Relation):
        named: Any = replace(known, id=kept.id, created_at=kept.created_at)
        return cast(Row, named)
    return kept


def _support_fields(row: Fact | Relation, statement: Statement[Row]) -> Mapping[str, Any]:
    """Returns the words of the row that a support keeps from its statement."""
    said: Fact | Relation = statement.row
    if not isinstance(row, Relation) or not isinstance(said, Relation):
        return {}
    return {
        "note": said.note,
        "label": said.label if said.label != row.label else "",
        "turned": said.from_id == row.to_id and said.to_id == row.from_id,
    }


# --- rows -----------------------------------------------------------------------------------------


def _write_stretch(
    stretch: Stretch[Row], sheet: ChangeSheet, now: datetime, new_id: Callable[[], str]
) -> None:
    """Puts the stretch into the first row that is kept for it, or a new one; its other statements
    are supports.
    """
    first = stretch.statements[0]
    kept: list[Row] = [
        each.held for each in stretch.statements if isinstance(each.held, Fact | Relation)
    ]
    keep = kept[0] if kept else replace(first.row, id=new_id(), created_at=now)
    for row in kept[1:]:
        sheet.take_row(row)
    begins = next(each for each in stretch.statements if each.start == stretch.start)
    row = replace(
        _as_first_said(keep, first.row),
        source=first.source,
        valid_at=stretch.valid_at,
        invalid_at=stretch.invalid_at,
        expired_at=(keep.expired_at or stretch.denied) if stretch.denied else None,
        grain=begins.source.grain,
        importance=max(each.row.importance for each in stretch.statements),
    )
    sheet.put_row(row, before=kept[0] if kept else None)
    _write_supports(stretch, row, sheet, now, new_id)


def _write_supports(
    stretch: Stretch[Row], row: Row, sheet: ChangeSheet, now: datetime, new_id: Callable[[], str]
) -> None:
    """Makes every statement but the first a support; rows that exist are kept for what they say,
    where they can be.
    """
    wanted = stretch.statements[1:]
    for statement in stretch.statements:
        support = statement.held
        if not isinstance(support, Support):
            continue
        said = next((each for each in wanted if each.source == support.source), None)
        if said is None:
            sheet.take_row(support)
        else:
            wanted = [each for each in wanted if each is not said]
            sheet.put_row(
                replace(support, record_id=row.id, **_support_fields(row, said)), before=support
            )
    for said in wanted:
        new = Support(id=new_id(), record_id=row.id, created_at=now, source=said.source)
        sheet.put_row(replace(new, **_support_fields(row, said)))
