"""Writes docs/cli.md from the commands themselves: `python -m tests.support.cli_reference`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"

HEAD = """# The command line

`factbook COMMAND`; `factbook --help` lists the commands, `factbook COMMAND --help` explains one, and
`factbook --install-completion` teaches your shell to complete them.

- **Where the memory lies**: `--db FILE`, else the environment's `FACTBOOK_DB`, else `./factbook.db` if there is
  one (a line says so), else `factbook.db` in your data folder (`~/.local/share/factbook` on Linux,
  `~/Library/Application Support/factbook` on macOS; `factbook doctor` says which). `Memory.open()` opens the same.
- **Names and ids**: where a command takes an entity or a review, its name or the beginning of its id will do, as in git;
  with completion installed the shell completes names and kinds.
- **Whose it is**: `--space NAME`, else `FACTBOOK_SPACE`, else `default`. Nothing crosses from one space to another.
- **Who reads what is said**: `--extractor SPEC`, else `FACTBOOK_EXTRACTOR`, else the model that `EXTRACTION_MODEL`
  names, else our own extractor. [Which specs there are](models.md), and how a model
  is set up; `factbook doctor --extractor SPEC` says whether it can be asked.
- **For scripts**: `--json` prints the whole result, with the same fields every time. Elsewhere than on a terminal there
  are no colours, no bars and no cut lines.
- **When something is wrong**: one sentence on the error stream, and exit status 1; 2 for a wrong call; 130 when stopped.
  `FACTBOOK_DEBUG=1` shows where a defect is.

## What `remember` reads

| form | a message is |
|---|---|
| JSON lines | an object with `role` and `content` (a text or a list of parts), or `speaker` and `text`; its time under `at`, `timestamp`, `created_at`, `time` or `date`, its id under `id`, its session under `session`. Logs of agents with the message under `message` too |
| a JSON list, or an object with one under `messages` | the same, as OpenAI's interfaces have it |
| a chat log | a line `Ada: hello`, or `[2026-03-02 10:15] Ada: hello`, with the lines below it |
| any other text | a paragraph, said by you; a line `# 2026-03-02` dates what follows |

What others said never becomes your words in silence. A record that says who spoke, or when, under another key (`user`,
`author`, `from`, `ts`) is refused with the keys that are read. A text that looks like a chat of others in another form
(as WhatsApp, Telegram or a meeting's transcript have it) is asked about on a terminal, and refused elsewhere; `--mine`
takes it as your own words.

Messages are kept once, however often a file is read, so a log that grows may be read again. Where a line can't be read,
what stands before it is kept and learned, and reading again goes on there. Secrets (keys, passwords, card numbers) are
masked before anything is stored.
"""

FOOT = """
<!-- Written by `python -m tests.support.cli_reference`; a test fails where it is not what the commands say. -->
"""


_SHARED = ("json", "space", "db")


def reference() -> str:
    """The page."""
    return HEAD + "".join(_panels()) + FOOT


def commands() -> dict[str, Any]:
    """Every command by its name."""
    from factbook.cli.app import app

    group: Any = typer.main.get_command(app)
    return dict(group.commands)


def _panels() -> Iterator[str]:
    panel = ""
    for name, command in commands().items():
        if command.rich_help_panel != panel:
            panel = command.rich_help_panel
            yield f"\n## {panel}\n"
        yield from _command(name, command)


def _command(name: str, command: Any) -> Iterator[str]:
    yield f"\n### {name}\n\n{inspect.cleandoc(command.help)}\n"
    yield f"\n```console\n$ {command.epilog.removeprefix('Example: ')}\n```\n"
    own = [param for param in command.params if param.name not in _SHARED]
    if own:
        yield "\n| | |\n|---|---|\n"
    for param in own:
        yield f"| {_written(param)} | {_help(param)} |\n"
    shared = [f"`--{param.name}`" for param in command.params if param.name in _SHARED]
    yield f"\n{'And' if own else 'Takes'} {', '.join(shared)}.\n"


def _written(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"`{param.metavar}`" if param.required else f"`[{param.metavar}]`"
    names = ", ".join(f"`{each}`" for each in (*param.opts, *param.secondary_opts))
    return f"{names} `{param.metavar}`" if param.metavar else names


def _help(param: Any) -> str:
    default = param.default
    shown = default not in (None, "", False, True, ()) and param.param_type_name == "option"
    return f"{param.help}{f' (default {default})' if shown else ''}".replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(reference(), "utf-8")
