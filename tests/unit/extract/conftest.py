"""Sentences of which our parse makes something else than the rules expect.

`misread.txt` lists them, a line each: their examples are run and may fail.
"""

from __future__ import annotations

from pathlib import Path

import pytest

MISREAD = frozenset(
    line.replace("\\n", "\n")
    for line in Path(__file__).with_name("misread.txt").read_text(encoding="utf-8").splitlines()
    if line
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Lets the examples of listed sentences fail."""
    may_fail = pytest.mark.xfail(reason="our parse reads it otherwise", strict=False)
    for item in items:
        called = getattr(item, "callspec", None)
        if called is not None and not MISREAD.isdisjoint(
            value for value in called.params.values() if isinstance(value, str)
        ):
            item.add_marker(may_fail)
