"""Finds out when an event was that a question dates by: from what is known, or else from the
message that tells of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from factbook.model.line import Hit, LineKind
from factbook.model.record import SELF, Fact
from factbook.model.relations import known_label, names_of_label
from factbook.recall.find.filtered_search import FilteredSearch
from factbook.recall.request import RecallRequest
from factbook.recall.understand.hop_walks import HUB
from factbook.recall.understand.query import Query
from factbook.text.index_words import STOP_WORDS, index_words
from factbook.text.kind_names import snake_case
from factbook.text.periods import Lean, day_period
from factbook.text.question.question_times import END, DatingEvent, Span, anniversary, on_side
from factbook.text.question.question_words import Token, split_question
from factbook.text.relation_words import relation_of_noun, relation_of_verb
from factbook.text.time_phrases import Moment, find_moments

LIMIT = 24
"""Lines that are looked for, for all events of a question together."""
RAREST = 3
"""Words of an event that are looked for."""
MOST_READ = 6
ENOUGH = 0.6
"""The share of an event's words that a line must hold to be taken for telling of it."""

_BIRTHDAYS = ("birthday", "date_of_birth", "birth_date", "birthdate", "born", "dob")
_DATES = (
    "date",
    "when",
    "day",
    "time",
    "held_on",
    "starts",
    "start",
    "start_date",
    "starts_on",
    "scheduled_for",
)
_AHEAD = re.compile(
    r"\b(?:will|going to|gonna|coming up|next|scheduled|planned|planning|(?:is|are) (?:on|in|at|"
    r"set)|upcoming|soon)\b",
    re.IGNORECASE,
)
_ENDED = frozenset("left leave quit stopped ended finished sold resigned lost".split())
_KINDS: tuple[LineKind, ...] = ("message", "fact", "relation", "note", "observation")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Found:
    """When something was, and what tells it."""

    at: datetime
    until: datetime
    known_by: str


def date_events(request: RecallRequest, query: Query) -> tuple[Span, ...]:
    """The times of a question's events; one that nothing tells of is left out. At most one search
    for all of them.
    """
    dating = _Dating(replace(request, now=request.now.astimezone(UTC)), query)
    found = [dating.known(event) for event in query.events]
    sought = [
        event
        for event, known in zip(query.events, found, strict=True)
        if known is None and _told_of(event)
    ]
    told = dating.told(sought) if sought else {}
    out: list[Span] = []
    for event, known in zip(query.events, found, strict=True):
        told_by = known or told.get(event)
        if told_by is not None:
            out.append(
                on_side(
                    event.side,
                    told_by.at,
                    told_by.until,
                    within=event.within,
                    words=event.text,
                    known_by=told_by.known_by,
                )
            )
    return tuple(out)


def _told_of(event: DatingEvent) -> bool:
    """Whether a message can be taken to tell when it was: not what lasted, nor what anybody does
    any day.
    """
    said = event.text.lower().split()
    if event.birthday or (len(said) == 1 and said[0].endswith("ing")):
        return False
    return event.side != "during" or (said[0] in _DEFINITE and len(said) > 1)


_DEFINITE = frozenset("the our my".split())


@dataclass(frozen=True, slots=True)
class _Dating:
    """One question in one space."""

    request: RecallRequest
    query: Query

    def known(self, event: DatingEvent) -> _Found | None:
        """By a date that is known of what the event names, or by the relation that began or ended
        with it.
        """
        said = [
            token
            for token in split_question(self.query.text)
            if event.start <= token.start < event.stop
        ]
        inside = self._inside(event)
        if event.birthday:
            return self._birthday(inside or self._asker(said))
        owners = inside or self._asker(said)
        if not owners:
            return None
        return self._by_fact(owners, said) or self._by_relation(owners, said, event)

    def _inside(self, event: DatingEvent) -> list[str]:
        """Returns the entities that the event's words name, or that hops from there reach."""
        every = split_question(self.query.text)
        reached = {
            each.steps[0]: each.entity_id
            for each in self.query.reached
            if event.birthday and not each.answer
        }
        named = [
            each
            for each in self.query.linked
            if each.start >= 0 and _within(every[each.start], event)
        ]
        ids = [reached.get(each.entity_id, each.entity_id) for each in named]
        return list(dict.fromkeys(ids)) or ([reached[SELF]] if SELF in reached else [])

    def _asker(self, said: Sequence[Token]) -> list[str]:
        own = any(token.folded in ("i", "my", "we", "our") for token in said)
        if own:
            return [SELF]
        theirs = any(token.folded in ("she", "he", "they", "her", "his", "their") for token in said)
        return [each.entity_id for each in self.query.linked[:1]] if theirs else []

    def _members(self, ids: Iterable[str]) -> list[str]:
        groups = self.request.snapshot.members(self.request.space, ids)
        return [member for group in groups.values() for member in group]

    def _birthday(self, owners: Sequence[str]) -> _Found | None:
        for row in self._facts(owners[:1], _BIRTHDAYS):
            moment = self._date(row)
            if moment is not None:
                at = anniversary(moment.at, self.request.now)
                return _Found(
                    at=at, until=at + timedelta(days=1), known_by=f"{row.attribute}: {row.value}"
                )
        return None

    def _by_fact(self, owners: Sequence[str], said: Sequence[Token]) -> _Found | None:
        named = self._names_in(owners)
        asked = [snake_case(token.text) for token in said if token.folded not in STOP_WORDS | named]
        own = [
            form
            for word in asked
            for form in (word, f"{word}_date", f"{word}_day", f"date_of_{word}")
        ]
        # What is asked of a thing with a date is when that was, unless more is said of it: `before
        # Atlas`.
        plain = _DATES if not asked else ()
        for row in self._facts(owners, [*own, *plain]):
            moment = self._date(row)
            if moment is not None:
                return _Found(
                    at=moment.at, until=moment.until, known_by=f"{row.attribute}: {row.value}"
                )
        return None

    def _names_in(self, owners: Sequence[str]) -> frozenset[str]:
        every = split_question(self.query.text)
        return frozenset(
            token.folded
            for each in self.query.linked
            if each.entity_id in owners and each.start >= 0
            for token in every[each.start : each.end]
        )

    def _facts(self, owners: Sequence[str], attributes: Iterable[str]) -> list[Fact]:
        wanted = list(dict.fromkeys(attributes))
        if not owners or not wanted:
            return []
        rows = self.request.snapshot.facts(
            self.request.space, self._members(owners), attributes=wanted
        )
        held = [
            row for row in rows if row.expired_at is None and self.request.where.allows_row(row)
        ]
        then = self.request.where.as_of
        current = [
            row
            for row in held
            if row.state_at(then or self.request.now, then=then is not None) == "current"
        ]
        return sorted(current, key=lambda row: wanted.index(row.attribute))

    def _date(self, row: Fact) -> Moment | None:
        said = row.said_at
        lean: Lean = "future" if row.attribute not in _BIRTHDAYS else "past"
        found = find_moments(f"on {row.value}", said, lean)
        return found[0] if found else None

    def _by_relation(
        self, owners: Sequence[str], said: Sequence[Token], event: DatingEvent
    ) -> _Found | None:
        labels = _labels(said)
        if not labels:
            return None
        others = [each.entity_id for each in self.query.linked if each.entity_id not in owners]
        linked = [*owners, *others]
        ends = set(self._members(linked))
        names = [name for label in labels for name in names_of_label(label)]
        # Whoever moved to Lisbon has fewer relations than Lisbon has.
        rows = self.request.snapshot.relations(
            self.request.space, self._members(others or owners), labels=names
        )[-HUB:][::-1]
        over = any(token.folded in _ENDED for token in said)
        for row in rows:
            at = row.invalid_at if over else row.valid_at
            among = len(linked) == 1 or (row.from_id in ends and row.to_id in ends)
            allowed = row.expired_at is None and self.request.where.allows_row(row)
            if at is not None and among and allowed:
                text = known_label(row.label)[0].replace("_", " ")
                began = day_period(at)[0]
                until = (row.invalid_at or END) if event.side == "during" and not over else began
                return _Found(
                    at=began,
                    until=until,
                    known_by=f"{text} {'until' if over else 'since'} {at:%Y-%m-%d}",
                )
        return None

    def told(self, sought: Sequence[DatingEvent]) -> dict[DatingEvent, _Found]:
        """By the line that holds most of an event's words: the time that it names, or else its
        own.
        """
        # Words that are too common to be looked for tell of nothing: `between me and us`.
        asked = {
            event: its for event in sought if (its := tuple(dict.fromkeys(index_words(event.text))))
        }
        every = list(dict.fromkeys(word for some in asked.values() for word in some))
        if not every:
            return {}
        searching = FilteredSearch(request=replace(self.request, kinds={}))
        stats = self.request.snapshot.word_stats(self.request.space, every)
        rare = sorted(every, key=lambda word: stats.frequency.get(word, 0))[: RAREST * len(asked)]
        numbers = searching.words(rare, limit=LIMIT)
        hits = searching.held(
            self.request.snapshot.hits(self.request.space, numbers, every, now=self.request.now)
        )
        out: dict[DatingEvent, _Found] = {}
        for event, its in asked.items():
            rarity = {word: 1.0 / (1.0 + stats.frequency.get(word, 0)) ** 0.5 for word in its}
            found = self._best(_telling(hits, rarity), its)
            if found is not None:
                out[event] = found
        return out

    def _best(self, hits: Sequence[Hit], asked: Sequence[str]) -> _Found | None:
        texts = self.request.snapshot.messages(
            self.request.space, [hit.id for hit in hits if hit.kind == "message"]
        )
        plain: _Found | None = None
        for hit in hits:
            own = datetime.fromtimestamp(hit.at, UTC)
            row = texts.get(hit.id)
            if row is not None:
                near = _nearest(row.text, asked, own)
                if near is not None:
                    return _Found(at=near.at, until=near.until, known_by=f"said on {own:%Y-%m-%d}")
            if plain is None:
                at, until, _ = day_period(own)
                plain = _Found(
                    at=at,
                    until=until,
                    known_by=f"{'said on' if row else 'known of'} {own:%Y-%m-%d}",
                )
        return plain


def _within(token: Token, event: DatingEvent) -> bool:
    return event.start <= token.start < event.stop


def _labels(said: Sequence[Token]) -> list[str]:
    """Labels of relations that an event's words tell of: `moved to`, `married`."""
    out: list[str] = []
    for place, token in enumerate(said):
        after = said[place + 1].folded if place + 1 < len(said) else ""
        for known in (relation_of_verb(token.folded, after), relation_of_noun(token.folded)):
            if known is not None:
                out += [label for _, label in (*known.ways, *known.otherwise)]
    return list(dict.fromkeys(out))


def _telling(hits: Sequence[Hit], rarity: Mapping[str, float]) -> list[Hit]:
    """The lines that hold enough of the words, those with the most and rarest first, questions
    last.
    """
    total = sum(rarity.values())
    held = {
        hit.no: sum(rarity[word] for word in rarity if word in hit.counts) / total for hit in hits
    }
    enough = [hit for hit in hits if hit.kind in _KINDS and held[hit.no] >= ENOUGH]
    return sorted(enough, key=lambda hit: (-round(held[hit.no], 3), hit.question, -hit.at))[
        :MOST_READ
    ]


def _nearest(text: str, asked: Sequence[str], said: datetime) -> Moment | None:
    """The time that a message names nearest to the asked words."""
    found = find_moments(text, said, "future" if _AHEAD.search(text) else "past")
    if len(found) < 2:
        return found[0] if found else None
    places = [
        match.start()
        for match in re.finditer(r"\w+", text)
        if set(index_words(match.group())) & set(asked)
    ]
    return min(
        found, key=lambda moment: min((abs(moment.start - place) for place in places), default=0)
    )
