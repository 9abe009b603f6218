"""Arguments of wrong types, over every public verb: one of our errors, or an answer; never an error
from within.
"""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

import pytest

from factbook import Entity, FactbookError, InputError, Memory
from factbook.errors import ConfigError

JUNK: list[Any] = [
    None,
    5,
    -1,
    1.5,
    True,
    b"x",
    "",
    "x",
    [],
    [None],
    [5],
    {},
    {"a": 5},
    object(),
    float("nan"),
    10**400,
]
LEFT_OUT = {"close", "open", "wait", "work", "alearn", "warm", "export"}
VERBS = sorted(
    name
    for name, method in inspect.getmembers(Memory, inspect.isfunction)
    if not name.startswith("_") and name not in LEFT_OUT
)


@pytest.mark.parametrize("verb", VERBS)
def test_a_wrong_type_is_never_an_error_from_within(verb: str) -> None:
    with Memory.open("ram:", extractor="none", embedder="none", background=False) as memory:
        memory.put(Entity("Ana", "person"))
        method = getattr(memory, verb)
        parameters = inspect.signature(method).parameters.values()
        required = [each.name for each in parameters if each.default is inspect.Parameter.empty]
        for parameter in parameters:
            for junk in JUNK:
                given = {**dict.fromkeys(required, "Ana"), parameter.name: junk}
                with contextlib.suppress(FactbookError):
                    method(**given)


def test_what_is_no_memory_says_how_to_open_one() -> None:
    for given in ((), ("x",), (None,)):
        with pytest.raises(ConfigError, match=r"Memory\.open"):
            Memory(*given)


def test_what_is_put_is_an_entity_and_an_argument_is_named() -> None:
    with Memory.open("ram:", extractor="none", embedder="none", background=False) as memory:
        with pytest.raises(InputError, match="an entity is an Entity or a mapping"):
            memory.put("Alice")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="name is of the wrong type"):
            memory.get(5)  # type: ignore[arg-type]
