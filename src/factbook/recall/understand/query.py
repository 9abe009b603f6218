"""What a question asks for: its words, the names in it, times, kinds, hops and shape."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from factbook.model.record import SELF, EntityType
from factbook.text.index_words import fold_text, index_words
from factbook.text.name_links import SURE, Linked
from factbook.text.names import fold
from factbook.text.question.answer_shapes import (
    Shape,
    attributes_of,
    kinds_of,
    only_a_kind,
    only_a_time,
    shape_of,
    spreads,
)
from factbook.text.question.hop_chains import Chain, chains
from factbook.text.question.question_times import DatingEvent, Span, common, events, spans
from factbook.text.question.question_words import Token, split_question
from factbook.text.relation_words import relation_of_noun, relation_of_verb

LEAST_WORDS = 2
"""Index words that a question without names must have left."""
ASKER = 0.6
"""Strength with which "I" means the asker."""
SPEAKS = 0.3
"""Strength from which on one who is reached by hops may be the one who said it."""

_NAME_AT = re.compile(r"\b([^\W\d_]+)(?:['’]s)?\b")
_SELF = re.compile(r"\b(?:i|im|ive|me|my|mine|myself|we|weve|our|ours|us|ourselves)\b")
_FRAME = re.compile(
    r"\b(?:tell|remind|show|give|let|help) (?:me|us)\b|^(?:\w+ )?i (?:wonder|was wondering|forgot|"
    r"forget|think|guess|"
    r"believe|heard|(?:want|need|would like) to know|(?:dont|do not|cant|cannot) (?:know|remember|"
    r"recall))\b|"
    r"\bdo (?:i|we) (?:know|remember)\b|\blet us\b"
)
"""What only frames a question: `tell me`, `I wonder`."""
_YOU = re.compile(
    r"\b(?:did|do|have|had|would|were|what) you (?:\w+ )?(?:say|said|suggest\w*|recommend\w*|"
    r"advise\w*|tell|told|mention\w*|"
    r"propose\w*|write|wrote|explain\w*|answer\w*|list\w*|give|gave|given|think|find|found|come "
    r"up)\b|"
    r"\byou (?:said|suggested|recommended|advised|told|mentioned|proposed|wrote|explained|listed|"
    r"gave|came up)\b|"
    r"\byour (?:\w+ )?(?:suggestion|advice|recommendation|answer|proposal|explanation|plan|list|"
    r"reply|tip)s?\b"
)
"""What the assistant itself said."""
_WHEN = frozenset({"when", "date", "day", "time", "long", "ago", "first", "last", "often", "many"})
"""Words of questions whose answer may be the day on which something was said."""
_PAST = re.compile(
    r"\b(?:used to|former|formerly|before|previous|previously|history|earlier|once|(?<!how "
    r")(?<!years )old|originally|ex)\b"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reached:
    """An entity that hops lead to: its canonical id and present name, `strength` 0–1, and how it
    was reached, in words (`Alice –reports to→ Tom Berger`).

    Attributes:
        anchor: the name at which the hops begin. steps: canonical ids, and between them the labels.
        kind: of the entity. answer: it is the answer itself, not one of whom more is asked.
        asked: the index words of the question that stand for it.
    """

    entity_id: str
    name: str
    strength: float
    path: str
    anchor: str = ""
    steps: tuple[str, ...] = ()
    kind: str = "person"
    answer: bool = False
    asked: frozenset[str] = frozenset()

    @property
    def speaks(self) -> bool:
        """Whether it may be the one who said what is asked for."""
        return self.strength >= SPEAKS and not self.answer and self.kind == "person"


@dataclass(frozen=True, kw_only=True, slots=True)
class Query:
    """A question, understood.

    Attributes:
        text: as asked. words: its distinct index words, in order. folded: its tokens, folded.
        speakers: folded names of those whom it surely names, as memory knows them, or whom its hops
            lead to.
        via: those of the tokens that only lead to someone else (`Alice's` manager).
        content: those of the words that are in no sure name.
        linked: the entities it names, the surest first; the asker's own (`self`) among them.
        asks_self: it speaks of the asker ("I", "my"). asks_you: of what the assistant said.
        kinds: ids of the kinds it asks for. only_kinds: it asks for all of them, and for nothing
            about them. attributes: the attributes it asks for.
        span: the time it speaks of, None for none. only_time: it asks for what was then, and for
            nothing about it. events: what it dates by an event, before that is looked up.
        shape: what form of answer it wants. spread: that is likely to lie in several sessions.
        past: it asks for what held once.
        chains: hops that it asks for. reached: whom they lead to. paths: how, by the ids that lines
            carry.
        means: by label of a relation or attribute of a fact, the index words that ask for such.
    """

    text: str
    words: tuple[str, ...] = ()
    content: tuple[str, ...] = ()
    folded: tuple[str, ...] = ()
    speakers: frozenset[str] = frozenset()
    via: frozenset[str] = frozenset()
    linked: tuple[Linked, ...] = ()
    asks_self: bool = False
    asks_you: bool = False
    kinds: tuple[str, ...] = ()
    only_kinds: bool = False
    only_time: bool = False
    attributes: tuple[str, ...] = ()
    span: Span | None = None
    events: tuple[DatingEvent, ...] = ()
    shape: Shape = "open"
    spread: bool = False
    past: bool = False
    chains: tuple[Chain, ...] = ()
    reached: tuple[Reached, ...] = ()
    paths: Mapping[str, str] = field(default_factory=dict[str, str])
    means: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    @property
    def asks_when(self) -> bool:
        """Whether the answer may be the day on which something was said."""
        return self.span is not None or not _WHEN.isdisjoint(self.folded)


def understand(
    question: str,
    *,
    linked: Iterable[Linked] = (),
    kinds: Mapping[str, EntityType] | None = None,
    now: datetime,
) -> Query:
    """The question with what it asks for; `linked` comes from `naming.link`."""
    folded = fold_text(question)
    said = split_question(question)
    asks_self = bool(_SELF.search(_FRAME.sub(" ", folded)))
    named = list(linked)
    found = chains(said, named)
    if asks_self and all(each.entity_id != SELF for each in named):
        named.append(Linked(entity_id=SELF, name="I", strength=ASKER))
    asked = tuple(dict.fromkeys(index_words(question)))
    in_names = {word for each in named if each.strength >= SURE for word in index_words(each.name)}
    places = frozenset(place for each in named for place in range(each.start, each.end))
    dated = spans(
        question,
        now,
        [(said[each.start].start, said[each.end - 1].stop) for each in named if each.start >= 0],
    )
    attributes = attributes_of(said)
    # A question that begins with a name, as `Will's car …` does, begins with no verb.
    form = f", {folded}" if 0 in places else folded
    shape = shape_of(form)
    return Query(
        text=question,
        words=asked,
        content=tuple(word for word in asked if word not in in_names),
        folded=tuple(token.folded for token in said),
        speakers=frozenset(
            fold(each.bearer) for each in named if each.bearer and each.strength >= SURE
        ),
        linked=tuple(named),
        asks_self=asks_self,
        asks_you=bool(_YOU.search(folded)),
        kinds=kinds_of(folded, said, kinds or {}, places),
        only_kinds=only_a_kind(said, kinds or {}),
        attributes=tuple(dict.fromkeys(name for names in attributes.values() for name in names)),
        span=common(dated),
        only_time=bool(dated) and only_a_time(said),
        events=events(question, dated),
        shape=shape,
        spread=spreads(form),
        past=shape == "how_long" or bool(_PAST.search(folded)),
        chains=found,
        means=_means(said, attributes, places),
    )


def _means(
    said: Sequence[Token], attributes: Mapping[str, Sequence[str]], named: frozenset[int]
) -> dict[str, frozenset[str]]:
    out: dict[str, set[str]] = {}
    for place, token in enumerate(said):
        if place in named:
            continue
        after = said[place + 1].folded if place + 1 < len(said) else ""
        names = list(attributes.get(token.folded, ()))
        for known in (relation_of_noun(token.folded), relation_of_verb(token.folded, after)):
            if known is not None:
                names += [*known.attributes, *(label for _, label in known.ways)]
        for name in names:
            out.setdefault(name, set()).update(index_words(token.text))
    return {name: frozenset(asked) for name, asked in out.items() if asked}


def with_reached(query: Query, reached: Sequence[Reached]) -> Query:
    """The question with whom its hops lead to: they may have said what is asked for, rather than
    those whom it names.
    """
    if not reached:
        return query
    speaking = [each for each in reached if each.speaks]
    known = frozenset(word for each in reached if not each.answer for word in each.asked)
    stand_for = frozenset(word for each in speaking for word in each.asked)
    begun = {each.steps[0] for each in speaking}
    passed = {each.anchor for each in speaking} | {
        each.bearer for each in query.linked if each.entity_id in begun
    }
    return replace(
        query,
        reached=tuple(reached),
        speakers=query.speakers - set(map(fold, passed)) | {fold(each.name) for each in speaking},
        via=frozenset(
            token for token in query.folded if stand_for.intersection(index_words(token))
        ),
        content=tuple(word for word in query.content if word not in known),
    )


def nameless(question: str, speakers: Iterable[str]) -> str:
    """The question without the (folded) names of those who speak in the space, for its vector.

    People say "I", not their names: with the name in it, the vector is near to lines that greet
    them. Returned as it is where little else would remain.
    """
    parts = {part for speaker in speakers for part in speaker.split() if len(part) > 2}
    out = " ".join(
        _NAME_AT.sub(
            lambda found: "" if fold_text(found[1]) in parts else found[0], question
        ).split()
    )
    return out if out != question and len(index_words(out)) >= LEAST_WORDS else question
