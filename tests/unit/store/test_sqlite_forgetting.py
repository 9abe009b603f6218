"""What forgetting leaves in the files: the steps, and none of the words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factbook.errors import StoreBusyError, StoreError
from factbook.model.draft import Draft, DraftEntity
from factbook.model.line import LineFilter
from factbook.ports.store import Erasure, Vectors
from factbook.store.sqlite import SqliteStore, erasing
from tests.support.builders import (
    alias,
    at,
    commit,
    entity,
    episode,
    fact,
    mention,
    message,
    note,
    put,
    relation,
    review,
    same_as,
    source,
    stamp,
    support,
)
from tests.support.models import HashEmbedder

EMBEDDER = HashEmbedder(64)
SECRET_WORDS = ("zanzibar", "quetzalcoatl", "xylophon", "wolframit")  # so long that their stems hold them
FIRST = message("Zanzibar Quetzalcoatl plays as a xylophonist near the wolframite mine", id="m1", speaker="Tom")
SECOND = message("I saw ZANZIBAR QUETZALCOATL in Oslo", id="m2", at=at(1))
THIRD = message("The weather is fine", id="m3", at=at(2), speaker="Zanzibar Quetzalcoatl")
ZANZIBAR = Erasure(
    entity_ids=("z",), message_ids=("m1",), mask=("Zanzibar Quetzalcoatl", "Xylophonist", "Wolframite"), at=at(9)
)


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    """A record that has said, altered and taken back much about one who shall be forgotten."""
    store = SqliteStore(tmp_path / "a.db", timeout=0.05)
    store.remember("ada", [episode(FIRST, SECOND, id="e1", session="monday")])
    store.remember("ada", [episode(THIRD, id="e2")])
    from_first = source(message_id="m1", episode_id="e1", quote="plays as a xylophonist")
    old = fact("z", "job", "xylophonist", id="f1", source=from_first)
    commit(
        store,
        "ada",
        entity("z", "Zanzibar Quetzalcoatl", description="A xylophonist", metadata={"mine": "wolframite"}),
        entity("o", "Oslo", description="Where Zanzibar Quetzalcoatl was seen"),
        alias("z", "Wolframite", id="al"),
        alias("o", "Zanzibar Quetzalcoatl's town", id="al2"),
        mention("z", FIRST, "Zanzibar Quetzalcoatl", "e1", id="me1"),
        mention("z", SECOND, "ZANZIBAR QUETZALCOATL", "e1", id="me2"),
        mention("o", SECOND, "Oslo", "e1", id="me3"),
        old,
        fact("o", "seen", "Zanzibar Quetzalcoatl", id="f2"),
        relation("z", "seen_in", "o", id="r1", note="by the wolframite mine"),
        support("f1", id="s1", source=from_first),
        note("Ask Zanzibar Quetzalcoatl about wolframite", "z", "o", id="n1"),
        review("z", "o", id="rv", evidence=("Zanzibar Quetzalcoatl",)),
        stamp=stamp(reason="Zanzibar Quetzalcoatl asked", episode_id="e1"),
    )
    for row in (fact("o", "mine", "wolframite", id="f3"), same_as("z", "o", id="sa", evidence=("xylophonist",))):
        commit(store, "ada", row)
        commit(store, "ada", *[change.__class__(before=change.after) for change in put(row)])
    lease = store.lease(seconds=60, spaces=["ada"])
    assert lease is not None
    store.keep_draft(lease, Draft(episode_id="e1", entities=(DraftEntity(ref="z", name="Zanzibar Quetzalcoatl"),)))
    other = store.lease(seconds=60)
    assert other is None
    store.fail(lease, "the model said: wolframite", retry_in=None)
    texts = {"m1": FIRST.text, "m2": SECOND.text, "m3": THIRD.text, "z": "Zanzibar", "n1": "Ask"}
    rows = dict(zip(texts, EMBEDDER.embed(list(texts.values())), strict=True))
    store.put_vectors("ada", Vectors(model=EMBEDDER.name, size=EMBEDDER.size, rows=rows))
    return store


def held(folder: Path) -> set[str]:
    """The secret words that any file of the folder holds, in any case and in the two encodings that SQLite knows."""
    assert [file.name for file in folder.iterdir()]
    found: set[str] = set()
    for file in folder.iterdir():
        data = file.read_bytes().lower()
        found |= {word for word in SECRET_WORDS if word.encode() in data or word.encode("utf-16-le") in data}
    return found


def test_the_words_are_in_the_files_before(store: SqliteStore, tmp_path: Path):
    assert held(tmp_path) == set(SECRET_WORDS)
    store.close()


def test_no_file_holds_a_word_of_what_was_forgotten(store: SqliteStore, tmp_path: Path):
    counts = store.forget("ada", ZANZIBAR)
    assert counts["messages"] == 1
    assert held(tmp_path) == set()
    assert {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}["a.db.key"] == 0o600
    assert store.check() == []
    store.close()
    assert held(tmp_path) == set()


def test_no_vector_of_an_altered_text_stays(store: SqliteStore):
    store.forget("ada", ZANZIBAR)
    with store.reading() as reader:
        (asked,) = EMBEDDER.embed([SECOND.text])
        found = reader.find_vector("ada", EMBEDDER.name, asked, LineFilter(superseded=True), limit=9)
        assert {hit.id for hit in reader.hits("ada", found, [])} == {"m3"}
        assert {row[1] for row in reader.without_vector("ada", EMBEDDER.name, limit=9)} == {"m2", "n1", "o"}
    store.close()


def test_no_file_holds_a_word_of_a_space_that_was_forgotten(store: SqliteStore, tmp_path: Path):
    store.remember("tom", [episode("The mine is closed", id="e9")])
    store.forget("ada", Erasure(everything=True, at=at(9), reason="moved out"))
    assert held(tmp_path) == set()
    assert store.check() == []
    with store.reading() as reader:
        assert reader.spaces() == ["tom"]
        assert [(entry.erased, entry.changes) for entry in reader.log("ada")] == [(True, ())] * 6
        assert reader.log("ada")[-1].stamp.reason == "moved out"
        assert len(reader.find_words("tom", ["mine"], LineFilter(), limit=9)) == 1
    told = episode(FIRST, SECOND, id="e1", session="monday")
    assert store.remember("ada", [told]).duplicates == 2
    store.close()


def test_a_crash_before_the_file_is_rewritten_is_made_up_for(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def crash(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(erasing, "purge", crash)
    with pytest.raises(KeyboardInterrupt):
        store.forget("ada", ZANZIBAR)
    monkeypatch.undo()
    assert waits(store)
    store.close()
    again = SqliteStore(tmp_path / "a.db")
    assert not waits(again)
    assert held(tmp_path) == set()
    again.close()


def waits(store: SqliteStore) -> bool:
    """Whether the file is still to be rewritten."""
    return store._writer_connection().execute("SELECT count(*) FROM purges").fetchone() == (1,)


def test_a_reader_that_holds_on_to_the_past_is_named_and_the_next_time_finishes(store: SqliteStore, tmp_path: Path):
    other = SqliteStore(tmp_path / "a.db")
    with other.reading() as reader:
        assert reader.version("ada") == 5
        with pytest.raises(StoreBusyError, match="erased from the record, but another process still reads"):
            store.forget("ada", ZANZIBAR)
        SqliteStore(tmp_path / "a.db").close()  # can't finish it either, and opens all the same
        assert held(tmp_path)
    with store.reading() as reader:
        assert reader.messages("ada", ["m1"]) == {}
    store.forget("ada", Erasure(at=at(10)))
    assert held(tmp_path) == set()
    other.close()
    store.close()


def test_what_was_forgotten_stays_away_after_opening_again(store: SqliteStore, tmp_path: Path):
    store.forget("ada", ZANZIBAR)
    store.close()
    again = SqliteStore(tmp_path / "a.db")
    told = again.remember("ada", [episode(FIRST, SECOND, id="e1", session="monday")])
    assert (told.stored, told.duplicates) == (0, 2)
    assert again.remember("ada", [episode(FIRST, id="e7", session="tuesday")]).stored == 1
    again.close()


def test_without_the_key_nothing_is_stored_until_someone_decides(store: SqliteStore, tmp_path: Path):
    store.forget("ada", ZANZIBAR)
    key = tmp_path / "a.db.key"
    key.unlink()
    with pytest.raises(StoreError, match=r"a\.db\.key is missing"):
        store.remember("ada", [episode(FIRST, id="e7")])
    store.remember("tom", [episode(FIRST, id="e7")])
    key.touch()
    assert store.remember("ada", [episode(FIRST, id="e7", session="monday")]).stored == 1
    store.close()


def test_without_tombstones_no_key_is_made(store: SqliteStore, tmp_path: Path):
    store.forget("ada", Erasure(message_ids=("m1",), tombstones=False, at=at(9)))
    assert not (tmp_path / "a.db.key").exists()
    assert store.remember("ada", [episode(FIRST, id="e7", session="monday")]).stored == 1
    store.close()


def test_a_vector_cache_forgets_too(store: SqliteStore):
    (asked,) = EMBEDDER.embed([FIRST.text])
    with store.reading() as reader:
        assert reader.find_vector("ada", EMBEDDER.name, asked, LineFilter(), limit=9)
    before = [each.count for each in store._vectors._spaces.values()]
    store.forget("ada", ZANZIBAR)
    with store.reading() as reader:
        reader.find_vector("ada", EMBEDDER.name, asked, LineFilter(), limit=9)
    assert before == [5]
    assert [each.count for each in store._vectors._spaces.values()] == [1]
    store.close()
