"""The commands, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from factbook.cli import (
    asking,
    changing,
    checking,
    courses,
    demo,
    doubting,
    exchanging,
    learning,
    looking,
    recalling,
)
from factbook.cli.say import complain
from factbook.errors import FactbookError


class Commands(TyperGroup):
    """The group of all commands: what they raise on purpose becomes one sentence and exit status
    1.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except FactbookError as error:
            complain(str(error))
            raise typer.Exit(1) from error
        except KeyboardInterrupt as error:
            complain("Stopped. What was read is kept; what waits to be learned: factbook work")
            raise typer.Exit(130) from error


app = typer.Typer(
    name="factbook",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with: factbook demo.  Then: factbook remember chat.jsonl; factbook recall 'who leads Atlas?'",
)


def _version(asked: bool) -> None:
    if asked:
        from factbook import __version__

        print(f"factbook {__version__}")
        raise typer.Exit


@app.callback()
def factbook(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Entity memory for AI agents: who and what was talked about, what is known of it, since when,
    and who said so.
    """


_PANELS: Mapping[str, Mapping[str, tuple[Callable[..., None], str]]] = {
    "Begin": {
        "demo": (demo.demo, "factbook demo"),
        "remember": (learning.remember, "factbook remember chat.jsonl --space ada"),
        "doctor": (checking.doctor, "factbook doctor"),
    },
    "Ask": {
        "recall": (
            recalling.recall,
            "factbook recall 'who owns the Atlas migration?' --budget 300 --explain",
        ),
        "context": (recalling.context, "factbook context 'planning the Atlas launch' --budget 500"),
        "whole": (looking.whole, "factbook whole 01JZ3M6Q4T"),
        "show": (asking.show, "factbook show 'priya raman' --as-of 2024-03"),
        "list": (asking.list_entities, "factbook list --kind person"),
        "relations": (asking.relations, "factbook relations 'Project Atlas' --hops 2"),
        "episodes": (looking.episodes, "factbook episodes 'Project Atlas' --limit 3"),
        "trends": (courses.trends, "factbook trends churn --since 2026-01-01"),
        "stats": (checking.stats, "factbook stats"),
    },
    "Write by hand": {
        "put": (
            changing.put,
            "factbook put 'Priya Raman' --kind person --set role='engineering lead'",
        ),
        "relate": (
            changing.relate,
            "factbook relate 'Priya Raman' leads 'Project Atlas' --since 2026-03-02",
        ),
        "end": (
            changing.end,
            "factbook end 'Priya Raman' --relation works_at --to 'Acme Works' --at 2026-03-02",
        ),
        "rename": (changing.rename, "factbook rename 'Project Atlas' 'Project Hermes'"),
        "note": (
            changing.note,
            "factbook note 'Ada wants short answers' --category preference --about Ada",
        ),
        "merge": (
            changing.merge,
            "factbook merge 'Alice' 'A. Liddell' --reason 'same badge number'",
        ),
        "unmerge": (changing.unmerge, "factbook unmerge 'Alice' 'A. Liddell'"),
        "review": (doubting.review, "factbook review k80it15t --same"),
        "dedupe": (doubting.dedupe, "factbook dedupe --dry-run"),
        "conflicts": (looking.conflicts, "factbook conflicts Falcon deadline --keep 2026-07-15"),
    },
    "Look back, take back": {
        "history": (looking.history, "factbook history 'Project Atlas'"),
        "undo": (changing.undo, "factbook undo 12 --dry-run"),
        "forget": (changing.forget, "factbook forget 'Tom Berger' --dry-run"),
    },
    "Move and maintain": {
        "export": (exchanging.export, "factbook export ada.jsonl --space ada"),
        "import": (exchanging.import_, "factbook import ada.jsonl --space ada"),
        "work": (learning.work, "factbook work --retry"),
        "jobs": (learning.jobs, "factbook jobs --state failed"),
    },
}

for _panel, _commands in _PANELS.items():
    for _name, (_function, _example) in _commands.items():
        app.command(_name, rich_help_panel=_panel, epilog=f"Example: {_example}")(_function)
