"""Plans forgetting: from a wish to the rows that go, and their receipt, by reading alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from factbook.errors import NotFoundError
from factbook.memory.forget.labelled_rows import read_labelled_rows
from factbook.memory.forget.named_texts import names_to_bury
from factbook.memory.forget.sentence_judge import sentence_id, without_sentences
from factbook.memory.forget.topics import LONGEST_LISTED, MOST_LISTED, find_topic
from factbook.memory.forget.traces import find_traces
from factbook.memory.forget.wish import Wish
from factbook.model.receipt import Doubtful
from factbook.model.record import Alias, EntityRecord, Fact, Note, Observation, Relation
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Erasure
from factbook.store.erase import SORTS
from factbook.text.argument_checks import check_text
from factbook.text.sentences import split_sentences
from factbook.views.view import View

Statement = Fact | Relation

PENDING = ("backups and exports of this store, which factbook doesn't know of",)
_ALWAYS_COUNTED = frozenset({"entities", "facts", "relations", "mentions"})


@dataclass(frozen=True, kw_only=True, slots=True)
class ForgetPlan:
    """Rows that a forgetting takes, and what its receipt says.

    Attributes:
        erasure: for the store. subject, lines, doubtful, own: for the receipt (`own`: messages
            that the forgotten one said, and that stay). counts: for that of a dry run, and the
            sentences.
        statements: facts and relations that go; what they had ended may hold again.
        version: of the space, as it was read. reviews: the names of both sides of each open
            review, by id. falling: ids of the reviews that will fall away, as far as is known.
        pending: what the receipt names as left.
    """

    erasure: Erasure
    subject: str
    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    lines: tuple[str, ...] = ()
    statements: tuple[Statement, ...] = ()
    doubtful: tuple[Doubtful, ...] = ()
    own: int = 0
    pending: tuple[str, ...] = ()
    version: int = 0
    reviews: Mapping[str, str] = field(default_factory=dict[str, str])
    falling: tuple[str, ...] = ()


def plan_forgetting(view: View, wish: Wish, reason: str) -> ForgetPlan:
    """Returns the rows that a checked wish means.

    Raises:
        InputError: a topic without words. NotFoundError, AmbiguousError: the entity's name, or an
            id.
    """
    planned = _plan_wish(view, wish)
    if wish.also:
        planned = _add_more(view, planned, wish.also)
    planned = _take_emptied(view, planned)
    planned = _add_reviews(view, planned)
    return replace(
        planned,
        erasure=replace(planned.erasure, reason=reason),
        pending=_list_pending(planned.doubtful, planned.own),
    )


def _list_pending(doubtful: Sequence[Doubtful], own: int) -> tuple[str, ...]:
    """Returns what the receipt names as left."""
    asked = [f"{each.id}: “{_cut_line(each.text)}” ({each.why})" for each in doubtful]
    if own:
        asked.append(
            f"{own} of their own messages, without their name (words='mask' or 'erase' takes them)"
        )
    return (*asked, *PENDING)


def _plan_wish(view: View, wish: Wish) -> ForgetPlan:
    if wish.everything:
        return ForgetPlan(
            erasure=Erasure(everything=True, at=view.now),
            subject="everything",
            counts=view.snapshot.stats(view.space),
        )
    if wish.ids:
        return _plan_rows(view, wish.ids)
    if wish.topic is not None:
        return _plan_topic(view, wish.topic)
    if wish.name is not None:
        return _plan_entity(view, wish.name, wish)
    return _plan_label(view, wish)


def _plan_label(view: View, wish: Wish) -> ForgetPlan:
    found = read_labelled_rows(view, wish)
    by_sort = Counter(SORTS[type(row)] for row in found.rows)
    by_hand = [row for row in found.rows if isinstance(row, Statement)]
    return ForgetPlan(
        erasure=Erasure(
            message_ids=tuple(found.message_ids),
            record_ids=tuple(row.id for row in found.rows),
            entity_ids=tuple(found.entity_ids),
            at=view.now,
        ),
        subject="messages",
        counts=_keep_counts(
            {"messages": len(found.message_ids), "entities": len(found.entity_ids), **by_sort}
        ),
        statements=(*by_hand, *_read_resting(view, found.message_ids)),
    )


def _plan_topic(view: View, topic: str) -> ForgetPlan:
    snapshot, space = view.snapshot, view.space
    found = find_topic(view, check_text(topic, "a topic"))
    roots = snapshot.members(space, found.entities)
    entity_ids = sorted({member for group in roots.values() for member in group} | found.entities)
    ids = sorted(found.records)
    stated: list[Statement] = [*snapshot.get(space, Fact, ids).values()]
    stated += snapshot.get(space, Relation, ids).values()
    counts = Counter(SORTS[type(row)] for row in stated)
    counts["notes"] = len(snapshot.get(space, Note, ids))
    counts["observations"] = len(snapshot.get(space, Observation, ids))
    counts["aliases"] = len(snapshot.get(space, Alias, ids))
    return ForgetPlan(
        erasure=Erasure(
            message_ids=tuple(sorted(found.messages)),
            record_ids=tuple(sorted(found.records)),
            entity_ids=tuple(entity_ids),
            mask=tuple(found.mask),
            names=_read_names(snapshot, space, entity_ids),
            at=view.now,
        ),
        subject="a topic",
        counts=_keep_counts(
            {"messages": len(found.messages), "entities": len(found.entities), **counts}
        ),
        lines=tuple(found.lines),
        statements=(
            *stated,
            *_read_resting(view, found.messages),
            *snapshot.relations(space, entity_ids),
        ),
    )


def _plan_entity(view: View, name: str, wish: Wish) -> ForgetPlan:
    snapshot, space = view.snapshot, view.space
    key = view.resolve(name)
    found = find_traces(view, key)
    members, own = found.named.members, found.own
    erased = found.messages | set(own if wish.words == "erase" else ())
    counts = _count_rows(view, key, members) if wish.dry_run else {}
    counts["messages"] = len(erased)
    counts["sentences"] = sum(map(len, found.cut.values()))
    counts["silenced"] = len(own) if wish.words == "mask" else 0
    return ForgetPlan(
        erasure=Erasure(
            entity_ids=members,
            message_ids=tuple(sorted(erased)),
            cut=found.cut,
            silenced=tuple(own) if wish.words == "mask" else (),
            mask=found.mask,
            proper=found.proper,
            names=found.named.buried,
            at=view.now,
        ),
        subject="an entity",
        counts=_keep_counts(counts, always=_ALWAYS_COUNTED),
        lines=tuple(_cut_line(line) for line in found.lines[:MOST_LISTED]),
        statements=(
            *snapshot.relations(space, members),
            *_read_resting(view, {*erased, *found.cut}),
        ),
        doubtful=tuple(found.doubtful.values()),
        own=len(own) if wish.words == "keep" else 0,
    )


def _count_rows(view: View, key: str, members: Collection[str]) -> dict[str, int]:
    """Returns how many rows of its own an entity has, as people see them."""
    entity = view.entities([key])[0]
    return {
        "entities": len(members),
        "facts": len(entity.facts),
        "relations": len(entity.links),
        "mentions": len(view.snapshot.mentions(view.space, members)),
    }


def _plan_rows(view: View, ids: Sequence[str]) -> ForgetPlan:
    cut = _read_sentences(view, ids)
    told = {sentence_id(key, each) for key, parts in cut.items() for each in parts}
    ids = [key for key in ids if key not in told]
    rows = {
        cls: view.snapshot.get(view.space, cls, ids) for cls in (Fact, Relation, Note, Observation)
    }
    held = [row for found in rows.values() for row in found.values()]
    absent = set(ids).difference(row.id for row in held)
    unknown = next((key for key in ids if key in absent and not _was_there(view, key)), None)
    if unknown is not None:
        raise NotFoundError(
            f"space {view.space!r} has no fact, relation, note, observation or sentence with the id {unknown!r}"
        )
    counts = {SORTS[cls]: len(found) for cls, found in rows.items() if found}
    return ForgetPlan(
        erasure=Erasure(record_ids=tuple(ids), cut=cut, at=view.now),
        subject="single rows",
        counts={**counts, "sentences": len(told)} if told else counts,
        statements=(
            *(row for row in held if isinstance(row, Statement)),
            *_read_resting(view, cut),
        ),
    )


def _keep_counts(counts: Mapping[str, int], always: Collection[str] = ()) -> dict[str, int]:
    """Returns the counts that aren't zero, and those that are always told."""
    return {sort: number for sort, number in counts.items() if number or sort in always}


# --- what is added --------------------------------------------------------------------------------


def _add_more(view: View, planned: ForgetPlan, ids: Sequence[str]) -> ForgetPlan:
    """Adds these sentences, messages, entities, facts, relations and notes to the plan.

    Raises:
        NotFoundError: one of the ids is none of these.
    """
    snapshot, space, erasure = view.snapshot, view.space, planned.erasure
    messages = snapshot.messages(space, ids)
    roots = snapshot.canonical(space, snapshot.get(space, EntityRecord, ids))
    groups = snapshot.members(space, roots.values()).values()
    members = sorted({each for group in groups for each in group})
    rows = _plan_rows(view, [key for key in ids if key not in messages and key not in roots])
    cut = {
        key: tuple(dict.fromkeys((*erasure.cut.get(key, ()), *told)))
        for key, told in rows.erasure.cut.items()
    }
    names = _read_names(snapshot, space, members)
    counts = Counter(planned.counts) + Counter(rows.counts)
    counts["messages"] += len(messages)
    counts["entities"] += len(members)
    return replace(
        planned,
        erasure=replace(
            erasure,
            message_ids=(*erasure.message_ids, *messages),
            entity_ids=(*erasure.entity_ids, *members),
            record_ids=(*erasure.record_ids, *rows.erasure.record_ids),
            cut={**erasure.cut, **cut},
            mask=tuple(dict.fromkeys((*erasure.mask, *names))),
            names=tuple(dict.fromkeys((*erasure.names, *names))),
        ),
        counts=_keep_counts(counts),
        statements=(
            *planned.statements,
            *rows.statements,
            *_read_resting(view, messages),
            *snapshot.relations(space, members),
        ),
        doubtful=tuple(each for each in planned.doubtful if each.id not in ids),
    )


def _take_emptied(view: View, planned: ForgetPlan) -> ForgetPlan:
    """Takes the messages and notes whole of which no sentence would be left."""
    snapshot, space, erasure = view.snapshot, view.space, planned.erasure
    if not erasure.cut:
        return planned
    messages = {key: row.text for key, row in snapshot.messages(space, erasure.cut).items()}
    notes = {key: row.text for key, row in snapshot.get(space, Note, erasure.cut).items()}
    empty = {
        key
        for key, text in {**messages, **notes}.items()
        if not without_sentences(text, erasure.cut[key])
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
        counts=_keep_counts(counts, always=planned.counts),
    )


def _add_reviews(view: View, planned: ForgetPlan) -> ForgetPlan:
    """Adds the version of the space and its open reviews."""
    snapshot, space, erasure = view.snapshot, view.space, planned.erasure
    reviews = snapshot.reviews(space)
    ends = {end for row in reviews for end in (row.left_id, row.right_id)}
    names = {key: row.name for key, row in snapshot.get(space, EntityRecord, ends).items()}
    gone = frozenset(erasure.entity_ids)
    return replace(
        planned,
        version=snapshot.version(space),
        reviews={
            row.id: f"{names.get(row.left_id, row.left_id)} / "
            f"{names.get(row.right_id, row.right_id)}"
            for row in reviews
        },
        falling=tuple(
            row.id
            for row in reviews
            if erasure.everything or not gone.isdisjoint((row.left_id, row.right_id))
        ),
    )


# --- reading --------------------------------------------------------------------------------------


def _read_resting(view: View, message_ids: Collection[str]) -> list[Statement]:
    """Returns the facts and relations that were learned from these messages."""
    snapshot, space = view.snapshot, view.space
    messages = snapshot.messages(space, set(message_ids)).values()
    out: dict[str, Statement] = {}
    for commit in snapshot.log_of_episodes(space, {message.episode_id for message in messages}):
        for change in commit.changes:
            row = change.after or change.before
            if isinstance(row, Statement):
                out.setdefault(row.id, row)
    return list(out.values())


def _read_names(snapshot: Snapshot, space: str, entity_ids: Collection[str]) -> tuple[str, ...]:
    """Returns the names of these, each once, without those of the user in every space."""
    rows = snapshot.get(space, EntityRecord, entity_ids)
    return names_to_bury(rows.values(), snapshot.aliases(space, entity_ids))


def _read_sentences(view: View, ids: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Returns the sentences that these ids of `sentence_id` mean, by the row they stand in."""
    wanted: dict[str, set[str]] = {}
    for key in ids:
        row_id, mark, _ = key.rpartition("#")
        if mark:
            wanted.setdefault(row_id, set()).add(key)
    snapshot, space = view.snapshot, view.space
    texts = {key: row.text for key, row in snapshot.messages(space, wanted).items()}
    texts |= {key: row.text for key, row in snapshot.get(space, Note, wanted).items()}
    entities = snapshot.get(space, EntityRecord, wanted)
    texts |= {key: row.description for key, row in entities.items()}
    out: dict[str, tuple[str, ...]] = {}
    for row_id, text in texts.items():
        told = [text[start:end] for start, end in split_sentences(text)]
        if meant := tuple(each for each in told if sentence_id(row_id, each) in wanted[row_id]):
            out[row_id] = meant
    return out


def _was_there(view: View, key: str) -> bool:
    """Returns True if the log holds a fact, relation or note of that id, taken out since."""
    images = (
        image
        for entry in view.snapshot.log_of(view.space, [key])
        for change in entry.changes
        for image in (change.before, change.after)
    )
    return any(isinstance(image, Fact | Relation | Note | Observation) for image in images)


def _cut_line(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_LISTED else f"{flat[:LONGEST_LISTED]}…"
