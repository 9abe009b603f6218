"""Which version something is at: `is at version 7.3.1`, `android still 7.2.8`, `upgraded Atlas to
2.4`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.truth import claim, is_asked
from factbook.extract.local.rules.validity import is_future, is_past
from factbook.extract.local.rules.values import PEOPLE, after, fact, meant
from factbook.extract.local.scene import End, Finding, Scene

_VERSION = re.compile(r"v?\d+(?:\.\d+){0,3}(?:-?(?:rc|beta|alpha)\.?\d*)?", re.IGNORECASE)
_BETWEEN = frozenset(
    """is are 's at on version versions release v still now currently already running runs run the only latest stays
    stuck remains , - : ( back just s""".split()
)
"""What may stand between a thing and its version."""

_UNITS = frozenset(
    "% percent x k m million billion euros dollars people points hours minutes seconds ms stars €".split()
)
_NAMED = frozenset("version release v".split())
_RAISES = frozenset("upgrade update bump downgrade move migrate revert roll go".split())
_DEFINITE = frozenset(
    "app build client server sdk api firmware driver package backend frontend database os plugin".split()
)


def versions(scene: Scene) -> Iterator[Finding]:
    """The versions that the things named are said to be at now."""
    for word in scene.words:
        if (
            not _VERSION.fullmatch(word.text)
            or is_asked(scene, word)
            or after(scene, word) in _UNITS
        ):
            continue
        verb = next((each for each in word.above() if each.pos in {"VERB", "AUX"}), None)
        if verb is not None and (claim(scene, verb) != "holds" or is_future(verb)):
            continue
        if verb is not None and verb.lemma in _RAISES and verb.i < word.i:
            of = _raised(scene, verb, word)
        elif verb is not None and is_past(verb):
            continue
        else:
            of = _at(scene, word)
        number = word.text[1:] if word.text[0] in "vV" and len(word.text) > 1 else word.text
        raised = verb is not None and verb.lemma in _RAISES
        for end in of[:1]:
            yield fact(scene, end, "version", number, verb or word, importance=0.6, begins=raised)


def _at(scene: Scene, number: Word) -> list[End]:
    """The thing before it, with nothing between but words such as `is at version`."""
    passed: list[Word] = []
    if after(scene, number) == "of":
        whole = next((word for word in scene.words[number.i + 1].children_by("pobj")), None)
        named = _is_named(scene, number)
        return (
            [end for end in ends(scene, whole) if end.kind not in PEOPLE]
            if whole is not None and named
            else []
        )
    if (
        number.text[0] in "vV"
        and "." in number.text
        and number.i
        and (name := scene.name_at(scene.words[number.i - 1]))
    ):
        return [scene.end(name)] if name.kind in {"project", "product", "technology"} else []
    for word in reversed(scene.words[: number.i]):
        if word.sentence != number.sentence:
            break
        if (
            word.lower in _NAMED
            and word.i != number.i - 1
            and word.pos == "NOUN"
            and not word.children_by("poss")
        ):
            passed.append(word)  # `the version is 2`
            continue
        if word.lower not in _BETWEEN:
            return _of(scene, word, number) if passed and _is_version(number, passed) else []
        passed.append(word)
    noun = next((word for word in passed if word.lower in _NAMED), None)
    return [*meant(scene, noun)] if noun is not None else []


def _is_named(scene: Scene, number: Word) -> bool:
    """Whether `version` stands right before the number."""
    return number.i > 0 and scene.words[number.i - 1].lower in _NAMED


def _of(scene: Scene, word: Word, number: Word) -> list[End]:
    if word.lower in {"current", "of", "for"} or word.pos in {"VERB", "AUX", "ADP"}:
        noun = next((each for each in scene.words[word.i : number.i] if each.lower in _NAMED), None)
        if noun is None:
            return []
        inside = [each for of in noun.children_by("prep") for each in of.children_by("pobj")]
        return [end for each in inside for end in ends(scene, each)] or [*meant(scene, noun)]
    if name := scene.name_at(word):
        return [scene.end(name)] if name.kind not in {"person", "place", "metric"} else []
    if word.lower == "it" and word.i in scene.pronouns:
        return [scene.pronouns[word.i]]
    phrases = word.lemma in _DEFINITE
    return [end for end in ends(scene, word, phrases=phrases) if end.kind not in PEOPLE]


def _is_version(number: Word, passed: list[Word]) -> bool:
    """Not `rate is 3.8`: three parts, a `v`, or the word itself beside it."""
    text = number.text.lower()
    told = any(word.lower in _NAMED for word in passed) or text.startswith("v")
    linked = any(
        word.lower in {"is", "'s", "at", "on", "still", "now", "currently", "are", ":", "already"}
        for word in passed
    )
    return linked and (told or text.count(".") >= 2)


def _raised(scene: Scene, verb: Word, number: Word) -> list[End]:
    """`we upgraded Atlas to 2.4`, `Atlas was bumped to version 2.4`."""
    before = scene.words[number.i - 1].lower
    if before not in {"to", "version", "v"}:
        return []
    said_of = clause(scene, verb)
    things = said_of.after("") or [
        word for word in said_of.subjects if word.lower not in {"we", "i"}
    ]
    return [
        end
        for word in things
        for end in ends(scene, word)
        if end.kind not in PEOPLE | {"place", "metric", ""}
    ]
