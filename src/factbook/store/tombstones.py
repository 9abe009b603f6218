"""Tombstones: keyed hashes of what was forgotten, by which it is known when it is read again.

A message leaves one of the host's id and one of its role, speaker and folded text, neither with its
session: a transcript that is read again under another label, or from a copy, brings nothing back.
An id that may be a mere counter is hashed with its session, since another session counts from one
too. A few words that name nobody (`ok, thanks`) are said by anyone at any time: they are held back
only beside a message that is.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from factbook.model.episode import NewEpisode, NewMessage, StoredMessage
from factbook.text.common_words import is_common
from factbook.text.index_words import index_words
from factbook.text.names import clean_name, fold, has_unspaced, without_marks
from factbook.text.nicknames import is_known_name

EARLIER: Final = 0
"""Made by a version that hashed session and key; a name's, too."""
TEXT: Final = 1
FEW_WORDS: Final = 2
HOST_ID: Final = 3
NAME: Final = 4

FEW = 5
"""So many words that name nobody are more than a few."""
LEAST_OF_AN_ID = 12
"""Characters of a host's id that is taken for one of its own among all sessions; a shorter one may
be a counter.
"""
KEY_BYTES = 32

_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d\D{0,2}\d\D{0,2}\d\D{0,2}\d")
_SAID_BY_ANYONE = frozenset({"ok", "okay"})


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A hash and its sort."""

    hash: bytes
    sort: int


class Graveyard:
    """Makes the tombstones of one space by the secret key."""

    def __init__(self, secret: bytes, space: str) -> None:
        self._secret = secret[:64]
        self._space = space

    def bury(self, message: StoredMessage, *, names_someone: bool) -> Iterator[Tombstone]:
        """Yields what is kept of a message that goes or is altered."""
        few = not names_someone and is_few_words(message.text)
        yield Tombstone(self._text(message), FEW_WORDS if few else TEXT)
        if message.host_id:
            yield Tombstone(self._host_id(message.session, message.host_id), HOST_ID)

    def name(self, name: str) -> Tombstone:
        """Returns what is kept of a name that was forgotten; never equal to that of a message."""
        return Tombstone(self._hash(b"name", fold(name)), NAME)

    def hashes(self, session: str, message: NewMessage) -> Iterator[bytes]:
        """Yields the hashes by which a message may have been buried."""
        yield self._text(message)
        yield self._hash(b"", session, message.key)
        if message.host_id:
            yield self._host_id(session, message.host_id)

    def _text(self, message: StoredMessage | NewMessage) -> bytes:
        return self._hash(b"text", message.role, fold(message.speaker), _folded(message.text))

    def _host_id(self, session: str, host_id: str) -> bytes:
        return self._hash(
            b"id", host_id if len(host_id) >= LEAST_OF_AN_ID else f"{session}\0{host_id}"
        )

    def _hash(self, sort: bytes, *parts: str) -> bytes:
        said = "\0".join((self._space, *parts)).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(said, key=self._secret, digest_size=16, person=sort).digest()


def is_few_words(text: str) -> bool:
    """Whether a text is so short and common that others say it too: under five words, no name, no
    long number.
    """
    found = _WORD.findall(text)
    count = sum(len(word) / 2 if has_unspaced(word) else 1 for word in found)
    if count >= FEW or _NUMBER.search(text):
        return False
    return not any(_may_name(word, first=place == 0) for place, word in enumerate(found))


def _may_name(word: str, *, first: bool) -> bool:
    if not word[0].isupper():
        return False
    plain = without_marks(word)
    if first:
        return is_known_name(plain) and not is_common(plain)
    return plain not in _SAID_BY_ANYONE and not is_common(plain) and bool(index_words(plain))


def find_held_back(
    episodes: Iterable[NewEpisode],
    graveyard: Graveyard,
    buried: Callable[[Sequence[bytes]], Iterable[int]],
    is_known: Callable[[str, NewMessage], bool],
) -> frozenset[str]:
    """Returns the ids of the messages that were forgotten and are read again.

    Args:
        episodes: of one call, in order. buried: gives the sorts of those of the hashes that are
            kept. is_known: tells by session whether the message is there already.
    """
    order: list[str] = []
    held: set[str] = set()
    few: set[str] = set()
    for episode in episodes:
        for message in episode.messages:
            order.append(message.id)
            sorts = set(buried(list(graveyard.hashes(episode.session, message))))
            if not sorts or is_known(episode.session, message):
                continue
            (few if sorts == {FEW_WORDS} else held).add(message.id)
    for direction in (order, order[::-1]) if few else ():
        for before, each in itertools.pairwise(direction):
            if each in few and before in held:
                held.add(each)
    return frozenset(held)


def _folded(text: str) -> str:
    """The words of a text as they are compared; of one without words, the text."""
    seen = clean_name(text)
    return " ".join(_WORD.findall(without_marks(seen))) or seen
