"""How tall and heavy people are, whether they are married, how they are addressed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import is_asked
from factbook.extract.local.rules.validity import is_future, is_past
from factbook.extract.local.rules.values import fact, owners, people_of
from factbook.extract.local.scene import Finding, Scene

_WEIGHT = re.compile(r"\s*(?:about |around |just |only )*(?P<value>\d[\d.,]*\s?(?:kgs?|kilos?|pounds?|lbs?|stone|st)\b)", re.IGNORECASE)  # fmt: skip
_HEIGHT = re.compile(
    r"\s*(?:about |around )?(?P<value>\d(?:[.,]\d+)?\s?(?:m|meters?|metres?|ft|feet|foot)(?:\s?\d+)?(?= tall\b)|"
    r"\d{2,3}\s?cm(?=\b)|\d'\s?\d{1,2}\b(?:\"|'')?)",
    re.IGNORECASE,
)
_PRONOUNS = re.compile(r"\s*(?:are|:)\s*(?P<value>[a-z]+/[a-z]+(?:/[a-z]+)?)\b", re.IGNORECASE)
_MARITAL = {"marry": "married", "engage": "engaged", "divorce": "divorced", "widow": "widowed"}


def persons(scene: Scene, verb: Word) -> Iterator[Finding]:
    """The measures and the standing that a clause in the present gives of someone."""
    if is_past(verb) or is_future(verb):
        return
    text = scene.passage.text
    pattern = _WEIGHT if verb.lemma == "weigh" else _HEIGHT if verb.lemma == "be" else None
    if pattern is not None and (match := pattern.match(text, verb.stop)):
        attribute = "weight" if verb.lemma == "weigh" else "height"
        for end in people_of(scene, verb):
            yield fact(scene, end, attribute, " ".join(match["value"].split()), verb)
    for word in (verb, *verb.children_by("acomp")):
        told = _MARITAL.get(word.lemma) or (
            word.lower if word.lower in {*_MARITAL.values(), "single"} else ""
        )
        stands = word is not verb or any(
            each.lower in {"is", "am", "'m", "'s", "are"} for each in verb.children_by("auxpass")
        )
        if (
            told
            and stands
            and not word.children_by("prep", "agent")
            and not verb.children_by("prep", "agent")
        ):
            people = people_of(scene, verb)
            yield from (
                fact(scene, end, "marital_status", told, verb)
                for end in (people if len(people) == 1 else ())
            )


def pronouns(scene: Scene) -> Iterator[Finding]:
    """`my pronouns are she/her`."""
    for word in scene.words:
        match = _PRONOUNS.match(scene.passage.text, word.stop) if word.lower == "pronouns" else None
        if match is not None and not is_asked(scene, word):
            yield from (
                fact(scene, end, "pronouns", match["value"].lower(), word)
                for end in owners(scene, word)
            )
