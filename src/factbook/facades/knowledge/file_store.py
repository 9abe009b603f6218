"""Knowledge in one file of JSON lines: plain to read, safe for several processes, searched by
words.
"""

from __future__ import annotations

import builtins
import heapq
import logging
import threading
from bisect import bisect_left
from collections.abc import Callable, Collection, Container, Generator, Iterable, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from factbook.errors import ConfigError
from factbook.facades.knowledge.knowledge_entry import (
    KnowledgeEntry,
    Pruned,
    check_entry,
    from_line,
    is_copy,
    to_line,
)
from factbook.facades.knowledge.knowledge_ports import match_entries, same_category
from factbook.facades.knowledge.lines_file import LinesFile, split_lines
from factbook.facades.knowledge.word_index import WordIndex
from factbook.learn.clock import Clock, utc_now
from factbook.text.argument_checks import in_utc
from factbook.text.index_words import index_words

FILE_NAME = "entries.jsonl"
_BY_IMPORTANCE = 0.05
"""What importance adds to the share that the words give."""

_log = logging.getLogger("factbook")


class FileKnowledgeStore:
    """Entries as the lines of `entries.jsonl` in a folder.

    Saving a new entry appends a line; whatever alters or removes one writes the file anew beside
    the old one and renames it, under a lock. Several processes and threads may use one folder. A
    line that can't be read (a write that was cut off) costs that line only: it is reported by
    `damage` and in the log, and left where it is, until an entry that it is a copy of is taken out,
    or `drop_damaged` is called.

    Searching goes over an index of words in memory, brought up to date when the file changed. For
    more than some 100,000 entries, search by meaning, or history, take `SQLiteKnowledgeStore`.
    """

    def __init__(self, directory: str | Path = "./memory", *, clock: Clock = utc_now) -> None:
        """Makes the folder where there is none.

        Raises:
            ConfigError: it can't be made.
        """
        folder = Path(directory)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            raise ConfigError(
                f"the folder {folder} can't be made; name one that can be written"
            ) from None
        self._clock = clock
        self._file = LinesFile(folder / FILE_NAME)
        self._lock = threading.RLock()
        self._reset_entries()

    def __repr__(self) -> str:
        return f"FileKnowledgeStore({self._file.path.as_posix()!r})"

    def _reset_entries(self) -> None:
        self._entries: dict[str, KnowledgeEntry] = {}
        self._lines: builtins.list[tuple[str, int]] = []
        self._damaged: dict[int, None] = {}
        self._drop_index()

    def _drop_index(self) -> None:
        self._index: WordIndex | None = None
        self._numbers: dict[str, int] = {}
        self._ids: builtins.list[str] = []

    @property
    def path(self) -> Path:
        """The file."""
        return self._file.path

    def now(self) -> datetime:
        """The present moment, by the store's clock."""
        return self._clock()

    @property
    def damage(self) -> tuple[str, ...]:
        """A sentence for each line that can't be read; none if all is well."""
        with self._hold_current():
            return tuple(
                f"{self.path} line {number} can't be read; what was whole is in use, and the line "
                "is left as it is"
                for number in self._damaged
            )

    # --- one entry --------------------------------------------------------------------------------

    def save(self, entry: KnowledgeEntry) -> str:
        """Keeps an entry, in place of one with its id, and returns the id when it is durable.

        Raises:
            InputError: a part of it can't be kept. StoreBusyError, StoreError: nothing was written.
        """
        return self.save_many([entry])[0]

    def save_many(self, entries: Iterable[KnowledgeEntry]) -> builtins.list[str]:
        """Like `save` for several at once: all are written, or none."""
        given = [check_entry(entry) for entry in entries]
        if not given:
            return []
        with self._hold_for_writing():
            if any(entry.id in self._entries for entry in given):
                self._rewrite_file({entry.id: entry for entry in given})
            else:
                self._append_entries({entry.id: entry for entry in given}.values())
        return [entry.id for entry in given]

    def get(self, entry_id: str) -> KnowledgeEntry | None:
        """The entry of that id, expired or not."""
        with self._hold_current():
            found = self._entries.get(entry_id)
            return None if found is None else _copy_entries([found])[0]

    def delete(self, entry_id: str) -> bool:
        """Takes an entry out of the file for good; False if there was none."""
        return bool(self.delete_many([entry_id]))

    def delete_many(self, entry_ids: Iterable[str]) -> builtins.list[KnowledgeEntry]:
        """Takes entries out of the file for good; returns those that were there."""
        with self._hold_for_writing():
            return self._take_out(
                [self._entries[key] for key in dict.fromkeys(entry_ids) if key in self._entries]
            )

    # --- many -------------------------------------------------------------------------------------

    def query(
        self,
        category: str | None = None,
        min_importance: float = 0.0,
        since: datetime | None = None,
        limit: int = 50,
    ) -> builtins.list[KnowledgeEntry]:
        """Entries that have not expired, the most important first, then as they were saved."""
        after = in_utc(since, "since")
        found = [
            entry
            for entry in self._list_shown(category)
            if entry.importance >= min_importance and (after is None or entry.created_at >= after)
        ]
        return _copy_entries(
            heapq.nlargest(max(limit, 0), found, key=lambda entry: entry.importance)
        )

    def leading(self, limit: int) -> builtins.list[KnowledgeEntry]:
        """So many that have not expired: persistent ones first, then the most important, of these
        the latest.
        """
        found = heapq.nlargest(
            max(limit, 0),
            self._list_shown(None),
            key=lambda entry: (entry.persistent, entry.importance, entry.created_at),
        )
        return _copy_entries(found)

    def list(
        self, category: str | None = None, limit: int | None = None
    ) -> builtins.list[KnowledgeEntry]:
        """Entries that have not expired, the latest first; all of them without a limit."""
        found = self._list_shown(category)[::-1]
        found.sort(key=lambda entry: entry.created_at, reverse=True)
        return _copy_entries(found if limit is None else found[: max(limit, 0)])

    def search(
        self, query: str, category: str | None = None, limit: int = 5
    ) -> builtins.list[KnowledgeEntry]:
        """The entries that match best, by their words' stems; without a query the most important.

        Where no entry holds one of the words, those that hold the query or its words as parts of
        others are given.
        """
        if not query.strip():
            return self.query(category=category, limit=limit)
        most = max(limit, 0)
        with self._hold_current():
            found = self._by_words(query, category, most)
        return _copy_entries(found or match_entries(self._list_shown(category), query)[:most])

    def categories(self) -> dict[str, int]:
        """Counts the entries of each category, by name; without expired ones."""
        counts: dict[str, int] = {}
        for entry in self._list_shown(None):
            counts[entry.category] = counts.get(entry.category, 0) + 1
        return dict(sorted(counts.items()))

    def count(self) -> int:
        """Counts the entries, expired ones too."""
        with self._hold_current():
            return len(self._entries)

    def prune(self, max_age_days: float | None = None, min_importance: float = 0.0) -> Pruned:
        """Takes out for good what expired, is older or less important, but nothing persistent; says
        what it took.
        """
        now = self._clock()
        oldest = None if max_age_days is None else now - timedelta(days=max_age_days)
        with self._hold_for_writing():
            loose = [entry for entry in self._entries.values() if not entry.persistent]
            gone = [
                entry
                for entry in loose
                if entry.expired(now)
                or entry.importance < min_importance
                or _is_older(entry, oldest)
            ]
            return Pruned(self._take_out(gone))

    # --- the file and what is known of it ---------------------------------------------------------

    @contextmanager
    def _hold_current(self) -> Generator[None]:
        """Holds the lock and brings memory up to the file; no other thread alters it meanwhile."""
        with self._lock:
            if not self._file.is_unchanged():
                with self._file.hold_lock(write=False), self._hold_whole():
                    self._read_news()
            yield

    @contextmanager
    def _hold_for_writing(self) -> Generator[None]:
        with self._lock, self._file.hold_lock(write=True), self._hold_whole():
            if not self._file.is_unchanged():
                self._read_news()
            yield

    @contextmanager
    def _hold_whole(self) -> Generator[None]:
        """Has the file read anew next time where a write breaks off, by an interrupt too."""
        try:
            yield
        except BaseException:
            self._file.forget_place()
            raise

    def _read_news(self) -> None:
        open_end = not self._file.ends_a_line
        news = self._file.read_news()
        data = news.data
        if news.whole:
            self._reset_entries()
        elif open_end:
            data = data[1:]
            self._end_the_last()
        before = len(self._damaged)
        for line in split_lines(data):
            self._take_in(line)
        for number in [*self._damaged][before:]:
            _log.warning("%s line %d can't be read; it is left out", self.path, number)

    def _take_in(self, line: bytes) -> None:
        entry = from_line(line) if line.strip() else None
        self._lines.append((entry.id if entry else "", len(line)))
        if entry is not None:
            self._know_entry(entry)
        elif line.strip():
            self._damaged[len(self._lines)] = None

    def _end_the_last(self) -> None:
        """The last line had no end, and has got it."""
        key, length = self._lines[-1]
        self._lines[-1] = (key, length + 1)

    def _know_entry(self, entry: KnowledgeEntry) -> None:
        self._forget_entry(entry.id)
        self._entries[entry.id] = entry
        if self._index is not None:
            self._index_entry(self._index, entry)

    def _forget_entry(self, entry_id: str) -> None:
        if self._entries.pop(entry_id, None) is not None and self._index is not None:
            self._index.remove_text(self._numbers.pop(entry_id))

    def _append_entries(self, entries: Iterable[KnowledgeEntry]) -> None:
        new = [(entry, to_line(entry)) for entry in entries]
        gap = b"" if self._file.ends_a_line else b"\n"
        self._file.append_data(gap + b"".join(line for _, line in new))
        if gap:
            self._end_the_last()
        for entry, line in new:
            self._lines.append((entry.id, len(line)))
            self._know_entry(entry)

    def drop_damaged(self) -> int:
        """Takes out for good the lines that can't be read; returns how many."""
        with self._hold_for_writing():
            lost = len(self._damaged)
            if lost:
                self._rewrite_file({}, lost=set(self._damaged))
            return lost

    def _take_out(self, gone: Sequence[KnowledgeEntry]) -> builtins.list[KnowledgeEntry]:
        if gone:
            self._rewrite_file({entry.id: None for entry in gone}, lost=self._copies_of(gone))
        return builtins.list(gone)

    def _copies_of(self, gone: Sequence[KnowledgeEntry]) -> set[int]:
        """Numbers of the lines that can't be read and hold one of these entries: a write that was
        cut off and made again.
        """
        if not self._damaged:
            return set()
        lines = self._file.read_contents().split(b"\n")
        return {
            number
            for number in self._damaged
            if any(is_copy(lines[number - 1], entry) for entry in gone)
        }

    def _rewrite_file(
        self, altered: dict[str, KnowledgeEntry | None], *, lost: Collection[int] = ()
    ) -> None:
        """Writes the file anew: entries in the place of those with their ids, or at the end; None
        takes one out. Every other line stays as it is, also what can't be read, but for those of
        the numbers in `lost`.
        """
        data, lines = self._file.read_contents(), self._lines.copy()
        if not self._file.ends_a_line:
            data += b"\n"
            lines[-1] = (lines[-1][0], lines[-1][1] + 1)
        last = {key: place for place, (key, _) in enumerate(lines) if key in altered}
        parts: builtins.list[bytes] = []
        gone: builtins.list[int] = []
        start = at = 0
        for place, (key, length) in enumerate(lines):
            if key in altered or place + 1 in lost:
                parts.append(data[start:at])
                start = at + length
                entry = altered[key] if last.get(key) == place else None
                if entry is None:
                    gone.append(place)
                else:
                    parts.append(to_line(entry))
                    lines[place] = (key, len(parts[-1]))
            at += length
        parts.append(data[start:])
        left = (number for number in self._damaged if number not in lost)
        damaged = {number - bisect_left(gone, number - 1): None for number in left}
        if gone:
            out = set(gone)
            lines = [each for place, each in enumerate(lines) if place not in out]
        for key, entry in altered.items():
            if key not in last and entry is not None:
                parts.append(to_line(entry))
                lines.append((key, len(parts[-1])))
        self._file.rewrite_file(b"".join(parts))
        self._lines, self._damaged = lines, damaged
        self._take_alterations(altered, last)

    def _take_alterations(
        self, altered: dict[str, KnowledgeEntry | None], rewritten: Container[str]
    ) -> None:
        """Brings the entries up to date with a file in which the `rewritten` ones kept their place."""
        for key, entry in altered.items():
            if entry is None:
                self._forget_entry(key)
            elif key in rewritten:
                self._replace_entry(entry)
            else:
                self._know_entry(entry)

    def _replace_entry(self, entry: KnowledgeEntry) -> None:
        """Alters an entry in its place among the others."""
        self._entries[entry.id] = entry
        if self._index is not None:
            self._index.remove_text(self._numbers.pop(entry.id))
            self._index_entry(self._index, entry)

    # --- finding ----------------------------------------------------------------------------------

    def _list_shown(self, category: str | None) -> builtins.list[KnowledgeEntry]:
        with self._hold_current():
            return builtins.list(filter(self._make_filter(category), self._entries.values()))

    def _make_filter(self, category: str | None) -> Callable[[KnowledgeEntry], bool]:
        now = self._clock()
        known: dict[str, bool] = {}

        def passes(entry: KnowledgeEntry) -> bool:
            if entry.ttl_days is not None and entry.expired(now):
                return False
            if category is None:
                return True
            if entry.category not in known:
                known[entry.category] = same_category(entry.category, category)
            return known[entry.category]

        return passes

    def _by_words(
        self, query: str, category: str | None, limit: int
    ) -> builtins.list[KnowledgeEntry]:
        index = self._get_index()
        shown = self._make_filter(category)

        def passes(number: int) -> bool:
            return shown(self._entries[self._ids[number]])

        return [
            self._entries[self._ids[number]]
            for number in index.find_best(index_words(query), limit, passes)
        ]

    def _get_index(self) -> WordIndex:
        if self._index is None or self._index.stale > max(len(self._entries), 1000):
            self._drop_index()
            self._index = WordIndex()
            for entry in self._entries.values():
                self._index_entry(self._index, entry)
        return self._index

    def _index_entry(self, index: WordIndex, entry: KnowledgeEntry) -> None:
        held = index_words(f"{entry.category.replace('_', ' ')} {entry.content}")
        self._numbers[entry.id] = index.add_text(held, _BY_IMPORTANCE * entry.importance)
        self._ids.append(entry.id)


def _copy_entries(entries: Iterable[KnowledgeEntry]) -> builtins.list[KnowledgeEntry]:
    """Entries that the caller may alter."""
    return [
        replace(entry, metadata=deepcopy(entry.metadata) if entry.metadata else {})
        for entry in entries
    ]


def _is_older(entry: KnowledgeEntry, oldest: datetime | None) -> bool:
    return oldest is not None and entry.created_at < oldest
