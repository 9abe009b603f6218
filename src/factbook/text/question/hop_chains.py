"""Several hops in a question: `Alice's manager`, `the company that Tom's sister left`, as steps
from what it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from factbook.model.record import SELF
from factbook.text.index_words import STOP_WORDS
from factbook.text.name_links import SURE, Linked
from factbook.text.question.answer_shapes import kind_called
from factbook.text.question.question_words import Token
from factbook.text.relation_words import (
    PREPOSITIONS,
    Direction,
    RelationWord,
    relation_of_noun,
    relation_of_verb,
    singular_forms,
)

MOST_STEPS = 3
_ADJECTIVES = 2
"""Words that may stand between an 's and what it has: `Alice's new line manager`."""
_FORMER = frozenset("former old previous ex past last".split())
_MINE = frozenset("my our".split())
_SELF_WORDS = _MINE | frozenset("i we".split())
_NO_NOUN = STOP_WORDS | _FORMER | {""}
_ARTICLES = frozenset("the a an that this her his their".split())
_THAT = frozenset("that which who whom where".split())
_SKIPPED = frozenset(
    "has have had is was are were just once still also currently now recently used to else did "
    "does do be been".split()
)
_ENDS = frozenset("left quit leave resigned".split())
_ONCE = frozenset("led ran wrote built made taught knew met went bought".split())
_OTHER: Mapping[Direction, Direction] = {">": "<", "<": ">", "~": "~"}
_VERBS_TOO = frozenset("report lead head chair coach mentor tutor partner sponsor home".split())
"""Roles that only an 's tells from verbs: `who does Alice report to`."""
_TEAMS = frozenset("team project product line engineering".split())
_LEADS = frozenset("lead leader manager".split())


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One hop: the word that asks for it, where that leads, and the kinds it leads to (see
    `text.roles.Role`).

    Attributes:
        former: only what holds no longer counts. ever: what held once counts too.
        answer: who or what is reached is the answer itself, not somebody of whom more is asked.
        open: the word stands in no lexicon: any label or attribute of its name is followed.
    """

    word: str
    ways: tuple[tuple[Direction, str], ...] = ()
    otherwise: tuple[tuple[Direction, str], ...] = ()
    attributes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    former: bool = False
    ever: bool = False
    answer: bool = False
    open: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Chain:
    """Steps from entities of one name; `start:end` are the question's words that it takes."""

    anchors: tuple[Linked, ...]
    steps: tuple[Step, ...] = ()
    start: int = 0
    end: int = 0


def chains(said: Sequence[Token], linked: Sequence[Linked]) -> tuple[Chain, ...]:
    """Returns every run of hops in a question, each from one name or the asker."""
    spans: dict[tuple[int, int], list[Linked]] = {}
    for each in linked:
        if each.start >= 0:
            spans.setdefault((each.start, each.end), []).append(each)
    asker = Linked(entity_id=SELF, name="I", strength=SURE)
    for place, token in enumerate(said):
        if token.folded in _SELF_WORDS:
            spans[place, place + 1] = [replace(asker, name=token.text, start=place, end=place + 1)]
    taken = {place for start, end in spans for place in range(start, end)}
    out = [
        _Reading(said, taken).chain(Chain(anchors=tuple(some), start=a, end=b))
        for (a, b), some in spans.items()
    ]
    return tuple(each for each in out if each.steps)


@dataclass(frozen=True, slots=True)
class _Reading:
    """The words of one question, and which of them are names."""

    said: Sequence[Token]
    named: set[int] = field(default_factory=set[int])

    def chain(self, chain: Chain) -> Chain:
        """Returns the chain with all the steps that the words around it ask for."""
        while len(chain.steps) < MOST_STEPS:
            if chain.steps and self._is_named(chain.end):
                return replace(chain, steps=())
            longer = self._has(chain)
            if longer is None and self.said[chain.end - 1].owns:
                return chain  # what is asked for is something of theirs
            longer = longer or self._around(chain)
            if longer is None:
                return self._asked(chain)
            chain = longer
        return chain

    def _around(self, chain: Chain) -> Chain | None:
        """Returns the chain longer by a step that is asked for in several words."""
        return self._of(chain) or self._clause(chain) or self._who(chain)

    def _at(self, place: int) -> str:
        return self.said[place].folded if 0 <= place < len(self.said) else ""

    def _is_named(self, place: int) -> bool:
        """Returns whether who is reached is named right after: `Alice's colleague, Tom`."""
        return place in self.named and self._at(place) not in _SELF_WORDS

    def _has(self, chain: Chain) -> Chain | None:
        """`Alice's manager`, `my sister`; also without the 's."""
        last = self.said[chain.end - 1]
        owns = last.owns or (not chain.steps and last.folded in _MINE)
        if chain.steps and not last.owns:
            return None
        former = False
        adjectives = _ADJECTIVES if owns else 0
        for place in range(chain.end, min(chain.end + 1 + adjectives, len(self.said))):
            token = self.said[place]
            if token.parts or place in self.named:
                return None
            word = token.folded
            former = former or word in _FORMER or word.startswith("ex-")
            if word in _TEAMS and self._at(place + 1) in _LEADS:
                return _longer(
                    chain, _step("manager", relation_of_noun("manager"), former), end=place + 2
                )
            if not owns and not _VERBS_TOO.isdisjoint(singular_forms(word)):
                return None
            bare = word.removeprefix("ex-").replace("-", "")
            known = relation_of_noun(bare, former=former)
            if known is not None:
                return _longer(chain, _step(word, known, former), end=place + 1)
            if word in STOP_WORDS:
                break
        noun = self._at(chain.end)
        if not owns or chain.steps or noun in _NO_NOUN:
            return None
        return _longer(chain, Step(word=noun.replace("-", "_"), open=True), end=chain.end + 1)

    def _of(self, chain: Chain) -> Chain | None:
        """`the manager of Alice`."""
        place = self._before(chain.start)
        if self._at(place) != "of" or place < 1 or place - 1 in self.named:
            return None
        word = self._at(place - 1)
        known = relation_of_noun(word)
        if known is None and (word in STOP_WORDS or chain.steps):
            return None
        if self._at(place - 2) in ("a", "an"):
            return None  # `a member of the team` says what one is
        former = self._at(place - 2) in _FORMER
        step = (
            _step(word, relation_of_noun(word, former=former), former)
            if known
            else Step(word=word, open=True)
        )
        return _longer(chain, step, start=self._before(place - 1) + 1)

    def _clause(self, chain: Chain) -> Chain | None:
        """`the company that Alice left`, `the city where my sister lives`."""
        head = chain.start - 1
        if self._at(head) in _THAT:
            head -= 1
            if self._at(head) in PREPOSITIONS:
                head -= 1
        kinds = self._head(head)
        if kinds is None:
            return None
        place, former = self._verb(chain.end)
        after = self._at(place + 1)
        known = relation_of_verb(self._at(place), after, exactly=True)
        if known is None:
            return None
        former = former or self._at(place) in _ENDS
        end = place + 2 if after in PREPOSITIONS else place + 1
        step = _step(self._at(place), known, former, kinds=kinds)
        return _longer(chain, step, start=self._before(head) + 1, end=end)

    def _who(self, chain: Chain) -> Chain | None:
        """`the person who manages Alice`, `people working at Acme`."""
        place, preposition = self._deed_before(chain.start)
        known = relation_of_verb(self._at(place), preposition, exactly=True) if place > 0 else None
        if known is None:
            return None
        head = place - 1
        while self._at(head) in _SKIPPED:
            head -= 1
        if self._at(head) in ("who", "that", "which"):
            head -= 1
        elif not self._at(place).endswith("ing"):
            return None
        kinds = self._head(head)
        if kinds is None:
            return None
        return _longer(
            chain, _step(self._at(place), _turned(known), kinds=kinds), start=self._before(head) + 1
        )

    def _asked(self, chain: Chain) -> Chain:
        """`who else works at the company that …`: the last hop leads to the answer."""
        place, preposition = self._deed_before(chain.start)
        known = (
            relation_of_verb(self._at(place), preposition, exactly=True)
            if chain.steps and place > 0
            else None
        )
        first = place - 1
        while self._at(first) in _SKIPPED:
            first -= 1
        if (
            known is None
            or self._at(first) not in ("who", "which", "what")
            or len(chain.steps) >= MOST_STEPS
        ):
            return chain
        step = replace(_step(self._at(place), _turned(known), kinds=("person",)), answer=True)
        return _longer(
            chain, step if self._at(first) == "who" else replace(step, kinds=()), start=first
        )

    def _head(self, place: int) -> tuple[str, ...] | None:
        """Returns the kinds that a noun before a clause stands for; None where there is none."""
        if place < 0 or place in self.named or self.said[place].owns:
            return None
        word = self._at(place)
        kind = kind_called(word)
        if kind is not None:
            return (kind,)
        known = relation_of_noun(word)
        return known.kinds if known is not None else None

    def _verb(self, place: int) -> tuple[int, bool]:
        """Finds the verb after a subject, and whether it tells of the past."""
        former = False
        while self._at(place) in _SKIPPED:
            former = former or self._at(place) == "used"
            place += 1
        return place, former

    def _deed_before(self, place: int) -> tuple[int, str]:
        """Finds the verb before an object, with its preposition."""
        place = self._before(place)
        word = self._at(place)
        return (place - 1, word) if word in PREPOSITIONS else (place, "")

    def _before(self, place: int) -> int:
        """Returns the place before the articles that stand before a place."""
        place -= 1
        while self._at(place) in _ARTICLES and place > 0:
            place -= 1
        return place


def _step(
    word: str, known: RelationWord | None, former: bool = False, *, kinds: tuple[str, ...] = ()
) -> Step:
    known = known or RelationWord()
    return Step(
        word=word,
        ways=known.ways,
        otherwise=known.otherwise,
        attributes=known.attributes,
        kinds=kinds or known.kinds,
        former=former,
        ever=word.endswith("ed") or word in _ONCE,
    )


def _turned(known: RelationWord) -> RelationWord:
    """Returns the same the other way round."""
    return RelationWord(
        ways=tuple((_OTHER[direction], label) for direction, label in known.ways),
        otherwise=tuple((_OTHER[direction], label) for direction, label in known.otherwise),
    )


def _longer(chain: Chain, step: Step, *, start: int | None = None, end: int | None = None) -> Chain:
    return replace(
        chain,
        steps=(*chain.steps, step),
        start=chain.start if start is None else max(start, 0),
        end=chain.end if end is None else end,
    )
