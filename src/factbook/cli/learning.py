"""Commands that learn: remember, work, jobs."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated

import typer

from factbook.cli import say
from factbook.cli.feeding import Fed, feed_file, label_of
from factbook.cli.options import Db, Extractor, Json, Project, Redact, Space, StandIn, open_memory
from factbook.errors import ConfigError, InputError
from factbook.model.job import Job, JobState
from factbook.text.foreign_chats import READ_FORMS, looks_like

if TYPE_CHECKING:
    from collections.abc import Callable

    from factbook.memory.memory import Memory
    from factbook.model.receipt import Event
    from factbook.model.usage import Usage

_LEARNED = ("entities", "facts", "relations", "mentions", "reviews", "conflicts")
_KINDS_COUNTED = 2000
"""In a space of more entities, those of each kind are not counted."""


def remember_files(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE...",
            help="Text, a chat log, JSON lines or a JSON list of messages; - for the input.",
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="TEXT", help="What to remember, instead of a file."),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session", metavar="NAME", help="A label; without it what the file says, or its name."
        ),
    ] = None,
    project: Project = "",
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Only keep the words; factbook work learns later.")
    ] = False,
    mine: Annotated[
        bool,
        typer.Option(
            "--mine", help="Take text as your own words also where it looks like a chat of others."
        ),
    ] = False,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Keep also what was forgotten once.")
    ] = False,
    extractor: Extractor = "auto",
    stand_in: StandIn = False,
    redact: Redact = "",
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Keep what was said and learn from it. The same messages again are kept once, so a longer file
    may be read again.
    """
    began = time.perf_counter()
    sources = _open_sources(files or [], text)
    wished = "none" if no_wait else extractor
    tally = Tally()
    with open_memory(
        db, space, new=True, extractor=wished, stand_in=stand_in, redact=redact, observers=[tally]
    ) as memory:
        before = count_kinds(memory)
        fed = Fed()
        for name, stream, size in sources:
            with stream, _show_reading(name, size, quiet=json) as tell:
                label = (
                    session
                    if session is not None
                    else None
                    if stream is sys.stdin.buffer
                    else label_of(name)
                )
                feed_file(
                    memory,
                    stream,
                    name,
                    fed=fed,
                    session=label,
                    force=session is not None,
                    project=project,
                    anyway=anyway,
                    is_own=_ask_whose(name, mine=mine or text is not None, quiet=json),
                    tell=tell,
                )
            if fed.fault:
                break
        if fed.stored and not no_wait:
            learn_waiting(memory, fed.stored, quiet=json)
        jobs = memory.jobs(("waiting", "failed"))
        used = memory.usage()
        if json:
            _as_json(fed, tally, jobs, used, time.perf_counter() - began)
        else:
            _report_learned(memory, fed, tally, jobs, before, learnt=not no_wait)
            print_usage(used)
    if fed.fault:
        say.print_error(_tell_fault(fed, learned=not no_wait))
        raise typer.Exit(1)


def _open_sources(files: Sequence[str], text: str | None) -> Iterator[tuple[str, IO[bytes], int]]:
    """Yields each source: a name for it, its bytes, and how many there are (0 where that is
    unknown).
    """
    import io

    if text is not None:
        if files:
            raise typer.BadParameter("give a file or --text, not both")
        data = text.encode("utf-8", "replace")
        return iter([("the text", io.BytesIO(data), len(data))])
    if not files and sys.stdin.isatty():
        raise typer.BadParameter(
            "name a file, or pipe something in: echo 'Ada leads Atlas.' | factbook remember"
        )
    # Every one of them, before anything is stored of the first.
    for name in files:
        if name != "-" and not Path(name).is_file():
            said = "is a folder" if Path(name).is_dir() else "is not there"
            raise ConfigError(f"{name} {said}; to remember a text: factbook remember --text '…'")
    return (_open_source(name) for name in files or ["-"])


def is_terminal() -> bool:
    """Whether somebody is there who can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _ask_whose(name: str, *, mine: bool, quiet: bool) -> Callable[[Sequence[str]], bool]:
    """Says whether a text that looks like a chat of others is the user's own: as told, or as
    answered on a terminal.
    """

    def is_own(speakers: Sequence[str]) -> bool:
        if mine:
            return True
        said = looks_like([say.clean_output(speaker) for speaker in speakers])
        if not quiet and is_terminal():
            return typer.confirm(f"{name}: {said}. Take all of it as your own words?")
        raise InputError(f"{said}; --mine takes all of it as your own words ({READ_FORMS})")

    return is_own


def _open_source(name: str) -> tuple[str, IO[bytes], int]:
    if name == "-":
        return "the input", sys.stdin.buffer, 0
    try:
        return name, Path(name).open("rb"), Path(name).stat().st_size
    except OSError as error:
        raise ConfigError(f"{name} can't be read: {error.strerror}") from None


@contextmanager
def _show_reading(
    name: str, size: int, *, quiet: bool
) -> Generator[Callable[[int], None], None, None]:
    """A progress bar of bytes for a file that takes a while; gone when it is done."""
    out = say.make_console(errors=True)
    if quiet or not out.is_terminal or size < 2**20:
        yield lambda _offset: None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=out, transient=True) as progress:
        task = progress.add_task(f"Reading {say.clean_output(name)}", total=size)
        yield lambda offset: progress.update(task, completed=min(offset, size))


def learn_waiting(memory: Memory, messages: int, *, quiet: bool = False) -> None:
    """Learns what waits, with a progress bar on a terminal."""
    title = f"Learning {say.count_noun(messages, 'message')}"
    out = say.make_console()
    if quiet or not out.is_terminal:
        began = time.perf_counter()
        memory.wait(raises=False)
        if not quiet:
            say.print_line(f"{title}  {say.show_seconds(time.perf_counter() - began)}")
        return
    from rich.progress import (
        BarColumn,
        Progress,
        ProgressColumn,
        Task,
        TaskProgressColumn,
        TextColumn,
    )
    from rich.text import Text

    class Seconds(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(say.show_seconds(task.finished_time or task.elapsed or 0), style="dim")

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), Seconds())
    with Progress(*columns, console=out) as progress:
        task = progress.add_task(title, total=None)
        memory.wait(
            raises=False,
            progress=lambda done, total: progress.update(task, completed=done, total=total),
        )
        progress.update(task, total=1, completed=1)


def count_kinds(memory: Memory) -> Counter[str]:
    """Counts the entities of each kind; empty where counting takes too long."""
    if memory.stats().get("entities", 0) > _KINDS_COUNTED:
        return Counter()
    return Counter(each.entity_type for each in memory.entities())


class Tally:
    """Counts what is learned while a memory is open, by sort; of any number of jobs and of all
    spaces.
    """

    def __init__(self) -> None:
        self.episodes = 0
        self.found: dict[str, int] = dict.fromkeys(_LEARNED, 0)

    def on_event(self, event: Event) -> None:
        """Hears of an event; of the threads that tell, only one learns at a time."""
        if event.name == "learned":
            self.episodes += 1
            for sort in _LEARNED:
                number = event.data.get(sort)
                self.found[sort] += number if isinstance(number, int) else 0


def _report_learned(
    memory: Memory,
    fed: Fed,
    tally: Tally,
    jobs: Sequence[Job],
    before: Counter[str],
    *,
    learnt: bool,
) -> None:
    if tally.episodes:
        print_learned(tally.found, count_kinds(memory) - before)
    elif fed.is_all_known:
        say.print_line(f"{say.count_noun(fed.read, 'message')} read, all known already.")
    if fed.stored and not tally.episodes:
        say.print_line(f"{say.count_noun(fed.stored, 'message')} kept.")
    if fed.stored and fed.duplicates:
        say.print_line((f"  {say.count_noun(fed.duplicates, 'message')} known already", "dim"))
    if fed.held_back:
        say.print_line(
            f"  {say.count_noun(fed.held_back, 'message')} held back: forgotten once (--anyway "
            "stores them)"
        )
    for sort, number in fed.masked.items():
        say.print_line(f"  {number:,} masked: {sort.replace('_', ' ')}")
    print_jobs_left(jobs, learnt=learnt)


def print_learned(found: dict[str, int], kinds: Counter[str]) -> None:
    """Prints the findings in two lines."""
    most = [
        say.count_noun(number, say.clean_output(kind.replace("_", " ")))
        for kind, number in kinds.most_common(3)
    ]
    more = " …" if len(kinds) > len(most) else ""
    listed = f" ({', '.join(most)}{more})" if most else ""
    say.print_line(f"  {say.count_noun(found['entities'], 'entity')}{listed}")
    parts = [say.count_noun(found["facts"], "fact"), say.count_noun(found["relations"], "relation")]
    if found["reviews"]:
        wait = "waits" if found["reviews"] == 1 else "wait"
        parts.append(
            f"{say.count_noun(found['reviews'], 'name')} {wait} for review (factbook review)"
        )
    if found["conflicts"]:
        parts.append(f"{say.count_noun(found['conflicts'], 'conflict')} (factbook conflicts)")
    say.print_line(f"  {' · '.join(parts)}")


def print_jobs_left(jobs: Sequence[Job], *, learnt: bool = True) -> None:
    """Says which jobs are not done, and what to do about them."""
    failed = [job for job in jobs if job.state == "failed"]
    waiting = len(jobs) - len(failed)
    if failed:
        why = failed[-1].error.rstrip(".").removeprefix("ConfigError: ")
        say.print_error(
            f"{say.count_noun(len(failed), 'job')} failed: {why}. Then: factbook work --retry"
        )
    if waiting:
        again = "will be tried again by" if learnt else "wait" if waiting > 1 else "waits"
        say.print_hint(
            f"{say.count_noun(waiting, 'job')} {again}{': ' if not learnt else ' '}factbook work"
        )


def _tell_fault(fed: Fed, *, learned: bool) -> str:
    """The fault, with what was kept before it and where reading again goes on."""
    verb = "learned" if learned else "kept"
    kept = (
        f"{say.count_noun(fed.in_file, 'message')} {'was' if fed.in_file == 1 else 'were'} {verb}"
    )
    again = f"{kept}; run again to go on from line {fed.line}." if fed.line else f"{kept}."
    return f"{fed.fault}. {again}" if fed.in_file else f"{fed.fault}."


def print_usage(used: Usage | None) -> None:
    """Prints the calls and tokens of a language model, if one was asked."""
    if used is None or not used.calls:
        return
    tokens = f"{used.input_tokens:,} tokens read and {used.output_tokens:,} written"
    cost = f", cost {used.cost:.4f}" if used.cost is not None else ""
    say.print_hint(
        f"The model: {say.count_noun(used.calls, 'call')}, {tokens}, "
        f"{say.show_seconds(used.seconds)}{cost}."
    )


def _as_json(fed: Fed, tally: Tally, jobs: Sequence[Job], used: Usage | None, took: float) -> None:
    states = Counter(job.state for job in jobs)
    say.as_json(
        {
            "messages": fed.read,
            "stored": fed.stored,
            "duplicates": fed.duplicates,
            "held_back": fed.held_back,
            "masked": fed.masked,
            "skipped": fed.skipped,
            "episode_ids": fed.episode_ids,
            "learned": tally.found,
            "jobs": {"waiting": states["waiting"], "failed": states["failed"]},
            "model": used,
            "fault": fed.fault or None,
            "seconds": round(took, 3),
        }
    )


def work_jobs(
    retry: Annotated[
        bool,
        typer.Option(
            "--retry", help="Also once more what failed, and at once what waits for its next try."
        ),
    ] = False,
    all_spaces: Annotated[
        bool, typer.Option("--all-spaces", help="Not only this space's.")
    ] = False,
    extractor: Extractor = "auto",
    stand_in: StandIn = False,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """Learn from what waits, in the foreground; several may run at once."""
    tally = Tally()
    with open_memory(
        db, space, extractor=extractor, stand_in=stand_in, observers=[tally]
    ) as memory:
        kinds = count_kinds(memory)
        done = memory.work(retry=retry, every_space=all_spaces)
        jobs = memory.jobs(("waiting", "failed"))
        used = memory.usage()
        if json:
            states = Counter(job.state for job in jobs)
            say.as_json({"taken": done, "learned": tally.found, "jobs": states, "model": used})
            return
        say.print_line(f"{say.count_noun(done, 'job')} taken." if done else "Nothing waits.")
        if tally.episodes:
            print_learned(tally.found, count_kinds(memory) - kinds)
    print_jobs_left(jobs)
    print_usage(used)


def list_jobs(
    state: Annotated[
        list[str] | None,
        typer.Option(
            "--state", metavar="STATE", help="waiting, running, failed or done; may be given again."
        ),
    ] = None,
    json: Json = False,
    space: Space = "default",
    db: Db = None,
) -> None:
    """List the jobs that run, wait or failed, with their errors and next tries; one job an episode."""
    states: dict[str, JobState] = {
        "waiting": "waiting",
        "running": "running",
        "failed": "failed",
        "done": "done",
    }
    wanted = state or ["waiting", "running", "failed"]
    if unknown := [each for each in wanted if each not in states]:
        raise typer.BadParameter(f"{unknown[0]!r} is none of {', '.join(states)}")
    with open_memory(db, space) as memory:
        found = memory.jobs([states[each] for each in wanted])
    if json:
        say.as_json(found)
        return
    if not found:
        say.print_hint("No job is in that state." if state else "Nothing waits, runs or failed.")
        return
    rows = [
        (
            job.id,
            job.state,
            f"{job.attempts}",
            f"{job.created_at:%Y-%m-%d %H:%M}",
            f"{job.next_at:%Y-%m-%d %H:%M:%S}" if job.next_at else "",
            say.clean_output(job.error),
        )
        for job in found
    ]
    say.print_drawn(
        say.make_table(
            ("id", "state", "tries", "since", "next try", "error"),
            rows,
            styles={"id": "cyan", "error": "red"},
            right=("tries",),
            rest="error",
        )
    )
    dropped: Counter[str] = Counter()
    for job in found:
        dropped.update(job.dropped)
    if dropped:
        reasons = ", ".join(
            f"{number} {reason.replace('_', ' ')}" for reason, number in dropped.most_common()
        )
        say.print_hint(f"Not taken of what their extractors gave: {reasons}.")
