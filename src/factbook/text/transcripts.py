"""Messages as other programs write them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from factbook.errors import InputError
from factbook.model.episode import Message, Role
from factbook.text.record_keys import TIME_KEYS, refuse_unread

_ROLES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "tool": "tool",
    "function": "tool",
    "system": "system",
    "developer": "system",
}
_SPEAKERS: Mapping[str, Role] = {
    **_ROLES,
    "me": "user",
    "i": "user",
    "self": "user",
    "the user": "user",
}


def as_message(data: Mapping[str, Any]) -> Message:
    """Returns a message from a mapping: OpenAI's and Anthropic's `role`/`content` (text or a list
    of parts), or `speaker`/`text`.

    A role that is none of the known ones is taken as the speaker's name, and a speaker who has none
    but a role's (`User`, `Assistant`) as the role, where none is given. Times may be ISO texts or
    seconds since 1970.

    Raises:
        InputError: it holds no text, a time that can't be read, or an author or a time under a key
            that is not read. A `content` of null, as OpenAI's calls of tools have, is an empty
            text.
    """
    text = _text_of(data.get("content", data.get("text")))
    if text is None and "content" in data and data["content"] is None:
        text = _text_of(data.get("text")) or ""
    if text is None:
        raise InputError("a message needs a text under 'content' or 'text'")
    refuse_unread(data)
    written = str(data.get("role") or "user")
    speaker = data.get("speaker", data.get("name")) or ""
    role = _ROLES.get(written.lower())
    if role is None:
        role, speaker = "user", speaker or written
    elif not data.get("role") and (found := speaker_role(str(speaker))):
        role, speaker = found, ""
    return Message(text, role, str(speaker), _time_of(data), _id_of(data.get("id")))


def speaker_role(speaker: str) -> Role | None:
    """Returns the role that a speaker's name is no more than (`User`, `Human`, `me`, `Assistant`);
    None for a name. `Ai` is one.
    """
    return None if speaker.strip() == "Ai" else _SPEAKERS.get(speaker.strip().lower())


def _id_of(value: object) -> str:
    return "" if value is None else str(value)


def _text_of(content: object) -> str | None:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [_text_of(_part_text(part)) for part in cast(list[object], content)]
        return "\n".join(part for part in parts if part)
    return None


def _part_text(part: object) -> object:
    """Returns the text of one part of a content list; other parts (pictures, calls) have none."""
    if isinstance(part, Mapping):
        return cast(Mapping[str, object], part).get("text", "")
    return part


def _time_of(data: Mapping[str, Any]) -> datetime | None:
    value = next((data[key] for key in TIME_KEYS if data.get(key) not in (None, "")), None)
    if value is None or isinstance(value, datetime):
        return value
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        return datetime.fromisoformat(str(value))
    except (ValueError, OverflowError, OSError):
        raise InputError(
            f"not a time: {str(value)[:40]!r} (ISO 8601 or seconds since 1970)"
        ) from None
