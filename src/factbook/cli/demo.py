"""`factbook demo`: the main job on a real conversation, in one look."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factbook.memory.memory import Memory
from factbook.model.episode import Message
from factbook.model.line import Recollection
from factbook.model.record import Fact, Relation
from factbook.text.transcripts import as_message

if TYPE_CHECKING:
    from rich.console import Console

SPACE = "demo"
QUESTIONS = (
    "who leads Project Atlas, and until when must it be done?",
    "where does Priya live?",
    "what do we do about the nightly export?",
)
BUDGET = 160
MOST_ROWS = 14


def conversation() -> Iterator[tuple[str, list[Message]]]:
    """The shipped conversation: sessions with their messages, in order."""
    sessions: dict[str, list[Message]] = {}
    text = files("factbook.cli").joinpath("demo_conversation.jsonl").read_text(encoding="utf-8")
    for line in text.splitlines():
        row: dict[str, Any] = json.loads(line)
        sessions.setdefault(row["session"], []).append(as_message(row))
    yield from sessions.items()


def run(console: Console, database: Path) -> None:
    """Learns the conversation into the database, and shows what the memory makes of it."""
    with Memory.open(database, background=False) as opened:
        memory = opened.within(SPACE)
        console.rule("[bold]1. A conversation is remembered", align="left")
        _learn(console, memory)
        console.rule("[bold]2. Who and what was found", align="left")
        _entities(console, memory)
        _relations(console, memory)
        console.rule("[bold]3. What a question gets, within a budget", align="left")
        for question in QUESTIONS:
            show_recollection(console, memory.recall(question, BUDGET))
        console.rule("[bold]4. A value that changed", align="left")
        _course(console, memory)
        console.rule("[bold]5. Where it lies, and what to try next", align="left")
        _next(console, database)


def _learn(console: Console, memory: Memory) -> None:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    stored = 0
    for session, messages in conversation():
        stored += memory.remember(messages, session=session).stored
    console.print(f"{stored} messages over four months are on the disk, and can be recalled as text already.")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("Learning", total=None)
        learned = memory.wait(progress=lambda done, total: progress.update(task, completed=done, total=total))
    found = [sum(getattr(each, name) for each in learned) for name in ("entities", "facts", "relations")]
    console.print("[bold]{} entities · {} facts · {} relations[/]".format(*found))
    failed = [job for job in memory.jobs() if job.error]
    if failed:
        console.print(f"[yellow]{len(failed)} jobs could not be learned: {failed[0].error}[/]")


def _entities(console: Console, memory: Memory) -> None:
    from rich.table import Table

    table = Table("entity", "kind", "said", "known", box=None, header_style="dim", pad_edge=False)
    entities = sorted(memory.entities(), key=lambda each: -each.mentions)
    for entity in entities[:MOST_ROWS]:
        known = "; ".join(f"{name} {value}" for name, value in entity.attributes.items())
        table.add_row(f"[bold]{entity.name}[/]", entity.entity_type, str(entity.mentions), known)
    console.print(table)
    if len(entities) > MOST_ROWS:
        console.print(f"[dim]… and {len(entities) - MOST_ROWS} more[/]")


def _relations(console: Console, memory: Memory) -> None:
    from rich.table import Table

    table = Table("from", "relation", "to", "", box=None, header_style="dim", pad_edge=False)
    links = memory.relations()
    for link in links[:MOST_ROWS]:
        ended = link.relation.invalid_at
        when = f"until {ended:%Y-%m-%d}" if link.state == "superseded" and ended else link.state
        now = link.state == "current"
        ends = [{"self": "you"}.get(name, name) for name in (link.from_name, link.to_name)]
        table.add_row(ends[0], f"[cyan]{link.label}[/]", ends[1], "" if now else f"[dim]{when}[/]")
    console.print()
    console.print(table)
    if len(links) > MOST_ROWS:
        console.print(f"[dim]… and {len(links) - MOST_ROWS} more[/]")


def show_recollection(console: Console, found: Recollection) -> None:
    """A question, the block that an agent would get, and why each line is in it."""
    from rich.markup import escape
    from rich.table import Table

    console.print(f"\n[bold]? {escape(found.question)}[/]")
    console.print(escape(found.text), style="green", highlight=False)
    table = Table(box=None, show_header=False, pad_edge=False)
    for line in found.lines:
        table.add_row(f"[dim]{line.score:.2f}[/]", escape(line.text), f"[dim]{line.because}[/]")
    console.print(table)
    console.print(
        f"[dim]{found.tokens} of {found.budget} tokens · {len(found.lines)} of {found.candidates} candidates"
        f" · {found.ms:.0f} ms · no model call[/]"
    )


def _course(console: Console, memory: Memory) -> None:
    changed = [
        entity
        for entity in memory.entities()
        if any(fact.state == "superseded" for fact in entity.facts)
        or any(link.state == "superseded" and link.from_id == entity.id for link in entity.links)
    ]
    if not changed:
        console.print("Nothing changed its value.")
    for entity in changed[:3]:
        console.print(f"[bold]{entity.name}[/] ({entity.entity_type})")
        rows: list[tuple[str, str, Fact | Relation, str]] = [
            (fact.attribute, fact.value, fact.fact, fact.state) for fact in entity.facts
        ]
        rows += [
            (link.label, link.to_name, link.relation, link.state) for link in entity.links if link.from_id == entity.id
        ]
        moved = {name for name, _, _, state in rows if state == "superseded"}
        for name, value, row, state in sorted(rows, key=lambda each: (each[0], each[3])):
            if name not in moved:
                continue
            style = "green" if state == "current" else "dim"
            until = f" until {row.invalid_at:%Y-%m-%d}" if row.invalid_at else ""
            said = f"“{row.source.quote}”" if row.source.quote else ""
            console.print(f"  [{style}]{name.replace('_', ' '):<10} {value}{until}[/]  [dim]{said}[/]", highlight=False)


def _next(console: Console, database: Path) -> None:
    console.print(f"One file: [bold]{database}[/]\n")
    here = f"--db {database} --space {SPACE}"
    for command, what in (
        (f'factbook recall "who knows Priya?" {here} --explain', "ask something, and see why"),
        (f'factbook show "Project Atlas" {here}', "all that is known of one entity"),
        (f'factbook history "Priya Raman" {here}', "every change, with the words it rests on"),
        (f'factbook merge "Lena" "Lena Okafor" {here}', "say that two are one; factbook undo takes it back"),
        ("factbook remember chat.jsonl", "a conversation of your own"),
    ):
        console.print(f"  {command}", style="cyan", highlight=False, soft_wrap=True)
        console.print(f"      [dim]{what}[/]")
