"""What lies in a store's files after forgetting: nothing that was to go. Stores without files have
nothing to look at.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from factbook.model.change import Change
from factbook.model.draft import Draft, DraftEntity
from factbook.ports.store import Erasure, Store
from factbook.store import open_store
from tests.support.builders import (
    START,
    alias,
    commit,
    entity,
    episode,
    fact,
    mention,
    message,
    note,
    relation,
    source,
    stamp,
)

# Words that stand nowhere else; the index keeps their stems, which begin alike.
NAME, TRADE, PET = "Quillfeather", "wheelwrightry", "Zebulonius"
TRACES = [word[:9].lower().encode() for word in (NAME, TRADE, PET)]


@pytest.fixture(params=["as it is", "while another looks", "closed and opened again"])
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Store]:
    store = open_store(str(tmp_path / "memory.db"))
    said = message(f"{NAME} lives by {TRADE} with {PET}", id="m1", key="k1")
    store.remember(
        "ada", [episode(said, id="e1"), episode(f"{NAME} again", "Nice weather", id="e2")]
    )
    store.remember("tom", [episode("Nice weather here too")])
    rest = source(message_id="m1", episode_id="e1", quote=said.text)
    old = entity("q", NAME, description=f"In {TRADE}", source=rest)
    new = entity("q", NAME, description=f"Has {PET}", source=rest, version=2)
    commit(
        store,
        "ada",
        old,
        alias("q", f"Mr. {NAME}", source=rest),
        mention("q", said, NAME, "e1"),
        fact("q", "trade", TRADE, id="f1", source=rest),
        relation("q", "owns", "z", note=PET, source=rest),
        note(f"Write to {NAME} about {PET}", "q", source=rest),
        entity("z", PET, source=rest),
        stamp=stamp(reason=f"{NAME} wished it"),
    )
    commit(store, "ada", Change(before=old, after=new))
    lease = store.lease(seconds=3600, spaces=["ada"])
    assert lease is not None
    store.keep_draft(lease, Draft(episode_id="e1", entities=(DraftEntity(ref="q", name=NAME),)))
    store.fail(lease, f"{NAME} does not parse", retry_in=3600)
    yield store
    store.close()


def traces(folder: Path) -> list[tuple[str, bytes]]:
    """Files that hold one of the words, in any case."""
    return [
        (path.name, trace)
        for path in folder.rglob("*")
        if path.is_file()
        for data in (path.read_bytes().lower(),)
        for trace in TRACES
        if trace in data
    ]


@pytest.mark.parametrize(
    "what",
    [
        {"entity_ids": ("q", "z"), "message_ids": ("m1",), "mask": (NAME, PET, TRADE)},
        {"everything": True},
    ],
    ids=["an entity and a message", "everything"],
)
def test_no_file_holds_what_was_forgotten(told: Store, tmp_path: Path, way: str, what: dict):
    assert traces(tmp_path)
    if way == "while another looks":
        other = open_store(str(tmp_path / "memory.db"))
        with other.snapshot() as snapshot:
            snapshot.version("ada")
        told.forget("ada", Erasure(at=START, **what))
        other.close()
    else:
        told.forget("ada", Erasure(at=START, **what))
    if way == "closed and opened again":
        told.close()
        open_store(str(tmp_path / "memory.db")).close()
    assert traces(tmp_path) == []
    store = open_store(str(tmp_path / "memory.db"))
    assert store.check() == []
    with store.snapshot() as snapshot:
        assert snapshot.stats("tom")["messages"] == 1
    store.close()


def test_masked_words_are_gone_from_the_files_and_their_messages_stay(told: Store, tmp_path: Path):
    told.forget("ada", Erasure(at=START, mask=(NAME, TRADE, PET)))
    assert traces(tmp_path) == []
    with told.snapshot() as snapshot:
        assert (
            snapshot.messages("ada", ["m1"])["m1"].text
            == "[forgotten] lives by [forgotten] with [forgotten]"
        )


def test_forgetting_one_row_leaves_no_trace_of_it(told: Store, tmp_path: Path):
    commit(told, "ada", fact("z", "hobby", "Xylographical prints", id="f9"))
    assert b"xylographi" in b"".join(path.read_bytes().lower() for path in tmp_path.iterdir())
    told.forget("ada", Erasure(at=START, record_ids=("f9",)))
    assert b"xylograph" not in b"".join(path.read_bytes().lower() for path in tmp_path.iterdir())
