"""Commands about who is one: what waits for a decision, and the search for duplicates."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from factbook.cli import completing, say
from factbook.cli.changing import report_receipt
from factbook.cli.options import Db, Json, Reason, Space, open_memory
from factbook.views.short_ids import shorten_id

if TYPE_CHECKING:
    from rich.text import Text

    from factbook.memory.memory import Memory
    from factbook.model.duplicate import Deduped, Duplicate, Party

_SHOWN = 50
"""So many pairs are printed; JSON has all."""


def review_names(
    which: Annotated[
        str | None,
        typer.Argument(
            metavar="ID", help="The review to decide, or its id's beginning; without it: show all."
        ),
    ] = None,
    same: Annotated[
        bool | None, typer.Option("--same/--different", help="The two are one, or never will be.")
    ] = None,
    reason: Reason = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Names that may be one and wait for your word; decide with --same or --different."""
    with open_memory(db, space) as memory:
        if which is None:
            _show_doubts(memory, json=json)
            return
        if same is None:
            raise typer.BadParameter("say --same or --different")
        receipt = memory.decide(which, same=same, reason=reason)
    report_receipt(
        receipt, "They are one." if same else "They are two, and shall stay two.", json=json
    )


def dedupe_space(
    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help="Only entities of it; may be given again.",
            autocompletion=completing.complete_kinds,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be merged or asked.")
    ] = False,
    reason: Reason = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Look for entities that are one: merges the sure ones, puts the doubtful up for review."""
    with open_memory(db, space) as memory, _show_progress(json=json) as progress:
        found = memory.dedupe(kinds=kind or (), dry_run=dry_run, reason=reason, progress=progress)
    if json:
        say.as_json(found)
    else:
        _show_deduped(found, dry_run=dry_run)


@contextmanager
def _show_progress(*, json: bool) -> Generator[Callable[[int, int], None]]:
    """A progress bar of pairs on a terminal; gone when it is done."""
    out = say.make_console(errors=True)
    if json or not out.is_terminal:
        yield lambda _, __: None
        return
    from rich.progress import Progress

    with Progress(console=out, transient=True) as bar:
        task = bar.add_task("Comparing", total=None)
        yield lambda at, total: bar.update(task, completed=at, total=max(1, total))


def _show_deduped(found: Deduped, *, dry_run: bool) -> None:
    pairs = [*(each for each, _ in found.merged), *found.asked]
    if not pairs:
        say.print_hint("No duplicates.")
        return
    merged = "would be merged" if dry_run else "merged"
    rows = [(each, merged if each.verdict == "merge" else "for review") for each in pairs[:_SHOWN]]
    say.print_drawn(
        say.make_table(
            ("one", "other", "what", "score", "because"),
            [
                (
                    _name_pair(each, left=True),
                    _name_pair(each, left=False),
                    what,
                    f"{each.score:.2f}",
                    _tell_evidence(each.evidence),
                )
                for each, what in rows
            ],
            styles={"one": "bold", "other": "bold", "because": "dim"},
            rest="because",
        )
    )
    if len(pairs) > _SHOWN:
        say.print_hint(f"… and {len(pairs) - _SHOWN} more; all of them with --json")
    if dry_run:
        say.print_hint(
            f"{len(found.merged)} to merge, {len(found.asked)} to ask. To do it: the same without "
            "--dry-run"
        )
    else:
        say.print_hint(
            f"{len(found.merged)} merged, each with a version of its own (factbook history; "
            "factbook undo VERSION)"
        )
        say.print_hint(f"{len(found.asked)} wait for your word: factbook review")


def _name_pair(pair: Duplicate, *, left: bool) -> str:
    name, kind = (pair.left_name, pair.left_kind) if left else (pair.right_name, pair.right_kind)
    return f"{say.clean_output(name)} ({say.clean_output(kind)})"


def _show_doubts(memory: Memory, *, json: bool) -> None:
    doubts = memory.doubts()
    if json:
        say.as_json(doubts)
        return
    if not doubts:
        say.print_hint("Nothing waits for review.")
        return
    short = shorten_id(each.id for each in doubts)
    rows: list[tuple[str, Text | str]] = []
    for each in doubts:
        evidence = (f"{each.score:.2f}  {_tell_evidence(each.evidence)}", "dim")
        rows.append((short[each.id], _describe_party(each.left)))
        rows.append(("", _describe_party(each.right)))
        rows.append(("", say.style_line(evidence)))
    say.print_drawn(
        say.make_table(
            ("id", "one or two"),
            rows,
            styles={"id": "cyan"},
            rest="one or two",
            wrap=True,
            heading=False,
        )
    )
    say.print_hint("To decide: factbook review ID --same, or --different")
    say.print_hint("To take it back: factbook unmerge ONE OTHER, or factbook undo VERSION")


def _describe_party(party: Party) -> str:
    """The name and kind, other names, and what is known: `Robert Fuller (person, also Bob; city:
    Porto)`.
    """
    also = f", also {', '.join(map(say.clean_output, party.names))}" if party.names else ""
    said = f"; {'; '.join(map(say.clean_output, party.said))}" if party.said else ""
    return f"{say.clean_output(party.name)} ({say.clean_output(party.kind)}{also}{said})"


def _tell_evidence(evidence: tuple[str, ...]) -> str:
    return "; ".join(map(say.clean_output, evidence))
