"""The errors that factbook raises, one class for each decision that a caller can take.

::

    FactbookError
    ├── ConfigError              fix the call, the setting or the installation
    ├── InputError               fix the data; says where it is wrong
    ├── ExtractError
    │   ├── ModelUnavailableError   try again later
    │   ├── ReplyRejectedError      do not try the same again
    │   └── StoppedError            it was broken off; what was not read waits
    ├── StoreError
    │   ├── StoreBusyError          try again
    │   ├── SchemaTooNewError       upgrade factbook
    │   └── StaleWriteError         read again, then write
    ├── NotFoundError            nothing has that name or id; `.suggestions` are like it
    ├── AmbiguousError           several have it; `.candidates` says which
    └── SpaceError               the space may not be used so
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Unlearned(Protocol):
    """A job that was not learned, as far as an error tells: see `factbook.Job`, which it is."""

    @property
    def id(self) -> str: ...

    @property
    def state(self) -> str: ...

    @property
    def attempts(self) -> int: ...

    @property
    def error(self) -> str: ...


class FactbookError(Exception):
    """The base of every error that factbook raises on purpose."""


class ConfigError(FactbookError):
    """A setting, an argument or the installation is wrong; the text says what to change."""


class InputError(FactbookError, ValueError):
    """Data handed in can't be read; the text says where and what was kept."""


class ExtractError(FactbookError):
    """An extractor could not give a draft.

    Attributes:
        jobs: the jobs that were not learned, each with its error, where `wait` raises it; else
            empty.
    """

    def __init__(self, message: str = "", *, jobs: Sequence[Unlearned] = ()) -> None:
        super().__init__(message)
        self.jobs = tuple(jobs)


class ModelUnavailableError(ExtractError):
    """The model could not be reached or loaded now; trying again later may help.

    Attributes:
        retry_after: the model's server asked not to be tried again before so many seconds; None if
            it didn't.
    """

    def __init__(
        self, message: str = "", *, retry_after: float | None = None, jobs: Sequence[Unlearned] = ()
    ) -> None:
        super().__init__(message, jobs=jobs)
        self.retry_after = retry_after


class ReplyRejectedError(ExtractError):
    """The model's answer can't be used; the same call would give the same answer."""


class StoppedError(ExtractError):
    """Reading was broken off between two pieces: the memory was closed, the program ends, or others
    waited too long.

    Attributes:
        done: the drafts of the episodes that were read to their ends, in order.
    """

    def __init__(self, message: str = "", *, done: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.done = tuple(done)


class StoreError(FactbookError):
    """The store could not do what was asked; nothing was half written."""


class StoreBusyError(StoreError):
    """Another process held the store for longer than the timeout; try again."""


class SchemaTooNewError(StoreError):
    """The file was written by a newer factbook; it was left untouched."""


class StaleWriteError(StoreError):
    """The record changed since it was read (or a lease was lost); read again and plan anew."""


class NotFoundError(FactbookError):
    """Nothing in this space has that name or id.

    Attributes:
        suggestions: names of this space that are nearly so written, the nearest first.
    """

    def __init__(self, message: str = "", suggestions: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.suggestions = tuple(suggestions)


class AmbiguousError(FactbookError):
    """More than one thing has that name.

    Attributes:
        candidates: one short description each, in the order of likelihood.
    """

    def __init__(self, message: str, candidates: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class SpaceError(FactbookError):
    """The space's name is not allowed, or it is open for reading only."""
