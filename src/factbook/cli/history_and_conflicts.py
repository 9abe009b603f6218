"""Commands that look at what differs and what changed: conflicts, history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from factbook.cli import completing, say
from factbook.cli.options import AsOf, Db, Json, Reason, RecordedAsOf, Space, open_memory
from factbook.cli.show_and_list import Limit, source_text, words_of

if TYPE_CHECKING:
    from factbook.memory.history import HistoryEntry
    from factbook.model.receipt import Receipt

_MOST_CHANGES = 12
_MOST_QUOTES = 3


def show_conflicts(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Only those of this entity.",
            autocompletion=completing.complete_names,
        ),
    ] = None,
    attribute: Annotated[
        str | None,
        typer.Argument(metavar="ATTRIBUTE", help="To settle: which, if the entity has several."),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            "--keep", metavar="VALUE", help="Settle it: this value holds, the others never did."
        ),
    ] = None,
    reason: Reason = "",
    as_of: AsOf = None,
    recorded_as_of: RecordedAsOf = None,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Show the conflicts that no rule decides; --keep decides one."""
    with open_memory(db, space) as memory:
        if keep is not None:
            if name is None:
                raise typer.BadParameter(
                    "name whose conflict is settled: factbook conflicts NAME --keep VALUE"
                )
            _report_settled(
                memory.settle(name, keep, attribute=attribute or "", reason=reason),
                name,
                keep,
                json=json,
            )
            return
        found = memory.conflicts(as_of=as_of, recorded_as_of=recorded_as_of)
        if name is not None:
            wanted = memory.get(name, recorded_as_of=recorded_as_of).id
            found = [
                each
                for each in found
                if each.entity_id == wanted and attribute in (None, each.attribute)
            ]
    if json:
        say.as_json(found)
        return
    if not found:
        say.print_hint("No conflict.")
        return
    for conflict in found:
        say.print_line(
            (say.clean_output(conflict.entity_name), "bold"), f" · {words_of(conflict.attribute)}"
        )
        rows = [
            ("", say.clean_output(value), say.show_day(source.said_at), source_text(source))
            for value, source in conflict.claims
        ]
        say.print_drawn(
            say.make_table(("", "value", "said", "source"), rows, heading=False, rest="source")
        )
    say.print_hint("To settle one: factbook conflicts NAME ATTRIBUTE --keep VALUE")


def _report_settled(receipt: Receipt, name: str, value: str, *, json: bool) -> None:
    if json:
        say.as_json(receipt)
        return
    version = receipt.versions[-1]
    say.print_line(
        f"Settled: {say.clean_output(name)}, {say.clean_output(value)}.",
        (f" Version {version}; to take it back: factbook undo {version}", "dim"),
    )


def show_whole(
    key: Annotated[
        str,
        typer.Argument(metavar="ID", help="Of a message or note; recall --json shows each line's."),
    ],
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """All the words of a message or note, of which recall shows only the part that the question
    needs.
    """
    with open_memory(db, space) as memory:
        text = memory.whole(key)
    if json:
        say.as_json({"id": key, "text": text})
    else:
        print(say.clean_output(text, lines=True))


def list_episodes(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="Of whom or what.", autocompletion=completing.complete_names
        ),
    ],
    limit: Limit = 20,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """The episodes in which an entity was named, or something of it was learned, the latest
    first.
    """
    with open_memory(db, space) as memory:
        found = memory.episodes(name, limit=limit)
    if json:
        say.as_json(found)
        return
    if not found:
        say.print_hint("It was named in no episode.")
    for episode in found:
        labels = " · ".join(
            say.clean_output(each) for each in (episode.session, episode.project) if each
        )
        say.print_line(
            (say.show_day(episode.messages[0].at), "bold"), f"  {labels}" if labels else ""
        )
        for message in episode.messages:
            say.print_line(
                f"    {say.clean_output(message.speaker or message.role)}: "
                f"{say.clean_output(message.text)}"
            )


def show_history(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Only what concerns this entity.",
            autocompletion=completing.complete_names,
        ),
    ] = None,
    limit: Limit = 20,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """The latest changes, newest first: when, by whom, why, and the words they rest on."""
    with open_memory(db, space) as memory:
        entries = memory.history(name, limit)
    if json:
        say.as_json([_pack_entry(each) for each in entries])
        return
    if not entries:
        say.print_hint("Nothing has changed yet.")
    for entry in entries:
        print_entry(entry)


def _pack_entry(entry: HistoryEntry) -> dict[str, object]:
    from factbook.model.codec import pack_change

    return {
        "version": entry.version,
        "stamp": entry.commit.stamp,
        "erased": entry.commit.erased,
        "lines": entry.lines,
        "quotes": entry.quotes,
        "speakers": entry.speakers,
        "undone": entry.undone,
        "changes": [pack_change(change) for change in entry.commit.changes],
    }


def print_entry(entry: HistoryEntry) -> None:
    stamp = entry.commit.stamp
    undoes = f" of {', '.join(map(str, stamp.undoes))}" if stamp.undoes else ""
    said = f", said by {', '.join(map(say.clean_output, entry.speakers))}" if entry.speakers else ""
    why = f" · {say.clean_output(stamp.reason)}" if stamp.reason else ""
    say.print_line(
        (f"{entry.version}", "bold cyan"),
        f"  {stamp.at:%Y-%m-%d %H:%M}  {say.clean_output(stamp.verb)}{undoes} by "
        f"{say.clean_output(stamp.actor)}{said}{why}",
        (" · undone", "dim") if entry.undone else "",
    )
    for each in entry.lines[:_MOST_CHANGES]:
        say.print_line(f"    {say.clean_output(each)}")
    if len(entry.lines) > _MOST_CHANGES:
        say.print_line((f"    … {len(entry.lines) - _MOST_CHANGES} more", "dim"))
    for quote in entry.quotes[:_MOST_QUOTES]:
        say.print_line((f"    “{say.clean_output(quote)}”", "dim"))
