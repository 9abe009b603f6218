"""What facts are made of: whose they are, the words of their values, the days they name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.validity import validity
from factbook.extract.local.scene import ALWAYS, Attribute, End, Finding, Scene
from factbook.text.time_phrases import find_moments

PEOPLE = frozenset({"person", "self"})
THINGS = frozenset({"project", "product", "task", "campaign", "event", "technology"})
_DATED = THINGS - {"technology"}
_LONGEST_VALUE = 12
"""Words of a value; a longer one is a story."""

_TIMELESS = frozenset(
    {
        "birthday",
        "birth_year",
        "deadline",
        "launch_date",
        "nationality",
        "age",
        "period",
        "unit",
        "campaign",
    }
)
_CALENDAR = re.compile(r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)


def fact(
    scene: Scene,
    of: End,
    attribute: str,
    value: str,
    word: Word,
    *,
    importance: float = 0.5,
    retracts: bool = False,
    begins: bool = False,
) -> Attribute:
    """The fact, said by the sentence of a word and, if that is a verb, holding when its clause
    does; from then on, if the verb `begins` it.
    """
    start, stop = scene.quote(word)
    when = (
        validity(scene, word, event=begins)
        if word.pos in {"VERB", "AUX"} and attribute not in _TIMELESS
        else ALWAYS
    )
    return Attribute(
        of=of,
        attribute=attribute,
        value=value,
        start=start,
        stop=stop,
        when=when,
        importance=importance,
        retracts=retracts,
    )


def subjects(
    scene: Scene, verb: Word, *, group: bool = False, phrases: bool = False
) -> Iterator[tuple[Word, End]]:
    """Of whom or what the clause of a verb is said."""
    stray = _stray(scene, verb)
    for word in [stray] if stray is not None else clause(scene, verb).subjects:
        for end in ends(scene, word, group=group, phrases=phrases):
            yield word, end


def _stray(scene: Scene, verb: Word) -> Word | None:
    """`Adjoa` in `Kofi can't eat nuts and his sister Adjoa is …`, which the parser may hang on what
    stands before.
    """
    if verb.dep != "conj" or verb.i == 0 or verb.child("nsubj", "nsubjpass"):
        return None
    word = scene.words[verb.i - 1]
    joined = word.dep == "conj" or word.head.dep == "conj"
    apart = any(each.dep == "cc" for each in scene.words[max(0, verb.i - 5) : verb.i])
    return word if joined and apart and word.pos in {"PROPN", "NOUN", "PRON"} else None


def people_of(scene: Scene, verb: Word) -> list[End]:
    return [end for _, end in subjects(scene, verb) if end.kind in PEOPLE]


def owners(scene: Scene, noun: Word, *, phrases: bool = False) -> Iterator[End]:
    """Whose an attribute is: `my`, `Ana's`, `of Atlas`, `for Atlas`, `the Atlas budget`."""
    for word in noun.children_by("poss"):
        if word.lower in {"my", "our"}:
            yield scene.self_at(word)
        elif word.i in scene.pronouns:
            yield scene.pronouns[word.i]
        elif name := scene.name_at(word):
            yield scene.end(name)
        elif phrases:
            yield from ends(scene, word, phrases=True)
    for preposition in noun.children_by("prep"):
        if preposition.lower in {"of", "for"}:
            for word in preposition.children_by("pobj"):
                yield from ends(scene, word, phrases=phrases)
    for word in noun.children_by("compound", "nmod"):
        name = scene.name_at(word)
        if name is not None and name.kind in THINGS:
            yield scene.end(name)


def meant(scene: Scene, noun: Word) -> Iterator[End]:
    """Whose a bare `the deadline`, `current version` is: the one thing named so far in this
    sentence and the last.
    """
    own = [word for word in noun.children if word.dep in {"poss", "compound", "nmod", "prep"}]
    if own or any(det.lower not in {"the", "this"} for det in noun.children_by("det")):
        return
    sentence = scene.sentence_of(noun)
    before = [
        word
        for word in scene.words
        if sentence[0].sentence - 1 <= word.sentence and word.i < noun.i
    ]
    named = [name for name in scene.names_in(before) if name.kind in _DATED]
    if len({scene.said(*scene.characters(name.start, name.end)).lower() for name in named}) == 1:
        yield scene.end(named[0])


def values(scene: Scene, word: Word) -> list[str]:
    """The text of a value and of those coordinated with it, without their articles."""
    out: list[str] = []
    for each in (*word.with_conjuncts(), *_astray(word)):
        inside = sorted(
            (
                other
                for other in each.subtree()
                if not any(above.dep == "conj" for above in _between(other, each))
            ),
            key=lambda other: other.i,
        )
        inside = [other for other in inside if not _starts_clause(other, each)]
        while inside and (
            inside[0].dep in {"det", "punct", "cc", "poss"} or inside[0].tag == "PRP$"
        ):
            inside.pop(0)
        while inside and (
            inside[-1].dep in {"punct", "cc"}
            or inside[-1].pos == "SPACE"
            or inside[-1].lower in _TAIL
        ):
            inside.pop()
        contiguous = bool(inside) and inside[-1].i - inside[0].i + 1 == len(inside)
        if contiguous and len(inside) <= _LONGEST_VALUE:
            out.append(said(scene, inside[0], inside[-1]))
    return out


_TAIL = frozenset(
    "right too also now lately personally well currently though tbh btw lol actually".split()
)


def said(scene: Scene, first: Word, last: Word) -> str:
    """The text from one word to another, its white space made one."""
    return " ".join(scene.passage.text[first.start : last.stop].split())


def _astray(word: Word) -> list[Word]:
    """`shellfish` in `allergic to peanuts and shellfish`, which the parser may hang too high."""
    for above in list(word.above())[:3]:
        for other in above.children_by("conj"):
            joined = other.i == word.i + 2 and not other.children_by("nsubj", "aux", "dobj", "prep")
            if joined and not word.children_by("conj"):
                return [other]
    return []


def _between(word: Word, top: Word) -> Iterator[Word]:
    while word is not top:
        yield word
        word = word.head


def _starts_clause(word: Word, top: Word) -> bool:
    """Whether a word belongs to a clause of its own, which the parser hangs on the value (`green,
    he says`).
    """
    return any(
        above.dep in {"parataxis", "relcl"} and above.i > top.i for above in _between(word, top)
    )


def after(scene: Scene, word: Word, count: int = 1) -> str:
    """The lower-case word so many places after one, empty at the end of its sentence."""
    place = word.i + count
    if 0 <= place < len(scene.words) and scene.words[place].sentence == word.sentence:
        return scene.words[place].lower
    return ""


def day(scene: Scene, text: str) -> str:
    """The first time that a text names, as a date where it is one; empty without one."""
    for moment in find_moments(text, scene.at, "future")[:1]:
        found = text[moment.start : moment.stop]
        return (
            moment.at.date().isoformat()
            if moment.grain == "day"
            else " ".join(found.split()).rstrip(".")
        )
    return ""


def calendar_day(scene: Scene, text: str) -> str:
    """`9 February`, of the first day in a text that is named by its date; with the year if that is
    given.
    """
    for moment in find_moments(f"on {text}", scene.at, "future")[:1]:
        found = f"on {text}"[moment.start : moment.stop]
        if moment.grain == "day" and _CALENDAR.search(found):
            year = re.search(r"\b(?:19|20)\d\d\b", found)
            return f"{moment.at.day} {moment.at:%B}" + (f" {year[0]}" if year else "")
    return ""


def deadline(
    scene: Scene, of: End, word: Word, text: str, attribute: str = "deadline"
) -> Iterator[Finding]:
    """The first time of a text as a thing's deadline."""
    if value := day(scene, text):
        yield fact(scene, of, attribute, value, word, importance=0.8)


def rest_of(scene: Scene, word: Word) -> str:
    """The text of a word's sentence from the word on."""
    return scene.passage.text[word.start : scene.sentence_of(word)[-1].stop]


AMOUNT = (
    r"(?:[$€£¥₹]\s?\d[\d,.]*\d?\s?(?:k|m|bn|b|mm|million|billion|thousand|mio)?\b"
    r"|\d[\d,.]*\s?(?:k|m|bn|million|billion|thousand|mio)?\s?(?:[$€£¥₹]|(?:euros?|dollars?|pounds?|francs?|yen|rupees?|"
    r"kroner|kronor|usd|eur|gbp|chf|sek|nok|dkk|inr|bucks|quid|grand)\b)"
    r"|\d[\d,.]*\s?(?:k|m|bn|million|billion|thousand)\b)"
)
"""An amount of money; a bare number isn't one."""
PAID = re.compile(AMOUNT + r"(?:\s?(?:/|per|a|an|each|every)\s?(?:month|year|week|day|seat|user|hour|night|mo|yr|person)){0,2}", re.IGNORECASE)  # fmt: skip
"""An amount, and for how long or how many."""
