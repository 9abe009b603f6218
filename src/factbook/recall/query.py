"""What a question asks for: its words, the names in it, times, kinds and shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from factbook.model.record import SELF, EntityType
from factbook.ports.store import NameHit
from factbook.recall.times import Span, span_in
from factbook.text.names import fold
from factbook.text.words import STOP_WORDS, plain, words

Shape = Literal["open", "list", "count", "yes_no"]

LONGEST_NAME = 4
"""Words of a name that is looked up in a question."""
MOST_WORDS = 48
"""Words of a question in which names are looked for."""
MOST_BEARERS = 5
"""Entities that one ambiguous name is linked to."""

LEAST_WORDS = 2
"""Index words that a question without names must have left."""

_NAME_AT = re.compile(r"\b([^\W\d_]+)(?:['’]s)?\b")
_TOKEN = re.compile(r"[^\W_]+(?:['’.&+#/-][^\W_]+)*[+#]*")
_POSSESSIVE = re.compile(r"['’ʼ]s$")
_SELF = re.compile(r"\b(?:i|me|my|mine|myself|we|our)\b")
_PAST = re.compile(r"\b(?:used to|former|formerly|before|previous|previously|history|earlier|once|old|originally|ex)\b")
_YES_NO = re.compile(
    r"^(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|am|isnt|arent|doesnt|didnt)\b"
)
_COUNT = re.compile(r"\bhow (?:many|often|much)\b|\bnumber of\b")
_LIST = re.compile(
    r"^(?:list|name|enumerate)\b|\b(?:all|every|both|various|different|ways|kinds|types|sorts)\b"
    r"|\b(?:what|which)(?: \w+){0,2} \w{2,}[^s\W]s\b"
)
_WHO = re.compile(r"\b(?:who|whom|whose)\b")
_WHERE = re.compile(r"^where\b|\b(?:which|what) (?:city|country|place|town)\b")


@dataclass(frozen=True, kw_only=True, slots=True)
class Linked:
    """An entity that the question names: `name` as it stands there, `strength` 0–1."""

    entity_id: str
    name: str
    strength: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A question, understood.

    Attributes:
        text: as asked. words: its distinct index words, in order. folded: its tokens, folded.
        linked: the entities it names, the surest first; the asker's own (`self`) among them.
        asks_self: it speaks of the asker ("I", "my").
        kinds: ids of the kinds it asks for.
        span: the time it speaks of, None for none.
        shape: what form of answer it wants. past: it asks for what held once.
    """

    text: str
    words: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    linked: tuple[Linked, ...] = ()
    asks_self: bool = False
    kinds: tuple[str, ...] = ()
    span: Span | None = None
    shape: Shape = "open"
    past: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Gram:
    """Neighbouring words of a question that may be a name. `start:end` counts words."""

    text: str
    start: int
    end: int


def grams(question: str) -> tuple[Gram, ...]:
    """What in the question may be a name, lower-case too: runs of words that neither begin nor end with a stop word."""
    tokens = [_POSSESSIVE.sub("", token) for token in _TOKEN.findall(question)[:MOST_WORDS]]
    stops = [plain(token) in STOP_WORDS for token in tokens]
    return tuple(
        Gram(text=" ".join(tokens[start:end]), start=start, end=end)
        for start in range(len(tokens))
        if not stops[start]
        for end in range(start + 1, min(start + LONGEST_NAME, len(tokens)) + 1)
        if not stops[end - 1]
    )


def link(found: Mapping[Gram, Sequence[NameHit]], canonical: Mapping[str, str]) -> tuple[Linked, ...]:
    """The entities that a question names, from what the name index holds for its grams.

    A longer name that matches whole hides the shorter ones inside it; a name with several bearers is shared by them.
    """
    whole = [gram for gram, hits in found.items() if any(fold(hit.name) == fold(gram.text) for hit in hits)]
    best: dict[str, Linked] = {}
    for gram, hits in found.items():
        if any(big.start <= gram.start and gram.end <= big.end and big != gram and _longer(big, gram) for big in whole):
            continue
        fits: dict[str, float] = {}
        for hit in hits:
            fit = _fit(gram.text, hit.name)
            key = canonical.get(hit.entity_id, hit.entity_id)
            if fit > fits.get(key, 0.0):
                fits[key] = fit
        top = max(fits.values(), default=0.0)
        bearers = [key for key, fit in fits.items() if fit >= 0.8 * top]
        if not top or len(bearers) > 4 * MOST_BEARERS:
            continue
        for key in bearers[:MOST_BEARERS]:
            strength = fits[key] / len(bearers) ** 0.5
            if key not in best or strength > best[key].strength:
                best[key] = Linked(entity_id=key, name=gram.text, strength=strength)
    return tuple(sorted(best.values(), key=lambda each: (-each.strength, each.entity_id)))


def understand(
    question: str, *, linked: Iterable[Linked] = (), kinds: Mapping[str, EntityType] | None = None, now: datetime
) -> Query:
    """The question with what it asks for; `linked` comes from `link`."""
    folded = plain(question)
    tokens = tuple(plain(_POSSESSIVE.sub("", token)) for token in _TOKEN.findall(question))
    asks_self = bool(_SELF.search(folded))
    named = list(linked)
    if asks_self and all(each.entity_id != SELF for each in named):
        named.append(Linked(entity_id=SELF, name="I", strength=0.6))
    return Query(
        text=question,
        words=tuple(dict.fromkeys(words(question))),
        folded=tokens,
        linked=tuple(named),
        asks_self=asks_self,
        kinds=_kinds(folded, tokens, kinds or {}),
        span=span_in(question, now),
        shape=_shape(folded),
        past=bool(_PAST.search(folded)),
    )


def nameless(question: str, speakers: Iterable[str]) -> str:
    """The question without the (folded) names of those who speak in the space, for its vector.

    People say "I", not their names: with the name in it, the vector is near to lines that greet them. Returned as it
    is where little else would remain.
    """
    parts = {part for speaker in speakers for part in speaker.split() if len(part) > 2}
    out = " ".join(_NAME_AT.sub(lambda found: "" if plain(found[1]) in parts else found[0], question).split())
    return out if out != question and len(words(out)) >= LEAST_WORDS else question


def _longer(big: Gram, small: Gram) -> bool:
    return big.end - big.start > small.end - small.start


def _fit(gram: str, name: str) -> float:
    """How well what stands in the question fits a name: 1 for the same, less for a part or a misspelling of it."""
    left, right = fold(gram), fold(name)
    if left == right:
        return 1.0
    ours, theirs = left.split(), right.split()
    if set(ours) <= set(theirs):
        return 0.5 + 0.4 * len(ours) / len(theirs)
    if min(len(left), len(right)) < 5:
        return 0.0
    from rapidfuzz.distance import DamerauLevenshtein

    similar = DamerauLevenshtein.normalized_similarity(left, right)
    return 0.7 * similar if similar >= 0.85 else 0.0


def _kinds(folded: str, tokens: Sequence[str], kinds: Mapping[str, EntityType]) -> tuple[str, ...]:
    asked = {token.removesuffix("s") for token in tokens} | set(tokens)
    out = [
        key
        for key, kind in kinds.items()
        if any(name in asked or name.replace("_", " ") in folded for name in (key, *kind.other_names))
    ]
    if _WHO.search(folded):
        out.append("person")
    if _WHERE.search(folded):
        out.append("place")
    return tuple(dict.fromkeys(out))


def _shape(folded: str) -> Shape:
    if _COUNT.search(folded):
        return "count"
    if _YES_NO.search(folded):
        return "yes_no"
    return "list" if _LIST.search(folded) else "open"
