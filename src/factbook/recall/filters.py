"""Filters of recall and contexts: from a caller's arguments, and for rows that are read beside the
lines found.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypedDict, cast

from factbook.errors import InputError
from factbook.model.line import LINE_KINDS, LineFilter, LineKind
from factbook.text.argument_checks import check_share
from factbook.text.date_arguments import Moment, moment_of


class Filters(TypedDict, total=False):
    """The filters of recall and contexts, as callers write them (see `Memory.recall`)."""

    project: str | Sequence[str]
    session: str | Sequence[str]
    kinds: LineKind | Sequence[LineKind]
    since: Moment | None
    until: Moment | None
    min_importance: float
    verified: bool
    superseded: bool


def filter_of(filters: Filters, now: datetime) -> LineFilter:
    """The filter, its arguments checked.

    Raises:
        InputError: names that are no texts, no such kind of line, a time that can't be read, a time
            range with nothing in it, an importance outside 0 to 1, or a yes or no that is neither.
    """
    since = moment_of(filters.get("since"), "since", now, first=True)
    until = moment_of(filters.get("until"), "until", now, first=True)
    if since is not None and until is not None and until <= since:
        raise InputError(
            f"until ({until.isoformat()}) is not after since ({since.isoformat()}): nothing lies "
            "between them"
        )
    return LineFilter(
        projects=_names(filters.get("project", ()), "project"),
        sessions=_names(filters.get("session", ()), "session"),
        kinds=_kinds(filters.get("kinds", ())),
        since=since,
        until=until,
        now=now,
        superseded=check_flag(filters.get("superseded", False), "superseded"),
        min_importance=check_share(filters.get("min_importance", 0.0), "min_importance"),
        verified=check_flag(filters.get("verified", False), "verified"),
    )


def check_flag(value: object, what: str) -> bool:
    """The yes or no itself."""
    if not isinstance(value, bool):
        raise InputError(f"{what} is True or False, not of type {type(value).__name__}")
    return value


def _names(names: object, what: str) -> tuple[str, ...]:
    several = (names,) if isinstance(names, str) else () if names is None else names
    try:
        found = tuple(dict.fromkeys(cast(Sequence[object], several)))
    except TypeError:
        found = (None,)
    if not all(isinstance(name, str) for name in found):
        raise InputError(
            f"{what} is the name of one, or a list of names, not of type {type(names).__name__}"
        )
    return cast(tuple[str, ...], found)


def _kinds(kinds: object) -> tuple[LineKind, ...]:
    found = _names(kinds, "kinds")
    for name in found:
        if name not in LINE_KINDS:
            raise InputError(f"kinds of lines are {', '.join(LINE_KINDS)}, not {name[:40]!r}")
    return cast(tuple[LineKind, ...], found)
