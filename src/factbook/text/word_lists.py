"""Lists of words, read from the text files in a room's `data/` folder.

A file is named by its path below `factbook` without `data/` and `.txt`: `text/nicknames` is
`text/data/nicknames.txt`. Lines that begin with `# ` are comments. A line `[titles]` begins a
section; the lines before the first such line are the section without a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from factbook.errors import ConfigError

_HEADING = re.compile(r"\[([a-z0-9_ ]+)\]")


def load_words(file: str, section: str = "") -> frozenset[str]:
    """Returns the words of a section, parted by spaces."""
    return frozenset(word for line in load_lines(file, section) for word in line.split())


def load_pairs(file: str, section: str = "") -> Mapping[str, str]:
    """Returns the meaning of every word of lines such as `job title, position: role`."""
    out: dict[str, str] = {}
    for line in load_lines(file, section):
        words, colon, meaning = line.rpartition(":")
        if not (words.strip() and colon and meaning.strip()):
            raise ConfigError(f"{file}.txt: {line!r} is no line such as “word, word: meaning”")
        out.update((word.strip(), meaning.strip()) for word in words.split(","))
    return out


def load_groups(file: str, section: str = "") -> Mapping[str, str]:
    """Returns the first word of its line for every word; `_` stands for a space within one."""
    out: dict[str, str] = {}
    for line in load_lines(file, section):
        spellings = [word.replace("_", " ") for word in line.split()]
        out.update((word, spellings[0]) for word in spellings)
    return out


def load_lines(file: str, section: str = "") -> tuple[str, ...]:
    """Returns the lines of a section, without comments and empty ones.

    Raises:
        ConfigError: the file or the section is missing, or a section has two headings.
    """
    sections = load_sections(file)
    if section not in sections:
        raise ConfigError(f"{file}.txt has no section [{section}]; reinstall factbook")
    return sections[section]


@cache
def load_sections(file: str) -> Mapping[str, tuple[str, ...]]:
    """Returns the lines of every section of a file, by the section's name."""
    room, _, name = file.rpartition("/")
    path = files("factbook").joinpath(*room.split("/"), "data", f"{name}.txt")
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}.txt can't be read; reinstall factbook") from error
    return _split_sections(file, _strip_comments(text))


def _split_sections(file: str, lines: Iterator[str]) -> Mapping[str, tuple[str, ...]]:
    out: dict[str, list[str]] = {"": []}
    current = ""
    for line in lines:
        if heading := _HEADING.fullmatch(line):
            current = heading[1]
            if current in out:
                raise ConfigError(f"{file}.txt has two sections [{current}]")
            out[current] = []
        elif line.startswith("["):
            raise ConfigError(f"{file}.txt: {line!r} is no heading")
        else:
            out[current].append(line)
    return {section: tuple(found) for section, found in out.items()}


def _strip_comments(text: str) -> Iterator[str]:
    for line in text.splitlines():
        stripped = line.strip()
        if stripped and stripped != "#" and not stripped.startswith("# "):
            yield stripped
