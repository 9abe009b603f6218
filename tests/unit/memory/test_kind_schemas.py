"""The five schemas of document 002: what they take, how they are written again, and how long they
show.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from factbook import Entity, EntityType, InputError, Memory
from factbook.errors import ConfigError
from factbook.model.draft import DraftEntity, DraftFact
from tests.support.models import Script, ScriptedExtractor

START = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Iterator[Memory]:
    with Memory.open(
        "ram:", extractor="none", embedder="none", background=False, clock=clock
    ) as memory:
        yield memory


@pytest.mark.parametrize(
    ("kind", "attributes", "kept"),
    [
        (
            "campaign",
            {
                "campaignId": "c-17",
                "strategy": "Target CPA",
                "budget": "$5,000",
                "lastPerformance": "ctr: 1.8%, cpa: 42",
            },
            {
                "campaign_id": "c-17",
                "strategy": "Target CPA",
                "budget": "$5,000",
                "last_performance": "ctr: 1.8%, cpa: 42",
            },
        ),
        (
            "metric",
            {"value": "3.4%", "unit": "%", "period": "Q2"},
            {"value": "3.4%", "unit": "%", "period": "Q2"},
        ),
        (
            "decision",
            {
                "action": "switch",
                "rationale": "cost",
                "affectedEntities": "Alpha",
                "reversible": "yes",
            },
            {
                "action": "switch",
                "rationale": "cost",
                "affected_entities": "Alpha",
                "reversible": "true",
            },
        ),
        (
            "pain_point",
            {"severity": "High", "frequency": "twice", "resolved": "not yet"},
            {"severity": "high", "frequency": "2", "resolved": "false"},
        ),
        (
            "preference",
            {"category": "communication", "value": "short answers", "confidence": "90%"},
            {"category": "communication", "value": "short answers", "confidence": "0.9"},
        ),
    ],
)
def test_what_fits_its_schema_is_kept_in_its_form(
    memory: Memory, kind: str, attributes: dict[str, str], kept: dict[str, str]
) -> None:
    memory.put(Entity("Thing", kind, attributes))
    assert memory.get("Thing").attributes == kept


@pytest.mark.parametrize(
    ("kind", "attributes", "complaint"),
    [
        (
            "campaign",
            {"budget": "plenty"},
            "budget of a campaign is a figure such as 5000, 3.4% or .120k, not 'plenty'",
        ),
        ("campaign", {"last_performance": "fine"}, "figures by name"),
        (
            "decision",
            {"reversible": "perhaps"},
            "reversible of a decision is true or false, not 'perhaps'",
        ),
        (
            "pain_point",
            {"severity": "terrible"},
            "severity of a pain_point is low, medium or high, not 'terrible'",
        ),
        ("pain_point", {"frequency": "often"}, "a whole number from 0 on"),
        (
            "preference",
            {"category": "food"},
            "communication, analysis, risk or reporting, not 'food'",
        ),
        ("preference", {"confidence": "1.4"}, "a number from 0 to 1"),
    ],
)
def test_by_hand_a_value_of_another_form_is_a_clear_error(
    memory: Memory, kind: str, attributes: dict[str, str], complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        memory.put(Entity("Thing", kind, attributes))
    with pytest.raises(InputError, match=complaint):
        memory.put(Entity("Thing", kind, metadata=attributes))
    assert memory.find("Thing") is None


def test_an_error_shows_only_the_beginning_of_a_long_value(memory: Memory) -> None:
    with pytest.raises(InputError, match=r"not 'x{40}…'"):
        memory.put(Entity("Thing", "pain_point", {"severity": "x" * 100}))


def test_from_an_extractor_a_value_is_mapped_or_dropped_and_counted(clock: Clock) -> None:
    text = "The export is broken"
    script = Script(
        entities=[
            DraftEntity(
                ref="p",
                name="export",
                kind="pain_point",
                metadata={"severity": "severe", "resolved": "who knows"},
            )
        ],
        facts=[
            DraftFact(ref="p", attribute="frequency", value="three times", message_id="", quote=""),
            DraftFact(ref="p", attribute="severity", value="purple", message_id="", quote=""),
        ],
    )
    extractor = ScriptedExtractor(script={text: script})
    with Memory.open(
        "ram:", extractor=extractor, embedder="none", background=False, clock=clock
    ) as memory:
        memory.remember(text)
        (learned,) = memory.wait()
        found = memory.get("export")
    assert learned.dropped == {"wrong_form": 2}
    assert found.attributes == {"frequency": "3"}
    assert found.metadata == {"severity": "high"}


def test_a_space_may_declare_forms_of_its_own(memory: Memory) -> None:
    memory.register(EntityType(id="boat", forms={"length": "number", "sail": "yes_no"}))
    memory.put(Entity("Nordlys", "boat", {"length": "12 m", "sail": "no"}))
    assert memory.get("Nordlys").attributes == {"length": "12 m", "sail": "false"}
    with pytest.raises(InputError, match="length of a boat"):
        memory.put(Entity("Nordlys", "boat", {"length": "long"}))
    with pytest.raises(InputError, match="no form that is known"):
        memory.register(EntityType(id="boat", forms={"length": "|"}))


def test_an_upsert_counts_up_keeps_the_creation_and_averages_a_lower_importance(
    memory: Memory, clock: Clock
) -> None:
    memory.put(Entity("churn", "metric", {"value": "3.4%"}, importance=0.9))
    clock.now += timedelta(days=1)
    memory.put(Entity("churn", "metric", {"value": "3.1%"}, importance=0.6))
    found = memory.get("churn")
    assert (found.version, found.importance, found.first_seen) == (2, 0.75, START)
    memory.put(Entity("churn", "metric", {"value": "3.0%"}, importance=0.8))
    assert (memory.get("churn").version, memory.get("churn").importance) == (3, 0.8)


def test_every_write_by_hand_that_brings_something_is_a_version(
    memory: Memory, clock: Clock
) -> None:
    for said in ({"role": "cook"}, {"role": "chef"}):
        memory.put(Entity("Tom", "person", said))
        clock.now += timedelta(minutes=1)
    memory.put(Entity("Tom", "person", aliases=["Tommy"]))
    assert memory.get("Tom").version == 3
    assert not memory.put(Entity("Tom", "person", {"role": "chef"})).versions


def test_an_entity_that_is_named_again_is_written_again(clock: Clock) -> None:
    texts = ["Churn is a metric", "Churn again"]
    script = {
        text: Script(entities=[DraftEntity(ref="c", name="Churn", kind="metric")]) for text in texts
    }
    extractor = ScriptedExtractor(script=script)
    with Memory.open(
        "ram:", extractor=extractor, embedder="none", background=False, clock=clock
    ) as memory:
        for text in texts:
            memory.remember(text)
            memory.wait()
        assert memory.get("Churn").version == 2
        memory.remember(texts)
        memory.wait()
        assert memory.get("Churn").version == 2


@pytest.mark.parametrize(("kind", "days"), [("metric", 30), ("preference", 180)])
def test_after_its_lifespan_a_kind_is_hidden_from_recall_and_contexts_and_no_more(
    memory: Memory, clock: Clock, kind: str, days: int
) -> None:
    memory.put(Entity("Zebra", kind, {"value": "17 stripes"}, description="The zebra of it"))
    memory.put(Entity("Ada", "person"))
    memory.relate("Ada", "prefers", "Zebra")

    def shown() -> list[bool]:
        asked = [memory.recall("zebra stripes"), memory.context(), memory.context("zebra stripes")]
        whole = [
            memory.context("zebra", format="entity_memory"),
            memory.context("Ada", format="known_entities"),
        ]
        return ["stripes" in str(each) or "ebra" in str(each) for each in (*asked, *whole)]

    clock.now += timedelta(days=days) - timedelta(minutes=1)
    assert all(shown())
    clock.now += timedelta(minutes=2)
    assert not any(shown())
    assert memory.get("Zebra").attributes == {"value": "17 stripes"}
    assert any("Zebra" in line for entry in memory.history("Zebra") for line in entry.lines)
    assert [trend.expired for trend in memory.trends("Zebra")] == [True]


def test_a_statement_renews_the_lifespan(memory: Memory, clock: Clock) -> None:
    memory.put(Entity("churn", "metric", {"value": "3.4%"}))
    clock.now += timedelta(days=29)
    memory.put(Entity("churn", "metric", {"value": "3.4%"}))
    clock.now += timedelta(days=29)
    assert "3.4%" in str(memory.recall("what is the churn?"))


def test_what_was_said_long_ago_has_expired_when_it_is_learned(clock: Clock) -> None:
    text = "Churn is high"
    script = {
        text: Script(
            entities=[DraftEntity(ref="c", name="Churn", kind="metric", description="Of customers")]
        )
    }
    extractor = ScriptedExtractor(script=script)
    with Memory.open(
        "ram:", extractor=extractor, embedder="none", background=False, clock=clock
    ) as memory:
        memory.remember(
            {"role": "user", "content": text, "at": (START - timedelta(days=31)).isoformat()}
        )
        memory.wait()
        assert "Of customers" not in str(memory.recall("churn"))
        memory.remember({"role": "user", "content": text, "at": START.isoformat()})
        memory.wait()
        assert "Of customers" in str(memory.recall("churn"))


def test_importance_fades_only_if_it_is_wished(clock: Clock) -> None:
    def order(**settings: timedelta) -> list[str]:
        clock.now = START
        with Memory.open(
            "ram:",
            extractor="none",
            embedder="none",
            clock=clock,
            **settings,  # type: ignore[arg-type]
        ) as memory:
            memory.put(Entity("Old", "project", description="A thing", importance=1.0))
            clock.now += timedelta(days=100)
            memory.put(Entity("New", "project", description="A thing", importance=0.6))
            shown = str(memory.context(format="known_entities"))
        return sorted(("Old", "New"), key=shown.index)

    assert order() == ["Old", "New"]
    assert order(importance_halves_in=timedelta(days=30)) == ["New", "Old"]


@pytest.mark.parametrize("wrong", [timedelta(0), 30])
def test_a_fading_that_is_no_time_is_refused(wrong: object) -> None:
    with pytest.raises(ConfigError, match="importance_halves_in is a timedelta above 0"):
        Memory.open("ram:", importance_halves_in=wrong)  # type: ignore[arg-type]


RECORDS: list[tuple[dict[str, Any], dict[str, str]]] = [
    (
        {
            "id": "e1", "userId": "u", "createdAt": 1, "updatedAt": 2, "sessionId": "s", "version": 4,
            "type": "campaign", "name": "Alpha", "content": "Running shoes, spring", "importance": 0.9,
            "metadata": {
                "campaignId": "c-1", "strategy": "Target CPA", "budget": 5000, "status": "active",
                "lastPerformance": {"cpa": 41.5, "roas": 3},
            },
        },
        {
            "campaign_id": "c-1", "strategy": "Target CPA", "budget": "5000", "status": "active",
            "last_performance": "cpa: 41.5, roas: 3",
        },
    ),
    (
        {
            "type": "decision", "name": "Alpha", "content": "", "importance": 0.95,
            "metadata": {
                "action": "switch", "rationale": "it is cheaper", "reversible": True, "outcome": None,
                "affectedEntities": ["Campaign Alpha", "Campaign Beta"],
            },
        },
        {
            "action": "switch", "rationale": "it is cheaper", "reversible": "true",
            "affected_entities": "Campaign Alpha; Campaign Beta",
        },
    ),
    (
        {
            "type": "PAIN_POINT", "name": "Alpha",
            "metadata": {"severity": "High", "frequency": 3, "resolved": False, "relatedCampaigns": ("Beta",)},
        },
        {"severity": "high", "frequency": "3", "resolved": "false", "related_campaigns": "Beta"},
    ),
    (
        {"type": "preference", "name": "Alpha", "metadata": {"category": "risk", "value": "low", "confidence": 0.9}},
        {"category": "risk", "value": "low", "confidence": "0.9"},
    ),
    (
        {"kind": "metric", "name": "Alpha", "attributes": {"value": 3.5, "unit": "%"}, "metadata": {"campaign": "Beta"}},
        {"value": "3.5", "unit": "%", "campaign": "Beta"},
    ),
    (
        {"entity_type": "boat", "name": "Alpha", "metadata": {"crew": ["Ada", "Tom"], "built": date(2020, 5, 1), "gps": {"n": [1]}}},
        {"crew": "Ada; Tom", "built": "2020-05-01", "gps": '{"n": [1]}'},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("record", "expected"), RECORDS)
def test_a_typed_record_of_the_document_is_put_as_it_is(
    record: dict[str, Any], expected: dict[str, str]
) -> None:
    with Memory.open("ram:", extractor="none", embedder="none", background=False) as memory:
        memory.put(record)
        stored = memory.get("Alpha")
        assert _parted(stored.attributes) == _parted(expected)
        assert stored.description == record.get("content", "")
        assert stored.importance == record.get("importance", 0.5)
        memory.put(Entity("Alpha", stored.entity_type, record.get("metadata", {})))
        assert _parted(memory.get("Alpha").attributes) == _parted(expected), (
            "typed attributes are read alike"
        )


def _parted(attributes: dict[str, str]) -> dict[str, set[str]]:
    return {key: set(value.split("; ")) for key, value in attributes.items()}


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"type": "campaign"}, "an entity needs a name"),
        ({"name": 5}, "an entity's name is a text, not of type int"),
        ({"name": "x", "metadata": ["a"]}, "metadata of an entity is a table, not of type list"),
        (
            {"name": "x", "metadata": {"a": object()}},
            "'a' of attributes is a text, not of type object",
        ),
        (
            {"name": "x", "metadata": {"a": float("nan")}},
            "'a' of attributes is a text, not of type float",
        ),
        ({"name": "x", "importance": "high"}, "importance"),
        ("Alpha", "an entity is an Entity or a mapping with its name, not of type str"),
    ],
)
def test_a_record_with_a_part_that_can_not_be_kept_is_refused(record: Any, says: str) -> None:
    with (
        Memory.open("ram:", extractor="none", embedder="none", background=False) as memory,
        pytest.raises(InputError, match=says),
    ):
        memory.put(record)
