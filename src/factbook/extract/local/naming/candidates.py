"""Which words may be a name: what the finder found, with capitals, lists, known names, identifiers
and cue nouns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from factbook.extract.local.finder import Found, FoundName
from factbook.extract.local.lexicon import given_name, listed_names
from factbook.extract.local.naming.capitals import JOINED_AFTER, PARTICLES, TITLES, runs
from factbook.extract.local.naming.lists import known, listed, metrics
from factbook.extract.local.naming.lowercase import people, strangers
from factbook.extract.local.naming.patterns import NO_TICKETS, TICKET, cued, identifiers, titles
from factbook.extract.local.naming.text import (
    LISTED,
    LONGER,
    LOOSE,
    READ,
    RUN,
    Candidate,
    Text,
    is_capital,
)
from factbook.extract.local.parse import Word
from factbook.text.stop_names import PRONOUNS, is_greeting, is_stop_name

FINDER = {
    ("organization", True): 0.8,
    ("organization", False): 0.6,
    ("product", True): 0.7,
    ("product", False): 0.7,
    ("place", False): 0.7,
}
"""How much the finder's opinion counts where it isn't 1, by kind and whether there are several
words: a finder that tells no chances labels much that it doesn't know.
"""
READER = 2.0
"""How much it counts for a kind that the reader is certain of it."""
REST = 0.9
"""As likely no name, and what follows a name within a run of capitals isn't part of it."""
NONE = 0.9
"""As likely as this no name, and what only capitals or lists of given names propose is refused."""


def candidates(text: Text, found: Found) -> list[Candidate]:
    """The candidates that don't overlap, in order."""
    capitals = list(runs(text))
    spans = list(_spans(text, found.names))
    refused = [span for span in spans if not span.kind]
    everything = [
        *known(text),
        *identifiers(text),
        *cued(text),
        *titles(text),
        *metrics(text),
        *listed(text),
        *capitals,
        *people(text),
        *strangers(text),
        *_found(text, found, [span for span in spans if span.kind], capitals),
    ]
    everything = [part for each in everything for part in _within_cells(text, each)]
    _prefer_longer_runs(text, everything)
    kept: list[Candidate] = []
    for each in sorted(everything, key=lambda one: (-one.sure, one.start - one.end)):
        over = [other for other in kept if other.overlaps(each)]
        if not over:
            said = text.span(each.start, each.end)
            initial = each.sure == RUN and _INITIAL.fullmatch(said)
            if not (is_stop_name(said) or initial):
                kept.append(each)
        else:
            _lend(each, over)
    for each in kept:
        chances = _chances(text, each, found)
        for kind, chance in chances.items():
            if kind:
                each.add(kind, READER * chance)
                each.read = max(each.read, chance)
        each.refused = _is_refused(text, each, refused, chances.get("", 0.0))
    return sorted(kept, key=lambda one: one.start)


def _within_cells(text: Text, each: Candidate) -> Iterator[Candidate]:
    """Yields the parts of a candidate between the ends of lines and of a table's cells."""
    inside = range(each.start, each.end)
    ends = [at for at in inside if _ENDS_CELL.search(text.words[at].text)]
    if not ends:
        yield each
        return
    for before, after in pairwise([each.start - 1, *ends, each.end]):
        if after - before > 1:
            yield replace(each, start=before + 1, end=after, evidence=dict(each.evidence))


_ENDS_CELL = re.compile(r"[\n\t|]")


def _chances(text: Text, each: Candidate, found: Found) -> Mapping[str, float]:
    if found.chances is None:
        return {}
    return found.chances(text.words[each.start].start, text.words[each.end - 1].stop)


def _is_refused(text: Text, each: Candidate, refused: Sequence[_Span], none: float) -> bool:
    said = text.span(each.start, each.end)
    if TICKET.fullmatch(said) and said.split("-")[0] in NO_TICKETS:
        return True
    given = given_name(text.words[each.start].lower)
    if each.sure > RUN or (given is not None and not given.common):
        return False
    return none >= NONE or any(
        span.start <= each.start and each.end <= span.stop for span in refused
    )


def _prefer_longer_runs(text: Text, everything: Sequence[Candidate]) -> None:
    """A run of capitals that holds one listed name and more is a name of its own: `Firebase SDK`,
    `Spring Market`.
    """
    lists = [each for each in everything if each.sure == LISTED]
    for run in everything:
        inside = [each for each in lists if run.start <= each.start and each.end <= run.end]
        if (
            run.sure != RUN
            or len(inside) != 1
            or run.end - run.start <= inside[0].end - inside[0].start
        ):
            continue
        version = inside[0].start == run.start and all(
            word.pos == "NUM" for word in text.words[inside[0].end : run.end]
        )
        if not (version and "technology" in inside[0].evidence):  # `Postgres 15` is Postgres
            run.sure = LONGER


_INITIAL = re.compile(r"[^\W\d_]\.")
"""`N.` alone is a part of a name."""


def _lend(each: Candidate, over: Sequence[Candidate]) -> None:
    """A name that gives way still says something about the one that stays: all of it, if they begin
    and end alike.
    """
    for other in over:
        share = (
            1.0
            if (each.start, each.end) == (other.start, other.end)
            else 0.4
            if other.end == each.end
            else 0.2
        )
        for kind, weight in each.evidence.items():
            other.add(kind, weight * share)


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    stop: int
    kind: str


def _spans(text: Text, found: Sequence[FoundName]) -> Iterator[_Span]:
    for name in found:
        inside = [word for word in text.words if word.start < name.end and word.stop > name.start]
        if inside:
            yield _Span(inside[0].i, inside[-1].i + 1, name.kind)


def _found(
    text: Text, found: Found, spans: Sequence[_Span], capitals: Sequence[Candidate]
) -> Iterator[Candidate]:
    starts = [span.start for span in spans]
    for span in spans:
        inside = list(text.words[span.start : span.stop])
        while inside and _is_edge(inside[0]):
            inside.pop(0)
        while inside and _is_edge(inside[-1]):
            inside.pop()
        if not inside or any("@" in word.text or "/" in word.text for word in inside):
            continue
        if found.chances is None:
            yield from _of_unsure(text, inside, span.kind)
            continue
        inside = _without_endings(inside)
        end = _end_of_capitals(text, found, inside, capitals, starts)
        yield Candidate(inside[0].i, end, READ)


def _end_of_capitals(
    text: Text,
    found: Found,
    inside: Sequence[Word],
    capitals: Sequence[Candidate],
    starts: Sequence[int],
) -> int:
    """Where a name ends that the reader cuts within a run of capitals (`Sorrel` of `Sorrel Lab`):
    with the run, if the rest isn't surely none and begins no name of its own.
    """
    start, end = inside[0].i, inside[-1].i + 1
    for run in capitals:
        if (
            run.start <= start < run.end
            and end < run.end
            and not any(end <= other < run.end for other in starts)
        ):
            rest = _chances(text, Candidate(end, run.end, RUN), found)
            return run.end if rest.get("", 0.0) < REST else end
    return end


def _without_endings(inside: list[Word]) -> list[Word]:
    """`Python` of `Python-based`, `Postgres` of `Postgres 15`."""
    if len(inside) > 2 and inside[-2].text == "-" and inside[-1].lower in JOINED_AFTER:
        return inside[:-2]
    listed = listed_names().get(inside[0].lower, ())
    if (
        len(inside) == 2
        and inside[1].pos == "NUM"
        and any(each.kind == "technology" for each in listed)
    ):
        return inside[:1]
    return inside


def _of_unsure(text: Text, inside: list[Word], kind: str) -> Iterator[Candidate]:
    if text.capitals and any(map(is_capital, inside)):
        while not is_capital(inside[0]):
            inside.pop(0)
        while not (is_capital(inside[-1]) or inside[-1].pos == "NUM"):
            inside.pop()
        if any(map(_is_small, inside)):
            return  # `Women who Code meetup` may be a name; most of what looks so is none
        weight = FINDER.get((kind, len(inside) > 1), 1.0)
        yield Candidate(inside[0].i, inside[-1].i + 1, LOOSE, {kind: weight})
    elif text.english and not any(text.is_word(word) for word in inside):
        yield Candidate(inside[0].i, inside[-1].i + 1, LOOSE, {kind: 0.7})


def _is_small(word: Word) -> bool:
    linked = word.lower in PARTICLES or word.lower in {"of", "the", "and", "for", "'s", "-"}
    return word.text.isalpha() and not is_capital(word) and not linked


_EDGE_TAGS = frozenset(
    {
        "DT",
        "PRP$",
        "PRP",
        "POS",
        "IN",
        "CC",
        "UH",
        ",",
        ".",
        ":",
        "-LRB-",
        "-RRB-",
        "``",
        "''",
        "_SP",
    }
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
