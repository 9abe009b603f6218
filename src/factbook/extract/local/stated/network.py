"""The network that reads relations, facts and statements off the reader's states, on
onnxruntime.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factbook.extract.local.stated.decode import Decoder, Judged
from factbook.extract.local.stated.parties import marks, speaking, words_in
from factbook.reader.native_gate import GATE
from factbook.reader.reading_model import Reading, Window, cut_batches, session_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STATED_SHA256 = "5823a16b638f16306975be9bd185c2ca912da63c417f953e7f3cc9dc7c4ffa34"


@dataclass(frozen=True, slots=True)
class Asked:
    """A text as it was read, and its names: the characters from and to, and the kind of each."""

    text: str
    reading: Reading
    names: Sequence[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A window of a text with its words and names as the first and last word and the kind."""

    text: str
    spans: Sequence[tuple[int, int]]
    window: Window
    names: list[tuple[int, int, str]]
    marks: list[int]


class StatedModel:
    """Reads what texts state. Thread-safe; its file is checked and loaded at the first use."""

    def __init__(
        self, *, threads: int = 1, model: Path | None = None, sha256: str = STATED_SHA256
    ) -> None:
        """`model` is another file than that of `factbook-reader`, and `sha256` says which one it
        must be.
        """
        self._threads = threads
        self._model = model
        self._sha256 = sha256
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Decoder] | None = None

    @property
    def version(self) -> str:
        """Which model it is: the first digits of its file's SHA-256."""
        return self._sha256[:8]

    def load(self) -> None:
        """Loads the model now instead of at the first use.

        Raises:
            ConfigError: its file is missing or not the known one.
        """
        _ = self._parts()

    def read(
        self, asked: Sequence[Asked], thresholds: Mapping[str, float] | None = None
    ) -> list[list[Judged]]:
        """What each text states, in order, a list of the judgements of its windows.

        Args:
            thresholds: by label, in place of the file's; the empty one is for labels that aren't
                named.

        Raises:
            ConfigError: the model's file is missing or not the known one.
        """
        stretches: list[_Stretch] = []
        homes: list[int] = []
        for home, each in enumerate(asked):
            for stretch in _stretches(each):
                stretches.append(stretch)
                homes.append(home)
        out: list[list[Judged]] = [[] for _ in asked]
        session, decoder = self._parts()
        made: list[Judged | None] = [None] * len(stretches)
        lengths = [len(each.window.states) for each in stretches]
        order = sorted(range(len(stretches)), key=lambda at: lengths[at])
        for batch in cut_batches(order, lengths):
            parts = _run(session, [stretches[at] for at in batch])
            for row, at in enumerate(batch):
                read = stretches[at]
                made[at] = decoder.judged(
                    read.text, read.spans, read.names, read.window.firsts, parts[row], thresholds
                )
        for home, judged in zip(homes, made, strict=True):
            if judged is not None:
                out[home].append(judged)
        return out

    def _parts(self) -> tuple[Any, Decoder]:
        if self._loaded is None:
            with GATE.visit(), self._lock:
                if self._loaded is None:
                    self._loaded = self._load()
        return self._loaded

    def _load(self) -> tuple[Any, Decoder]:
        session = session_of(self._model or installed(), self._sha256, self._threads)
        # What pairs are judged by depends on no input; onnxruntime wants some all the same.
        places, weights, biases = session.run(["places", "weights", "biases"], _feed([]))
        kept = session.get_modelmeta().custom_metadata_map
        return session, Decoder(
            labels=json.loads(kept["labels"]),
            thresholds=json.loads(kept["thresholds"]),
            places=places,
            weights=weights,
            biases=biases,
        )


def installed() -> Path:
    """The file of `factbook-reader`.

    Raises:
        ImportError: it isn't installed, or is one without it.
    """
    found: Any = import_module("factbook_reader")
    return Path(found.stated_path())


def is_installed() -> bool:
    """Whether there is a file to read with."""
    try:
        return installed().is_file()
    except (ImportError, AttributeError):
        return False


def _stretches(asked: Asked) -> list[_Stretch]:
    out: list[_Stretch] = []
    first = 0
    for window in asked.reading.windows:
        spans = asked.reading.spans[first : first + len(window.firsts)]
        first += len(window.firsts)
        names = [
            (*words, kind)
            for start, stop, kind in asked.names
            if (words := words_in(spans, start, stop)) is not None
        ]
        taken = {at for one, last, _ in names for at in range(one, last + 1)}
        speaker = [at for at in speaking(asked.text, spans) if at not in taken]
        out.append(_Stretch(asked.text, spans, window, names, marks(len(spans), names, speaker)))
    return out


def _feed(batch: Sequence[_Stretch]) -> dict[str, NDArray[Any]]:
    import numpy as np

    shape = (max(1, len(batch)), max([3, *(len(each.window.states) for each in batch)]))
    states = np.zeros((*shape, 384), np.float32)
    mask, marked = (np.zeros(shape, np.int64) for _ in range(2))
    for row, each in enumerate(batch):
        length = len(each.window.states)
        states[row, :length] = each.window.states
        mask[row, :length] = 1
        counts = np.diff([*each.window.firsts, length - 1])
        marked[row, 1 : length - 1] = np.repeat(each.marks, counts)
    return {"shared": states, "attention_mask": mask, "marks": marked}


def _run(session: Any, batch: Sequence[_Stretch]) -> NDArray[np.float32]:
    feed = _feed(batch)
    with GATE.visit():
        parts: NDArray[np.float32] = session.run(["parts"], feed)[0]
    return parts
