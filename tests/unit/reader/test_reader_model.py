"""The reader with its real model: vectors, and words with their tags."""

from __future__ import annotations

import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factbook.errors import ConfigError
from factbook.reader import missing_modules
from factbook.reader import reading_model as room
from factbook.reader.reading_model import LONGEST, SIZE, Reader

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(bool(missing_modules()), reason="the local extra is not installed"),
]

MIXED = [
    "Tom was promoted to head of billing",
    "The deadline moved to August, and nobody told the team until the day before we wanted to ship it.",
    "",
    "Ada",
    "I can't find the door " * 40,
    "日本語のテキスト",
    "   ",
]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def numbers(vector: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{SIZE}f", vector)


def cosine(left: bytes, right: bytes) -> float:
    return sum(a * b for a, b in zip(numbers(left), numbers(right), strict=True))


def test_a_vector_is_the_one_that_the_original_model_gives(reader: Reader) -> None:
    # The first numbers that sentence-transformers gives for this text, in 32-bit floats; ours are
    # of 8 bits.
    reference = (0.0677, 0.0635, 0.0487, 0.0793, 0.0374, 0.0027, 0.0394, -0.0071)
    [vector] = reader.embed(["This is an example sentence"])
    assert numbers(vector)[: len(reference)] == pytest.approx(reference, abs=0.008)


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        (
            "Tom was promoted to head of billing",
            "Tom got a new job leading the billing team",
            "I like strong coffee",
        ),
        (
            "The deadline moved to August",
            "We can't be done before August",
            "Priya plays the violin",
        ),
        ("where does she live?", "her home is in Lisbon", "the build has been broken since Monday"),
        (
            "Our database is slow",
            "queries to PostgreSQL take very long",
            "he is allergic to peanuts",
        ),
    ],
)
def test_what_means_the_same_is_nearer_than_what_does_not(
    reader: Reader, text: str, near: str, far: str
) -> None:
    asked, good, bad = reader.embed([text, near, far])
    assert cosine(asked, good) > cosine(asked, bad) + 0.15


def test_a_text_in_a_batch_has_the_vector_it_has_alone(reader: Reader) -> None:
    together = reader.embed(MIXED)
    for text, vector in zip(MIXED, together, strict=True):
        [alone] = reader.embed([text])
        assert numbers(alone) == pytest.approx(numbers(vector), abs=1e-3)


def test_more_texts_than_a_batch_takes_stay_in_order(reader: Reader) -> None:
    texts = [f"The office number {n} lies in {'a very ' * (n % 9)}long street" for n in range(70)]
    together = reader.embed(texts)
    alone = [reader.embed([text])[0] for text in texts]
    assert all(cosine(a, b) > 0.9999 for a, b in zip(together, alone, strict=True))


def test_vectors_have_length_one(reader: Reader) -> None:
    for text, vector in zip(MIXED, reader.embed(MIXED), strict=True):
        assert cosine(vector, vector) == pytest.approx(1.0 if text.strip() else 0.0, abs=1e-5)


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x01\x02", "\u200e\u200f"])
def test_a_text_without_words_gives_zeros(reader: Reader, text: str) -> None:
    assert reader.embed([text]) == [bytes(4 * SIZE)]
    assert reader.embed([text, "Ada"])[0] == bytes(4 * SIZE)


def test_no_texts_give_no_vectors(reader: Reader) -> None:
    assert reader.embed([]) == []


@pytest.mark.parametrize(
    "text",
    [
        "word " * 20_000,
        "a" * 100_000,
        "\ud800 half a pair",
        "مرحبا بالعالم",
        "Привет, мир",
        "🎉" * 500,
        "a\x00b\u202ec",
    ],
)
def test_any_text_has_a_vector(reader: Reader, text: str) -> None:
    [vector] = reader.embed([text])
    assert cosine(vector, vector) == pytest.approx(1.0, abs=1e-5)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(st.characters()), max_size=4))
def test_any_texts_have_vectors(reader: Reader, texts: list[str]) -> None:
    for vector in reader.embed(texts):
        assert len(vector) == 4 * SIZE
        assert cosine(vector, vector) == pytest.approx(round(cosine(vector, vector)), abs=1e-5)


def test_what_stands_behind_the_longest_text_is_left_out(reader: Reader) -> None:
    long = "word " * LONGEST
    assert reader.embed([long + "Lisbon"]) == reader.embed([long])


def test_the_names_of_special_tokens_are_ordinary_text(reader: Reader) -> None:
    plain, marked = reader.embed(["Ada [SEP] Tom", "Ada sep Tom"])
    assert cosine(plain, marked) > 0.75


def test_a_question_is_computed_once(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    [first] = reader.embed(["who owns the billing service?"])
    monkeypatch.setattr(reader, "_run_batch", lambda batch: pytest.fail("computed again"))
    assert reader.embed(["who owns the billing service?"]) == [first]


def test_a_text_that_was_read_has_its_vector_already(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    [read] = reader.read_texts(["Tom told Ada that the plan is off"])
    monkeypatch.setattr(reader, "_run_batch", lambda batch: pytest.fail("computed again"))
    assert reader.embed(["Tom told Ada that the plan is off"]) == [read.vector]


def test_the_cache_keeps_the_questions_used_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_CACHED", 2)
    reader = Reader()
    for text in ("Ada", "Tom", "ADA", "Priya"):
        reader.embed([text])
    assert list(reader._vectors) == ["ada", "priya"]
    reader.embed(["x" * 10_000])
    assert list(reader._vectors) == ["ada", "priya"]


def test_threads_share_one_embedder() -> None:
    reader = Reader()
    texts = [f"Tom told Ada about the plan number {n % 5}" for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        vectors = list(pool.map(lambda text: reader.embed([text])[0], texts))
    assert vectors == [reader.embed([text])[0] for text in texts]


def test_loading_twice_loads_once(reader: Reader) -> None:
    reader.load()
    before = reader._loaded
    reader.load()
    assert reader._loaded is before


def test_what_is_read_and_what_is_embedded_is_the_same_vector(reader: Reader) -> None:
    texts = [text for text in MIXED if len(text) < 200]
    alone = Reader().embed(texts)
    assert all(
        cosine(a.vector, b) > 0.999 or not text.strip()
        for text, a, b in zip(texts, reader.read_texts(texts), alone, strict=True)
    )


@pytest.mark.parametrize("part", ["model", "vocabulary"])
def test_a_file_that_is_not_the_known_one_is_refused(tmp_path: Path, part: str) -> None:
    path = tmp_path / "other.bin"
    path.write_bytes(b"something else")
    with pytest.raises(ConfigError, match=r"other.bin is not the known one .* install it again"):
        (Reader(model=path) if part == "model" else Reader(vocabulary=path)).embed(["Ada"])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"file gone.txt can't be read: No such file"):
        Reader(vocabulary=tmp_path / "gone.txt").load()


def test_a_package_that_can_not_be_loaded_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ConfigError, match=r"pip install 'factbook\[local\]'"):
        Reader().load()
