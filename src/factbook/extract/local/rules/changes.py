"""What takes the place of what: moving, switching, leaving."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import Clause, clauses
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.validity import is_future, is_past, is_perfect, validity
from factbook.extract.local.scene import ALWAYS, End, Finding, Link, Scene, Span

_MOVES = frozenset("move switch transfer jump migrate upgrade transition convert change go return port".split())
_LEAVES = frozenset("leave quit resign depart retire lose".split())

_STATES = {
    "organization": ("works_at", "worked_at"),
    "place": ("lives_in", "lived_in"),
    "technology": ("uses", ""),
    "product": ("uses", ""),
}
"""By the kind of the new one: the relation to it, and what the one to the old one becomes."""


def changes(scene: Scene) -> Iterator[Finding]:
    """The relations that a change ends and begins."""
    for clause in clauses(scene):
        verb = clause.verb
        if verb.lemma in _MOVES and (
            is_past(verb) or is_perfect(verb) or is_future(verb) or verb.tag in {"VBG", "VBZ"}
        ):
            if claim(scene, verb) == "holds":
                yield from _moved(scene, clause)
        elif verb.lemma in _LEAVES and (is_past(verb) or is_perfect(verb)) and claim(scene, verb) == "holds":
            yield from _left(scene, clause)


def _moved(scene: Scene, clause: Clause) -> Iterator[Finding]:
    news = [end for word in clause.after("to") for end in ends(scene, word)]
    olds = [end for word in clause.after("from") for end in ends(scene, word)]
    when = validity(scene, clause.verb, event=True)
    for new in news[:1]:
        state = _STATES.get(new.kind)
        if state is None or (
            not olds and (new.kind == "place" or clause.verb.lemma not in {"move", "switch", "upgrade"})
        ):
            continue
        for who in _whose(scene, clause, new):
            yield from _begins(scene, clause, who, state[0], new, when)
            for old in olds:
                if _STATES.get(old.kind) == state:
                    yield from _ends(scene, clause, who, state, old, when)


def _whose(scene: Scene, clause: Clause, new: End) -> list[End]:
    """Whose change it is: people's employer and home, a thing's means."""
    subjects = [end for word in clause.subjects for end in ends(scene, word, group=True)]
    if new.kind in {"organization", "place"}:
        return [end for end in subjects if end.kind in {"person", "self"}]
    things = [
        end
        for word in (*clause.after("for", ""), *_for_what(clause))
        for end in ends(scene, word, phrases=True)
        if end.kind in {"project", "product", ""} and end != new
    ]
    return things[:1] or [end for end in subjects if end.kind in {"person", "self", "project", "organization"}]


def _for_what(clause: Clause) -> list[Word]:
    return [
        word
        for target in clause.after("to")
        for preposition in target.children_by("prep")
        if preposition.lower == "for"
        for word in preposition.children_by("pobj")
    ]


def _left(scene: Scene, clause: Clause) -> Iterator[Finding]:
    when = validity(scene, clause.verb, event=True)
    left = [*clause.after("", "from"), *_at_which(clause)]
    olds = [end for word in left for end in ends(scene, word) if end.kind == "organization"]
    news = [end for word in clause.after("for", "to") for end in ends(scene, word) if end.kind == "organization"]
    who = [end for word in clause.subjects for end in ends(scene, word) if end.kind in {"person", "self"}]
    for person in who:
        for old in olds:
            yield from _ends(scene, clause, person, _STATES["organization"], old, when)
            for new in news:
                yield from _begins(scene, clause, person, "works_at", new, when)


def _at_which(clause: Clause) -> list[Word]:
    """`Acme` in `lost my job at Acme`."""
    jobs = [word for word in clause.after("") if word.lemma in {"job", "position", "post", "role", "internship"}]
    below = [
        word
        for job in jobs
        for preposition in job.children_by("prep")
        if preposition.lower in {"at", "with"}
        for word in preposition.children_by("pobj")
    ]
    return below or (clause.after("at", "with") if jobs else [])


def _begins(scene: Scene, clause: Clause, who: End, label: str, new: End, when: Span) -> Iterator[Finding]:
    start, stop = scene.quote(clause.verb)
    yield Link(left=who, label=label, right=new, start=start, stop=stop, when=when, importance=0.6)


def _ends(scene: Scene, clause: Clause, who: End, state: tuple[str, str], old: End, when: Span) -> Iterator[Finding]:
    start, stop = scene.quote(clause.verb)
    over = Span(invalid_at=when.valid_at, grain=when.grain) if when.valid_at else ALWAYS
    yield Link(left=who, label=state[0], right=old, start=start, stop=stop, when=over, retracts=True, importance=0.6)
    if state[1]:
        yield Link(left=who, label=state[1], right=old, start=start, stop=stop, when=over)
