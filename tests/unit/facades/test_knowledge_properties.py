"""Knowledge stores played against a dict: whatever is done, by whom, and whatever befalls the file
in between.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from factbook import FileKnowledgeStore, KnowledgeEntry, Memory, SQLiteKnowledgeStore
from tests.support.builders import START, at

FEW = settings(max_examples=30, stateful_step_count=20, deadline=None)
IDS = st.sampled_from(["a", "b", "c", "d", "e"])
TEXTS = st.sampled_from(["the harbour", "a garden by the harbour", "Größe\n2", "tea; tea", "[[{"])
SHARES = st.sampled_from([0.0, 0.25, 0.5, 1.0])


class FilePlay(RuleBasedStateMachine):
    """Two that have one file open, which is cut off and added to by others."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.stores: list[Any] = [
            FileKnowledgeStore(self.folder.name, clock=lambda: at(1)) for _ in range(2)
        ]
        self.model: dict[str, KnowledgeEntry] = {}
        self.torn = 0

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule(
        who=st.integers(0, 1),
        rows=st.lists(st.tuples(IDS, TEXTS, SHARES, st.booleans()), max_size=4),
    )
    def save(self, who: int, rows: list[tuple[str, str, float, bool]]) -> None:
        entries = [
            KnowledgeEntry(
                id=key, content=text, importance=share, persistent=kept, created_at=START
            )
            for key, text, share, kept in rows
        ]
        self.stores[who].save_many(entries)
        self.model.update({entry.id: entry for entry in entries})

    @rule(who=st.integers(0, 1), key=IDS)
    def delete(self, who: int, key: str) -> None:
        assert self.stores[who].delete(key) is (self.model.pop(key, None) is not None)

    @rule(who=st.integers(0, 1), share=SHARES)
    def prune(self, who: int, share: float) -> None:
        gone = {
            key
            for key, entry in self.model.items()
            if not entry.persistent and entry.importance < share
        }
        assert {entry.id for entry in self.stores[who].prune(min_importance=share).entries} == gone
        for key in gone:
            del self.model[key]

    @precondition(
        lambda self: self.stores[0].path.exists() if isinstance(self, FilePlay) else False
    )
    @rule(end=st.sampled_from(["", "\n"]), whole=st.booleans())
    def others_write(self, end: str, whole: bool) -> None:
        path: Path = self.stores[0].path
        gap = "" if path.read_bytes()[-1:] in (b"", b"\n") else "\n"
        with path.open("a") as file:
            if whole:
                file.write(
                    f'{gap}{{"id": "f", "content": "by hand", "created_at": "2024-05-06T09:00:00"}}{end}'
                )
                self.model["f"] = KnowledgeEntry(id="f", content="by hand", created_at=START)
            else:
                file.write(f'{gap}{{"id": "torn{end}')
                self.torn += 1

    @invariant()
    def both_hold_what_was_saved(self) -> None:
        for store in self.stores:
            assert {entry.id: entry for entry in store.list()} == self.model
            assert store.count() == len(self.model)
            held = {key for key, entry in self.model.items() if "harbour" in entry.content}
            assert {entry.id for entry in store.search("harbours", limit=9)} == held
            if isinstance(store, FileKnowledgeStore):
                assert len(store.damage) == self.torn


class NotesPlay(FilePlay):
    """Two over one space."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = Memory.open("ram:", extractor="none", embedder="none", clock=lambda: at(1))
        self.stores = [SQLiteKnowledgeStore(self.memory) for _ in range(2)]

    def teardown(self) -> None:
        super().teardown()
        self.memory.close()

    @precondition(lambda self: False)
    @rule()
    def others_write(self) -> None:
        """Nobody writes into the space but by its doors."""


TestFilePlay = FilePlay.TestCase
TestFilePlay.settings = FEW
TestNotesPlay = NotesPlay.TestCase
TestNotesPlay.settings = FEW
