"""What is masked before it is stored, by whichever verb it comes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from factbook import Entity, EntityMemory, EntityType, KnowledgeMemory, Memory, Message, Note
from factbook.errors import ConfigError
from factbook.model.receipt import Receipt

SECRET = "sunflower77x"
"""It stays what it is where names become snake_case."""
SAID = f"my password is {SECRET}"
START = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def opened(folder: Path, **settings: object) -> Memory:
    return Memory.open(
        folder / "m.db",
        extractor="none",
        embedder="none",
        background=False,
        **settings,  # type: ignore[arg-type]
    )


def written(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def said_two_ways(memory: Memory) -> str:
    """Two values that nobody decided between; returns the name of whom they are of."""
    memory.put(Entity("Ada", "person", {"city": "Oslo"}))
    memory.put(Entity("Ada", "person", {"city": "Porto"}), standing="tool")
    return "Ada"


def asked(memory: Memory) -> str:
    """A review that waits; returns its id."""
    memory.put(Entity("Tom Berger", "person"))
    memory.forget("Tom Berger")
    memory.put(Entity("Tom Berger", "person"), standing="assistant")
    return memory.doubts()[0].id


def alike(memory: Memory, *names: str) -> list[Receipt]:
    return [memory.put(Entity(name, "person")) for name in names]


def doubted(memory: Memory) -> str:
    """Two that may be one; returns the id of their review."""
    alike(memory, "Ana Silva", "A. Silva")
    memory.dedupe()
    return memory.doubts()[0].id


def two(memory: Memory) -> Receipt:
    memory.put(Entity("Ada", "person", {"email": "ada@example.org"}))
    return memory.put(Entity("Tom", "person"))


WRITES: dict[str, Callable[[Memory], object]] = {
    "remember": lambda m: m.remember(SAID),
    "note": lambda m: m.note(SAID, metadata={"said": SAID}),
    "notes": lambda m: m.put_notes([Note(id="n", text=SAID, created_at=START)]),
    "description": lambda m: m.put(Entity("Ada", "person", description=SAID)),
    "attribute": lambda m: m.put(Entity("Ada", "person", {"note": SAID})),
    "attribute that says it": lambda m: m.put(Entity("Ada", "person", {"password": SECRET})),
    "metadata": lambda m: m.put(Entity("Ada", "person", metadata={"password": SECRET})),
    "name": lambda m: m.put(Entity(f"password: {SECRET}", "thing", aliases=[SAID])),
    "reason": lambda m: m.put(Entity("Ada", "person"), reason=SAID),
    "relation": lambda m: (
        m.put(Entity("Ada")),
        m.put(Entity("Tom")),
        m.relate("Ada", "knows", "Tom", note=SAID),
    ),
    "forgetting": lambda m: (m.note("x"), m.forget(everything=True, reason=SAID)),
    "knowledge": lambda m: KnowledgeMemory(memory=m).remember(
        SAID, metadata={"said": SAID, "n": 1}
    ),
    "metadata of a note that says it": lambda m: m.note("x", metadata={"password": SECRET}),
    "names in metadata": lambda m: m.note("x", category=SAID, metadata={SAID: "x"}),
    "names of attributes": lambda m: m.put(
        Entity("Ada", "person", {SAID: "x"}, metadata={SAID: "x"})
    ),
    "knowledge within": lambda m: KnowledgeMemory(memory=m).remember(
        "x", metadata={"password": SECRET, "a": [{"b": SAID}, 2], SAID: None}
    ),
    "reason of a merge": lambda m: (two(m), m.merge("Ada", "Tom", reason=SAID)),
    "reason of an unmerge": lambda m: (
        two(m),
        m.merge("Ada", "Tom"),
        m.unmerge("Ada", "Tom", reason=SAID),
    ),
    "reason of deduping": lambda m: (
        alike(m, "Robert Fuller", "Bob Fuller"),
        m.dedupe(reason=SAID),
    ),
    "reason of asking": lambda m: (alike(m, "Ana Silva", "A. Silva"), m.dedupe(reason=SAID)),
    "reason of parting": lambda m: m.decide(doubted(m), same=False, reason=SAID),
    "reason of making one": lambda m: m.decide(doubted(m), same=True, reason=SAID),
    "reason of undoing": lambda m: (two(m), m.undo(reason=SAID)),
    "speaker": lambda m: m.remember(Message("Hello there.", speaker=f"password: {SECRET}")),
    "category of a note": lambda m: m.note("x", category=f"password: {SECRET}"),
    "category of notes": lambda m: m.put_notes(
        [Note(id="n", text="x", category=SAID, created_at=START)]
    ),
    "metadata of notes": lambda m: m.put_notes(
        [Note(id="n", text="x", metadata={SAID: SAID}, created_at=START)]
    ),
    "alias": lambda m: m.put(Entity("Ada", "person", aliases=[SAID])),
    "kind": lambda m: m.put(Entity("Ada", f"password: {SECRET}")),
    "label": lambda m: (two(m), m.relate("Ada", f"password: {SECRET}", "Tom")),
    "registered kind": lambda m: m.register(
        EntityType(id="sort", section=SAID, other_names=(SAID,), examples=(f"password: {SECRET}",))
    ),
    "value that settles": lambda m: m.settle(
        said_two_ways(m), f"password: {SECRET}", attribute="city"
    ),
    "reason of settling": lambda m: m.settle(
        said_two_ways(m), "Oslo", attribute="city", reason=SAID
    ),
    "reason of deciding": lambda m: m.decide(asked(m), same=False, reason=SAID),
    "reason of dropping": lambda m: m.drop_notes(m.note("x").ids, reason=SAID),
    "reason of pruning": lambda m: (
        m.note("x", importance=0.1),
        m.prune_notes(min_importance=0.5, reason=SAID),
    ),
    "reason of lifting": lambda m: (asked(m), m.lift(reason=SAID)),
    "category of knowledge": lambda m: KnowledgeMemory(memory=m).remember(
        "x", category=f"password: {SECRET}"
    ),
    "entities": lambda m: EntityMemory(memory=m).update(
        [Entity("Ada", "person", {"password": SECRET})]
    ),
}


@pytest.mark.parametrize("verb", WRITES)
def test_no_verb_stores_a_secret(folder: Path, verb: str) -> None:
    with opened(folder) as memory:
        WRITES[verb](memory)
    assert SECRET.encode() not in written(folder)


def test_what_is_masked_in_a_kind_is_counted(folder: Path) -> None:
    with opened(folder) as memory:
        assert memory.put(Entity("Ada", SAID)).masked == {"password": 1}
        assert memory.register(EntityType(id="sort", section=SAID)).masked == {"password": 1}


def test_a_file_of_knowledge_holds_no_secret(folder: Path) -> None:
    knowledge = KnowledgeMemory(folder / "k")
    knowledge.remember(SAID, persistent=True, category=f"password: {SECRET}", metadata={SAID: SAID})
    assert SECRET.encode() not in written(folder)
    assert "[secret:password]" in knowledge.build_context()


def test_what_was_masked_is_counted_in_the_receipt(folder: Path) -> None:
    with opened(folder, redact=True) as memory:
        said = memory.remember(f"{SAID}, call 415-555-0132 or +44 20 7946 0958")
        assert said.masked == {"password": 1, "phone": 2}
        assert memory.put(Entity("Ada", "person", {"phone": "555-0132"})).masked == {"phone": 1}
        assert memory.get("Ada").attributes == {"phone": "[phone]"}
        assert memory.note("ada@example.org").masked == {"email": 1}
        assert memory.put_notes(
            [Note(id="n", text="ada@example.org", created_at=START)]
        ).masked == {"email": 1}


def test_masking_the_same_again_says_nothing_new(folder: Path) -> None:
    with opened(folder) as memory:
        memory.put(Entity("Ada", "organization", {"password": SECRET}))
        assert memory.put(Entity("Ada", "organization", {"password": SECRET})).versions == ()
        assert memory.remember(SAID).stored == 1
        assert memory.remember(SAID).stored == 0


def test_personal_data_stays_unless_it_is_wished_away(folder: Path) -> None:
    text = "Tom Berger: tom@example.org, born on 1990-05-12"
    with opened(folder) as memory:
        memory.remember(text)
        memory.within("eva", redact=["birth_date"]).remember(text)
        memory.within("ida", redact="all").remember(text)
        assert text in str(memory.recall("Tom Berger"))
        assert "tom@example.org, born on [birth_date]" in str(
            memory.within("eva").recall("Tom Berger")
        )
        assert "Tom Berger: [email], born on [birth_date]" in str(
            memory.within("ida").recall("Tom Berger")
        )


def test_a_space_redacts_as_the_memory_unless_told_otherwise(folder: Path) -> None:
    with opened(folder, redact=True) as memory:
        assert memory.redacts == memory.within("eva").redacts != ()
        assert memory.within("eva", redact=False).redacts == ()
        assert KnowledgeMemory(memory=memory)._sorts == memory.redacts


def test_a_speaker_who_is_a_number_is_no_number_in_the_store(folder: Path) -> None:
    with opened(folder, redact=True) as memory:
        receipt = memory.remember(
            {"role": "user", "speaker": "+44 20 7946 0958", "content": "Hello there"}
        )
        assert receipt.masked == {"phone": 1}
    assert b"7946" not in written(folder)


def test_a_wish_for_an_unknown_sort_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match="no sort of personal data is called 'shoe'"):
        opened(folder, redact=["shoe"])
    with opened(folder) as memory, pytest.raises(ConfigError):
        memory.within("eva", redact="shoe")
