"""Exact counts by any tokenizer that a host has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from factbook.errors import ConfigError
from factbook.text.token_counters import make_counter
from factbook.text.token_estimate import Estimate

TEXT = "Ada leads Project Atlas now"


class Counts:
    """An object as the port asks for it."""

    def count(self, text: str) -> int:
        return len(text)


class LikeTiktoken:
    """Refuses in `encode` what looks like a special token, as `tiktoken.Encoding` does."""

    def encode(self, text: str, *, disallowed_special: str = "all") -> list[int]:
        if disallowed_special and "<|" in text:
            raise ValueError(text)
        return self.encode_ordinary(text)

    def encode_ordinary(self, text: str) -> list[int]:
        return list(text.encode())


class LikeTransformers:
    """Adds tokens around a text unless told not to, as `transformers` tokenizers do; called, it
    gives a table.
    """

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]:
        return [0] * (len(text.split()) + 2 * add_special_tokens)

    def __call__(self, text: str) -> dict[str, list[int]]:
        return {"input_ids": self.encode(text), "attention_mask": []}


class LikeSentencePiece:
    """Knows no option by that name."""

    def encode(self, text: str) -> list[int]:
        return [0] * len(text.split())


def word_level(**rest: Any) -> Tokenizer:
    """A tokenizer of the package `tokenizers` that puts two tokens around each text."""
    made = Tokenizer(models.WordLevel({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return made


def letters(text: str) -> tuple[str, ...]:
    """A function from a text to its tokens."""
    return tuple(text)


def table(text: str) -> dict[str, list[int]]:
    """What a tokenizer of `transformers` gives when it is called."""
    return LikeTransformers()(text)


def same(text: str) -> str:
    """A function whose answer is no count."""
    return text


def nothing(text: str) -> None:
    """Another."""


def no_text() -> int:
    """Takes none."""
    return 3


def test_without_a_tokenizer_the_estimate_counts() -> None:
    assert isinstance(make_counter(None), Estimate)


@pytest.mark.parametrize(
    ("given", "number"),
    [
        (Counts(), len(TEXT)),
        (LikeTiktoken(), len(TEXT)),
        (LikeTransformers(), 5),
        (LikeSentencePiece(), 5),
        (word_level(), 5),
        (len, len(TEXT)),
        (str.split, 5),
        (letters, len(TEXT)),
        (table, 7),
        (word_level().encode, 7),
    ],
    ids=lambda given: getattr(given, "__name__", type(given).__name__),
)
def test_the_usual_tokenizers_count_without_what_models_add(given: Any, number: int) -> None:
    assert make_counter(given).count(TEXT) == number


def test_a_counter_is_taken_as_it_is() -> None:
    mine = Counts()
    assert make_counter(mine) is mine


def test_what_looks_like_a_special_token_is_text() -> None:
    assert make_counter(LikeTiktoken()).count("<|end|>") == 7


def test_a_tokenizer_that_cuts_and_pads_counts_whole_texts_and_stays_as_it_is() -> None:
    cutting: Any = word_level()
    cutting.enable_truncation(3)
    cutting.enable_padding(length=9)
    assert make_counter(cutting).count(TEXT) == 5
    assert make_counter(cutting).count("one two") == 2
    assert len(cutting.encode(TEXT).ids) == 9


def test_half_a_surrogate_pair_is_counted(tmp_path: Path) -> None:
    assert make_counter(word_level()).count("Ada \ud83d now") == 3


def test_a_tokenizer_json_is_read_from_its_path_or_its_folder_and_again_when_it_changed(
    tmp_path: Path,
) -> None:
    file = tmp_path / "tokenizer.json"
    word_level().save(str(file))
    assert (
        make_counter(file).count(TEXT)
        == make_counter(str(file)).count(TEXT)
        == make_counter(tmp_path).count(TEXT)
        == 5
    )
    assert make_counter(file) is make_counter(str(file))
    letters = word_level()
    letters.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    letters.save(str(file))
    assert make_counter(file).count("Ada") == 3


@pytest.mark.parametrize(
    "held", ["", "{", "[]", json.dumps({"model": 5}), "\ud83d".encode("utf-8", "surrogatepass")]
)
def test_a_file_that_is_no_tokenizer_is_refused(tmp_path: Path, held: str | bytes) -> None:
    file = tmp_path / "tokenizer.json"
    file.write_bytes(held if isinstance(held, bytes) else held.encode())
    with pytest.raises(ConfigError, match=r"tokenizer\.json that the package tokenizers can read"):
        make_counter(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="can't be read: No such file"):
        make_counter(tmp_path / "none.json")
    with pytest.raises(ConfigError, match="can't be read: No such file"):
        make_counter(tmp_path)
    (tmp_path / "tokenizer.json").mkdir()
    with pytest.raises(ConfigError, match="can't be read: Is a directory"):
        make_counter(tmp_path)


def test_without_the_package_a_file_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "tokenizer.json"
    word_level().save(str(file))
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    with pytest.raises(ConfigError, match=r"pip install 'factbook\[local\]'"):
        make_counter(file)


class _CountsBadly:
    def __init__(self, number: Any) -> None:
        self.number = number

    def count(self, text: str) -> Any:
        return self.number


class _NeedsMore:
    def count(self, text: str, model: str) -> int:
        return len(text + model)


@pytest.mark.parametrize(
    "given",
    [
        5,
        ["a"],
        b"abc",
        object(),
        _CountsBadly(-1),
        _CountsBadly("7"),
        _CountsBadly(True),
        _CountsBadly(1.5),
        _NeedsMore(),
        same,
        nothing,
        no_text,
    ],
    ids=[
        "number",
        "list",
        "bytes",
        "object",
        "negative",
        "text",
        "bool",
        "float",
        "more",
        "same",
        "nothing",
        "no_text",
    ],
)
def test_what_cant_count_is_refused_in_one_sentence(given: Any) -> None:
    with pytest.raises(ConfigError, match=r"a tokenizer is an object with count\(text\) -> int"):
        make_counter(given)
