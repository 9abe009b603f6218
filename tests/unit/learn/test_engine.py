"""The parts of a memory are loaded where they are first used, each once."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest

from factbook.errors import ConfigError
from factbook.memory.memory import Memory


class Fake:
    name = "fake/1"

    def extract(self, episodes: Any, context: Any) -> list[Any]:
        return []


def local(monkeypatch: pytest.MonkeyPatch, *, installed: bool) -> None:
    module = ModuleType("factbook.extract.local")
    vars(module).update(LocalExtractor=Fake, is_installed=lambda: installed)
    monkeypatch.setitem(sys.modules, "factbook.extract.local", module)


@pytest.mark.parametrize(
    ("wish", "installed", "given"),
    [("auto", True, True), ("auto", False, False), ("local", False, True)],
)
def test_the_extractor_is_the_one_that_was_wished(
    monkeypatch: pytest.MonkeyPatch, wish: str, installed: bool, given: bool
) -> None:
    local(monkeypatch, installed=installed)
    with Memory.open("ram:", extractor=wish, embedder="none") as memory:
        found = memory._engine.extractors.extractor()
        assert isinstance(found, Fake) is given
        assert memory._engine.extractors.extractor() is found


def test_without_an_extractor_a_job_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    local(monkeypatch, installed=False)
    with Memory.open("ram:", embedder="none", background=False) as memory:
        memory.remember("Ana has badge 17")
        memory.wait()
        (job,) = memory.jobs()
        assert (job.state, "pip install" in job.error) == ("failed", True)


def test_an_extractor_that_is_none_is_refused() -> None:
    with pytest.raises(ConfigError, match="no extractor 'magic'"):
        Memory.open("ram:", extractor="magic")


def test_none_is_no_extractor() -> None:
    with Memory.open("ram:", extractor="none", embedder="none") as memory:
        assert memory._engine.extractors.extractor() is None
