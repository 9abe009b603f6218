"""Messages and episodes: what was said, as it was said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from factbook.model.source import Source, Standing

Role = Literal["user", "assistant", "tool", "system"]

_STANDINGS: Mapping[str, Standing] = {
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "system": "tool",
}


@dataclass(frozen=True, slots=True)
class Message:
    """One utterance, as a caller hands it in.

    Attributes:
        text: what was said.
        role: `user` also for every person of a chat with several; `system` messages are not
            remembered.
        speaker: the name of who said it; empty for the space's own user (`self`) or the assistant.
        at: when; None for now. A time without a zone is read as UTC.
        id: the host's id of the message; with one, remembering it twice keeps one copy whatever its
            text.
    """

    text: str
    role: Role = "user"
    speaker: str = ""
    at: datetime | None = None
    id: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredMessage:
    """One utterance in the store.

    `position` counts from 0 within its session, in the order of storing; `key` is the one it came
    with (`NewMessage`).
    """

    id: str
    episode_id: str
    session: str = ""
    project: str = ""
    position: int = 0
    role: Role = "user"
    speaker: str = ""
    at: datetime
    text: str
    host_id: str = ""
    key: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Episode:
    """The messages stored together, in order."""

    id: str
    session: str = ""
    project: str = ""
    created_at: datetime
    messages: tuple[StoredMessage, ...] = ()

    def source_of(self, message: StoredMessage | None, quote: str = "") -> Source:
        """Returns the provenance of a message's words; of the whole without one."""
        if message is None:
            return Source(
                standing="user", session=self.session, project=self.project, episode_id=self.id
            )
        return Source(
            standing=_STANDINGS[message.role],
            speaker=message.speaker,
            said_at=message.at,
            session=self.session,
            project=self.project,
            episode_id=self.id,
            message_id=message.id,
            position=message.position,
            quote=quote,
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class NewMessage:
    """A message on its way into the store. `key` makes it unique within (space, session): see
    `memory/write/intake.py`.
    """

    id: str
    key: str
    role: Role = "user"
    speaker: str = ""
    at: datetime
    text: str
    host_id: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class NewEpisode:
    """An episode on its way into the store; its job gets the same id."""

    id: str
    session: str = ""
    project: str = ""
    created_at: datetime
    messages: tuple[NewMessage, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Remembered:
    """The result of the first door: the episodes that got at least one new message, and the counts
    of messages.

    `duplicates` were there already, `held_back` were forgotten.
    """

    episode_ids: tuple[str, ...] = ()
    stored: int = 0
    duplicates: int = 0
    held_back: int = 0
