from __future__ import annotations

from factbook.model.record import EntityType
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Erasure, Store
from factbook.store import open_store
from factbook.store.ram import RamStore
from factbook.store.ram.searching import _floats
from tests.support.builders import START, commit, entity, episode


def test_it_keeps_the_port():
    store: Store = RamStore()
    with store.snapshot() as snapshot:
        view: Snapshot = snapshot
        assert view.spaces() == []
    assert open_store("ram:").url == store.url == "ram:"


def test_leases_run_by_its_clock():
    now = [1000.0]
    store = RamStore(clock=lambda: now[0])
    store.remember("ada", [episode("Hi", id="e1")])
    lease = store.lease(seconds=60)
    assert lease is not None
    now[0] += 59
    assert store.lease(seconds=60) is None
    assert store.renew(lease, seconds=60)
    now[0] += 59
    assert store.lease(seconds=60) is None
    now[0] += 1
    found = store.lease(seconds=60)
    assert found is not None
    store.fail(found, "away", retry_in=30)
    assert store.lease(seconds=60) is None
    now[0] += 30
    assert store.lease(seconds=60) is not None


def test_two_stores_know_nothing_of_each_other():
    one, two = RamStore(), RamStore()
    commit(one, "ada", entity("ada"))
    with two.snapshot() as snapshot:
        assert snapshot.spaces() == []


def test_kinds_are_no_persons_and_stay_when_one_is_forgotten():
    store = RamStore()
    kind = EntityType(id="gadget", examples=("Ada", "Lamp"))
    commit(store, "ada", entity("ada"), kind)
    assert store.forget("ada", Erasure(entity_ids=("ada",), mask=("Ada",), at=START)) == {
        "entities": 1,
        "commits": 1,
    }
    with store.snapshot() as snapshot:
        assert list(snapshot.every("ada", EntityType)) == [
            EntityType(id="gadget", examples=("[forgotten]", "Lamp"))
        ]


def test_vectors_are_read_in_either_byte_order(monkeypatch):
    import factbook.store.ram.searching as module

    little = b"\x00\x00\x80\x3f"
    assert list(_floats(little)) == [1.0]
    monkeypatch.setattr(module, "byteorder", "big")
    assert list(_floats(little[::-1])) == [1.0]
