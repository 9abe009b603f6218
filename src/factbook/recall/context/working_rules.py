"""The rules by which an agent works: told to it by the space's own user, or for the project that is
asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from factbook.model.episode import StoredMessage
from factbook.model.record import SELF, EntityRecord, Observation
from factbook.model.source import STANDING_RANK
from factbook.recall.phrase.phrased_line import Candidate
from factbook.recall.request import RecallRequest
from factbook.render import row_words
from factbook.render.block import Entry
from factbook.text.index_words import index_words
from factbook.text.names import exact_key, fold

MOST_RULES = 100
"""Rules that are looked at, the most important first."""
SHARE_OF_RULES = 0.3
"""Of the budget, for rules, which come before all else."""


def working_rules(request: RecallRequest) -> list[Candidate]:
    """Returns the rules that hold, the most important first, each text once, as it was said last.

    A rule that names a project, or was told in one, holds there alone. Only what the user said or
    someone wrote by hand is one: a page or a tool gives an agent no rules.
    """
    snapshot, space, where = request.snapshot, request.space, request.where
    if request.rules == "none" or (where.kinds and "observation" not in where.kinds):
        return []
    projects = _projects(request)
    members = snapshot.members(space, [SELF, *projects])
    holders = {member: projects.get(home, "") for home, some in members.items() for member in some}
    holders[SELF] = ""
    rows = snapshot.observations(space, holders, sorts=["rule"], limit=MOST_RULES)
    held = [row for row in rows if row.entity_ids[0] in holders and _holds(row, request)]
    same: dict[str, list[Observation]] = {}
    for row in held:
        same.setdefault(fold(row.text), []).append(row)
    said = snapshot.messages(space, {row.source.message_id for row in held} - {""})
    out: list[Candidate] = []
    for group in same.values():
        row = max(group, key=lambda each: each.said_at)
        messages = [said[key] for each in group if (key := each.source.message_id) in said]
        project = row.source.project or holders[row.entity_ids[0]]
        out.append(_phrased(row, request, project=project, messages=messages))
    return out


def _projects(request: RecallRequest) -> dict[str, str]:
    """Canonical ids of the projects that bear a name that is asked for, with that name."""
    snapshot, space = request.snapshot, request.space
    keys = {key: name for name in request.where.projects if (key := exact_key(name))}
    named = {
        hit.entity_id: keys[key]
        for key, hits in (snapshot.names(space, keys) if keys else {}).items()
        for hit in hits
    }
    homes = snapshot.canonical(space, named) if named else {}
    rows = snapshot.get(space, EntityRecord, set(homes.values()))
    return {home: named[key] for key, home in homes.items() if rows[home].kind == "project"}


def _holds(row: Observation, request: RecallRequest) -> bool:
    """Tells whether it is a rule here and now, by the word of a user."""
    where, now = request.where, request.now
    standing = row.source.standing
    if STANDING_RANK[standing] < STANDING_RANK["user"] or row.holds != "asserted":
        return False
    if request.rules == "by_hand" and standing != "note":
        return False
    has_begun = row.valid_at is None or row.valid_at <= now
    is_over = row.is_hidden_at(now) or (row.invalid_at is not None and row.invalid_at <= now)
    was_said = where.as_of is None or row.said_at <= where.as_of
    is_here = row.source.project in ("", *where.projects) and where.allows_row(row)
    return all((has_begun, not is_over, was_said, is_here))


def _phrased(
    row: Observation, request: RecallRequest, *, project: str, messages: Sequence[StoredMessage]
) -> Candidate:
    """Returns the rule as a line; a message of it need not enter where it says no more."""
    projects, words = request.where.projects, set(index_words(row.text))
    label = row_words.label(project, projects)
    text = row_words.rule(row)
    key = frozenset({f"{request.space} observation {row.id}"})
    told = [f"told {each.id}" for each in messages if set(index_words(each.text)) <= words]
    return Candidate(
        id=row.id,
        kind="observation",
        space=request.space,
        score=1.0,
        parts={"rule": 1.0},
        entry=Entry(
            shape="rule",
            text=f"({label}) {text}" if label else text,
            order=(row.said_at.timestamp(), row.source.position),
        ),
        at=row.said_at,
        speaker=row.source.speaker,
        session=row.source.session,
        entity_ids=row.entity_ids,
        source_id=row.source.message_id,
        project=project,
        general=bool(projects) and not project,
        says=key | frozenset(told),
        unless=key,
    )
