"""An agent framework as the caller: it hands over messages instead of a text, and hides what is
raised.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager

from factbook.errors import ConfigError

RELEVANCE_WINDOW = 10
"""So many of the latest messages does an agent hand over."""

_log = logging.getLogger("factbook")


def said_in(messages: Sequence[object]) -> str:
    """Returns what the user says in messages, one behind the other: anything with `role` and
    `content`.

    System messages hold what is remembered already, and the assistant's words are not the user's.
    """
    out: list[str] = []
    for message in messages:
        given = getattr(message, "role", "")
        role, content = (
            str(getattr(given, "value", given)).lower(),
            getattr(message, "content", None),
        )
        if role in ("user", "human", "") and isinstance(content, str) and content.strip():
            out.append(content)
    return "\n".join(out)


class Reporter:
    """Says once each why nothing is extracted, since an agent shows nothing of it."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def say(self, why: str) -> None:
        """Logs a warning, the first time."""
        if why not in self._said:
            self._said.add(why)
            _log.warning("no entities are extracted: %s", why)

    @contextmanager
    def watching(self) -> Generator[None]:
        """Logs what is raised, and lets it go on."""
        try:
            yield
        except Exception as error:
            self.say(
                f"{type(error).__name__}: {error}"[:300]
                if isinstance(error, ConfigError)
                else type(error).__name__
            )
            raise
