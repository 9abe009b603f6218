"""Ids by their beginning, as in git: whoever types one needs no more of it than sets it apart."""

from __future__ import annotations

from collections.abc import Iterable

from factbook.errors import AmbiguousError
from factbook.model.episode import StoredMessage
from factbook.model.record import Record
from factbook.ports.snapshot import Snapshot

LEAST = 6
"""An id is known by no fewer characters: shorter ones would be found in words."""
SHOWN = 8
"""No fewer characters are shown of an id."""
_NAMED = 5


def whole_id(
    snapshot: Snapshot, space: str, cls: type[Record] | type[StoredMessage], beginning: str
) -> str | None:
    """Returns the one id of a row of that type that begins so; None if none does, or too little of
    it is given.

    Raises:
        AmbiguousError: several do; the candidates are their ids.
    """
    if len(beginning) < LEAST:
        return None
    return the_one(beginning, snapshot.ids_beginning(space, cls, beginning, limit=_NAMED))


def the_one(beginning: str, ids: Iterable[str]) -> str | None:
    """Returns the id among these that begins so, or is it; None if there is none.

    Raises:
        AmbiguousError: several begin so.
    """
    found = [each for each in ids if each.startswith(beginning)]
    if len(found) < 2 or beginning in found:
        return beginning if beginning in found else next(iter(found), None)
    raise AmbiguousError(
        f"several ids begin with {beginning!r}: {', '.join(found[:_NAMED])}", found
    )


def shorten_id(ids: Iterable[str]) -> dict[str, str]:
    """Returns for each id the shortest beginning, of at least eight characters, that no other of
    them has.
    """
    ordered = sorted(set(ids))
    short: dict[str, str] = {}
    for number, each in enumerate(ordered):
        beside = [*ordered[max(number - 1, 0) : number], *ordered[number + 1 : number + 2]]
        length = SHOWN
        while length < len(each) and any(other.startswith(each[:length]) for other in beside):
            length += 1
        short[each] = each[:length]
    return short
