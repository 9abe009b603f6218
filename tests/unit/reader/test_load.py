"""Choosing an embedder by name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint, EntryPoints

import pytest

import factbook.reader as room
from factbook.errors import ConfigError
from factbook.ports.models import Embedder


class Letters:
    """A plug-in as somebody else would write it."""

    name = "letters/1"
    size = 2

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        return [bytes(8) for _ in texts]


@pytest.fixture
def plug_ins(monkeypatch: pytest.MonkeyPatch) -> None:
    points = EntryPoints(
        EntryPoint(name=name, value=value, group=room.ENTRY_POINTS)
        for name, value in {
            "letters": "plug:Letters",
            "gone": "no_such_module_here:X",
            "no": "builtins:dict",
        }.items()
    )
    monkeypatch.setattr(room, "entry_points", lambda *, group: points.select(group=group))
    monkeypatch.setitem(sys.modules, "plug", sys.modules[__name__])


def test_the_default_one_is_loaded_when_its_packages_are_there() -> None:
    if room.missing_modules():
        pytest.skip("the local extra is not installed")
    embedder = room.load_embedder()
    assert isinstance(embedder, Embedder)
    assert (embedder.name, embedder.size) == ("all-MiniLM-L6-v2-int8/1", 384)


def test_without_its_packages_there_is_none_by_default_and_an_error_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "find_spec", lambda name: None if name == "onnxruntime" else object())
    assert room.missing_modules() == ["onnxruntime"]
    assert room.load_embedder() is None
    with pytest.raises(
        ConfigError, match=r"needs onnxruntime: install it with pip install 'factbook\[local\]'"
    ):
        room.load_embedder("minilm")


@pytest.mark.parametrize("name", ["minilm", "all-MiniLM-L6-v2-int8/1"])
def test_the_default_one_can_be_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "find_spec", lambda name: object())
    assert isinstance(room.load_embedder(name), room.Reader)


def test_none_is_a_choice() -> None:
    assert room.load_embedder("none") is None


def test_a_plug_in_is_found_by_its_name(plug_ins: None) -> None:
    embedder = room.load_embedder("letters")
    assert embedder is not None
    assert embedder.name == "letters/1"


def test_an_unknown_name_is_refused_with_the_known_ones(plug_ins: None) -> None:
    with pytest.raises(
        ConfigError, match="no embedder named 'leters'; there are: gone, letters, minilm, no, none"
    ):
        room.load_embedder("leters")


def test_a_plug_in_that_does_not_load_is_named(plug_ins: None) -> None:
    with pytest.raises(ConfigError, match=r"'gone' \(no_such_module_here:X\) can't be loaded"):
        room.load_embedder("gone")


def test_a_plug_in_that_is_no_embedder_is_named(plug_ins: None) -> None:
    with pytest.raises(ConfigError, match=r"'no' \(builtins:dict\) has no name, size or embed"):
        room.load_embedder("no")


def test_importing_the_room_loads_nothing_heavy() -> None:
    code = "import sys, factbook.reader; print({'numpy', 'onnxruntime', 'tokenizers'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
