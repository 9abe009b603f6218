"""Until when things have to be done, and when they come: `must be submitted by`, `is scheduled
for`, `is due`.
"""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.truth import claim, is_asked, is_negated
from factbook.extract.local.rules.validity import is_past
from factbook.extract.local.rules.values import PEOPLE, THINGS, deadline
from factbook.extract.local.scene import End, Finding, Scene

_DELIVERS = frozenset(
    "submit finish complete do deliver hand file pay ship send return sign approve fix close be book renew review".split()
)
_NEEDS = frozenset("need have".split())
_PLANS = frozenset("schedule plan slate set due target book".split())
_HUMAN = frozenset("baby child kid daughter son wife mother sister".split())


def due(scene: Scene, verb: Word) -> Iterator[Finding]:
    """The deadline that a clause of having to, or of a plan, sets."""
    if (
        is_asked(scene, verb)
        or is_negated(verb)
        or any(word.lower == "if" for word in scene.sentence_of(verb))
    ):
        return
    if verb.lemma in _PLANS and any(
        word.lower in {"is", "are", "'s"} for word in verb.children_by("auxpass")
    ):
        for of in _things(scene, verb):
            attribute = "date" if of.kind not in THINGS - {"event"} else "launch_date"
            yield from _when(
                scene, verb, of, ("for", "on"), "date" if of.kind == "event" else attribute
            )
    elif verb.lemma == "be" and claim(scene, verb) == "holds":
        yield from _is_on(scene, verb)
    elif _is_needed(verb):
        for of in _things(scene, verb):
            yield from _when(scene, verb, of, ("by", "before"), "deadline")


_EVENTS = frozenset(
    """wedding party workshop meeting exam flight appointment conference launch concert interview demo review retro kickoff
    funeral graduation trip race marathon match game webinar ceremony surgery operation hearing election""".split()
)


def _is_on(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`the wedding is on 12 July`, `our workshop is next Friday`."""
    subject = verb.child("nsubj")
    if subject is None or subject.lemma not in _EVENTS or is_past(verb):
        return
    for word in verb.children:
        if word.i > verb.i and (
            word.dep in {"npadvmod", "attr"} or (word.dep == "prep" and word.lower == "on")
        ):
            text = scene.passage.text[word.subtree()[0].start : word.subtree()[-1].stop]
            for of in _things(scene, verb):
                yield from deadline(scene, of, verb, text, "date")
            return


def _is_needed(verb: Word) -> bool:
    """`has to be submitted`, `needs to be done`, `must be ready`."""
    if verb.lemma not in _DELIVERS or is_past(verb) or is_past(verb.head):
        return False
    passive = verb.child("auxpass") is not None or verb.lemma == "be"
    needed = verb.dep == "xcomp" and verb.head.lemma in _NEEDS and verb.head.child("neg") is None
    return passive and (needed or any(word.lower == "must" for word in verb.children_by("aux")))


def _things(scene: Scene, verb: Word) -> list[End]:
    subject = clause(scene, verb).subjects
    found = [
        end
        for word in subject
        if word.lemma not in _HUMAN
        for end in ends(scene, word, phrases=True)
    ]
    return [end for end in found if end.kind not in PEOPLE]


def _when(
    scene: Scene, verb: Word, of: End, prepositions: tuple[str, ...], attribute: str
) -> Iterator[Finding]:
    near = [
        *verb.children,
        *(child for word in verb.children_by("acomp", "advmod") for child in word.children),
    ]
    for word in near:
        if word.dep in {"prep", "agent"} and word.lower in prepositions:
            text = scene.passage.text[word.start : word.subtree()[-1].stop]
            yield from deadline(scene, of, verb, text, attribute)
            return
