"""The table of akin words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from factbook.errors import ConfigError
from factbook.reader import akin_words as akin
from factbook.reader.akin_words import NEAR, AkinWords, akin_to, pack_table
from factbook.text.index_words import index_words

TABLE = {
    "cat": {"dog": 0.8, "pet": 0.6},
    "dog": {"cat": 0.8, "pet": 0.7},
    "pet": {"dog": 0.7, "cat": 0.6},
    "zoo": {},
}


@pytest.fixture
def unread() -> object:
    """The table as it is before anything was looked up, and afterwards again."""
    akin._load_table.cache_clear()  # pyright: ignore[reportPrivateUsage]
    akin_to.cache_clear()
    yield
    akin._load_table.cache_clear()  # pyright: ignore[reportPrivateUsage]
    akin_to.cache_clear()


def test_a_table_is_read_as_it_was_written() -> None:
    table = AkinWords(pack_table(TABLE))
    assert len(table) == 4
    assert table.of("cat") == {"dog": pytest.approx(0.8), "pet": pytest.approx(0.6)}
    assert table.of("zoo") == table.of("horse") == table.of("zzz") == table.of("a") == {}


def test_no_more_than_the_nearest_are_kept() -> None:
    names = [f"w{number:03}" for number in range(NEAR + 20)]
    table = {
        name: {other: (at + 1) / 200 for at, other in enumerate(names) if other != name}
        for name in names
    }
    kept = AkinWords(pack_table(table)).of(names[0])
    assert len(kept) == NEAR
    assert min(kept.values()) > 20 / 200


@pytest.mark.parametrize(
    "data", [b"", b"akin", pack_table(TABLE)[:-1], b"x" + pack_table(TABLE)[1:], b"\xff" * 64]
)
def test_what_is_no_table_is_refused(data: bytes) -> None:
    with pytest.raises(ConfigError, match="reinstall factbook-reader"):
        AkinWords(data)


def test_words_of_one_subject_are_akin_and_others_are_not() -> None:
    sport, soccer, doctor, physician, deadline = index_words(
        "sport soccer doctor physician deadline"
    )
    assert akin_to(sport)[soccer] > 0.3
    assert akin_to(doctor)[physician] > 0.5
    assert deadline not in akin_to(sport)
    assert sport not in akin_to(sport)
    assert all(0.0 < near <= 1.0 for near in akin_to(sport).values())
    assert akin_to("xqzt") == {}


def test_without_the_package_no_word_is_akin(
    monkeypatch: pytest.MonkeyPatch, unread: object
) -> None:
    monkeypatch.setitem(sys.modules, "factbook_reader", None)
    assert akin_to("sport") == {}


def test_another_table_than_the_known_one_is_refused(
    monkeypatch: pytest.MonkeyPatch, unread: object, tmp_path: Path
) -> None:
    other = tmp_path / "akin.bin"
    other.write_bytes(pack_table(TABLE))
    monkeypatch.setattr("factbook_reader.akin_path", lambda: str(other))
    with pytest.raises(ConfigError, match="install factbook-reader anew"):
        akin_to("sport")
