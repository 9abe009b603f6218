"""Reads what callers hand over: messages in place of a text, and providers of many forms."""

from __future__ import annotations

import logging
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import cast

from factbook.errors import ConfigError
from factbook.llm.adapt import language_model
from factbook.ports.models import AsyncLanguageModel, Extractor, LanguageModel
from factbook.text.argument_checks import check_text
from factbook.text.injected_memory import strip_injected
from factbook.text.secrets import mask_secrets

Provider = LanguageModel | AsyncLanguageModel | Extractor

RELEVANCE_WINDOW = 10
"""So many of the latest messages does an agent hand over."""

_log = logging.getLogger("factbook")


def read_user_text(messages: Sequence[object]) -> str:
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


def are_messages(given: object) -> bool:
    """Returns True for a list of objects with `content`, as an agent hands them over."""
    return isinstance(given, list | tuple) and all(
        hasattr(each, "content") for each in cast(Sequence[object], given)
    )


def clean_text(text: object) -> str:
    """Returns the text without injected memory and secrets."""
    said, _ = strip_injected(check_text(text, "the text"))
    return mask_secrets(said)[0]


def choose_provider(provider: object | None, model: str | None) -> Provider | None:
    """Returns whom to ask for entities, None for nobody.

    Raises:
        ConfigError: it can't be used; says what to give.
    """
    if provider is None:
        return None
    if isinstance(provider, str):
        if provider != "local":
            raise ConfigError(f"no provider {provider[:40]!r}; there is 'local', or give an object")
        return load_local_extractor()
    if isinstance(provider, Extractor):
        return provider
    return language_model(provider, model)


@cache
def load_local_extractor() -> Extractor:
    """Returns the one local extractor for all: its models are loaded once."""
    from factbook.extract.local import LocalExtractor, is_installed

    if not is_installed():
        raise ConfigError("the local extractor is not installed: pip install 'factbook[local]'")
    return LocalExtractor()


class Reporter:
    """Says once each why nothing is extracted, since an agent shows nothing of it."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def warn_once(self, why: str) -> None:
        """Logs a warning, the first time."""
        if why not in self._said:
            self._said.add(why)
            _log.warning("no entities are extracted: %s", why)

    @contextmanager
    def warn_of_errors(self) -> Generator[None]:
        """Logs what is raised, and lets it go on."""
        try:
            yield
        except Exception as error:
            self.warn_once(
                f"{type(error).__name__}: {error}"[:300]
                if isinstance(error, ConfigError)
                else type(error).__name__
            )
            raise
