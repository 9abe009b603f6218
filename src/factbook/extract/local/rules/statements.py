"""Decisions, preferences, tasks and pain points: clauses that an agent should come back to, by the
words that cue them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.complaints import complaints
from factbook.extract.local.rules.decisions import decisions
from factbook.extract.local.rules.details import details
from factbook.extract.local.rules.favoring import favoring
from factbook.extract.local.rules.pain_points import pain_points
from factbook.extract.local.rules.preferences import preferences
from factbook.extract.local.rules.segments import segments
from factbook.extract.local.rules.settled import announced, settled
from factbook.extract.local.rules.tasks import tasks
from factbook.extract.local.rules.todos import duties, noted
from factbook.extract.local.rules.truth import is_asked
from factbook.extract.local.rules.weight import weighed
from factbook.extract.local.scene import Finding, Scene, Statement


def statements(scene: Scene) -> Iterator[Finding]:
    """The statements of a scene, those of one kind in places of their own."""
    found: list[Statement] = []
    for sentence in scene.sentences():
        if is_asked(scene, sentence[0]):
            continue
        for each in _cued(scene, sentence):
            if (
                each.stop > each.start
                and not _is_passed_on(scene, each)
                and not any(each.kind == other.kind and _meet(each, other) for other in found)
            ):
                found.append(each)
    decided = [each for each in found if each.kind == "decision"]
    for each in found:
        if each.kind != "task" or not any(_within(each, other) for other in decided):
            yield replace(each, importance=weighed(scene, each), metadata=details(scene, each))


_REPORTS = frozenset("say tell mention report announce claim write explain add reply".split())


def _is_passed_on(scene: Scene, found: Statement) -> bool:
    """`Tom says that the app crashes every day`: what somebody else states."""
    place = found.start - scene.passage.offset
    word = next(word for word in scene.words if word.stop > place)
    for clause in (word, *word.above()):
        subject = (
            clause.head.child("nsubj")
            if clause.dep == "ccomp" and clause.head.lemma in _REPORTS
            else None
        )
        if subject is not None and subject.lower not in {"i", "we"} and subject.i < clause.i:
            return True
    return False


def _meet(one: Statement, other: Statement) -> bool:
    return one.start < other.stop and other.start < one.stop


def _within(one: Statement, other: Statement) -> bool:
    return other.start <= one.start and one.stop <= other.stop


def _cued(scene: Scene, sentence: Sequence[Word]) -> Iterator[Statement]:
    """By words first, which say best how far a statement goes; then by whole clauses."""
    for word in sentence:
        yield from decisions(scene, word)
        yield from settled(scene, word)
        yield from preferences(scene, word)
        yield from favoring(scene, word)
        yield from tasks(scene, word)
        yield from pain_points(scene, word)
        yield from duties(scene, word)
    yield from noted(scene, sentence)
    for segment in segments(sentence):
        yield from announced(scene, segment)
        yield from complaints(scene, segment)
