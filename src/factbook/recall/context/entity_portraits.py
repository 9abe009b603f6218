"""Contexts of whole entities: which of them enter, and in which order, for the forms of
`render`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from factbook.model.kinds import STATEMENTS
from factbook.model.line import LineKind
from factbook.model.profile import ProfileLine
from factbook.model.recollection import LeftOut, RecalledLine, Recollection
from factbook.model.record import EntityRecord, Note, Observation
from factbook.ports.models import Tokenizer
from factbook.ports.snapshot import EntityCounts
from factbook.recall.context.entity_subjects import subject_of
from factbook.recall.context.foremost import Foremost
from factbook.recall.context.question_relevance import FLOOR, AskedWords, find_holders
from factbook.recall.context.statement_support import weigh, well_supported
from factbook.recall.context.unasked_lines import latest_first, shown_rows
from factbook.recall.context.working_rules import SHARE_OF_RULES
from factbook.recall.find.known_rows import read_rows
from factbook.recall.pack.compose import SHARE_OF_ALWAYS
from factbook.recall.phrase.expired_twins import expired_names, expired_twins
from factbook.recall.phrase.kind_details import figures, with_figures
from factbook.recall.phrase.phrased_line import Candidate
from factbook.recall.request import RecallRequest
from factbook.recall.weights import FADES_OVER_DAYS, IMPORTANCE, RECENCY, RELEVANCE
from factbook.render import row_words
from factbook.render.block import because
from factbook.render.forms import RULE, find_form
from factbook.render.listing import Shown, Subject, fit_listing
from factbook.text.host_ids import without_host_ids

MOST = 100
"""Entities that are looked at."""
OFTEN = 2
"""Messages that name someone of whom nothing else is known, for the name to enter unasked."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Needed:
    """The needs of a question in one space: its words, and the lines that answer it, best first;
    none where it is silent.
    """

    words: AskedWords
    lines: Sequence[Candidate] = ()
    silent: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class _Portrait:
    space: str
    owner: EntityRecord
    subject: Subject
    parts: Mapping[str, float]
    kind: LineKind = "entity"

    @property
    def score(self) -> float:
        return sum(self.parts.values())

    @property
    def key(self) -> tuple[str, str]:
        return self.space, self.owner.id

    @property
    def tells(self) -> bool:
        """Whether it says more than a name."""
        return (
            bool(self.subject.description or self.subject.statements)
            or self.owner.kind in STATEMENTS
        )


def portray(
    request: RecallRequest,
    first: Foremost,
    needed: Mapping[str, Needed] | None,
    about: Sequence[str],
) -> Recollection:
    """The entities that matter, whole, in this form and within the budget.

    With a question they are ordered by document 002's weights: 0.6 for the share of the question
    that they hold, 0.3 for importance, 0.1 for recency over 180 days; without one by importance and
    recency alone, those of whom only the name is known last.

    Args:
        first: what enters before all else, within its shares of the budget.
        needed: what the question needs, by space; None without one.
    """
    budget, tokenizer, form = request.budget, request.tokenizer, request.form
    parts = request.split_spaces()
    wishes = [each for part in parts for each in _wishes(part, first.wishes, needed)]
    by_key = {each.key: each for each in wishes}
    wished = [by_key[key] for each in first.wishes if (key := (each.space, each.id)) in by_key]
    rules, profiled = _rules(parts[0], first), _profiled(parts[0], first)
    kept = [*rules, *wished, *profiled]
    by_key = {each.key: each for each in kept}
    tied = form == "semantic_memory"
    rest = [each for part in parts for each in _others(part, by_key, needed, tied=tied)]
    if profiled and needed is None:
        rest = []
    rest.sort(
        key=lambda each: (
            not each.tells and needed is None,
            -each.score,
            -len(each.subject.statements),
        )
    )
    portraits = [*kept, *rest]
    subjects = [each.subject for each in portraits]
    shape = find_form(form, subjects)
    shares = [
        (len(rules), int(SHARE_OF_RULES * budget)),
        (len(wished), int(SHARE_OF_ALWAYS * budget)),
    ]
    shown = fit_listing(subjects, shape, tokenizer, budget, shares=shares)
    text = shape.whole(shown)
    chosen = {each.place for each in shown}
    told = [_line(portraits[each.place], each, tokenizer) for each in shown]
    left = [number for number in range(len(portraits)) if number not in chosen][:10]
    return Recollection(
        question=request.question,
        text=text,
        lines=tuple(sorted(told, key=lambda line: -line.score)),
        tokens=tokenizer.count(text) if text else 0,
        budget=budget,
        candidates=len(portraits),
        near=tuple(
            _line(
                portraits[number],
                Shown(place=number, subject=subjects[number], line=_name(portraits[number])),
                tokenizer,
                "budget",
            )
            for number in left
        ),
        about=tuple(dict.fromkeys(about)),
    )


def _wishes(
    request: RecallRequest, always: Sequence[Candidate], needed: Mapping[str, Needed] | None
) -> list[_Portrait]:
    """Returns the preferences and pain points of a space that enter first, notes among them."""
    snapshot, space = request.snapshot, request.space
    asked = needed[space].words if needed is not None and space in needed else None
    mine = [each for each in always if each.space == space]
    ids = [each.id for each in mine if each.kind == "entity"]
    notes = snapshot.get(space, Note, [each.id for each in mine if each.kind == "note"])
    kinds = {each.id: each.always for each in mine}
    as_rows = [_as_entity(note, kinds[note.id]) for note in notes.values()]
    read = _PortraitReading(request=request, asked=asked)
    out = read.portraits(shown_rows(request, ids))
    for row in as_rows:
        subject = Subject(
            key=f"{space} note {row.id}",
            name=row.name,
            kind=row.kind,
            label=row.kind,
            section=request.kinds[row.kind].section if row.kind in request.kinds else "",
            space=request.mark,
            scope=row_words.label(row.source.project, request.where.projects),
        )
        out.append(
            _Portrait(
                space=space, owner=row, subject=subject, parts=read.parts(row, subject), kind="note"
            )
        )
    return out


def _rules(request: RecallRequest, first: Foremost) -> list[_Portrait]:
    """Returns the working rules as entities of a kind of their own."""
    rows = request.snapshot.get(request.space, Observation, [each.id for each in first.rules])
    read = _PortraitReading(request=request)
    out: list[_Portrait] = []
    for rule in first.rules:
        row = rows[rule.id]
        owner = _as_entity(row, RULE)
        subject = Subject(
            key=f"{request.space} observation {row.id}",
            name=row.text,
            kind=RULE,
            label=RULE,
            section="Working Rules",
            scope=row_words.label(rule.project, request.where.projects),
        )
        parts = read.parts(owner, subject)
        out.append(
            _Portrait(
                space=request.space, owner=owner, subject=subject, parts=parts, kind="observation"
            )
        )
    return out


def _profiled(request: RecallRequest, first: Foremost) -> list[_Portrait]:
    """Returns those whom the context is about, with what is worth knowing of them."""
    read = _PortraitReading(request=request)
    lines = {each.entity.id: each.lines for each in first.profiles}
    portraits = read.portraits(shown_rows(request, list(lines)))
    return [
        replace(each, subject=_with_lines(each.subject, lines[each.owner.id])) for each in portraits
    ]


def _with_lines(subject: Subject, lines: Sequence[ProfileLine]) -> Subject:
    """Returns the entity with the lines of its profile that tell more than what holds."""
    told: dict[str, list[str]] = {}
    for line in lines:
        if line.sort:
            told.setdefault(line.sort, []).append(line.text)
    said = [f"{sort}: {text}" for sort, texts in told.items() for text in texts]
    return replace(
        subject,
        statements=(*subject.statements, *said),
        facts=(*subject.facts, *said),
        pairs={**subject.pairs, **{sort: "; ".join(texts) for sort, texts in told.items()}},
    )


def _as_entity(row: Note | Observation, kind: str) -> EntityRecord:
    return EntityRecord(
        id=row.id,
        name=row_words.message_line(row.text),
        kind=kind,
        importance=row.importance,
        created_at=row.created_at,
        updated_at=row.said_at,
        source=row.source,
    )


def _others(
    request: RecallRequest,
    kept: Mapping[tuple[str, str], _Portrait],
    needed: Mapping[str, Needed] | None,
    *,
    tied: bool,
) -> list[_Portrait]:
    """Returns the other entities of a space: those that the question needs, or the last seen.

    Of whom only a name is known enters without a question if something else is linked to it, or it
    is named often. A phrase (`other`) at the end of a relation enters only with `tied`, where
    relations are lines of their own.
    """
    space = request.space
    first = {key for home, key in kept if home == space}
    if needed is not None:
        return _needed(request, first, needed[space]) if space in needed else []
    out = list[_Portrait]()
    read = _PortraitReading(request=request)
    for ids in request.entity_pages(MOST):
        rows = shown_rows(request, [key for key in ids if key not in first])
        rows = [row for row in rows if row.kind not in row_words.ALWAYS]
        rows = well_supported(weigh(request, rows), rows)
        found = read.portraits(rows)
        ends = {key for each in found for _, key in each.subject.links}
        for each in found:
            linked = each.subject.key in ends and (tied or each.owner.kind != "other")
            if each.tells or linked or read.is_often_named(each.owner):
                out.append(each)
        if not request.where.is_narrow or len(out) >= MOST:
            break
    return out[:MOST]


def _needed(request: RecallRequest, first: set[str], needed: Needed) -> list[_Portrait]:
    """Returns the entities that lines which answer are about, and those that hold enough of the
    question's words.
    """
    if needed.silent:
        return []
    said = dict.fromkeys(key for each in needed.lines for key in each.entity_ids)
    homes = request.snapshot.canonical(request.space, said) if said else {}
    answering = dict.fromkeys(homes[key] for key in said)
    holders = find_holders(request, needed.words.rarity, MOST)
    ids = [key for key in dict.fromkeys([*answering, *holders]) if key not in first][: 2 * MOST]
    read = _PortraitReading(request=request, asked=needed.words)
    found = read.portraits(shown_rows(request, ids))
    best = max((each.parts["relevance"] for each in found), default=0.0)
    return [
        each
        for each in found
        if each.owner.id in answering or each.parts["relevance"] >= FLOOR * best > 0
    ]


@dataclass(frozen=True, kw_only=True, slots=True)
class _PortraitReading:
    """Reads what is known of entities of one space; `asked` are the words of the question, None
    without one.
    """

    request: RecallRequest
    asked: AskedWords | None = None

    def portraits(self, owners: Sequence[EntityRecord]) -> list[_Portrait]:
        """Returns those of these entities that the filter lets through, or something said of
        them.
        """
        request = self.request
        snapshot, space = request.snapshot, request.space
        members = snapshot.members(space, [row.id for row in owners])
        known = latest_first(request, [each for group in members.values() for each in group])
        rows = read_rows(request, {**known, "entity": [row.id for row in owners]})
        rows = with_figures(rows, figures(request, owners), request.kinds)
        gone = expired_twins(request, rows)
        weighed = weigh(request, [row for row in owners if row.kind in row_words.ALWAYS])
        seen = snapshot.counts(space, members)
        out: list[_Portrait] = []
        for row in owners:
            describes = request.where.allows_entity(row)
            whose = weighed[row.id].owner if row.id in weighed else ""
            subject = subject_of(row, rows, request, describes=describes, gone=gone, whose=whose)
            if describes or subject.statements:
                parts = self.parts(row, subject, seen.get(row.id))
                out.append(_Portrait(space=space, owner=row, subject=subject, parts=parts))
        names = expired_names(request, [each.owner for each in out if not each.tells])
        return [each for each in out if each.owner.id not in names]

    def parts(
        self, row: EntityRecord, subject: Subject, seen: EntityCounts | None = None
    ) -> dict[str, float]:
        """Returns what the score of an entity is made of."""
        now, weights = self.request.now, self.request.weights
        at = (
            max(row.updated_at, seen.last_seen)
            if seen is not None and seen.last_seen
            else row.updated_at
        )
        age = max(0.0, (now - row.updated_at).total_seconds() / 86400)
        unseen = max(0.0, (now - at).total_seconds() / 86400)
        parts = {
            "importance": IMPORTANCE * weights.faded(row.importance, age),
            "recency": RECENCY * max(0.0, 1 - unseen / FADES_OVER_DAYS),
        }
        if self.asked is None:
            return parts
        return {
            "relevance": RELEVANCE * self.asked.share(row.id, self._text(row, subject)),
            **parts,
        }

    def is_often_named(self, row: EntityRecord) -> bool:
        """Tells whether an entity of which nothing else is known was made by hand, or is of some
        kind and named again.
        """
        if not row.source.message_id or row.kind == "other":
            return not row.source.message_id
        counts = self.request.snapshot.counts(self.request.space, [row.id])
        return row.id in counts and counts[row.id].mentions >= OFTEN

    def _text(self, row: EntityRecord, subject: Subject) -> str:
        """Returns all words by which an entity is known: its names, its kind, what is said of
        it.
        """
        aliases = without_host_ids(
            each.name for each in self.request.snapshot.aliases(self.request.space, [row.id])
        )
        said = (
            *aliases,
            row.label,
            row.kind.replace("_", " "),
            subject.description,
            *subject.statements,
        )
        return " ".join([row.name, *said])


def _name(portrait: _Portrait) -> str:
    return row_words.heading(portrait.owner, portrait.subject.space, portrait.subject.scope)


def _line(
    portrait: _Portrait, shown: Shown, tokenizer: Tokenizer, left_out: LeftOut = ""
) -> RecalledLine:
    return RecalledLine(
        id=portrait.owner.id,
        kind=portrait.kind,
        space=portrait.space,
        text=shown.text,
        score=portrait.score,
        parts=portrait.parts,
        because=because(portrait.parts),
        at=portrait.owner.updated_at,
        tokens=tokenizer.count(shown.text),
        speaker=portrait.owner.source.speaker,
        session=portrait.owner.source.session,
        entity_ids=(portrait.owner.id,) if portrait.kind == "entity" else (),
        source_id=portrait.owner.source.message_id,
        project=portrait.owner.source.project,
        general=bool(portrait.subject.scope) and not portrait.owner.source.project,
        left_out=left_out,
    )
