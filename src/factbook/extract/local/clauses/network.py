"""The network that parses a text and marks its clauses, on the reader's states, on onnxruntime."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factbook.extract.local.clauses.decode import Clause, Judge, decode
from factbook.extract.local.syntax.decode import Grammar
from factbook.extract.local.syntax.decode import Window as ParsedWindow
from factbook.extract.local.syntax.words import known_words
from factbook.reader.native_gate import GATE
from factbook.reader.reading_model import SIZE, Reading, Window, cut_batches, session_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CLAUSES_SHA256 = "4504e0d684097ca088b1519c3d9d00635a7fb4ce3c7096ffccbf3afed84fa7b6"


_TOLD = ("sorts", "holds", "least", "tags", "poses", "deps", "lemmas")
"""Metadata of the file."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A text as the network reads it.

    Attributes:
        clauses: those worth keeping in order, with the characters from and to.
        windows: what the text is parsed from.
    """

    clauses: list[tuple[int, int, Clause]]
    windows: list[ParsedWindow]


@dataclass(frozen=True, slots=True)
class _Known:
    judge: Judge
    grammar: Grammar


class ClauseModel:
    """Parses, and marks what is worth keeping. Thread-safe; its file is checked and loaded at the first use."""

    def __init__(
        self, *, threads: int = 1, model: Path | None = None, sha256: str = CLAUSES_SHA256
    ) -> None:
        """`model` is another file than that of `factbook-reader`, and `sha256` says which one it
        must be.
        """
        self._threads = threads
        self._model = model
        self._sha256 = sha256
        self._lock = threading.Lock()
        self._loaded: tuple[Any, _Known] | None = None

    @property
    def version(self) -> str:
        """The model's version: the first digits of its file's SHA-256."""
        return self._sha256[:8]

    def load(self) -> None:
        """Loads the model now instead of at the first use.

        Raises:
            ConfigError: its file is missing or not the known one.
        """
        _ = self._parts()

    def read(self, readings: Sequence[Reading]) -> list[Marked]:
        """Returns the clauses of each text in order, and what its parse is made of.

        Raises:
            ConfigError: the model's file is missing or not the known one.
        """
        session, known = self._parts()
        windows = [(home, window) for home, each in enumerate(readings) for window in each.windows]
        lengths = [len(window.states) for _, window in windows]
        made: dict[int, NDArray[np.float32]] = {}
        for batch in cut_batches(sorted(range(len(windows)), key=lengths.__getitem__), lengths):
            parts = _run(session, [windows[at][1] for at in batch])
            made.update((at, parts[row]) for row, at in enumerate(batch))
        out = [Marked([], []) for _ in readings]
        done = [0] * len(readings)
        for at, (home, window) in enumerate(windows):
            spans = readings[home].spans[done[home] : done[home] + len(window.firsts)]
            done[home] += len(window.firsts)
            parts = made[at]
            clauses, syntax = parts[:, : known.judge.width], parts[:, known.judge.width :]
            both = syntax.reshape(len(parts), 2, -1)
            out[home].windows.append(ParsedWindow(both[window.firsts], both[0, 0].copy()))
            out[home].clauses.extend(
                (spans[each.first][0], spans[each.last][1], each)
                for each in decode(clauses[window.firsts], known.judge)
            )
        return out

    @property
    def grammar(self) -> Grammar:
        """The names by which its parses are told."""
        return self._parts()[1].grammar

    def _parts(self) -> tuple[Any, _Known]:
        if self._loaded is None:
            with GATE.visit(), self._lock:
                if self._loaded is None:
                    self._loaded = self._load()
        return self._loaded

    def _load(self) -> tuple[Any, _Known]:
        session = session_of(self._model or installed(), self._sha256, self._threads)
        kept = session.get_modelmeta().custom_metadata_map
        told = {name: json.loads(kept[name]) for name in _TOLD}
        judge = Judge(sorts=told["sorts"], holds=told["holds"], least=told["least"])
        grammar = Grammar(
            tags=told["tags"],
            poses=told["poses"],
            deps=told["deps"],
            lemmas=told["lemmas"],
            known=known_words(),
        )
        return session, _Known(judge, grammar)


def installed() -> Path:
    """Returns the file of `factbook-reader`.

    Raises:
        ImportError: it isn't installed, or is one without it.
    """
    found: Any = import_module("factbook_reader")
    return Path(found.clauses_path())


def is_installed() -> bool:
    """Returns True where there is a file to read with."""
    try:
        return installed().is_file()
    except (ImportError, AttributeError):
        return False


def _run(session: Any, batch: Sequence[Window]) -> NDArray[np.float32]:
    import numpy as np

    longest = max(len(each.states) for each in batch)
    states = np.zeros((len(batch), longest, SIZE), np.float32)
    mask = np.zeros((len(batch), longest), np.int64)
    for row, each in enumerate(batch):
        states[row, : len(each.states)] = each.states
        mask[row, : len(each.states)] = 1
    with GATE.visit():
        parts: NDArray[np.float32] = session.run(
            ["parts"], {"shared": states, "attention_mask": mask}
        )[0]
    return parts
