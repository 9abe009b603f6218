"""Whom a name may mean: the rarest keys first, misspelt words by the words of names, and never very
many.
"""

from __future__ import annotations

import pytest

from factbook.store.ram import RamStore
from factbook.text.names import name_keys
from factbook.views import name_bearers as candidates
from factbook.views.name_bearers import bearers, is_overborne
from tests.support.builders import commit, entity

NAMES = (
    "Robert Fuller",
    "Zoë Brontë",
    "Blue River Bank GmbH",
    "Dana Osei",
    "Kofi Mensah",
    "Bartholomew Oyelaran",
)


@pytest.fixture
def store() -> RamStore:
    made = RamStore()
    commit(made, "ada", *(entity(name, name=name) for name in NAMES))
    return made


def found(store: RamStore, name: str, **rest: object) -> list[str]:
    with store.snapshot() as snapshot:
        return bearers(snapshot, "ada", name, **rest)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("Robert Fuler", "Robert Fuller"),
        ("Robret Fulelr", "Robert Fuller"),
        ("Fuller, Robert", "Robert Fuller"),
        ("R. Fuller", "Robert Fuller"),
        ("Fuller, Bob", "Robert Fuller"),
        ("RobertFuller", "Robert Fuller"),
        ("Zoe Bronte", "Zoë Brontë"),
        ("blue-river bank", "Blue River Bank GmbH"),
        ("Blue Rivr Bank", "Blue River Bank GmbH"),
        ("Osei", "Dana Osei"),
        ("Oyelaren", "Bartholomew Oyelaran"),
    ],
)
def test_a_name_is_found_however_it_is_written(store: RamStore, asked: str, meant: str) -> None:
    assert found(store, asked) == [meant]


def test_what_nobody_is_called_finds_nobody(store: RamStore) -> None:
    assert found(store, "Quux Corge") == found(store, "\u200b") == []


def test_only_the_keys_that_are_given_are_asked_for(store: RamStore) -> None:
    assert found(store, "Robert Fuler", keys=name_keys("Robert Fuler")[:1]) == []


def test_of_a_name_that_everyone_bears_some_are_looked_at_and_the_rare_word_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(candidates, "BEARERS_A_KEY", 5)
    monkeypatch.setattr(candidates, "ENOUGH", 3)
    monkeypatch.setattr(candidates, "MOST", 5)
    store = RamStore()
    commit(
        store,
        "ada",
        *(entity(f"r{n:02}", name=f"Robert Novak{'abcdefghijkl'[n]}ino") for n in range(12)),
    )
    commit(store, "ada", entity("x", name="Robert Quist"))
    with store.snapshot() as snapshot:
        assert bearers(snapshot, "ada", "Robert Quist")[0] == "x"
        assert "x" in bearers(snapshot, "ada", "Robert T. Quist")
        assert len(bearers(snapshot, "ada", "Robert")) <= 5
        assert is_overborne(snapshot, "ada", name_keys("Robert"))
        assert not is_overborne(snapshot, "ada", name_keys("Robert Quist"))
        assert not is_overborne(snapshot, "ada", name_keys("Quist"))
