"""The command that forgets, and lets what was forgotten be told again."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, cast

import typer

from factbook.cli import completing, say
from factbook.cli.options import Db, Json, Reason, Since, Space, Until, open_memory

if TYPE_CHECKING:
    from factbook.memory.forget.wish import OwnWords
    from factbook.model.receipt import Erased


def forget_entity(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="An entity, with all that was said of it.",
            autocompletion=completing.complete_names,
        ),
    ] = None,
    topic: Annotated[
        str | None,
        typer.Option(
            "--topic", metavar="WORDS", help="Whatever holds all of these words, in any form."
        ),
    ] = None,
    session: Annotated[
        str | None, typer.Option("--session", metavar="NAME", help="What was said in it.")
    ] = None,
    project: Annotated[
        str | None, typer.Option("--project", metavar="NAME", help="What was said under it.")
    ] = None,
    since: Since = None,
    until: Until = None,
    ids: Annotated[
        list[str] | None,
        typer.Option("--id", metavar="ID", help="A fact, relation or note; may be given again."),
    ] = None,
    everything: Annotated[bool, typer.Option("--everything", help="The whole space.")] = False,
    also: Annotated[
        list[str] | None,
        typer.Option(
            "--also",
            metavar="ID",
            help="A doubtful sentence or namesake, as listed; may be given again.",
        ),
    ] = None,
    words: Annotated[
        str,
        typer.Option(
            "--words",
            metavar="keep|mask|erase",
            help="What becomes of what they said themselves: kept without the name, masked, or "
            "erased.",
        ),
    ] = "keep",
    lift: Annotated[
        str | None,
        typer.Option(
            "--lift",
            metavar="VERSION|all",
            help="Let what was forgotten then be told again: a version of the history, or all. "
            "Brings nothing back.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")] = False,
    reason: Reason = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Erase for good: the words leave every file of the memory. The one thing that undo can't take
    back.
    """
    if lift is not None:
        _lift_forgetting(lift, reason, json=json, space=space, db=db)
        return
    with open_memory(db, space) as memory:

        def run(*, dry: bool) -> Erased:
            return memory.forget(
                name,
                topic=topic,
                session=session,
                project=project,
                since=since,
                until=until,
                ids=tuple(ids or ()),
                everything=everything,
                also=tuple(also or ()),
                words=cast("OwnWords", words),
                dry_run=dry,
                reason=reason,
            )

        if not (dry_run or yes):
            if not sys.stdin.isatty():
                raise typer.BadParameter(
                    "forgetting is for good: add --yes, or --dry-run to see what would go"
                )
            foreseen = run(dry=True)
            _list_erased(foreseen)
            typer.confirm(
                f"{say.count_sorts(foreseen.counts) or 'Nothing'} will be erased for good. Go on?",
                abort=True,
            )
        erased = run(dry=dry_run)
    if json:
        say.as_json(erased)
        return
    _list_erased(erased)
    say.print_line(
        "Would be erased: " if dry_run else "Erased: ",
        f"{say.count_sorts(erased.counts) or 'nothing'}.",
    )
    for names in erased.reviews:
        say.print_line(
            "  Falls away, to be decided: " if dry_run else "  Fell away, to be decided: ",
            say.clean_output(names),
        )
    asked = [each.id for each in erased.doubtful]
    for each in erased.pending if not dry_run else erased.pending[: len(asked)]:
        say.print_line(("Not erased: ", "bold"), f"{say.clean_output(each)}.")
    if asked:
        say.print_hint(f"To erase those with an id too: --{'also' if dry_run else 'id'} {asked[0]}")
    if erased.version is not None:
        say.print_hint(
            f"Reading it again brings nothing back, until: factbook forget --lift {erased.version}"
        )


def _list_erased(erased: Erased) -> None:
    for each in erased.lines:
        say.print_line(("- ", "dim"), say.clean_output(each))


def _lift_forgetting(which: str, reason: str, *, json: bool, space: str, db: str | None) -> None:
    if which != "all" and not which.isdigit():
        raise typer.BadParameter(f"{which!r} is neither a version of the history nor all")
    with open_memory(db, space) as memory:
        lifted = memory.lift(None if which == "all" else int(which), reason=reason)
    if json:
        say.as_json({"lifted": lifted})
        return
    what = "1 message or name" if lifted == 1 else f"{lifted:,} messages and names"
    say.print_line(f"{what} may be told again." if lifted else "Nothing was forgotten then.")
