"""Commands that write by hand, decide and take back."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from factbook.cli import completing, say
from factbook.cli.history_and_conflicts import print_entry
from factbook.cli.options import (
    Db,
    Json,
    Name,
    Project,
    Reason,
    Redact,
    Session,
    Space,
    open_memory,
    read_moment,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from factbook.memory.history import HistoryEntry, UndoPlan
    from factbook.model.receipt import Receipt

Other = Annotated[
    str,
    typer.Argument(
        metavar="OTHER", help="The other one.", autocompletion=completing.complete_names
    ),
]
Importance = Annotated[
    float,
    typer.Option("--importance", metavar="0-1", min=0.0, max=1.0, help="How much it matters."),
]


def report_receipt(receipt: Receipt, sentence: str, *, json: bool) -> None:
    if json:
        say.as_json(receipt)
    elif not receipt.versions:
        say.print_line("Nothing to change: it was so already.")
    else:
        version = receipt.versions[-1]
        say.print_line(
            sentence, (f" Version {version}; to take it back: factbook undo {version}", "dim")
        )


def _read_pair(written: str) -> tuple[str, str]:
    name, separator, value = written.partition("=")
    if not (separator and name.strip() and value.strip()):
        raise typer.BadParameter(f"{written!r} is not of the form attribute=value")
    return name.strip(), value.strip()


def put_entity(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="Its name; a known one is written again.",
            autocompletion=completing.complete_names,
        ),
    ],
    kind: Annotated[
        str,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="person, organization, place, project, … or one of your own.",
            autocompletion=completing.complete_kinds,
        ),
    ] = "",
    sets: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="ATTRIBUTE=VALUE", help="What is so; may be given again."),
    ] = None,
    alias: Annotated[
        list[str] | None,
        typer.Option("--alias", metavar="NAME", help="Another name; may be given again."),
    ] = None,
    ids: Annotated[
        list[str] | None,
        typer.Option(
            "--host-id",
            metavar="NAMESPACE=ID",
            help="Its id in your system: crm=111; may be given again.",
        ),
    ] = None,
    description: Annotated[
        str, typer.Option("--description", metavar="TEXT", help="A sentence about it.")
    ] = "",
    importance: Importance = 0.5,
    reason: Reason = "",
    session: Session = "",
    project: Project = "",
    redact: Redact = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Write down an entity with its attributes; the values before stay in its history."""
    from factbook.model.entity import Entity

    attributes = dict(map(_read_pair, sets or ()))
    with open_memory(db, space, new=True, redact=redact) as memory:
        known = memory.find(name) if not kind else None
        entity = Entity(
            name,
            kind or (known.entity_type if known else "other"),
            attributes,
            aliases=list(alias or ()),
            ids=dict(map(_read_pair, ids or ())),
            description=description,
            importance=importance,
        )
        receipt = memory.put(entity, session=session, project=project, reason=reason)
    report_receipt(receipt, f"{say.clean_output(name)} is written down.", json=json)


def relate_entities(
    name: Name,
    label: Annotated[
        str, typer.Argument(metavar="RELATION", help="A verb: leads, works_at, part_of.")
    ],
    other: Other,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="A word about it.")] = "",
    since: Annotated[
        datetime | None,
        typer.Option("--since", parser=read_moment, metavar="DATE", help="Since when it holds."),
    ] = None,
    session: Session = "",
    project: Project = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Link two known entities."""
    with open_memory(db, space) as memory:
        receipt = memory.relate(
            name, label, other, note=note, valid_at=since, session=session, project=project
        )
    report_receipt(
        receipt,
        f"{say.clean_output(name)} {say.clean_output(label.replace('_', ' '))} "
        f"{say.clean_output(other)}.",
        json=json,
    )


def end_statement(
    name: Name,
    attribute: Annotated[
        str,
        typer.Argument(
            metavar="ATTRIBUTE", help="What holds no longer, with all its values; or --relation."
        ),
    ] = "",
    value: Annotated[
        str, typer.Option("--value", metavar="VALUE", help="Only this value of the attribute.")
    ] = "",
    relation: Annotated[
        str, typer.Option("--relation", metavar="RELATION", help="A relation ends: works_at.")
    ] = "",
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="NAME",
            help="Only the relation with this one.",
            autocompletion=completing.complete_names,
        ),
    ] = "",
    at: Annotated[
        str | None, typer.Option("--at", metavar="DATE", help="When it ended; without it, now.")
    ] = None,
    reason: Reason = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Say that something holds no longer; it stays in the history."""
    with open_memory(db, space) as memory:
        receipt = memory.end(
            name, attribute=attribute, value=value, relation=relation, to=to, at=at, reason=reason
        )
    what = say.clean_output((relation or attribute).replace("_", " "))
    report_receipt(receipt, f"{say.clean_output(name)}, {what}: holds no longer.", json=json)


def rename_entity(
    name: Name,
    new: Annotated[str, typer.Argument(metavar="NEW", help="What it is called from now on.")],
    reason: Reason = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Give an entity another name; the one before stays as an alias."""
    with open_memory(db, space) as memory:
        receipt = memory.rename(name, new, reason=reason)
    report_receipt(
        receipt, f"{say.clean_output(name)} is called {say.clean_output(new)}.", json=json
    )


def note_text(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to remember, in your words.")],
    category: Annotated[
        str, typer.Option("--category", metavar="NAME", help="preference, decision, todo, …")
    ] = "general",
    about: Annotated[
        list[str] | None,
        typer.Option(
            "--about",
            metavar="NAME",
            help="Whom or what it is about.",
            autocompletion=completing.complete_names,
        ),
    ] = None,
    importance: Importance = 0.5,
    persistent: Annotated[bool, typer.Option("--persistent", help="Never pruned.")] = False,
    expires: Annotated[
        datetime | None,
        typer.Option(
            "--expires", parser=read_moment, metavar="DATE", help="Hidden from recall after that."
        ),
    ] = None,
    session: Session = "",
    project: Project = "",
    redact: Redact = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Keep a note, linked to the known names in it."""
    with open_memory(db, space, new=True, redact=redact) as memory:
        receipt = memory.note(
            text,
            category=category,
            importance=importance,
            persistent=persistent,
            expires_at=expires,
            about=about or (),
            session=session,
            project=project,
        )
    report_receipt(receipt, "Noted.", json=json)


def merge_entities(
    name: Name,
    other: Other,
    reason: Reason = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Say that two entities are one; nothing is lost, and unmerge takes them apart again."""
    with open_memory(db, space) as memory:
        receipt = memory.merge(name, other, reason=reason)
    report_receipt(
        receipt, f"{say.clean_output(name)} and {say.clean_output(other)} are one.", json=json
    )


def unmerge_entities(
    name: Name,
    other: Other,
    reason: Reason = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Say that two entities that were merged are two, and shall stay two."""
    with open_memory(db, space) as memory:
        receipt = memory.unmerge(name, other, reason=reason)
    report_receipt(
        receipt, f"{say.clean_output(name)} and {say.clean_output(other)} are two.", json=json
    )


def undo_change(
    version: Annotated[
        int | None,
        typer.Argument(
            min=1, metavar="VERSION", help="From the history; without it the latest change."
        ),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(
            "--since", metavar="DATE", help="All that was changed then or later: 2026-03-02."
        ),
    ] = None,
    cascade: Annotated[
        bool, typer.Option("--cascade", help="Also the later changes that rest on it.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only list what would be taken back.")
    ] = False,
    reason: Reason = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Take a change back, or all since a time; the undoing is itself a change that can be taken
    back.
    """
    with open_memory(db, space) as memory:
        if dry_run:
            _report_plan(memory.foresee_undo(version, since=since), json=json)
            return
        receipt = memory.undo(version, since=since, cascade=cascade, reason=reason)
    report_receipt(receipt, "Taken back.", json=json)


def _pack_entries(entries: Sequence[HistoryEntry]) -> list[dict[str, object]]:
    return [
        {"version": each.version, "lines": each.lines, "quotes": each.quotes} for each in entries
    ]


def _report_plan(plan: UndoPlan, *, json: bool) -> None:
    if json:
        say.as_json(
            {"entries": _pack_entries(plan.entries), "resting": _pack_entries(plan.resting)}
        )
        return
    say.print_line("Would be taken back:")
    for entry in plan.entries:
        print_entry(entry)
    if plan.resting:
        say.print_line("What rests on it, and goes along with --cascade alone:")
    for entry in plan.resting:
        print_entry(entry)
