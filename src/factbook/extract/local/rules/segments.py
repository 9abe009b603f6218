"""The clauses of a sentence as stretches of words, by its commas and conjunctions: for what is said
of a whole clause.
"""

from __future__ import annotations

from collections.abc import Sequence

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.scene import Scene

_CUTS = frozenset({";", ":", "—", "–", "(", ")", "..."})
_JOINS = frozenset(
    {",", "and", "but", "so", "because", "since", "while", "though", "although", "or", "-"}
)
_LEADS = frozenset(
    """, and but so because since while though although or well ok okay yeah yes also then btw fyi honestly tbh ugh
    anyway please - : ; — –""".split()
)
_ARTICLES = frozenset({"the", "a", "an"})
_TRAILS = frozenset(", . ! ; : … ... - lol tbh though btw and but so now please".split())


def segments(sentence: Sequence[Word]) -> list[list[Word]]:
    """The sentence cut where a clause of its own begins: after a comma or conjunction with a
    subject behind it.
    """
    out: list[list[Word]] = [[]]
    for place, word in enumerate(sentence):
        rest = sentence[place + 1 :]
        joins = word.lower in _JOINS and not (
            word.dep == "advmod" and word.head.pos in {"ADJ", "ADV"}
        )
        if word.text in _CUTS or (joins and (_begins(rest) or _exclaims(rest))):
            out.append([])
        out[-1].append(word)
    return [each for each in out if any(word.pos not in {"PUNCT", "SPACE"} for word in each)]


def _begins(words: Sequence[Word]) -> bool:
    """Whether a subject and its verb come next."""
    first = words[0].i if words else 0
    for word in words[:6]:
        if word.dep in {"nsubj", "nsubjpass", "expl"}:
            return word.head.i > word.i and all(each.i >= first for each in word.subtree())
        if word.pos == "VERB" or word.text == ",":
            return False
    return False


def _exclaims(words: Sequence[Word]) -> bool:
    """`…, what a mess`, `…, super annoying`: an outcry after the clause."""
    lower = [word.lower for word in words[:3]]
    return lower[:2] in (["what", "a"], ["what", "an"], ["such", "a"], ["no", "more"]) or (
        len(lower) > 1 and lower[0] in OUTCRIES
    )


OUTCRIES = frozenset("super so too really very pretty".split())


def segment_of(scene: Scene, word: Word) -> list[Word]:
    """The clause that a word stands in."""
    return next(
        (each for each in segments(scene.sentence_of(word)) if word.i <= each[-1].i), [word]
    )


def before(scene: Scene, segment: Sequence[Word]) -> list[Word]:
    """The clause before one: in its sentence, or else the first of the sentence before."""
    first = segment[0]
    own = [each for each in segments(scene.sentence_of(first)) if each[-1].i < first.i]
    if own:
        return own[-1]
    earlier = [word for word in scene.words if word.sentence == first.sentence - 1]
    clauses = [each for each in segments(earlier) if main_verb(each) is not None]
    return clauses[0] if clauses else []


def main_verb(segment: Sequence[Word]) -> Word | None:
    """The finite verb of a clause, as far as it can be told."""
    inside = {word.i for word in segment}
    verbs = [
        word
        for word in segment
        if word.pos in {"VERB", "AUX"} and word.dep not in {"aux", "auxpass"}
    ]
    if not verbs:
        # `my back hurts`: a noun to the tagger
        return next(
            (word for word in segment if word.dep == "ROOT" and word.lower in _TAKEN_FOR_NOUNS),
            None,
        )
    return next(
        (word for word in verbs if word.head is word or word.head.i not in inside), verbs[0]
    )


_TAKEN_FOR_NOUNS = frozenset(
    "hurts aches crashes drops freezes leaks stalls fails breaks hangs stops errors lags".split()
)


def stated(scene: Scene, segment: Sequence[Word]) -> bool:
    """Whether the clause says that something is so or isn't; not asked, guessed, quoted,
    commanded.
    """
    verb = main_verb(segment)
    return verb is not None and claim(scene, verb) != "open"


def trimmed(segment: Sequence[Word]) -> tuple[int, int]:
    """The words `first:last` of a clause without what leads into it and out of it; empty for
    nothing.
    """
    words = list(segment)
    while words and (
        words[0].lower in _LEADS
        or words[0].pos in {"PUNCT", "SPACE"}
        or words[0].lower in _ARTICLES
    ):
        words.pop(0)
    while words and (words[-1].lower in _TRAILS or words[-1].pos in {"PUNCT", "SPACE"}):
        words.pop()
    return (words[0].i, words[-1].i + 1) if words else (0, 0)
