"""Which kinds of ends a relation links: what is said of a person isn't said of a city."""

from __future__ import annotations

import re
from collections.abc import Mapping

from factbook.model.relation_table import ANYTHING as EVERY_KIND
from factbook.model.relation_table import PEOPLE
from factbook.model.relations import inverse_of, relation_type
from factbook.text.word_lists import load_pairs

ACTORS = PEOPLE | {"organization", ""}
GROUPS = frozenset({"organization", "other", ""})
TOOLS = frozenset({"technology", "product", "other"})
EFFORTS = frozenset(
    {"project", "product", "work", "task", "technology", "campaign", "event", "other", ""}
)
SYSTEMS = frozenset({"project", "product", "technology", "organization", "other", "campaign", ""})
STATED = frozenset({"decision", "preference", "pain_point"})
ANYTHING = EVERY_KIND - STATED

_OPEN = frozenset({"other", ""})

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


def fits_ends(label: str, left: str, right: str) -> bool:
    """Returns whether a label may link these kinds; `""` is a plain phrase, `self` the user."""
    row = relation_type(label)
    return _is_one(left, row.first) and _is_one(right, row.second)


def _is_one(kind: str, kinds: frozenset[str]) -> bool:
    if kind in kinds or kind in _OPEN:
        return True
    return kind not in EVERY_KIND and kinds != PEOPLE


def fit_label(label: str, left: str, right: str) -> tuple[str, bool] | None:
    """Returns the label that links these kinds, and whether the ends change places; else None."""
    if fits_ends(label, left, right):
        return label, False
    for other in _NEXT.get(label, ()):
        if fits_ends(other, left, right):
            return other, False
    for other in (label, *_NEXT.get(label, ())):
        if fits_ends(other, right, left):
            return other, True
    return None


def likely_ends(label: str) -> tuple[str, str]:
    """Returns the likely kinds of ends by the label alone; `other` where it says nothing."""
    return relation_type(label).likely


_CUES: Mapping[str, str] = {
    "spouse_of": r"wi(?:fe|ves)|husband|hubby|spouse|marr\w+|wed\w*",
    "partner_of": r"partner|dat(?:e|es|ed|ing)|boyfriend|girlfriend|fianc\w+|engage\w*|together|"
    r"couple|bf|gf",
    "ex_partner_of": r"ex|divorc\w+|broke|former|separat\w+|split",
    "sibling_of": r"sis\w*|bro\w*|sibling\w*|twin\w*",
    **dict.fromkeys(
        ("parent_of", "child_of"),
        r"sons?|daughters?|child\w*|kids?|mother|father|mom|mum|dad|parents?|step\w+|bab(?:y|ies)|"
        r"born|mama|papa|boys?|girls?",
    ),
    **dict.fromkeys(("grandparent_of", "grandchild_of"), r"grand\w+|gran|granny|nana"),
    **dict.fromkeys(
        ("aunt_or_uncle_of", "nephew_or_niece_of"), r"aunt\w*|uncle|niece\w*|nephew\w*"
    ),
    "cousin_of": r"cousin\w*",
    "friend_of": r"friend\w*|buddy|pal|mate|bff|besties?",
    "colleague_of": r"colleague\w*|co-?workers?|teammates?|work\w*|team|mates?",
    "roommate_of": r"(?:room|flat|house)mates?|shar\w+|live\w*|living",
    "neighbor_of": r"neighbou?rs?|next door|downstairs|upstairs",
    "classmate_of": r"class\w*|stud\w+|school",
    "reports_to": r"report\w*|boss\w*|manag\w*|supervis\w*|under|lead\w*|answers?|work\w*",
    "mentors": r"mentor\w*|coach\w*|tutor\w*|advis\w*|teach\w*|taught|guid\w*",
    "has_pet": r"pets?|dogs?|cats?|pupp\w+|kittens?|\w*fish|birds?|parrot|hamster|rabbit|horse|"
    r"pony|turtle|snake|adopt\w*|vet",
    "born_in": r"born|birth\w*",
    "acquired": r"acqui\w+|bought|buy\w*|purchas\w+|took over|takeover|merg\w+|snap\w*",
    "founded": r"found\w*|start\w*|establish\w*|launch\w*|creat\w+|open\w*|set up|built|began",
}
_CUE = {label: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for label, words in _CUES.items()}


def is_cued(label: str, text: str) -> bool:
    """Returns whether an English text has a word for the relation, of those that nobody says
    without one (`my wife`).
    """
    cue = _CUE.get(label)
    return cue is None or bool(cue.search(text))


_TO_ONE: Mapping[str, str] = load_pairs("extract/family_words")
"""What somebody is to the one whose they are: `my boss` manages me."""
_MINE = re.compile(rf"\b(?:my|our)\s+(?:[\w-]+\s+)?({'|'.join(_TO_ONE)})\b", re.IGNORECASE)


def is_backwards(label: str, from_user: bool, quote: str) -> bool:
    """Returns whether a relation of the user and another runs against what the quote calls the
    other (`my son`, `my boss`).
    """
    match = _MINE.search(quote)
    if match is None:
        return False
    to_one = _TO_ONE[match.group(1).lower()]
    from_one = inverse_of(to_one)
    if from_user:
        return label == to_one
    return label == from_one != ""
