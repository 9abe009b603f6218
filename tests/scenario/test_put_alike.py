"""What is written by hand and known already under another name, by attributes that belong to one
alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from factbook.memory.memory import Memory
from factbook.model.entity import Entity


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory.open("ram:", extractor="none", embedder="none", background=False) as opened:
        yield opened


def one(memory: Memory, left: str, right: str) -> bool:
    return memory.get(left).id == memory.get(right).id


def test_the_same_address_under_a_near_name_is_the_same_person(memory: Memory) -> None:
    memory.put(Entity("Robert Fuller", "person", {"email": "rob@fuller.org"}))
    receipt = memory.put(Entity("R. Fuller", "person", {"email": "Rob@Fuller.org"}))
    assert one(memory, "R. Fuller", "Robert Fuller")
    memory.undo(receipt)
    assert memory.find("R. Fuller") is None


def test_the_same_address_under_another_name_is_asked_about(memory: Memory) -> None:
    memory.put(Entity("Ana Silva", "person", {"email": "home@silva.pt"}))
    memory.put(Entity("Rui Costa", "person", {"email": "home@silva.pt"}))
    assert not one(memory, "Ana Silva", "Rui Costa")
    [doubt] = memory.doubts()
    assert "and they agree in email" in doubt.evidence


def test_several_attributes_outvote_a_name(memory: Memory) -> None:
    known = {"date_of_birth": "1980-04-02", "postcode": "4050", "phone": "555 0101"}
    memory.put(Entity("Dana Osei", "person", {**known, "passport": "GH1234567"}))
    memory.put(Entity("Dana Mensah", "person", {**known, "passport": "GH1234567"}))
    assert one(memory, "Dana Osei", "Dana Mensah")
    memory.put(Entity("Dana Ossei", "person", known))
    [doubt] = memory.doubts()
    assert doubt.right.name == "Dana Ossei"
    assert "date of birth is the same" in doubt.evidence


def test_a_household_is_not_one_person(memory: Memory) -> None:
    home = {"street": "12 Mill Lane", "postcode": "4050", "city": "Porto"}
    memory.put(Entity("Ana Silva", "person", home))
    memory.put(Entity("Rui Silva", "person", home))
    assert not one(memory, "Ana Silva", "Rui Silva")
    assert memory.doubts() == []


def test_names_alone_and_other_kinds_say_nothing(memory: Memory) -> None:
    memory.put(Entity("Robert Fuller", "person", {"email": "info@globex.com"}))
    memory.put(Entity("Bob Fuller", "person", {"city": "Porto"}))
    memory.put(Entity("Globex", "organization", {"email": "info@globex.com"}))
    assert not one(memory, "Bob Fuller", "Robert Fuller")
    assert memory.doubts() == []


@pytest.mark.parametrize("redact", [False, True])
def test_what_says_nothing_makes_nobody_one(redact: bool) -> None:
    """Masked and unknown values are equal, and tell nothing."""
    with Memory.open(
        "ram:", extractor="none", embedder="none", background=False, redact=redact
    ) as memory:
        for number, name in enumerate(("Ana Silva", "Rui Costa")):
            own = {"email": f"{name[:3]}@example.org", "phone": f"+44 20 7946 095{number}"}
            memory.put(
                Entity(
                    name,
                    "person",
                    own if redact else {"email": "n/a", "passport": "unknown", "phone": "-"},
                )
            )
        assert memory.get("Ana Silva").id != memory.get("Rui Costa").id
        assert (memory.doubts(), memory.duplicates()) == ([], [])
