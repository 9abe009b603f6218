"""Facts, relations and names that the words of an expired preference produced as well: they expire
with it.

`I prefer tables over charts` gives a preference, a relation (`prefers` tables) and a name (tables).
Only the first has a lifespan. What was stated in other words too stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from factbook.model.episode import StoredMessage
from factbook.model.record import EntityRecord, Fact, Mention, Relation
from factbook.model.source import Source
from factbook.recall.find.known_rows import KnownRows
from factbook.recall.request import RecallRequest
from factbook.render.row_words import ALWAYS
from factbook.text.clause_doubts import Span
from factbook.text.index_words import index_words

_TASTES = frozenset({"prefers", "likes", "dislikes"})
"""Labels that say no more than that somebody has the preference."""


def expired_twins(request: RecallRequest, rows: KnownRows) -> frozenset[str]:
    """Returns the ids of the facts and relations that rest on nothing but the words of expired
    preferences.
    """
    statements: list[Fact | Relation] = [*rows.facts.values(), *rows.relations.values()]
    stated = {row.id: row for row in statements if _label(row) in _TASTES and row.source.message_id}
    if not stated:
        return frozenset()
    expired = _Expired.read(request, {row.source.episode_id for row in stated.values()})
    names = rows.names
    twins = {key for key, row in stated.items() if expired.covers(row.source, _value(row, names))}
    if not twins:
        return frozenset()
    again = request.snapshot.supports(request.space, sorted(twins))
    others = [each.source for some in again.values() for each in some]
    expired = _Expired.read(request, {source.episode_id for source in others} | expired.episodes)
    return frozenset(
        key
        for key in twins
        if all(
            expired.covers(each.source, _value(stated[key], names)) for each in again.get(key, ())
        )
    )


def expired_names(request: RecallRequest, rows: Iterable[EntityRecord]) -> frozenset[str]:
    """Returns the ids of the entities that are named nowhere but within the words of expired
    preferences.
    """
    snapshot, space = request.snapshot, request.space
    wanted = [row.id for row in rows if row.source.message_id and row.kind not in ALWAYS]
    members = snapshot.members(space, wanted) if wanted else {}
    home = {member: key for key, group in members.items() for member in group}
    mentions: dict[str, list[Mention]] = {}
    for each in snapshot.mentions(space, list(home)) if home else ():
        mentions.setdefault(home[each.entity_id], []).append(each)
    episodes = {each.episode_id for some in mentions.values() for each in some}
    expired = _Expired.read(request, episodes)
    return frozenset(
        key for key, some in mentions.items() if expired.spans and all(map(expired.holds, some))
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Expired:
    """The places of expired preferences in some episodes, by message."""

    episodes: frozenset[str]
    spans: Mapping[str, Collection[Span]]
    messages: Mapping[str, StoredMessage]

    @classmethod
    def read(cls, request: RecallRequest, episodes: Collection[str]) -> _Expired:
        snapshot, space = request.snapshot, request.space
        wanted = frozenset(each for each in episodes if each)
        mentions = snapshot.mentions_in(space, wanted) if wanted else []
        homes = snapshot.canonical(space, {each.entity_id for each in mentions}) if mentions else {}
        found = snapshot.get(space, EntityRecord, set(homes.values())) if homes else {}
        gone = {
            key
            for key, row in found.items()
            if row.kind in ALWAYS and row.is_hidden_at(request.now)
        }
        spans: dict[str, list[Span]] = {}
        for each in mentions:
            if homes[each.entity_id] in gone:
                spans.setdefault(each.message_id, []).append((each.start, each.end))
        return cls(
            episodes=wanted, spans=spans, messages=snapshot.messages(space, spans) if spans else {}
        )

    def holds(self, mention: Mention) -> bool:
        """Tells whether a mention lies within the words of one of them."""
        return any(
            start <= mention.start and mention.end <= end
            for start, end in self.spans.get(mention.message_id, ())
        )

    def covers(self, source: Source, value: str) -> bool:
        """Tells whether a statement of a taste for something rests on the same words as one of
        them.
        """
        message = self.messages.get(source.message_id)
        place = message.text.find(source.quote) if message is not None and source.quote else -1
        if message is None or place < 0:
            return False
        for start, end in self.spans[message.id]:
            meets = start < place + len(source.quote) and place < end
            if meets and set(index_words(message.text[start:end])).issuperset(index_words(value)):
                return True
        return False


def _label(row: Fact | Relation) -> str:
    return row.attribute if isinstance(row, Fact) else row.label


def _value(row: Fact | Relation, names: Mapping[str, str]) -> str:
    return row.value if isinstance(row, Fact) else names.get(row.to_id, "")
