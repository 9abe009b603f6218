"""What holds, what held and what was known: the same whatever the order, undone and replayed to the
bit.
"""

from __future__ import annotations

import io
import itertools
import random
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from factbook import Entity, FactbookError, InputError, Memory, Message, NotFoundError
from factbook.learn.gather import gather_known
from factbook.memory.read.earlier_record import replay_until
from factbook.model.change import Stamp
from factbook.model.record import EntityRecord, NotSame, Record
from factbook.ports.models import ExtractionContext
from factbook.resolve.plan import plan_draft
from factbook.views.space_kinds import read_kinds
from tests.support.dumps import dump, dumped
from tests.support.telling import Telling

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
PEOPLE = ("Ada Stone", "Bela Kurz", "Cyrus Lind", "Dora Novak")
FIRMS = ("Acme Works", "Globex Mills", "Initech Labs")
CITIES = ("Porto", "Lisbon", "Faro")


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def forward(self, minutes: float = 1) -> None:
        self.now += timedelta(minutes=minutes)


def opened(url: str = "ram:", **given: Any) -> Memory:
    ids = itertools.count()
    default: dict[str, Any] = {"clock": Clock(), "new_id": lambda: f"id{next(ids):06d}"}
    return Memory.open(
        url, extractor=Telling(), embedder="none", background=False, **{**default, **given}
    )


@pytest.fixture(params=["ram", "sqlite"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return "ram:" if request.param == "ram" else str(tmp_path / "m.db")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(url: str, clock: Clock) -> Iterator[Memory]:
    with opened(url, clock=clock) as memory:
        yield memory


def tell(memory: Memory, text: str, day: float = 0, **rest: Any) -> None:
    said = {key: rest.pop(key) for key in ("speaker", "role") if key in rest}
    memory.remember(Message(text, at=START + timedelta(days=day), **said), **rest)
    memory.wait()


def teach(memory: Memory, message: Message, session: str) -> None:
    """Learns a message as the worker does, without its threads: thousands of lives are made of
    it.
    """
    engine, space = memory._engine, memory.space
    told = memory.remember(message, session=session)
    with engine.store.snapshot() as snapshot:
        (episode,) = snapshot.episodes(space, told.episode_ids).values()
        (draft,) = Telling().extract([episode], ExtractionContext(kinds={}))
        known = gather_known(snapshot, space, draft, episode)
        planned = plan_draft(
            draft,
            episode,
            known,
            kinds=read_kinds(snapshot, space),
            now=engine.clock(),
            new_id=engine.new_id,
        )
        version = snapshot.version(space)
    stamp = Stamp(at=engine.clock(), verb="learn", episode_id=episode.id)
    engine.store.commit(space, expected_version=version, changes=planned.changes, stamp=stamp)


def rows(memory: Memory) -> list[Record]:
    return dumped(memory._engine.store, memory.space)


def values(
    memory: Memory, name: str = "Ada Stone", attribute: str = "city", **when: Any
) -> list[str]:
    found = memory.get(name, **when).facts
    return sorted(
        each.value for each in found if each.attribute == attribute and each.state == "current"
    )


# --- corrections ----------------------------------------------------------------------------------


def test_a_corrected_value_never_was_and_the_new_one_holds_in_its_place(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Faro", day=-400)
    tell(memory, "Ada Stone / city / Porto", day=-9)
    tell(memory, "never Ada Stone / city / Porto ; Ada Stone / city / Lisbon", day=-5)
    ada = memory.get("Ada Stone")
    assert ada.attributes == {"city": "Lisbon"}
    assert [(each.value, each.state) for each in ada.facts if each.valid_at] == [
        ("Lisbon", "current"),
        ("Faro", "superseded"),
        ("Porto", "retracted"),
    ]
    for day, held in ((-100, ["Faro"]), (-8, ["Lisbon"]), (-1, ["Lisbon"])):
        assert values(memory, as_of=START + timedelta(days=day)) == held
    assert "Porto" not in " ".join(
        line.text
        for line in memory.recall("where does Ada Stone live, what city?").lines
        if line.kind != "message"
    )


def test_a_correction_of_lower_standing_corrects_nothing(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9)
    tell(
        memory,
        "never Ada Stone / city / Porto ; Ada Stone / city / Lisbon",
        day=-5,
        role="assistant",
    )
    assert values(memory) == ["Lisbon", "Porto"]
    assert len(memory.conflicts()) == 1


def test_what_was_corrected_and_is_said_again_holds_from_then(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9)
    tell(memory, "never Ada Stone / city / Porto", day=-5)
    assert values(memory) == []
    tell(memory, "Ada Stone / city / Porto", day=-1)
    assert values(memory) == ["Porto"]
    assert values(memory, as_of=START - timedelta(days=8)) == []


def test_a_value_of_a_set_and_a_link_can_be_corrected(memory: Memory) -> None:
    tell(
        memory,
        "Ada Stone / likes / tea ; Ada Stone / likes / jazz ; Ada Stone > works_at > Acme Works",
        day=-9,
    )
    tell(
        memory,
        "never Ada Stone / likes / tea ; never Ada Stone > works_at > Acme Works ; Ada Stone > works_at > Globex Mills",
        day=-5,
    )
    assert values(memory, attribute="likes") == ["jazz"]
    assert [link.to_name for link in memory.relations("Ada Stone") if link.state == "current"] == [
        "Globex Mills"
    ]
    (before,) = [
        link
        for link in memory.relations("Ada Stone", as_of=START - timedelta(days=8))
        if link.state == "current"
    ]
    assert before.to_name == "Globex Mills"


# --- conflicts and standing -----------------------------------------------------------------------


def test_a_conflict_is_shown_settled_and_the_settling_undone(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9, speaker="Tom")
    tell(memory, "Ada Stone / city / Lisbon", day=-9, speaker="Nina")
    assert "UNRESOLVED: Porto (Tom, 02-21) or Lisbon (Nina, 02-21)" in str(memory.context())
    before = rows(memory)
    (conflict,) = memory.conflicts()
    receipt = memory.settle(conflict, "lisbon", reason="her card says so")
    assert (receipt.verb, memory.conflicts(), values(memory)) == ("settle", [], ["Lisbon"])
    assert "UNRESOLVED" not in str(memory.context())
    (entry, *_) = memory.history("Ada Stone")
    assert (entry.commit.stamp.reason, "+ never was: Ada Stone: city = Porto" in entry.lines) == (
        "her card says so",
        True,
    )
    memory.undo(receipt)
    assert rows(memory) == before
    memory.settle("Ada Stone", "Faro", attribute="city")
    assert values(memory) == ["Faro"]


def test_a_secret_settles_no_conflict(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9, speaker="Tom")
    tell(memory, "Ada Stone / city / Lisbon", day=-9, speaker="Nina")
    memory.settle("Ada Stone", "hers, the password is hunter2x")
    assert values(memory) == ["hers, the password is [secret:password]"]


def test_links_of_which_one_holds_at_a_time_can_be_in_conflict(memory: Memory) -> None:
    tell(memory, "Ada Stone > works_at > Acme Works", day=-9, speaker="Tom")
    tell(memory, "Ada Stone > works_at > Globex Mills", day=-9, speaker="Nina")
    told = "works at UNRESOLVED: Acme Works (Tom, 02-21) or Globex Mills (Nina, 02-21)"
    assert told in str(memory.context())
    assert told in str(memory.recall("where does Ada Stone work?"))
    assert told in str(memory.context(format="entity_memory"))
    assert "UNRESOLVED: Acme Works or Globex Mills" in str(memory.context(format="known_entities"))
    (conflict,) = memory.conflicts()
    assert (conflict.attribute, conflict.values, conflict.facts) == (
        "works_at",
        ("Acme Works", "Globex Mills"),
        (),
    )
    receipt = memory.settle(conflict, "globex mills")
    assert memory.conflicts() == []
    assert [link.to_name for link in memory.neighbours("Ada Stone")] == ["Globex Mills"]
    memory.undo(receipt)
    memory.put(Entity("Initech Labs", "organization"))
    memory.settle("Ada Stone", "Initech Labs")
    assert [link.to_name for link in memory.neighbours("Ada Stone")] == ["Initech Labs"]


def test_a_conflict_of_links_counts_when_it_comes_up(memory: Memory) -> None:
    tell(memory, "Ada Stone > works_at > Acme Works", day=-9, speaker="Tom")
    memory.remember(
        Message("Ada Stone > works_at > Globex Mills", at=START - timedelta(days=9), speaker="Nina")
    )
    assert [each.conflicts for each in memory.wait()] == [1]


def test_what_can_not_be_settled_is_said(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Porto ; Ada Stone / team / red", day=-9, speaker="Tom")
    with pytest.raises(NotFoundError, match="no conflict is open"):
        memory.settle("Ada Stone", "Porto")
    tell(memory, "Ada Stone / city / Lisbon ; Ada Stone / team / blue", day=-9, speaker="Nina")
    with pytest.raises(InputError, match="several attributes are in conflict"):
        memory.settle("Ada Stone", "Porto")
    with pytest.raises(InputError, match="the value that holds"):
        memory.settle("Ada Stone", " ", attribute="city")


def test_the_users_word_settles_what_stands_lower_even_on_the_same_day(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9)
    tell(memory, "Ada Stone / city / Lisbon", day=-8.9, role="assistant")
    assert len(memory.conflicts()) == 1
    tell(memory, "Ada Stone / city / Porto", day=-8.8)
    assert (memory.conflicts(), values(memory)) == ([], ["Porto"])


@pytest.mark.parametrize("standing", ["assistant", "tool", "web"])
def test_what_a_tool_writes_never_overwrites_what_the_user_said(
    memory: Memory, standing: Any, clock: Clock
) -> None:
    memory.put(
        Entity(
            "Ada Stone", "person", {"city": "Porto"}, description="A smith.", metadata={"k": "1"}
        )
    )
    clock.forward()
    memory.put(
        Entity(
            "Ada Stone",
            "person",
            {"city": "Faro", "team": "red"},
            description="A cook.",
            metadata={"k": "2"},
        ),
        standing=standing,
    )
    ada = memory.get("Ada Stone")
    assert (ada.description, ada.metadata, [each.attribute for each in ada.conflicts]) == (
        "A smith.",
        {"k": "1"},
        ["city"],
    )
    assert ada.attributes["team"] == "red"
    assert memory.log()[-1].stamp.actor == standing
    clock.forward()
    memory.put(Entity("Ada Stone", "person", {"team": "blue"}), standing=standing)
    assert memory.get("Ada Stone").attributes["team"] == "blue"


def test_a_standing_that_is_none_is_refused(memory: Memory) -> None:
    with pytest.raises(InputError, match="a standing is one of"):
        memory.note("tea", standing="boss")  # type: ignore[arg-type]


# --- the world's time -----------------------------------------------------------------------------


def test_what_begins_later_is_upcoming_and_no_conflict(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9)
    tell(memory, "Ada Stone / city / Lisbon since 2026-05", day=-5)
    ada = memory.get("Ada Stone")
    assert ada.attributes == {"city": "Porto"}
    assert ada.conflicts == ()
    assert [(each.value, each.state) for each in ada.facts] == [
        ("Porto", "current"),
        ("Lisbon", "upcoming"),
    ]
    assert values(memory, as_of="2026-06") == ["Lisbon"]


def test_links_are_followed_as_they_were(memory: Memory) -> None:
    tell(memory, "Ada Stone > works_at > Acme Works since 2020-01 until 2023-06", day=-9)
    tell(memory, "Ada Stone > works_at > Globex Mills since 2024-01", day=-8)
    for when, firms in (
        ("2019", []),
        ("2021", ["Acme Works"]),
        ("2023", []),
        ("2024", ["Globex Mills"]),
    ):
        assert [link.to_name for link in memory.neighbours("Ada Stone", as_of=when)] == firms
        assert [each.name for each in memory.entities(kinds=["organization"], as_of=when)] == firms
    text = memory.recall("where does Ada Stone work?", as_of="2021")
    assert (
        "Acme Works" in str(text),
        "Globex" in str(text),
        'as-of="2021-12-31"' in str(text),
    ) == (True, False, True)
    context = str(memory.context(as_of="March 2024", format="known_entities"))
    assert ("Globex Mills" in context, "Acme" in context) == (True, False)
    assert [each.name for each in memory.entities(as_of="2024", limit=1, offset=1)]


def test_what_ends_in_days_to_come_holds_until_then(memory: Memory) -> None:
    tell(memory, "Ada Stone > advises > Acme Works since 2020-01 until 2027-06", day=-9)
    assert [link.to_name for link in memory.neighbours("Ada Stone")] == ["Acme Works"]
    assert memory.neighbours("Ada Stone", as_of="2028") == []


def test_what_was_said_later_is_no_part_of_a_recall_of_then(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-30)
    tell(memory, "Ada Stone is off for tea", day=-20)
    tell(memory, "Ada Stone is off for cake", day=-10)
    memory.note("Ada Stone prefers tea")
    then = str(memory.recall("what is Ada Stone off for?", as_of=START - timedelta(days=15)))
    assert ("tea" in then, "cake" in then, "prefers" in then) == (True, False, False)


@pytest.mark.parametrize(
    "bad", ["", "soon", "2026-13", "2026-02-30", "20260", 2026, "x" * 300, ["2024"]]
)
def test_a_moment_that_is_none_is_refused_in_a_sentence(memory: Memory, bad: Any) -> None:
    with pytest.raises(InputError, match=r"as_of is a date|as_of is a datetime") as error:
        memory.recall("tea", as_of=bad)
    assert len(str(error.value)) < 160


# --- the record's time ----------------------------------------------------------------------------


def test_what_was_known_then_is_read_from_the_log(memory: Memory, clock: Clock) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9)
    first = clock.now
    clock.forward(60)
    tell(memory, "never Ada Stone / city / Porto ; Ada Stone / city / Lisbon", day=-8)
    memory.put(Entity("Bela Kurz", "person"))
    memory.merge("Ada Stone", "Bela Kurz")
    assert values(memory, recorded_as_of=first) == ["Porto"]
    assert values(memory) == ["Lisbon"]
    assert memory.find("Bela Kurz", recorded_as_of=first) is None
    assert memory.find("Ada Stone", recorded_as_of=first - timedelta(minutes=1)) is None
    assert [each.name for each in memory.entities(recorded_as_of=first)] == ["Ada Stone"]
    told = str(memory.recall("what city has Ada Stone?", recorded_as_of=first))
    assert ("Porto" in told, "Lisbon" in told) == (True, False)
    assert "Porto" in str(memory.context(recorded_as_of=first))
    assert memory.relations(recorded_as_of=first) == []
    assert memory.conflicts(recorded_as_of=first) == []
    both = memory.get("Ada Stone", as_of="2026-02-22", recorded_as_of=first)
    assert both.attributes == {"city": "Porto"}


def test_times_asked_for_never_cross_a_space(memory: Memory, clock: Clock) -> None:
    ada, tom, team = (memory.within(name) for name in ("ada", "tom", "team"))
    for each, city in ((ada, "Porto"), (tom, "Lisbon"), (team, "Faro")):
        tell(each, f"Ada Stone / city / {city}", day=-9)
    whens: list[dict[str, Any]] = [
        {"as_of": START},
        {"recorded_as_of": clock.now},
        {"as_of": START, "recorded_as_of": clock.now},
    ]
    for when in whens:
        assert ada.get("Ada Stone", **when).attributes == {"city": "Porto"}
        assert {line.space for line in ada.recall("what city has Ada Stone?", **when).lines} == {
            "ada"
        }
        both = memory.within("ada", reads=["team"]).recall("what city has Ada Stone?", **when)
        assert {line.space for line in both.lines} == {"ada", "team"}
        assert "Lisbon" not in str(both)
        assert memory.find("Ada Stone", **when) is None


def test_what_was_forgotten_is_not_remembered_by_asking_what_was_known(
    memory: Memory, clock: Clock
) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9)
    tell(memory, "Bela Kurz / city / Faro", day=-9)
    then = clock.now
    clock.forward(60)
    memory.forget("Ada Stone")
    assert memory.find("Ada Stone", recorded_as_of=then) is None
    assert "Ada" not in str(memory.recall("what city has Ada Stone?", recorded_as_of=then))
    assert values(memory, "Bela Kurz", recorded_as_of=then) == ["Faro"]


# --- history and undo -----------------------------------------------------------------------------


def test_the_history_of_one_tells_also_of_notes_reviews_and_what_was_undone(memory: Memory) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9)
    memory.note("Ada Stone is on leave")
    memory.put(Entity("Ada Stone", "person", {"team": "red"}))
    memory.undo()
    entries = memory.history("Ada Stone")
    lines = {line: entry.undone for entry in entries for line in entry.lines}
    assert lines["+ note (general): Ada Stone is on leave"] is False
    assert lines["+ Ada Stone: team = red"] is True
    assert lines["\N{MINUS SIGN} Ada Stone: team = red"] is False
    assert [entry.version for entry in memory.history("Ada Stone", limit=2)] == [4, 3]
    assert memory.history("Ada Stone", limit=0) == []


def test_who_was_undone_has_a_history_still(memory: Memory) -> None:
    memory.put(Entity("Ada Stone", "person", {"city": "Porto"}))
    memory.undo()
    assert memory.find("Ada Stone") is None
    assert [(entry.version, entry.undone) for entry in memory.history("ada stone")] == [
        (2, False),
        (1, True),
    ]
    with pytest.raises(NotFoundError):
        memory.history("Zoe Quinn")


def test_an_undo_is_foreseen_and_changes_nothing(memory: Memory) -> None:
    put = memory.put(Entity("Ada Stone", "person", {"city": "Porto"}))
    memory.put(Entity("Ada Stone", "person", {"city": "Faro"}))
    memory.note("tea")
    plan = memory.foresee_undo(put)
    assert ([each.version for each in plan.entries], [each.version for each in plan.resting]) == (
        [1],
        [2],
    )
    assert plan.versions == (2, 1)
    assert plan.entries[0].lines == ("+ Ada Stone (person)", "+ Ada Stone: city = Porto")
    assert [each.version for each in memory.foresee_undo().entries] == [3]
    assert len(memory.log()) == 3
    with pytest.raises(NotFoundError):
        memory.foresee_undo(9)


def test_everything_since_a_time_is_undone_and_redone(memory: Memory, clock: Clock) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9)
    first = memory.put(Entity("Bela Kurz", "person"))
    before = rows(memory)
    clock.forward(60)
    since = clock.now
    memory.undo(first)
    tell(memory, "Ada Stone / city / Lisbon", day=-8)
    memory.note("tea")
    after = rows(memory)
    assert len(memory.foresee_undo(since=since).entries) == 3
    undone = memory.undo(since=since, reason="a wrong import")
    assert rows(memory) == before
    memory.undo(undone)
    assert rows(memory) == after
    with pytest.raises(InputError, match="nothing was changed since"):
        memory.undo(since=clock.now + timedelta(minutes=1))
    with pytest.raises(InputError, match="not both"):
        memory.undo(1, since=since)


def test_the_last_day_is_a_day_like_others(memory: Memory, clock: Clock) -> None:
    tell(memory, "Ada Stone / city / Porto", day=-9)
    for last in (datetime.max.replace(tzinfo=UTC), date.max, "9999", "9999-12-31"):
        assert values(memory, as_of=last) == values(memory, recorded_as_of=last) == ["Porto"]
        assert "Porto" in str(memory.recall("what city has Ada Stone?", as_of=last))
        with pytest.raises(InputError, match="nothing was changed since"):
            memory.undo(since=last)


def _act(memory: Memory, chance: random.Random, step: int) -> None:
    """Anything that a memory can do, often refused."""
    a, b = chance.choice(PEOPLE), chance.choice(PEOPLE)
    latest = max(len(memory.log()), 1)
    standing: Any = chance.choice(["note", "note", "assistant", "tool"])
    match chance.randrange(14):
        case 0 | 1:
            memory.put(Entity(a, "person", {"city": chance.choice(CITIES)}), standing=standing)
        case 2:
            memory.put(
                Entity(a, "person", {"likes": chance.choice(["tea", "jazz"])}, aliases=[b]),
                standing=standing,
            )
        case 3:
            memory.relate(a, chance.choice(["knows", "works_at"]), b, standing=standing)
        case 4:
            memory.note(f"about {a}", about=[b])
        case 5:
            memory.merge(a, b)
        case 6:
            ids = [row.id for row in rows(memory) if isinstance(row, EntityRecord)] or ["none"]
            memory.unmerge(chance.choice(ids), chance.choice(ids))
        case 7:
            memory.undo(chance.randint(1, latest), cascade=chance.random() < 0.5)
        case 8:
            memory.undo(since=START + timedelta(minutes=step - chance.randint(0, 6)))
        case 9:
            conflict = next(iter(memory.conflicts()), None)
            if conflict:
                memory.settle(
                    conflict, chance.choice([*(fact.value for fact in conflict.facts), "Faro"])
                )
        case 10:
            review = next(iter(memory.reviews()), None)
            if review:
                memory.decide(review, same=chance.random() < 0.5)
        case _:
            tell(
                memory,
                " ; ".join(statement(chance) for _ in range(2)),
                day=-chance.randrange(50),
                session=str(step),
            )


def _undone_and_redone(
    memory: Memory, chance: random.Random, steps: int
) -> list[tuple[datetime, list[Record]]]:
    """A random history; each step is undone, redone, and remembered with its time."""
    clock = memory._engine.clock
    assert isinstance(clock, Clock)
    past: list[tuple[datetime, list[Record]]] = []
    for step in range(steps):
        clock.now = START + timedelta(minutes=step)
        before, version = rows(memory), len(memory.log())
        try:
            _act(memory, chance, step)
        except FactbookError:
            assert rows(memory) == before
        after, made = rows(memory), len(memory.log())
        if made > version:
            undone = memory.undo(made)
            assert rows(memory) == before
            memory.undo(undone)
            assert rows(memory) == after
        past.append((clock.now, after))
    return past


@pytest.mark.parametrize(("store", "histories"), [("ram", 60), ("sqlite", 3)])
def test_any_history_is_undone_replayed_and_known_as_it_was(
    store: str, histories: int, tmp_path: Path
) -> None:
    for seed in range(histories):
        chance = random.Random(seed)
        with opened(
            "ram:" if store == "ram" else str(tmp_path / f"{seed}.db"), clock=Clock()
        ) as memory:
            past = _undone_and_redone(memory, chance, 20)
            with memory._engine.store.snapshot() as snapshot:
                for moment, was in chance.sample(past, 5):
                    with replay_until(snapshot, [memory.space], moment) as then:
                        assert dump(then, memory.space) == was, seed
            if chance.random() < 0.5:
                known = [row.id for row in rows(memory) if isinstance(row, EntityRecord)]
                memory.forget(chance.choice(known)) if known else memory.forget(session="3")
            text = io.StringIO()
            memory.export(text)
            text.seek(0)
            with opened() as other:
                other.import_(text)
                assert rows(other) == rows(memory), seed
            if any(commit.changes for commit in memory.log()):
                memory.undo(since=START)
            assert [row for row in rows(memory) if not isinstance(row, EntityRecord)] == [], seed


# --- any order, the same truth --------------------------------------------------------------------


def truth(memory: Memory) -> list[Any]:
    """What is and was so, without ids and the record's times."""
    out: list[Any] = []
    for entity in memory.entities():
        facts = {
            (each.attribute, each.value, each.valid_at, each.invalid_at, each.state, each.count)
            for each in entity.facts
        }
        links = {
            (
                each.from_name,
                each.label,
                each.to_name,
                each.relation.valid_at,
                each.relation.invalid_at,
                each.state,
            )
            for each in entity.links
        }
        out.append(
            (
                entity.name,
                sorted(entity.attributes.items()),
                sorted(facts, key=str),
                sorted(links, key=str),
            )
        )
    return sorted(out)


def statement(chance: random.Random, who: Sequence[str] = PEOPLE) -> str:
    name = chance.choice(who)
    denial = chance.choice(["", "", "", "", "not ", "never "])
    when = ""
    if not denial and chance.random() < 0.3:
        when = f" since {chance.randint(2019, 2022)}-0{chance.randint(1, 9)}"
        when += (
            f" until {chance.randint(2023, 2025)}-0{chance.randint(1, 9)}"
            if chance.random() < 0.5
            else ""
        )
    if chance.random() < 0.6:
        attribute, some = chance.choice(
            [("city", CITIES), ("likes", ("tea", "jazz")), ("team", ("red", "blue"))]
        )
        said = f"{denial}{name} / {attribute} / {chance.choice(some)}{when}"
        if denial == "never " and attribute == "city":
            said += f" ; {name} / city / {chance.choice(CITIES)}"
        return said
    return f"{denial}{name} > {chance.choice(['works_at', 'advises', 'leads'])} > {chance.choice(FIRMS)}{when}"


@pytest.mark.parametrize("store", ["ram", "sqlite"])
def test_any_order_of_learning_ends_in_the_same_truth(store: str, tmp_path: Path) -> None:
    for seed in range(150 if store == "ram" else 8):
        chance = random.Random(seed)
        told = [
            Message(
                " ; ".join(statement(chance, PEOPLE[:2]) for _ in range(chance.randint(1, 2))),
                at=START - timedelta(days=day),
                role=chance.choice(["user", "user", "user", "assistant", "tool"]),
                speaker=chance.choice(["", "Tom"]),
            )
            for day in chance.sample(range(1, 60), chance.randint(3, 6))
        ]
        truths: list[list[Any]] = []
        for turn in range(3):
            chance.shuffle(told)
            with opened(
                "ram:" if store == "ram" else str(tmp_path / f"{seed}-{turn}.db")
            ) as memory:
                for each in told:
                    memory.remember(each, session=str(each.at))
                memory.wait()
                truths.append(truth(memory))
        assert truths[0] == truths[1] == truths[2], seed


# --- merged and parted again ----------------------------------------------------------------------


LEARNED = 5
"""So many episodes at least are learned while two are one."""


def _live(memory: Memory, chance: random.Random, step: int, who: Sequence[str]) -> bool:
    """One thing that happens on that day, to people by their whole names; whether it was an episode
    that was learned.
    """
    clock = memory._engine.clock
    assert isinstance(clock, Clock)
    clock.now = START + timedelta(days=step)
    match chance.randrange(8):
        case 0:
            memory.put(
                Entity(
                    chance.choice(who),
                    "person",
                    {chance.choice(["city", "team"]): chance.choice(CITIES)},
                )
            )
        case 1:
            memory.note(f"{chance.choice(who)} is off on day {step}")
        case 2:
            memory.relate(
                chance.choice(who),
                "keeps",
                memory.put(Entity(f"Shed {step}", "place")).entity_ids[0],
            )
        case _:
            said = " ; ".join(statement(chance, who) for _ in range(chance.randint(1, 2)))
            when = START + timedelta(days=step - chance.randint(0, 9))
            teach(
                memory,
                Message(said, at=when, speaker=chance.choice(["", "Tom"])),
                session=str(step),
            )
            return True
    return False


def _lives(seed: int, url: str, merged: bool) -> list[Any]:
    """A life in which two people are merged for a while, or the same without."""
    chance, clock = random.Random(seed), Clock()
    who = PEOPLE[:3]
    with opened(url, clock=clock) as memory:
        for name in who:
            memory.put(Entity(name, "person"))
        for step in range(1, chance.randint(2, 4)):
            _live(memory, chance, step, who)
        ids = {name: memory.get(name).id for name in who}
        left, right = chance.sample(who, 2)
        if merged:
            memory.merge(left, right)
        learned, step = 0, 4
        while learned < LEARNED:
            learned += _live(memory, chance, step, who)
            step += 1
        if merged:
            memory.unmerge(ids[left], ids[right])
        known = [memory.get(key) for key in ids.values()]
        kept = [row for row in rows(memory) if not isinstance(row, NotSame)]
        return [
            known,
            kept,
            [line.text for line in memory.recall(f"what of {left} and {right}?").lines],
        ]


@pytest.mark.parametrize(("store", "lives"), [("ram", 1000), ("sqlite", 10)])
def test_two_that_were_merged_and_parted_again_are_as_if_they_had_never_been_one(
    store: str, lives: int, tmp_path: Path
) -> None:
    for seed in range(lives):
        urls = (
            ["ram:"] * 2
            if store == "ram"
            else [str(tmp_path / f"{seed}-{side}.db") for side in "ab"]
        )
        assert _lives(seed, urls[0], True) == _lives(seed, urls[1], False), seed
