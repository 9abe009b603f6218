"""Clauses as observations: whom each is about, when, on whose word, and what its pronouns stand
for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import cast

from factbook.extract.local.clauses.decode import ADDRESSEE, SPEAKER, Clause
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.addressees import find_outsiders
from factbook.extract.local.rules.truth import is_asked
from factbook.extract.local.rules.validity import validity
from factbook.extract.local.scene import ALWAYS, End, Observed, Scene
from factbook.model.record import SELF, Hold, ObservationSort

UNCLEAR = 0.3
"""The most that a clause is worth whose subject isn't known."""
_OPEN = frozenset("he she him her his hers they them their theirs".split())
"""Words that mean somebody who must be known, or nobody knows of whom it is said."""
_LOOSE = frozenset({"PUNCT", "SPACE", "CCONJ"})
LEAST_VERBLESS = 4
"""Words of a clause without a verb: `14b Harbour Lane, third floor`, and not `My sister`."""
_EVENTS = frozenset({"event", "plan", "decision", "commitment"})


def observed(scene: Scene, found: Sequence[tuple[int, int, Clause]]) -> Iterator[Observed]:
    """Yields an observation for each clause that says something and isn't asked."""
    called = {at for name in find_outsiders(scene) for at in range(name.start, name.end)}
    for start, stop, clause in found:
        words = _trimmed(
            [word for word in scene.words if word.start < stop and word.stop > start], called
        )
        words = _with_whole_code(scene, words)
        if not any(_is_verb(word) for word in words) and len(words) < LEAST_VERBLESS:
            continue
        root = _root(words)
        if is_asked(scene, root):
            continue
        first, last = scene.characters(words[0].i, words[-1].i + 1)
        ends = _ends(scene, [word for word in words if word.i not in called], clause.about)
        when = validity(scene, root, event=clause.sort in _EVENTS) if _is_verb(root) else ALWAYS
        yield Observed(
            about=ends,
            start=first,
            stop=last,
            text=_with_names(scene, words),
            sort=cast("ObservationSort", clause.sort),
            holds=cast("Hold", clause.holds),
            when=when,
            importance=_worth(scene, words, clause, ends),
        )


def _trimmed(words: Sequence[Word], called: Set[int]) -> Sequence[Word]:
    """Returns the words without marks, names that are called, and what joins them to the words
    before or after.
    """
    first, last = 0, len(words)
    while first < last and (words[first].i in called or _is_loose(words[first])):
        first += 1
    while last > first and (words[last - 1].i in called or _joins(words[last - 1])):
        last -= 1
    return words[first:last]


def _with_whole_code(scene: Scene, words: Sequence[Word]) -> Sequence[Word]:
    """Returns the words with all of the code between backticks into which they reach."""
    if not words:
        return words
    begin, end = words[0].start, words[-1].stop
    for start, stop in (span.span() for span in _CODE.finditer(scene.passage.text)):
        if start < end and begin < stop:
            begin, end = min(begin, start), max(end, stop)
    return [word for word in scene.words if word.start < end and word.stop > begin]


_CODE = re.compile(r"`[^`\n]+`")


def _is_loose(word: Word) -> bool:
    return word.pos in _LOOSE or word.text.isspace()


def _joins(word: Word) -> bool:
    """Tells whether it is a mark, or joins what comes after it (`and`, `so`)."""
    return _is_loose(word) or word.head.i > word.i


def _root(words: Sequence[Word]) -> Word:
    """The word from which the rest hangs: a verb, where the clause has one on top."""
    inside = {word.i for word in words}
    tops = [word for word in words if word.head is word or word.head.i not in inside]
    return next((word for word in tops if _is_verb(word)), tops[0] if tops else words[0])


def _is_verb(word: Word) -> bool:
    return word.pos in {"VERB", "AUX"}


def _ends(scene: Scene, words: Sequence[Word], about: int) -> tuple[End, ...]:
    """Whom and what the clause is about, whose it is first."""
    named = [
        scene.pronouns.get(word.i) or (scene.end(name) if (name := scene.name_at(word)) else None)
        for word in words
    ]
    others = list(dict.fromkeys(end for end in named if end is not None and end.kind != SELF))
    place = scene.characters(words[0].i, words[0].i + 1)[0]
    speaker = End(place, place, SELF)
    if about == SPEAKER or not others:
        return (speaker, *others)
    return tuple(others) if about == ADDRESSEE else (*others, speaker)


def _worth(scene: Scene, words: Sequence[Word], clause: Clause, ends: Sequence[End]) -> float:
    """Little where nobody knows of whom it is said."""
    is_unknown = clause.about != SPEAKER and all(end.kind == SELF for end in ends)
    is_open = any(word.lower in _OPEN and word.i not in scene.pronouns for word in words)
    is_addressed = clause.about == ADDRESSEE
    unclear = is_addressed or (is_unknown and is_open)
    return min(clause.worth, UNCLEAR) if unclear else clause.worth


def _with_names(scene: Scene, words: Sequence[Word]) -> str:
    """Returns the clause with the names that its pronouns stand for in brackets; empty where none
    does.
    """
    pieces: list[str] = []
    at = scene.characters(words[0].i, words[0].i + 1)[0]
    told = set[str]()
    for word in words:
        end = scene.pronouns.get(word.i)
        if end is None or not end.name or end.name in told:
            continue
        stop = scene.characters(word.i, word.i + 1)[1]
        pieces += [scene.said(at, stop), f" [{end.name}]"]
        told.add(end.name)
        at = stop
    if not pieces:
        return ""
    return "".join(pieces) + scene.said(at, scene.characters(words[-1].i, words[-1].i + 1)[1])
