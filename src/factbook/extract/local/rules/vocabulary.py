"""The base vocabulary of relations, and the verbs that say them.

A verb that stands in no line here gives a relation of its own lemma only where `PLAIN` lists it: most verbs of talk
(`say`, `think`, `get`) say nothing that a memory should hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

LABELS: Mapping[str, str] = {
    "works_at": "a person and their employer, now",
    "worked_at": "a person and a former employer",
    "works_on": "a person and a project or task, now",
    "worked_on": "the same, in the past",
    "works_with": "two people who work together",
    "volunteers_at": "a person and an organization that they help, now",
    "volunteered_at": "the same, in the past",
    "plays": "a person and an instrument, sport or game",
    "leads": "who leads a project, team or organization",
    "led": "who led it",
    "manages": "who manages a person, team or project",
    "reports_to": "a person and their manager",
    "owns": "who owns or is responsible for something",
    "responsible_for": "who answers for something",
    "member_of": "a person and a group",
    "part_of": "a part and its whole",
    "uses": "someone or something and what it is made with or runs on",
    "used": "what it was made with before",
    "depends_on": "a thing that fails without the other",
    "located_in": "a thing or organization and its place",
    "lives_in": "a person and their home, now",
    "lived_in": "a former home",
    "comes_from": "a person and where they are from",
    "born_in": "a person and their place of birth",
    "moved_to": "a person and the team they went to",
    "visited": "a person and a place that they went to",
    "attended": "a person and an event or school",
    "studies_at": "a student and their school",
    "studied_at": "the same, in the past",
    "created": "who made it",
    "founded": "who founded it",
    "acquired": "who bought which organization",
    "approved": "who approved it",
    "rejected": "who rejected it",
    "reviewed": "who reviewed it",
    "fixed": "who fixed it",
    "replaced": "the new one and the one before",
    "assigned_to": "a task and a person",
    "hired": "an employer and a person",
    "mentors": "the mentor and the mentored",
    "spouse_of": "two people who are married",
    "partner_of": "two people in love",
    "ex_partner_of": "two people who were",
    "sibling_of": "two siblings",
    "parent_of": "a parent and their child",
    "child_of": "a child and their parent",
    "grandparent_of": "a grandparent and their grandchild",
    "grandchild_of": "the other way round",
    "aunt_or_uncle_of": "an aunt or uncle and their niece or nephew",
    "nephew_or_niece_of": "the other way round",
    "cousin_of": "two cousins",
    "friend_of": "two friends",
    "colleague_of": "two who work together",
    "roommate_of": "two who live together",
    "neighbor_of": "two neighbours",
    "classmate_of": "two who learn together",
    "knows": "two people",
    "met": "two people, once",
    "has_pet": "a person and an animal",
    "prefers": "someone and what they prefer",
    "likes": "someone and what they like",
    "dislikes": "someone and what they don't like",
    "blocks": "what keeps the other from going on",
    "causes": "a cause and its effect",
    "partners_with": "two organizations",
    "competes_with": "two organizations",
    "invested_in": "an investor and an organization",
    "funds": "who pays for something",
}
"""What each label links, from its first end to its second. Written out in docs/extraction.md."""

PEOPLE = frozenset({"person", "self"})
ACTORS = PEOPLE | {"organization", ""}
PLACES = frozenset({"place"})
GROUPS = frozenset({"organization", "other", ""})
TOOLS = frozenset({"technology", "product", "other"})
EFFORTS = frozenset({"project", "product", "task", "technology", "campaign", "event", "other", ""})
SYSTEMS = frozenset({"project", "product", "technology", "organization", "other", "campaign", ""})
ANYTHING = frozenset(
    {"person", "self", "organization", "place", "project", "technology", "product", "concept", "event", "task", "other"}
    | {"campaign", "metric", ""}
)


@dataclass(frozen=True, kw_only=True, slots=True)
class Sense:
    """What a verb says of its subject and object.

    Attributes:
        label: the relation; `past`: what it is called when it is over, empty where that has no name of its own.
        left, right: the kinds that its ends may have; the empty one is a plain phrase.
        event: whether it happens at a time (`approved`) rather than lasts.
        begins: whether it is a state that begins when the verb happens (`joined`).
        turned: whether the object is the relation's first end.
        group: whether what `we` do is what the speaker does.
        phrase: where the object may be a plain phrase, which: one that means a certain thing (`the team`), one that means
            any of its sort (`dark chocolate`), or both. nouns: with which such a phrase must end, any if empty.
    """

    label: str
    past: str = ""
    left: frozenset[str] = PEOPLE
    right: frozenset[str] = ANYTHING
    event: bool = False
    begins: bool = False
    turned: bool = False
    group: bool = False
    phrase: Literal["certain", "loose", "any"] = "certain"
    nouns: frozenset[str] = frozenset()


_WORKPLACES = frozenset(
    """bakery hospital school university college bank restaurant cafe bar pub shop store bookstore library museum startup
    company firm agency office factory hotel gym clinic pharmacy church farm studio lab laboratory airport supermarket
    warehouse newspaper nonprofit charity shelter kindergarten nursery embassy court ministry brewery salon garage theater
    theatre zoo consultancy""".split()
)


_GROUPS_OF_PEOPLE = frozenset(
    """team group department division unit squad club band choir crew committee board program programme class community
    league troupe orchestra union""".split()
)
_LED = _GROUPS_OF_PEOPLE | _WORKPLACES | frozenset("project business campaign event workshop course".split())


def _senses() -> dict[tuple[str, str], tuple[Sense, ...]]:
    """Keys are lemma and preposition (or particle); the empty one is the direct object."""
    works = Sense(
        label="works_at",
        past="worked_at",
        right=frozenset({"organization", "other", ""}),
        phrase="any",
        nouns=_WORKPLACES,
        group=True,
    )
    uses = Sense(label="uses", past="used", left=ACTORS | SYSTEMS, right=TOOLS, group=True)
    made_with = Sense(label="uses", left=SYSTEMS, right=TOOLS)
    leads = Sense(label="leads", past="led", right=EFFORTS | GROUPS)
    made = Sense(label="created", left=PEOPLE | {"organization"}, right=EFFORTS - {""}, event=True)
    likes = Sense(label="likes", right=ANYTHING - {"self"}, phrase="loose")
    dislikes = Sense(label="dislikes", right=ANYTHING - {"self"}, phrase="loose")
    on = Sense(label="works_on", past="worked_on", right=EFFORTS, group=True)
    lives = Sense(label="lives_in", past="lived_in", right=PLACES, group=True)
    located = Sense(
        label="located_in", left=frozenset({"organization", "place", "project", "event", "other"}), right=PLACES
    )
    visited = Sense(label="visited", right=PLACES, event=True, group=True)
    blocks = Sense(label="blocks", left=EFFORTS | {"person"}, right=EFFORTS)
    causes = Sense(label="causes", left=EFFORTS - {""}, right=EFFORTS, event=True)
    person = frozenset({"person"})
    org = frozenset({"organization"})
    table: dict[str, Sense] = {
        "work at": works, "work for": works, "intern at": works, "teach at": works, "consult for": works,
        "join ": Sense(label="works_at", past="worked_at", right=org, begins=True),
        "volunteer at": Sense(label="volunteers_at", past="volunteered_at", right=org | {"other"}),
        "play ": Sense(label="plays", right=frozenset({"product", ""}), phrase="any"),
        "work with": Sense(label="works_with", right=person),
        "collaborate with": Sense(label="works_with", right=person),
        "work on": on, "pair on": on, "collaborate on": on, "contribute to": on,
        "lead ": leads, "head ": leads, "head up": leads, "chair ": leads, "spearhead ": leads,
        "run ": Sense(label="leads", past="led", right=frozenset({"project", "organization", "campaign", "event", ""}), nouns=_LED),
        "manage ": Sense(label="manages", right=EFFORTS | GROUPS | {"person"}),
        "oversee ": Sense(label="manages", right=EFFORTS | GROUPS),
        "supervise ": Sense(label="manages", right=EFFORTS | GROUPS | {"person"}),
        "own ": Sense(label="owns", left=ACTORS, right=EFFORTS | org),
        "maintain ": Sense(label="owns", right=frozenset({"project", "technology"})),
        "report to": Sense(label="reports_to", right=person),
        "use ": uses, "adopt ": uses, "rely on": uses, "utilize ": uses,
        "run on": made_with, "build with": made_with, "build on": made_with, "build in": made_with,
        "rebuild in": made_with, "write in": made_with, "rewrite in": made_with, "deploy on": made_with,
        "deploy to": made_with, "host on": made_with, "implement in": made_with, "develop in": made_with,
        "code in": made_with, "make with": made_with, "base on": made_with, "integrate with": made_with,
        "depend on": Sense(label="depends_on", left=SYSTEMS | EFFORTS, right=SYSTEMS | EFFORTS),
        "require ": Sense(label="depends_on", left=SYSTEMS - {"", "organization"}, right=TOOLS),
        "live in": lives, "live at": lives, "reside in": lives, "settle in": lives,
        "relocate to": Sense(label="lives_in", past="lived_in", right=PLACES, begins=True, group=True),
        "move to": Sense(label="lives_in", past="lived_in", right=PLACES, begins=True, group=True),
        "grow in": Sense(label="comes_from", right=PLACES, event=True), "come from": Sense(label="comes_from", right=PLACES),
        "bear in": Sense(label="born_in", right=PLACES, event=True),
        "locate in": located, "headquarter in": located, "base in": located, "situate in": located,
        "belong to": Sense(label="part_of", left=SYSTEMS, right=SYSTEMS),
        "create ": made, "build ": made, "write ": made, "design ": made, "develop ": made, "invent ": made,
        "author ": made, "file ": made, "open ": Sense(label="created", right=frozenset({"task"}), event=True),
        "file as": made, "found ": Sense(label="founded", right=org | {"project"}, event=True),
        "start ": Sense(label="founded", right=org, event=True),
        "approve ": Sense(label="approved", right=EFFORTS, event=True),
        "reject ": Sense(label="rejected", right=EFFORTS, event=True),
        "review ": Sense(label="reviewed", right=EFFORTS, event=True),
        "fix ": Sense(label="fixed", right=EFFORTS - {""}, event=True),
        "resolve ": Sense(label="fixed", right=frozenset({"task", "project"}), event=True),
        "replace ": Sense(label="replaced", left=ANYTHING - {""}, right=ANYTHING - {""}, event=True),
        "succeed ": Sense(label="replaced", right=person, event=True),
        "acquire ": Sense(label="acquired", left=org, right=org | {"product", "project"}, event=True),
        "buy ": Sense(label="acquired", left=org, right=org, event=True),
        "assign to": Sense(label="assigned_to", left=EFFORTS, right=PEOPLE),
        "hire ": Sense(label="hired", left=PEOPLE | org, right=PEOPLE, event=True),
        "mentor ": Sense(label="mentors", right=PEOPLE), "coach ": Sense(label="mentors", right=PEOPLE),
        "marry ": Sense(label="spouse_of", right=PEOPLE, begins=True),
        "marry to": Sense(label="spouse_of", right=PEOPLE, begins=True),
        "engage to": Sense(label="partner_of", right=PEOPLE, begins=True),
        "date ": Sense(label="partner_of", right=PEOPLE),
        "know ": Sense(label="knows", right=person), "meet ": Sense(label="met", right=person, event=True, group=True),
        "visit ": visited, "go to": visited, "travel to": visited, "fly to": visited, "drive to": visited,
        "attend ": Sense(label="attended", right=frozenset({"event", "organization"}), event=True, group=True),
        "study at": Sense(label="studies_at", past="studied_at", right=org),
        "graduate from": Sense(label="studied_at", right=org, event=True),
        "prefer ": Sense(label="prefers", right=ANYTHING, phrase="loose"), "like ": likes, "love ": likes, "enjoy ": likes, "adore ": likes,
        "dislike ": dislikes, "hate ": dislikes, "despise ": dislikes, "loathe ": dislikes,
        "block ": blocks, "cause ": causes, "trigger ": causes, "break ": causes,
        "partner with": Sense(label="partners_with", left=org, right=org),
        "compete with": Sense(label="competes_with", left=org | {"product"}, right=org | {"product"}),
        "invest in": Sense(label="invested_in", left=PEOPLE | org, right=org, event=True),
        "fund ": Sense(label="funds", left=PEOPLE | org, right=EFFORTS | org),
        "sponsor ": Sense(label="funds", left=PEOPLE | org, right=EFFORTS | org),
    }  # fmt: skip
    more = {
        "join ": Sense(label="member_of", right=frozenset({""}), phrase="any", nouns=_GROUPS_OF_PEOPLE, begins=True),
        "move to": Sense(label="moved_to", right=frozenset({""}), nouns=_GROUPS_OF_PEOPLE, event=True),
    }
    return {
        (key.partition(" ")[0], key.partition(" ")[2]): (sense, *([more[key]] if key in more else []))
        for key, sense in table.items()
    }


SENSES: Mapping[tuple[str, str], tuple[Sense, ...]] = _senses()
"""Where there are several, the first that the ends fit is meant."""

PLAIN = frozenset(
    """teach support help win publish launch sell ship follow host organize study paint read watch finish
    complete sue direct perform release edit translate produce teach represent defeat beat nominate
    recommend train research document migrate deprecate merge test monitor audit rent lease hold serve supply deliver
    distribute license feature star record sing compose photograph coordinate""".split()
)
"""Verbs that give a relation of their own lemma, between two names (or the speaker and a name)."""
