"""Who does what in a clause, across passives, relative clauses, coordination and verbs that hang on
verbs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.ends import begins_clause, carrier, is_item_verb, shared_between
from factbook.extract.local.rules.vocabulary import SENSES
from factbook.extract.local.scene import Scene

_OBJECT_CONTROL = frozenset(
    "ask tell want help let allow convince persuade invite need get have make expect order".split()
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb with the words that are its subjects and objects; objects after a preposition go by it
    (`""` for none).
    """

    verb: Word
    subjects: tuple[Word, ...]
    objects: tuple[tuple[str, Word], ...]
    passive: bool

    def after(self, *prepositions: str) -> list[Word]:
        return [word for preposition, word in self.objects if preposition in prepositions]


def clauses(scene: Scene) -> Iterator[Clause]:
    """The clauses of a scene, in order."""
    for verb in scene.words:
        if (verb.pos in {"VERB", "AUX"} and verb.dep not in {"aux", "auxpass"}) or (
            is_taken_for_noun(scene, verb) or opens_note(scene, verb)
        ):
            yield clause(scene, verb)


def is_taken_for_noun(scene: Scene, word: Word) -> bool:
    """`report` in `I work at Acme and report to Ana`, `runs` in `the service runs on Linux`: nouns
    to the tagger.
    """
    plural = word.tag == "NNS" and word.dep in _TAKEN_FOR and _named_before(scene, word) is not None
    conjunct = (
        word.tag == "NN"
        and word.dep == "conj"
        and not word.child("compound", "poss", "amod", "det")
    )
    if not (plural or conjunct) or word.child("case"):
        return False
    if scene.name_at(word) is not None:
        return False
    before = _named_before(scene, word) if plural else None
    name = scene.name_at(before) if before is not None else None
    if name is not None and name.kind == "person" and word.child("appos"):
        return True  # `Ana studies medicine at …`: people's names stand before no plural
    takes = word.child("dobj") is not None and (word.lemma, "") in SENSES
    return takes or any((word.lemma, each.lower) in SENSES for each in word.children_by("prep"))


_TAKEN_FOR = frozenset({"ROOT", "dep", "nsubj", "nsubjpass", "ccomp"})


def _named_before(scene: Scene, word: Word) -> Word | None:
    """The noun right before a word, if the parser hangs it there."""
    before = scene.words[word.i - 1] if word.i else None
    if before is None or before.head is not word or before.dep not in {"compound", "amod", "nmod"}:
        return None
    return before if before.pos in {"NOUN", "PROPN"} or scene.name_at(before) else None


def clause(scene: Scene, verb: Word) -> Clause:
    """The clause of a verb, its subjects looked for where the grammar puts them."""
    subjects = _before(scene, verb) or _subjects(verb) or _misread(scene, verb)
    subjects = [
        (_named_before(scene, word) or word) if is_taken_for_noun(scene, word) else word
        for word in subjects
    ]
    return Clause(verb, tuple(subjects), tuple(_objects(scene, verb)), is_passive(verb))


def _before(scene: Scene, verb: Word) -> list[Word]:
    """`Tom` in `Ana lives in Oslo and Tom worked …`, which the parser may take for a second
    object.
    """
    if verb.i == 0 or verb.tag == "NNS":
        noun = _named_before(scene, verb) if verb.tag == "NNS" else None
        return [] if noun is None else [noun]
    word = carrier(scene.words[verb.i - 1])
    return [word] if begins_clause(scene, word) and word.i < verb.i else []


def _misread(scene: Scene, verb: Word) -> list[Word]:
    """`Ana` in `Ana, whose brother lives in Oslo, moved …`, which the parser may hang on the verb
    as an adverb.
    """
    if verb.dep != "ROOT" or verb.tag not in {"VBD", "VBZ", "VBP", "VBN"}:
        return []
    for child in verb.children_by("advmod", "npadvmod", "dep", "nmod"):
        if child.i < verb.i and scene.name_at(child) and child.child("relcl", "appos"):
            return [child]
    before = scene.words[verb.i - 1] if verb.i else verb
    return (
        [before]
        if before.head is verb and before.dep == "compound" and before.pos in {"NOUN", "PROPN"}
        else []
    )


def is_passive(verb: Word) -> bool:
    """`was built`, `built by Ana` beside a noun, and `deployed` in `is built and deployed`."""
    if verb.child("nsubjpass", "auxpass") is not None or _its(verb) is not None:
        return True
    if verb.tag == "VBN" and verb.dep == "acl":
        return not _is_finite(verb)
    if (
        verb.tag == "VBN"
        and verb.dep == "advcl"
        and verb.child("agent")
        and not verb.child("aux", "mark")
    ):
        return True  # `it was fixed by Ana, reviewed by Tom`
    alone = (
        verb.dep == "conj" and verb.tag in {"VBN", "VBD"} and not verb.child("nsubj", "dobj", "aux")
    )
    return alone and is_passive(verb.head)


def _is_finite(verb: Word) -> bool:
    """`invested` in `Sequoia invested in Acme, and …`, which the parser takes for a participle
    beside a noun: what it says has no passive, or it has an object, and stands right behind a name.
    """
    if verb.tag != "VBN" or verb.dep != "acl" or not verb.head.text[0].isupper():
        return False
    if verb.head.i != verb.i - 1:
        return False
    if verb.child("dobj") is not None:
        return True
    return (verb.lemma, "") not in SENSES and any(
        (verb.lemma, each.lower) in SENSES for each in verb.children_by("prep")
    )


def _its(verb: Word) -> Word | None:
    """`its` in `its written in Go`, for `it's`."""
    if verb.tag not in {"VBN", "VBD"} or verb.dep in {"amod", "compound"}:
        return None
    owner = verb.child("poss")
    return owner if owner is not None and owner.lower == "its" and owner.i < verb.i else None


def _subjects(verb: Word, depth: int = 0) -> list[Word]:
    own = [word for word in verb.children_by("nsubj", "nsubjpass") if not is_object_of_note(word)]
    if own:
        if verb.dep == "relcl" and own[0].tag in {"WDT", "WP"}:
            return [verb.head]
        if (shared := shared_between(verb)) is not None:
            return shared.children_by("conj")
        return [*_behind(own[0], verb)] or [*_in_front(own[0], verb), *own]
    if (its := _its(verb)) is not None:
        return [its]
    if depth > 4:
        return []
    if verb.dep == "conj":
        above = (
            verb.head
            if verb.head.pos in {"VERB", "AUX"}
            else next((w for w in verb.above() if w.pos == "VERB"), None)
        )
        return _subjects(above, depth + 1) if above is not None else []
    if verb.dep == "acl":
        above = _passive_before(verb)
        return [verb.head] if above is None else _subjects(above, depth + 1)
    if verb.dep in {"xcomp", "advcl", "pcomp"}:
        head = verb.head if verb.dep != "pcomp" else verb.head.head
        if head.pos not in {"VERB", "AUX"}:
            head = next((word for word in head.above() if word.pos in {"VERB", "AUX"}), head)
        controlled = (
            head.child("dobj") if verb.dep == "xcomp" and head.lemma in _OBJECT_CONTROL else None
        )
        return [controlled] if controlled is not None else _subjects(head, depth + 1)
    return []


def _passive_before(verb: Word) -> Word | None:
    """`fixed` for `reviewed` in `it was fixed by Ana, reviewed by Tom`, which the parser hangs on
    Ana.
    """
    agent = verb.head.head
    if verb.tag != "VBN" or agent.dep != "agent" or verb.child("agent") is None:
        return None
    comma = any(word.text == "," and verb.head.i < word.i < verb.i for word in verb.head.children)
    return agent.head if comma and is_passive(agent.head) else None


def is_object_of_note(word: Word) -> bool:
    """`Ana` in `met Ana yesterday`, which the parser may take for the subject."""
    verb = word.head
    alone = not any(
        child.i < verb.i and child.pos not in {"PUNCT", "ADV"} for child in verb.children
    )
    return (
        word.dep == "nsubj"
        and word.i == verb.i + 1
        and verb.tag in {"VBD", "VBN"}
        and verb.pos == "VERB"
        and verb.dep in {"ROOT", "ccomp"}
        and alone
    )


def _in_front(subject: Word, verb: Word) -> list[Word]:
    """`Ana` in `Ana and I work …`, which the parser may take for a sentence of its own."""
    first = verb.head
    joined = verb.dep == "conj" and first.pos == "PROPN" and first.child("cc") is not None
    return [first] if joined and first.child("cc") is not None and subject.i - first.i <= 2 else []


def _behind(subject: Word, verb: Word) -> Iterator[Word]:
    """Behind a clause that the parser took for a participle its conjuncts are the next verb's
    subjects.
    """
    finite = next((word for word in subject.children_by("acl") if _is_finite(word)), None)
    if finite is not None:
        yield from (word for word in subject.children_by("conj") if finite.i < word.i < verb.i)


def _objects(scene: Scene, verb: Word) -> Iterator[tuple[str, Word]]:
    for preposition, word in _own_objects(scene, verb):
        if preposition and _is_excluded(scene, word):
            continue
        yield preposition, word
        yield from _astray(scene, verb, word)


def _is_excluded(scene: Scene, word: Word) -> bool:
    """`in Oslo` in `I live in Norway but not in Oslo`."""
    before = scene.words[word.head.i - 1] if word.head.pos == "ADP" and word.head.i else None
    return before is not None and before.lower == "not"


def _astray(scene: Scene, verb: Word, word: Word) -> Iterator[tuple[str, Word]]:
    """`in Oslo` in `I live with my friend Tom in Oslo`, which the parser may hang on the person."""
    for person in (word, *word.children_by("appos")):
        name = scene.name_at(person)
        if name is not None and name.kind == "person":
            for preposition in person.children_by("prep"):
                if preposition.lower in {"in", "at", "on"} and preposition.i > verb.i:
                    yield from _after(preposition)


def _own_objects(scene: Scene, verb: Word) -> Iterator[tuple[str, Word]]:
    for child in verb.children:
        name = scene.name_at(child) if child.dep in _MISREAD else None
        taken_wrong = name is not None and name.start == verb.i + 1
        misread = child.dep == "appos" and verb.tag == "NNS" and child.i > verb.i
        if (
            taken_wrong
            or misread
            or is_object_of_note(child)
            or (child.dep in {"dobj", "dative"} and child.pos != "ADP")
        ):
            yield "", child
            for preposition in child.children_by("prep"):  # `in Go` in `I wrote the shop in Go`
                if (verb.lemma, preposition.lower) in SENSES and preposition.lower != "of":
                    yield from _after(preposition)
        elif child.dep in {"prep", "agent", "dative"}:
            yield from _after(child)
            yield from _second(verb, child)
        elif (
            name is not None
            and child.child("advmod") is not None
            and scene.words[name.start - 1].lower == "as"
        ):
            yield "as", child
        elif child.dep == "prt":
            yield from _with_particle(verb, child)
        elif child.dep in {"advmod", "acomp", "oprd"} and child.lower in _WAYS:
            for preposition in child.children_by("prep"):
                yield from _after(preposition)
        elif child.dep == "ccomp" and (shared := shared_between(child)) is not None:
            yield "", shared
        elif child.dep == "conj" and _is_gapped(scene, verb, child):
            yield "", child
    if verb.dep == "relcl":
        yield from _gap(verb)
    if opens_note(scene, verb) and verb.head is not verb:
        yield "", verb.head


def opens_note(scene: Scene, verb: Word) -> bool:
    """`fixed` in `Fixed INFRA-231 yesterday.`, which the parser takes for an adjective, and
    `prefers` in an item of a list that begins with it, which it takes for a noun.
    """
    if is_item_verb(scene, verb) and verb.head.i > verb.i:
        return True
    if (
        verb.tag == "NNS"
        and verb.dep == "ROOT"
        and verb.i
        and scene.words[verb.i - 1].sentence < verb.sentence
    ):
        prepositions = verb.children_by("prep")  # `Ana is a nurse. Works at Acme.`
        return any(
            each.i == verb.i + 1 and (verb.lemma, each.lower) in SENSES for each in prepositions
        )
    if (
        verb.dep != "amod"
        or verb.tag not in {"VBN", "VBD"}
        or verb.head.dep != "ROOT"
        or scene.name_at(verb)
    ):
        return False
    first = next(
        (word for word in scene.sentence_of(verb) if word.pos not in {"PUNCT", "SPACE", "ADV"}),
        None,
    )
    name = scene.name_at(verb.head)
    return first is verb and name is not None and name.start == verb.i + 1


_WAYS = frozenset(
    """away back over off out together along up down home remote remotely freelance directly straight fulltime full-time part-time
    exclusively mostly mainly primarily entirely solely now currently closely""".split()
)
"""Adverbs on which the parser hangs the preposition that goes with the verb (`moved away from
Oslo`).
"""

_MISREAD = frozenset(
    {"xcomp", "oprd", "attr", "ccomp", "npadvmod", "appos", "advmod", "acomp", "dep"}
)
"""As what the parser takes a name in the object's place that it doesn't know."""


def _second(verb: Word, preposition: Word) -> Iterator[tuple[str, Word]]:
    """`Kafka` in `we use Redis for caching and Kafka for events`, which the parser may coordinate
    with `caching`.
    """
    if verb.child("dobj") is None:
        return
    for word in preposition.children_by("pobj"):
        for each in word.with_conjuncts()[1:]:
            again = [
                *each.children_by("prep"),
                *(below for below in word.children_by("prep") if below.i > each.i),
            ]
            if any(below.lower == preposition.lower for below in again):
                yield "", each


def _with_particle(verb: Word, particle: Word) -> Iterator[tuple[str, Word]]:
    """`took over the shop`, `signed off on the budget`."""
    for word in verb.children_by("dobj"):
        yield particle.lower, word
    for preposition in verb.children_by("prep"):
        if preposition.i == particle.i + 1:
            for word in preposition.children_by("pobj"):
                yield f"{particle.lower} {preposition.lower}", word


def _is_gapped(scene: Scene, verb: Word, child: Word) -> bool:
    """`Kafka` in `we use Redis for the cache and Kafka for events`: what is used as well, though no
    verb says it again.
    """
    if child.pos not in {"PROPN", "NOUN"} or child.i < verb.i or begins_clause(scene, child):
        return False
    if verb.child("dobj") is None or child.child("nsubj", "dobj", "cop", "aux") is not None:
        return False
    before = {each.lower for each in verb.children_by("prep")}
    return any(each.lower in before for each in child.children_by("prep"))


def _after(preposition: Word) -> Iterator[tuple[str, Word]]:
    """Objects after a preposition, and after one that hangs on it (`up to`, `out of`) or on its
    object.
    """
    for child in preposition.children:
        if child.dep == "pobj":
            yield preposition.lower, child
            if preposition.lower == "as":  # `works as a nurse at Acme`
                for below in child.children_by("prep"):
                    yield from ((below.lower, word) for word in below.children_by("pobj"))
            if child.lower == "top":  # `on top of Postgres`
                for of in child.children_by("prep"):
                    yield from ((preposition.lower, word) for word in of.children_by("pobj"))
            if child.lower in {"nothing", "none"}:  # `on nothing but SQLite`
                for but in child.children_by("prep"):
                    if but.lower in {"but", "except"}:
                        yield from ((preposition.lower, word) for word in but.children_by("pobj"))
        elif child.dep == "prep":
            for word in child.children_by("pobj"):
                yield f"{preposition.lower} {child.lower}", word
                yield child.lower, word


def _gap(verb: Word) -> Iterator[tuple[str, Word]]:
    """In `the service that Ana owns` the object is before the verb."""
    subject = verb.child("nsubj", "nsubjpass")
    own = verb.child("xcomp", "ccomp") or any(
        word.dep == "dobj" and word.tag not in {"WDT", "WP"} and word.lower != "that"
        for word in verb.children
    )
    if subject is not None and subject.tag not in {"WDT", "WP"} and not own:
        yield "", verb.head
