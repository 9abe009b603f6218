"""Lines that a context says unasked: preferences and pain points, cards of the most important and
recent entities, and what was just remembered and isn't learned yet, word for word (a chat's first
contexts tell it while the models load).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import partial

from factbook.model.line import Hit, LineFilter, LineKind
from factbook.model.record import EntityRecord, Note
from factbook.recall.context.statement_support import Weighed, is_given, weigh, well_supported
from factbook.recall.find.filtered_search import FilteredSearch
from factbook.recall.find.known_rows import KnownRows, read_rows
from factbook.recall.phrase.expired_twins import expired_twins
from factbook.recall.phrase.kind_details import figures, with_figures
from factbook.recall.phrase.line_phrases import Phrasing
from factbook.recall.phrase.phrased_line import Candidate
from factbook.recall.rank.ranking import Scored
from factbook.recall.request import RecallRequest
from factbook.render.row_words import ALWAYS
from factbook.store.derive import derive_message_line
from factbook.text.kind_names import declared_kind
from factbook.text.names import fold

ALWAYS_A_KIND = 5
"""Preferences, and pain points, that come before a further one of the other kind."""
MOST_A_KIND = 40
"""Preferences, and pain points, that are looked at."""
CARDS = 30
"""Entities that are looked at for a context without a question."""
PARTS_OF_CARD = 6
"""Facts, and relations, of one entity: the latest."""
MOST_WAITING = 200
"""Jobs of a space from which on an import goes on, and no chat."""
MOST_EPISODES = 8
MOST_MESSAGES = 8
UNLEARNED_SCORE = 0.05
"""It comes after all that is known or was asked for; what is later comes first."""


def unasked_lines(request: RecallRequest) -> list[Candidate]:
    """Returns the current, well supported preferences and pain points that the filter lets through,
    notes among them: of each kind the most important first, the kinds in turn.
    """
    found = [
        _by_importance([*_entities(request, kind), *notes])
        for kind, notes in _notes(request).items()
    ]
    turns = [
        (turn // ALWAYS_A_KIND, turn, number, candidate)
        for number, some in enumerate(found)
        for turn, candidate in enumerate(some)
    ]
    return [candidate for *_, candidate in sorted(turns, key=lambda each: each[:3])]


def _entities(request: RecallRequest, kind: str) -> list[tuple[float, Candidate]]:
    """Returns the entities of one kind, each with its importance."""
    where = request.where
    if where.kinds and "entity" not in where.kinds:
        return []
    shown: list[EntityRecord] = []
    weighed: dict[str, Weighed] = {}
    for ids in request.entity_pages(MOST_A_KIND, kinds=[kind]):
        rows = [
            row
            for row in shown_rows(request, ids)
            if where.allows_row(row) and row.was_known_at(where.as_of)
        ]
        weighed |= weigh(request, rows)
        shown += well_supported(weighed, rows)
        if len(shown) >= MOST_A_KIND:
            break
    chosen = sorted(shown, key=lambda row: -row.importance)[:MOST_A_KIND]
    read = read_rows(request, {"entity": [row.id for row in chosen]})
    phrasing = Phrasing(request, read)
    return [
        (row.importance, phrasing.always(row, 1.0, {"always": 1.0}, weighed[row.id].owner))
        for row in chosen
    ]


def _notes(request: RecallRequest) -> dict[str, list[tuple[float, Candidate]]]:
    """Returns, by kind, the notes whose category is that kind, each with its importance."""
    out: dict[str, list[tuple[float, Candidate]]] = {kind: [] for kind in ALWAYS}
    snapshot, space, now = request.snapshot, request.space, request.now
    if request.where.kinds and "note" not in request.where.kinds:
        return out
    phrasing = Phrasing(request, KnownRows())
    named = {
        name: declared_kind(name, request.kinds)
        for name in snapshot.note_categories(space, now=now)
    }
    for kind, found in out.items():
        names = [name for name, meant in named.items() if meant == kind]
        notes = (
            snapshot.notes(space, categories=names, now=now, order="importance", limit=MOST_A_KIND)
            if names
            else []
        )
        found += [
            (row.importance, phrasing.wish(row, kind))
            for row in notes
            if _may_enter(row, request.where)
        ]
    return out


def _may_enter(row: Note, where: LineFilter) -> bool:
    was_said = where.as_of is None or row.said_at <= where.as_of
    return was_said and where.allows_row(row) and is_given(row.metadata)


def _by_importance(found: Sequence[tuple[float, Candidate]]) -> list[Candidate]:
    """Returns the most important first, each text once."""
    once: dict[str, Candidate] = {}
    for _, candidate in sorted(found, key=lambda each: -each[0]):
        first = once.setdefault(fold(candidate.entry.text), candidate)
        once[fold(candidate.entry.text)] = replace(first, says=first.says | candidate.says)
    return list(once.values())


def cards(request: RecallRequest) -> list[Candidate]:
    """The cards of a space's most important and recent entities, part by part."""
    out: list[Candidate] = []
    for number, ids in enumerate(request.entity_pages(CARDS)):
        shown = [row for row in shown_rows(request, ids) if row.kind not in ALWAYS]
        shown = well_supported(weigh(request, shown), shown)
        out += _cards(request, shown, newness=0.5**number)
        if not request.where.is_narrow or len({each.entry.group for each in out}) >= CARDS:
            break
    return out


def _cards(
    request: RecallRequest, shown: Sequence[EntityRecord], *, newness: float
) -> list[Candidate]:
    members = request.snapshot.members(request.space, [row.id for row in shown])
    home = {member: key for key, group in members.items() for member in group}
    known = latest_first(request, list(home))
    rows = read_rows(request, {**known, "entity": [row.id for row in shown]})
    rows = with_figures(rows, figures(request, shown), request.kinds)
    gone = expired_twins(request, rows)
    phrasing = Phrasing(request, rows, gone=gone)
    parts: dict[str, list[Callable[[float, Mapping[str, float]], Candidate | None]]] = {}
    for fact in rows.facts.values():
        parts.setdefault(home.get(fact.entity_id, ""), []).append(partial(phrasing.fact, fact))
    for link in rows.relations.values():
        parts.setdefault(home.get(link.from_id, ""), []).append(partial(phrasing.relation, link))
    out: list[Candidate] = []
    for place, owner in enumerate(shown):
        made_of = {
            "importance": 0.5 * owner.importance,
            "recency": 0.5 * newness * (1.0 - place / len(shown)),
        }
        score = sum(made_of.values())
        tells = owner.description or owner.kind == "decision" or phrasing.details(owner)
        if tells and request.where.allows_entity(owner):
            out.append(phrasing.entity(owner, score, made_of))
        put = (part(score, made_of) for part in parts.get(owner.id, ()))
        out.extend(candidate for candidate in put if candidate is not None)
    return out


def latest_first(request: RecallRequest, ids: Sequence[str]) -> dict[LineKind, list[str]]:
    """Ids of the latest facts and relations about each of these that the filter lets through, by
    kind.
    """
    searching = FilteredSearch(request=request)
    out: dict[LineKind, list[str]] = {}
    for kind in ("fact", "relation"):
        numbers = searching.of_entities(ids, (kind,), limit=PARTS_OF_CARD)
        out[kind] = [
            hit.id for hit in searching.held(request.snapshot.hits(request.space, numbers, ()))
        ]
    return out


def shown_rows(request: RecallRequest, ids: Sequence[str]) -> list[EntityRecord]:
    """These entities, but for what has expired."""
    rows = request.snapshot.get(request.space, EntityRecord, ids)
    return [
        row
        for key in ids
        if (row := rows.get(key)) is not None and not row.is_hidden_at(request.now)
    ]


def unlearned_lines(request: RecallRequest, told: Container[str]) -> list[Candidate]:
    """Returns the user's latest messages that wait to be learned, latest first, without those that
    are `told`.
    """
    snapshot, space, where = request.snapshot, request.space, request.where
    counts = snapshot.job_counts(space)
    waiting = counts.get("waiting", 0) + counts.get("running", 0)
    if not waiting or waiting > MOST_WAITING or where.as_of is not None:
        return []
    jobs = snapshot.jobs(space, states=("waiting", "running"))[-MOST_EPISODES:]
    found = snapshot.episodes(space, [job.id for job in jobs])
    said = [message for job in jobs if job.id in found for message in found[job.id].messages]
    shown = [
        each
        for each in said
        if each.role == "user"
        and each.id not in told
        and where.allows_line(derive_message_line(each))
    ]
    latest = sorted(shown, key=lambda each: (each.at, each.position))[-MOST_MESSAGES:]
    phrasing = Phrasing(request, KnownRows(messages={each.id: each for each in latest}))
    out: list[Candidate] = []
    for place, message in enumerate(latest, 1):
        score = UNLEARNED_SCORE * place / len(latest)
        scored = Scored(hit=Hit(no=-1, id=message.id, kind="message"), score=score, index=0)
        candidate = phrasing.phrase(scored, {"just said": score})
        out += [candidate] if candidate is not None else []
    return out[::-1]
