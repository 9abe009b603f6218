"""A sheet of rows as they will be, and the changes that lead there."""

from __future__ import annotations

from factbook.model.change import Change
from factbook.model.record import Record


class ChangeSheet:
    """Collects what a plan writes: each row once, with its image before the plan and after it."""

    def __init__(self) -> None:
        self._rows: dict[tuple[type, str], tuple[Record | None, Record | None]] = {}

    def put_row(self, row: Record, before: Record | None = None) -> None:
        """Writes a row; `before` is what the store holds, if this plan has not touched the row
        yet.
        """
        key = (type(row), row.id)
        first = self._rows[key][0] if key in self._rows else before
        self._rows[key] = (first, row)

    def take_row(self, row: Record) -> None:
        """Takes a row out."""
        key = (type(row), row.id)
        first = self._rows[key][0] if key in self._rows else row
        self._rows[key] = (first, None)

    def take_new(self, row: Record) -> None:
        """Takes out a row that this plan put in."""
        del self._rows[type(row), row.id]

    def list_changes(self) -> tuple[Change, ...]:
        """Returns the changes, in the order in which rows were first touched; rows that end as they
        were are left out.
        """
        return tuple(
            Change(before=before, after=after)
            for before, after in self._rows.values()
            if before != after
        )
