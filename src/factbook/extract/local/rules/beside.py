"""What stands beside a name: where someone is from, where an organization is, who belongs together."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends, people_in
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.validity import is_future, is_past, validity
from factbook.extract.local.scene import End, Finding, Link, Scene


def beside(scene: Scene) -> Iterator[Finding]:
    """Places, employers and ties that need no verb of their own."""
    yield from _from_somewhere(scene)
    yield from _pairs(scene)
    yield from _at_work(scene)


def _from_somewhere(scene: Scene) -> Iterator[Finding]:
    """`Dave from Acme`, `Ana at Acme`, `Wei from Porto`, `Acme in Porto`."""
    for name in scene.names:
        head = scene.head_of(name)
        start, stop = scene.quote(head)
        after = scene.words[name.end] if name.end < len(scene.words) else head
        if after.dep == "prep" and after.head.pos not in {"VERB", "AUX"}:
            for other in scene.names_in(after.children_by("pobj")):
                label = _BESIDE.get((name.kind, after.lower, other.kind))
                if label:
                    yield Link(left=scene.end(name), label=label, right=scene.end(other), start=start, stop=stop)
        for noun in head.children_by("appos"):
            yield from _placed(scene, scene.end(name), noun, name.kind)
    for verb in scene.words:
        if verb.lemma == "be" and verb.dep not in {"aux", "auxpass"} and claim(scene, verb) == "holds":
            yield from _is_placed(scene, verb)


_BESIDE = {
    ("person", "from", "organization"): "works_at",
    ("person", "at", "organization"): "works_at",
    ("person", "of", "organization"): "works_at",
    ("person", "from", "place"): "comes_from",
    ("organization", "in", "place"): "located_in",
    ("organization", "of", "place"): "located_in",
}


def _is_placed(scene: Scene, verb: Word) -> Iterator[Finding]:
    for subject in clause(scene, verb).subjects:
        for end in ends(scene, subject):
            for noun in verb.children_by("attr"):
                yield from _placed(scene, end, noun, end.kind)
            for preposition in verb.children_by("prep"):
                for word in preposition.children_by("pobj"):
                    label = _IS_AT.get((end.kind, preposition.lower))
                    for other in ends(scene, word):
                        if label and other.kind == "place":
                            start, stop = scene.quote(verb)
                            yield Link(left=end, label=label, right=other, start=start, stop=stop)


_IS_AT = {
    ("person", "from"): "comes_from",
    ("self", "from"): "comes_from",
    ("organization", "in"): "located_in",
    ("place", "in"): "located_in",
}


def _placed(scene: Scene, end: End, noun: Word, kind: str) -> Iterator[Finding]:
    """`Acme, a Porto startup`, `Acme is a company in Porto`."""
    if kind != "organization" or cues.IS_A.get(noun.lemma) != "organization":
        return
    words = [*noun.children_by("compound", "nmod", "amod")]
    for child in noun.children:
        if child.dep == "prep" and child.lower in {"in", "from"}:
            words.extend(child.children_by("pobj"))
        elif child.dep == "acl" and child.lemma in {"base", "locate", "headquarter"}:
            words.extend(word for below in child.children_by("prep") for word in below.children_by("pobj"))
    start, stop = scene.quote(noun)
    for word in words:
        if (name := scene.name_at(word)) and name.kind == "place":
            yield Link(left=end, label="located_in", right=scene.end(name), start=start, stop=stop)


_WORKS = frozenset(
    """run lead manage do handle head oversee teach research design sell train cover supervise direct coordinate practice
    intern consult lecture""".split()
)


def _at_work(scene: Scene) -> Iterator[Finding]:
    """`I run growth marketing at Acme`: who does such things somewhere works there."""
    for verb in scene.words:
        if verb.lemma not in _WORKS or verb.pos != "VERB" or claim(scene, verb) != "holds" or is_future(verb):
            continue
        said = clause(scene, verb)
        if said.passive or not said.after(""):
            continue
        places = [*said.after("at"), *(word for each in said.after("") for word in _after_at(each))]
        label = "worked_at" if is_past(verb) else "works_at"
        start, stop = scene.quote(verb)
        for end in [end for word in places for end in ends(scene, word) if end.kind == "organization"][:1]:
            for person in [each for subject in said.subjects for each in people_in(scene, subject)]:
                yield Link(left=person, label=label, right=end, start=start, stop=stop, when=validity(scene, verb))


def _after_at(noun: Word) -> list[Word]:
    return [word for each in noun.children_by("prep") if each.lower == "at" for word in each.children_by("pobj")]


# ------------------------------------------------------------------------------------------- two together


_TOGETHER = {
    "married": "spouse_of",
    "engaged": "partner_of",
    "friend": "friend_of",
    "sister": "sibling_of",
    "brother": "sibling_of",
    "sibling": "sibling_of",
    "twin": "sibling_of",
    "cousin": "cousin_of",
    "colleague": "colleague_of",
    "coworker": "colleague_of",
    "roommate": "roommate_of",
    "neighbor": "neighbor_of",
    "neighbour": "neighbor_of",
    "classmate": "classmate_of",
}


def _pairs(scene: Scene) -> Iterator[Finding]:
    """`Ana and Tom are married`, `I'm friends with Wei`, `Ana is married to Tom`."""
    for verb in scene.words:
        if verb.lemma != "be" or claim(scene, verb) != "holds" or is_past(verb):
            continue
        for word in (*verb.children_by("attr", "acomp"), *([verb.head] if verb.dep == "auxpass" else [])):
            label = _TOGETHER.get(word.lemma) or _TOGETHER.get(word.lower)
            plural = word.pos != "NOUN" or word.tag == "NNS"
            if label is None or not plural:
                continue
            subjects = clause(scene, word if verb.dep == "auxpass" else verb).subjects
            lefts = [end for subject in subjects for end in people_in(scene, subject)]
            others = [end for end in _with(scene, word) if end.kind in {"person", "self"}]
            start, stop = scene.quote(verb)
            if word.children_by("prep"):
                pairs = [(left, right) for left in lefts[:1] for right in others]
            else:
                pairs = [(lefts[0], right) for right in lefts[1:2]]
            for left, right in pairs:
                yield Link(left=left, label=label, right=right, start=start, stop=stop, importance=0.6)


def _with(scene: Scene, word: Word) -> Iterator[End]:
    for preposition in word.children_by("prep"):
        if preposition.lower in {"with", "to"}:
            for each in preposition.children_by("pobj"):
                yield from ends(scene, each)
