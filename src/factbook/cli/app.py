"""The commands, put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from factbook.cli import (
    changing,
    checking,
    courses,
    demo,
    doubting,
    exchanging,
    forgetting,
    history_and_conflicts,
    learning,
    recalling,
    show_and_list,
)
from factbook.cli.say import print_error
from factbook.errors import FactbookError


class Commands(TyperGroup):
    """The group of all commands: what they raise on purpose becomes one sentence and exit status
    1.
    """

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except FactbookError as error:
            print_error(str(error))
            raise typer.Exit(1) from error
        except KeyboardInterrupt as error:
            print_error("Stopped. What was read is kept; what waits to be learned: factbook work")
            raise typer.Exit(130) from error


app = typer.Typer(
    name="factbook",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Begin with: factbook demo.  Then: factbook remember chat.jsonl; factbook recall 'who "
    "leads Atlas?'",
)


def _print_version(asked: bool) -> None:
    if asked:
        from factbook import __version__

        print(f"factbook {__version__}")
        raise typer.Exit


@app.callback()
def run_factbook(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Entity memory for AI agents: who and what was talked about, what is known of it, since when,
    and who said so.
    """


_PANELS: Mapping[str, Mapping[str, tuple[Callable[..., None], str]]] = {
    "Begin": {
        "demo": (demo.run_demo, "factbook demo"),
        "remember": (learning.remember_files, "factbook remember chat.jsonl --space ada"),
        "doctor": (checking.run_doctor, "factbook doctor"),
    },
    "Ask": {
        "recall": (
            recalling.recall_lines,
            "factbook recall 'who owns the Atlas migration?' --budget 300 --explain",
        ),
        "context": (
            recalling.show_context,
            "factbook context 'planning the Atlas launch' --budget 500",
        ),
        "whole": (history_and_conflicts.show_whole, "factbook whole 01JZ3M6Q4T"),
        "show": (show_and_list.show_entity, "factbook show 'priya raman' --as-of 2024-03"),
        "list": (show_and_list.list_known, "factbook list --kind person"),
        "relations": (show_and_list.list_relations, "factbook relations 'Project Atlas' --hops 2"),
        "episodes": (
            history_and_conflicts.list_episodes,
            "factbook episodes 'Project Atlas' --limit 3",
        ),
        "trends": (courses.show_trends, "factbook trends churn --since 2026-01-01"),
        "stats": (checking.show_stats, "factbook stats"),
    },
    "Write by hand": {
        "put": (
            changing.put_entity,
            "factbook put 'Priya Raman' --kind person --set role='engineering lead'",
        ),
        "relate": (
            changing.relate_entities,
            "factbook relate 'Priya Raman' leads 'Project Atlas' --since 2026-03-02",
        ),
        "end": (
            changing.end_statement,
            "factbook end 'Priya Raman' --relation works_at --to 'Acme Works' --at 2026-03-02",
        ),
        "rename": (changing.rename_entity, "factbook rename 'Project Atlas' 'Project Hermes'"),
        "note": (
            changing.note_text,
            "factbook note 'Ada wants short answers' --category preference --about Ada",
        ),
        "merge": (
            changing.merge_entities,
            "factbook merge 'Alice' 'A. Liddell' --reason 'same badge number'",
        ),
        "unmerge": (changing.unmerge_entities, "factbook unmerge 'Alice' 'A. Liddell'"),
        "review": (doubting.review_names, "factbook review k80it15t --same"),
        "dedupe": (doubting.dedupe_space, "factbook dedupe --dry-run"),
        "conflicts": (
            history_and_conflicts.show_conflicts,
            "factbook conflicts Falcon deadline --keep 2026-07-15",
        ),
    },
    "Look back, take back": {
        "history": (history_and_conflicts.show_history, "factbook history 'Project Atlas'"),
        "undo": (changing.undo_change, "factbook undo 12 --dry-run"),
        "forget": (forgetting.forget_entity, "factbook forget 'Tom Berger' --dry-run"),
    },
    "Move and maintain": {
        "export": (exchanging.write_export, "factbook export ada.jsonl --space ada"),
        "import": (exchanging.read_import, "factbook import ada.jsonl --space ada"),
        "work": (learning.work_jobs, "factbook work --retry"),
        "jobs": (learning.list_jobs, "factbook jobs --state failed"),
    },
}

for _panel, _commands in _PANELS.items():
    for _name, (_function, _example) in _commands.items():
        app.command(_name, rich_help_panel=_panel, epilog=f"Example: {_example}")(_function)
