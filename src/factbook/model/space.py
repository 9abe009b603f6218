"""Names of spaces, sessions and projects."""

from __future__ import annotations

from factbook.errors import SpaceError

DEFAULT_SPACE = "default"
LONGEST_LABEL = 200


def check_label(name: str, what: str = "space") -> str:
    """Returns the name, if it may be used for a space, session or project (sessions and projects
    may be empty).

    Raises:
        SpaceError: it is no text or empty (spaces), longer than 200 characters, or holds
            unprintable characters.
    """
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance] - hosts hand in what JSON gave them
        raise SpaceError(f"the name of a {what} is a text, not of type {type(name).__name__}")
    if not name and what == "space":
        raise SpaceError("a space needs a name; the unnamed one is 'default'")
    if len(name) > LONGEST_LABEL:
        raise SpaceError(
            f"a {what} has at most {LONGEST_LABEL} characters, this one has {len(name)}"
        )
    if name and (not name.isprintable() or name != name.strip()):
        raise SpaceError(
            f"a {what} may not hold control characters nor begin or end with a space: {name[:40]!r}"
        )
    return name
