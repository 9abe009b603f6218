"""One piece of knowledge: the entry, its form as JSON, and what is looked at before it is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any, Self, cast

from factbook.errors import InputError
from factbook.learn.clock import make_id, utc_now
from factbook.text.argument_checks import check_share, check_text, in_utc

GENERAL = "general"
"""The category of what was given none."""

_AS_CREATED = datetime.min.replace(tzinfo=UTC)


@dataclass
class KnowledgeEntry:
    """A piece of knowledge that an agent keeps.

    Attributes:
        id: unique in its store. content: the text. category: a label such as `fact` or
            `preference`.
        importance: 0–1. persistent: pruning and eviction leave it alone.
        ttl_days: days from `created_at` until it is hidden; None for never.
        created_at, updated_at: in UTC; times without a zone are read as UTC. The second is the
            first if not given.
        metadata: whatever JSON can hold; never searched.
    """

    id: str = field(default_factory=make_id)
    content: str = ""
    category: str = GENERAL
    importance: float = 0.5
    persistent: bool = False
    ttl_days: float | None = None
    created_at: datetime = field(default_factory=utc_now)
    updated_at: datetime = _AS_CREATED
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        if self.created_at.tzinfo is None:
            self.created_at = self.created_at.replace(tzinfo=UTC)
        if self.updated_at is _AS_CREATED:
            self.updated_at = self.created_at
        elif self.updated_at.tzinfo is None:
            self.updated_at = self.updated_at.replace(tzinfo=UTC)

    @property
    def expires_at(self) -> datetime | None:
        """From when on it is hidden; None for never."""
        return None if self.ttl_days is None else self.created_at + timedelta(days=self.ttl_days)

    def expired(self, now: datetime) -> bool:
        """Whether it is hidden at that moment."""
        return self.ttl_days is not None and now >= self.created_at + timedelta(days=self.ttl_days)

    @property
    def is_expired(self) -> bool:
        """Whether it is hidden by now, by the system's clock; `expired` takes another."""
        return self.expired(utc_now())


class Pruned(int):
    """The number of removed entries; `entries` are they, so that nothing goes unseen."""

    entries: tuple[KnowledgeEntry, ...]

    def __new__(cls, entries: Iterable[KnowledgeEntry] = ()) -> Self:
        """Counts them."""
        held = tuple(entries)
        self = super().__new__(cls, len(held))
        self.entries = held
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Returns the arguments of `__new__`, for copies."""
        return (self.entries,)


def check_entry(entry: KnowledgeEntry) -> KnowledgeEntry:
    """A copy of the entry that can be kept and read back; takes any object with an entry's
    attributes.

    Raises:
        InputError: says which part can't be kept.
    """
    return make_entry(
        id=entry.id,
        content=entry.content,
        category=entry.category,
        importance=entry.importance,
        persistent=entry.persistent,
        ttl_days=entry.ttl_days,
        created_at=entry.created_at,
        updated_at=entry.updated_at,
        metadata=entry.metadata,
    )


def make_entry(  # noqa: PLR0913 - the document names the parameters
    *,
    id: str,  # noqa: A002 - an entry's own word
    content: str,
    category: str,
    importance: float,
    persistent: bool,
    ttl_days: float | None,
    created_at: datetime,
    updated_at: datetime,
    metadata: Mapping[str, Any] | None,
) -> KnowledgeEntry:
    """An entry of parts that were looked at.

    Raises:
        InputError: says which part is wrong.
    """
    if not check_text(id, "an entry's id").strip():
        raise InputError("an entry needs an id")
    if not check_text(content, "an entry's content").strip():
        raise InputError("an entry needs a content; it is empty")
    check_share(importance, "importance")
    if not isinstance(persistent, bool):  # pyright: ignore[reportUnnecessaryIsInstance] - hosts hand in what JSON gave
        raise InputError(f"persistent is True or False, not of type {type(persistent).__name__}")
    created = in_utc(created_at, "created_at")
    updated = in_utc(updated_at, "updated_at")
    if created is None or updated is None:
        raise InputError("an entry needs its times, created_at and updated_at")
    entry = KnowledgeEntry(
        id=id,
        content=content,
        category=check_text(category, "a category").strip() or GENERAL,
        importance=float(importance),
        persistent=persistent,
        ttl_days=check_days(ttl_days, "ttl_days"),
        created_at=created,
        updated_at=updated,
        metadata=_plain_metadata(metadata),
    )
    try:
        in_utc(entry.expires_at, "ttl_days")
    except (OverflowError, InputError):
        raise InputError(
            f"ttl_days of {ttl_days} ends outside the years 1 to 9999; None is for never"
        ) from None
    return entry


def check_days(days: object, what: str) -> float | None:
    """The number of days itself, or None.

    Raises:
        InputError: it is no number.
    """
    if days is None:
        return None
    # a whole number may be too large for `isfinite`
    if isinstance(days, bool) or not isinstance(days, int | float) or not -inf < days < inf:
        raise InputError(f"{what} is a number of days or None, not {str(days)[:40]!r}")
    return days


def _plain_metadata(metadata: Mapping[str, Any] | None) -> dict[str, Any]:
    """A copy that shares nothing with the caller's."""
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance] - as above
        raise InputError(f"metadata are values by name, not of type {type(metadata).__name__}")
    try:
        text = json.dumps(dict(metadata), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError):
        raise InputError(
            "metadata holds what JSON can't: texts, numbers, lists and tables of these can be kept"
        ) from None
    check_text(text, "metadata")
    return cast(dict[str, Any], json.loads(text))


def to_line(entry: KnowledgeEntry) -> bytes:
    """The entry as one line of JSON, with its end."""
    data = {
        "id": entry.id,
        "content": entry.content,
        "category": entry.category,
        "importance": entry.importance,
        "persistent": entry.persistent,
        "ttl_days": entry.ttl_days,
        "created_at": entry.created_at.isoformat(),
        "updated_at": entry.updated_at.isoformat(),
        "metadata": entry.metadata,
    }
    return json.dumps(data, ensure_ascii=False).encode() + b"\n"


def from_line(line: bytes) -> KnowledgeEntry | None:
    """The entry in a line; None where it can't be read. An importance outside 0–1 is taken for the
    nearer end.
    """
    try:
        data = json.loads(line)
        created = datetime.fromisoformat(data["created_at"])
        importance = float(data.get("importance", 0.5))
        entry = KnowledgeEntry(
            id=_check_text(data["id"]),
            content=_check_text(data["content"]),
            category=_check_text(data.get("category", GENERAL)),
            importance=min(max(importance, 0.0), 1.0) if importance == importance else 0.5,
            persistent=bool(data.get("persistent", False)),
            ttl_days=check_days(data.get("ttl_days"), "ttl_days"),
            created_at=created,
            updated_at=datetime.fromisoformat(data.get("updated_at", data["created_at"])),
            metadata=dict(data.get("metadata") or {}),
        )
        _ = entry.expires_at
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        return None
    return entry


_CONTENT = re.compile(rb'"content": ?"((?:[^"\\]|\\.)*)')


def is_copy(line: bytes, entry: KnowledgeEntry) -> bool:
    """Whether a line that can't be read is of that entry, or holds its text or the beginning of
    it.
    """
    if json.dumps(entry.id, ensure_ascii=False).encode() in line:
        return True
    found = _CONTENT.search(line)
    if found is None or not found.group(1):
        return False
    text = json.dumps(entry.content, ensure_ascii=False).encode()[1:-1]
    return text.startswith(found.group(1)) or found.group(1).startswith(text)


def _check_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text was expected")
    return value
