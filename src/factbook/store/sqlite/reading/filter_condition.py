"""What a `LineFilter` lets through, as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from factbook.model.line import LineFilter
from factbook.store.sqlite.words.line_writer import KIND_NUMBERS

_GROUNDED = (
    "(r.source_standing = 'note' OR (r.source_standing = 'user' AND r.source_message_id "
    "<> '' AND r.source_quote <> ''))"
)
_STATED = (
    f"EXISTS (SELECT 1 FROM {{}} r WHERE r.space_no = l.space_no AND r.id = l.id AND {_GROUNDED})"
    " OR EXISTS (SELECT 1 FROM supports r WHERE r.space_no = l.space_no AND r.record_id = l.id "
    f"AND {_GROUNDED})"
)
_VERIFIED = (
    f"CASE l.kind WHEN {KIND_NUMBERS['message']} THEN l.role = 'user'"
    f" WHEN {KIND_NUMBERS['fact']} THEN {_STATED.format('facts')}"
    f" WHEN {KIND_NUMBERS['relation']} THEN {_STATED.format('relations')}"
    f" WHEN {KIND_NUMBERS['note']} THEN EXISTS (SELECT 1 FROM notes r WHERE r.space_no = "
    "l.space_no AND r.id = l.id"
    " AND r.source_standing IN ('user', 'note'))"
    f" WHEN {KIND_NUMBERS['observation']} THEN EXISTS (SELECT 1 FROM observations r WHERE"
    f" r.space_no = l.space_no AND r.id = l.id AND {_GROUNDED})"
    " ELSE EXISTS (SELECT 1 FROM entities r WHERE r.space_no = l.space_no AND r.id = l.id"
    " AND r.source_standing = 'note' AND r.updated_at = r.created_at) END"
)
"""`Line.verified` as SQL: see `factbook.store.derive`."""


class Condition:
    """A `LineFilter` as SQL on a table named `l`: `sql` begins with AND where there is one."""

    def __init__(self, where: LineFilter, sessions: Sequence[int] | None) -> None:  # noqa: C901 - a branch a filter
        parts: list[str] = []
        self.values: list[Any] = []

        def add(part: str, *values: Any) -> None:
            parts.append(part)
            self.values.extend(values)

        if where.projects:
            add(f"(l.project = '' OR l.project IN ({_marks(where.projects)}))", *where.projects)
        if sessions is not None:
            add(f"l.session_no IN ({_marks(sessions)})", *sessions)
        if where.kinds:
            add(f"l.kind IN ({_marks(where.kinds)})", *(KIND_NUMBERS[kind] for kind in where.kinds))
        if where.categories:
            add(
                f"l.kind = {KIND_NUMBERS['note']} AND EXISTS (SELECT 1 FROM notes n WHERE "
                "n.space_no = l.space_no"
                f" AND n.id = l.id AND n.category IN ({_marks(where.categories)}))",
                *where.categories,
            )
        if where.verified:
            add(_VERIFIED)
        if where.since is not None:
            add("l.at >= ?", where.since.timestamp())
        if where.until is not None:
            add("l.at < ?", where.until.timestamp())
        if where.min_importance > 0:
            add("l.importance >= ?", where.min_importance)
        now = None if where.now is None else where.now.timestamp()
        if now is not None:
            add("(l.expires_at IS NULL OR l.expires_at > ?)", now)
        if not where.superseded:
            add("(l.ends_at IS NULL OR l.ends_at > ?)", now if now is not None else float("inf"))
        self.sql = "".join(f" AND {part}" for part in parts)


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
