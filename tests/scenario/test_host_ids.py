"""Ids that a host gives its things: two of one name are two, and one under another name is one."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from factbook import Entity, InputError, Memory, Message, NotFoundError
from factbook.errors import AmbiguousError
from tests.scenario.test_truth import START, Clock, opened
from tests.support.dumps import dumped


@pytest.fixture(params=["ram", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "m.db")
    with opened(url, clock=Clock()) as memory:
        yield memory


def campaign(name: str, crm: str, **attributes: str) -> Entity:
    return Entity(name, "campaign", attributes, ids={"crm": crm})


@pytest.fixture
def two(memory: Memory) -> Memory:
    memory.put(campaign("Spring Sale", "111", budget="1000"))
    memory.put(campaign("Spring Sale", "222", budget="2000"))
    return memory


def test_two_of_one_name_with_different_ids_are_two(two: Memory):
    first, second = two.get("crm:111"), two.get("crm:222")
    assert first.id != second.id
    assert (first.name, first.ids, first.attributes["budget"]) == (
        "Spring Sale",
        {"crm": "111"},
        "1000",
    )
    assert (second.name, second.ids, second.attributes["budget"]) == (
        "Spring Sale",
        {"crm": "222"},
        "2000",
    )
    assert first.aliases == second.aliases == []
    with pytest.raises(AmbiguousError):
        two.get("Spring Sale")
    with pytest.raises(AmbiguousError):
        two.put(Entity("Spring Sale", "campaign", {"budget": "3000"}))


def test_the_same_id_is_the_same_under_another_name(two: Memory):
    two.put(campaign("Easter Sale", "111", budget="1500"))
    found = two.get("crm:111")
    assert (found.name, found.aliases, found.attributes["budget"]) == (
        "Spring Sale",
        ["Easter Sale"],
        "1500",
    )
    assert two.get("Easter Sale").id == found.id
    assert len(two.entities()) == 2


def test_one_that_was_known_without_an_id_gets_it(memory: Memory):
    memory.put(Entity("Spring Sale", "campaign"))
    known = memory.get("Spring Sale")
    receipt = memory.put(campaign("Spring Sale", "111"))
    assert memory.get("crm:111").id == known.id
    memory.put(Entity("Spring Sale", "campaign", ids={"ads": "A-7"}))
    assert memory.get("ads:A-7").ids == {"crm": "111", "ads": "A-7"}
    with pytest.raises(InputError, match="another id"):
        memory.put(Entity("Spring Sale", "campaign", ids={"ads": "A-7", "crm": "999"}))
    assert receipt.ids


def test_what_was_read_can_be_put_back(two: Memory):
    before = two.history(limit=1)[0].version
    two.put(two.get("crm:111"))
    assert two.history(limit=1)[0].version == before


def test_every_verb_takes_the_id_for_a_name(two: Memory):
    two.put(Entity("Acme Works", "organization"))
    two.relate("crm:222", "part_of", "Acme Works")
    two.end("crm:111", attribute="budget")
    two.rename("crm:222", "Summer Sale")
    assert [link.from_name for link in two.relations("crm:222")] == ["Summer Sale"]
    assert "budget" not in two.get("crm:111").attributes
    assert any("id crm:111" in line for entry in two.history("crm:111") for line in entry.lines)


def test_the_engine_never_merges_two_with_different_ids(memory: Memory):
    for number in ("111", "222"):
        contact = {"email": "ana@acme.org", "birthday": "1990-01-02"}
        memory.put(Entity("Ana Silva", "person", contact, ids={"crm": number}))
    assert memory.dedupe().merged == ()
    assert len({memory.get("crm:111").id, memory.get("crm:222").id}) == 2
    memory.merge("crm:111", "crm:222")
    assert memory.get("crm:111").id == memory.get("crm:222").id
    memory.unmerge("crm:111", "crm:222")
    assert memory.get("crm:111").id != memory.get("crm:222").id


def test_undo_export_and_replay_keep_them(two: Memory):
    rows = dumped(two._engine.store, two.space)
    receipt = two.put(campaign("Autumn Sale", "333"))
    two.undo(receipt)
    assert dumped(two._engine.store, two.space) == rows
    with pytest.raises(NotFoundError):
        two.get("crm:333")
    file = io.StringIO()
    two.export(file)
    file.seek(0)
    with opened(clock=Clock()) as other:
        other.import_(file)
        assert other.get("crm:222") == two.get("crm:222")


def test_a_forgotten_one_leaves_no_id(tmp_path: Path):
    path = tmp_path / "f.db"
    with opened(str(path), clock=Clock()) as memory:
        memory.put(campaign("Spring Sale", "zq-81-xk"))
        memory.put(campaign("Other Sale", "222"))
        memory.forget("crm:zq-81-xk")
        with pytest.raises(NotFoundError):
            memory.get("crm:zq-81-xk")
        assert memory.get("crm:222").name == "Other Sale"
    for file in tmp_path.iterdir():
        assert b"zq-81-xk" not in file.read_bytes()


def test_a_name_in_a_conversation_is_no_id(memory: Memory):
    memory.put(Entity("Ada Stone", "person", ids={"crm": "Ada Lind"}))
    memory.remember(Message("Ada Lind / role / baker", at=START))
    memory.wait()
    assert memory.get("Ada Lind").id != memory.get("Ada Stone").id


@pytest.mark.parametrize(
    "ids", [{"": "1"}, {"a b": "1"}, {"crm": " "}, {"crm": "a\nb"}, {"crm": 7}]
)
def test_an_id_that_is_none_is_refused(memory: Memory, ids: dict[str, str]):
    with pytest.raises(InputError):
        memory.put(Entity("Ada Stone", "person", ids=ids))


def test_no_name_passes_for_an_id(two: Memory):
    with pytest.raises(InputError):
        two.put(Entity("Ada Stone", "person", aliases=["\x1fcrm:111"]))
    with pytest.raises(InputError):
        two.rename("crm:111", "\x1fcrm:222")
