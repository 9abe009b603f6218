"""Commands that ask for a prompt: recall, context; and why a line is in the block, or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, cast

import typer

from factbook.cli import completing, say
from factbook.cli.options import (
    AsOf,
    Db,
    Doubt,
    Json,
    Projects,
    Reads,
    RecordedAsOf,
    Sessions,
    Since,
    Space,
    Tokenizer,
    Until,
    open_memory,
)
from factbook.model.line import LINE_KINDS

if TYPE_CHECKING:
    from rich.text import Text

    from factbook.model.line import LineKind
    from factbook.model.recollection import (
        Asked,
        ContextFormat,
        LeftOut,
        RecalledLine,
        Recollection,
    )

Budget = Annotated[
    int, typer.Option("--budget", min=1, metavar="TOKENS", help="The block never costs more.")
]
Explain = Annotated[
    bool,
    typer.Option(
        "--explain",
        help="Show each line's score and what it is made of, what nearly entered and why it did "
        "not.",
    ),
]


def kind_of_line(written: str) -> str:
    """A kind of line as an option gives it."""
    if written not in LINE_KINDS:
        raise typer.BadParameter(f"{written!r} is none of {', '.join(LINE_KINDS)}")
    return written


Kinds = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        parser=kind_of_line,
        metavar="KIND",
        help=f"Only lines of this kind: {', '.join(LINE_KINDS)}; may be given again.",
    ),
]
MinImportance = Annotated[
    float,
    typer.Option(
        "--min-importance", min=0.0, max=1.0, metavar="0–1", help="Only what is so important."
    ),
]
Verified = Annotated[
    bool,
    typer.Option(
        "--verified",
        help="Only what stands above hearsay: people's own words, grounded in them, or made by "
        "hand.",
    ),
]
Superseded = Annotated[bool, typer.Option("--superseded", help="Also what held once.")]

_MOST_PARTS = 3
_WHY: dict[LeftOut, str] = {
    "budget": "Cut by the budget",
    "said": "Said already by a line above",
    "floor": "Below the floor",
    "silence": "Too weak a fit",
    "superseded": "Holds no longer (--superseded brings it in)",
    "filter": "Kept out by a filter",
}


def recall_lines(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="As a person or an agent would ask it.")
    ],
    budget: Budget = 1000,
    explain: Explain = False,
    project: Projects = None,
    session: Sessions = None,
    kind: Kinds = None,
    since: Since = None,
    until: Until = None,
    min_importance: MinImportance = 0.0,
    verified: Verified = False,
    superseded: Superseded = False,
    as_of: AsOf = None,
    recorded_as_of: RecordedAsOf = None,
    reads: Reads = None,
    doubt: Doubt = None,
    tokenizer: Tokenizer = None,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """The lines that matter for a question, as a block for the prompt, within a budget of
    tokens.
    """
    with open_memory(db, space, reads=reads or ()) as memory:
        found = memory.recall(
            question,
            budget,
            project=project or (),
            session=session or (),
            kinds=cast("Sequence[LineKind]", kind or ()),
            since=since,
            until=until,
            min_importance=min_importance,
            verified=verified,
            superseded=superseded,
            as_of=as_of,
            recorded_as_of=recorded_as_of,
            doubt=doubt,
            tokenizer=tokenizer,
            explain=explain,
        )
    _print_recollection(found, explain=explain, json=json)


def show_context(
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="What the prompt will be about.")
    ] = None,
    budget: Budget = 1000,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORM",
            help="memory; or whole entities: entity_memory, known_entities, semantic_memory.",
        ),
    ] = "memory",
    about: Annotated[
        list[str] | None,
        typer.Option(
            "--about",
            metavar="NAME",
            help="Tell the profile of this entity; may be given again.",
            autocompletion=completing.complete_names,
        ),
    ] = None,
    rules: Annotated[
        bool | None,
        typer.Option(
            "--rules/--no-rules",
            help="Begin with the agent's working rules; by default with a project, and without a "
            "question with those made by hand.",
            show_default=False,
        ),
    ] = None,
    explain: Explain = False,
    project: Projects = None,
    session: Sessions = None,
    kind: Kinds = None,
    since: Since = None,
    until: Until = None,
    min_importance: MinImportance = 0.0,
    verified: Verified = False,
    superseded: Superseded = False,
    as_of: AsOf = None,
    recorded_as_of: RecordedAsOf = None,
    reads: Reads = None,
    doubt: Doubt = None,
    tokenizer: Tokenizer = None,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """A block for the prompt: working rules, preferences and pain points, profiles, then what the
    question needs, or what matters most.
    """
    with open_memory(db, space, reads=reads or ()) as memory:
        found = memory.context(
            question,
            budget,
            format=cast("ContextFormat", form),
            about=about or (),
            rules=rules,
            project=project or (),
            session=session or (),
            kinds=cast("Sequence[LineKind]", kind or ()),
            since=since,
            until=until,
            min_importance=min_importance,
            verified=verified,
            superseded=superseded,
            as_of=as_of,
            recorded_as_of=recorded_as_of,
            doubt=doubt,
            tokenizer=tokenizer,
            explain=explain,
        )
    _print_recollection(found, explain=explain, json=json)


def _print_recollection(found: Recollection, *, explain: bool, json: bool) -> None:
    if json:
        say.as_json(found)
    elif explain:
        explain_recollection(found)
    elif found:
        print(say.clean_output(found.text, lines=True))
    else:
        say.print_hint("Nothing that is known fits the question.")


def explain_recollection(found: Recollection, *, near: bool = True) -> None:
    """Each line with its score and what it is made of; what nearly entered, and why it did not;
    what it all cost.
    """
    rows: list[Sequence[str | Text]] = [_line_row(line) for line in found.lines]
    for why, heading in _WHY.items():
        left = [line for line in found.near if near and line.left_out == why]
        if left:
            # With several spaces, each has a floor of its own above the common one.
            below = why == "floor" and all(line.score <= found.floor for line in left)
            floor = f" of {found.floor:.2f}" if below else ""
            rows += [("", "", ""), (say.style_line((f"{heading}{floor}:", "bold")), "", "")]
            rows += [_line_row(line, "dim") for line in left]
    if rows:
        styles = {"because": "dim"}
        table = say.make_table(
            ("line", "score", "because"), rows, styles=styles, heading=False, rest="line", wrap=True
        )
        say.print_drawn(table)
        if near:
            say.print_line("")
    for asked in found.asked if near else ():
        say.print_line((_tell_asked(asked, asked.space if len(found.asked) > 1 else ""), "dim"))
    for each in found.silent:
        say.print_line(
            (f"Nothing in {say.clean_output(each.space)} fits well enough", "bold"),
            f": the best fit is {each.fit:.2f}, and it takes {each.least:.2f}.",
        )
    used = say.style_line((f"{found.tokens} of {found.budget} tokens", "bold"))
    shown = (
        f" · {len(found.lines)} of {say.count_noun(found.candidates, 'candidate')} · "
        f"{found.ms:.0f} ms"
    )
    say.print_line(used.append(shown, "dim"))


def _tell_asked(asked: Asked, space: str) -> str:
    """Tells how a question was understood: `Asked: Alcie = Alice Novak · until 2025-09-20, "the
    wedding" · list`; of several spaces in which: `Asked in team: …`.
    """
    told = [
        each.name if each.said == each.name else f"{each.said} = {each.name}"
        for each in asked.names
    ]
    if asked.time is not None:
        since, until = asked.time.since, asked.time.until
        span = [
            f"since {since:%Y-%m-%d}" if since else "",
            f"until {until:%Y-%m-%d}" if until else "",
        ]
        known_by = f" ({asked.time.known_by})" if asked.time.known_by else ""
        told.append(f'{" ".join(filter(None, span))}, "{asked.time.said}"{known_by}')
    told += [*asked.paths, *(kind.replace("_", " ") for kind in asked.kinds), *asked.attributes]
    told += [asked.shape.replace("_", " ")] if asked.shape != "open" else []
    where = f" in {space}" if space else ""
    return say.clean_output(f"Asked{where}: {' · '.join(told) or 'by its words alone'}")


def _line_row(line: RecalledLine, style: str = "") -> Sequence[str | Text]:
    score = say.style_line((f"{line.score:.2f}", style or "bold cyan"))
    return say.style_line((say.clean_output(line.text), style)), score, _tell_reasons(line)


def _tell_reasons(line: RecalledLine) -> str:
    """Returns the cost of a line that found no room, and its best scoring parts: `name 0.40 · words
    0.27`. As many as the terminal has room for; JSON has them all.
    """
    told = f"{line.tokens} tokens" if line.left_out == "budget" else ""
    for sort, part in list(line.parts.items())[:_MOST_PARTS]:
        longer = f"{told} · {sort} {part:.2f}" if told else f"{sort} {part:.2f}"
        if len(longer) > say.widest_cell():
            break
        told = longer
    return f"{told} · {say.clean_output(line.path)}" if line.path else told
