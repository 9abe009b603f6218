"""Attribute values: what people and things are, have and do, read clause by clause, and from lists,
figures, contacts.
"""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.rules.attributes import attribute_is, favourites
from factbook.extract.local.rules.contacts import contacts
from factbook.extract.local.rules.deeds import deeds
from factbook.extract.local.rules.due import due
from factbook.extract.local.rules.figures import figures
from factbook.extract.local.rules.health import genitives, health
from factbook.extract.local.rules.listed import headed, listed
from factbook.extract.local.rules.persons import persons, pronouns
from factbook.extract.local.rules.states import by_apposition, states
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.validity import is_past, used_to
from factbook.extract.local.rules.versions import versions
from factbook.extract.local.scene import Finding, Scene

_TASTES = frozenset("love like enjoy adore hate dislike despise loathe".split())


def facts(scene: Scene) -> Iterator[Finding]:
    """The attribute values that a scene states."""
    for verb in scene.words:
        if verb.pos not in {"VERB", "AUX"} or verb.dep in {"aux", "auxpass"}:
            continue
        held = claim(scene, verb)
        yield from health(scene, verb, held)
        yield from due(scene, verb)
        if held == "open" or (used_to(verb) and verb.lemma not in _TASTES):
            continue
        if held == "holds":
            yield from persons(scene, verb)
        if verb.lemma == "be":
            yield from states(scene, verb, denied=held == "denied")
            if held == "holds" and not is_past(verb):
                yield from attribute_is(scene, verb)
        elif held == "holds":
            yield from deeds(scene, verb)
    yield from by_apposition(scene)
    yield from genitives(scene)
    yield from favourites(scene)
    yield from pronouns(scene)
    yield from versions(scene)
    yield from contacts(scene)
    yield from figures(scene)
    yield from listed(scene)
    yield from headed(scene)
