"""Who does what a sentence of a note says that has no subject: `Ana is a nurse. Works at Acme. Has
a dog called Rex.`
"""

from __future__ import annotations

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends, people_in
from factbook.extract.local.rules.fitting import implied
from factbook.extract.local.rules.truth import is_asked
from factbook.extract.local.scene import End, Scene


def doers(scene: Scene, verb: Word) -> list[End]:
    """The people who are the subject of a verb, named, spoken of as `we`, or left out."""
    said = clause(scene, verb)
    if _is_bare(scene, verb):
        return implied(scene, said) or carried(scene, verb)
    found = [
        end
        for word in said.subjects
        for end in ends(scene, word, group=True)
        if end.kind in {"person", "self"}
    ]
    return found or ([] if said.subjects else implied(scene, said))


def carried(scene: Scene, verb: Word) -> list[End]:
    """The one person whom the sentence before is about, where this one begins with its verb in the
    third person.
    """
    if not _is_bare(scene, verb) or is_asked(scene, verb):
        return []
    sentences = {words[0].sentence: words for words in scene.sentences()}
    number = verb.sentence - 1
    while number in sentences:
        root = next((word for word in sentences[number] if word.head is word), None)
        if root is None or is_asked(scene, root):
            return []
        if not _is_bare(scene, root):
            return _about(scene, root, verb)
        number -= 1
    return []


def _is_bare(scene: Scene, verb: Word) -> bool:
    first = next(
        (word for word in scene.sentence_of(verb) if word.pos not in {"ADV", "PUNCT", "SPACE"}),
        None,
    )
    alone = not any(word.i < verb.i or word.dep == "expl" for word in verb.children_by(*_SUBJECTS))
    misread = verb.tag == "NNS" and verb.lower in _TAKEN_FOR_NOUNS
    third = misread or (verb.tag == "VBZ" and verb.pos in {"VERB", "AUX"})
    return third and first is verb and alone and verb.head is verb


_SUBJECTS = ("nsubj", "nsubjpass", "expl", "csubj")
_TAKEN_FOR_NOUNS = frozenset(
    "works lives reports plays studies leads runs manages loves likes hates drinks".split()
)
"""Verbs that the tagger takes for nouns where a sentence begins with them."""


def _about(scene: Scene, root: Word, verb: Word) -> list[End]:
    people = [end for word in clause(scene, root).subjects for end in people_in(scene, word)]
    start, stop = scene.characters(verb.i, verb.i + 1)
    if len(people) != 1:
        return []
    name = people[0].name or " ".join(scene.said(people[0].start, people[0].stop).split())
    return [
        End(start, start, "self")
        if people[0].kind == "self"
        else End(start, stop, people[0].kind, name)
    ]
