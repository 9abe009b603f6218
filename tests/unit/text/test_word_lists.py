"""Lists of words in text files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import factbook
from factbook.errors import ConfigError
from factbook.text import word_lists
from factbook.text.word_lists import (
    load_groups,
    load_lines,
    load_pairs,
    load_sections,
    load_words,
)

ROOT = Path(factbook.__file__).parent
LISTS = sorted(
    path for path in ROOT.rglob("data/*.txt") if "local" not in path.relative_to(ROOT).parts
)

Write = Callable[[str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes the file that is then named `room/list`."""

    def written(text: str) -> None:
        path = tmp_path / "room" / "data" / "list.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        load_sections.cache_clear()

    def here(_: str) -> Path:
        return tmp_path

    monkeypatch.setattr(word_lists, "files", here)
    return written


@pytest.fixture(autouse=True)
def forget_files() -> None:
    load_sections.cache_clear()


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_list_says_what_it_is_and_is_read_without_a_damaged_line(path: Path) -> None:
    assert path.read_text("utf-8").startswith("# ")
    room = path.parent.parent.relative_to(ROOT).as_posix()
    sections = load_sections(f"{room}/{path.stem}")
    assert any(sections.values())


def test_there_are_lists() -> None:
    assert len(LISTS) > 15


def test_words_stand_on_any_number_of_lines_below_their_heading(write: Write) -> None:
    write("# what it is\n\none two\nthree\n\n[more words]\nfour\n# a remark\n#five\n")
    assert load_words("room/list") == {"one", "two", "three"}
    assert load_words("room/list", "more words") == {"four", "#five"}


def test_the_words_of_a_pair_share_its_meaning(write: Write) -> None:
    write("job title, position: role\nus$: USD\n")
    assert load_pairs("room/list") == {"job title": "role", "position": "role", "us$": "USD"}


def test_the_words_of_a_group_mean_the_first(write: Write) -> None:
    write("ltd limited\nsa s_a\n")
    assert load_groups("room/list") == {"ltd": "ltd", "limited": "ltd", "sa": "sa", "s a": "sa"}


@pytest.mark.parametrize("line", ["word", ": meaning", "word:"])
def test_a_line_that_is_no_pair_is_named(write: Write, line: str) -> None:
    write(f"a: b\n{line}\n")
    with pytest.raises(
        ConfigError, match=r"room/list\.txt: .* is no line such as “word, word: meaning”"
    ):
        load_pairs("room/list")


def test_a_damaged_heading_and_one_that_stands_twice_are_named(write: Write) -> None:
    write("[titles\nmr\n")
    with pytest.raises(ConfigError, match=r"room/list.txt: '\[titles' is no heading"):
        load_lines("room/list")
    write("[titles]\nmr\n[titles]\nmrs\n")
    with pytest.raises(ConfigError, match=r"room/list.txt has two sections \[titles\]"):
        load_lines("room/list")


def test_a_missing_file_or_section_says_what_to_do(write: Write) -> None:
    write("one\n")
    with pytest.raises(ConfigError, match=r"no section \[titles\]; reinstall factbook"):
        load_words("room/list", "titles")
    with pytest.raises(ConfigError, match=r"room/other.txt can't be read; reinstall factbook"):
        load_words("room/other")
