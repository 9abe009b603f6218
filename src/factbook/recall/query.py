"""What a question asks for: its words, the names in it, times, kinds and shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from factbook.model.record import SELF, EntityType
from factbook.ports.store import NameHit
from factbook.text.names import fold, name_keys
from factbook.text.when import Moment, moments
from factbook.text.words import STOP_WORDS, plain, words

Shape = Literal["open", "list", "count", "yes_no"]

LONGEST_NAME = 4
"""Words of a name that is looked up in a question."""
MOST_WORDS = 48
"""Words of a question in which names are looked for."""
MOST_BEARERS = 5
"""A name that more entities bear says nothing."""

LEAST_WORDS = 2
"""Index words that a question without names must have left."""

SURE = 0.7
"""Strength of a link from which on the question is about that entity."""

_NAME_AT = re.compile(r"\b([^\W\d_]+)(?:['’]s)?\b")
_TOKEN = re.compile(r"[^\W_]+(?:['’.&+#/-][^\W_]+)*[+#]*")
_WHOLE = 0.9
_SIMILAR = 0.75
_POSSESSIVE = re.compile(r"['’ʼ]s$")
_JOINS = frozenset({"of", "the", "and", "for", "to", "in", "on", "at", "a"})
"""Stop words that may stand inside a name."""

_BY_KEY: Mapping[str, float] = {"f": 1.0, "u": 0.95, "j": 0.95, "c": 0.9, "n": 0.85, "s": 0.9, "a": 0.8}
"""How surely a name is meant by the sort of key that found it (see `text.names.name_keys`)."""

_SELF = re.compile(r"\b(?:i|me|my|mine|myself|we|our)\b")
_PAST = re.compile(r"\b(?:used to|former|formerly|before|previous|previously|history|earlier|once|old|originally|ex)\b")
_YES_NO = re.compile(
    r"^(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should|am|isnt|arent|doesnt|didnt)\b"
)
_COUNT = re.compile(r"\bhow (?:many|often|much)\b|\bnumber of\b")
_LIST = re.compile(
    r"^(?:list|name|enumerate)\b|\b(?:all|every|both|various|different|ways|kinds|types|sorts)\b"
    r"|\b(?:what|which)(?: \w+){0,2} \w{2,}[^siu\W]s\b"
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
        content: those of the words that are in no sure name.
        linked: the entities it names, the surest first; the asker's own (`self`) among them.
        asks_self: it speaks of the asker ("I", "my").
        kinds: ids of the kinds it asks for.
        span: the first time it speaks of, None for none.
        shape: what form of answer it wants. past: it asks for what held once.
    """

    text: str
    words: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    linked: tuple[Linked, ...] = ()
    asks_self: bool = False
    kinds: tuple[str, ...] = ()
    span: Moment | None = None
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
    folded = [plain(token) for token in tokens]
    stops = [token in STOP_WORDS for token in folded]
    out: list[Gram] = []
    for start in range(len(tokens)):
        if stops[start]:
            continue
        for end in range(start + 1, min(start + LONGEST_NAME, len(tokens)) + 1):
            if not stops[end - 1]:
                out.append(Gram(text=" ".join(tokens[start:end]), start=start, end=end))
            elif folded[end - 1] not in _JOINS:
                break
    return tuple(out)


def keys_of(gram: Gram) -> tuple[str, ...]:
    """The keys under which the store's name index is asked: parts of names only for single words."""
    keys = name_keys(gram.text)
    return keys if gram.end - gram.start == 1 else tuple(key for key in keys if not key.startswith("t:"))


def link(found: Mapping[Gram, Sequence[tuple[str, NameHit]]], canonical: Mapping[str, str]) -> tuple[Linked, ...]:
    """The entities that a question names, from what the name index holds for the keys of its grams.

    A longer name that matches whole hides the shorter ones inside it; a name with several bearers is shared by them.
    """
    fits = {gram: _bearers(gram, hits, canonical) for gram, hits in found.items()}
    whole = [gram for gram, bearers in fits.items() if max(bearers.values(), default=0.0) >= _WHOLE]
    best: dict[str, Linked] = {}
    for gram, bearers in fits.items():
        top = max(bearers.values(), default=0.0)
        if not top or any(_inside(gram, big) for big in whole):
            continue
        near = [key for key, fit in bearers.items() if fit >= 0.8 * top]
        if len(near) > MOST_BEARERS:
            continue
        for key in near:
            strength = bearers[key] / len(near) ** 0.5
            if key not in best or strength > best[key].strength:
                best[key] = Linked(entity_id=key, name=gram.text, strength=strength)
    return tuple(sorted(best.values(), key=lambda each: (-each.strength, each.entity_id)))


def _bearers(gram: Gram, hits: Sequence[tuple[str, NameHit]], canonical: Mapping[str, str]) -> dict[str, float]:
    fits: dict[str, float] = {}
    for key, hit in hits:
        home = canonical.get(hit.entity_id, hit.entity_id)
        fits[home] = max(fits.get(home, 0.0), _fit(gram.text, key[:1], hit.name))
    return {home: fit for home, fit in fits.items() if fit}


def _inside(small: Gram, big: Gram) -> bool:
    return big.start <= small.start and small.end <= big.end and big.end - big.start > small.end - small.start


def _fit(gram: str, sort: str, name: str) -> float:
    """How well what stands in the question fits a name: 1 for the same, less for a part or a misspelling of it."""
    left, right = fold(gram), fold(name)
    parts, whole = sorted((len(left.split()), len(right.split())))
    if sort == "t" or (sort == "n" and parts < whole):
        return 0.5 + 0.4 * parts / max(whole, 1)
    if sort in _BY_KEY:
        return _BY_KEY[sort]
    from rapidfuzz.distance import DamerauLevenshtein

    similar = DamerauLevenshtein.normalized_similarity(left, right)
    return 0.7 * similar if similar >= _SIMILAR else 0.0


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
    asked = tuple(dict.fromkeys(words(question)))
    in_names = {word for each in named if each.strength >= SURE for word in words(each.name)}
    return Query(
        text=question,
        words=asked,
        content=tuple(word for word in asked if word not in in_names),
        folded=tokens,
        linked=tuple(named),
        asks_self=asks_self,
        kinds=_kinds(folded, tokens, kinds or {}),
        span=next(iter(moments(question, now)), None),
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
