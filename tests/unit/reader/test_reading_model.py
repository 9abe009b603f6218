"""Reading texts with a model that is scripted."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

import pytest

from factbook.errors import ConfigError
from factbook.reader.reading_model import Reader, Reading

np = pytest.importorskip("numpy")
onnxruntime = pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")


class Session:
    """Its tags and states are the piece's id."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self.widths: list[int] = []

    def run(self, outputs: list[str], feed: dict[str, Any]) -> list[Any]:
        assert outputs == ["last_hidden_state", "tags", "shared"]
        ids = feed["input_ids"]
        self.widths.append(ids.shape[1])
        assert ((ids > 0) == (feed["attention_mask"] > 0)).all()
        assert ((feed["shapes"] > 0) <= (ids > 0)).all()
        hidden = np.repeat(ids[:, :, None], 384, axis=2).astype(np.float32)
        return [hidden, np.repeat(ids[:, :, None], 3, axis=2).astype(np.float32), -hidden]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.setattr(onnxruntime, "InferenceSession", Session)
    file = tmp_path / "reader.onnx"
    file.write_bytes(b"weights")
    return Reader(model=file, sha256=hashlib.sha256(b"weights").hexdigest())


def _words(text: str, reading: Reading) -> list[str]:
    return [text[start:end] for start, end in reading.spans]


def test_each_word_has_the_tags_of_its_first_piece(model: Reader) -> None:
    one, other = model.read_texts(["Ada called", "called Ada twice"])
    assert one.tags[1].tolist() == other.tags[0].tolist() != one.tags[0].tolist()
    assert one.tags[0].tolist() == other.tags[1].tolist()


def test_the_states_of_a_text_are_those_of_its_pieces(model: Reader) -> None:
    short, long, none = model.read_texts(["Ada", "Ada called twice", " "])
    (one,), (other,) = short.windows, long.windows
    assert one.firsts == [1]
    assert one.states.shape == (3, 384)  # [CLS], the word, [SEP]
    assert (one.states[1] == other.states[1]).all()
    assert len(other.states) == 5
    assert none.windows == []


def test_a_vector_has_length_one_and_an_empty_text_has_zeros(model: Reader) -> None:
    some, none = model.read_texts(["Ada called", " "])
    assert np.linalg.norm(np.frombuffer(some.vector, "<f4")) == pytest.approx(1)
    assert not np.frombuffer(none.vector, "<f4").any()
    assert none.spans == []


def test_a_long_text_is_read_in_windows_to_its_end(model: Reader) -> None:
    text = "so " * 700 + "Ada"
    (reading,) = model.read_texts([text])
    assert len(reading.spans) == len(reading.tags) == 701
    assert _words(text, reading)[-1] == "Ada"
    assert reading.tags[0].tolist() == reading.tags[699].tolist() != reading.tags[700].tolist()


def test_the_order_of_texts_is_kept_though_like_lengths_are_read_together(model: Reader) -> None:
    texts = ["so " * count + "Ada" for count in (90, 1, 200, 3, 90, 150, 180, 120)]
    assert [len(reading.spans) for reading in model.read_texts(texts)] == [
        91,
        2,
        201,
        4,
        91,
        151,
        181,
        121,
    ]
    (session, _) = model._loaded or (None, None)
    assert session is not None
    assert session.widths == sorted(session.widths)
    assert len(session.widths) > 1


def test_a_file_with_another_hash_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "reader.onnx"
    other.write_bytes(b"something else")
    with pytest.raises(ConfigError, match="is not the known one"):
        Reader(model=other, sha256="0" * 64).load()
    with pytest.raises(ConfigError, match="can't be read"):
        Reader(model=tmp_path / "nothing.onnx", sha256="").load()


def test_without_its_packages_the_reader_says_how_to_install_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ConfigError, match=r"pip install 'factbook\[local\]'"):
        Reader(model=Path("reader.onnx"), sha256="").load()
