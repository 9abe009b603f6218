"""What every store of knowledge does: the file, and the notes of a space."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from factbook import (
    FileKnowledgeStore,
    InputError,
    KnowledgeEntry,
    KnowledgeStore,
    Memory,
    SQLiteKnowledgeStore,
)
from factbook.facades.knowledge import Pruned
from tests.support.builders import START, at, id_maker

Store = FileKnowledgeStore | SQLiteKnowledgeStore


class Now:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture(params=["file", "sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path, now: Now) -> Iterator[Store]:
    if request.param == "file":
        yield FileKnowledgeStore(tmp_path / "kept", clock=now)
    elif request.param == "sqlite":
        opened = SQLiteKnowledgeStore(tmp_path / "kept.db", space="ada", embedder="none", clock=now)
        yield opened
        opened.close()
    else:
        with Memory.open(
            "ram:", extractor="none", embedder="none", clock=now, new_id=id_maker()
        ) as memory:
            yield SQLiteKnowledgeStore(memory, space="ada")


@pytest.fixture
def kept(store: Store) -> Store:
    for entry in (
        entry_of(
            "tea", "Ada drinks green tea every morning", category="preference", importance=0.9
        ),
        entry_of("rent", "The rent is due on the first", category="Home Affairs", created_at=at(1)),
        entry_of(
            "oslo", "Tom Berger moved to Oslo", category="fact", importance=0.3, created_at=at(2)
        ),
        entry_of(
            "door", "The door code changes weekly", category="fact", ttl_days=7, created_at=at(3)
        ),
        entry_of(
            "rule", "Never book before nine", importance=0.2, persistent=True, created_at=at(4)
        ),
    ):
        store.save(entry)
    return store


def entry_of(entry_id: str, content: str, **rest: Any) -> KnowledgeEntry:
    return KnowledgeEntry(id=entry_id, content=content, **{"created_at": START, **rest})


def ids(entries: list[KnowledgeEntry]) -> list[str]:
    return [entry.id for entry in entries]


def test_both_are_knowledge_stores(store: Store) -> None:
    assert isinstance(store, KnowledgeStore)


def test_an_entry_comes_back_as_it_was_saved(store: Store) -> None:
    entry = KnowledgeEntry(
        content="Ada: „Straße“,\n2 lines\u2028and more 🦉",
        category="Home Affairs",
        importance=0.25,
        persistent=True,
        ttl_days=3,
        metadata={"source": "chat", "turn": 7, "tags": ["a", None], "deep": {"x": 1.5}},
    )
    assert store.save(entry) == entry.id
    assert store.get(entry.id) == entry


def test_saving_again_replaces_the_entry(kept: Store) -> None:
    entry = kept.get("tea")
    assert entry is not None
    entry.content, entry.importance, entry.updated_at = "Ada drinks coffee now", 0.4, at(days=1)
    kept.save(entry)
    assert kept.get("tea") == entry
    assert kept.count() == 5
    assert ids(kept.search("coffee")) == ["tea"]
    assert kept.search("green") == []


def test_what_a_caller_does_to_an_entry_stays_with_the_caller(store: Store) -> None:
    entry = entry_of("tea", "Ada drinks tea", metadata={"tags": ["a"]})
    store.save(entry)
    entry.metadata["tags"].append("b")
    found = store.get("tea")
    assert found is not None
    found.content = "else"
    found.metadata["tags"].append("c")
    store.query()[0].content = "else"
    assert store.get("tea") == entry_of("tea", "Ada drinks tea", metadata={"tags": ["a"]})


def test_several_are_saved_at_once(kept: Store) -> None:
    given = [
        entry_of("tea", "None for Ada"),
        entry_of("new", "A kettle"),
        entry_of("new", "A red kettle"),
    ]
    assert kept.save_many(given) == ["tea", "new", "new"]
    assert kept.save_many([]) == []
    found = [kept.get(key) for key in ("tea", "new")]
    assert [entry.content for entry in found if entry] == ["None for Ada", "A red kettle"]
    assert kept.count() == 6


def test_of_several_with_one_id_the_last_is_kept(kept: Store) -> None:
    before = kept.get("tea")
    assert before is not None
    kept.save_many([entry_of("tea", "None for Ada"), before])
    assert kept.get("tea") == before


def test_a_query_gives_the_most_important_first(kept: Store) -> None:
    assert ids(kept.query())[0] == "tea"
    assert sorted(ids(kept.query())) == ["door", "oslo", "rent", "rule", "tea"]
    assert ids(kept.query(limit=1)) == ["tea"]
    assert kept.query(limit=0) == []
    assert ids(kept.query(min_importance=0.4, since=at(1))) in (["rent", "door"], ["door", "rent"])
    assert ids(kept.query(since=at(4).replace(tzinfo=None))) == ["rule"]


def test_a_list_gives_the_latest_first(kept: Store) -> None:
    assert ids(kept.list()) == ["rule", "door", "oslo", "rent", "tea"]
    assert ids(kept.list(limit=2)) == ["rule", "door"]


def test_the_leading_ones_are_the_persistent_then_the_important_then_the_latest(
    kept: Store,
) -> None:
    assert ids(kept.leading(9)) == ["rule", "tea", "door", "rent", "oslo"]
    assert ids(kept.leading(1)) == ["rule"]
    assert kept.leading(0) == []


@pytest.mark.parametrize(
    "written", ["Home Affairs", "home_affairs", "HOME-AFFAIRS", " home affairs "]
)
def test_a_category_is_found_however_it_is_written(kept: Store, written: str) -> None:
    assert ids(kept.query(category=written)) == ["rent"]
    assert ids(kept.list(category=written)) == ["rent"]
    assert ids(kept.search("rent", category=written)) == ["rent"]
    assert kept.search("tea", category=written) == []
    assert kept.search("rent", category="fact") == []


def test_categories_are_counted(kept: Store, now: Now) -> None:
    assert {name.lower().replace(" ", "_"): count for name, count in kept.categories().items()} == {
        "preference": 1,
        "home_affairs": 1,
        "fact": 2,
        "general": 1,
    }
    now.at = at(days=30)
    assert kept.categories()["fact"] == 1


def test_a_category_without_letters_is_one_too(store: Store) -> None:
    store.save(entry_of("a", "One thing", category="!!"))
    store.save(entry_of("b", "One more", category="  "))
    found = store.get("a"), store.get("b")
    assert [entry.category for entry in found if entry] == ["!!", "general"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tea", ["tea"]),
        ("What do you know of TEAS and mornings?", ["tea"]),
        ("preferences", ["tea"]),
        ("moving to oslo", ["oslo"]),
        ("weekly rent", ["rent", "door"]),
        ("berg", ["oslo"]),
        ("the door", ["door"]),
        ("zebra", []),
    ],
)
def test_entries_are_found_by_their_words(kept: Store, query: str, found: list[str]) -> None:
    assert sorted(ids(kept.search(query))) == sorted(found)


def test_the_best_match_comes_first_and_no_more_than_were_asked_for(kept: Store) -> None:
    assert ids(kept.search("Does Ada like green tea, or Tom?"))[0] == "tea"
    assert ids(kept.search("tea Oslo rent", limit=2))[:1] != []
    assert len(kept.search("tea Oslo rent", limit=2)) == 2
    assert kept.search("tea", limit=0) == []


def test_of_equal_matches_the_more_important_comes_first(store: Store) -> None:
    store.save_many(
        entry_of(f"e{n}", "A note on the harbour", importance=n / 10) for n in range(10)
    )
    assert ids(store.search("harbour", limit=3)) == ["e9", "e8", "e7"]


def test_a_search_without_a_query_gives_the_most_important(kept: Store) -> None:
    assert ids(kept.search("  ", limit=1)) == ["tea"]
    assert ids(kept.search("", category="fact", limit=1)) == ["door"]


def test_the_least_important_of_many_is_found(store: Store) -> None:
    store.save_many(
        entry_of(f"e{n}", f"Meeting number {n} was fine", importance=0.9) for n in range(1200)
    )
    store.save(entry_of("rare", "The spare key lies with the violinist", importance=0.0))
    assert ids(store.search("violinist")) == ["rare"]
    assert ids(store.search("iolini")) == ["rare"]
    assert len(store.search("meeting", limit=1100)) >= 1000


def test_what_expired_is_hidden_but_kept(kept: Store, now: Now) -> None:
    now.at = at(3, days=7)
    assert "door" not in ids(kept.query()) + ids(kept.list()) + ids(kept.leading(9)) + ids(
        kept.search("door code")
    )
    assert kept.search("oor cod") == []
    assert kept.count() == 5
    assert kept.get("door") is not None


def test_pruning_returns_what_it_removed(kept: Store, now: Now) -> None:
    kept.save(entry_of("pass", "A persistent one that expired", persistent=True, ttl_days=1))
    now.at = at(days=8)
    pruned = kept.prune(min_importance=0.4)
    assert pruned == 2
    assert isinstance(pruned, Pruned)
    assert sorted(ids(list(pruned.entries))) == ["door", "oslo"]
    assert copy.copy(pruned).entries == pruned.entries
    assert kept.count() == 4
    assert kept.prune() == 0


def test_pruning_by_age_spares_what_is_persistent(kept: Store, now: Now) -> None:
    now.at = at(2, days=5)
    pruned = kept.prune(max_age_days=5)
    assert [sorted(ids(list(pruned.entries))), ids(kept.list())] == [
        ["rent", "tea"],
        ["rule", "door", "oslo"],
    ]


def test_deleting_says_whether_there_was_one(kept: Store) -> None:
    assert kept.delete("tea")
    assert not kept.delete("tea")
    assert kept.get("tea") is None
    assert kept.search("green tea") == []
    assert ids(kept.delete_many(["oslo", "none", "rent", "oslo"])) in (
        ["oslo", "rent"],
        ["rent", "oslo"],
    )
    assert kept.count() == 2


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        ({"content": " "}, "needs a content"),
        ({"content": 7}, "content is a text"),
        ({"content": "half \ud800"}, "surrogate"),
        ({"id": ""}, "needs an id"),
        ({"category": None}, "category is a text"),
        ({"importance": 1.5}, "importance is 0 to 1"),
        ({"importance": -0.1}, "importance is 0 to 1"),
        ({"importance": float("nan")}, "importance is 0 to 1"),
        ({"importance": "high"}, "importance is 0 to 1"),
        ({"importance": True}, "importance is 0 to 1"),
        ({"persistent": "yes"}, "persistent is True or False"),
        ({"ttl_days": "3"}, "ttl_days is a number of days"),
        ({"ttl_days": float("inf")}, "ttl_days is a number of days"),
        ({"ttl_days": 10**9}, "outside the years"),
        ({"ttl_days": 10**400}, "outside the years"),
        ({"metadata": {"at": START}}, "metadata holds what JSON can't"),
        ({"metadata": {"n": float("nan")}}, "metadata holds what JSON can't"),
        ({"metadata": {"n": "\ud800"}}, "surrogate"),
        ({"metadata": [1]}, "metadata are values by name"),
    ],
)
def test_what_cannot_be_kept_is_refused_in_a_sentence(
    store: Store, part: dict[str, Any], complaint: str
) -> None:
    entry = entry_of("tea", "Ada drinks tea")
    for name, value in part.items():
        setattr(entry, name, value)
    with pytest.raises(InputError, match=complaint):
        store.save(entry)
    assert store.count() == 0


def test_an_entry_without_its_times_is_refused(store: Store) -> None:
    entry = entry_of("tea", "Ada drinks tea")
    entry.created_at = None  # type: ignore[assignment]
    with pytest.raises(InputError, match="needs its times"):
        store.save(entry)


def test_times_without_a_zone_are_read_as_utc(store: Store) -> None:
    bare = datetime(2024, 5, 6, 9, 0)
    entry = KnowledgeEntry(
        id="tea", content="Ada drinks tea", created_at=bare, updated_at=bare + timedelta(days=1)
    )
    assert entry.created_at == START
    store.save(entry)
    found = store.get("tea")
    assert found is not None
    assert found.created_at.tzinfo is UTC
    assert found.updated_at == at(days=1)


@pytest.mark.parametrize(
    ("ttl", "days", "expired"),
    [(None, 999, False), (2, 1.9, False), (2, 2, True), (0, 0, True), (0.5, 0.6, True)],
)
def test_an_entry_expires_after_its_days(ttl: float | None, days: float, expired: bool) -> None:
    entry = entry_of("tea", "Ada drinks tea", ttl_days=ttl)
    assert entry.expired(at(days=days)) is expired
    assert entry.expires_at == (None if ttl is None else at(days=ttl))


def test_an_entry_knows_by_the_systems_clock_whether_it_expired() -> None:
    assert not KnowledgeEntry(content="x", ttl_days=1).is_expired
    assert KnowledgeEntry(content="x", ttl_days=1, created_at=START).is_expired
    assert KnowledgeEntry(content="x").id != KnowledgeEntry(content="x").id


def test_half_a_day_is_kept_as_half_a_day(store: Store) -> None:
    store.save(entry_of("tea", "The kettle is hot", ttl_days=0.5))
    found = store.get("tea")
    assert found is not None
    assert found.ttl_days == 0.5


def test_threads_may_write_and_read_at_once(store: Store) -> None:
    run_at_once(
        lambda n: store.save(entry_of(f"e{n}", f"Thing {n} of the harbour")),
        lambda n: store.search("harbour"),
        lambda n: store.delete(f"e{n - 5}"),
        times=20,
    )
    assert all(entry.content.startswith("Thing") for entry in store.list())
    assert store.count() == len(store.list())


def run_at_once(*works: Callable[[int], Any], times: int) -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(works)) as pool:
        for done in [
            pool.submit(lambda work: [work(n) for n in range(times)], work) for work in works
        ]:
            done.result()
