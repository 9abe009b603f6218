"""Context formats of others: a base to write one on, and finding one by its name among the entry
points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import entry_points
from typing import cast

from factbook.errors import ConfigError
from factbook.render.listing import ListingForm, Shown, Subject
from factbook.text.escape import item, lead

PLUGINS = "factbook.contexts"
"""The entry-point group of context formats from other packages: a format's name, and a
`FormMaker`.
"""

FormMaker = Callable[[Sequence[Subject]], ListingForm]
"""Makes the form for one context from the entities that may enter it, best first; a `ContextForm`
subclass is one.
"""


class ContextForm:
    """A context format to build upon: whole entities, a line each, between an opening and a closing
    line.

    ::

        class Briefs(ContextForm):
            def line(self, subject, parts):
                return f"* {self.clean(subject.name)}: {'; '.join(parts)}"


        memory.context("who cooks?", format=Briefs)

    What stands in memory is data: `clean` what you show. An opening of `<memory>` keeps a block
    that comes back in a conversation from being learned again.

    Attributes:
        opening, closing: the first and the last line; empty for none. most: entities of one section
            at most.
    """

    opening = "<memory>"
    closing = "</memory>"
    most = 10**9

    def __init__(self, subjects: Sequence[Subject]) -> None:
        self.subjects = subjects

    @staticmethod
    def clean(text: str) -> str:
        """Returns a text on one line, that can forge no line, heading, tag or list."""
        return lead(text)

    def section(self, subject: Subject) -> str:
        """Returns the heading under which it stands; empty for none."""
        del subject
        return ""

    def parts(self, subject: Subject) -> Sequence[str]:
        """Returns what its line may say beyond its name, the most important first; those that don't
        fit are left out.
        """
        said = [
            subject.space,
            subject.scope,
            subject.description.strip().removesuffix("."),
            *subject.statements,
        ]
        return [part for part in map(item, said) if part]

    def line(self, subject: Subject, parts: Sequence[str]) -> str:
        """Returns its line with these parts."""
        name = f"- {self.clean(subject.name) or '?'} ({self.clean(subject.label) or 'other'})"
        return f"{name}: {'; '.join(parts)}" if parts else name

    def ties(self, subject: Subject, chosen: Iterable[Subject]) -> Iterable[str]:
        """Returns lines of its ties with those chosen before it."""
        del subject, chosen
        return ()

    def frame(self) -> str:
        """Returns what the block costs before anything stands in it."""
        return "\n".join(filter(None, [self.opening, self.closing]))

    def whole(self, shown: Sequence[Shown]) -> str:
        """Returns the block; empty for none."""
        if not shown:
            return ""
        groups: dict[str, list[str]] = {}
        for each in shown:
            groups.setdefault(self.section(each.subject), []).append(each.text)
        lines = [line for heading, texts in groups.items() for line in (heading, *texts)]
        return "\n".join(filter(None, [self.opening, *lines, self.closing]))


def plug_ins() -> list[str]:
    """The names of the formats that other packages bring."""
    return sorted({point.name for point in entry_points(group=PLUGINS)})


def load_form(name: str) -> FormMaker:
    """The format of that name, from another package.

    Raises:
        ConfigError: there is none, or it can't be loaded.
    """
    points = {point.name: point for point in entry_points(group=PLUGINS)}
    if name not in points:
        raise ConfigError(f"there is no context format named {name[:40]!r}")
    point = points[name]
    try:
        made = point.load()
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"the context format {name!r} ({point.value}) can't be loaded: {error}"
        ) from error
    if not callable(made):
        raise ConfigError(
            f"the context format {name!r} ({point.value}) can't be called with entities"
        )
    return cast(FormMaker, made)


def made_by(maker: FormMaker, subjects: Sequence[Subject]) -> ListingForm:
    """The form that a maker gives for these entities.

    Raises:
        ConfigError: what it gives is none.
    """
    made = maker(subjects)
    if not isinstance(made, ListingForm):  # pyright: ignore[reportUnnecessaryIsInstance] - another package made it
        raise ConfigError(
            "a context format has most, section, parts, line, ties, frame and whole; "
            f"{made!r:.60} has not"
        )
    return made
