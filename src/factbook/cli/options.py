"""The options that commands share, and opening the memory that they name."""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from factbook.cli import completing
from factbook.errors import ConfigError, InputError

if TYPE_CHECKING:
    from factbook.memory.memory import Memory
    from factbook.ports.models import Listener

Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        envvar="FACTBOOK_DB",
        metavar="FILE",
        help="The memory's file. Without it: ./factbook.db if it is there, else factbook.db in "
        "your data folder.",
        show_default=False,
    ),
]
Space = Annotated[
    str,
    typer.Option(
        "--space",
        envvar="FACTBOOK_SPACE",
        metavar="NAME",
        help="Whose memory it is: a user, a team.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the whole result as JSON.")]
Session = Annotated[
    str, typer.Option("--session", metavar="NAME", help="A label: the conversation it belongs to.")
]
Project = Annotated[
    str, typer.Option("--project", metavar="NAME", help="A label: the project it belongs to.")
]
Sessions = Annotated[
    list[str] | None,
    typer.Option("--session", metavar="NAME", help="Only what was said there; may be given again."),
]
Projects = Annotated[
    list[str] | None,
    typer.Option(
        "--project",
        metavar="NAME",
        help="Only what belongs to it, or to no project; may be given again.",
    ),
]
Reads = Annotated[
    list[str] | None,
    typer.Option(
        "--reads",
        metavar="SPACE",
        help="Look into this space, too, and mark its lines; may be given again.",
    ),
]
Doubt = Annotated[
    float | None,
    typer.Option(
        "--doubt",
        metavar="SHARE",
        help="How improbable an answer may be and still be said, 0 to 1 (0.95); less says nothing "
        "sooner.",
        show_default=False,
    ),
]
Tokenizer = Annotated[
    str | None,
    typer.Option(
        "--tokenizer",
        envvar="FACTBOOK_TOKENIZER",
        metavar="FILE",
        help="Count tokens by this tokenizer.json; without it, by an estimate on the safe side.",
        show_default=False,
    ),
]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; kept in the history.")]
Extractor = Annotated[
    str,
    typer.Option(
        "--extractor",
        envvar="FACTBOOK_EXTRACTOR",
        metavar="SPEC",
        help="Who reads: local, openai:MODEL, anthropic:MODEL, ollama:MODEL, local+ollama:MODEL "
        "(ours first), none;"
        " auto is what EXTRACTION_MODEL names, else local.",
    ),
]
StandIn = Annotated[
    bool,
    typer.Option(
        "--stand-in",
        envvar="FACTBOOK_STAND_IN",
        help="While the model can't be asked, learn by local; what it learned is taken back when "
        "the model answers.",
    ),
]
Redact = Annotated[
    str,
    typer.Option(
        "--redact",
        envvar="FACTBOOK_REDACT",
        metavar="SORTS",
        help="Personal data to mask before storing: usual, all, or phone, email, address, iban, "
        "id, ip, birth_date.",
    ),
]
Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A name, another name of it, a part only it has, or its id or the id's beginning.",
        autocompletion=completing.complete_names,
    ),
]


def read_moment(written: str) -> datetime:
    """A date or time as an option gives it: ISO 8601, UTC where it names no zone; a year or month
    is its beginning.
    """
    from factbook.learn.clock import utc_now
    from factbook.text.date_arguments import moment_of

    try:
        at = moment_of(written, "it", utc_now(), first=True)
    except InputError:
        at = None
    if at is None:
        raise typer.BadParameter(
            f"{written!r} is not a date or time, like 2026-03-02 or 2026-03-02T14:30"
        )
    return at


Since = Annotated[
    datetime | None,
    typer.Option("--since", parser=read_moment, metavar="DATE", help="Not before: 2026-03-02."),
]
Until = Annotated[
    datetime | None,
    typer.Option("--until", parser=read_moment, metavar="DATE", help="Before that day."),
]


AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of", metavar="DATE", help="What held then in the world: 2024, 2024-03, 2024-03-05, …"
    ),
]
RecordedAsOf = Annotated[
    str | None,
    typer.Option(
        "--recorded-as-of", metavar="DATE", help="What was known then, by the log: 2024-03-05, …"
    ),
]


def default_db(*, quiet: bool = False) -> str:
    """Returns the file of a memory that nobody named; says so where it is one of the present
    folder, unless `quiet`.
    """
    from factbook.cli import say
    from factbook.memory.default_file import default_url, here_warning, lies_here

    if lies_here(os.environ) and not quiet:
        say.print_hint(here_warning())
    return default_url(os.environ)


def file_of(url: str) -> Path | None:
    """The file that a URL or path names; None for a store that is no file."""
    if url.startswith("sqlite:///"):
        return Path(url.removeprefix("sqlite:///"))
    scheme, separator, _ = url.partition(":")
    return Path(url) if not separator or len(scheme) < 2 else None


def is_cut_name(file: Path) -> bool:
    """Whether the file is there and empty."""
    return file.is_file() and not file.stat().st_size


@contextmanager
def open_memory(
    db: str | None,
    space: str,
    *,
    reads: Sequence[str] = (),
    new: bool = False,
    extractor: str = "none",
    stand_in: bool = False,
    redact: str = "",
    observers: Sequence[Listener] = (),
    quiet: bool = False,
) -> Generator[Memory, None, None]:
    """The memory that the options name; only with `new` is a file made where there is none. Who
    doesn't learn needs no extractor.

    Raises:
        ConfigError: there is none. StoreError, SpaceError: it can't be opened.
    """
    from factbook.memory.default_file import make_parent

    url = db or default_db(quiet=quiet)
    file = file_of(url)
    if file is not None and not file.exists():
        if not new:
            raise ConfigError(
                f"there is no memory at {file} yet; begin with: factbook remember FILE, or: "
                "factbook demo"
            )
        make_parent(file)
    elif file is not None and is_cut_name(file) and not new:
        raise ConfigError(
            f"{file} is empty: if it held a memory, it is lost; put a backup in its place"
        )
    from factbook.memory.memory import Memory

    options: dict[str, Any] = {"stand_in": "local"} if stand_in else {}
    if observers:
        options["observers"] = observers
    with Memory.open(
        url, background=False, redact=redact, extractor=extractor, **options
    ) as memory:
        yield memory.within(space, reads)
