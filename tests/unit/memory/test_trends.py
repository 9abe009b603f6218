"""Trends: how figures went, how often pain points came up, what was decided."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from factbook import Entity, EntityType, InputError, Memory, NotFoundError
from factbook.graph.trends import describe_trend
from factbook.model.draft import DraftEntity, DraftFact
from factbook.model.trend import Trend
from tests.support.models import Script, ScriptedExtractor

START = datetime(2026, 3, 31, 9, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


def metric(value: str, period: str = "", **rest: object) -> Script:
    facts = [DraftFact(ref="m", attribute="value", value=value, message_id="", quote="", **rest)]  # type: ignore[arg-type]
    if period:
        facts.append(DraftFact(ref="m", attribute="period", value=period, message_id="", quote=""))
    return Script(entities=[DraftEntity(ref="m", name="churn", kind="metric")], facts=facts)


SCRIPT = {
    "churn was 3.4% in March": metric("3.4%", "March"),
    "churn was 2.9% in April": metric("2.9%", "April"),
    "no, churn was 2.7% in April": metric("2.7%", "April"),
    "churn is 3.1% now": metric("3.1%"),
    "monthly churn is 0.3%": metric("0.3%", "monthly"),
    "churn of 40 users": metric("40 users"),
    "churn is bad": metric("bad"),
    "churn was 5% in 2019": metric("5%", valid_at=datetime(2019, 1, 1, tzinfo=UTC), grain="year"),
}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(clock: Clock) -> Iterator[Memory]:
    extractor = ScriptedExtractor(script=SCRIPT)
    with Memory.open(
        "ram:", extractor=extractor, embedder="none", background=False, clock=clock
    ) as memory:
        yield memory


def tell(memory: Memory, clock: Clock, *told: tuple[str, int], project: str = "") -> None:
    """Each text with the days since the start."""
    for text, days in told:
        clock.now = START + timedelta(days=days)
        memory.remember(
            {"role": "user", "content": text, "at": clock.now.isoformat()},
            session=f"day {days}",
            project=project,
        )
        memory.wait()


def values(trend: Trend) -> list[tuple[str, str]]:
    return [
        (f"{point.at:%Y-%m-%d}"[: {"year": 4, "month": 7}.get(point.grain, 10)], point.text)
        for point in trend.points
    ]


def test_a_metric_is_told_over_sessions_with_where_it_went(memory: Memory, clock: Clock) -> None:
    tell(
        memory,
        clock,
        ("churn was 3.4% in March", 0),
        ("churn was 2.9% in April", 30),
        ("churn is 3.1% now", 45),
    )
    (trend,) = memory.trends()
    assert values(trend) == [("2026-03", "3.4%"), ("2026-04", "2.9%"), ("2026-05-15", "3.1%")]
    assert (trend.name, trend.kind, trend.what, trend.unit) == ("churn", "metric", "value", "%")
    assert (trend.direction, trend.latest, trend.change, trend.count) == ("down", "up", -0.0882, 3)
    assert describe_trend(trend) == "down 9%, lately up"
    assert [point.session for point in trend.points] == ["day 0", "day 30", "day 45"]
    assert trend.points[0].quote


def test_of_two_figures_for_one_period_the_later_holds(memory: Memory, clock: Clock) -> None:
    tell(memory, clock, ("churn was 2.9% in April", 30), ("no, churn was 2.7% in April", 31))
    (trend,) = memory.trends("churn")
    assert values(trend) == [("2026-04", "2.7%")]
    assert (trend.direction, describe_trend(trend)) == ("unclear", "")


def test_units_and_rhythms_are_trends_of_their_own(memory: Memory, clock: Clock) -> None:
    tell(memory, clock, *((text, day) for day, text in enumerate(SCRIPT) if "April" not in text))
    found = {(trend.unit, trend.rhythm): values(trend) for trend in memory.trends(kind="metric")}
    assert found == {
        ("%", ""): [("2019", "5%"), ("2026-03", "3.4%"), ("2026-04-03", "3.1%")],
        ("%", "monthly"): [("2026-04-04", "0.3%")],
        ("users", ""): [("2026-04-05", "40 users")],
    }


def test_what_expired_counts_on(memory: Memory, clock: Clock) -> None:
    tell(memory, clock, ("churn was 3.4% in March", 0), ("churn was 2.9% in April", 30))
    clock.now += timedelta(days=31)
    assert "2.9%" not in str(memory.recall("churn", kinds=["fact", "entity"]))
    assert "over time" not in str(memory.context("how did churn develop?"))
    (trend,) = memory.trends()
    assert (trend.expired, len(trend.points)) == (True, 2)


def test_only_points_of_a_time_or_later(memory: Memory, clock: Clock) -> None:
    tell(
        memory,
        clock,
        ("churn was 3.4% in March", 0),
        ("churn was 2.9% in April", 30),
        ("churn is 3.1% now", 45),
    )
    (trend,) = memory.trends(since=datetime(2026, 4, 1))
    assert (values(trend)[0], trend.direction, trend.count) == (("2026-04", "2.9%"), "up", 2)
    (trend,) = memory.trends(since=datetime(2026, 5, 1))
    assert (trend.direction, trend.latest, trend.change) == ("unclear", "unclear", None)
    assert memory.trends(since=datetime(2027, 1, 1)) == []


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        ("100", "150", "up 50%"),
        ("-50", "50", "up"),
        ("50", "-50", "down"),
        ("-100", "-50", "up"),
        ("0", "10", "up"),
        ("10", "0", "down 100%"),
    ],
)
def test_no_share_is_told_of_a_loss_or_of_nothing(
    memory: Memory, clock: Clock, first: str, last: str, told: str
) -> None:
    for value in (first, last):
        memory.put(Entity("profit", "metric", {"value": value}))
        clock.now += timedelta(days=30)
    (trend,) = memory.trends("profit")
    assert describe_trend(trend) == told


def test_a_context_tells_a_trend_when_asked(memory: Memory, clock: Clock) -> None:
    tell(memory, clock, ("churn was 3.4% in March", 0), ("churn was 2.9% in April", 30))
    line = "churn (metric) — value over time: 3.4% (2026-03), 2.9% (2026-04); down 15%"
    for question in (
        "how did churn develop?",
        "what is the trend of churn?",
        "is churn going down?",
    ):
        assert line in str(memory.context(question))
        assert line in str(memory.recall(question))
    assert "over time" not in str(memory.recall("what is churn?"))
    for narrowed in (
        {"session": "day 0"},
        {"kinds": ["message"]},
        {"since": START},
        {"min_importance": 0.9},
    ):
        assert "over time" not in str(memory.recall("how did churn develop?", **narrowed))
    assert memory.recall("how did churn develop?", 40).tokens <= 40


def test_a_trend_of_another_project_is_not_told(memory: Memory, clock: Clock) -> None:
    tell(
        memory,
        clock,
        ("churn was 3.4% in March", 0),
        ("churn was 2.9% in April", 30),
        project="beta",
    )
    assert "over time" in str(memory.recall("how did churn develop?", project="beta"))
    assert "3.4%" not in str(memory.recall("how did churn develop?", project="alpha"))


def test_any_figure_of_a_named_entity_has_a_course(memory: Memory, clock: Clock) -> None:
    for budget, ctr in (("$5,000", "1.8%"), ("$8,000", "2.1%")):
        memory.put(
            Entity(
                "Alpha",
                "campaign",
                {"budget": budget, "last_performance": f"ctr: {ctr}, cpa: 42", "status": "on"},
            )
        )
        clock.now += timedelta(days=7)
    found = {trend.what: trend for trend in memory.trends("Alpha")}
    assert {what: (trend.direction, trend.unit) for what, trend in found.items()} == {
        "budget": ("up", "USD"),
        "ctr": ("up", "%"),
        "cpa": ("flat", ""),
    }
    assert describe_trend(found["cpa"]) == "flat"
    assert found["ctr"].points[-1].text == "2.1%"


def test_a_course_from_nothing_has_no_share(memory: Memory, clock: Clock) -> None:
    for value in ("0", "5"):
        memory.put(Entity("bugs", "metric", {"value": value, "unit": "open"}))
        clock.now += timedelta(days=1)
    (trend,) = memory.trends("bugs", kind="metric")
    assert (trend.direction, trend.change, trend.unit, describe_trend(trend)) == (
        "up",
        None,
        "open",
        "up",
    )
    assert memory.trends("bugs", kind="decision") == []


def test_a_kind_of_ones_own_has_courses_of_its_events(memory: Memory, clock: Clock) -> None:
    memory.register(EntityType(id="plant", attributes={"height": "event"}))
    memory.put(Entity("Fern", "plant", {"height": "12 cm"}))
    assert [trend.what for trend in memory.trends(kind="plant")] == ["height"]
    assert memory.trends() == []


def pains() -> ScriptedExtractor:
    texts = ("the export fails", "again the export fails", "the export fails, third time")
    return ScriptedExtractor(
        script={
            text: Script(
                entities=[
                    DraftEntity(
                        ref="p",
                        name="the export fails",
                        kind="pain_point",
                        metadata={
                            "severity": "high",
                            **({"frequency": "3"} if "third" in text else {}),
                        },
                    )
                ]
            )
            for text in texts
        }
    )


def test_a_pain_point_is_told_with_how_often_and_last_when(clock: Clock) -> None:
    with Memory.open(
        "ram:", extractor=pains(), embedder="none", background=False, clock=clock
    ) as memory:
        tell(memory, clock, ("the export fails", 0), ("again the export fails", 40))
        (trend,) = memory.trends(kind="pain_point")
        assert (trend.what, trend.count, trend.direction) == ("frequency", 2, "flat")
        assert trend.last_at == START + timedelta(days=40)
        tell(memory, clock, ("the export fails, third time", 50))
        (trend,) = memory.trends()
        assert (trend.count, trend.direction, trend.details["severity"]) == (3, "up", "high")
        assert [point.value for point in trend.points] == [1, 2, 3]
        assert "came up 3 times, last 2026-05-20, more often lately" in str(
            memory.context("which pain points recur?")
        )
        (late,) = memory.trends(since=START + timedelta(days=45))
        assert late.count == 1
        clock.now += timedelta(days=70)
        assert memory.trends()[0].direction == "unclear"


def test_a_decision_is_told_with_why_and_what_came_of_it(memory: Memory, clock: Clock) -> None:
    memory.put(
        Entity(
            "Target CPA",
            "decision",
            {"action": "switch Alpha", "rationale": "clicks cost too much"},
        )
    )
    clock.now += timedelta(days=20)
    memory.put(Entity("Target CPA", "decision", {"outcome": "clicks cost 12% less"}))
    (trend,) = memory.trends()
    assert [point.text for point in trend.points] == [
        "action: switch Alpha",
        "outcome: clicks cost 12% less",
    ]
    assert trend.details == {
        "action": "switch Alpha",
        "rationale": "clicks cost too much",
        "outcome": "clicks cost 12% less",
    }
    told = "decided 2026-03-31; action switch Alpha; rationale clicks cost too much; outcome clicks cost 12% less"
    assert told in str(memory.context("why did we go for Target CPA?"))
    assert "decided" not in str(memory.context("what is Target CPA?"))


def test_a_trend_needs_a_name_that_is_known(memory: Memory) -> None:
    with pytest.raises(NotFoundError):
        memory.trends("nobody")
    with pytest.raises(InputError):
        memory.trends(kind=3)  # type: ignore[arg-type]
