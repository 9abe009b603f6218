"""What stands beside a name: where someone is from, where an organization is, who belongs
together.
"""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.carried import carried
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.couples import couples
from factbook.extract.local.rules.ends import ends, people_in
from factbook.extract.local.rules.groups import groups
from factbook.extract.local.rules.near import is_be, owners_of, text_at
from factbook.extract.local.rules.truth import claim, is_asked_of
from factbook.extract.local.rules.validity import is_future, is_past, validity
from factbook.extract.local.scene import End, Finding, Link, Name, Scene


def beside(scene: Scene) -> Iterator[Finding]:
    """Places, employers and ties that need no verb of their own."""
    yield from _from_somewhere(scene)
    yield from _at_work(scene)
    yield from _has_work(scene)
    yield from couples(scene)
    yield from groups(scene)


def _from_somewhere(scene: Scene) -> Iterator[Finding]:
    """`Dave from Acme`, `Ana at Acme`, `Wei from Porto`, `Acme in Porto`."""
    for name in scene.names:
        head = scene.head_of(name)
        if is_asked_of(scene, head):
            continue
        start, stop = scene.quote(head)
        after = _after(scene, name)
        beside = after.head.pos not in {"VERB", "AUX"} or (
            after.lower == "from" and _is_theirs(scene, name, after)
        )
        if after.dep == "prep" and beside and after is not head:
            for other in scene.names_in(after.children_by("pobj")):
                label = _BESIDE.get((name.kind, after.lower, other.kind))
                if label:
                    yield Link(
                        left=scene.end(name),
                        label=label,
                        right=scene.end(other),
                        start=start,
                        stop=stop,
                    )
        for noun in head.children_by("appos"):
            yield from _placed(scene, scene.end(name), noun, name.kind)
    for verb in scene.words:
        if (
            verb.lemma == "be"
            and verb.dep not in {"aux", "auxpass"}
            and claim(scene, verb) == "holds"
        ):
            yield from _is_placed(scene, verb)


def _after(scene: Scene, name: Name) -> Word:
    """The word after a name, and after an age between commas (`I'm Ana, 30, from Porto`)."""
    i = name.end
    if text_at(scene, i) == "," and text_at(scene, i + 1) == "from":
        i += 1
    elif (
        text_at(scene, i) == ","
        and text_at(scene, i + 1).isdigit()
        and text_at(scene, i + 2) == ","
    ):
        i += 3
    return scene.words[i] if i < len(scene.words) else scene.head_of(name)


_MEETS = frozenset(
    """meet see call email text message ask tell invite thank know remember introduce speak talk chat mention ping phone
    contact interview""".split()
)
"""Between such a verb and `from Acme` the person is the one from there."""


def _is_theirs(scene: Scene, name: Name, after: Word) -> bool:
    """Whether `from Acme` belongs to the name, though the parser hangs it on the verb: with whom
    one talks, and who is the subject of the verb to come (`the call with Ana from Acme`, `it and
    Ana from Acme was the guest`).
    """
    verb = after.head
    if verb.lemma in _MEETS or verb.i > after.i:
        return True
    before, last = text_at(scene, name.start - 1), max(word.i for word in after.subtree())
    following = scene.words[last + 1] if last + 1 < len(scene.words) else after
    begins = before in {"and", "but", "so"} and following.tag in {"VBZ", "VBD", "VBP", "MD"}
    return begins or (before in {"with", "to", "by"} and verb.lemma not in _MOVES)


_MOVES = frozenset(
    "move switch go come travel drive fly transfer walk ride return run take bring".split()
)

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
            nouns = verb.children_by("attr")
            for noun in nouns:
                yield from _placed(scene, end, noun, end.kind)
            below = [
                each for noun in nouns if noun.pos == "NOUN" for each in noun.children_by("prep")
            ]
            origins = [
                each for each in below if each.lower == "from" and end.kind in {"person", "self"}
            ]
            for preposition in (*verb.children_by("prep"), *origins):
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
            words.extend(
                word for below in child.children_by("prep") for word in below.children_by("pobj")
            )
    start, stop = scene.quote(noun)
    for word in words:
        if (name := scene.name_at(word)) and name.kind == "place":
            yield Link(left=end, label="located_in", right=scene.end(name), start=start, stop=stop)


_WORKS = frozenset(
    """run lead manage do handle head oversee teach research design sell train cover supervise direct coordinate practice
    intern consult lecture""".split()
)


_JOBS = frozenset(
    "job shift position post internship apprenticeship role gig traineeship residency".split()
)


_HAS = frozenset({"have", "get", "start", "do"})


def _has_work(scene: Scene) -> Iterator[Finding]:
    """`she has shifts at Acme`, `I was at Acme for six years`, `my employer is Acme`."""
    for verb in scene.words:
        told = is_be(verb) or verb.lemma in _HAS
        if not told or verb.dep in {"aux", "auxpass"} or claim(scene, verb) != "holds":
            continue
        said = clause(scene, verb)
        who = [end for word in said.subjects for end in people_in(scene, word)] or carried(
            scene, verb
        )
        places: list[Word] = []
        if verb.lemma in _HAS and not is_future(verb):
            places = [
                word for noun in said.after("") if noun.lemma in _JOBS for word in _after_at(noun)
            ]
            places += (
                said.after("at") if any(noun.lemma in _JOBS for noun in said.after("")) else []
            )
        elif is_be(verb) and is_past(verb):
            places = said.after("at", "with") if _lasts(scene, verb) else []
        elif is_be(verb):
            who, places = _employed(scene, verb)
        label = "worked_at" if is_past(verb) and verb.lemma in {"have", "do", "be"} else "works_at"
        kinds = {"organization"} if is_be(verb) else {"organization", "place", "other"}
        employers = [end for word in places for end in ends(scene, word) if end.kind in kinds]
        yield from _employed_by(scene, verb, who, employers[:1], label)


def _employed_by(
    scene: Scene, verb: Word, who: list[End], employers: list[End], label: str
) -> Iterator[Finding]:
    start, stop = scene.quote(verb)
    for end in employers:
        for person in who:
            yield Link(
                left=person,
                label=label,
                right=end,
                start=start,
                stop=stop,
                when=validity(scene, verb),
            )


def _lasts(scene: Scene, verb: Word) -> bool:
    """`for six years`, `from 2015 to 2018`, `before that`: longer than a visit."""
    words = [word for word in verb.subtree() if word.head is verb or word.head.head is verb]
    years = any(word.lemma in {"year", "decade"} for word in words)
    return years or (
        validity(scene, verb).invalid_at is not None and any(word.lower == "from" for word in words)
    )


def _employed(scene: Scene, verb: Word) -> tuple[list[End], list[Word]]:
    """`my employer is Acme`."""
    subject = verb.child("nsubj")
    if subject is None or subject.lemma != "employer":
        return [], []
    return [
        end for end in owners_of(scene, subject) if end.kind in {"person", "self"}
    ], verb.children_by("attr")


def _at_work(scene: Scene) -> Iterator[Finding]:
    """`I run growth marketing at Acme`: who does such things somewhere works there."""
    for verb in scene.words:
        if (
            verb.lemma not in _WORKS
            or verb.pos != "VERB"
            or claim(scene, verb) != "holds"
            or is_future(verb)
        ):
            continue
        said = clause(scene, verb)
        if said.passive or not said.after(""):
            continue
        places = [*said.after("at"), *(word for each in said.after("") for word in _after_at(each))]
        label = "worked_at" if is_past(verb) else "works_at"
        start, stop = scene.quote(verb)
        for end in [
            end for word in places for end in ends(scene, word) if end.kind == "organization"
        ][:1]:
            for person in [each for subject in said.subjects for each in people_in(scene, subject)]:
                yield Link(
                    left=person,
                    label=label,
                    right=end,
                    start=start,
                    stop=stop,
                    when=validity(scene, verb),
                )


def _after_at(noun: Word) -> list[Word]:
    return [
        word
        for each in noun.children_by("prep")
        if each.lower == "at"
        for word in each.children_by("pobj")
    ]
