"""Commands that ask what is known: show, list, relations."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from factbook.cli import completing, say
from factbook.cli.options import AsOf, Db, Json, Name, RecordedAsOf, Space, open_memory
from factbook.learn.clock import utc_now
from factbook.model.codec import to_json_full
from factbook.model.relations import is_symmetric
from factbook.model.source import NEVER

if TYPE_CHECKING:
    from rich.text import Text

    from factbook.model.entity import Entity, Link, StatedFact
    from factbook.model.profile import ProfileLine
    from factbook.model.record import Fact, Relation
    from factbook.model.source import Source

Limit = Annotated[int, typer.Option("--limit", min=1, metavar="NUMBER", help="At most so many.")]

MOST_OVER = 6
"""Facts and relations that hold no longer, the latest; the history has all of them."""
_STATES = {"superseded": "dim", "retracted": "dim strike"}


def show_entity(
    name: Name,
    budget: Annotated[
        int,
        typer.Option("--budget", min=1, metavar="TOKENS", help="What is told never costs more."),
    ] = 500,
    as_of: AsOf = None,
    recorded_as_of: RecordedAsOf = None,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Tells who or what one entity is: what holds and held once, since when and who said so, and what
    else is most worth knowing, by sort and date.
    """
    with open_memory(db, space) as memory:
        entity = memory.get(name, as_of=as_of, recorded_as_of=recorded_as_of)
        past = as_of is not None or recorded_as_of is not None
        lines = [] if past else memory.profile_lines(entity.id, budget=budget)
        now = utc_now()
    if json:
        say.as_json({**to_json_full(entity), "profile": to_json_full(lines)})
        return
    also = f" · also: {', '.join(map(say.clean_output, entity.aliases))}" if entity.aliases else ""
    seen = f", last {say.show_age(entity.last_seen, now)}" if entity.last_seen else ""
    head = say.style_line(
        (say.clean_output(entity.name), "bold"),
        f" · {say.clean_output(entity.entity_type)}{also} · "
        f"{say.count_noun(entity.mentions, 'mention')}{seen}",
    )
    say.print_whole(head, (f"id {entity.id}", "dim"), " · ")
    if entity.description:
        say.print_line(f"  {say.clean_output(entity.description)}")
    shown = _as_held(entity) if as_of else entity
    if not past:
        shown = _as_told(entity, {key for line in lines if not line.sort for key in line.ids})
    _print_statements(shown)
    _print_worth_knowing(lines)


def _print_statements(entity: Entity) -> None:
    rows = [*_fact_rows(entity), *_link_rows(entity)]
    if rows:
        say.print_drawn(
            say.make_table(
                ("", "attribute", "value", "when", "source"),
                rows,
                heading=False,
                rest="source",
                wrap=True,
            )
        )


def _print_worth_knowing(lines: Sequence[ProfileLine]) -> None:
    """A table of observations and of what happened, each sort named once."""
    rows: list[Sequence[str | Text]] = []
    last = ""
    for line in lines:
        if line.sort:
            note = ", ".join(part for part in (line.note, line.when) if part)
            words = say.style_line(
                say.clean_output(line.words), (f"  {say.clean_output(note)}" if note else "", "dim")
            )
            sort = "" if line.sort == last else line.sort
            rows.append(("", sort, say.style_line((line.said, "dim")), words))
            last = line.sort
    if rows:
        say.print_line("")
        columns = ("", "sort", "said", "words")
        say.print_drawn(say.make_table(columns, rows, heading=False, rest="words", wrap=True))


def _as_held(entity: Entity) -> Entity:
    """The entity with nothing but what is current: of a time that is asked about, what comes later
    is no part.
    """
    return replace(
        entity,
        facts=tuple(each for each in entity.facts if each.state == "current"),
        links=tuple(each for each in entity.links if each.state == "current"),
    )


def _as_told(entity: Entity, told: Container[str]) -> Entity:
    """The entity with what its profile tells as holding, and the latest of what holds no longer."""
    over: list[Fact | Relation] = [each.fact for each in entity.facts if each.state in _STATES]
    over += [each.relation for each in entity.links if each.state in _STATES]
    latest = sorted(over, key=lambda row: row.invalid_at or row.said_at, reverse=True)
    kept = {row.id for row in latest[:MOST_OVER]}

    def still_counts(state: str, row: Fact | Relation) -> bool:
        return row.id in kept if state in _STATES else state != "current" or row.id in told

    return replace(
        entity,
        facts=tuple(each for each in entity.facts if still_counts(each.state, each.fact)),
        links=tuple(each for each in entity.links if still_counts(each.state, each.relation)),
    )


def _fact_rows(entity: Entity) -> list[Sequence[str | Text]]:
    rows: list[Sequence[str | Text]] = []
    clashing = {conflict.attribute: conflict for conflict in entity.conflicts}
    for conflict in entity.conflicts:
        days = {say.show_day(source.said_at) for _, source in conflict.claims}
        rows.append(
            (
                "",
                words_of(conflict.attribute),
                " / ".join(map(say.clean_output, conflict.values)),
                say.style_line(("CONFLICT", "bold red")),
                f"{say.count_noun(len(conflict.values), 'statement')}{', same day' if len(days) == 1 else ''}",
            )
        )
    shown = ""
    for stated in sorted(entity.facts, key=lambda each: (each.attribute, each.state != "current")):
        if (stated.attribute in clashing and stated.state == "current") or _is_correction(
            stated.fact
        ):
            continue
        label = "" if stated.attribute == shown else words_of(stated.attribute)
        shown = stated.attribute
        rows.append(_stated_row(label, stated))
    return rows


def _stated_row(label: str, stated: StatedFact) -> Sequence[str | Text]:
    style = _STATES.get(stated.state, "")
    times = f" ×{stated.count}" if stated.count > 1 else ""
    return (
        "",
        label,
        say.style_line((say.clean_output(stated.value), style)),
        say.style_line((f"{_show_times(stated.fact, stated.state)}{times}", "dim")),
        source_text(stated.source),
    )


def _link_rows(entity: Entity) -> list[Sequence[str | Text]]:
    rows: list[Sequence[str | Text]] = []
    disputed = {row.id for conflict in entity.conflicts for row in conflict.relations}
    groups: dict[str, list[tuple[str, Link]]] = {}
    for link in entity.links:
        if link.relation.id in disputed or _is_correction(link.relation):
            continue
        outgoing = link.from_id == entity.id
        label, other = words_of(link.label), link.to_name if outgoing else link.from_name
        if not outgoing and not is_symmetric(link.label):
            label = f"← {label}"
        groups.setdefault(label, []).append((other, link))
    for label, group in groups.items():
        for place, (other, link) in enumerate(group):
            rows.append(
                (
                    "",
                    "" if place else label,
                    say.style_line((say.show_name(other), _STATES.get(link.state, ""))),
                    say.style_line((_show_times(link.relation, link.state), "dim")),
                    source_text(link.relation.source),
                )
            )
    return rows


def _show_times(row: Fact | Relation, state: str) -> str:
    return "retracted" if state == "retracted" else say.show_span(row)


def _is_correction(row: Fact | Relation) -> bool:
    """Whether it only says that a value was never so: the value itself is shown as retracted."""
    return row.invalid_at == NEVER


def source_text(source: Source) -> Text:
    """`Ada: “Priya will own the migration”`, or who made it by hand."""
    if not source.quote:
        return say.style_line(
            ("by hand" if source.standing == "note" else say.show_name(source.speaker), "dim")
        )
    speaker = (
        say.show_name(source.speaker)
        if source.standing == "user"
        else source.speaker or source.standing
    )
    return say.style_line(
        (f"{say.clean_output(speaker)}: “{say.clean_output(source.quote)}”", "dim")
    )


def words_of(label: str) -> str:
    """A label as words."""
    return say.clean_output(label.replace("_", " "))


def list_known(
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="Only this kind: person, …",
            autocompletion=completing.complete_kinds,
        ),
    ] = None,
    limit: Limit = 50,
    as_of: AsOf = None,
    recorded_as_of: RecordedAsOf = None,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """List the people, projects and other things that are known, last seen first."""
    with open_memory(db, space) as memory:
        entities = memory.entities(
            kinds=kind or (), limit=limit + 1, as_of=as_of, recorded_as_of=recorded_as_of
        )
        whole = (
            memory.count_entities(kind or ())
            if len(entities) > limit and not (as_of or recorded_as_of)
            else 0
        )
        now = utc_now()
    if json:
        say.as_json(entities[:limit])
        return
    if not entities:
        say.print_hint("Nothing is known yet." if not kind else "Nothing of that kind is known.")
        return
    print_entities(
        entities[:limit],
        [say.show_age(each.last_seen, now) if each.last_seen else "" for each in entities],
    )
    if len(entities) > limit:
        say.print_hint(
            f"{limit:,} of {whole:,}; --limit {whole} shows all."
            if whole
            else "… and more; --limit shows them."
        )


def print_entities(entities: Sequence[Entity], seen: Sequence[str]) -> None:
    """A table of entities with what is known of each in a few words."""
    rows = [
        (
            say.clean_output(each.name),
            say.clean_output(each.entity_type),
            f"{each.mentions}",
            when,
            _show_attributes(each),
        )
        for each, when in zip(entities, seen, strict=False)
    ]
    say.print_drawn(
        say.make_table(
            ("name", "kind", "mentions", "last seen", "known"),
            rows,
            styles={"name": "bold", "known": "dim"},
            right=("mentions",),
            rest="known",
        )
    )


def _show_attributes(entity: Entity) -> str:
    return "; ".join(
        f"{words_of(name)} {say.clean_output(value)}" for name, value in entity.attributes.items()
    )


def list_relations(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Only those of this entity.",
            autocompletion=completing.complete_names,
        ),
    ] = None,
    hops: Annotated[
        int, typer.Option("--hops", min=1, max=3, help="With a name: so far from it, 1 to 3.")
    ] = 1,
    superseded: Annotated[bool, typer.Option("--superseded", help="Also what held once.")] = False,
    as_of: AsOf = None,
    recorded_as_of: RecordedAsOf = None,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """List relations between known things, since when, and who said so."""
    with open_memory(db, space) as memory:
        far = name is not None and hops > 1
        links = (
            memory.neighbours(
                name or "", hops, superseded=superseded, as_of=as_of, recorded_as_of=recorded_as_of
            )
            if far
            else memory.relations(name, as_of=as_of, recorded_as_of=recorded_as_of)
        )
    shown = {"current"} if as_of else {"current", "upcoming"}
    if not superseded:
        links = [link for link in links if link.state in shown]
    if json:
        say.as_json(links)
    elif links:
        print_links(links)
    else:
        say.print_hint(
            "No relation is known."
            if name is None
            else f"No relation of {say.clean_output(name)} is known."
        )


def print_links(links: Sequence[Link]) -> None:
    """A table of relations with who said so."""
    rows = [
        (
            say.show_name(link.from_name),
            words_of(link.label),
            say.show_name(link.to_name),
            say.style_line((say.show_span(link.relation), "dim")),
            source_text(link.relation.source),
        )
        for link in links
    ]
    say.print_drawn(
        say.make_table(
            ("from", "relation", "to", "when", "source"),
            rows,
            styles={"from": "bold", "relation": "cyan", "to": "bold"},
            rest="source",
        )
    )
