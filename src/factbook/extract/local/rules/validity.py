"""From when to when a clause holds: `since March`, `until 2024`, `last month`, `for three years`,
`no longer`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import is_negated
from factbook.extract.local.scene import ALWAYS, Scene, Span
from factbook.text.periods import Lean
from factbook.text.time_phrases import Moment, find_moments

_SINCE = frozenset({"since", "from", "starting", "effective", "beginning"})
_COMING = frozenset({"from", "starting", "effective", "beginning"})
"""Those that may tell of what is to come: the nearer beginning is meant."""
_UNTIL = frozenset({"until", "till", "til"})
_THROUGH = frozenset({"through", "thru"})
_DEADLINE = frozenset({"by", "before", "after", "for"})
_DURATION = re.compile(
    r"\b(?:for|these|over)\s+(?:(?:the\s+)?(?:last|past)\s+|(?:about|almost|over|nearly|around)\s+)?"
    r"(\d{1,2}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\s+(year|month|week|day)s?\b(?!\s+(?:old|ago))",
    re.IGNORECASE,
)


_STARTING = re.compile(r"\b(?:starting|beginning|commencing|effective)\s+(?:in|on|from|with)$")
"""`starting in`, before a time."""


def is_past(verb: Word) -> bool:
    """Whether the verb stands in the simple past; `has worked` doesn't."""
    if any(
        word.dep in {"aux", "auxpass"} and word.lower in {"was", "were", "did", "had", "got"}
        for word in verb.children
    ):
        return True
    if any(word.dep in {"aux", "auxpass"} for word in verb.children):
        return False
    if verb.tag == "VBN" and verb.dep in {"conj", "ccomp", "ROOT", "advcl"}:
        return not (verb.dep == "conj" and not is_past(verb.head))
    return verb.tag == "VBD"


def is_perfect(verb: Word) -> bool:
    """`has worked`, `have been working`."""
    return any(
        word.dep == "aux" and word.lemma == "have" and word.tag != "VBD" for word in verb.children
    )


def is_future(verb: Word) -> bool:
    """`will lead`, `is going to lead`, `starts next week` not."""
    if any(word.dep == "aux" and word.lower in {"will", "'ll", "wo"} for word in verb.children):
        return True
    return (
        verb.dep == "xcomp"
        and verb.head.lemma == "go"
        and verb.head.tag == "VBG"
        and not was_intended(verb)
    )


def was_intended(verb: Word) -> bool:
    """`was going to lead`: it never says that it came so."""
    head = verb.head
    going = verb.dep == "xcomp" and head.lemma == "go" and head.tag == "VBG"
    return going and any(word.lower in {"was", "were"} for word in head.children_by("aux"))


def used_to(verb: Word) -> bool:
    """`used to live`."""
    return (
        verb.dep == "xcomp"
        and verb.head.lower == "used"
        and any(word.lower == "to" for word in verb.children)
    )


def has_ended(verb: Word) -> bool:
    """`no longer uses`, `doesn't use it anymore`, `stopped using`."""
    words = {word.lower for word in verb.children}
    if is_negated(verb):
        return "longer" in words or "anymore" in words or _any_more(verb)
    return verb.dep in {"xcomp", "pcomp"} and verb.head.lemma in {"stop", "quit", "cease"}


def _any_more(verb: Word) -> bool:
    return any(
        word.lower == "more" and any(child.lower == "any" for child in word.children)
        for word in verb.children
    )


def validity(scene: Scene, verb: Word, *, event: bool = False) -> Span:
    """When the clause holds.

    Args:
        event: whether the verb begins a state (`joined`, `moved to`): then a bare time is its
            beginning. Otherwise a bare time beside a past tense (`worked there in 2019`) is the
            whole of it.
    """
    sentence = scene.sentence_of(verb)
    begin, end = sentence[0], sentence[-1]
    text = scene.passage.text[begin.start : end.stop]
    lean: Lean = "future" if is_future(verb) else "past"
    span = ALWAYS
    for moment in find_moments(text, scene.at, lean):
        word = _word_at(sentence, begin.start + moment.start)
        if word is None or _governor(word, verb) is not verb:
            continue
        span = _add(span, scene, verb, moment, _cue(text, moment.start), event=event)
    if span.valid_at is None and (is_perfect(verb) or (not is_past(verb) and not is_future(verb))):
        span = _add_duration(span, scene, text)
    return span


def _add(span: Span, scene: Scene, verb: Word, moment: Moment, cue: str, *, event: bool) -> Span:
    if cue in _UNTIL or cue in _THROUGH:
        later = find_moments(
            moment_text(scene, verb, moment), scene.at, "past" if is_past(verb) else "future"
        )
        moment = later[0] if later else moment
        return replace(
            span, invalid_at=moment.until if cue in _THROUGH else moment.at, grain=moment.grain
        )
    if cue in _COMING and not is_past(verb):
        ahead = find_moments(moment_text(scene, verb, moment), scene.at, "future")
        moment = ahead[0] if ahead and ahead[0].at - scene.at < scene.at - moment.at else moment
    if cue in {"to", "and", "-", "–"} and span.valid_at is not None:
        return replace(span, invalid_at=moment.until, grain=moment.grain)
    if cue in _DEADLINE or span.valid_at is not None:
        return span
    if cue in _SINCE or event or is_future(verb):
        return replace(span, valid_at=moment.at, grain=moment.grain)
    if cue == "between":
        return replace(span, valid_at=moment.at, grain=moment.grain)
    if is_past(verb) and not used_to(verb):
        return replace(span, valid_at=moment.at, invalid_at=moment.until, grain=moment.grain)
    return span


def moment_text(scene: Scene, verb: Word, moment: Moment) -> str:
    """The words of a moment, with one before them that lets a bare month be read as one."""
    begin = scene.sentence_of(verb)[0].start
    return "until " + scene.passage.text[begin + moment.start : begin + moment.stop]


def _add_duration(span: Span, scene: Scene, text: str) -> Span:
    match = _DURATION.search(text)
    if match is None:
        return span
    ago = find_moments(f"{match[1]} {match[2]}s ago", scene.at)
    return replace(span, valid_at=ago[0].at, grain=ago[0].grain) if ago else span


def _cue(text: str, start: int) -> str:
    """The word before a time that tells how it is meant; `since` for `as of`."""
    before = text[:start].lower().rstrip()
    if before.endswith("as of") or _STARTING.search(before):
        return "since"
    for extra in (" the", " of", " early", " late", " mid"):
        before = before.removesuffix(extra)
    word = re.search(r"(\w+|[-–])$", before)
    return word[1] if word else ""


def _word_at(sentence: list[Word], start: int) -> Word | None:
    return next((word for word in sentence if word.start <= start < word.stop), None)


def _governor(word: Word, verb: Word) -> Word | None:
    """The verb that a time goes with. A participle that hangs on another verb shares that one's
    time.
    """
    for above in word.above():
        if above is verb:
            return verb
        if above.lower in _SINCE:
            continue  # `starting next week`
        if above.pos in {"VERB", "AUX"} and above.dep not in {"aux", "auxpass"}:
            if verb.dep == "conj" and verb.head is above and not verb.child("nsubj"):
                return verb if word.i > verb.i else above
            if verb.dep in {"xcomp", "pcomp"} and above in verb.above():
                return verb
            return above
    return word if word is verb else None
