"""Time grows with the text, whatever the text: no expression is tried again from every place of a
run.

The bounds are generous: what they are for took minutes, where it ended at all. `python -m bench
growth` measures every verb.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from types import FrameType

import pytest

import factbook
from bench.hostile import SHAPES
from factbook.recall.understand.query import understand
from factbook.resolve.person_names import parse_person
from factbook.text.correction_phrases import find_corrections, has_cue
from factbook.text.coverage import sentences
from factbook.text.excerpt import cut
from factbook.text.figures import read_figures
from factbook.text.injected_memory import blank_injected, strip_injected
from factbook.text.secrets import mask_secrets
from factbook.text.sentences import split_pieces
from factbook.text.stop_names import is_stop_name
from factbook.text.time_phrases import find_moments
from factbook.text.token_estimate import Estimate
from factbook.tools.pairs import read_attribute_pairs

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SIZE = 60_000
MOST_SECONDS = 5.0
"""CPU of one call; all of them take less than one second where nothing else runs."""
ROOMS = frozenset("text extract llm memory recall render resolve store tools".split())
"""Those that read text, and import no host's packages."""
LOST = 3.0
"""Seconds after which an expression that reads some texts of forty characters will not end."""


def _cut(text: str) -> object:
    return cut(text, {"kayak": 1.0}, 3, Estimate().count)


def _moments(text: str) -> object:
    return find_moments(text, NOW)


def _understand(text: str) -> object:
    return understand(f"before x{text}", now=NOW)


def _pairs(text: str) -> object:
    return read_attribute_pairs(f"a=b{text}=c")


def _stop_name(text: str) -> object:
    return is_stop_name(f"{text}xyz")


@pytest.mark.parametrize(
    ("read", "shape"),
    [
        (Estimate().count, "numbers and commas"),
        (Estimate().count, "JSON"),
        (Estimate().count, "letters and digits"),
        (split_pieces, "dots"),
        (split_pieces, "blanks"),
        (split_pieces, "one late stop"),
        (_cut, "words"),
        (has_cue, "blanks"),
        (find_corrections, "blanks"),
        (find_corrections, "corrections"),
        (mask_secrets, "sk-"),
        (mask_secrets, "passwords"),
        (strip_injected, "blanks"),
        (strip_injected, "memory tags"),
        (blank_injected, "blanks"),
        (blank_injected, "fences"),
        (sentences, "blanks"),
        (_moments, "times"),
        (_understand, "times"),
        (_understand, "birthdays"),
        (_understand, "blanks"),
        (read_figures, "a letter"),
        (_pairs, "blanks"),
        (parse_person, "opening brackets"),
        (_stop_name, "digits"),
    ],
)
def test_a_long_text_is_read_in_time(read: Callable[[str], object], shape: str) -> None:
    text = SHAPES[shape](SIZE)
    began = time.process_time()
    read(text)
    assert time.process_time() - began < MOST_SECONDS


def test_injected_memory_without_an_end_hides_none_that_ends() -> None:
    text = "<memory>a <entity_memory>b</entity_memory> c <memory>d</memory>  <memory>e"
    assert strip_injected(text) == ("<memory>e", 1)
    assert strip_injected("a <entity_memory> <memory>d</memory>  <memory>e</memory> f") == (
        "a <entity_memory>f",
        2,
    )


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarms")
def test_no_expression_takes_forever_over_a_short_text() -> None:
    """A star within a star does, over thirty digits and a letter."""
    runs = [shape(40) for shape in SHAPES.values()]
    texts = [f"{run}{end}" for run in runs for end in ("xyz", "\0")]
    with _alarms():
        assert [name for name, pattern in _expressions() if not _reads_all(pattern, texts)] == []


def _expressions() -> Iterator[tuple[str, re.Pattern[str]]]:
    for module in pkgutil.walk_packages(factbook.__path__, "factbook."):
        if module.name.split(".")[1] not in ROOMS:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            held = value if isinstance(value, tuple | list) else [value]
            yield from ((f"{module.name}.{name}", each) for each in held if _is_text_pattern(each))


def _is_text_pattern(value: object) -> bool:
    return isinstance(value, re.Pattern) and isinstance(value.pattern, str)


class _LateError(Exception):
    """The alarm rang."""


class _alarms:  # noqa: N801 - used as a function
    def __enter__(self) -> None:
        self._before = signal.signal(signal.SIGALRM, self._ring)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._before)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        raise _LateError


def _reads_all(pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    signal.setitimer(signal.ITIMER_REAL, LOST)
    try:
        for text in texts:
            pattern.match(text)
            pattern.fullmatch(text)
    except _LateError:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return True
