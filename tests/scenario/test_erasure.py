"""Forgetting, down to the bytes: after each sort of it, no file of the store holds a word of what
was forgotten.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from factbook import Entity, InputError, Memory
from factbook.errors import ModelUnavailableError, StoreBusyError, StoreError
from factbook.model import Erased
from factbook.model.draft import DraftEntity, DraftFact, DraftRelation
from tests.support.models import HashEmbedder, Script, ScriptedExtractor

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ZOLTAN = "Zoltan Quixley plays the xylophone in Zanzibar"
VISIT = "Ada met Zoltan Quixley in Oslo"
AGAIN = "Ada saw Zoltan Quixley in Bergen"
WEATHER = "The weather in Oslo is fine"
SECRET = ("zoltan", "quixley", "xylophone", "zanzibar", "wolframite")


def script() -> ScriptedExtractor:
    zoltan = DraftEntity(
        ref="z", name="Zoltan Quixley", kind="person", description="A player of the xylophone"
    )
    ada = DraftEntity(ref="a", name="Ada", kind="person")
    return ScriptedExtractor(
        script={
            ZOLTAN: Script(
                entities=[zoltan],
                facts=[
                    DraftFact(
                        ref="z", attribute="plays", value="xylophone", message_id="", quote=""
                    )
                ],
            ),
            VISIT: Script(
                entities=[zoltan, ada, DraftEntity(ref="o", name="Oslo", kind="place")],
                facts=[
                    DraftFact(
                        ref="a", attribute="met", value="Zoltan Quixley", message_id="", quote=""
                    )
                ],
                relations=[
                    DraftRelation(
                        from_ref="a",
                        label="met",
                        to_ref="z",
                        message_id="",
                        quote="",
                        note="xylophone",
                    )
                ],
            ),
            AGAIN: Script(entities=[zoltan, ada]),
            WEATHER: Script(entities=[DraftEntity(ref="o", name="Oslo", kind="place")]),
        }
    )


class Ticking:
    def __init__(self) -> None:
        self._minutes = itertools.count()

    def __call__(self) -> datetime:
        return START + timedelta(minutes=next(self._minutes))


@pytest.fixture
def extractor() -> ScriptedExtractor:
    return script()


@pytest.fixture
def memory(tmp_path: Path, extractor: ScriptedExtractor) -> Iterator[Memory]:
    """A space that has said, learned, written by hand, altered and dropped much that shall be
    forgotten.
    """
    opened = Memory.open(
        tmp_path / "m.db",
        extractor=extractor,
        embedder=HashEmbedder(16),
        background=False,
        clock=Ticking(),
    )
    with opened as memory:
        memory.remember([ZOLTAN, VISIT], session="first", project="music")
        memory.remember(WEATHER, session="second")
        memory.wait()
        player = Entity(
            "Zoltan Quixley", "person", {"mine": "wolframite"}, aliases=["Wolframite Joe"]
        )
        memory.put(player, session="first", project="music")
        memory.put(
            Entity("Mine", "place", metadata={"ore": "wolframite"}),
            session="first",
            project="music",
        )
        memory.note("Ask Zoltan Quixley for the xylophone", session="first", project="music")
        gone = memory.note(
            "The wolframite of Zanzibar, by Zoltan Quixley", session="first", project="music"
        )
        memory.drop_notes(gone.ids, reason="said twice")
        yield memory


def held(folder: Path) -> set[str]:
    """The secret words in any file of the folder, the write-ahead log and the key among them."""
    found: set[str] = set()
    for file in folder.iterdir():
        data = file.read_bytes().lower()
        found |= {
            word for word in SECRET if word.encode() in data or word.encode("utf-16-le") in data
        }
    return found


def test_the_words_are_in_the_files_before(memory: Memory, tmp_path: Path) -> None:
    assert held(tmp_path) == set(SECRET)


def test_an_entity_takes_its_words_and_its_name_with_it(memory: Memory, tmp_path: Path) -> None:
    erased = memory.forget("Zoltan Quixley")
    assert held(tmp_path) == {"wolframite"}  # the ore of the mine
    assert erased.counts["entities"] == 1
    assert "Ada met [forgotten] in Oslo" in str(memory.recall("who did Ada meet in Oslo?"))
    assert memory.remember([ZOLTAN, VISIT], session="first").stored == 0
    assert memory.find("Zoltan Quixley") is None


@pytest.mark.parametrize(
    "what",
    [
        {"session": "first"},
        {"project": "music"},
        {"since": START, "until": START + timedelta(days=1)},
    ],
)
def test_a_label_or_time_takes_all_that_was_said_or_written_under_it(
    memory: Memory, tmp_path: Path, what: dict[str, str]
) -> None:
    foreseen = memory.forget(**what, dry_run=True)  # type: ignore[arg-type]
    erased = memory.forget(**what)  # type: ignore[arg-type]
    assert held(tmp_path) == set()
    assert foreseen.counts["messages"] == erased.counts["messages"] >= 2
    assert memory.remember([ZOLTAN], session="first").stored == 0


def test_a_whole_space_leaves_nothing(memory: Memory, tmp_path: Path) -> None:
    memory.within("tom").remember("Zebras are striped")
    memory.forget(everything=True, reason="moved out")
    assert held(tmp_path) == set()
    assert memory.entities() == []
    assert memory.remember([ZOLTAN], session="first").stored == 0
    assert b"striped" in (tmp_path / "m.db").read_bytes()


def test_topics_take_every_line_that_holds_them_and_what_only_the_log_holds(
    memory: Memory, tmp_path: Path
) -> None:
    foreseen = memory.forget(topic="wolframite", dry_run=True)
    assert "The wolframite of Zanzibar, by Zoltan Quixley" in foreseen.lines
    assert "mine: wolframite" in foreseen.lines
    assert held(tmp_path) == set(SECRET)
    for topic in ("wolframite", "XYLOPHONES", "zanzibar", "Zoltan Quixley"):
        memory.forget(topic=topic)
    assert held(tmp_path) == set()
    assert WEATHER in str(memory.recall("weather in Oslo"))
    assert memory.get("Mine").metadata == {"ore": "[forgotten]"}


def test_single_rows_are_gone_with_their_words(memory: Memory, tmp_path: Path) -> None:
    (note,) = memory.notes()
    facts = [
        each.fact.id for each in memory.get("Zoltan Quixley").facts if each.attribute == "mine"
    ]
    memory.forget(ids=[note.id, *facts])
    assert memory.notes() == []
    assert "mine" not in memory.get("Zoltan Quixley").attributes
    assert b"Ask Zoltan" not in (tmp_path / "m.db").read_bytes()


def test_drafts_and_errors_of_jobs_lose_the_words(
    memory: Memory, tmp_path: Path, extractor: ScriptedExtractor
) -> None:
    extractor.error = ModelUnavailableError("no answer about wolframite")
    memory.remember("Wolframite is an ore", session="third")
    memory.work()
    assert [job.state for job in memory.jobs(["waiting"])] == ["waiting"]
    memory.forget(topic="wolframite")
    assert "wolframite" not in held(tmp_path)
    assert memory.jobs(["waiting", "failed"]) == []


def test_what_a_stand_in_learned_is_forgotten_too(tmp_path: Path) -> None:
    away = ScriptedExtractor(error=ModelUnavailableError("away"))
    with Memory.open(
        tmp_path / "m.db",
        extractor=away,
        stand_in=script(),
        embedder="none",
        background=False,
        clock=Ticking(),
    ) as memory:
        memory.remember([ZOLTAN, WEATHER])
        memory.work()
        assert memory.get("Zoltan Quixley").attributes == {"plays": "xylophone"}
        memory.forget("Zoltan Quixley")
        assert held(tmp_path) & {"zoltan", "quixley"} == set()
        away.error, away.script = None, script().script
        memory.work(retry=True)
        assert memory.find("Zoltan Quixley") is None
        assert held(tmp_path) & {"zoltan", "quixley"} == set()


def test_what_was_forgotten_may_be_told_again_once_it_is_lifted(memory: Memory) -> None:
    first = memory.forget(session="first")
    other = memory.forget(session="second")
    assert first.version is not None
    assert (
        memory.remember(ZOLTAN, session="first").stored,
        memory.remember(WEATHER, session="second").stored,
    ) == (
        0,
        0,
    )
    assert memory.lift(first, reason="they asked again") == 2
    assert memory.find("Zoltan Quixley") is None
    assert (
        memory.remember(ZOLTAN, session="first").stored,
        memory.remember(WEATHER, session="second").stored,
    ) == (
        1,
        0,
    )
    assert memory.lift(other.version) == 1
    assert memory.lift() == 0
    assert memory.remember(WEATHER, session="second").stored == 1
    lifted = [entry for entry in memory.history() if entry.commit.stamp.verb == "lift"]
    assert [entry.lines for entry in lifted] == [("what was forgotten may be told again",)] * 2
    assert lifted[-1].commit.stamp.reason == "they asked again"


def test_only_a_receipt_of_this_space_is_lifted(memory: Memory) -> None:
    with pytest.raises(InputError, match="a dry run forgot nothing"):
        memory.lift(memory.forget(session="first", dry_run=True))
    with pytest.raises(InputError, match="of space 'tom'"):
        memory.lift(Erased(space="tom", what="messages", version=3))


@pytest.fixture(params=["ram", "sqlite"])
def plain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "p.db")
    with Memory.open(
        url, extractor="none", embedder="none", background=False, clock=Ticking()
    ) as memory:
        yield memory


def states(memory: Memory, name: str) -> dict[str, str]:
    return {each.value: each.state for each in memory.get(name).facts}


def test_what_a_forgotten_value_had_ended_holds_again(plain: Memory) -> None:
    for city in ("Oslo", "Porto", "Turin"):
        plain.put(Entity("Tom", "person", {"city": city}))
    ids = {each.value: each.fact.id for each in plain.get("Tom").facts}
    plain.forget(ids=[ids["Porto"]])
    assert states(plain, "Tom") == {"Oslo": "superseded", "Turin": "current"}
    plain.forget(ids=[ids["Turin"]])
    assert states(plain, "Tom") == {"Oslo": "current"}


def test_what_it_had_ended_holds_again_even_if_a_reader_keeps_the_bytes(
    plain: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain.put(Entity("Tom Berger", "person", {"city": "Oslo"}))
    plain.put(Entity("Tom Berger", "person", {"city": "Porto"}))
    (porto,) = [each.fact.id for each in plain.get("Tom Berger").facts if each.value == "Porto"]
    store = plain._engine.store
    forget = store.forget

    def busy(*given: object, **rest: object) -> None:
        forget(*given, **rest)  # type: ignore[arg-type]
        raise StoreBusyError("another process still reads an older state")

    monkeypatch.setattr(store, "forget", busy)
    with pytest.raises(StoreBusyError):
        plain.forget(ids=[porto])
    assert plain.get("Tom Berger").attributes == {"city": "Oslo"}


def test_what_a_forgotten_holder_had_taken_over_is_held_again(plain: Memory) -> None:
    for name, kind in (("Eva", "person"), ("Tom", "person"), ("Atlas", "project")):
        plain.put(Entity(name, kind))
    plain.relate("Eva", "leads", "Atlas")
    plain.relate("Tom", "leads", "Atlas")
    assert [link.state for link in plain.relations("Eva")] == ["superseded"]
    plain.forget("Tom")
    assert [link.state for link in plain.relations("Eva")] == ["current"]


def test_what_a_forgotten_session_had_ended_holds_again(plain: Memory) -> None:
    plain.put(Entity("Tom", "person", {"city": "Oslo"}), session="one")
    plain.put(Entity("Tom", "person", {"city": "Porto"}), session="two")
    plain.forget(session="two")
    assert states(plain, "Tom") == {"Oslo": "current"}


def test_an_alias_under_a_forgotten_label_goes(plain: Memory) -> None:
    plain.put(Entity("Tom", "person"))
    plain.put(Entity("Tom", "person", aliases=["Red Tom"]), session="two")
    assert plain.forget(session="two", dry_run=True).counts == {"aliases": 1}
    plain.forget(session="two")
    assert plain.get("Tom").aliases == []


@pytest.mark.parametrize("topic", ["", "the", "…"])
def test_a_topic_needs_a_word_to_look_for(plain: Memory, topic: str) -> None:
    with pytest.raises(InputError, match="a topic needs a word"):
        plain.forget(topic=topic)


def test_a_topic_of_several_words_takes_only_what_holds_them_all(plain: Memory) -> None:
    plain.remember(["Violin lessons on Monday", "Lessons of the war", "A lesson on the violins"])
    plain.put(Entity("Eva", "person", description="Gives violin lessons, and cooks"))
    plain.put(Entity("Violin Lesson Club", "organization", aliases=["VLC"]))
    plain.put(Entity("Tom", "person", {"hobby": "violin lessons", "food": "rice"}))
    erased = plain.forget(topic="violin lesson")
    assert (erased.counts["messages"], erased.counts["entities"], erased.counts["facts"]) == (
        2,
        1,
        1,
    )
    assert "Lessons of the war" in str(plain.recall("lessons"))
    assert plain.get("Eva").description == "[forgotten]"
    assert plain.get("Tom").attributes == {"food": "rice"}
    assert plain.find("VLC") is None


def test_a_topic_is_found_in_relations_and_in_what_was_undone(
    plain: Memory, tmp_path: Path
) -> None:
    for name in ("Eva", "Tom"):
        plain.put(Entity(name, "person"))
    plain.relate("Eva", "knows", "Tom", note="from the xylophone club")
    plain.put(Entity("Eva", "person", {"plays": "xylophone"}, aliases=["Xylophone Eva"]))
    plain.undo()
    plain.undo(plain.relate("Tom", "likes", "Eva", note="her xylophones"))
    plain.forget(topic="xylophone", reason="xylophone is noise")
    assert plain.relations() == []
    assert "xylophone" not in repr(plain.log()[:-1]).lower()
    plain.put(Entity("Eva", "person", {"xylophone": "no"}))


def test_a_topic_that_nothing_holds_takes_nothing(plain: Memory) -> None:
    plain.remember("Rice is fine")
    assert plain.forget(topic="violin").counts == {}
    assert plain.forget(topic="violin", dry_run=True).lines == ()


def test_a_dry_run_lists_no_more_than_fifty_lines_each_cut(plain: Memory) -> None:
    plain.remember([f"violin {number} {'x' * 300}" for number in range(60)])
    foreseen = plain.forget(topic="violin", dry_run=True)
    assert foreseen.counts == {"messages": 60}
    assert len(foreseen.lines) == 50
    assert max(map(len, foreseen.lines)) == 201


def test_forgetting_needs_one_thing_to_forget(plain: Memory) -> None:
    with pytest.raises(InputError, match="name one thing to forget"):
        plain.forget("Tom", topic="violin")


def test_lifting_needs_no_key(tmp_path: Path) -> None:
    with Memory.open(
        tmp_path / "m.db", extractor="none", embedder="none", background=False
    ) as memory:
        memory.remember("Rice is fine", session="s")
        memory.forget(session="s")
        (tmp_path / "m.db.key").unlink()
        with pytest.raises(StoreError, match="is missing"):
            memory.remember("Rice is fine", session="s")
        assert memory.lift() == 1
        assert memory.remember("Rice is fine", session="s").stored == 1


# --- who bears a forgotten name later -------------------------------------------------------------


@pytest.fixture(params=["ram", "sqlite"])
def learning(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "n.db")
    opened = Memory.open(
        url, extractor=script(), embedder="none", background=False, clock=Ticking()
    )
    with opened as memory:
        memory.remember([VISIT, WEATHER], session="first")
        memory.wait()
        yield memory


def visit_again(memory: Memory, session: str) -> None:
    memory.remember(AGAIN, session=session)
    memory.wait()


def test_a_later_bearer_of_a_forgotten_name_is_put_up_for_review(learning: Memory) -> None:
    learning.forget("Zoltan Quixley")
    visit_again(learning, "second")
    (doubt,) = learning.doubts()
    again = learning.get("Zoltan Quixley")
    assert (doubt.left.name, doubt.right.name) == ("[forgotten]", "Zoltan Quixley")
    assert (doubt.left_id, doubt.right_id, doubt.evidence) == (
        again.id,
        again.id,
        ("one of that name was forgotten",),
    )
    visit_again(learning, "third")
    assert [each.id for each in learning.doubts()] == [doubt.id]
    learning.decide(doubt.id, same=False, reason="another one")
    visit_again(learning, "fourth")
    assert learning.doubts() == []
    assert learning.get("Zoltan Quixley").id == again.id


def test_the_review_of_a_forgotten_name_goes_with_what_it_rests_on(learning: Memory) -> None:
    learning.forget("Zoltan Quixley")
    visit_again(learning, "second")
    learning.undo()
    assert (learning.doubts(), learning.reviews(), learning.find("Zoltan Quixley")) == (
        [],
        [],
        None,
    )
    visit_again(learning, "third")
    assert len(learning.reviews()) == 1
    learning.forget("Zoltan Quixley")
    assert learning.reviews() == []


def test_a_forgotten_name_that_was_lifted_is_borne_unasked(learning: Memory) -> None:
    erased = learning.forget("Zoltan Quixley")
    learning.within("tom").put(Entity("Zoltan Quixley", "person"), standing="assistant")
    assert learning.within("tom").doubts() == []
    assert learning.lift(erased) >= 1
    visit_again(learning, "second")
    assert (learning.doubts(), learning.get("zoltan quixley").name) == ([], "Zoltan Quixley")


def test_a_name_forgotten_again_is_lifted_by_the_later_receipt(learning: Memory) -> None:
    learning.forget("Zoltan Quixley")
    visit_again(learning, "second")
    later = learning.forget("Zoltan Quixley")
    learning.lift(later)
    visit_again(learning, "third")
    assert learning.doubts() == []


def test_names_forgotten_with_a_topic_or_given_anew_to_one_that_is_known_are_asked_about(
    learning: Memory,
) -> None:
    learning.forget(topic="Quixley")
    learning.put(Entity("Zed", "person"))
    learning.put(Entity("Zed", "person", aliases=["ZOLTAN  QUIXLEY"]), standing="assistant")
    learning.put(Entity("Zed", "person", aliases=["Zoltán Quixley"]), standing="assistant")
    (doubt,) = learning.doubts()
    assert (doubt.left.name, doubt.right.name) == ("[forgotten]", "Zed")
    assert learning.undo().versions
    assert learning.doubts() == []


def test_who_writes_by_hand_knows_whom_they_mean(learning: Memory) -> None:
    learning.forget("Zoltan Quixley")
    learning.put(Entity("Zoltan Quixley", "person"))
    assert learning.doubts() == []


def test_nothing_readable_is_kept_of_a_forgotten_name(tmp_path: Path, memory: Memory) -> None:
    memory.forget("Zoltan Quixley")
    assert held(tmp_path) & {"zoltan", "quixley"} == set()
    with memory._engine.store.snapshot() as snapshot:
        names = {"zoltan quixley", "Zoltan", "Ada"}
        assert snapshot.forgotten(memory.space, names) == {"zoltan quixley"}
        assert snapshot.forgotten("tom", names) == snapshot.forgotten(memory.space, ()) == set()


def test_learning_a_new_name_asks_for_the_key_where_something_was_forgotten(
    tmp_path: Path, memory: Memory
) -> None:
    memory.forget("Zoltan Quixley")
    (tmp_path / "m.db.key").unlink()
    with memory._engine.store.snapshot() as snapshot, pytest.raises(StoreError, match="is missing"):
        snapshot.forgotten(memory.space, ["Ada"])
