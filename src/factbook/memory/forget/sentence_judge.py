"""Judges sentences: about the one who is forgotten, by name or pronoun, about others, or doubtful.

A sentence that tells of others, and only names the one who is forgotten, stays with the name
masked. One of which it isn't certain whom it means is left for a person to decide.
"""

from __future__ import annotations

import hashlib
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from factbook.text.common_words import is_common
from factbook.text.index_words import index_words
from factbook.text.name_masks import Spans
from factbook.text.names import fold
from factbook.text.nicknames import is_known_name
from factbook.text.relation_words import relation_of_noun
from factbook.text.sentences import split_sentences
from factbook.text.stop_names import is_stop_name

REACH = 2
"""So many sentences before its own a pronoun looks back."""

Span = tuple[int, int]
Sort = Literal["meant", "speaker", "person", "thing", "unnamed", "he", "they", "it"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_HE = frozenset(
    "he him his himself she her hers herself he's she's he'll she'll he'd she'd".split()
)
_THEY = frozenset("they them their theirs themselves they're they've they'll they'd".split())
_IT = frozenset("it its itself it's it'll".split())
_SPEAKER = frozenset(
    "i we you i'm i've i'd i'll we're we've we'll we'd you're you've us me".split()
)
_PRONOUNS: Mapping[str, Sort] = {
    **dict.fromkeys(_HE, "he"),
    **dict.fromkeys(_THEY, "they"),
    **dict.fromkeys(_IT, "it"),
    **dict.fromkeys(_SPEAKER, "speaker"),
}
_PLACING = frozenset("in at on from to near into for since around towards via".split())
_PEOPLE = frozenset(
    "man woman guy girl boy lady gentleman person doctor someone somebody client customer nurse".split()
)
_EQUATING = frozenset(
    "is was are were be been becomes became as a an the my our his her your new old former".split()
)
_JOINED = re.compile(r"\s*(?:,|and\b|&|or\b|with\b)\s*(?:and\s+)?$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Passage:
    """A text, with the places where the one who is forgotten is named.

    Attributes:
        row_id: of the message, note or entity. meant: places of the names. alike: places where one
            of that name may be meant. follows: a pronoun may look back to the passage before.
    """

    row_id: str
    text: str
    meant: Sequence[Span] = ()
    alike: Sequence[Span] = ()
    follows: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Clue:
    """A word or name of a sentence that may say whom it is about."""

    sort: Sort
    start: int
    end: int
    name: str = ""


@dataclass(kw_only=True, slots=True)
class Judged:
    """Sentences of a text that go, and doubtful ones, each with why; `whole` where all of it goes."""

    goes: list[str] = field(default_factory=list[str])
    doubtful: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    whole: bool = False


class SentenceJudge:
    """Judges passages in the order in which they were said, and remembers whom a pronoun may mean.

    Args:
        is_person: the one who is forgotten is a person. kinds: the kinds of the names that others
            are known by, folded.
    """

    def __init__(self, *, is_person: bool, kinds: Mapping[str, str]) -> None:
        self._is_person = is_person
        self._clues = _ClueReader(lambda name: kinds.get(fold(name)))
        self._history: deque[frozenset[str]] = deque(maxlen=REACH)

    def judge_passage(self, passage: Passage) -> Judged:
        """Returns the sentences of a passage that go, and the doubtful ones."""
        if not passage.follows:
            self._history.clear()
        judged, text = Judged(), passage.text
        spans = split_sentences(text)
        named, doubtful = Spans(passage.meant), Spans(passage.alike)
        for start, end in spans:
            sentence = text[start:end]
            clues = list(self._clues.read_clues(text, start, end, named))
            why = self._find_doubt(clues, text)
            if why is None:
                judged.goes.append(sentence)
            elif why or doubtful.over(start, end):
                judged.doubtful.append((sentence, why or "one of that name may be meant"))
        judged.whole = (
            bool(spans) and len(judged.goes) == len(spans) and not _text_outside(text, spans)
        )
        return judged

    def _find_doubt(self, clues: Sequence[Clue], text: str) -> str | None:
        """Why it is doubtful that a sentence is about the one who is forgotten; None if it is,
        empty if it isn't.
        """
        others = {clue.name for clue in clues if clue.sort in ("person", "unnamed")}
        place = next((place for place, clue in enumerate(clues) if clue.sort == "meant"), None)
        if place is not None:
            self._history.append(frozenset(others | {"meant"}))
            return None if _is_leading(clues, place) and not _is_shared(clues, place, text) else ""
        before = frozenset[str]().union(*self._history)
        place = next(
            (place for place, clue in enumerate(clues) if clue.sort in ("he", "they", "it")), None
        )
        if place is None or "meant" not in before:
            self._history.append(frozenset(others))
            return ""
        why = self._doubt_pronoun(
            clues, place, (before - {"meant"}) | {each.name for each in clues[:place] if each.name}
        )
        if why != "":
            others.add("meant")
        self._history.append(frozenset(others))
        return why

    def _doubt_pronoun(
        self, clues: Sequence[Clue], place: int, others: frozenset[str]
    ) -> str | None:
        sort, leads = clues[place].sort, _is_leading(clues, place)
        if sort == "he" and self._is_person:
            if others:
                return "the pronoun may mean another"
            return None if leads else "a pronoun means the one"
        may_mean_it = sort == "they" or (sort == "it" and not self._is_person)
        if leads and may_mean_it:
            return "the pronoun may mean the one"
        return ""


def find_names(passages: Iterable[Passage]) -> set[str]:
    """Returns the folded names whose kind `SentenceJudge` asks for, whichever they turn out to be."""
    asked: set[str] = set()

    def ask_unknown(name: str) -> str | None:
        asked.add(fold(name))
        return None

    def ask_known(name: str) -> str | None:
        asked.add(fold(name))
        return "person"

    for passage in passages:
        named = Spans(passage.meant)
        for start, end in split_sentences(passage.text):
            for kind_of in (ask_unknown, ask_known):
                deque(_ClueReader(kind_of).read_clues(passage.text, start, end, named), maxlen=0)
    return asked


class _ClueReader:
    """Reads whom a sentence names; `kind_of` gives the kind under which a name is known, if it is."""

    def __init__(self, kind_of: Callable[[str], str | None]) -> None:
        self._kind_of = kind_of

    def read_clues(self, text: str, start: int, end: int, named: Spans) -> Iterator[Clue]:
        """Yields the names and pronouns of the sentence at [start, end), in order."""
        found = [match.span() for match in _WORD.finditer(text, start, end)]
        place = 0
        while place < len(found):
            first, last = found[place]
            inside = named.over(first, last)
            if inside is not None:
                yield Clue(sort="meant", start=inside[0], end=inside[1])
                place = next(
                    (at for at in range(place, len(found)) if found[at][0] >= inside[1]), len(found)
                )
                continue
            run = self._end_of_name(text, found, place, named)
            if run > place:
                yield self._read_name(text, found, place, run)
                place = run
                continue
            clue = self._read_word(text, found, place, named)
            if clue is not None:
                yield clue
            place += 1

    def _end_of_name(self, text: str, found: Sequence[Span], place: int, named: Spans) -> int:
        """Returns the end of the name that begins at this word; the word's own place if there is
        none.
        """
        end = place
        while end < len(found) and self._is_capital(text, found, end, first=end == 0):
            if named.over(*found[end]):
                break
            if end > place and text[found[end - 1][1] : found[end][0]].strip(" .-"):
                break
            end += 1
        return end

    def _is_capital(self, text: str, found: Sequence[Span], place: int, *, first: bool) -> bool:
        """Whether a word is written as a name, or as a part of one."""
        start, end = found[place]
        word = text[start:end]
        bare = re.sub(r"['’]s$", "", word)
        if not word[0].isupper() or is_stop_name(bare) or fold(bare) in _SPEAKER:
            return False
        if not first:
            return bool(index_words(bare))
        folded = fold(bare)
        if is_common(folded) or not index_words(bare):
            return False
        if is_known_name(folded) or self._kind_of(bare) is not None:
            return True
        return text[end : end + 1] != "," and not folded.endswith("ly")

    def _read_name(self, text: str, found: Sequence[Span], place: int, run: int) -> Clue:
        start, end = found[place][0], found[run - 1][1]
        name = re.sub(r"['’]s$", "", text[start:end])
        kind = self._kind_of(name)
        before = text[found[place - 1][0] : found[place - 1][1]].lower() if place else ""
        is_person = (
            kind == "person"
            if kind
            else is_known_name(fold(name.split()[0])) or before not in _PLACING
        )
        return Clue(sort="person" if is_person else "thing", start=start, end=end, name=fold(name))

    def _read_word(self, text: str, found: Sequence[Span], place: int, named: Spans) -> Clue | None:
        start, end = found[place]
        word = text[start:end].lower().replace("’", "'")
        if word in _PRONOUNS:
            return Clue(sort=_PRONOUNS[word], start=start, end=end)
        if _is_someone(word) and not self._is_beside(text, found, place, named):
            return Clue(sort="unnamed", start=start, end=end, name=word)
        return None

    def _is_beside(self, text: str, found: Sequence[Span], place: int, named: Spans) -> bool:
        """Whether the noun says what someone named is: `my boss Tom`, `Tom is my boss`, `Tom, my
        boss,`.
        """
        end = found[place][1]
        if text[end : end + 2].strip()[:1].isupper():
            return True
        after = place + 1
        while after < len(found) and text[slice(*found[after])].lower() in _EQUATING:
            after += 1
        if place + 1 < after < len(found) and named.over(*found[after]):
            return True
        before = place - 1
        while before >= 0 and text[slice(*found[before])].lower() in _EQUATING:
            before -= 1
        if before < 0:
            return False
        return named.over(*found[before]) is not None or text[found[before][0]].isupper()


def _is_someone(word: str) -> bool:
    """Whether a noun stands for a person: `sister`, `boss`, `doctor`."""
    known = relation_of_noun(word)
    return word in _PEOPLE or (known is not None and not known.kinds)


def _is_leading(clues: Sequence[Clue], place: int) -> bool:
    """Whether nobody is named before: then the sentence is about this one."""
    return all(clue.sort == "thing" for clue in clues[:place])


def _is_shared(clues: Sequence[Clue], place: int, text: str) -> bool:
    """Whether others take part (`Tom and Ada`), or it is about someone of theirs (`Tom's sister
    Eva`).
    """
    mine = clues[place]
    for clue in clues[place + 1 : place + 3]:
        if clue.sort in ("person", "unnamed", "speaker"):
            between = text[mine.end : clue.start]
            owned = (
                between[:2] in ("'s", "’s") and clue.sort == "person" and len(between.split()) <= 3
            )
            return owned or bool(_JOINED.match(between))
    return False


def _text_outside(text: str, spans: Iterable[Span]) -> str:
    """Anything in a text beside these spans, but for white space."""
    last, left = 0, ""
    for start, end in spans:
        left += text[last:start]
        last = end
    return (left + text[last:]).strip()


def sentence_id(row_id: str, sentence: str) -> str:
    """Returns an id for a sentence of a row, good as long as the row holds the sentence."""
    digest = hashlib.blake2b(" ".join(sentence.split()).encode("utf-8", "replace"), digest_size=4)
    return f"{row_id}#{digest.hexdigest()}"


def without_sentences(text: str, gone: Iterable[str]) -> str:
    """Returns a text without these sentences."""
    for sentence in gone:
        text = text.replace(sentence, " ")
    return text.strip()
