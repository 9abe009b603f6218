"""The reader's model: what every word of a text is, and the text's vector, in one pass.

It is all-MiniLM-L6-v2 with a second set of upper layers, tuned for names. Its vectors are those of `MiniLM`.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factbook.embed.minilm import LONGEST, VOCABULARY_SHA256
from factbook.embed.pieces import Pieces, pieces_of, tokenizer_of
from factbook.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

# A batch's pieces, padding included: beyond it memory grows and speed does not.
_BATCH_PIECES = 1024


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model makes of a text.

    Attributes:
        spans: where each word stands in the text, from and to.
        tags: shape (words, tags), the logits of each word.
        vector: 384 little-endian 32-bit floats of length 1, of the first 256 pieces; zeros for a text without words.
    """

    spans: list[tuple[int, int]]
    tags: NDArray[np.float32]
    vector: bytes


class ReaderModel:
    """Thread-safe; the model is loaded, and its file is checked, at the first use."""

    def __init__(self, *, model: Path, sha256: str, threads: int = 1) -> None:
        """`model` is the file, and `sha256` says which one it must be. One call runs on `threads` processor cores."""
        self._threads = threads
        self._model = model
        self._sha256 = sha256
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Tokenizer] | None = None

    def load(self) -> None:
        """Loads the model now instead of at the first use.

        Raises:
            ConfigError: its file or packages are missing or not the known ones.
        """
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """One reading a text, in order. A long text is read in windows of 256 pieces.

        Raises:
            ConfigError: the model's file or packages are missing or not the known ones.
        """
        import numpy as np

        self.load()
        assert self._loaded is not None
        tokenizer = self._loaded[1]
        windows = [
            (index, window)
            for index, text in enumerate(texts)
            for window in _windows(pieces_of(tokenizer, text, LONGEST * 1000), LONGEST)
        ]
        parts: list[tuple[NDArray[np.float32], bytes] | None] = [None] * len(windows)
        # Texts of like length together: what is padded is computed too.
        order = sorted(range(len(windows)), key=lambda at: len(windows[at][1].ids))
        for batch in _batches(order, [len(window.ids) for _, window in windows]):
            for at, made in zip(batch, self._run([windows[at][1] for at in batch]), strict=True):
                parts[at] = made
        readings: list[Reading] = [Reading([], np.zeros((0, 0), np.float32), bytes(4 * 384)) for _ in texts]
        for (index, window), part in zip(windows, parts, strict=True):
            assert part is not None
            before = readings[index]
            tags = np.concatenate([before.tags, part[0]]) if before.spans else part[0]
            vector = before.vector if before.spans else part[1]
            readings[index] = Reading([*before.spans, *window.spans], tags, vector)
        return readings

    def _run(self, batch: Sequence[Pieces]) -> Iterator[tuple[NDArray[np.float32], bytes]]:
        import numpy as np

        assert self._loaded is not None
        shape = (len(batch), max(len(each.ids) for each in batch))
        ids, mask, shapes = (np.zeros(shape, np.int64) for _ in range(3))
        for row, each in enumerate(batch):
            ids[row, : len(each.ids)] = each.ids
            mask[row, : len(each.ids)] = 1
            shapes[row, : len(each.ids)] = each.shapes
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids), "shapes": shapes}
        hidden, tags = self._loaded[0].run(["last_hidden_state", "tags"], feed)
        mean = np.einsum("bth,bt->bh", hidden, mask.astype(np.float32)) / mask.sum(axis=1, keepdims=True)
        unit = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
        vectors = np.ascontiguousarray(unit, dtype="<f4")
        for row, each in enumerate(batch):
            yield tags[row, each.firsts], vectors[row].tobytes()

    def _load(self) -> tuple[Any, Tokenizer]:
        try:
            onnxruntime: Any = import_module("onnxruntime")
            import_module("tokenizers")
        except ImportError as error:
            raise ConfigError(
                f"the reader's packages can't be loaded ({error}): install them with pip install 'factbook[local]'"
            ) from error
        vocabulary = _checked(Path(__file__).with_name("vocab.txt"), VOCABULARY_SHA256)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it keeps 40 MB for later and makes nothing faster here
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        # The bytes that were checked, not the path: the file may change in between.
        session = onnxruntime.InferenceSession(
            _checked(self._model, self._sha256), options, providers=["CPUExecutionProvider"]
        )
        return session, tokenizer_of(vocabulary)


def _windows(pieces: Pieces, longest: int) -> Iterator[Pieces]:
    """The text cut between words into stretches of at most `longest` pieces; nothing of a text without words."""
    starts = [*pieces.firsts, len(pieces.ids) - 1]
    first = 0
    while first < len(pieces.spans):
        last = first + 1
        while last < len(pieces.spans) and starts[last + 1] - starts[first] <= longest - 2:
            last += 1
        # A word of more pieces than a window is cut.
        end = min(starts[last], starts[first] + longest - 2)
        yield Pieces(
            [pieces.ids[0], *pieces.ids[starts[first] : end], pieces.ids[-1]],
            [0, *pieces.shapes[starts[first] : end], 0],
            pieces.spans[first:last],
            [start - starts[first] + 1 for start in starts[first:last]],
        )
        first = last


def _batches(order: Sequence[int], lengths: Sequence[int]) -> Iterator[Sequence[int]]:
    start = 0
    for end, at in enumerate(order):
        if end > start and (end + 1 - start) * lengths[at] > _BATCH_PIECES:
            yield order[start:end]
            start = end
    if start < len(order):
        yield order[start:]


def _checked(path: Path, expected: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"the reader's file {path.name} can't be read: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != expected:
        raise ConfigError(f"the reader's file {path.name} is not the one asked for (its SHA-256 differs): get it anew")
    return data
