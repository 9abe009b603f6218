"""The network that marks clauses on the reader's states, on onnxruntime."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factbook.extract.local.clauses.decode import Clause, Judge, decode
from factbook.reader.native_gate import GATE
from factbook.reader.reading_model import SIZE, Reading, Window, cut_batches, session_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CLAUSES_SHA256 = "683b9c481060806478ead2b2d6c24989161d509788fbe8e6ae95f219bd031b5a"


class ClauseModel:
    """Marks what is worth keeping. Thread-safe; its file is checked and loaded at the first use."""

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
        self._loaded: tuple[Any, Judge] | None = None

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

    def find(self, readings: Sequence[Reading]) -> list[list[tuple[int, int, Clause]]]:
        """Returns the clauses of each text in order, with the characters from and to.

        Raises:
            ConfigError: the model's file is missing or not the known one.
        """
        session, judge = self._parts()
        windows = [(home, window) for home, each in enumerate(readings) for window in each.windows]
        lengths = [len(window.states) for _, window in windows]
        made: list[NDArray[np.float32] | None] = [None] * len(windows)
        for batch in cut_batches(sorted(range(len(windows)), key=lengths.__getitem__), lengths):
            parts = _run(session, [windows[at][1] for at in batch])
            for row, at in enumerate(batch):
                made[at] = parts[row, windows[at][1].firsts]
        out: list[list[tuple[int, int, Clause]]] = [[] for _ in readings]
        done = [0] * len(readings)
        for (home, window), given in zip(windows, made, strict=True):
            spans = readings[home].spans[done[home] : done[home] + len(window.firsts)]
            done[home] += len(window.firsts)
            if given is not None:
                out[home] += [
                    (spans[each.first][0], spans[each.last][1], each)
                    for each in decode(given, judge)
                ]
        return out

    def _parts(self) -> tuple[Any, Judge]:
        if self._loaded is None:
            with GATE.visit(), self._lock:
                if self._loaded is None:
                    self._loaded = self._load()
        return self._loaded

    def _load(self) -> tuple[Any, Judge]:
        session = session_of(self._model or installed(), self._sha256, self._threads)
        kept = session.get_modelmeta().custom_metadata_map
        told = {name: json.loads(kept[name]) for name in ("sorts", "holds", "least")}
        return session, Judge(**told)


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
