"""A memory that nobody named is one file for the library and the command line."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from factbook.memory.memory import Memory


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("FACTBOOK_DB", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def opened() -> str:
    with Memory.open(extractor="none", embedder="none") as memory:
        return memory.url


def test_it_lies_in_the_users_data_folder_which_is_made(home: Path) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        opened()
    assert said == []
    (file,) = home.rglob("factbook.db")
    assert file.parent.name == "factbook"
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_a_file_of_this_folder_is_used_with_a_warning(home: Path) -> None:
    with Memory.open("factbook.db", extractor="none", embedder="none") as memory:
        memory.within("ada").note("the door code changed")
    with pytest.warns(UserWarning, match=r"\./factbook\.db of this folder.*FACTBOOK_DB"):
        memory = Memory.open(extractor="none", embedder="none")
    with memory:
        assert len(memory.within("ada").notes()) == 1


def test_the_environment_names_another(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("factbook.db").touch()
    monkeypatch.setenv("FACTBOOK_DB", str(home / "mine.db"))
    assert opened().endswith("mine.db")
    assert (home / "mine.db").exists()


def test_a_folder_that_cannot_be_made_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from factbook.errors import ConfigError

    (home / "data").write_text("a file")
    with pytest.raises(ConfigError, match="can't be made"):
        opened()
