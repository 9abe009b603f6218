"""What is read beside the rules: the parties of a text, the network's numbers, and running it, with
a scripted network.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from factbook.errors import ConfigError
from factbook.extract.local.stated import network
from factbook.extract.local.stated.decode import Decoder, Judged, Said, stretches
from factbook.extract.local.stated.network import Asked, StatedModel
from factbook.extract.local.stated.parties import (
    FROM_OPENING,
    MARKED,
    MOST,
    OPENING,
    PLACES,
    SPEAKER,
    TO_OPENING,
    marks,
    parties,
    place,
    speaking,
    words_in,
)
from factbook.model.relations import is_symmetric, turned_to_main
from factbook.reader.reading_model import Reading, Window

np = pytest.importorskip("numpy")
onnxruntime = pytest.importorskip("onnxruntime")

SIZE = 2
LABELS = ["works_at", "sibling_of", ".role"]


def spans_of(text: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = 0
    for word in text.split():
        at = text.index(word, at)
        spans.append((at, at + len(word)))
        at += len(word)
    return spans


# ------------------------------------------------------------------------------------------------
# parties


def test_who_speaks_is_a_party_by_every_word_that_means_them_and_by_the_opening() -> None:
    text = "I think my boss likes us"
    first, *_ = parties(text, spans_of(text), [], [])
    assert first.kind == "self"
    assert first.mentions == ((OPENING, OPENING), (0, 0), (2, 2), (5, 5))


def test_a_name_that_is_said_twice_is_one_party() -> None:
    text = "Ana met Tom because ANA asked"
    there = parties(
        text, spans_of(text), [(0, 0, "person"), (2, 2, "person"), (4, 4, "person")], []
    )
    assert [(each.name, each.mentions) for each in there[1:]] == [
        ("Ana", ((0, 0), (4, 4))),
        ("Tom", ((2, 2),)),
    ]


def test_marked_words_are_parties_unless_they_are_part_of_a_name() -> None:
    text = "Tom Berger leads the budget for Atlas"
    names = [(0, 1, "person"), (6, 6, "project")]
    there = parties(text, spans_of(text), names, [(1, 1), (4, 6)])
    assert [(each.name, each.kind) for each in there[1:]] == [
        ("Tom Berger", "person"),
        ("Atlas", "project"),
        ("budget for Atlas", ""),
    ]


def test_there_are_no_more_mentions_than_can_be_weighed() -> None:
    text = " ".join(f"n{number}" for number in range(90))
    there = parties(text, spans_of(text), [(at, at, "person") for at in range(90)], [])
    assert sum(len(each.mentions) for each in there) <= MOST
    spoken = " ".join(["we"] * 90)
    assert [
        len(each.mentions) for each in parties(spoken, spans_of(spoken), [(3, 3, "person")], [])
    ] == [MOST // 2, 1]


def test_the_user_of_notes_is_who_speaks_and_other_users_are_not() -> None:
    assert speaking("The user likes tea", spans_of("The user likes tea")) == [1]
    assert speaking("user likes tea", spans_of("user likes tea")) == [0]
    assert speaking("every user likes tea", spans_of("every user likes tea")) == []


def test_words_are_marked_by_the_kinds_of_names_and_as_who_speaks() -> None:
    kinds = marks(4, [(1, 2, "person"), (3, 3, "metric")], [0])
    person, other = MARKED.index("person"), MARKED.index("other")
    assert kinds == [SPEAKER, 1 + 2 * person, 2 + 2 * person, 1 + 2 * other]


def test_words_are_found_by_the_characters_they_overlap() -> None:
    assert words_in([(0, 3), (4, 10)], 2, 5) == (0, 1)
    assert words_in([(0, 3)], 3, 5) is None


def test_places_tell_near_from_far_and_before_from_behind() -> None:
    assert place(OPENING, 3) == FROM_OPENING
    assert place(3, OPENING) == TO_OPENING
    steps = [place(50, 50 + by) for by in (-40, -20, -1, 0, 1, 2, 20, 40)]
    assert steps == sorted(steps)
    assert len(set(steps)) == 7  # a word and itself are as near as the one before it
    assert max(steps) < FROM_OPENING < TO_OPENING < PLACES


# -------------------------------------------------------------------------------------------------
# labels


def test_equal_relations_have_one_form() -> None:
    assert turned_to_main("Ivo", "child_of", "self") == ("self", "parent_of", "Ivo")
    assert turned_to_main("Ivo", "works_at", "Acme") == ("Ivo", "works_at", "Acme")
    assert is_symmetric("sibling_of")
    assert not is_symmetric("parent_of")


# -----------------------------------------------------------------------------------------------
# decoding


def test_stretches_begin_where_they_may_and_go_on_while_it_is_likely() -> None:
    tags = np.log(
        np.array([[0.9, 0.05, 0.05], [0.6, 0.3, 0.1], [0.2, 0.1, 0.7], [0.5, 0.1, 0.4]], np.float32)
    )
    assert stretches(tags, 0.25) == [(1, 2)]
    assert stretches(tags, 0.5) == []


def parts_of(words: int, **sides: list[float]) -> Any:
    """Numbers of pieces of one word each, with the two ends, where nothing speaks for anything:
    `w0="abpq"` sets those of the first word, `cls` those of the opening.
    """
    parts = np.zeros((words + 2, 4 * SIZE + 3 + 4), np.float32)
    parts[:, 4 * SIZE] = 5.0
    parts[:, 4 * SIZE + 3 :] = -9.0
    for name, numbers in sides.items():
        row = 0 if name == "cls" else int(name[1:]) + 1
        parts[row, : len(numbers)] = numbers
    return parts


def decoder(**thresholds: float) -> Decoder:
    """The first number of a pair speaks for `works_at`, the second for `sibling_of`, and both for
    `.role`.
    """
    weights = np.array([[2, 0], [0, 2], [0.6, 0.6], [0, 0]], np.float32)
    biases = np.array([-3, -3, -9, 0], np.float32)
    return Decoder(
        labels=LABELS,
        thresholds=thresholds,
        places=np.zeros((PLACES, SIZE), np.float32),
        weights=weights,
        biases=biases,
    )


def judged(text: str, names: list[tuple[int, int, str]], parts: Any, **thresholds: float) -> Judged:
    spans = spans_of(text)
    return decoder(**thresholds).judged(text, spans, names, range(1, len(spans) + 1), parts)


def told(text: str, each: Said) -> tuple[str, str, str]:
    ends = [
        end.kind if end.kind == "self" else text[end.start : end.stop]
        for end in (each.left, each.right)
    ]
    return ends[0], each.label, ends[1]


def test_what_is_likelier_than_none_is_said() -> None:
    text = "Ana joined Acme"
    names = [(0, 0, "person"), (2, 2, "organization")]
    found = judged(text, names, parts_of(3, w0=[1.0, 0, -5, -5], w2=[-5, -5, 1.0, 0]))
    assert [told(text, each) for each in found.said] == [("Ana", "works_at", "Acme")]
    assert found.said[0].margin == pytest.approx(2 * 2 - 3)
    assert not judged(
        text, names, parts_of(3, w0=[1.0, 0, -5, -5], w2=[-5, -5, 1.0, 0]), works_at=1.5
    ).said
    assert not judged(text, names, parts_of(3, w0=[0.1, 0, -5, -5], w2=[-5, -5, 0.1, 0])).said


def test_what_any_mention_says_is_said_of_the_party_at_that_mention() -> None:
    text = "Ana came and Ana joined Acme"
    names = [(0, 0, "person"), (3, 3, "person"), (5, 5, "organization")]
    found = judged(text, names, parts_of(6, w3=[1.0, 0, -5, -5], w5=[-5, -5, 1.0, 0]))
    assert [(each.left.start, each.right.start) for each in found.said] == [(13, 24)]


def test_what_holds_both_ways_is_said_once() -> None:
    text = "Ana and Tom"
    found = judged(
        text,
        [(0, 0, "person"), (2, 2, "person")],
        parts_of(3, w0=[0, 1.0, 0, 1.0], w2=[0, 1.0, 0, 1.2]),
    )
    assert [told(text, each) for each in found.said] == [("Ana", "sibling_of", "Tom")]


def test_a_dropped_subject_is_the_opening_of_the_text() -> None:
    text = "joined Acme"
    found = judged(
        text, [(1, 1, "organization")], parts_of(2, cls=[1.0, 0, -5, -5], w1=[-5, -5, 1.0, 0])
    )
    assert [(each.left.kind, each.left.start, each.left.stop) for each in found.said] == [
        ("self", 0, 0)
    ]


def test_statements_are_noticed_at_the_word_that_tells_most() -> None:
    parts = parts_of(3)
    parts[2, 4 * SIZE + 3] = 2.0
    found = judged("we chose tea", [], parts)
    assert [(each.kind, each.start, each.stop) for each in found.noticed] == [("decision", 3, 8)]
    assert not judged("we chose tea", [], parts, **{"! decision": 3.0}).noticed
    assert not found.said


# ------------------------------------------------------------------------------------------------
# the network


class Session:
    """What each piece gives is its first state, and everything is a decision."""

    runs: list[tuple[int, ...]]

    def __init__(self, *args: Any, **options: Any) -> None:
        Session.runs = []

    def get_modelmeta(self) -> Any:
        kept = {"labels": json.dumps(LABELS), "thresholds": json.dumps({"works_at": 1.0})}
        return SimpleNamespace(custom_metadata_map=kept)

    def run(self, outputs: list[str], feed: dict[str, Any]) -> list[Any]:
        batch, pieces = feed["attention_mask"].shape
        if outputs == ["places", "weights", "biases"]:
            return [
                np.zeros((PLACES, SIZE), np.float32),
                np.zeros((4, SIZE), np.float32),
                np.zeros(4, np.float32),
            ]
        assert outputs == ["parts"]
        assert feed["shared"].shape == (batch, pieces, 384)
        Session.runs.append((batch, pieces))
        parts = np.zeros((batch, pieces, 4 * SIZE + 7), np.float32)
        parts[:, :, 4 * SIZE] = 5.0
        parts[:, :, 4 * SIZE + 3] = feed["marks"] - 1.0
        parts[:, :, 4 * SIZE + 4 :] = -9.0
        return [parts]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> StatedModel:
    monkeypatch.setattr(onnxruntime, "InferenceSession", Session)
    file = tmp_path / "stated.onnx"
    file.write_bytes(b"weights")
    return StatedModel(model=file, sha256=hashlib.sha256(b"weights").hexdigest())


def asked(text: str, names: list[tuple[int, int, str]], cut: int = 0) -> Asked:
    """A text as it was read, in two windows if it is cut between words."""
    spans = spans_of(text)
    sizes = [cut, len(spans) - cut] if cut else [len(spans)]
    windows = [
        Window(np.zeros((size + 2, 384), np.float32), list(range(1, size + 1)))
        for size in sizes
        if size or not spans
    ]
    return Asked(
        text, Reading(spans, np.zeros((0, 0), np.float32), b"", windows if spans else []), names
    )


def test_each_text_is_judged_by_its_own_words(model: StatedModel) -> None:
    found = model.read(
        [asked("Ana called", [(0, 3, "person")]), asked(" ", []), asked("so I left", [])]
    )
    assert [[(told.kind, told.start) for told in each.noticed] for each in found[0]] == [
        [("decision", 0)]
    ]
    assert found[1] == []
    assert [(told.kind, told.start) for told in found[2][0].noticed] == [
        ("decision", 3)
    ]  # `I` is marked


def test_a_text_of_several_windows_is_judged_window_by_window(model: StatedModel) -> None:
    found = model.read(
        [asked("Ana called and Tom left", [(0, 3, "person"), (15, 18, "person")], cut=3)]
    )
    assert [[told.start for told in each.noticed] for each in found[0]] == [[0], [15]]


def test_the_model_is_loaded_once_and_says_which_it_is(model: StatedModel) -> None:
    model.load()
    loaded = model._loaded  # pyright: ignore[reportPrivateUsage]
    model.load()
    assert model._loaded is loaded  # pyright: ignore[reportPrivateUsage]
    assert model.version == hashlib.sha256(b"weights").hexdigest()[:8]


def test_another_file_than_the_known_one_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "stated.onnx"
    file.write_bytes(b"others")
    with pytest.raises(ConfigError, match="not the known one"):
        StatedModel(model=file).load()


def test_without_the_file_the_rules_stand_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(network, "import_module", absent)
    assert not network.is_installed()

    class Package:
        @staticmethod
        def stated_path() -> str:
            return str(tmp_path / "none.onnx")

    def newer(name: str) -> Any:
        return Package

    def older(name: str) -> Any:
        return object()

    monkeypatch.setattr(network, "import_module", newer)
    assert not network.is_installed()
    monkeypatch.setattr(network, "import_module", older)
    assert not network.is_installed()
