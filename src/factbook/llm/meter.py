"""Counts what is asked, from any thread."""

from __future__ import annotations

import threading
from functools import reduce
from operator import add

from factbook.model.usage import Usage


class Meter:
    """Sums of usage. Each thread adds to a sum of its own, so that no lock can be held by a thread
    that a fork left.
    """

    def __init__(self) -> None:
        self._sums: dict[int, Usage] = {}

    def add(self, usage: Usage) -> None:
        """Counts it."""
        thread = threading.get_ident()
        self._sums[thread] = self._sums.get(thread, Usage()) + usage

    def total(self) -> Usage:
        """Returns all of it."""
        return reduce(add, list(self._sums.values()), Usage())
