"""Relations that a noun says and a weak verb only carries: `gave a talk at`, `did her PhD at`,
`took a trip to`.
"""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import Clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.fitting import implied
from factbook.extract.local.rules.saying import links
from factbook.extract.local.rules.sense import PLACES, Sense
from factbook.extract.local.rules.validity import is_past, is_perfect
from factbook.extract.local.scene import End, Link, Scene

_ORG = frozenset({"organization"})
_TALKS = frozenset(
    "talk keynote presentation speech lecture workshop tutorial demo poster paper session booth".split()
)
_DEGREES = frozenset(
    "phd doctorate degree master masters bachelor bachelors msc bsc mba ba ma diploma postdoc".split()
)
_MONEY = frozenset(
    "money funding capital round investment seed million billion m k dollar euro pound series".split()
)
_TRIPS = frozenset("trip tour excursion journey flight pilgrimage".split())

_ATTENDED = Sense(label="attended", right=frozenset({"event"}), event=True, group=True)
_STUDIED = Sense(label="studied_at", right=_ORG, event=True)
_STUDIES = Sense(label="studies_at", right=_ORG)
_INVESTED = Sense(label="invested_in", left=_ORG, right=_ORG | {"person"}, event=True, turned=True)
_VISITED = Sense(label="visited", right=PLACES, event=True, group=True)

_CARRIED: dict[str, tuple[frozenset[str], tuple[str, ...], Sense]] = {
    **dict.fromkeys("give hold deliver present have run".split(), (_TALKS, ("at",), _ATTENDED)),
    **dict.fromkeys(
        "do get earn finish complete receive pursue obtain".split(),
        (_DEGREES, ("at", "from"), _STUDIED),
    ),
    **dict.fromkeys("raise secure".split(), (_MONEY, ("from",), _INVESTED)),
    **dict.fromkeys("take make".split(), (_TRIPS, ("to",), _VISITED)),
}
"""By verb: the nouns it carries, the prepositions behind them, and what that says."""


def occasions(scene: Scene, clause: Clause) -> Iterator[Link]:
    """What the noun that is a weak verb's object says of the subject and what stands behind it."""
    carried = _CARRIED.get(clause.verb.lemma)
    if carried is None or clause.passive:
        return
    nouns, prepositions, sense = carried
    those = [
        word
        for word in clause.after("")
        if word.lower.replace(".", "") in nouns or word.lemma in nouns
    ]
    if not those:
        return
    if sense is _STUDIED and not (is_past(clause.verb) or is_perfect(clause.verb)):
        sense = _STUDIES
    for left in _who(scene, clause):
        for word in (*clause.after(*prepositions), *_behind(those, prepositions)):
            for right in ends(scene, word):
                if right.kind in sense.right and left.kind in sense.left:
                    pair = (right, left) if sense.turned else (left, right)
                    yield from links(scene, clause.verb, sense, *pair)


def employed(scene: Scene, verb: Word, sense: Sense, left: End, right: End) -> Iterator[Link]:
    """Who was hired by an organization works there."""
    if sense.label == "hired" and left.kind == "organization":
        working = Sense(label="works_at", past=True, begins=True)
        yield from links(scene, verb, working, right, left)


def _behind(nouns: list[Word], prepositions: tuple[str, ...]) -> Iterator[Word]:
    for noun in nouns:
        for preposition in noun.children_by("prep"):
            if preposition.lower in prepositions:
                yield from preposition.children_by("pobj")


def _who(scene: Scene, clause: Clause) -> list[End]:
    return [end for each in clause.subjects for end in ends(scene, each, group=True)] or implied(
        scene, clause
    )
