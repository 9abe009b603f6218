"""Exact counts of tokens, by whatever tokenizer a host has."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sized
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol, cast, runtime_checkable

from factbook.errors import ConfigError
from factbook.ports.models import Tokenizer
from factbook.text.token_estimate import Estimate


@runtime_checkable
class Encodes(Protocol):
    """A tokenizer of `tokenizers`, `tiktoken`, `transformers`, `sentencepiece` or one like them."""

    @property
    def encode(self) -> Callable[..., Any]:
        """Gives the text's tokens."""
        ...


TokenizerLike = Tokenizer | Encodes | Callable[[str], int | Sized] | str | Path
"""Who counts: an object with `count(text) -> int`; a tokenizer with `encode`; a function from a
text to its tokens or their number; or the path of a `tokenizer.json` (or of the folder it lies in).
"""

_WANTED = (
    "a tokenizer is an object with count(text) -> int, one with encode(text), a function from a "
    "text to its tokens or "
    "their number, or the path of a tokenizer.json"
)
_PROBE = "Two words"


def make_counter(given: TokenizerLike | None) -> Tokenizer:
    """Returns the counter of that tokenizer, without the tokens that models add around a text; None
    for the safe estimate.

    Nothing is downloaded.

    Raises:
        ConfigError: it is none that can be asked, or the file can't be read.
    """
    if given is None:
        return Estimate()
    if isinstance(given, str | Path):
        return _from_file(Path(given))
    found = _find_counter(given)
    if found is None:
        raise ConfigError(f"{_WANTED}, not of type {type(given).__name__}")
    try:
        number = cast(object, found.count(_PROBE))
    except TypeError:
        raise ConfigError(f"{_WANTED}; this {type(given).__name__} can't be asked so") from None
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise ConfigError(
            f"{_WANTED}; this {type(given).__name__} gives {str(number)[:40]!r} for a text of two "
            "words"
        )
    return found


class _Counter:
    """Counts what a function gives for a text."""

    def __init__(self, encode: Callable[[str], Any]) -> None:
        self._encode = encode

    def count(self, text: str) -> int:
        return _count_given(
            self._encode(text if text.isascii() else text.encode("utf-8", "replace").decode())
        )


def _find_counter(given: object) -> Tokenizer | None:
    if isinstance(given, Tokenizer) and not isinstance(given, list | tuple | bytes | bytearray):
        return given
    ordinary = getattr(given, "encode_ordinary", None)
    if callable(ordinary):  # tiktoken's `encode` refuses what looks like a special token
        return _Counter(ordinary)
    if isinstance(given, Encodes):
        return _Counter(_plain_encode(given))
    return _Counter(given) if callable(given) else None


def _plain_encode(given: Any) -> Callable[[str], Any]:
    """Its `encode`, without special tokens where it can leave them out, and neither padding nor
    cutting.
    """
    if hasattr(given, "to_str") and (given.truncation or given.padding):
        # A tokenizer of `tokenizers` that cuts would count too few. The host's own is left as it
        # is.
        given = given.__class__.from_str(given.to_str())
        given.no_truncation()
        given.no_padding()
    encode: Callable[..., Any] = given.encode
    try:
        encode(_PROBE, add_special_tokens=False)
    except TypeError:
        return encode
    return lambda text: encode(text, add_special_tokens=False)


def _count_given(tokens: object) -> int:
    """Counts the tokens of a tokenizer's result: a number, an encoding with its `ids`, a table with
    its `input_ids`, or their list.
    """
    if isinstance(tokens, int):
        return tokens
    sort = type(tokens).__name__
    listed: object = (
        cast(Mapping[str, object], tokens).get("input_ids")
        if isinstance(tokens, Mapping)
        else tokens
    )
    listed = getattr(listed, "ids", listed)
    if isinstance(listed, Sized) and not isinstance(listed, str | bytes):
        return len(listed)
    raise ConfigError(f"{_WANTED}; this one gives what is of type {sort}")


def _from_file(path: Path) -> Tokenizer:
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        changed = file.stat().st_mtime_ns
    except OSError as error:
        raise ConfigError(f"the tokenizer {file} can't be read: {error.strerror}") from None
    return _load_file(file, changed)


@lru_cache(maxsize=4)
def _load_file(file: Path, changed: int) -> Tokenizer:
    """Returns the file's tokenizer, read once as long as it is not changed."""
    del changed
    try:
        from tokenizers import Tokenizer as Loaded
    except ImportError:
        raise ConfigError(
            "a tokenizer.json needs the package tokenizers: pip install 'factbook[local]'"
        ) from None
    try:
        text = file.read_text("utf-8")
        json.loads(text)
        loaded = Loaded.from_str(text)
    except OSError as error:
        raise ConfigError(f"the tokenizer {file} can't be read: {error.strerror}") from None
    except Exception:
        raise ConfigError(
            f"{file} is no tokenizer.json that the package tokenizers can read"
        ) from None
    return _Counter(_plain_encode(loaded))
