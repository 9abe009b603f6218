"""From what a caller hands in to episodes that the store's first door takes.

A message is unique by (space, session, key). Its key is the host's id if it has one, else a hash of
role, speaker, text and, where it was given, its time, with the ordinal of this same message among
its like in the call: a transcript that is read again gives the same keys, and a short "ok" said
three times in it stays three messages.

Who speaks under no more than a role's name (`User`) speaks as that role.

Memory that a host put into a message (a whole `<memory>` block and the like) is not what was said:
it is left out.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast, get_args

from factbook.errors import InputError
from factbook.learn.clock import IdMaker
from factbook.memory.masking import Guard
from factbook.model.episode import Message, NewEpisode, NewMessage, Role
from factbook.text.argument_checks import in_utc
from factbook.text.injected_memory import strip_injected
from factbook.text.transcripts import as_message, speaker_role

MESSAGES_AN_EPISODE = 16
"""Few enough that a lost lease repeats little, enough that the extractor works in batches."""

Said = str | Message | Mapping[str, Any]
"""One utterance in any of the forms that `Memory.remember` takes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Intake:
    """Episodes ready to store, with what was masked and skipped on the way."""

    episodes: tuple[NewEpisode, ...]
    masked: Mapping[str, int]
    skipped: Mapping[str, int]


def messages_of(said: Said | Sequence[Said]) -> list[Message]:
    """Any accepted form as messages.

    Raises:
        InputError: something in it is no message; says which one.
    """
    items: object = [said] if isinstance(said, str | Message | Mapping) else said
    if not isinstance(items, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers hand in anything
        raise InputError(f"a text, a Message or several were expected, not {type(items).__name__}")
    out: list[Message] = []
    for number, item in enumerate(cast(Iterable[object], items), 1):
        try:
            out.append(_read_message(item))
        except InputError as error:
            raise InputError(f"message {number}: {error}") from None
    return out


def _read_message(item: object) -> Message:
    if isinstance(item, Message):
        return _check_message(item)
    if isinstance(item, str):
        return Message(item)
    if isinstance(item, Mapping):
        return _check_message(as_message(cast(Mapping[str, Any], item)))
    raise InputError(
        f"a text, a Message or a mapping with 'content' was expected, not {type(item).__name__}"
    )


def _check_message(message: Message) -> Message:
    """The message, its time in UTC.

    Raises:
        InputError: a part is of another type than `Message` says.
    """
    for name in ("text", "speaker", "id"):
        value = getattr(message, name)
        if not isinstance(value, str):
            raise InputError(f"its {name} is a text, not of type {type(value).__name__}")
    if message.role not in get_args(Role):
        raise InputError(
            f"its role is one of {', '.join(get_args(Role))}, not {str(message.role)[:40]!r}"
        )
    return replace(message, at=in_utc(message.at, "its time"))


def take_in(
    messages: Iterable[Message],
    *,
    session: str,
    project: str,
    now: datetime,
    new_id: IdMaker,
    guard: Guard | None = None,
) -> Intake:
    """Masks secrets (and what else `guard` masks), gives times and keys, drops what is not
    remembered, and cuts the rest into episodes.
    """
    guard = guard or Guard()
    skipped: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    taken: list[NewMessage] = []
    for message in messages:
        if message.role == "system":
            skipped["system"] += 1
            continue
        said, blocks = strip_injected(_clean_text(message.text))
        if blocks:
            skipped["injected"] += blocks
        if not said.strip():
            skipped["empty"] += not blocks
            continue
        text = guard.mask_text(said)
        speaker = guard.mask_speaker(" ".join(_clean_text(message.speaker).split()))
        clean = replace(message, text=text, speaker=speaker, id=_clean_text(message.id))
        role, name = _role_and_speaker(clean)
        taken.append(
            NewMessage(
                id=new_id(),
                key=_make_key(clean, seen),
                role=role,
                speaker=name,
                at=clean.at or now,
                text=text,
                host_id=clean.id,
            )
        )
    cut = [taken[i : i + MESSAGES_AN_EPISODE] for i in range(0, len(taken), MESSAGES_AN_EPISODE)]
    episodes = [
        NewEpisode(
            id=new_id(), session=session, project=project, created_at=now, messages=tuple(part)
        )
        for part in cut
    ]
    return Intake(episodes=tuple(episodes), masked=dict(guard.counts), skipped=dict(+skipped))


def _role_and_speaker(message: Message) -> tuple[Role, str]:
    """Role and speaker. Who is called `User` or `me` is the space's own user; who is called
    `Assistant` is no user.
    """
    means = speaker_role(message.speaker)
    if message.role == "user" and means == "assistant":
        return "assistant", message.speaker
    return message.role, "" if message.role == means == "user" else message.speaker


def _clean_text(text: str) -> str:
    """The text without what no store can keep: NUL, and halves of surrogate pairs."""
    return text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")


def _make_key(message: Message, seen: Counter[str]) -> str:
    if message.id:
        return "id:" + hashlib.sha256(message.id.encode("utf-8", "replace")).hexdigest()[:32]
    at = message.at.isoformat() if message.at else ""
    parts = "\x1f".join((message.role, message.speaker, at, message.text))
    digest = hashlib.sha256(parts.encode()).hexdigest()[:32]
    seen[digest] += 1
    return f"{digest}:{seen[digest] - 1}"
