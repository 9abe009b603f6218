"""Random histories: steps that a player makes in any store, alike wherever the same steps are
made.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from hypothesis import strategies as st

from factbook.errors import StoreError
from factbook.model.change import Change
from factbook.model.record import (
    RECORD_TYPES,
    Alias,
    EntityRecord,
    EntityType,
    Fact,
    Mention,
    Note,
    NotSame,
    Observation,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)
from factbook.model.source import Source
from factbook.ports.store import Erasure, Store, Vectors
from factbook.store.derive import derive_record_line
from tests.support.builders import START, at, stamp
from tests.support.dumps import inverse
from tests.support.models import HashEmbedder

NAMES = ("Ada", "Ada Lovelace", "Tom Berger", "Priya Raman", "Acme", "Atlas", "Łukasz", "self")
WORDS = (
    "harbour",
    "violin",
    "budget",
    "Ada",
    "Tom",
    "garden",
    "deadline",
    "Acme",
    "Zürich",
    "paints",
    "launch?",
)
SESSIONS = ("", "monday", "tuesday")
PROJECTS = ("", "atlas", "orion")
ENTITIES = tuple(f"ent{number}" for number in range(5))
EMBEDDER = HashEmbedder(8)


@dataclass(frozen=True, kw_only=True)
class Say:
    """Remembers texts in a session; each key is one of few, so that some come again."""

    session: int
    texts: tuple[tuple[int, int], ...]
    jobs: bool = True


@dataclass(frozen=True, kw_only=True)
class Alter:
    """Commits rows: (type, number, variant) each, where variant None takes the row out."""

    rows: tuple[tuple[int, int, int | None], ...]
    vectors: bool = False


@dataclass(frozen=True, kw_only=True)
class Undo:
    """Takes the latest commit back, if there is one."""


@dataclass(frozen=True, kw_only=True)
class Work:
    """Leases a job and ends it: `done`, `fail`, `retry`, `later` or `release`."""

    end: str


Step = Say | Alter | Undo | Work

_say = st.builds(
    Say,
    session=st.integers(0, 2),
    texts=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 50)), min_size=1, max_size=3).map(
        tuple
    ),
    jobs=st.booleans(),
)


def altering(seed: int, size: int, vectors: bool = False) -> Alter:
    """Random rows; hypothesis alone would mostly draw a few of few types."""
    rng = random.Random(seed)
    # Several same_as rows at once are mostly refused, and the whole commit with them.
    kinds = rng.choices(
        range(len(RECORD_TYPES)), [0.3 if cls is SameAs else 1 for cls in RECORD_TYPES], k=size
    )
    rows = [(kind, rng.randrange(4), rng.choice((None, *range(10)))) for kind in kinds]
    return Alter(rows=tuple(rows), vectors=vectors)


_alter = st.builds(
    altering, seed=st.integers(0, 10**6), size=st.integers(1, 12), vectors=st.booleans()
)
_work = st.builds(Work, end=st.sampled_from(("done", "fail", "retry", "later", "release")))

STEPS = st.one_of(_say, _alter, _alter, st.just(Undo()), _work)
"""One step of a history."""

ALTERATIONS = _alter

HISTORIES = st.builds(
    lambda said, known, rest: [said, known, *rest],
    st.builds(Say, session=st.integers(0, 2), texts=st.just(((0, 4), (1, 18), (2, 33)))),
    st.builds(altering, seed=st.integers(0, 10**6), size=st.just(40), vectors=st.just(True)),
    st.lists(STEPS, max_size=8),
)
"""Histories that begin with something said and something known."""


@dataclass(kw_only=True)
class Player:
    """Makes steps in one space of one store. Its ids depend on its own steps only."""

    store: Store
    space: str
    said: int = 0
    messages: list[tuple[str, str]] = field(default_factory=list)

    def make(self, step: Step) -> str:
        """Makes the step, and says what came of it: its result, or the error's name."""
        try:
            match step:
                case Say():
                    return self._say(step)
                case Alter():
                    return self._alter(step)
                case Undo():
                    return self._undo()
                case Work():
                    return self._work(step)
        except StoreError as error:
            return type(error).__name__

    def _say(self, step: Say) -> str:
        from tests.support.builders import episode, message

        self.said += 1
        rng = random.Random(f"say/{self.said}")
        told = []
        for number, (key, seed) in enumerate(step.texts):
            words = random.Random(seed).choices(WORDS, k=1 + seed % 5)
            told.append(
                message(
                    " ".join(words),
                    id=f"msg{self.said}.{number}",
                    key=f"key{key}",
                    at=at(self.said, days=rng.randrange(9)),
                    speaker=rng.choice(("", "Tom", "Priya")),
                    role=rng.choice(("user", "assistant")),
                )
            )
        session, project = SESSIONS[step.session], PROJECTS[step.session]
        new = episode(*told, id=f"epi{self.said}", session=session, project=project)
        done = self.store.remember(self.space, [new], jobs=step.jobs)
        with self.store.snapshot() as snapshot:
            kept = snapshot.messages(self.space, [each.id for each in told])
        self.messages += [(each.id, new.id) for each in told if each.id in kept]
        return repr(done)

    def _alter(self, step: Alter) -> str:
        with self.store.snapshot() as snapshot:
            version = snapshot.version(self.space)
            held: dict[tuple[type[Record], str], Record | None] = {
                (cls, row.id): row
                for cls in RECORD_TYPES
                for row in snapshot.every(self.space, cls)
            }
        changes: list[Change] = []
        for kind, number, variant in step.rows:
            cls = RECORD_TYPES[kind]
            row = self.row(cls, number, variant or 0)
            if row is None:
                continue
            before = held.get((cls, row.id))
            after = None if variant is None else row
            if before != after:
                changes.append(Change(before=before, after=after))
                held[cls, row.id] = after
        vectors = None
        if step.vectors:
            lines = [
                derive_record_line(row)
                for change in changes
                if (row := held[change.row_key()]) is not None
            ]
            texts = {line.id: line.embed for line in lines if line is not None and line.embed}
            rows = dict(zip(texts, EMBEDDER.embed(list(texts.values())), strict=True))
            vectors = Vectors(model=EMBEDDER.name, size=EMBEDDER.size, rows=rows)
        said = stamp(
            episode_id=self.messages[-1][1] if self.messages else "",
            reason=f"{len(changes)} for Ada",
        )
        return str(
            self.store.commit(
                self.space, expected_version=version, changes=changes, stamp=said, vectors=vectors
            )
        )

    def _undo(self) -> str:
        with self.store.snapshot() as snapshot:
            log = snapshot.log(self.space)
        if not log:
            return "nothing"
        changes = inverse(log[-1].changes)
        version = log[-1].version
        return str(
            self.store.commit(
                self.space,
                expected_version=version,
                changes=changes,
                stamp=stamp(verb="undo", undoes=(version,)),
            )
        )

    def _work(self, step: Work) -> str:
        if step.end == "retry":
            self.store.requeue(spaces=[self.space])
        lease = self.store.lease(seconds=3600, spaces=[self.space])
        if lease is None:
            return "no job"
        match step.end:
            case "done":
                with self.store.snapshot() as snapshot:
                    version = snapshot.version(self.space)
                self.store.commit(
                    self.space, expected_version=version, changes=[], stamp=stamp(), lease=lease
                )
            case "release":
                self.store.release(lease)
            case _:
                self.store.fail(
                    lease,
                    "no luck",
                    retry_in={"fail": None, "retry": 0.0, "later": 9999.0}[step.end],
                )
        return f"{lease.job.id} {lease.job.attempts} {step.end}"

    # --- rows -------------------------------------------------------------------------------------

    def row(self, cls: type[Record], number: int, variant: int) -> Record | None:
        """The row that (type, number, variant) stands for; None for a mention where nothing was
        said yet.
        """
        rng = random.Random(f"{cls.__name__}/{number}/{variant}")
        row_id, made = f"{cls.__name__.lower()}{number}", at(number * 100)
        who, whom = rng.choice(ENTITIES), rng.choice(ENTITIES)
        text = " ".join(rng.choices(WORDS, k=variant % 4))
        meta = {"colour": "blue"} if variant % 2 else {}
        source = self._source(rng)
        ended: dict[str, Any] = {
            "invalid_at": rng.choice((None, None, at(days=3), at(days=30))),
            "importance": variant / 10,
        }
        match cls.__name__:
            case "EntityRecord":
                return EntityRecord(
                    id=ENTITIES[number],
                    name=rng.choice(NAMES),
                    kind=rng.choice(("person", "organization", "project")),
                    description=text,
                    version=variant + 1,
                    created_at=made,
                    updated_at=made + timedelta(days=variant, minutes=1),
                    expires_at=at(days=20) if variant == 7 else None,
                    metadata=meta,
                    source=source,
                )
            case "Alias":
                return Alias(
                    id=row_id, entity_id=who, name=rng.choice(NAMES), created_at=made, source=source
                )
            case "Mention":
                return self._mention(row_id, who, variant)
            case "Fact":
                expired = at(days=4) if variant == 8 else None
                return Fact(
                    id=row_id,
                    entity_id=who,
                    attribute=rng.choice(("plays", "home_town")),
                    value=text,
                    valid_at=rng.choice((None, START)),
                    created_at=made,
                    expired_at=expired,
                    source=source,
                    grain=rng.choice(("day", "instant")),
                    **ended,
                )
            case "Relation":
                label = rng.choice(("works_at", "knows"))
                return Relation(
                    id=row_id,
                    from_id=who,
                    label=label,
                    to_id=whom,
                    note=text,
                    created_at=made,
                    source=source,
                    **ended,
                )
            case "Support":
                return Support(
                    id=row_id, record_id=f"fact{rng.randrange(4)}", created_at=made, source=source
                )
            case "Note":
                return Note(
                    id=row_id,
                    text=text,
                    category=rng.choice(("general", "to_do")),
                    importance=variant / 10,
                    created_at=made,
                    expires_at=at(days=20) if variant == 7 else None,
                    entity_ids=tuple(dict.fromkeys((who, whom)))[: variant % 3],
                    metadata=meta,
                    source=source,
                )
            case "Observation":
                sorts: tuple[Any, ...] = ("event", "rule", "preference")
                return Observation(
                    id=row_id,
                    text=text,
                    entity_ids=tuple(dict.fromkeys((who, whom)))[: variant % 3],
                    sort=rng.choice(sorts),
                    holds="hearsay" if variant == 6 else "asserted",
                    invalid_at=rng.choice((None, None, at(days=3))),
                    importance=variant / 10,
                    created_at=made,
                    expires_at=at(days=20) if variant == 7 else None,
                    record_ids=("fact1",) if variant == 5 else (),
                    metadata=meta,
                    source=source,
                )
            case "SameAs":
                return SameAs(
                    id=row_id,
                    entity_id=who,
                    canonical_id=whom if whom != who else "ent9",
                    evidence=("same name",),
                    created_at=made,
                )
            case "NotSame":
                return NotSame(id=row_id, left_id=who, right_id=whom, reason=text, created_at=made)
            case "Review":
                state: Any = rng.choice(("open", "accepted", "refused"))
                return Review(
                    id=row_id,
                    left_id=who,
                    right_id=whom,
                    score=variant / 10,
                    state=state,
                    created_at=made,
                )
            case _:
                return EntityType(
                    id=("gadget", "recipe", "boat", "song")[number],
                    attributes={"size": "single", "tags": "set"} if variant % 2 else {},
                    lifespan=timedelta(days=variant) if variant else None,
                    section=text,
                    examples=tuple(text.split()),
                )

    def _source(self, rng: random.Random) -> Source:
        if not self.messages or rng.random() < 0.3:
            return Source(standing="note")
        message_id, episode_id = self.messages[rng.randrange(len(self.messages))]
        return Source(
            standing=rng.choice(("user", "assistant", "web")),
            speaker=rng.choice(("", "Tom")),
            said_at=at(days=rng.randrange(9)),
            session=rng.choice(SESSIONS),
            project=rng.choice(PROJECTS),
            episode_id=episode_id,
            message_id=message_id,
            quote=rng.choice(WORDS),
        )

    def _mention(self, row_id: str, entity_id: str, variant: int) -> Mention | None:
        if not self.messages:
            return None
        message_id, episode_id = self.messages[variant % len(self.messages)]
        with self.store.snapshot() as snapshot:
            said = snapshot.messages(self.space, [message_id]).get(message_id)
        if said is None:
            return None
        text = said.text.split()[0]
        return Mention(
            id=row_id,
            entity_id=entity_id,
            episode_id=episode_id,
            message_id=message_id,
            start=0,
            end=len(text),
            text=text,
            at=said.at,
        )

    def forget(self, erasure: Erasure) -> dict[str, int]:
        """Erases, and drops from its notes what is gone."""
        counts = self.store.forget(self.space, erasure)
        with self.store.snapshot() as snapshot:
            kept = snapshot.messages(self.space, [message_id for message_id, _ in self.messages])
        self.messages = [each for each in self.messages if each[0] in kept]
        return counts


def play(store: Store, space: str, steps: Sequence[Step]) -> list[str]:
    """Makes the steps in a space of the store that nothing was done in yet."""
    player = Player(store=store, space=space)
    return [player.make(step) for step in steps]


def erasure(**rest: Any) -> Erasure:
    """An erasure at the beginning of time unless said otherwise."""
    return replace(Erasure(at=START), **rest)
