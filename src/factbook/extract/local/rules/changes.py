"""What takes the place of what: moving, switching, dropping, replacing, taking over, leaving."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import Clause, clauses
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.fitting import implied
from factbook.extract.local.rules.nouns import GROUPS_OF_PEOPLE
from factbook.extract.local.rules.sense import TOOLS
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.validity import is_future, is_past, is_perfect, validity
from factbook.extract.local.scene import ALWAYS, End, Finding, Link, Scene, Span

_MOVES = frozenset(
    "move switch transfer jump migrate upgrade transition convert change go return port shift".split()
)
_DROPS = frozenset(
    "cancel drop ditch abandon dump scrap axe retire decommission uninstall sunset".split()
)
_LEAVES = frozenset("leave quit resign depart retire lose".split())
_REPLACES = {
    "replace": ("with", "by"),
    "swap": ("for", "with"),
    "exchange": ("for",),
    "swap out": ("for", "with"),
}
_TAKES_OVER = {"take": "over", "inherit": ""}
_HANDS_OVER = frozenset("hand pass transfer".split())
_JOBS = frozenset("job position post role internship gig traineeship apprenticeship".split())

_STATES = {
    "organization": ("works_at", "worked_at"),
    "place": ("lives_in", "lived_in"),
    "technology": ("uses", ""),
    "product": ("uses", ""),
}
"""By the kind of the new one: the relation to it, and what the one to the old one becomes."""

_USES = ("uses", "used")
"""Where nothing else says what it was (`we dropped Jenkins`)."""
_MEANS = frozenset({"technology", "product"})
_EMPLOYERS = frozenset({"organization", "product", "technology"})
"""What a person leaves for; an employer may pass for what it makes."""


def changes(scene: Scene) -> Iterator[Finding]:
    """The relations that a change ends and begins."""
    for clause in clauses(scene):
        verb = clause.verb
        happened = (
            is_past(verb) or is_perfect(verb) or (verb.tag == "VBD" or _is_reported(scene, clause))
        )
        comes = is_future(verb) or verb.tag in {"VBG", "VBZ"}
        if not (happened or (comes and verb.lemma in _MOVES)) or claim(scene, verb) != "holds":
            continue
        if verb.lemma in _MOVES:
            yield from _moved(scene, clause)
        if verb.lemma in _DROPS:
            yield from _dropped(scene, clause)
        if verb.lemma in _LEAVES:
            yield from _left(scene, clause)
        if verb.lemma in _REPLACES:
            yield from _replaced(scene, clause)
        if verb.lemma in _TAKES_OVER:
            yield from _took_over(scene, clause)
        if verb.lemma in _HANDS_OVER:
            yield from _handed_over(scene, clause)


def _is_reported(scene: Scene, clause: Clause) -> bool:
    """`Replaced Flask with FastAPI.`: a note of what was done."""
    return clause.verb.tag == "VBN" and bool(implied(scene, clause))


def _subjects(scene: Scene, clause: Clause) -> list[End]:
    return [end for word in clause.subjects for end in ends(scene, word, group=True)] or implied(
        scene, clause
    )


# ------------------------------------------------------------------------------------------------
# means, homes, employers


def _moved(scene: Scene, clause: Clause) -> Iterator[Finding]:
    news = [end for word in clause.after("to", "onto") for end in ends(scene, word)]
    olds = [end for word in clause.after("from", "off", "off of") for end in ends(scene, word)]
    when = validity(scene, clause.verb, event=True)
    if not news:
        yield from _moved_off(scene, clause, olds, when)
    for new in news[:1]:
        state = _STATES.get(new.kind)
        if state is None or (new.kind == "place" and clause.after("")):
            continue
        if not olds and (
            new.kind == "place" or clause.verb.lemma not in {"move", "switch", "upgrade", "migrate"}
        ):
            continue
        for who in _whose(scene, clause, new.kind, new):
            yield from _begins(scene, clause, who, state[0], new, when)
            for old in olds:
                if _STATES.get(old.kind) == state:
                    yield from _ends(scene, clause, who, state, old, when)


def _moved_off(scene: Scene, clause: Clause, olds: list[End], when: Span) -> Iterator[Finding]:
    """`we moved off Jenkins`, `I moved away from Oslo`, with nothing said of what came instead."""
    for old in olds:
        state = _USES if old.kind in _MEANS else _STATES["place"] if old.kind == "place" else None
        if state is not None and (old.kind != "place" or clause.verb.lemma == "move"):
            for who in _whose(scene, clause, old.kind, old):
                yield from _ends(scene, clause, who, state, old, when)


def _dropped(scene: Scene, clause: Clause) -> Iterator[Finding]:
    when = validity(scene, clause.verb, event=True)
    if clause.passive:
        return
    for old in (end for word in clause.after("") for end in ends(scene, word)):
        for who in _subjects(scene, clause):
            if old.kind in _MEANS and who.kind in {"self", "organization", "project"}:
                yield from _ends(scene, clause, who, _USES, old, when)


def _whose(scene: Scene, clause: Clause, kind: str, new: End) -> list[End]:
    """Whose change it is: people's employer and home, a thing's means."""
    subjects = _subjects(scene, clause)
    if kind in {"organization", "place"}:
        return [end for end in subjects if end.kind in {"person", "self"}]
    things = [
        end
        for word in (*clause.after("for", ""), *_for_what(clause))
        for end in ends(scene, word, phrases=True)
        if end.kind in {"project", "product", ""} and end != new
    ]
    return things[:1] or [
        end for end in subjects if end.kind in {"person", "self", "project", "organization"}
    ]


def _for_what(clause: Clause) -> list[Word]:
    return [
        word
        for target in clause.after("to")
        for preposition in target.children_by("prep")
        if preposition.lower == "for"
        for word in preposition.children_by("pobj")
    ]


# ------------------------------------------------------------------------------------------------
# one for the other


def _replaced(scene: Scene, clause: Clause) -> Iterator[Finding]:
    """`we replaced Flask with FastAPI`, `FastAPI replaced Flask in the shop`, `Flask was replaced
    with FastAPI`.
    """
    by = replacements(clause)
    olds, news = clause.after(""), by
    whose: list[End] = []
    if clause.passive:
        olds = list(clause.subjects)
    elif by:
        whose = [
            end
            for end in _subjects(scene, clause)
            if end.kind in {"self", "organization", "project"}
        ]
    elif clause.verb.lemma == "replace":
        news = list(clause.subjects)
    old_ends = [end for word in olds for end in ends(scene, word) if end.kind]
    new_ends = [end for word in news for end in ends(scene, word) if end.kind]
    when = validity(scene, clause.verb, event=True)
    start, stop = scene.quote(clause.verb)
    whose = _within(scene, clause, [*olds, *news]) or whose
    for old in old_ends[:1]:
        for new in new_ends[:1]:
            if new != old and by:
                yield Link(left=new, label="replaced", right=old, start=start, stop=stop, when=when)
            if old.kind in TOOLS and new.kind in TOOLS and old != new:
                for who in whose:
                    yield from _begins(scene, clause, who, _USES[0], new, when)
                    yield from _ends(scene, clause, who, _USES, old, when)


def replacements(clause: Clause) -> list[Word]:
    """`FastAPI` in `replaced Flask with FastAPI`, wherever the parser hangs it."""
    wanted = _REPLACES[clause.verb.lemma]
    beside = [
        word
        for each in clause.after("")
        for preposition in each.children_by("prep")
        if preposition.lower in wanted and preposition.i > each.i
        for word in preposition.children_by("pobj")
    ]
    return [word for word in (*clause.after(*wanted), *beside) if word.i > clause.verb.i]


def _within(scene: Scene, clause: Clause, words: list[Word]) -> list[End]:
    """`the shop` in `replaced Flask in the shop`."""
    inside = [
        *clause.after("in"),
        *(
            each
            for word in words
            for preposition in word.children_by("prep")
            if preposition.lower == "in" and preposition.i > clause.verb.i
            for each in preposition.children_by("pobj")
        ),
    ]
    found = [
        end
        for word in inside
        for end in ends(scene, word, phrases=True)
        if end.kind in {"project", "product"}
    ]
    return found[:1]


def _took_over(scene: Scene, clause: Clause) -> Iterator[Finding]:
    """`Ana took over the shop from Tom`: it is no longer his."""
    when = validity(scene, clause.verb, event=True)
    for word in clause.after(_TAKES_OVER[clause.verb.lemma]):
        group = word.lemma in GROUPS_OF_PEOPLE
        for thing in ends(scene, word, phrases=True):
            for old in (end for each in clause.after("from") for end in ends(scene, each)):
                if old.kind in {"person", "self"} and thing.kind not in {"person", "self", "place"}:
                    yield from _ends(
                        scene, clause, old, ("leads", "led") if group else ("owns", ""), thing, when
                    )


def _handed_over(scene: Scene, clause: Clause) -> Iterator[Finding]:
    """`Tom handed auth-service over to Ana`: it is hers now."""
    when = validity(scene, clause.verb, event=True)
    things = clause.subjects if clause.passive else clause.after("")
    for thing in (
        end
        for word in things
        for end in ends(scene, word)
        if end.kind in {"project", "product", "task"}
    ):
        for new in (end for word in clause.after("to", "over to") for end in ends(scene, word)):
            if new.kind in {"person", "self"}:
                yield from _begins(scene, clause, new, "owns", thing, when)


# ------------------------------------------------------------------------------------------------
# employers


def _left(scene: Scene, clause: Clause) -> Iterator[Finding]:
    when = validity(scene, clause.verb, event=True)
    left = [*clause.after("", "from"), *_at_which(clause)]
    olds = [end for word in left for end in ends(scene, word) if end.kind == "organization"]
    news = [
        end
        for word in clause.after("for", "to")
        for end in ends(scene, word)
        if end.kind == "organization"
    ]
    if not left:
        news = [
            end
            for word in clause.after("for")
            for end in ends(scene, word)
            if end.kind in _EMPLOYERS
        ]
    who = [end for end in _subjects(scene, clause) if end.kind in {"person", "self"}]
    for person in who:
        for old in olds:
            yield from _ends(scene, clause, person, _STATES["organization"], old, when)
        for new in news:
            yield from _begins(scene, clause, person, "works_at", new, when)


def _at_which(clause: Clause) -> list[Word]:
    """`Acme` in `lost my job at Acme`."""
    jobs = [word for word in clause.after("") if word.lemma in _JOBS]
    below = [
        word
        for job in jobs
        for preposition in job.children_by("prep")
        if preposition.lower in {"at", "with"}
        for word in preposition.children_by("pobj")
    ]
    return below or (clause.after("at", "with") if jobs else [])


def _begins(
    scene: Scene, clause: Clause, who: End, label: str, new: End, when: Span
) -> Iterator[Finding]:
    start, stop = scene.quote(clause.verb)
    yield Link(left=who, label=label, right=new, start=start, stop=stop, when=when, importance=0.6)


def _ends(
    scene: Scene, clause: Clause, who: End, state: tuple[str, str], old: End, when: Span
) -> Iterator[Finding]:
    start, stop = scene.quote(clause.verb)
    over = Span(invalid_at=when.valid_at, grain=when.grain) if when.valid_at else ALWAYS
    yield Link(
        left=who,
        label=state[0],
        right=old,
        start=start,
        stop=stop,
        when=over,
        retracts=True,
        importance=0.6,
    )
    if state[1]:
        yield Link(left=who, label=state[1], right=old, start=start, stop=stop, when=over)
