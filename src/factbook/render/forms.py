"""The forms of the documents that list entities: `[Known Entities]`, `<entity_memory>`, `##
Semantic Memory`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from factbook.render.custom import FormMaker, made_by
from factbook.render.known_entities import HEADER, join_described, known_entities, pair
from factbook.render.listing import ListingForm, Shown, Subject
from factbook.text.escape import inline, item, lead, with_code
from factbook.text.quoted_lines import part

ALL = 10**9
A_SECTION = 5
"""Entities of a kind in `<entity_memory>`."""
RULE = "rule"
"""The kind under which working rules stand."""
FIRST_KINDS = (RULE, "preference", "pain_point", "decision", "campaign", "metric")
"""The kinds of document 002, in the order in which they stand; other kinds follow, best first."""

_STARS = re.compile(r"\*{2,}")


class KnownEntities:
    """`- Alice (person): role=engineer, leads=Project Atlas` under `[Known Entities]`."""

    most = ALL

    def section(self, subject: Subject) -> str:
        del subject  # one list
        return ""

    def parts(self, subject: Subject) -> Sequence[str]:
        text = subject.description.strip().removesuffix(".")
        said = {"description": text} if text else {}
        return [pair(key, value) for key, value in {**said, **subject.pairs}.items()]

    def line(self, subject: Subject, parts: Sequence[str]) -> str:
        kind = ", ".join(
            part for part in (subject.label, subject.whose, subject.space, subject.scope) if part
        )
        if subject.kind == RULE:
            return f"- {_name(subject)} ({kind})"
        return join_described(subject.name, kind, parts)

    def ties(self, subject: Subject, chosen: Iterable[Subject]) -> Iterable[str]:
        del subject, chosen  # ties are told in its line
        return ()

    def frame(self) -> str:
        return HEADER

    def whole(self, shown: Sequence[Shown]) -> str:
        return known_entities([each.line for each in shown])


class Sections:
    """`- **Alice**: runs Project Atlas` under `### People`, in `<entity_memory>`."""

    most = A_SECTION

    def section(self, subject: Subject) -> str:
        return f"### {lead(subject.section or subject.kind.replace('_', ' ').title()) or 'Other'}"

    def parts(self, subject: Subject) -> Sequence[str]:
        said = part(subject.description).removesuffix(".")
        new = [each for each in map(part, subject.statements) if not _says(said, each)]
        told = [each.removeprefix("value ") for each in ([said] if said else []) + new]
        return [each if "\n" in each else _STARS.sub("*", each) for each in told]

    def line(self, subject: Subject, parts: Sequence[str]) -> str:
        name = f"- **{_STARS.sub('*', _name(subject)) or '?'}**"
        mark = ", ".join(
            item(part) for part in (subject.whose, subject.space, subject.scope) if part
        )
        name = f"{name} ({mark})" if mark else name
        return f"{name}: {'; '.join(parts)}" if parts else name

    def ties(self, subject: Subject, chosen: Iterable[Subject]) -> Iterable[str]:
        del subject, chosen  # ties are told in its line
        return ()

    def frame(self) -> str:
        return "<entity_memory>\n</entity_memory>"

    def whole(self, shown: Sequence[Shown]) -> str:
        if not shown:
            return ""
        groups: dict[str, list[str]] = {}
        for each in sorted(shown, key=lambda each: _rank(each.subject.kind)):
            groups.setdefault(self.section(each.subject), []).append(each.line)
        texts = ["\n".join(["", heading, *lines]) for heading, lines in groups.items()]
        return "\n".join(["<entity_memory>", *texts, "</entity_memory>"])


class SemanticMemory:
    """`- person:alice (engineer)` and `- alice --runs--> project_atlas` under `## Semantic
    Memory`.
    """

    most = ALL

    def __init__(self, subjects: Sequence[Subject]) -> None:
        self._ids: dict[str, str] = {}
        taken: set[str] = set()
        for subject in subjects:
            name = _slug(subject.name) or "unnamed"
            number = 2
            unique = name
            while unique in taken:
                unique, number = f"{name}_{number}", number + 1
            taken.add(unique)
            self._ids[subject.key] = unique

    def section(self, subject: Subject) -> str:
        del subject  # one list
        return ""

    def parts(self, subject: Subject) -> Sequence[str]:
        name = _name(subject) if subject.kind == RULE else inline(subject.name)
        told = (
            ""
            if name.casefold().replace("_", " ") == self._ids[subject.key].replace("_", " ")
            else name
        )
        said = [
            told,
            subject.whose and f"of {subject.whose}",
            subject.space and f"of {subject.space}",
            subject.scope,
            subject.description.strip().removesuffix("."),
        ]
        if subject.kind == RULE:
            return [each for each in (told, *map(part, said[1:])) if each]
        return [each for each in map(part, [*said, *subject.facts]) if each]

    def line(self, subject: Subject, parts: Sequence[str]) -> str:
        head = f"- {_slug(subject.label) or 'other'}:{self._ids[subject.key]}"
        return f"{head} ({'; '.join(parts)})" if parts else head

    def ties(self, subject: Subject, chosen: Iterable[Subject]) -> Iterable[str]:
        before = list(chosen)
        keys = {each.key for each in before} | {subject.key}
        out = [
            self._tie(each.key, label, other)
            for each in before
            for label, other in each.links
            if other == subject.key
        ]
        out += [
            self._tie(subject.key, label, other) for label, other in subject.links if other in keys
        ]
        return dict.fromkeys(out)

    def _tie(self, one: str, label: str, other: str) -> str:
        return f"- {self._ids[one]} --{_slug(label) or 'related_to'}--> {self._ids[other]}"

    def frame(self) -> str:
        return "## Semantic Memory\n### Entities (999):\n### Relations (999):\n---"

    def whole(self, shown: Sequence[Shown]) -> str:
        if not shown:
            return ""
        ties = [tie for each in shown for tie in each.ties]
        lines = [
            "## Semantic Memory",
            f"### Entities ({len(shown)}):",
            *(each.line for each in shown),
        ]
        if ties:
            lines += [f"### Relations ({len(ties)}):", *ties]
        return "\n".join([*lines, "---"])


def find_form(name: str | FormMaker, subjects: Sequence[Subject]) -> ListingForm:
    """The form of that name (see `ContextFormat`), or by that maker, for these entities."""
    if not isinstance(name, str):
        return made_by(name, subjects)
    if name == "known_entities":
        return KnownEntities()
    return Sections() if name == "entity_memory" else SemanticMemory(subjects)


def _name(subject: Subject) -> str:
    """The name; of a rule, with its code as it was written."""
    return with_code(subject.name) if subject.kind == RULE else lead(subject.name)


def _rank(kind: str) -> int:
    return FIRST_KINDS.index(kind) if kind in FIRST_KINDS else len(FIRST_KINDS)


def _says(text: str, statement: str) -> bool:
    """Whether the text holds the statement as whole words; of the attribute `value`, only what is
    behind it.
    """
    return f" {statement.removeprefix('value ').lower()} " in f" {text.lower()} "


def _slug(text: str) -> str:
    """`Project Atlas` as `project_atlas`: letters, their marks and digits of any script, all else
    as one underscore.
    """
    kept = "".join(
        char if char.isalnum() or unicodedata.category(char)[0] == "M" else " "
        for char in inline(text)
    )
    words = (
        word.lstrip("".join(char for char in word if not char.isalnum()))
        for word in kept.casefold().split()
    )
    return "_".join(word for word in words if word)
