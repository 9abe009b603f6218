"""The names of who speaks, among those that are known in their talk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factbook.extract.local.lexicon import given_name
from factbook.extract.local.naming.capitals import TITLES
from factbook.model.episode import StoredMessage
from factbook.text.common_words import is_common
from factbook.text.names import fold
from factbook.text.stop_names import is_stop_name


def with_speakers(known: Mapping[str, str], messages: Sequence[StoredMessage]) -> Mapping[str, str]:
    """Returns the known names, kinds by folded name, with the speakers' full and first names as
    people's: `sam` where Sam O speaks.
    """
    people: dict[str, str] = {}
    for speaker in {message.speaker for message in messages}:
        words = [word for word in speaker.split() if word.lower().rstrip(".") not in TITLES]
        if words and _is_first_name(words[0]):
            people[fold(words[0])] = "person"
        if speaker and not is_stop_name(speaker):
            people[fold(speaker)] = "person"
    return {**people, **known}


def _is_first_name(word: str) -> bool:
    """Whether others may call the speaker so: not the `Support` of `Support Desk`."""
    plain = word.lower()
    named = given_name(plain) is not None or not is_common(plain)
    return len(plain) > 1 and plain.isalpha() and named and not is_stop_name(word)
