"""Names that the reader finds, with a model that is scripted and with the real one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factbook.extract.local.finder import Found
from factbook.extract.local.reader_decode import KINDS, TAGS
from factbook.extract.local.reader_names import ReaderNames
from factbook.model.kinds import BUILT_IN
from factbook.model.record import EntityType
from factbook.ports.models import ExtractionContext
from factbook.reader.reading_model import Reader, Reading

np = pytest.importorskip("numpy")

CONTEXT = ExtractionContext(kinds={kind.id: kind for kind in BUILT_IN})


class Scripted(Reader):
    """Reads words that are parted by spaces; `tags` tells each word's tag and how sure it is."""

    def __init__(self, tags: dict[str, tuple[int, float]]) -> None:
        super().__init__(model=Path("none"), sha256="")
        self._tags = tags

    def read_texts(self, texts: Any) -> list[Reading]:
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


def _found(model: Scripted, text: str, context: ExtractionContext = CONTEXT) -> Found:
    return ReaderNames().find([text], model.read_texts([text]), context)[0]


def _first(kind: str) -> int:
    return 1 + 2 * KINDS.index(kind)


def _named(found: Found) -> list[tuple[str, str]]:
    return [(name.text, name.kind) for name in found.names]


def test_what_is_tagged_is_a_name_where_it_stands() -> None:
    model = Scripted({"Tom": (1, 9.0), "Berger": (2, 9.0), "Atlas": (_first("project"), 9.0)})
    found = _found(model, "ask Tom Berger about Atlas")
    assert [(name.start, name.end, name.text, name.kind) for name in found.names] == [
        (4, 14, "Tom Berger", "person"),
        (21, 26, "Atlas", "project"),
    ]


def test_a_text_without_words_has_no_names() -> None:
    assert _found(Scripted({}), "") == Found([])


def test_any_stretch_of_the_text_has_its_chances() -> None:
    model = Scripted({"Tom": (1, 9.0), "Berger": (2, 9.0), "Atlas": (_first("project"), 1.0)})
    found = _found(model, "ask Tom Berger about Atlas")
    assert found.chances is not None
    whole, part, wavering = found.chances(4, 14), found.chances(4, 7), found.chances(21, 26)
    assert whole["person"] > 0.95
    assert part["person"] > 0.95
    assert whole[""] < 0.05
    assert 0.05 < wavering["project"] < 0.3
    assert found.chances(0, 3)[""] > 0.95
    assert found.chances(0, 14)[""] < 0.2
    assert found.chances(90, 99) == {}


def test_a_book_is_another_thing_than_what_one_sells() -> None:
    found = _found(Scripted({"Solaris": (_first("work"), 9.0)}), "reading Solaris")
    assert _named(found) == [("Solaris", "work")]


def test_a_known_name_is_found_where_the_model_wavers() -> None:
    model = Scripted({"blue": (0, 2.0), "heron": (0, 2.0)})
    known = ExtractionContext(kinds=CONTEXT.kinds, known={"blue heron": "project"})
    assert _named(_found(model, "is blue heron late", known)) == [("blue heron", "project")]
    assert _named(_found(model, "is blue heron late")) == []


def test_a_known_name_is_not_found_against_a_sentence_that_is_clear() -> None:
    model = Scripted({"heron": (0, 9.0)})
    known = ExtractionContext(kinds=CONTEXT.kinds, known={"heron": "project"})
    assert _named(_found(model, "a heron flew by", known)) == []


def test_the_examples_of_a_kind_are_found_more_easily() -> None:
    kind = EntityType(id="technology", examples=("Quill",))
    model = Scripted({"quill": (0, 1.0)})
    assert _named(
        _found(model, "use quill for it", ExtractionContext(kinds={"technology": kind}))
    ) == [("quill", "technology")]


def test_the_known_kind_wins_over_one_that_the_model_likes_a_little_better() -> None:
    model = Scripted({"Sable": (_first("place"), 2.0)})
    known = ExtractionContext(
        kinds=CONTEXT.kinds, known={"sable": "organization", "of nothing": "metric"}
    )
    assert _named(_found(model, "call Sable today", known)) == [("Sable", "organization")]


def test_nothing_in_an_address_is_a_name() -> None:
    model = Scripted({"ada@example.org": (1, 9.0), "www.acme.example": (3, 9.0), "Ada": (1, 9.0)})
    found = _found(model, "Ada is ada@example.org at www.acme.example")
    assert _named(found) == [("Ada", "person")]
    assert found.chances is not None
    assert found.chances(7, 22)[""] > 0.99
