"""Which words may be a name: what the finder found, with capitals, lists, known names, identifiers and cue nouns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from factbook.extract.local.finder import FoundName
from factbook.extract.local.lexicon import given_name
from factbook.extract.local.naming.capitals import PARTICLES, TITLES, runs
from factbook.extract.local.naming.lists import known, listed, metrics
from factbook.extract.local.naming.lowercase import people, strangers
from factbook.extract.local.naming.patterns import NO_TICKETS, TICKET, cued, identifiers, titles
from factbook.extract.local.naming.text import LISTED, LONGER, LOOSE, RUN, Candidate, Text, is_capital
from factbook.extract.local.parse import Word
from factbook.extract.stop_names import PRONOUNS, is_greeting, is_stop_name

FINDER = {
    ("organization", True): 0.8,
    ("organization", False): 0.6,
    ("product", True): 0.7,
    ("product", False): 0.7,
    ("place", False): 0.7,
}
"""How much the finder's opinion counts where it isn't 1, by kind and whether there are several words: as these spaCy
labels much that it doesn't know."""


def candidates(text: Text, found: Sequence[FoundName]) -> list[Candidate]:
    """The candidates that don't overlap, in order."""
    everything = [
        *known(text),
        *identifiers(text),
        *cued(text),
        *titles(text),
        *metrics(text),
        *listed(text),
        *runs(text),
        *people(text),
        *strangers(text),
        *_found(text, found),
    ]
    _prefer_longer_runs(text, everything)
    kept: list[Candidate] = []
    for each in sorted(everything, key=lambda one: (-one.sure, one.start - one.end)):
        over = [other for other in kept if other.overlaps(each)]
        if not over:
            if not is_stop_name(text.span(each.start, each.end)):
                kept.append(each)
        else:
            _lend(each, over)
    refused = [(name.start, name.stop) for name in _spans(text, found) if not name.kind]
    for each in kept:
        each.refused = _is_refused(text, each, refused)
    return sorted(kept, key=lambda one: one.start)


def _is_refused(text: Text, each: Candidate, refused: Sequence[tuple[int, int]]) -> bool:
    said = text.span(each.start, each.end)
    if TICKET.fullmatch(said) and said.split("-")[0] in NO_TICKETS:
        return True
    given = given_name(text.words[each.start].lower)
    if each.sure > RUN or (given is not None and not given.common):
        return False
    return any(start <= each.start and each.end <= end for start, end in refused)


def _prefer_longer_runs(text: Text, everything: Sequence[Candidate]) -> None:
    """A run of capitals that holds one listed name and more is a name of its own: `Firebase SDK`, `Spring Market`."""
    lists = [each for each in everything if each.sure == LISTED]
    for run in everything:
        inside = [each for each in lists if run.start <= each.start and each.end <= run.end]
        if run.sure != RUN or len(inside) != 1 or run.end - run.start <= inside[0].end - inside[0].start:
            continue
        version = inside[0].start == run.start and all(
            word.pos == "NUM" for word in text.words[inside[0].end : run.end]
        )
        if not (version and "technology" in inside[0].evidence):  # `Postgres 15` is Postgres
            run.sure = LONGER


def _lend(each: Candidate, over: Sequence[Candidate]) -> None:
    """A name that gives way still says something about the one that stays: all of it, if they begin and end alike."""
    for other in over:
        share = 1.0 if (each.start, each.end) == (other.start, other.end) else 0.4 if other.end == each.end else 0.2
        for kind, weight in each.evidence.items():
            other.add(kind, weight * share)


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    stop: int
    kind: str
    weight: float


def _spans(text: Text, found: Sequence[FoundName]) -> Iterator[_Span]:
    for name in found:
        inside = [word for word in text.words if word.start < name.end and word.stop > name.start]
        if inside:
            yield _Span(inside[0].i, inside[-1].i + 1, name.kind, name.weight)


def _found(text: Text, found: Sequence[FoundName]) -> Iterator[Candidate]:
    for span in _spans(text, found):
        if not span.kind:
            continue
        inside = list(text.words[span.start : span.stop])
        while inside and _is_edge(inside[0]):
            inside.pop(0)
        while inside and _is_edge(inside[-1]):
            inside.pop()
        if not inside or any("@" in word.text or "/" in word.text for word in inside):
            continue
        if span.weight:
            yield Candidate(inside[0].i, inside[-1].i + 1, RUN, {span.kind: span.weight})
            continue
        if text.capitals and any(map(is_capital, inside)):
            while not is_capital(inside[0]):
                inside.pop(0)
            while not (is_capital(inside[-1]) or inside[-1].pos == "NUM"):
                inside.pop()
            if any(map(_is_small, inside)):
                continue  # `Women who Code meetup` may be a name; most of what looks so is none
            weight = FINDER.get((span.kind, len(inside) > 1), 1.0)
            yield Candidate(inside[0].i, inside[-1].i + 1, LOOSE, {span.kind: weight})
        elif text.english and not any(text.is_word(word) for word in inside):
            yield Candidate(inside[0].i, inside[-1].i + 1, LOOSE, {span.kind: 0.7})


def _is_small(word: Word) -> bool:
    linked = word.lower in PARTICLES or word.lower in {"of", "the", "and", "for", "'s", "-"}
    return word.text.isalpha() and not is_capital(word) and not linked


_EDGE_TAGS = frozenset(
    {"DT", "PRP$", "PRP", "POS", "IN", "CC", "UH", ",", ".", ":", "-LRB-", "-RRB-", "``", "''", "_SP"}
)


def _is_edge(word: Word) -> bool:
    plain = word.lower.rstrip(".")
    return (
        word.tag in _EDGE_TAGS
        or plain in TITLES
        or is_greeting(plain)
        or (plain in PRONOUNS and not is_capital(word))
        or not any(map(str.isalnum, word.text))
    )
