"""The known entities that texts may mean: looked up by the names in them, not by what came last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from factbook.model.episode import Episode
from factbook.model.record import SELF, EntityRecord
from factbook.ports.models import KnownName
from factbook.ports.snapshot import NameHit, Snapshot
from factbook.text.host_ids import is_host_id
from factbook.text.name_links import MOST_BEARERS, link_names
from factbook.text.names import fold
from factbook.text.question.question_words import MOST_WORDS, Gram, find_grams

MOST_FITTING = 20
MOST_GRAMS = 1500
"""Runs of words that are looked up for one batch of texts, those of each message evenly."""
MOST_ALIASES = 4
LONGEST_LINE = 120
"""Characters of a description."""


def find_fitting(
    snapshot: Snapshot, space: str, episodes: Sequence[Episode], *, limit: int = MOST_FITTING
) -> list[KnownName]:
    """The entities that a name or a word of the texts may mean, the likeliest first, at most
    `limit`.

    A whole name counts more than a part of one, and a part that many share counts for nothing.
    """
    found: dict[Gram, list[tuple[str, NameHit]]] = {}
    keys: dict[Gram, tuple[str, ...]] = {gram: _keys(gram) for gram in _grams(episodes)}
    bearers = snapshot.names(
        space, {key for some in keys.values() for key in some}, limit=2 * MOST_BEARERS
    )
    if not bearers:
        return []
    for gram, some in keys.items():
        if hits := [(key, hit) for key in some for hit in bearers.get(key, ())]:
            found[gram] = hits
    ids = {hit.entity_id for hits in found.values() for _, hit in hits}
    linked = link_names(found, snapshot.canonical(space, ids))
    best = [each.entity_id for each in linked if each.entity_id != SELF][:limit]
    return _known(snapshot, space, best)


def _known(snapshot: Snapshot, space: str, ids: Sequence[str]) -> list[KnownName]:
    rows = snapshot.get(space, EntityRecord, ids)
    aliases: dict[str, list[str]] = {}
    for alias in snapshot.aliases(space, ids):
        if is_host_id(alias.name):
            continue
        aliases.setdefault(alias.entity_id, []).append(alias.name)
    return [
        KnownName(
            name=row.name,
            kind=row.kind,
            aliases=tuple(aliases.get(row.id, ())[:MOST_ALIASES]),
            description=" ".join(row.description.split())[:LONGEST_LINE],
        )
        for row in (rows[each] for each in ids if each in rows)
    ]


def _grams(episodes: Sequence[Episode]) -> Iterator[Gram]:
    """Returns the runs of words that may be a name in the messages, each once; `start` and `end`
    are unique over all of them.
    """
    messages = [message for episode in episodes for message in episode.messages]
    share = max(MOST_GRAMS // max(len(messages), 1), 1)
    seen: set[str] = set()
    offset = 0
    for message in messages:
        taken = 0
        for piece in (message.speaker, *_pieces(message.text)):
            for gram in find_grams(piece):
                folded = fold(gram.text)
                if taken < share and folded not in seen:
                    seen.add(folded)
                    taken += 1
                    yield Gram(text=gram.text, start=gram.start + offset, end=gram.end + offset)
            offset += MOST_WORDS + 1


def _pieces(text: str) -> Iterable[str]:
    """The text in pieces that `grams` reads whole."""
    for line in text.splitlines():
        words = line.split()
        for first in range(0, len(words), MOST_WORDS // 2):
            yield " ".join(words[first : first + MOST_WORDS // 2])


def _keys(gram: Gram) -> tuple[str, ...]:
    """The name itself, and for a single word the names that it is a part of. Other spellings are
    left to resolving.
    """
    folded = fold(gram.text)
    if not folded:
        return ()
    return (
        (f"f:{folded}", f"t:{folded}")
        if gram.end - gram.start == 1 and len(folded) > 2
        else (f"f:{folded}",)
    )
