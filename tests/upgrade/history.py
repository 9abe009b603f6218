"""The history that lies in a release's file: a row of every sort, by way of the public verbs where
they can make it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from factbook import Entity, EntityType, Memory, Message
from factbook.errors import ModelUnavailableError, ReplyRejectedError
from factbook.model.change import Change, Stamp
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.model.record import EntityRecord
from factbook.ports.models import ExtractionContext
from factbook.ports.store import Store
from tests.support.models import (
    HashEmbedder,
    Script,
    ScriptedExtractor,
    draft_entity,
    draft_fact,
    draft_relation,
)

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANA, GLOBEX, RIVET = (
    draft_entity("Ana Silva"),
    draft_entity("Globex", kind="organization"),
    draft_entity("Rivet"),
)
QUILL = draft_entity("Quill Hartmann")

SCRIPT = {
    "Ana Silva works at Globex and lives in Porto.": Script(
        entities=[ANA, GLOBEX, draft_entity("Porto", kind="place")],
        facts=[draft_fact("Ana Silva", "home_town", "Porto", quote="lives in Porto")],
        relations=[draft_relation("Ana Silva", "works_at", "Globex", quote="works at Globex")],
    ),
    "Ana Silva moved to Faro last week.": Script(
        entities=[ANA], facts=[draft_fact("Ana Silva", "home_town", "Faro", quote="moved to Faro")]
    ),
    "Project Rivet is led by Ana Silva, its deadline is 2026-07-15.": Script(
        entities=[ANA, draft_entity("Project Rivet", kind="project")],
        facts=[
            draft_fact(
                "Project Rivet", "deadline", "2026-07-15", quote="its deadline is 2026-07-15"
            ),
            draft_fact("Project Rivet", "budget", "900", quote="nobody said so"),
        ],
        relations=[draft_relation("Ana Silva", "leads", "Project Rivet", quote="led by Ana Silva")],
    ),
    "Globex pays late, says A. Silva.": Script(entities=[GLOBEX, draft_entity("A. Silva")]),
    "Quill Hartmann keeps bees.": Script(
        entities=[QUILL], facts=[draft_fact("Quill Hartmann", "hobby", "bees", quote="keeps bees")]
    ),
    "Ana Silva asked Quill Hartmann for honey.": Script(entities=[QUILL, ANA]),
    "Quill Hartmann came back from Lisbon.": Script(entities=[QUILL]),
    "Orla Brandt runs the bakery.": Script(
        entities=[draft_entity("Orla Brandt")],
        facts=[draft_fact("Orla Brandt", "job", "baker", quote="runs the bakery")],
    ),
}
"""What is found in each text; nothing in those that aren't here."""

FAILS, AWAITS, RUNS = (
    "This one no model can read.",
    "This one waits for a model.",
    "This one was being read.",
)
LATE = "Orla Brandt runs the bakery."
"""Said and not learned yet when the file was left."""
FORGOTTEN = (
    Message("The spare key lies under the blue pot.", at=START),
    Message("The lighthouse is painted white.", id="light-1"),
)
"""Said in session `private`, and forgotten: with the session, and by a topic; known again by words
and by the host's id.
"""


class Extractor(ScriptedExtractor):
    """Plays the script; two texts can't be read, one never and one not now."""

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        texts = [message.text for episode in episodes for message in episode.messages]
        if FAILS in texts:
            raise ReplyRejectedError("the reply held no object")
        if AWAITS in texts:
            raise ModelUnavailableError("no answer from the server", retry_after=10**9)
        return super().extract(episodes, context)


class Ticks:
    """A clock that goes on by a minute each time that it is read, and ids in order."""

    def __init__(self, begin: datetime = START) -> None:
        self.now = begin
        self.made = 0

    def clock(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now

    def new_id(self) -> str:
        self.made += 1
        return f"id{self.made:06}"


def opened(database: Path, ticks: Ticks, *, prefix: str = "", refuses: bool = True) -> Memory:
    """The file, with the script as its extractor; ids made now begin with the prefix."""
    return Memory.open(
        database,
        extractor=Extractor(script=SCRIPT) if refuses else ScriptedExtractor(script=SCRIPT),
        embedder=HashEmbedder(),
        background=False,
        clock=ticks.clock,
        new_id=lambda: prefix + ticks.new_id(),
    )


def make(database: Path) -> None:
    """Writes the whole history into a new file."""
    with opened(database, Ticks()) as memory:
        for write in (_ada, _doubts, _forgetting, _jobs, _tom, _erased):
            write(memory)


def _learn(memory: Memory, *texts: str, session: str = "", project: str = "") -> None:
    memory.remember(
        [Message(text, at=memory.now()) for text in texts], session=session, project=project
    )
    memory.work()


def _ada(memory: Memory) -> None:
    """Messages of several roles, speakers, sessions and projects; facts that follow each other;
    undoing.
    """
    ada = memory.within("ada")
    _learn(ada, "Ana Silva works at Globex and lives in Porto.", session="monday")
    _learn(ada, "Ana Silva moved to Faro last week.", session="tuesday")
    _learn(ada, "Ana Silva works at Globex and lives in Porto.", session="tuesday")
    _learn(
        ada,
        "Project Rivet is led by Ana Silva, its deadline is 2026-07-15.",
        session="tuesday",
        project="rivet",
    )
    ada.remember(
        [
            Message("Noted: the harbour office opens at nine.", role="assistant", at=START),
            Message(
                "The password is hunter2-Kestrel-99", speaker="Bo Lindqvist", id="bo-1", at=START
            ),
            Message("ok"),
            Message("ok"),
            Message("forecast: 21 degrees", role="tool"),
            Message("You are helpful.", role="system"),
        ],
        session="tuesday",
    )
    ada.work()
    ada.register(
        EntityType(
            id="ship",
            attributes={"ports": "set"},
            other_names=("vessel",),
            forms={"built": "number"},
        )
    )
    ada.put(
        Entity("Kestrel", "ship", {"ports": "Faro", "built": "1998"}, description="A blue trawler")
    )
    ada.put(
        Entity(
            "Kestrel", "ship", {"ports": "Porto"}, aliases=["the old lady"], metadata={"row": "17"}
        )
    )
    ada.relate(
        "Ana Silva",
        "owns",
        "Kestrel",
        note="since the auction",
        valid_at=datetime(2025, 5, 1, tzinfo=UTC),
    )
    ada.put(
        Entity("Project Rivet", "project", {"deadline": "2026-08-01"}),
        standing="tool",
        reason="from the board",
    )
    ada.put(Entity("Globex", "organization", {"founded": "1987"}), standing="web")
    ada.put(Entity("Globex", "organization", {"founded": "1991"}), standing="web")
    ada.note(
        "Ada wants short answers",
        category="preference",
        importance=0.8,
        persistent=True,
        about=["Ana Silva"],
    )
    ada.note("The rivets cost 4 cents each", project="rivet", metadata={"file": "costs.csv"})
    ada.note("Parking is free this week", expires_in=timedelta(days=2))
    ada.note("Written twice", category="draft")
    ada.drop_notes([ada.notes(categories=["draft"])[0].id], reason="no longer needed")
    ada.put(Entity("Wrong Entry", "person", {"home_town": "Nowhere"}))
    ada.undo(reason="a slip")
    ada.undo(ada.relate("Kestrel", "lies_in", "Porto"))


def _doubts(memory: Memory) -> None:
    """Merges, a merge taken back, must-not-links, reviews open and decided."""
    ada = memory.within("ada")
    for name in (
        "Robert Fuller",
        "Bob Fuller",
        "Lena Vogt",
        "L. Vogt",
        "Mara Quist",
        "M. Quist",
        "Nils Ek",
        "Nils Eck",
    ):
        ada.put(Entity(name, "person"))
    ada.merge("Robert Fuller", "Bob Fuller", reason="the same badge number")
    ada.merge("Nils Ek", "Nils Eck")
    ada.unmerge("Nils Ek", "Nils Eck", reason="brothers")
    _learn(ada, "Globex pays late, says A. Silva.", session="wednesday")
    ada.dedupe(reason="spring cleaning")
    for name, same in (("L. Vogt", True), ("M. Quist", False)):
        doubt = next(each for each in ada.doubts() if name in (each.left.name, each.right.name))
        ada.decide(doubt.id, same=same, reason="asked them")


def _forgetting(memory: Memory) -> None:
    """Someone forgotten, with a later bearer of the name that waits for review; a topic, and a
    session.
    """
    ada = memory.within("ada")
    _learn(ada, "Quill Hartmann keeps bees.", session="monday")
    _learn(ada, "Ana Silva asked Quill Hartmann for honey.", session="monday")
    ada.note("Quill Hartmann likes heather honey")
    ada.forget("Quill Hartmann", reason="asked to be")
    _learn(ada, "Quill Hartmann came back from Lisbon.", session="thursday")
    ada.remember(FORGOTTEN, session="private")
    ada.forget(topic="lighthouse")
    ada.forget(session="private")


def _jobs(memory: Memory) -> None:
    """Jobs that failed, that wait for their next try or for anybody, and one whose worker died with
    its draft kept.
    """
    ada = memory.within("ada")
    [refused] = ada.remember(FAILS, session="jobs").episode_ids
    while any(job.id == refused for job in ada.jobs(("waiting",))):
        ada.work(retry=True)
    _learn(ada, AWAITS, session="jobs")
    dead = ada.remember(RUNS, session="jobs")
    store = _store(memory)
    lease = store.lease(seconds=1, spaces=["ada"])
    assert lease is not None
    assert (lease.job.id,) == dead.episode_ids
    store.keep_draft(lease, Draft(episode_id=lease.job.id, extractor="scripted/1"))
    ada.remember(LATE, session="late", project="bakery")


def _tom(memory: Memory) -> None:
    """Another space, with names that the first one knows as well, and an entity that expires."""
    tom = memory.within("tom")
    _learn(tom, "Ana Silva works at Globex and lives in Porto.")
    tom.note("Tom's own note on Porto")
    tom.put(Entity("Fair of Saint Brice", "event"))
    with _store(memory).snapshot() as snapshot:
        row = next(
            each
            for each in snapshot.every("tom", EntityRecord)
            if each.name == "Fair of Saint Brice"
        )
        version = snapshot.version("tom")
    gone = replace(row, expires_at=START - timedelta(days=1), version=row.version + 1)
    stamp = Stamp(at=memory.now(), actor="user", verb="put")
    _store(memory).commit(
        "tom", expected_version=version, changes=[Change(before=row, after=gone)], stamp=stamp
    )


def _erased(memory: Memory) -> None:
    """A space of which everything was forgotten."""
    gone = memory.within("gone")
    _learn(gone, "Ana Silva works at Globex and lives in Porto.")
    gone.forget(everything=True)


def _store(memory: Memory) -> Store:
    return memory._engine.store
