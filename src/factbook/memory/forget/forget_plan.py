"""Forgetting: what a wish to forget means in rows, the store's erasure of them, and what holds
again without them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, get_args

from factbook.errors import InputError, NotFoundError
from factbook.learn.gather import gather_names
from factbook.memory.forget import topics, traces
from factbook.memory.forget.leftovers import sentence_id, without
from factbook.model.receipt import Doubtful
from factbook.model.record import (
    Alias,
    EntityRecord,
    Fact,
    Mention,
    Note,
    Relation,
    Review,
    Source,
    Support,
)
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Erasure
from factbook.resolve.by_hand import Given, HandPlan
from factbook.resolve.change_sheet import ChangeSheet
from factbook.resolve.draft_statements import Timelines
from factbook.store.erase import SORTS
from factbook.text.checks import check_text, in_utc
from factbook.text.host_ids import plain
from factbook.text.names import fold
from factbook.views.view import SELF_NAMES, View

Words = Literal["keep", "mask", "erase"]
"""What becomes of a forgotten speaker's own words."""

_ALWAYS_COUNTED = frozenset({"entities", "facts", "relations", "mentions"})
PENDING = ("backups and exports of this store, which factbook doesn't know of",)


@dataclass(frozen=True, kw_only=True, slots=True)
class What:
    """What shall be forgotten; one of name, topic, labels or times, ids, everything."""

    name: str | None = None
    topic: str | None = None
    session: str | None = None
    project: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    ids: tuple[str, ...] = ()
    everything: bool = False
    also: tuple[str, ...] = ()
    words: Words = "keep"

    def check(self) -> None:
        """Raises InputError unless exactly one sort of thing is named."""
        if self.words not in get_args(Words):
            raise InputError(
                f"words is one of {', '.join(get_args(Words))}, not {str(self.words)[:40]!r}"
            )
        if self.words != "keep" and self.name is None:
            raise InputError(
                "words says what becomes of what an entity said itself; name the entity"
            )
        by_message = any(
            each is not None for each in (self.session, self.project, self.since, self.until)
        )
        named = sum(
            (
                self.name is not None,
                self.topic is not None,
                by_message,
                bool(self.ids),
                self.everything,
            )
        )
        if named != 1:
            raise InputError(
                "name one thing to forget: an entity, a topic, a session or project or time, ids, or everything"
            )

    def holds(self, moment: datetime) -> bool:
        """Whether the moment lies in the time that is meant."""
        return (self.since is None or moment >= self.since) and (
            self.until is None or moment < self.until
        )

    def means(self, source: Source, created_at: datetime) -> bool:
        """Whether what was entered by hand lies under the labels and in the time that are meant."""
        return (
            not source.message_id
            and self.session in (None, source.session)
            and self.project in (None, source.project)
            and self.holds(source.said_at or created_at)
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What forgetting will do.

    Attributes:
        erasure: for the store. what, counts, lines, doubtful, own: for the receipt (`own`: messages
            that the forgotten one said, and that stay).
        statements: facts and relations that go; what they had ended may hold again.
    """

    erasure: Erasure
    what: str
    counts: Mapping[str, int]
    lines: tuple[str, ...] = ()
    statements: tuple[Fact | Relation, ...] = ()
    doubtful: tuple[Doubtful, ...] = ()
    own: int = 0

    @property
    def pending(self) -> tuple[str, ...]:
        """What the receipt names as left."""
        asked = [f"{each.id}: “{_cut(each.text)}” ({each.why})" for each in self.doubtful]
        own = f"{self.own} of their own messages, without their name (words='mask' or 'erase' takes them)"
        return (*asked, *([own] if self.own else ()), *PENDING)


def plan(view: View, what: What, *, now: datetime, reason: str) -> Plan:
    """What is meant, in rows.

    Raises:
        InputError: not exactly one thing is named. NotFoundError, AmbiguousError: the entity's
            name.
    """
    what.check()
    planned = _plan(view, what, now, reason)
    return _emptied(view, _also(view, planned, what.also) if what.also else planned)


def _plan(view: View, what: What, now: datetime, reason: str) -> Plan:
    what = replace(what, since=in_utc(what.since, "since"), until=in_utc(what.until, "until"))
    if what.everything:
        counts = view.snapshot.stats(view.space)
        return Plan(
            erasure=Erasure(everything=True, at=now, reason=reason),
            what="everything",
            counts=counts,
        )
    if what.ids:
        return _plan_rows(view, what.ids, now, reason)
    if what.topic is not None:
        return _plan_topic(view, what.topic, now, reason)
    if what.name is not None:
        return _plan_entity(view, view.resolve(what.name), what.words, now, reason)
    return _plan_label(view, what, now, reason)


def reopened(
    snapshot: Snapshot, space: str, statements: Sequence[Fact | Relation], given: Given
) -> HandPlan:
    """What holds again now that these were erased: what follows from the statements that are
    left.
    """
    ends = {key for row in statements for key in _ends(row)}
    if not statements:
        return HandPlan()
    known = gather_names(
        snapshot,
        space,
        [],
        ids=ends,
        attributes={row.attribute for row in statements if isinstance(row, Fact)},
        labels={row.label for row in statements if isinstance(row, Relation)},
    )
    sheet = ChangeSheet()
    timelines = Timelines(
        known=known, kinds=given["kinds"], sheet=sheet, now=given["now"], new_id=given["new_id"]
    )
    timelines.lay_out_again(statements, known.entities)
    return HandPlan(changes=sheet.list_changes())


def _ends(row: Fact | Relation) -> tuple[str, ...]:
    return (row.entity_id,) if isinstance(row, Fact) else (row.from_id, row.to_id)


def _plan_label(view: View, what: What, now: datetime, reason: str) -> Plan:
    snapshot, space = view.snapshot, view.space
    message_ids = _messages(snapshot, space, what)
    rows = _by_hand(snapshot, space, what, message_ids)
    entity_ids = _traceless(snapshot, space, what, message_ids, {row.id for row in rows})
    counts = Counter(SORTS[type(row)] for row in rows)
    erasure = Erasure(
        message_ids=tuple(message_ids),
        record_ids=tuple(row.id for row in rows),
        entity_ids=tuple(entity_ids),
        at=now,
        reason=reason,
    )
    gone = {"messages": len(message_ids), "entities": len(entity_ids), **counts}
    by_hand = [row for row in rows if isinstance(row, Fact | Relation)]
    return Plan(
        erasure=erasure,
        what="messages",
        counts={sort: number for sort, number in gone.items() if number},
        statements=(*by_hand, *_resting(snapshot, space, message_ids)),
    )


def _plan_topic(view: View, topic: str, now: datetime, reason: str) -> Plan:
    snapshot, space = view.snapshot, view.space
    found = topics.find(view, check_text(topic, "a topic"))
    roots = snapshot.members(space, found.entities)
    entity_ids = sorted({member for group in roots.values() for member in group} | found.entities)
    ids = sorted(found.records)
    stated: list[Fact | Relation] = [*snapshot.get(space, Fact, ids).values()]
    stated += snapshot.get(space, Relation, ids).values()
    counts = Counter(SORTS[type(row)] for row in stated)
    counts["notes"], counts["aliases"] = (
        len(snapshot.get(space, Note, ids)),
        len(snapshot.get(space, Alias, ids)),
    )
    erasure = Erasure(
        message_ids=tuple(sorted(found.messages)),
        record_ids=tuple(sorted(found.records)),
        entity_ids=tuple(entity_ids),
        mask=tuple(found.mask),
        names=_names(snapshot, space, entity_ids),
        at=now,
        reason=reason,
    )
    gone = {"messages": len(found.messages), "entities": len(found.entities), **counts}
    return Plan(
        erasure=erasure,
        what="a topic",
        counts={sort: number for sort, number in gone.items() if number},
        lines=tuple(found.lines),
        statements=(
            *stated,
            *_resting(snapshot, space, found.messages),
            *snapshot.relations(space, entity_ids),
        ),
    )


def _resting(snapshot: Snapshot, space: str, message_ids: Collection[str]) -> list[Fact | Relation]:
    """The facts and relations that were learned from these messages."""
    said = set(message_ids)
    episodes = {message.episode_id for message in snapshot.messages(space, said).values()}
    out: dict[str, Fact | Relation] = {}
    for commit in snapshot.log_of_episodes(space, episodes):
        for change in commit.changes:
            row = change.after or change.before
            if isinstance(row, Fact | Relation):
                out.setdefault(row.id, row)
    return list(out.values())


def _also(view: View, planned: Plan, ids: Sequence[str]) -> Plan:
    """The plan with these sentences, messages, entities, facts, relations and notes besides.

    Raises:
        NotFoundError: one of the ids is none of these.
    """
    snapshot, space, erasure = view.snapshot, view.space, planned.erasure
    messages = snapshot.messages(space, ids)
    roots = snapshot.canonical(space, snapshot.get(space, EntityRecord, ids))
    members = sorted(
        {each for group in snapshot.members(space, roots.values()).values() for each in group}
    )
    rest = [key for key in ids if key not in messages and key not in roots]
    rows = (
        _plan_rows(view, rest, erasure.at, erasure.reason)
        if rest
        else Plan(erasure=erasure, what="", counts={})
    )
    cut = {
        key: tuple(dict.fromkeys((*erasure.cut.get(key, ()), *told)))
        for key, told in rows.erasure.cut.items()
    }
    names = _names(snapshot, space, members)
    counts = Counter(planned.counts) + Counter(rows.counts if rest else {})
    counts["messages"] += len(messages)
    counts["entities"] += len(members)
    return replace(
        planned,
        erasure=replace(
            erasure,
            message_ids=(*erasure.message_ids, *messages),
            entity_ids=(*erasure.entity_ids, *members),
            record_ids=(*erasure.record_ids, *(rows.erasure.record_ids if rest else ())),
            cut={**erasure.cut, **cut},
            mask=tuple(dict.fromkeys((*erasure.mask, *names))),
            names=tuple(dict.fromkeys((*erasure.names, *names))),
        ),
        counts={sort: number for sort, number in counts.items() if number},
        statements=(
            *planned.statements,
            *(rows.statements if rest else ()),
            *_resting(snapshot, space, messages),
            *snapshot.relations(space, members),
        ),
        doubtful=tuple(each for each in planned.doubtful if each.id not in ids),
    )


def _emptied(view: View, planned: Plan) -> Plan:
    """The plan in which messages and notes go of which no sentence would be left."""
    snapshot, space, erasure = view.snapshot, view.space, planned.erasure
    if not erasure.cut:
        return planned
    messages = {key: row.text for key, row in snapshot.messages(space, erasure.cut).items()}
    notes = {key: row.text for key, row in snapshot.get(space, Note, erasure.cut).items()}
    empty = {
        key for key, text in {**messages, **notes}.items() if not without(text, erasure.cut[key])
    }
    counts = Counter(planned.counts)
    counts["messages"] += len(empty & messages.keys())
    counts["notes"] += len(empty & notes.keys())
    counts["sentences"] -= sum(len(erasure.cut[key]) for key in empty)
    return replace(
        planned,
        erasure=replace(
            erasure,
            message_ids=(*erasure.message_ids, *sorted(empty & messages.keys())),
            record_ids=(*erasure.record_ids, *sorted(empty & notes.keys())),
            cut={key: told for key, told in erasure.cut.items() if key not in empty},
        ),
        counts={
            sort: number for sort, number in counts.items() if number or sort in planned.counts
        },
    )


def _plan_rows(view: View, ids: Sequence[str], now: datetime, reason: str) -> Plan:
    cut = traces.resolve_sentences(view, ids)
    told = {sentence_id(key, each) for key, parts in cut.items() for each in parts}
    ids = [key for key in ids if key not in told]
    rows = {cls: view.snapshot.get(view.space, cls, ids) for cls in (Fact, Relation, Note)}
    absent = [key for key in ids if not any(key in found for found in rows.values())]
    if absent and (absent := [key for key in absent if not _was_there(view, key)]):
        raise NotFoundError(
            f"space {view.space!r} has no fact, relation, note or sentence with the id {absent[0]!r}"
        )
    stated = [
        row for found in rows.values() for row in found.values() if isinstance(row, Fact | Relation)
    ]
    counts = {SORTS[cls]: len(found) for cls, found in rows.items() if found}
    return Plan(
        erasure=Erasure(record_ids=tuple(ids), cut=cut, at=now, reason=reason),
        what="single rows",
        counts={**counts, "sentences": len(told)} if told else counts,
        statements=(*stated, *_resting(view.snapshot, view.space, cut)),
    )


def _was_there(view: View, key: str) -> bool:
    """Whether the log holds a fact, relation or note of that id, which was taken out since."""
    images = (
        each
        for entry in view.snapshot.log_of(view.space, [key])
        for change in entry.changes
        for each in (change.before, change.after)
    )
    return any(isinstance(image, Fact | Relation | Note) for image in images)


def _plan_entity(view: View, key: str, words: Words, now: datetime, reason: str) -> Plan:
    snapshot, space = view.snapshot, view.space
    entity = view.entities([key])[0]
    members = snapshot.members(space, [key])[key]
    names = [name for name in (entity.name, *entity.aliases) if fold(name) not in SELF_NAMES]
    found = traces.find(view, members, list(dict.fromkeys(names)))
    own, erased = found.own, found.messages | set(found.own if words == "erase" else ())
    counts = {
        "entities": len(members),
        "facts": len(entity.facts),
        "relations": len(entity.links),
        "mentions": len(snapshot.mentions(space, members)),
        "messages": len(erased),
        "sentences": sum(map(len, found.cut.values())),
        "silenced": len(own) if words == "mask" else 0,
    }
    return Plan(
        erasure=Erasure(
            entity_ids=members,
            message_ids=tuple(sorted(erased)),
            cut=found.cut,
            silenced=tuple(own) if words == "mask" else (),
            mask=found.mask,
            proper=found.proper,
            names=_names(snapshot, space, members),
            at=now,
            reason=reason,
        ),
        what="an entity",
        counts={
            sort: number for sort, number in counts.items() if number or sort in _ALWAYS_COUNTED
        },
        lines=tuple(_cut(line) for line in found.lines[: topics.MOST_LISTED]),
        statements=(
            *snapshot.relations(space, members),
            *_resting(snapshot, space, {*erased, *found.cut}),
        ),
        doubtful=tuple(found.doubtful.values()),
        own=len(own) if words == "keep" else 0,
    )


def open_reviews(view: View) -> dict[str, Review]:
    """The reviews that wait for a decision, by id."""
    return {row.id: row for row in view.snapshot.reviews(view.space)}


def falling(planned: Plan, reviews: Mapping[str, Review]) -> list[str]:
    """Ids of the reviews that will fall away, as far as it is known before."""
    gone = set(planned.erasure.entity_ids)
    return [
        row.id
        for row in reviews.values()
        if planned.erasure.everything or not gone.isdisjoint((row.left_id, row.right_id))
    ]


def told(view: View, reviews: Collection[Review]) -> dict[str, str]:
    """The names of both sides of these reviews, by id."""
    ends = {end for row in reviews for end in (row.left_id, row.right_id)}
    rows = view.snapshot.get(view.space, EntityRecord, ends)
    name = {key: row.name for key, row in rows.items()}
    return {
        row.id: f"{name.get(row.left_id, row.left_id)} / {name.get(row.right_id, row.right_id)}"
        for row in reviews
    }


def _cut(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= topics.LONGEST_LISTED else f"{flat[: topics.LONGEST_LISTED]}…"


def _names(snapshot: Snapshot, space: str, entity_ids: Collection[str]) -> tuple[str, ...]:
    """What these are called, each name once; not what the space's own user is called in every
    space.
    """
    names = [row.name for row in snapshot.get(space, EntityRecord, entity_ids).values()]
    names += plain(alias.name for alias in snapshot.aliases(space, entity_ids))
    return tuple(
        {
            folded: name for name in names if (folded := fold(name)) and folded not in SELF_NAMES
        }.values()
    )


def _messages(snapshot: Snapshot, space: str, what: What) -> Sequence[str]:
    ids = snapshot.episode_ids(space, session=what.session, project=what.project)
    return [
        message.id
        for episode in snapshot.episodes(space, ids).values()
        for message in episode.messages
        if what.holds(message.at)
    ]


def _traceless(
    snapshot: Snapshot,
    space: str,
    what: What,
    message_ids: Collection[str],
    row_ids: Collection[str],
) -> list[str]:
    """Entities entered by hand under these labels or in that time, of which nothing else is
    left.
    """
    ids = [
        row.id
        for row in snapshot.every(space, EntityRecord)
        if what.means(row.source, row.created_at)
    ]
    said = set(message_ids)
    stays: set[str] = set()
    statements: list[Fact | Relation] = [
        *snapshot.facts(space, ids),
        *snapshot.relations(space, ids),
    ]
    for row in statements:
        if row.id not in row_ids and row.source.message_id not in said:
            stays |= {row.entity_id} if isinstance(row, Fact) else {row.from_id, row.to_id}
    for note in snapshot.every(space, Note):
        if note.id not in row_ids:
            stays.update(note.entity_ids)
    for mention in snapshot.every(space, Mention):
        if mention.message_id not in said:
            stays.add(mention.entity_id)
    return [key for key in ids if key not in stays]


def _by_hand(
    snapshot: Snapshot, space: str, what: What, message_ids: Collection[str]
) -> list[Fact | Relation | Note | Alias | Support]:
    """What was entered by hand under these labels or in that time, and rests on nothing else."""

    def rows() -> Iterator[Fact | Relation | Note | Alias | Support]:
        yield from snapshot.every(space, Fact)
        yield from snapshot.every(space, Relation)
        yield from snapshot.every(space, Note)
        yield from snapshot.every(space, Alias)
        yield from snapshot.every(space, Support)

    found = [row for row in rows() if what.means(row.source, row.created_at)]
    said, supports = set(message_ids), snapshot.supports(space, [row.id for row in found])
    return [
        row
        for row in found
        if all(
            each.source.message_id in said or what.means(each.source, each.created_at)
            for each in supports.get(row.id, ())
        )
    ]
