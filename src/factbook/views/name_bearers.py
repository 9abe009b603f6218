"""Whom a name may mean, among a million: the bearers of the name's rarest keys, and of the same
name with a slip less.

Keys are asked for from the rarest up until enough bearers are found, so that a name that everyone
bears costs no more than a rare one, and a rare word of a name is not lost among the common ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product

from factbook.model.record import SELF, EntityRecord
from factbook.ports.snapshot import Snapshot
from factbook.text.names import content_words, fold, name_keys, word_keys

ENOUGH = 50
"""So many bearers are enough: no commoner key is asked for."""
MOST = 150
"""No key is asked for that would bring more than so many, but where nothing rarer was found."""
BEARERS_A_KEY = 300
"""So many bearers of one key are looked at, the oldest first."""
SLIPS_A_WORD, NEAR_WORDS = 200, 40
"""So many words of the space that share a slip are looked at, and so many tried in place of one
that may be misspelt.
"""
MOST_VARIANTS = 240
"""So many spellings of a whole name are tried."""
SUGGESTED, LIKELY = 3, 60.0
"""So many names are suggested for an unknown one, each alike by so many per cent of its letters
(rapidfuzz's ratio).
"""
_AS_WRITTEN = frozenset("fuj")


def bearers(
    snapshot: Snapshot, space: str, name: str, keys: Iterable[str] | None = None
) -> list[str]:
    """Ids of the entities that the name may mean, those of its rarest keys first; some 50, hardly
    ever more than 150.

    Args:
        keys: those of the name, if not all of `name_keys`.
    """
    wanted = list(name_keys(name) if keys is None else keys)
    found: dict[str, None] = {}
    _take(snapshot, space, [key for key in wanted if not _is_part(key)], found)
    near: dict[str, list[str]] = {}
    if any(key[0] not in _AS_WRITTEN for key in wanted):
        tokens = content_words(fold(name))[:5]
        near = _near_words(snapshot, space, tokens)
        variants = islice(_variants(tokens, near), MOST_VARIANTS)
        _take(
            snapshot,
            space,
            list(dict.fromkeys(key for each in variants for key in word_keys(each))),
            found,
        )
    _take(snapshot, space, [key for key in wanted if _is_part(key)], found)
    _take(snapshot, space, [f"t:{word}" for some in near.values() for word in some], found)
    return list(found)


def near_names(snapshot: Snapshot, space: str, name: str) -> list[str]:
    """Returns names of the space's entities that are nearly so written, the nearest first, at most
    three.
    """
    from rapidfuzz import fuzz

    rows = snapshot.get(space, EntityRecord, bearers(snapshot, space, name)).values()
    folded = fold(name)
    scored = {row.name: fuzz.ratio(folded, fold(row.name)) for row in rows if row.id != SELF}
    likely = [each for each, score in scored.items() if score >= LIKELY]
    return sorted(likely, key=lambda each: (-scored[each], each))[:SUGGESTED]


def _take(snapshot: Snapshot, space: str, keys: Sequence[str], found: dict[str, None]) -> None:
    """Adds the bearers of the rarest of the keys, until there are enough."""
    counts = snapshot.name_counts(space, keys, limit=BEARERS_A_KEY + 1)
    for key in sorted(counts, key=lambda key: (counts[key], key)):
        too_many = len(found) >= ENOUGH or len(found) + counts[key] > MOST
        if found and too_many and key[0] != "f":
            return
        for hits in snapshot.names(space, [key], limit=BEARERS_A_KEY).values():
            found.update(dict.fromkeys(hit.entity_id for hit in hits))


def _is_part(key: str) -> bool:
    """True for a key of less than all words of the name: one word, or an initial with another."""
    return key[0] in "tia" or (key[0] in "nps" and " " not in key)


def is_overborne(snapshot: Snapshot, space: str, keys: Iterable[str]) -> bool:
    """True for a single word's keys of which one has more bearers than are looked at."""
    words = [key for key in keys if key[:2] in ("f:", "t:")]
    if any(" " in key for key in words):
        return False
    return any(
        count > BEARERS_A_KEY
        for count in snapshot.name_counts(space, words, limit=BEARERS_A_KEY + 1).values()
    )


def _near_words(snapshot: Snapshot, space: str, tokens: Sequence[str]) -> dict[str, list[str]]:
    """The words of the space's names that may be meant by each of these, one letter away."""
    near: dict[str, list[str]] = {}
    for token, words in snapshot.near_words(space, tokens, limit=SLIPS_A_WORD).items():
        if one_off := [word for word in words if _is_one_off(token, word)]:
            near[token] = one_off[:NEAR_WORDS]
    return near


def _is_one_off(left: str, right: str) -> bool:
    from rapidfuzz.distance import OSA

    return OSA.distance(left, right, score_cutoff=1) <= 1


def _variants(tokens: list[str], near: dict[str, list[str]]) -> Iterator[list[str]]:
    """The name with one of its words spelt like one of the space's, then with all of them."""
    for place, token in enumerate(tokens):
        for word in near.get(token, ()):
            yield [*tokens[:place], word, *tokens[place + 1 :]]
    if len(near) > 1:
        for spelling in product(*(near.get(token, [token]) for token in tokens)):
            yield list(spelling)
