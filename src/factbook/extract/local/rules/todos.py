"""Tasks by note and by duty: `TODO: …`, `action item: Omar to …`, `don't forget to …`, `I owe Rita
an answer`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import is_negated
from factbook.extract.local.rules.wording import deadline_of, over, statement
from factbook.extract.local.scene import Scene, Statement
from factbook.model.record import SELF

_NOTED = re.compile(
    r"\W*(?:to-?do|action items?|next steps?|task|follow-?up)\s*(?::|-|–)\s*(?=\w)", re.IGNORECASE
)
_PAID = frozenset(
    "money euro dollar pound buck drink beer apology explanation thanks life one".split()
)


def noted(scene: Scene, sentence: Sequence[Word]) -> Iterator[Statement]:
    """What stands after `TODO:`."""
    begin, end = sentence[0].start, sentence[-1].stop
    match = _NOTED.match(scene.passage.text, begin, end)
    if match is None:
        return
    rest = [word for word in sentence if word.start >= match.end() and word.pos != "SPACE"]
    while rest and rest[-1].pos == "PUNCT":
        rest.pop()
    if len(rest) > 1:
        name = scene.name_at(rest[0])
        person = name is not None and name.kind == "person" and rest[0].i == name.start
        owner = (
            scene.said(*scene.characters(name.start, name.end))
            if person and name is not None
            else _speaker(scene)
        )
        metadata = {"owner": " ".join(owner.split()), **deadline_of(scene, rest[0])}
        yield over(scene, "task", rest[0].i, rest[-1].i + 1, 0.7, metadata)


def duties(scene: Scene, word: Word) -> Iterator[Statement]:
    """What one mustn't forget of one's own, and what one owes."""
    if word.lemma == "forget" and word.tag == "VB" and is_negated(word) and not word.child("nsubj"):
        content = word.child("xcomp")
        if content is None or word.dep not in {"ROOT", "conj"} or content.tag != "VB":
            return
        inside = content.subtree()
        if deadline_of(scene, word) or any(
            scene.name_at(each) or each.lower in {"my", "our"} for each in inside
        ):
            yield statement(
                scene, "task", content, 0.7, {"owner": _speaker(scene), **deadline_of(scene, word)}
            )
    elif word.lemma == "owe" and word.pos == "VERB" and not is_negated(word):
        subject = word.child("nsubj")
        objects = [each for each in word.children_by("dobj") if each.i > word.i]
        mine = subject is not None and subject.lower in {"i", "we"} and word.dep in {"ROOT", "conj"}
        counted = bool(objects) and any(child.dep == "nummod" for child in objects[-1].children)
        if (
            mine
            and objects
            and objects[-1].pos == "NOUN"
            and objects[-1].lemma not in _PAID
            and not counted
        ):
            yield statement(
                scene,
                "task",
                objects[-1],
                0.7,
                {"owner": _speaker(scene), **deadline_of(scene, word)},
            )


def _speaker(scene: Scene) -> str:
    return scene.passage.message.speaker or SELF
