"""KnowledgeMemory: what an agent decides to keep, over any store of knowledge."""

from __future__ import annotations

import builtins
import difflib
import logging
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any, Self

from factbook.errors import InputError, NotFoundError
from factbook.facades.knowledge import day_logs, folder_blob
from factbook.facades.knowledge.entries_block import LONG_TERM, RECENT, context_block, cut_line
from factbook.facades.knowledge.file_store import FileKnowledgeStore
from factbook.facades.knowledge.knowledge_entry import (
    GENERAL,
    KnowledgeEntry,
    Pruned,
    check_days,
    make_entry,
)
from factbook.facades.knowledge.knowledge_ports import (
    EVERY,
    KnowledgeBackend,
    KnowledgeStore,
    SearchlessStore,
    all_of,
    search_in,
)
from factbook.facades.knowledge.sqlite_store import SQLiteKnowledgeStore
from factbook.learn.clock import Clock, IdMaker, make_id, utc_now
from factbook.memory.masking import Guard, Redact, sorts_of
from factbook.memory.memory import Memory
from factbook.text.argument_checks import check_text
from factbook.text.token_counters import TokenizerLike, make_counter

PreSaveHook = Callable[[str], str | None]
"""Returns the text to keep, or None to refuse it."""
Listener = Callable[[Sequence[KnowledgeEntry]], None]

_OURS = (FileKnowledgeStore, SQLiteKnowledgeStore)
_NUMBER = re.compile(r"\d+")
_log = logging.getLogger("factbook")


class KnowledgeMemory:
    """Knowledge that lasts over sessions: remembered, searched, shown to the model, pruned.

    ::

        knowledge = KnowledgeMemory(directory="./memory")
        knowledge.remember("Ada takes no sugar", category="preference", importance=0.8)
        knowledge.search("how does Ada take her coffee?")

    Nothing is evicted by itself: `max_entries` bounds what the context shows, and entries leave the
    store when `prune` is called (which returns them), or above `max_entries` where `on_evict` is
    given to hear of them.
    """

    def __init__(  # noqa: PLR0913 - the document names the parameters
        self,
        directory: str | Path = "./memory",
        store: SearchlessStore | None = None,
        recent_days: int = 2,
        max_context_chars: int = 5000,
        max_entries: int = 50,
        backend: KnowledgeBackend | None = None,
        pre_save: PreSaveHook | Sequence[PreSaveHook] | None = None,
        dedupe: bool = False,
        dedupe_threshold: float = 0.9,
        dedupe_window: int = 200,
        *,
        memory: Memory | None = None,
        on_evict: Listener | None = None,
        tokenizer: TokenizerLike | None = None,
        clock: Clock | None = None,
        new_id: IdMaker = make_id,
        redact: Redact | None = None,
    ) -> None:
        """Over a store, a `Memory`, or by default the folder's `FileKnowledgeStore`.

        Args:
            directory: where the entries lie if neither `store` nor `memory` is given, and what
                `backend` keeps.
            store: any store; one without `search` is listed, and searched for parts of its texts.
            recent_days: days that `get_recent_logs` shows.
            max_context_chars: most characters of `build_context`. max_entries: most entries in it,
                persistent ones first, then the most important and latest.
            backend: keeps the folder as a blob: read at the start, saved after every change.
            pre_save: what a text passes through before it is kept, in order; None from one refuses
                the text.
            dedupe: refuses a text that is like one of the latest `dedupe_window` by
                `dedupe_threshold` (difflib's ratio), unless their numbers differ.
            memory: keeps the entries as notes of that memory's space.
            on_evict: called with the entries that are evicted above `max_entries`; without it none
                is.
            tokenizer: counts the budget of `build_context`. clock, new_id: where times and ids come
                from; by default the store's clock.
            redact: which personal data is masked besides secrets (see `Memory.open`); None for
                none, or as `memory` does.

        Raises:
            ConfigError, InputError: the folder, or what the backend holds, can't be used.
        """
        if store is not None and memory is not None:
            raise InputError("give a store or a memory, not both")
        self._sorts = (
            sorts_of(redact) if redact is not None else memory.redacts if memory is not None else ()
        )
        self._directory = Path(directory)
        self._recent_days = recent_days
        self._max_context_chars = max_context_chars
        self._max_entries = max_entries
        self._backend = backend
        self._new_id = new_id
        self._on_evict = on_evict
        self._tokenizer = make_counter(tokenizer)
        self._lock = threading.RLock()
        self._unsaved = False
        """Whether the backend may hold what was taken out: it failed, and is asked again."""
        if backend is not None:
            self._directory.mkdir(parents=True, exist_ok=True)
            blob = backend.load_bytes()
            if blob is not None:
                folder_blob.unpack_folder(self._directory, blob)
        self._store: SearchlessStore
        if memory is not None:
            self._store = SQLiteKnowledgeStore(memory)
        else:
            self._store = (
                store
                if store is not None
                else FileKnowledgeStore(directory, clock=clock or utc_now)
            )
        self._clock = clock or (self._store.now if isinstance(self._store, _OURS) else utc_now)
        hooks = [pre_save] if callable(pre_save) else list(pre_save or ())
        if dedupe:
            hooks.append(self._refuse_likes(dedupe_threshold, dedupe_window))
        self._hooks = hooks

    def __repr__(self) -> str:
        where = self._store if isinstance(self._store, _OURS) else type(self._store).__name__
        return f"KnowledgeMemory({where})"

    @property
    def directory(self) -> str:
        """The folder, as it was given."""
        return str(self._directory)

    @property
    def store(self) -> SearchlessStore:
        """The store of the entries."""
        return self._store

    @property
    def backend(self) -> KnowledgeBackend | None:
        """The backend that keeps the folder as a blob, if there is one."""
        return self._backend

    # --- writing ----------------------------------------------------------------------------------

    def remember(
        self,
        content: str,
        category: str = GENERAL,
        persistent: bool = False,
        importance: float = 0.5,
        ttl_days: float | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> str:
        """Keeps a text without its secrets, and returns its entry's id once it is durable; an empty
        one if a hook refused it.

        Args:
            category: a label such as `fact`. persistent: pruning leaves it alone. importance: 0–1.
            ttl_days: days until it is hidden, None for never. metadata: what JSON can hold.

        Raises:
            InputError: no text, or a part is wrong (says which); nothing was kept. StoreError:
                nothing was kept.
        """
        days = check_days(ttl_days, "ttl_days")
        if days is not None and days < 0:
            raise InputError(f"ttl_days is 0 or more, not {days}; None is for never")
        text = self._pass_hooks(check_text(content, "a content"))
        if text is None:
            return ""
        guard = Guard(sorts=self._sorts)
        text, category = guard.mask_text(text), guard.mask_text(check_text(category, "a category"))
        if metadata is not None:
            metadata = guard.mask_tree(metadata)
        now = self._clock()
        entry = make_entry(
            id=self._new_id(),
            content=text,
            category=category,
            importance=importance,
            persistent=persistent,
            ttl_days=days,
            created_at=now,
            updated_at=now,
            metadata=metadata,
        )
        entry_id = self._store.save(entry)
        self._evict_beyond()
        self.flush()
        return entry_id

    def delete(self, entry_id: str) -> bool:
        """Takes an entry out, with its lines in selectools' files; False if there was none.

        Over a `Memory`, its history keeps the entry, and `undo` brings it back: `forget` erases it
        there too.
        """
        known = self._store.get(entry_id)
        if known is not None:
            day_logs.remove_logs(
                self._directory, [known.content]
            )  # first: afterwards nobody knows its text
        gone = self._store.delete(entry_id)
        if gone or self._unsaved:
            self.flush()
        return gone

    def forget(self, entry_id: str) -> bool:
        """Erases an entry for good: afterwards no file of the store holds its words; False if there
        was none.

        Over a `Memory`, also one that was deleted and stands in the history.
        """
        gone = self.delete(entry_id)
        if not isinstance(self._store, SQLiteKnowledgeStore):
            return gone
        try:
            self._store.memory.forget(ids=[entry_id])
        except NotFoundError:
            return False
        return True

    def prune(
        self,
        max_age_days: int | None = None,
        min_importance: float = 0.0,
        max_entries: int | None = None,
    ) -> Pruned:
        """Takes out what expired, is older, less important, or beyond so many entries, but nothing
        persistent.

        Returns:
            How many; `.entries` are they.
        """
        before = None if isinstance(self._store, _OURS) else self.list()
        pruned = self._store.prune(max_age_days=max_age_days, min_importance=min_importance)
        if before is not None:
            left = {entry.id for entry in self.list()}
            gone = [entry for entry in before if entry.id not in left]
        else:
            gone = list(pruned.entries) if isinstance(pruned, Pruned) else []
        if max_entries is not None:
            gone += self._take_out(self._list_beyond(max_entries))
        if gone or self._unsaved:
            day_logs.remove_logs(self._directory, [entry.content for entry in gone])
            self.flush()
        return Pruned(gone)

    def prune_old_logs(self, keep_days: int | None = None) -> int:
        """Removes daily files that selectools left in the folder, older than so many days; returns
        how many.
        """
        removed = day_logs.prune_logs(
            self._directory, self._recent_days if keep_days is None else keep_days, self._clock()
        )
        if removed:
            self.flush()
        return removed

    def flush(self) -> None:
        """Has the backend, if there is one, keep the folder as it is now."""
        if self._backend is not None:
            with self._lock:
                self._unsaved = True
                self._backend.save_bytes(folder_blob.pack_folder(self._directory))
                self._unsaved = False

    # --- reading ----------------------------------------------------------------------------------

    def search(
        self, query: str, category: str | None = None, limit: int = 5
    ) -> builtins.list[KnowledgeEntry]:
        """The entries that match best, best first, over all that the store holds; without a query
        the most important.

        Raises:
            InputError: the query is no text.
        """
        return search_in(self._store, check_text(query, "a query"), category or None, limit)

    def get(self, entry_id: str) -> KnowledgeEntry | None:
        """The entry of that id, expired or not."""
        return self._store.get(entry_id)

    def list(
        self, category: str | None = None, limit: int | None = None
    ) -> builtins.list[KnowledgeEntry]:
        """Entries that have not expired, the latest first."""
        if isinstance(self._store, KnowledgeStore):
            return self._store.list(category=category, limit=limit)
        found = sorted(
            all_of(self._store, category), key=lambda entry: entry.created_at, reverse=True
        )
        return found if limit is None else found[: max(limit, 0)]

    def count(self) -> int:
        """Counts the entries, expired ones too."""
        return self._store.count()

    def categories(self) -> dict[str, int]:
        """Counts the entries of each category; without expired ones."""
        if isinstance(self._store, _OURS):
            return self._store.categories()
        counts: dict[str, int] = {}
        for entry in self.list():
            counts[entry.category] = counts.get(entry.category, 0) + 1
        return dict(sorted(counts.items()))

    def build_context(self, query: str | None = None, budget: int | None = None) -> str:
        """A block for the prompt: the most important entries, or with a query those that matter for
        it.

        Args:
            query: as for `search`. budget: most tokens; the block is never longer than
                `max_context_chars` either.

        Returns:
            One line an entry, under `[Important Knowledge]` and `[General Knowledge]`; empty if
            there is nothing. Of what doesn't fit, long entries are cut and short ones left out, and
            a last line says so.
        """

        def fits(text: str) -> bool:
            return len(text) <= self._max_context_chars and (
                budget is None or self._tokenizer.count(text) <= budget
            )

        if query is not None and query.strip():
            return context_block(self.search(query, limit=self._max_entries), fits)
        shown = self._list_shown()
        if shown:
            return context_block(shown, fits)
        parts = {LONG_TERM: self.get_persistent_facts(), RECENT: self.get_recent_logs()}
        return cut_line(
            "\n\n".join(f"{head}\n{text}" for head, text in parts.items() if text).splitlines(),
            fits,
        )

    def get_recent_logs(self, days: int | None = None) -> str:
        """Returns the entries of the last days, the latest day first: `=== 2026-05-06 ===`, then a
        line an entry.
        """
        wanted = self._recent_days if days is None else days
        now = self._clock().astimezone(UTC)
        first = now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(
            days=max(wanted - 1, 0)
        )
        return day_logs.recent_logs(
            self._directory, self._store.query(since=first, limit=EVERY), wanted, now
        )

    def get_persistent_facts(self) -> str:
        """The persistent entries, a line each, oldest first."""
        return day_logs.persistent_facts(self._directory, all_of(self._store))

    def to_dict(self) -> dict[str, Any]:
        """The settings; the entries lie in the store."""
        return {
            "directory": self.directory,
            "recent_days": self._recent_days,
            "max_context_chars": self._max_context_chars,
            "max_entries": self._max_entries,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """A memory with these settings, over the folder's own store."""
        names = ("directory", "recent_days", "max_context_chars", "max_entries")
        return cls(**{name: data[name] for name in names if name in data})

    # --- what is kept and shown -------------------------------------------------------------------

    def _pass_hooks(self, content: str) -> str | None:
        for hook in self._hooks:
            passed = hook(content)
            if passed is None:
                _log.info(
                    "a text was not kept: %s refused it",
                    getattr(hook, "__name__", type(hook).__name__),
                )
                return None
            content = passed
        return content

    def _refuse_likes(self, threshold: float, window: int) -> PreSaveHook:
        def dedupe(text: str) -> str | None:
            matcher = difflib.SequenceMatcher(None, "", text, autojunk=False)
            for entry in self.list(limit=window):
                matcher.set_seq1(entry.content)
                ratios = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)
                alike = all(ratio() >= threshold for ratio in ratios)  # the cheapest first
                if alike and _NUMBER.findall(entry.content) == _NUMBER.findall(text):
                    return None
            return text

        return dedupe

    def _list_shown(self) -> builtins.list[KnowledgeEntry]:
        """Returns the entries that the context shows: the most important first, and of these as
        they were kept.
        """
        if isinstance(self._store, _OURS):
            found = self._store.leading(self._max_entries)
        else:
            every = sorted(
                self._store.query(limit=EVERY), key=lambda entry: entry.created_at, reverse=True
            )
            every.sort(key=lambda entry: (not entry.persistent, -entry.importance))
            found = every[: self._max_entries]
        return sorted(found, key=lambda entry: (-entry.importance, entry.created_at))

    def _list_beyond(self, most: int) -> builtins.list[KnowledgeEntry]:
        """The least important entries beyond so many, of these the oldest first; never a persistent
        one.
        """
        every = all_of(self._store)
        loose = sorted(
            (entry for entry in every if not entry.persistent),
            key=lambda entry: (entry.importance, entry.created_at),
        )
        return loose[: max(len(every) - max(most, 0), 0)]

    def _evict_beyond(self) -> None:
        if self._on_evict is None or self._store.count() <= self._max_entries:
            return
        with self._lock:
            gone = self._take_out(self._list_beyond(self._max_entries))
        if gone:
            self._on_evict(gone)

    def _take_out(self, entries: Sequence[KnowledgeEntry]) -> builtins.list[KnowledgeEntry]:
        day_logs.remove_logs(self._directory, [entry.content for entry in entries])
        if entries and isinstance(self._store, _OURS):
            return self._store.delete_many(entry.id for entry in entries)
        return [entry for entry in entries if self._store.delete(entry.id)]
