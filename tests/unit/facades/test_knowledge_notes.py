"""Knowledge over a memory: entries and notes are one, and the record keeps their history."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from factbook import (
    Entity,
    Event,
    InputError,
    KnowledgeEntry,
    KnowledgeMemory,
    Memory,
    Note,
    NotFoundError,
    SQLiteKnowledgeStore,
)
from factbook.store.sqlite.file import migrating
from factbook.store.sqlite.file.opening import APPLICATION_ID
from tests.support.builders import START, at, id_maker
from tests.support.models import HashEmbedder


class Heard:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_event(self, event: Event) -> None:
        self.events.append(event)


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def memory(heard: Heard) -> Iterator[Memory]:
    opened = Memory.open(
        "ram:",
        extractor="none",
        embedder="none",
        observers=[heard],
        clock=lambda: START,
        new_id=id_maker(),
    )
    yield opened.within("ada")
    opened.close()


@pytest.fixture
def store(memory: Memory) -> SQLiteKnowledgeStore:
    return SQLiteKnowledgeStore(memory)


def test_a_note_is_an_entry(memory: Memory, store: SQLiteKnowledgeStore) -> None:
    memory.note(
        "Ada drinks green tea", category="Drinks", expires_at=at(days=2.5), metadata={"by": "Tom"}
    )
    (entry,) = store.search("tea")
    assert (entry.content, entry.category, entry.ttl_days, entry.metadata) == (
        "Ada drinks green tea",
        "drinks",
        3,
        {"by": "Tom"},
    )
    entry.importance = 0.9
    store.save(entry)
    (note,) = memory.notes()
    assert (note.importance, note.expires_at) == (0.9, at(days=2.5))
    entry.ttl_days = 5
    store.save(entry)
    assert memory.notes()[0].expires_at == at(days=5)


def test_an_entry_is_a_note_that_recall_finds(memory: Memory, store: SQLiteKnowledgeStore) -> None:
    memory.put(Entity(name="Tom Berger", entity_type="person"))
    store.save(KnowledgeEntry(id="n1", content="Tom Berger sails on Sundays", created_at=START))
    assert "sails" in memory.recall("what does Tom Berger do on Sundays?", 100).text
    assert memory.get_notes(["n1"])["n1"].entity_ids == (memory.get("Tom Berger").id,)
    assert memory.within("tom").notes() == []


def test_links_that_were_given_stay_while_the_text_does(
    memory: Memory, store: SQLiteKnowledgeStore
) -> None:
    memory.put(Entity(name="Tom Berger", entity_type="person"))
    memory.note("He sails on Sundays", about=["Tom Berger"])
    (entry,) = store.list()
    entry.importance = 0.9
    store.save(entry)
    assert memory.notes()[0].entity_ids == (memory.get("Tom Berger").id,)
    entry.content = "It rains on Sundays"
    store.save(entry)
    assert memory.notes()[0].entity_ids == ()


def test_a_note_is_found_by_another_name_of_whom_it_is_about(
    memory: Memory, store: SQLiteKnowledgeStore
) -> None:
    memory.put(Entity(name="Tom Berger", entity_type="person", aliases=["Skipper"]))
    memory.note("He sails on Sundays", about=["Tom Berger"])
    memory.note("The rent is due")
    assert [entry.content for entry in store.search("what of Skipper?")] == ["He sails on Sundays"]


def test_with_an_embedder_entries_are_found_by_meaning() -> None:
    class Alike(HashEmbedder):
        """Takes two words for one."""

        def embed(self, texts):
            return super().embed([text.replace("vessel", "boat") for text in texts])

    with Memory.open("ram:", extractor="none", embedder=Alike()) as memory:
        store = SQLiteKnowledgeStore(memory, space="ada")
        store.save_many(
            KnowledgeEntry(content=text) for text in ("Tom has a boat", "The rent is due")
        )
        assert [entry.content for entry in store.search("vessel")] == ["Tom has a boat"]
        assert store.search("giraffe") == []


def test_saving_what_is_there_already_changes_nothing(
    memory: Memory, store: SQLiteKnowledgeStore
) -> None:
    entry = KnowledgeEntry(content="Ada drinks tea")
    store.save(entry)
    before = len(memory.log())
    store.save(entry)
    assert len(memory.log()) == before


def test_what_was_deleted_can_be_brought_back(memory: Memory, store: SQLiteKnowledgeStore) -> None:
    knowledge = KnowledgeMemory(memory=memory)
    key = knowledge.remember("Ada drinks tea")
    knowledge.delete(key)
    assert knowledge.get(key) is None
    memory.undo()
    assert [entry.content for entry in store.search("tea")] == ["Ada drinks tea"]
    pruned = knowledge.prune(min_importance=0.9)
    assert pruned == 1
    memory.undo()
    assert knowledge.count() == 1


def test_what_was_deleted_can_be_erased_from_the_log(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    store = SQLiteKnowledgeStore(path, embedder="none")
    key = store.save(KnowledgeEntry(content="Zebulonius the cat"))
    store.delete(key)
    erased = store.memory.forget(ids=[key])
    assert erased.pending
    with pytest.raises(NotFoundError):
        store.memory.forget(ids=["none"])
    store.close()
    assert not any(b"ebulon" in each.read_bytes() for each in tmp_path.iterdir())


def test_metadata_that_another_wrote_is_left_as_it_is(
    memory: Memory, store: SQLiteKnowledgeStore
) -> None:
    notes = [
        Note(
            id=f"n{number}",
            text="Tea",
            created_at=START,
            metadata={"knowledge_entry": held, "by": "Tom"},
        )
        for number, held in enumerate(("not JSON", "[1]", '{"metadata": 7}'))
    ]
    memory.put_notes(notes)
    assert [entry.metadata for entry in store.list()] == [{"by": "Tom"}] * 3
    entry = KnowledgeEntry(id="n9", content="Tea", metadata={"knowledge_entry": "mine"})
    store.save(entry)
    assert store.get("n9") == entry


@pytest.mark.parametrize(
    ("note", "complaint"),
    [
        (Note(id="", text="Tea", created_at=START), "needs an id and a text"),
        (Note(id="n", text=" ", created_at=START), "needs an id and a text"),
        (Note(id="n", text="Tea", importance=3, created_at=START), "importance is 0 to 1"),
        (Note(id="n", text="Tea", created_at=None), "can't be stored"),  # type: ignore[arg-type]
    ],
)
def test_a_note_that_cannot_be_stored_is_refused(
    memory: Memory, note: Note, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        memory.put_notes([note])
    assert memory.notes() == []


def test_notes_are_listed_and_searched_within_projects(memory: Memory) -> None:
    memory.note("Tea for all")
    memory.note("Tea for the atlas", project="atlas", category="Supplies")
    memory.note("Tea for orion", project="orion")
    assert len(memory.notes(project="atlas")) == 2
    assert [
        note.text for note in memory.search_notes("tea", project=["atlas"], categories="Supplies")
    ] == ["Tea for the atlas"]
    assert len(memory.search_notes("tea", project="orion")) == 2
    assert memory.note_categories() == {"general": 2, "supplies": 1}
    with pytest.raises(InputError):
        memory.search_notes(7)  # type: ignore[arg-type]


def test_dropped_notes_are_given_back(memory: Memory) -> None:
    memory.note("Tea", importance=0.1)
    memory.note("Rent", persistent=True, importance=0.1)
    (first, _) = memory.notes()[::-1]
    gone, receipt = memory.prune_notes(min_importance=0.5, reason="old")
    assert (gone, receipt.verb, receipt.ids) == ([first], "drop", (first.id,))
    assert memory.log()[-1].stamp.reason == "old"
    assert memory.drop_notes(["none"]) == ([], memory.drop_notes(())[1])


def test_observers_hear_of_what_was_kept_and_searched(
    heard: Heard, memory: Memory, store: SQLiteKnowledgeStore
) -> None:
    key = store.save(KnowledgeEntry(content="Ada drinks tea"))
    store.search("tea")
    kept, found = heard.events
    assert (kept.name, kept.space, kept.data["ids"]) == ("remembered", "ada", (key,))
    assert (found.name, found.data["verb"], found.data["lines"]) == ("recalled", "search", 1)
    assert "tea" not in str(heard.events)


def test_a_store_closes_what_it_opened(tmp_path: Path, memory: Memory) -> None:
    opened = SQLiteKnowledgeStore(tmp_path / "kept.db", space="ada", embedder="none")
    opened.save(KnowledgeEntry(content="Ada drinks tea"))
    assert opened.memory.space == "ada"
    opened.close()
    opened.close()
    SQLiteKnowledgeStore(memory).close()
    assert memory.notes() == []
    left = SQLiteKnowledgeStore(tmp_path / "kept.db", embedder="none")
    assert left.memory.within("ada").notes()
    del left


def test_a_file_of_the_first_schema_is_brought_up_to_date(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    con = sqlite3.connect(path)
    con.executescript(migrating.read_migrations()[0][1])
    con.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    con.execute("PRAGMA user_version = 1")
    con.commit()
    con.close()
    store = SQLiteKnowledgeStore(path, embedder="none")
    store.save(KnowledgeEntry(content="Ada drinks tea"))
    assert store.count() == len(store.list()) == 1
    store.close()
