"""Entities in selectools' own session stores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip(
    "selectools", reason="selectools is not installed: pip install 'factbook[selectools]'"
)

from selectools import ConversationMemory
from selectools.sessions import JsonFileSessionStore, SQLiteSessionStore
from selectools.types import Message, Role

from factbook import InputError
from factbook.integrations.selectools import Entity, EntityMemory, SessionStore

Kind = type[JsonFileSessionStore] | type[SQLiteSessionStore]


def conversation(*texts: str) -> ConversationMemory:
    memory = ConversationMemory()
    memory.add_many([Message(role=Role.USER, content=text) for text in texts])
    return memory


def knowing(*names: str) -> EntityMemory:
    memory = EntityMemory(None)
    memory.update([Entity(name, "person") for name in names])
    return memory


def names(memory: EntityMemory) -> list[str]:
    return sorted(each.name for each in memory.entities)


@pytest.fixture(params=[JsonFileSessionStore, SQLiteSessionStore])
def host(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return request.param(str(tmp_path / "sessions"))


def test_each_session_keeps_its_own_entities(host: Any) -> None:
    SessionStore(host, knowing("Ada"), "one").save("one", conversation("hello"))
    SessionStore(host, knowing("Tom"), "two", "team").save("two", conversation("hi"), "team")
    for session, space, expected in (
        ("one", None, ["Ada"]),
        ("two", "team", ["Tom"]),
        ("two", None, []),
        ("one", "", ["Ada"]),
    ):
        memory = EntityMemory(None)
        SessionStore(host, memory, session, space)
        assert names(memory) == expected


def test_saving_or_looking_at_another_session_leaves_both_alone(host: Any) -> None:
    SessionStore(host, knowing("Ada"), "one").save("one", conversation("hello"))
    tom = knowing("Tom")
    store = SessionStore(host, tom, "two")
    assert store.load("one") is not None
    store.save("one", conversation("hello", "again"))
    store.save("new", conversation("fresh"))
    assert names(tom) == ["Tom"]
    for session, expected in (("one", ["Ada"]), ("new", [])):
        memory = EntityMemory(None)
        SessionStore(host, memory, session)
        assert names(memory) == expected
    loaded = store.load("one")
    assert loaded is not None
    assert [each.content for each in loaded.get_history()] == ["hello", "again"]


def test_a_branch_takes_the_entities_along_and_goes_its_own_way(host: Any) -> None:
    store = SessionStore(host, knowing("Ada"), "one")
    store.save("one", conversation("hello"))
    store.branch("one", "copy")
    memory = EntityMemory(None)
    copy = SessionStore(host, memory, "copy")
    memory.update([Entity("Tom", "person")])
    copy.save("copy", conversation("hello", "more"))
    assert {each.session_id: each.message_count for each in copy.list()} == {"one": 1, "copy": 2}
    back = EntityMemory(None)
    SessionStore(host, back, "one")
    assert (names(back), names(memory)) == (["Ada"], ["Ada", "Tom"])
    with pytest.raises(ValueError, match="not found"):
        store.branch("nowhere", "copy")


def test_the_rest_is_the_stores_own(host: Any) -> None:
    store = SessionStore(host, knowing("Zacharias"), "one")
    assert store.load("one") is None
    store.save("one", conversation("about lemons"))
    assert store.exists("one")
    assert [each.session_id for each in store.search("lemons")] == ["one"]
    assert store.search("Zacharias") == []
    assert store.delete("one")
    assert not store.delete("one")
    assert not store.exists("one")


def test_a_trimmed_conversation_and_its_summary_stay_as_they_are(host: Any) -> None:
    memory = ConversationMemory(max_messages=2)
    memory.add_many([Message(role=Role.USER, content=str(n)) for n in range(5)])
    memory.summary = "counted"
    store = SessionStore(host, knowing("Ada"), "one")
    store.save("one", memory)
    loaded = store.load("one")
    assert loaded is not None
    assert (loaded.to_dict(), loaded.summary) == (memory.to_dict(), "counted")


def test_without_us_a_saved_session_is_read_as_ever(host: Any) -> None:
    SessionStore(host, knowing("Ada"), "one").save("one", conversation("hello"))
    plain = host.load("one")
    assert [each.content for each in plain.get_history()] == ["hello", ""]
    host.save("bare", conversation("no entities"))
    memory = EntityMemory(None)
    SessionStore(host, memory, "bare")
    assert memory.entities == []


def test_saved_entities_that_are_damaged_are_told_and_nothing_is_overwritten(
    tmp_path: Path,
) -> None:
    host = JsonFileSessionStore(str(tmp_path))
    SessionStore(host, knowing("Ada"), "one").save("one", conversation("hello"))
    path = tmp_path / "one.json"
    data = json.loads(path.read_text())
    data["memory"]["messages"][-1]["tool_result"] = "{torn"
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="the conversation can"):
        SessionStore(host, EntityMemory(None), "one")
    assert "{torn" in path.read_text()
