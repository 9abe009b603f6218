"""Names that the reader finds, with a model that is scripted and with the real one."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from factbook.embed import reader
from factbook.embed.minilm import MiniLM
from factbook.embed.reader import Reading, ReaderModel
from factbook.errors import ConfigError
from factbook.extract.local.finder import FoundName
from factbook.extract.local.reader_decode import KINDS, TAGS
from factbook.extract.local.reader_names import ReaderNames
from factbook.model.kinds import BUILT_IN
from factbook.model.record import EntityType
from factbook.ports.models import ExtractionContext

np = pytest.importorskip("numpy")

needs_model = pytest.mark.skipif(not reader.is_installed(), reason="the package factbook-reader is not installed")
CONTEXT = ExtractionContext(kinds={kind.id: kind for kind in BUILT_IN})


class Scripted(ReaderModel):
    """Reads words that are parted by spaces; `tags` tells each word's tag and how sure it is."""

    def __init__(self, tags: dict[str, tuple[int, float]]) -> None:
        super().__init__()
        self._tags = tags

    def read(self, texts: Any) -> list[Reading]:
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> Reading:
        spans, at = [], 0
        for word in text.split():
            at = text.index(word, at)
            spans.append((at, at + len(word)))
            at += len(word)
        logits = np.zeros((len(spans), TAGS), np.float32)
        for row, word in enumerate(text.split()):
            tag, sure = self._tags.get(word, (0, 8.0))
            logits[row, tag] = sure
        return Reading(spans, logits, b"")


def _first(kind: str) -> int:
    return 1 + 2 * KINDS.index(kind)


def _named(found: list[FoundName]) -> list[tuple[str, str]]:
    return [(name.text, name.kind) for name in found]


def test_what_is_tagged_is_a_name_where_it_stands() -> None:
    names = ReaderNames(Scripted({"Tom": (1, 9.0), "Berger": (2, 9.0), "Atlas": (_first("project"), 9.0)}))
    (found,) = names.find(["ask Tom Berger about Atlas"], [], CONTEXT)
    assert [(name.start, name.end, name.text, name.kind) for name in found] == [
        (4, 14, "Tom Berger", "person"),
        (21, 26, "Atlas", "project"),
    ]
    assert all(2.5 < name.weight <= 3 for name in found)


def test_a_text_without_words_has_no_names() -> None:
    assert ReaderNames(Scripted({})).find(["", "nothing here"], [], CONTEXT) == [[], []]


def test_a_book_is_another_thing_than_what_one_sells() -> None:
    (found,) = ReaderNames(Scripted({"Solaris": (_first("work"), 9.0)})).find(["reading Solaris"], [], CONTEXT)
    assert _named(found) == [("Solaris", "other")]


def test_a_known_name_is_found_where_the_model_wavers() -> None:
    names = ReaderNames(Scripted({"blue": (0, 2.0), "heron": (0, 2.0)}))
    known = ExtractionContext(kinds=CONTEXT.kinds, known={"blue heron": "project"})
    assert _named(names.find(["is blue heron late"], [], known)[0]) == [("blue heron", "project")]
    assert names.find(["is blue heron late"], [], CONTEXT) == [[]]


def test_a_known_name_is_not_found_against_a_sentence_that_is_clear() -> None:
    names = ReaderNames(Scripted({"heron": (0, 9.0)}))
    known = ExtractionContext(kinds=CONTEXT.kinds, known={"heron": "project"})
    assert names.find(["a heron flew by"], [], known) == [[]]


def test_the_examples_of_a_kind_are_found_more_easily() -> None:
    kind = EntityType(id="technology", examples=("Quill",))
    names = ReaderNames(Scripted({"quill": (0, 1.0)}))
    assert _named(names.find(["use quill for it"], [], ExtractionContext(kinds={"technology": kind}))[0]) == [
        ("quill", "technology")
    ]


def test_the_known_kind_wins_over_one_that_the_model_likes_a_little_better() -> None:
    names = ReaderNames(Scripted({"Sable": (_first("place"), 2.0)}))
    known = ExtractionContext(kinds=CONTEXT.kinds, known={"sable": "organization", "of nothing": "metric"})
    assert _named(names.find(["call Sable today"], [], known)[0]) == [("Sable", "organization")]


def test_a_model_with_another_hash_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "reader.onnx"
    other.write_bytes(b"something else")
    pytest.importorskip("onnxruntime")
    with pytest.raises(ConfigError, match="not the known one"):
        ReaderModel(model=other).load()
    with pytest.raises(ConfigError, match="can't be read"):
        ReaderModel(model=tmp_path / "nothing.onnx").load()


def test_without_its_package_the_reader_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "PACKAGE", "no_such_reader")
    assert not reader.is_installed()
    with pytest.raises(ConfigError, match="pip install 'factbook\\[local\\]'"):
        ReaderModel().load()


@needs_model
@pytest.mark.model
def test_the_installed_model_is_the_known_one() -> None:
    import factbook_reader

    data = Path(factbook_reader.model_path()).read_bytes()
    assert hashlib.sha256(data).hexdigest() == reader.MODEL_SHA256
    assert len(data) <= 30_000_000


@needs_model
@pytest.mark.model
def test_the_reader_gives_the_vectors_of_the_embedder() -> None:
    texts = ["Ada works at Acme.", "priya moved to a smaller flat", "", "ok"]
    ours = [np.frombuffer(each.vector, "<f4") for each in ReaderModel().read(texts)]
    theirs = [np.frombuffer(each, "<f4") for each in MiniLM().embed(texts)]
    for one, other in zip(ours, theirs, strict=True):
        assert np.allclose(one, other, atol=1e-4)


@needs_model
@pytest.mark.model
def test_a_long_text_is_read_to_its_end_in_windows() -> None:
    text = "and then we talked about the weather, " * 120 + "and Priya Raman laughed. " + "x" * 3000
    (found,) = ReaderNames(ReaderModel()).find([text], [], CONTEXT)
    assert ("Priya Raman", "person") in _named(found)


@needs_model
@pytest.mark.model
def test_names_are_found_in_batches_as_alone() -> None:
    names = ReaderNames(ReaderModel())
    texts = [f"{'so ' * count}Tom Berger called from Lisbon" for count in range(60)]
    together = names.find(texts, [], CONTEXT)
    alone = [names.find([text], [], CONTEXT)[0] for text in texts[:3]]
    assert [_named(each) for each in together[:3]] == [_named(each) for each in alone]
