"""What someone prefers, and how they want things done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import is_negated
from factbook.extract.local.rules.validity import is_past
from factbook.extract.local.rules.wording import EXPLICIT, STATED, content_of, holds, statement
from factbook.extract.local.scene import Scene, Statement

_PREFER = frozenset("prefer favor favour".split())
_HATE = frozenset("hate dislike detest loathe".split())
_CAN = frozenset({"ca", "can"})


def preferences(scene: Scene, word: Word) -> Iterator[Statement]:
    present = word.pos == "VERB" and not is_past(word)
    if word.dep in {"advmod", "neg"} and _says_how(word):
        found = statement(scene, "preference", word.head, EXPLICIT, {})
        if word.lower == "never" and word.i < word.head.i:
            found = replace(found, start=scene.characters(word.i, word.i + 1)[0])
        yield found
    elif present and word.lemma in _PREFER:
        subject = word.child("nsubj")
        whose = subject is None or subject.lower not in {
            "they",
            "you",
            "it",
            "who",
            "that",
            "people",
        }
        if whose and not is_negated(word) and (holds(scene, word) or _would(word)):
            yield _preferred(scene, word, EXPLICIT)
    elif _cannot_stand(word) or (present and word.lemma in _HATE and holds(scene, word)):
        yield from _hated(scene, word)
    elif present and word.lemma == "want" and holds(scene, word) and _wants_so(scene, word):
        yield statement(scene, "preference", content_of(word) or word, STATED, {})


def _cannot_stand(word: Word) -> bool:
    """`I can't stand meetings before nine`."""
    return (
        word.lemma == "stand"
        and is_negated(word)
        and any(each.lower in _CAN for each in word.children)
    )


def _says_how(word: Word) -> bool:
    """`always answer briefly`, `never use emojis`, `I'd rather wait`."""
    if word.lower == "rather":
        return word.head.pos == "VERB" and _would(word.head)
    return word.lower in {"always", "never"} and _instructs(word.head)


def _hated(scene: Scene, verb: Word) -> Iterator[Statement]:
    """`hate long paragraphs` of oneself; what others hate is a relation."""
    subject, content = verb.child("nsubj"), content_of(verb)
    if (
        subject is not None
        and subject.lower in {"i", "we"}
        and content is not None
        and content.pos != "PRON"
    ):
        found = _preferred(scene, verb, STATED)
        denied = [
            word
            for word in verb.children
            if word.i < verb.i and (word.dep == "neg" or word.lower in _CAN)
        ]
        first = min(
            [verb, *denied], key=lambda word: word.i
        )  # without its verb it would be what is preferred
        yield replace(found, start=min(found.start, scene.characters(first.i, first.i + 1)[0]))


def _preferred(scene: Scene, verb: Word, importance: float) -> Statement:
    """`tea over coffee`, `meetings before nine`: the object of the verb, with the phrases that
    follow it.
    """
    content = content_of(verb) or verb
    found = statement(scene, "preference", content, importance, {})
    if (
        refused := content.child("neg")
    ) is not None and refused.i < content.i:  # `I hate not knowing`
        found = replace(found, start=scene.characters(refused.i, refused.i + 1)[0])
    if content is not verb:
        for each in verb.children_by("prep"):
            words = each.subtree()
            if each.i > content.i and scene.characters(each.i, each.i + 1)[0] - found.stop <= 1:
                found = replace(found, stop=scene.characters(each.i, words[-1].i + 1)[1])
    return found


def _would(verb: Word) -> bool:
    return any(word.dep == "aux" and word.lower in {"would", "'d", "d"} for word in verb.children)


def _instructs(verb: Word) -> bool:
    """`please always answer briefly`, `never use emojis`; not `Never give up!`, `they always make
    us smile`.
    """
    alone = (
        verb.tag in {"VB", "VBP"}
        and not verb.child("nsubj", "nsubjpass", "aux")
        and verb.dep in {"ROOT", "ccomp"}
    )
    return alone and verb.lemma not in _CHEERS and verb.head.lemma not in {"make", "let"}


_CHEERS = frozenset(
    "give mind forget say stop lose look be remember know underestimate hear quit".split()
)


def _wants_so(scene: Scene, verb: Word) -> bool:
    """`she wants a summary, not a table`: a wish that says how, by what it excludes."""
    rest = [word for word in scene.sentence_of(verb) if word.i > verb.i]
    for word in rest:
        before = scene.words[word.i - 1]
        if word.lower == "not" and before.text in {",", "—", "–", "-"}:
            return True
        if (
            word.lower == "rather"
            and word.i + 1 < len(scene.words)
            and scene.words[word.i + 1].lower == "than"
        ):
            return True
    return False
