"""The messages as a model sees them: numbered, and with nothing in them that could pass for the
frame around them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from factbook.extract.readable_text import make_readable
from factbook.model.episode import Episode, StoredMessage

LONGEST_CONTEXT = 2_000
"""So many characters of an assistant's or a tool's message are shown: of these only names are
taken.
"""

_MARKS = str.maketrans({"<": "‹", ">": "›", "｜": "|"})
"""Chat templates write their own marks with these, and servers read them wherever they stand."""
_CALL = re.compile(r"\[(?=/?[A-Z_]{3,}\])")
_GAP = re.compile(r"[ \n]+")


@dataclass(frozen=True, slots=True)
class NumberedMessage:
    """One message. `number` counts from 1 through the whole prompt.

    `text` is what may be read of it, place by place: what may not is blank, and the brackets of
    chat templates are others. It is shorter than the message where that is too long.
    """

    number: int
    episode_id: str
    message: StoredMessage
    text: str

    @property
    def is_users(self) -> bool:
        """Whether a person says it; of the others only names are taken."""
        return self.message.role == "user"

    @property
    def is_cut(self) -> bool:
        return len(self.text) < len(self.message.text)


def number_messages(
    episodes: Iterable[Episode], most_characters: int, first: int = 1
) -> list[NumberedMessage]:
    """Returns the messages with something to read, numbered from `first`. Of all of them together so
    many characters are read, in their order.
    """
    out: list[NumberedMessage] = []
    left = most_characters
    for episode in episodes:
        for message in episode.messages:
            if message.role == "system":
                continue
            most = left if message.role == "user" else min(left, LONGEST_CONTEXT)
            text = disarm_text(make_readable(message.text[:most]))
            left -= len(text)
            if text.strip() or len(message.text) > most:
                out.append(NumberedMessage(first + len(out), episode.id, message, text))
    return out


def disarm_text(text: str) -> str:
    """Returns an equally long text without what a chat template could take for its own marks."""
    return _CALL.sub("(", text.translate(_MARKS))


def on_one_line(text: str, most: int) -> str:
    """Returns text of others on one line, in which it can't pass for more."""
    flat = " ".join(disarm_text(make_readable(text)).split())
    return flat if len(flat) <= most else flat[: most - 1].rstrip() + "…"


def render_messages(messages: Sequence[NumberedMessage]) -> str:
    """Returns each message under its number, speaker and day; its further lines are indented."""
    return "\n".join(_render_message(each) for each in messages)


def _render_message(each: NumberedMessage) -> str:
    message = each.message
    who = (
        on_one_line(message.speaker, 60).translate(_BRACKETS)
        if each.is_users and message.speaker
        else message.role
    )
    return f"[{each.number}] ({who}, {message.at:%a %Y-%m-%d}) {_visible_text(each)}"


_BRACKETS = str.maketrans("[]()", "    ")


def _visible_text(each: NumberedMessage) -> str:
    """Returns the text, `[…]` for what was left out of it."""
    raw = each.message.text

    def gap(match: re.Match[str]) -> str:
        hidden = raw[match.start() : match.end()].strip()
        broken = "\n    " if "\n" in match.group() else " "
        return f"{broken}[…]{broken}" if len(hidden) > 1 else broken

    text = _GAP.sub(gap, each.text).strip()
    return text + (" […]" if each.is_cut else "")
