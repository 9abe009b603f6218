"""Parts of a person's names that may stand for the whole, and names that may be one person's."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from factbook.text.common_words import is_common
from factbook.text.index_words import index_words
from factbook.text.legal_forms import GENERATIONS, PARTICLES, SMALL_WORDS, TITLES
from factbook.text.names import fold
from factbook.text.nicknames import same_given, share_formal
from factbook.text.stop_names import is_stop_name

LOOKED_BACK = 80
"""So many characters before a part of a name are looked at for another name."""

_PART = re.compile(r"[^\W\d_][^\W\d_'’]+")
_WORD_BEFORE = re.compile(r"([^\W\d_][\w'’]*)[ \t]$")
_WORD_AFTER = re.compile(r"[ \t]([^\W\d_][\w'’]*)")
_POSSESSIVE = re.compile(r"['’]s$")
_SMALL = PARTICLES | SMALL_WORDS | frozenset((*TITLES, *GENERATIONS))


def split_name(name: str) -> list[str]:
    """Returns the words of a name that are made of letters, as they are written."""
    return _PART.findall(name)


def parts_that_stand_alone(names: Iterable[str]) -> list[str]:
    """Returns the words of these names that may stand for a whole name, each once."""
    names = list(names)
    whole = {fold(name) for name in names}
    parts: dict[str, str] = {}
    for name in names:
        found = split_name(name)
        for part in found if len(found) > 1 else ():
            folded = fold(part)
            if part[0].isupper() and folded not in whole and not is_plain_part(folded):
                parts.setdefault(folded, part)
    return list(parts.values())


def is_plain_part(folded: str) -> bool:
    """Returns True for a part of a name that is too common, or too short, to stand for it."""
    if len(folded) < 3 or folded in _SMALL:
        return True
    return is_common(folded) or is_stop_name(folded)


def is_everyday_name(name: str) -> bool:
    """Returns True for a name that is an everyday word, and counts only where written as a name."""
    if len(split_name(name)) != 1 or not name[:1].isupper():
        return False
    return is_common(fold(name)) or is_stop_name(name)


def stands_beside_another(text: str, start: int, end: int, own: Collection[str]) -> bool:
    """Returns True where the part of a name at [start, end) stands beside another's name.

    Args:
        own: the folded words of the names that the part belongs to.
    """
    from_ = max(0, start - LOOKED_BACK)
    if before := _WORD_BEFORE.search(text[from_:start]):
        begins = not text[: from_ + before.start(1)].strip(" \n\"'“‘(")
        if _is_another(before.group(1), own, may_be_title=begins):
            return True
    after = _WORD_AFTER.match(text, end)
    return after is not None and _is_another(after.group(1), own, may_be_title=False)


def _is_another(word: str, own: Collection[str], *, may_be_title: bool) -> bool:
    """Returns True for a word that is written as a name, and is none of one's own."""
    folded = fold(_POSSESSIVE.sub("", word))
    if not word[:1].isupper() or folded in own or not index_words(word):
        return False
    if is_common(folded) or is_stop_name(word):
        return False
    return not (may_be_title and folded in TITLES)


def may_name_one(left: str, right: str, *, is_person: bool) -> bool:
    """Returns True for the names of two entities that may be one: equal, a part, a short form."""
    mine, other = fold(left).split(), fold(right).split()
    if mine == other:
        return True
    if not is_person or not mine or not other:
        return False
    if len(mine) == 1:
        return mine[0] in other and not is_plain_part(mine[0])
    return mine[-1] == other[-1] and _may_be_one_given_name(mine[0], other[0])


def _may_be_one_given_name(left: str, right: str) -> bool:
    if left == right or same_given(left, right) or share_formal(left, right):
        return True
    is_initial = 1 in (len(left), len(right))
    return is_initial and left[0] == right[0]
