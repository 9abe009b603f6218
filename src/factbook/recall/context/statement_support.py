"""How well learned statements are supported: only what is well supported enters a context unasked.

A statement by hand is taken as given. A learned one starts from its extractor's confidence; each
doubt that its words raise lowers it, each further message that states it raises it. The constants
are explained in `docs/decisions/0029-contexts.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from factbook.model.episode import StoredMessage
from factbook.model.kinds import STATEMENTS
from factbook.model.record import EntityRecord, Fact, Mention
from factbook.ports.snapshot import Snapshot
from factbook.recall.request import RecallRequest
from factbook.text.clause_doubts import Doubt, Quoted, Span, find_doubts, owner_in
from factbook.text.value_forms import fit_value
from factbook.views.merged_entities import facts_by_home

LEAST_CONFIDENCE = 0.3
"""What has less doesn't enter unasked."""
MOST_CONFIDENCE = 0.9
"""One statement is worth no more, however emphatic."""
_LEFT: Mapping[Doubt, float] = {"empty": 0.0, "thin": 0.4}
_LEFT_OTHERWISE = 0.33
_MOST_MENTIONS = 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Weighed:
    """The support of a statement: its confidence (0–1), and whose wish it is where that is somebody
    else's.
    """

    confidence: float = 1.0
    owner: str = ""

    @property
    def enters(self) -> bool:
        """Whether it may enter unasked."""
        return self.confidence >= LEAST_CONFIDENCE


def well_supported(
    weighed: Mapping[str, Weighed], rows: Iterable[EntityRecord]
) -> list[EntityRecord]:
    """Returns the rows that may enter unasked, in their order."""
    return [row for row in rows if row.id not in weighed or weighed[row.id].enters]


def is_given(metadata: Mapping[str, str]) -> bool:
    """Tells whether a note's metadata leaves it standing: neither resolved nor of too little
    confidence.
    """
    share = fit_value(metadata.get("confidence", ""), "share")
    resolved = fit_value(metadata.get("resolved", ""), "yes_no") == "true"
    return not resolved and (share is None or float(share) >= LEAST_CONFIDENCE)


def weigh(request: RecallRequest, rows: Sequence[EntityRecord]) -> dict[str, Weighed]:
    """Returns the support of these canonical entities, by id; those whose names are no statements
    are left out.
    """
    snapshot, space = request.snapshot, request.space
    stated = [row for row in rows if row.kind in STATEMENTS]
    if not stated:
        return {}
    members = snapshot.members(space, [row.id for row in stated])
    facts = facts_by_home(snapshot, space, members, request.kinds, ("confidence", "resolved"))
    learned = {key for row in stated if row.source.message_id for key in members[row.id]}
    said = _Said.read(snapshot, space, learned)
    out: dict[str, Weighed] = {}
    for row in stated:
        current = [
            each for each in facts.get(row.id, ()) if each.state_at(request.now) == "current"
        ]
        confidence = _given(row, current)
        if _is_resolved(row, current):
            out[row.id] = Weighed(confidence=0.0)
        elif not row.source.message_id or any(each.source.standing == "note" for each in current):
            out[row.id] = Weighed(confidence=1.0 if confidence is None else confidence)
        else:
            start = row.importance if confidence is None else confidence
            out[row.id] = said.weigh(row, members[row.id], min(start, MOST_CONFIDENCE))
    return out


@dataclass(frozen=True, kw_only=True, slots=True)
class _Said:
    """The places of statements in the user's messages."""

    mentions: Mapping[str, Sequence[Mention]]
    messages: Mapping[str, StoredMessage]
    people: Mapping[str, Sequence[Span]]

    @classmethod
    def read(cls, snapshot: Snapshot, space: str, ids: Iterable[str]) -> _Said:
        wanted = sorted(ids)
        found = snapshot.mentions(space, wanted) if wanted else []
        mentions: dict[str, list[Mention]] = {}
        for each in found:
            if len(mentions.setdefault(each.entity_id, [])) < _MOST_MENTIONS:
                mentions[each.entity_id].append(each)
        kept = [each for some in mentions.values() for each in some]
        messages = snapshot.messages(space, {each.message_id for each in kept}) if kept else {}
        near = snapshot.mentions_in(space, {each.episode_id for each in kept}) if kept else []
        people = _people(snapshot, space, [each for each in near if each.message_id in messages])
        return cls(mentions=mentions, messages=messages, people=people)

    def weigh(self, row: EntityRecord, ids: Iterable[str], start: float) -> Weighed:
        """Weighs one statement: every message of the user that states it is evidence of its own."""
        best: dict[str, float] = {}
        owner = row.metadata.get("owner", "")
        known = [each for key in ids for each in self.mentions.get(key, ())]
        for each in known:
            message = self.messages.get(each.message_id)
            if message is None or message.role != "user":
                continue
            people = self.people.get(each.message_id, ())
            where = Quoted(text=message.text, start=each.start, end=each.end, people=people)
            found = find_doubts(each.text or row.name, where, row.kind)
            if "others" in found:
                span = owner_in(each.text, where)
                owner = owner or (message.text[slice(*span)] if span else "")
                found = found - {"others"} if owner else found
            confidence = start
            for doubt in found:
                confidence *= _LEFT.get(doubt, _LEFT_OTHERWISE)
            best[each.message_id] = max(best.get(each.message_id, 0.0), confidence)
        if not known:
            return Weighed(confidence=start if row.source.standing == "user" else 0.0, owner=owner)
        against = 1.0
        for confidence in best.values():
            against *= 1.0 - confidence
        return Weighed(confidence=1.0 - against, owner=owner)


def _people(snapshot: Snapshot, space: str, mentions: Sequence[Mention]) -> dict[str, list[Span]]:
    """Returns the places of people's names, by message."""
    homes = snapshot.canonical(space, {each.entity_id for each in mentions}) if mentions else {}
    rows = snapshot.get(space, EntityRecord, set(homes.values())) if homes else {}
    out: dict[str, list[Span]] = {}
    for each in sorted(mentions, key=lambda each: each.start):
        row = rows.get(homes[each.entity_id])
        if row is not None and row.kind == "person" and each.text[:1].isupper():
            out.setdefault(each.message_id, []).append((each.start, each.end))
    return out


def _given(row: EntityRecord, facts: Iterable[Fact]) -> float | None:
    """Returns the confidence that a fact or the metadata states; None where none does."""
    value = next(
        (each.value for each in facts if each.attribute == "confidence"),
        row.metadata.get("confidence", ""),
    )
    share = fit_value(value, "share")
    return None if share is None else float(share)


def _is_resolved(row: EntityRecord, facts: Iterable[Fact]) -> bool:
    value = next(
        (each.value for each in facts if each.attribute == "resolved"),
        row.metadata.get("resolved", ""),
    )
    return fit_value(value, "yes_no") == "true"
