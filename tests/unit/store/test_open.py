"""Opening a store by its URL."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import factbook.store
from factbook.errors import ConfigError
from factbook.store import open_store
from factbook.store.ram import RamStore
from factbook.store.sqlite import SqliteStore


def test_a_path_is_an_sqlite_file(tmp_path: Path):
    store = open_store(str(tmp_path / "a.db"))
    assert isinstance(store, SqliteStore)
    assert (tmp_path / "a.db").exists()
    store.close()


def test_a_url_names_a_relative_or_an_absolute_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for url in ("sqlite:///a.db", f"sqlite:///{tmp_path}/a.db"):
        store = open_store(url)
        assert store.url == f"sqlite:///{tmp_path}/a.db"
        store.close()


def test_a_store_opens_again_by_its_own_url(tmp_path: Path):
    first = open_store(str(tmp_path / "with space ? # % é.db"))
    first.close()
    second = open_store(first.url)
    assert second.url == first.url
    second.close()
    assert [file.name for file in tmp_path.iterdir()] == ["with space ? # % é.db"]


def test_ram_is_a_store_of_its_own():
    assert isinstance(open_store("ram:"), RamStore)


@pytest.mark.parametrize("url", ["", ":memory:", "sqlite:", "sqlite:///", "sqlite://host/a.db"])
def test_a_url_without_a_file_is_refused(url: str):
    with pytest.raises(ConfigError):
        open_store(url)


def test_an_unknown_scheme_is_refused_by_naming_the_known_ones():
    with pytest.raises(ConfigError, match="there are ram, sqlite"):
        open_store("punchcards://cellar")


def test_a_plug_in_opens_its_own_scheme(monkeypatch: pytest.MonkeyPatch):
    opened = RamStore()
    point = EntryPoint(name="punchcards", group="factbook.stores", value="somewhere:open")
    monkeypatch.setattr(
        EntryPoint,
        "load",
        lambda self: lambda url: opened if url == "punchcards://cellar" else None,
    )
    monkeypatch.setattr(factbook.store, "entry_points", lambda group: [point])
    assert open_store("punchcards://cellar") is opened
