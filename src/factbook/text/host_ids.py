"""Ids that a host gives its own things, by namespace: `crm` and `111`.

The record keeps one as another name of the entity, in a form that no name has, so that what holds
for names (the index, the log, undoing, forgetting, exchange) holds for it. It is found by itself
alone, never by a part, and shown nowhere as a name.
"""

from __future__ import annotations

from collections.abc import Iterable

MARK = "\x1f"
"""Begins the stored form; no name begins with it."""


def stored_form(namespace: str, value: str) -> str:
    """Returns the form in which the record keeps the id."""
    return f"{MARK}{namespace}:{value}"


def is_host_id(name: str) -> bool:
    """Returns whether a name of the record is a host's id."""
    return name.startswith(MARK)


def split_stored(name: str) -> tuple[str, str]:
    """Returns the namespace and the id of a stored form."""
    namespace, _, value = name.removeprefix(MARK).partition(":")
    return namespace, value


def key_of(name: str) -> str:
    """Returns the key of a stored form in the index of names."""
    return f"h:{name.removeprefix(MARK)}"


def host_ids(names: Iterable[str]) -> dict[str, str]:
    """Returns the ids among the names, by namespace; the first of each."""
    found: dict[str, str] = {}
    for name in names:
        if is_host_id(name):
            namespace, value = split_stored(name)
            found.setdefault(namespace, value)
    return found


def without_host_ids(names: Iterable[str]) -> list[str]:
    """Returns the names without the ids among them."""
    return [name for name in names if not is_host_id(name)]
