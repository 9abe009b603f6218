"""What people call each other's relations in everyday words: `manager`, `sister`, `employer`,
`lives in`.

Each word leads along labels of relations, in the form that `model.relations.known_label` gives
them, and attributes that may hold the name instead. `>reports_to` goes from whom is spoken of along
the label, `<manages` against it, `~sibling_of` either way. A general lexicon of English, not of any
one domain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

Direction = Literal[">", "<", "~"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Role:
    """What a word leads along: (direction, label), or `otherwise` where there are none of these;
    attributes that may name the other end; and the kinds of that, if only some.
    """

    ways: tuple[tuple[Direction, str], ...] = ()
    otherwise: tuple[tuple[Direction, str], ...] = ()
    attributes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


_NOUNS = """
manager boss supervisor superior | >reports_to <manages | =manager =boss =supervisor =reports_to
report subordinate reportee | <reports_to >manages | @person
employee staff worker workforce staffer | <works_at <reports_to >employs >hired | @person
colleague coworker teammate workmate | ~colleague_of ~works_with | =colleague
sister brother sibling twin stepsister stepbrother | ~sibling_of | =sister =brother =siblings =sibling =twin
wife husband spouse | ~spouse_of / ~partner_of | =wife =husband =spouse =partner
partner girlfriend boyfriend fiance fiancee | ~partner_of / ~spouse_of ~partners_with | =partner =girlfriend =boyfriend =fiance
ex | ~ex_partner_of | =ex
mother father mom mum dad parent mama papa stepmother stepfather | <parent_of >child_of | =mother =father =parents =mom =mum =dad
son daughter child kid baby stepson stepdaughter | >parent_of <child_of | =son =daughter =children =child =kids
grandmother grandfather grandma grandpa granny grandparent | <grandparent_of >grandchild_of | =grandmother =grandfather
grandson granddaughter grandchild grandkid | >grandparent_of <grandchild_of | =grandchildren
aunt uncle auntie | <aunt_or_uncle_of >nephew_or_niece_of | =aunt =uncle
niece nephew | >aunt_or_uncle_of <nephew_or_niece_of | =niece =nephew
cousin | ~cousin_of | =cousin
friend buddy pal bestie | ~friend_of / ~knows | =friend =best_friend =friends
roommate flatmate housemate | ~roommate_of | =roommate =flatmate
neighbor neighbour | ~neighbor_of | =neighbor =neighbour
classmate schoolmate | ~classmate_of | =classmate
mentor coach tutor | <mentors | =mentor =coach =tutor
mentee protege apprentice | >mentors | =mentee
teacher | <mentors <teaches | =teacher
employer company workplace firm job | >works_at | =employer =company =workplace =works_at | @organization
team department group squad club band | >member_of / >leads >part_of >moved_to | =team =department
member | <member_of | =members @person
hometown birthplace | >born_in >comes_from | =hometown =birthplace =place_of_birth
home city town country residence | >lives_in | =city =home =residence =country =location @place
school university college | >studies_at / >studied_at >attended | =school =university =college
pet dog cat puppy kitten parrot rabbit horse | >has_pet | =pet =pets =dog =cat
owner | <owns / <has_pet | =owner
project | >works_on / >leads >owns >created | =project @project
leader head lead chief chair | <leads / <manages | =lead =leader =head
founder cofounder | <founded / <created | =founder =founders
creator author maker developer designer inventor writer | <created | =author =creator =designer
investor backer sponsor | <invested_in <funds | =investor
competitor rival | ~competes_with | =competitor =competitors
headquarters office location | >located_in | =location =headquarters =office
dependency requirement | >depends_on | =dependencies
successor replacement | <replaced | =successor
predecessor | >replaced | =predecessor
hobby pastime | >plays | =hobby =hobbies
instrument | >plays | =instrument =instruments
assignee | >assigned_to | =assignee
"""

_FORMER = """
employer company workplace firm job | >worked_at | =former_employer =previous_employer | @organization
manager boss supervisor | >reports_to <manages | =former_manager
partner girlfriend boyfriend wife husband spouse | ~ex_partner_of / ~spouse_of ~partner_of
home city town | >lived_in >lives_in | @place
school university college | >studied_at >attended
team group department | >member_of
"""

_VERBS = """
work at for | >works_at
worked at for | >worked_at >works_at
leave quit resign | >worked_at >works_at
join | >works_at >member_of / >worked_at
work on | >works_on
work with collaborate | ~works_with ~colleague_of
live reside in | >lives_in
lived resided in | >lived_in >lives_in
move relocate to | >lives_in >moved_to
manage supervise oversee | >manages <reports_to / >leads
lead run head direct chair | >leads / >manages
report to | >reports_to <manages
own | >owns / >has_pet
found start establish cofound | >founded / >created
create build make write design develop invent author | >created
study at | >studies_at >studied_at
attend go visit to | >attended >visited >studied_at
marry | ~spouse_of
date | ~partner_of
mentor coach tutor | >mentors
teach | >mentors >teaches
know | ~knows / ~friend_of
meet | ~met / ~knows
like love enjoy | >likes
dislike hate | >dislikes
use | >uses
depend rely on | >depends_on
hire employ recruit | >hired <works_at
belong to | >member_of >part_of
play | >plays
adopt | >has_pet
acquire buy | >acquired
fund sponsor finance | >funds / >invested_in
invest in | >invested_in
fix repair solve | >fixed
review | >reviewed
approve | >approved
compete with | ~competes_with
born in | >born_in
come from | >comes_from
volunteer at for | >volunteers_at >volunteered_at
"""

_IRREGULAR = {
    "left": "leave", "led": "lead", "ran": "run", "wrote": "write", "written": "write", "built": "build", "made": "make",
    "taught": "teach", "knew": "know", "known": "know", "met": "meet", "went": "go", "gone": "go", "bought": "buy",
    "married": "marry", "came": "come", "lives": "live",
    "founded": "found", "dating": "date", "owned": "own", "moved": "move", "quit": "quit", "writes": "write",
}  # fmt: skip


@lru_cache(maxsize=4096)
def role(noun: str, *, former: bool = False) -> Role | None:
    """What a folded noun in the singular or plural leads along from whoever has such a one; None
    for any other noun.
    """
    tables = (_table(_FORMER), _table(_NOUNS)) if former else (_table(_NOUNS),)
    found = (table.get(form) for table in tables for form in singulars(noun))
    return next((known for known in found if known is not None), None)


@lru_cache(maxsize=4096)
def deed(verb: str, after: str = "", *, exactly: bool = False) -> Role | None:
    """What a folded verb leads along from who does it to what is done to; None for any other verb.

    Args:
        after: the word that follows it, which may be its preposition. exactly: with another
            preposition than its own, it means something else.
    """
    table = _deeds()
    for form in forms(verb):
        found = table.get((form, after))
        if found is None and not (exactly and after in PREPOSITIONS):
            found = table.get((form, ""))
        if found is not None:
            return found
    return None


@lru_cache(maxsize=4096)
def singulars(noun: str) -> tuple[str, ...]:
    """The noun and what it may be the plural of."""
    out = [noun, *([_PLURALS[noun]] if noun in _PLURALS else ())]
    for ending, instead in (("ies", "y"), ("es", ""), ("s", "")):
        if noun.endswith(ending) and len(noun) - len(ending) > 2:
            out.append(noun[: -len(ending)] + instead)
    return tuple(out)


_PLURALS = {"children": "child", "people": "person", "wives": "wife", "folks": "folk"}


@lru_cache(maxsize=4096)
def forms(verb: str) -> tuple[str, ...]:
    """The verb and what it may be a form of: `managed`, `manage`."""
    out = [verb]
    if verb in _IRREGULAR:
        out.append(_IRREGULAR[verb])
    for ending, instead in (
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ed", ""),
        ("ed", "e"),
        ("ing", ""),
        ("ing", "e"),
    ):
        if verb.endswith(ending) and len(verb) - len(ending) > 2:
            out.append(verb[: -len(ending)] + instead)
    return tuple(out)


@cache
def _table(text: str) -> Mapping[str, Role]:
    return {name: read for names, read in _lines(text) for name in names}


@cache
def _deeds() -> Mapping[tuple[str, str], Role]:
    """By verb and preposition; a verb alone means what the first line says that has it."""
    out: dict[tuple[str, str], Role] = {}
    for names, read in _lines(_VERBS):
        after = [name for name in names if name in PREPOSITIONS]
        for verb in names:
            if verb not in PREPOSITIONS:
                out.setdefault((verb, ""), read)
                out.update(((verb, each), read) for each in after)
    return out


def _lines(text: str) -> Iterator[tuple[list[str], Role]]:
    for line in text.strip().splitlines():
        names, *rest = line.split("|")
        marks = " ".join(rest).split()
        first: list[tuple[Direction, str]] = []
        then: list[tuple[Direction, str]] = []
        ways = first
        for mark in marks:
            match mark[0]:
                case ">" | "<" | "~" as direction:
                    ways.append((direction, mark[1:]))
                case "/":
                    ways = then
                case _:
                    pass
        read = Role(
            ways=tuple(first),
            otherwise=tuple(then),
            attributes=tuple(mark[1:] for mark in marks if mark[0] == "="),
            kinds=tuple(mark[1:] for mark in marks if mark[0] == "@"),
        )
        yield names.split(), read


PREPOSITIONS = frozenset("at for on with in to from".split())
"""Those that belong to a verb's meaning: `works at`, `works on`."""
