"""Which kinds of ends a relation links: what is said of a person isn't said of a city."""

from __future__ import annotations

import re
from collections.abc import Mapping

from factbook.model.record import SELF

PEOPLE = frozenset({"person", SELF})
ACTORS = PEOPLE | {"organization", ""}
PLACES = frozenset({"place"})
GROUPS = frozenset({"organization", "other", ""})
TOOLS = frozenset({"technology", "product", "other"})
EFFORTS = frozenset({"project", "product", "task", "technology", "campaign", "event", "other", ""})
SYSTEMS = frozenset({"project", "product", "technology", "organization", "other", "campaign", ""})
ANYTHING = frozenset(
    {"person", SELF, "organization", "place", "project", "technology", "product", "concept", "event", "task", "other"}
    | {"campaign", "metric", ""}
)

STATED = frozenset({"decision", "preference", "pain_point"})
_MADE = frozenset({"project", "product", "technology", "task", "campaign", "event", "concept", "metric"})
_THINGS = _MADE | {"organization"}
_FIRMS = frozenset({"organization", "product", "technology", "project"})
"""A firm may go by what it makes."""
_EMPLOYERS = _FIRMS | {"place"}
_KIN = (PEOPLE, PEOPLE)

_ENDS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    **dict.fromkeys(
        "works_with reports_to mentors spouse_of partner_of ex_partner_of sibling_of parent_of child_of grandparent_of "
        "grandchild_of aunt_or_uncle_of nephew_or_niece_of cousin_of friend_of colleague_of roommate_of neighbor_of "
        "classmate_of knows met".split(),
        _KIN,
    ),
    **dict.fromkeys(("works_at", "worked_at", "volunteers_at", "volunteered_at"), (PEOPLE, _EMPLOYERS | {"event"})),
    **dict.fromkeys(("studies_at", "studied_at"), (PEOPLE, _EMPLOYERS | {"concept"})),
    **dict.fromkeys(("works_on", "worked_on"), (PEOPLE | {"organization"}, _THINGS)),
    **dict.fromkeys(("leads", "led"), (PEOPLE | {"organization"}, _THINGS | {"place"})),
    **dict.fromkeys(("lives_in", "lived_in", "born_in"), (PEOPLE, PLACES)),
    **dict.fromkeys(("partners_with", "competes_with"), (_FIRMS, _FIRMS)),
    "manages": (PEOPLE | {"organization"}, _THINGS | {"person", "place"}),
    "owns": (PEOPLE | _THINGS, _THINGS | {"place"}),
    "responsible_for": (PEOPLE | _THINGS, _THINGS | {"place", "person"}),
    "member_of": (PEOPLE | {"organization"}, _THINGS),
    "part_of": (_THINGS | {"place"}, _THINGS | {"place"}),
    "depends_on": (_THINGS, _THINGS | {"person"}),
    "located_in": (_THINGS | {"place"}, PLACES),
    "comes_from": (PEOPLE | _THINGS, PLACES | {"organization"}),
    "moved_to": (PEOPLE, _MADE),
    "visited": (PEOPLE | {"organization"}, PLACES | {"organization", "event"}),
    "attended": (PEOPLE | {"organization"}, _THINGS | {"place"}),
    "plays": (PEOPLE | {"organization"}, _THINGS),
    "created": (PEOPLE | _THINGS, _THINGS),
    "founded": (PEOPLE | {"organization"}, _FIRMS | {"event", "campaign"}),
    "acquired": (_FIRMS | PEOPLE, _FIRMS),
    "assigned_to": (_THINGS, PEOPLE | {"organization"}),
    "hired": (PEOPLE | _FIRMS, PEOPLE),
    "has_pet": (PEOPLE, frozenset({"person"})),
    "invested_in": (PEOPLE | {"organization"}, _FIRMS),
    "funds": (PEOPLE | _THINGS, _THINGS | PEOPLE),
    **dict.fromkeys(
        ("approved", "rejected", "reviewed", "fixed"), (PEOPLE | {"organization", "technology"}, _MADE | STATED)
    ),
    **dict.fromkeys(("uses", "used"), (PEOPLE | _THINGS, _THINGS)),
}
"""By label, the kinds of the first and the second end. Kinds that aren't built in, `other` and plain phrases always fit;
a label that isn't here links anything."""

_OPEN = frozenset({"other", ""})
_WHATEVER = ANYTHING | STATED

EITHER_WAY = frozenset(
    "works_with spouse_of partner_of ex_partner_of sibling_of cousin_of friend_of colleague_of roommate_of neighbor_of "
    "classmate_of knows met partners_with competes_with".split()
)
"""Labels that say the same when their ends change places."""

_NEXT: Mapping[str, tuple[str, ...]] = {
    "works_at": ("works_on", "reports_to"),
    "worked_at": ("worked_on",),
    "works_on": ("works_at",),
    "reports_to": ("manages",),
    "part_of": ("member_of", "owns"),
    "member_of": ("part_of",),
    "located_in": ("lives_in",),
    "lives_in": ("located_in",),
    "comes_from": ("located_in",),
    "moved_to": ("lives_in", "works_at"),
}
"""What is meant by a label whose ends don't fit."""
_LIKELY: Mapping[str, tuple[str, str]] = {
    **dict.fromkeys((label for label, ends in _ENDS.items() if ends == _KIN), ("person", "person")),
    **dict.fromkeys(("works_at", "worked_at"), ("person", "organization")),
    **dict.fromkeys(("lives_in", "lived_in", "born_in"), ("person", "place")),
    **dict.fromkeys(
        ("works_on", "worked_on", "leads", "led", "manages", "owns", "plays", "likes"), ("person", "other")
    ),
    "studies_at": ("person", "organization"),
    "studied_at": ("person", "organization"),
    "located_in": ("other", "place"),
    "visited": ("person", "place"),
    "comes_from": ("other", "place"),
    "assigned_to": ("other", "person"),
    "hired": ("other", "person"),
    "founded": ("other", "organization"),
    "acquired": ("organization", "organization"),
}
"""The kinds of ends of which nothing else is known."""


def fits(label: str, left: str, right: str) -> bool:
    """Whether a label may link these kinds; the empty one is a plain phrase, `self` the user."""
    lefts, rights = _ENDS.get(label, (_WHATEVER, _WHATEVER))
    return _is_one(left, lefts) and _is_one(right, rights)


def _is_one(kind: str, kinds: frozenset[str]) -> bool:
    return kind in kinds or kind in _OPEN or (kind not in _WHATEVER and kinds != PEOPLE)


def fitting(label: str, left: str, right: str) -> tuple[str, bool] | None:
    """The label that links these kinds, and whether the ends change places for it; None if none does."""
    if fits(label, left, right):
        return label, False
    for other in _NEXT.get(label, ()):
        if fits(other, left, right):
            return other, False
    for other in (label, *_NEXT.get(label, ())):
        if fits(other, right, left):
            return other, True
    return None


def likely(label: str) -> tuple[str, str]:
    """The kinds of ends of which nothing but the label is known; `other` where that says nothing."""
    return _LIKELY.get(label, ("other", "other"))


_CUES: Mapping[str, str] = {
    "spouse_of": r"wi(?:fe|ves)|husband|hubby|spouse|marr\w+|wed\w*",
    "partner_of": r"partner|dat(?:e|es|ed|ing)|boyfriend|girlfriend|fianc\w+|engage\w*|together|couple|bf|gf",
    "ex_partner_of": r"ex|divorc\w+|broke|former|separat\w+|split",
    "sibling_of": r"sis\w*|bro\w*|sibling\w*|twin\w*",
    **dict.fromkeys(
        ("parent_of", "child_of"),
        r"sons?|daughters?|child\w*|kids?|mother|father|mom|mum|dad|parents?|step\w+|bab(?:y|ies)|born|mama|papa|boys?|girls?",
    ),
    **dict.fromkeys(("grandparent_of", "grandchild_of"), r"grand\w+|gran|granny|nana"),
    **dict.fromkeys(("aunt_or_uncle_of", "nephew_or_niece_of"), r"aunt\w*|uncle|niece\w*|nephew\w*"),
    "cousin_of": r"cousin\w*",
    "friend_of": r"friend\w*|buddy|pal|mate|bff|besties?",
    "colleague_of": r"colleague\w*|co-?workers?|teammates?|work\w*|team|mates?",
    "roommate_of": r"(?:room|flat|house)mates?|shar\w+|live\w*|living",
    "neighbor_of": r"neighbou?rs?|next door|downstairs|upstairs",
    "classmate_of": r"class\w*|stud\w+|school",
    "reports_to": r"report\w*|boss\w*|manag\w*|supervis\w*|under|lead\w*|answers?|work\w*",
    "mentors": r"mentor\w*|coach\w*|tutor\w*|advis\w*|teach\w*|taught|guid\w*",
    "has_pet": r"pets?|dogs?|cats?|pupp\w+|kittens?|\w*fish|birds?|parrot|hamster|rabbit|horse|pony|turtle|snake|adopt\w*|vet",
    "born_in": r"born|birth\w*",
    "acquired": r"acqui\w+|bought|buy\w*|purchas\w+|took over|takeover|merg\w+|snap\w*",
    "founded": r"found\w*|start\w*|establish\w*|launch\w*|creat\w+|open\w*|set up|built|began",
}
_CUE = {label: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for label, words in _CUES.items()}


def is_cued(label: str, text: str) -> bool:
    """Whether an English text has a word for the relation, of those that nobody says without one (`my wife`)."""
    cue = _CUE.get(label)
    return cue is None or bool(cue.search(text))


_INVERSE = {
    "parent_of": "child_of",
    "grandparent_of": "grandchild_of",
    "aunt_or_uncle_of": "nephew_or_niece_of",
    "reports_to": "manages",
    "mentors": "",
}
_TO_ONE: Mapping[str, str] = {
    **dict.fromkeys("son daughter kid child stepson stepdaughter".split(), "child_of"),
    **dict.fromkeys("mother father mom mum dad parent stepmother stepfather".split(), "parent_of"),
    **dict.fromkeys("grandson granddaughter grandchild".split(), "grandchild_of"),
    **dict.fromkeys("grandmother grandfather grandma grandpa".split(), "grandparent_of"),
    **dict.fromkeys("aunt uncle".split(), "aunt_or_uncle_of"),
    **dict.fromkeys("niece nephew".split(), "nephew_or_niece_of"),
    **dict.fromkeys("manager boss supervisor".split(), "manages"),
    "mentor": "mentors",
}
"""What somebody is to the one whose they are: `my boss` manages me."""
_MINE = re.compile(rf"\b(?:my|our)\s+(?:[\w-]+\s+)?({'|'.join(_TO_ONE)})\b", re.IGNORECASE)


def is_backwards(label: str, from_user: bool, quote: str) -> bool:
    """Whether a relation of the user and another runs against what the quote calls the other (`my son`, `my boss`)."""
    match = _MINE.search(quote)
    if match is None:
        return False
    to_one = _TO_ONE[match.group(1).lower()]
    from_one = _INVERSE.get(to_one) or next((one for one, other in _INVERSE.items() if other == to_one), "")
    return (label == to_one and from_user) or (label == from_one != "" and not from_user)
