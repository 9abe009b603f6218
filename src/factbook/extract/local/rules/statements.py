"""Decisions, preferences, tasks and pain points: clauses that an agent should come back to, by the words that cue them."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.decisions import decisions
from factbook.extract.local.rules.pain_points import pain_points
from factbook.extract.local.rules.preferences import preferences
from factbook.extract.local.rules.tasks import tasks
from factbook.extract.local.rules.truth import is_asked
from factbook.extract.local.scene import Finding, Scene, Statement


def statements(scene: Scene) -> Iterator[Finding]:
    """The statements of a scene, at most one of a kind a clause."""
    found: dict[tuple[str, int], Statement] = {}
    for word in scene.words:
        for each in _cued(scene, word):
            if each.stop > each.start:
                found.setdefault((each.kind, each.start), each)
    decided = [(each.start, each.stop) for each in found.values() if each.kind == "decision"]
    for each in found.values():
        within = any(start <= each.start and each.stop <= stop for start, stop in decided)
        if each.kind != "task" or not within:
            yield each


def _cued(scene: Scene, word: Word) -> Iterator[Statement]:
    if is_asked(scene, word):
        return
    yield from decisions(scene, word)
    yield from preferences(scene, word)
    yield from tasks(scene, word)
    yield from pain_points(scene, word)
