"""Commands that look at the installation and the file: stats, doctor."""

from __future__ import annotations

import os
import platform
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from factbook.cli import say
from factbook.cli.options import (
    Db,
    Extractor,
    Json,
    Space,
    default_db,
    file_of,
    is_cut_name,
    open_memory,
)
from factbook.errors import FactbookError

if TYPE_CHECKING:
    from factbook.llm import ModelSettings
    from factbook.ports.store import Store

LARGE_LOG = 64 << 20
"""Four times what a write-ahead log holds before it is copied into the database."""

_MARKS = {"ok": ("✓", "green"), "note": ("·", "yellow"), "bad": ("✗", "bold red")}


def show_stats(json: Json = False, space: Space = "default", db: Db = None) -> None:
    """Show how much the space holds, and where it lies."""
    with open_memory(db, space) as memory:
        counts = memory.stats()
        url = memory.url
    file = file_of(url)
    size = file.stat().st_size if file and file.exists() else None
    if json:
        say.as_json({"url": url, "space": space, "bytes": size, "counts": counts})
        return
    say.print_line(
        (say.clean_output(space), "bold"),
        f" in {say.show_path(file or url)}{f' ({say.show_size(size)})' if size else ''}",
    )
    rows = [(sort.replace("_", " "), f"{number:,}") for sort, number in counts.items()]
    say.print_drawn(
        say.make_table(
            ("what", "number"), rows, right=("number",), styles={"number": "bold"}, heading=False
        )
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """The result of a check; `advice` says what to do where it is not `ok`."""

    check: str
    state: Literal["ok", "note", "bad"]
    found: str
    advice: str = ""


def run_doctor(
    extractor: Extractor = "auto",
    ask: Annotated[
        bool,
        typer.Option(
            "--ask",
            help="Have a language model say a word, too; without it only its server is looked for.",
        ),
    ] = False,
    json: Json = False,
    db: Db = None,
) -> None:
    """Check the installation, the models and the memory's file, and say what to do."""
    findings = list(_all_findings(db or default_db(), extractor, ask=ask))
    bad = sum(each.state == "bad" for each in findings)
    if json:
        say.as_json({"ok": not bad, "findings": findings})
    else:
        for each in findings:
            mark, style = _MARKS[each.state]
            say.print_line((mark, style), f" {each.check:<10} ", say.clean_output(each.found))
            if each.advice:
                say.print_line(f"{'':13}", ("→ ", style), say.clean_output(each.advice))
    if bad:
        raise typer.Exit(1)


def _all_findings(url: str, extractor: str, *, ask: bool) -> Iterator[Finding]:
    from factbook import __version__

    yield Finding(
        check="factbook", state="ok", found=f"{__version__} on Python {platform.python_version()}"
    )
    yield _check_sqlite()
    yield from _check_extractors(extractor, ask=ask)
    yield _check_embedder()
    yield from _check_file(url)


def _check_sqlite() -> Finding:
    with_search = True
    try:
        with closing(sqlite3.connect(":memory:")) as con:
            con.execute("CREATE VIRTUAL TABLE words USING fts5(text)")
    except sqlite3.Error:
        with_search = False
    return Finding(
        check="SQLite",
        state="ok" if with_search else "bad",
        found=f"{sqlite3.sqlite_version} {'with' if with_search else 'without'} full-text search",
        advice=""
        if with_search
        else "Use a Python whose sqlite3 module has FTS5, such as python.org's.",
    )


def _check_extractors(spec: str, *, ask: bool) -> Iterator[Finding]:
    from factbook.learn.extractor_choice import choose

    try:
        choice = choose(spec, None, os.environ)
    except FactbookError as error:
        yield Finding(check="extractor", state="bad", found=str(error))
        return
    if choice.local != "never":
        yield _check_extractor()
    if choice.model and choice.settings is not None:
        yield _check_model(choice.model, choice.settings, ask=ask)
    if not choice.learns:
        yield Finding(
            check="extractor",
            state="ok",
            found="none is wished: what is said is found as text alone",
        )


def _check_model(spec: str, settings: ModelSettings, *, ask: bool) -> Finding:
    """A language model: whether its package and key are there and its server answers; with `ask`
    also whether it does.
    """
    from factbook.llm import open_model
    from factbook.llm.probe import reach_server
    from factbook.ports.models import ChatMessage

    try:
        model = open_model(spec, settings)
    except FactbookError as error:
        return Finding(check="model", state="bad", found=str(error))
    began = time.perf_counter()
    try:
        place = reach_server(spec, settings)
        if ask:
            model.complete([ChatMessage("Say: yes")])
    except FactbookError as error:
        later = "What is said is kept meanwhile and learned later: factbook work --retry"
        return Finding(check="model", state="bad", found=f"{spec}: {error}", advice=later)
    finally:
        model.close()
    took = say.show_seconds(time.perf_counter() - began)
    return Finding(
        check="model",
        state="ok",
        found=f"{spec} at {place} {'answered' if ask else 'is there'}, {took}",
    )


def _check_extractor() -> Finding:
    from factbook.extract import local

    if not local.is_installed():
        return Finding(
            check="extractor",
            state="note",
            found="not installed: what is said is kept and found as text, and nothing is learned "
            "from it",
            advice="pip install 'factbook[local]'",
        )
    began = time.perf_counter()
    try:
        extractor = local.LocalExtractor()
        extractor.load()
    except FactbookError as error:
        return Finding(
            check="extractor",
            state="bad",
            found=str(error),
            advice="pip install -U 'factbook[local]'",
        )
    return Finding(
        check="extractor",
        state="ok",
        found=f"{extractor.name}, loaded in {say.show_seconds(time.perf_counter() - began)}",
    )


def _check_embedder() -> Finding:
    from factbook import reader

    absent = reader.missing_modules()
    if absent:
        return Finding(
            check="embedder",
            state="note",
            found=f"not installed ({', '.join(absent)}): recall works by words, not by meaning",
            advice="pip install 'factbook[local]'",
        )
    began = time.perf_counter()
    try:
        model = reader.Reader()
        model.load()
    except FactbookError as error:
        return Finding(check="embedder", state="bad", found=str(error))
    took = say.show_seconds(time.perf_counter() - began)
    return Finding(
        check="embedder",
        state="ok",
        found=f"{model.name}, its files are the known ones, loaded in {took}",
    )


def _check_file(url: str) -> Iterator[Finding]:
    from factbook.store import open_store

    file = file_of(url)
    if file is not None and not file.exists():
        yield Finding(
            check="file",
            state="note",
            found=f"{say.show_path(file)} is not there yet",
            advice="factbook remember FILE",
        )
        return
    if file is not None and is_cut_name(file):
        yield Finding(
            check="file",
            state="bad",
            found=f"{say.show_path(file)} is empty: if it held a memory, it is lost",
            advice="Put a backup in its place; if it is a new file, begin with: factbook remember "
            "FILE",
        )
        return
    try:
        store = open_store(url)
    except FactbookError as error:
        yield Finding(check="file", state="bad", found=str(error))
        return
    try:
        yield _describe_store(store, file)
        damage = store.check()
        yield from (
            Finding(
                check="damage",
                state="bad",
                found=each,
                advice="Restore a backup, or export what can be read.",
            )
            for each in damage
        )
        yield from _log_beside(file)
        yield from _check_tombstones(store)
        yield _check_jobs(store)
    except FactbookError as error:
        yield Finding(check="damage", state="bad", found=str(error))
    finally:
        store.close()


def _describe_store(store: Store, file: Path | None) -> Finding:
    if file is None:
        return Finding(check="file", state="ok", found=store.url)
    with store.snapshot() as snapshot:
        spaces = len(snapshot.spaces())
    found = (
        f"{say.show_path(file)}, {say.show_size(file.stat().st_size)}, "
        f"{say.count_noun(spaces, 'space')}"
    )
    others = file.stat().st_mode & 0o077
    if others and sys.platform != "win32":
        return Finding(
            check="file",
            state="note",
            found=f"{found}; others may read it",
            advice=f"chmod 600 {say.show_path(file)}",
        )
    return Finding(check="file", state="ok", found=found)


def _log_beside(file: Path | None) -> Iterator[Finding]:
    """A write-ahead log that has grown: it begins anew only where nobody reads an older state."""
    if file is None:
        return
    log = file.with_name(f"{file.name}-wal")
    if not log.exists() or log.stat().st_size < LARGE_LOG:
        return
    size = say.show_size(log.stat().st_size)
    with closing(sqlite3.connect(file)) as con:
        _, pages, copied = con.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    if copied < pages:
        found = (
            f"{say.show_path(log)} has grown to {size}: a process has been reading an older "
            "state all the while"
        )
        advice = (
            "It grows until that reading ends: each write adds every page that it touches, some "
            "80 kB for a message said"
            " by itself, a thirtieth of that for one of a hundred said together."
        )
    else:
        found = f"{say.show_path(log)} has {size}, all of it copied into the database"
        advice = (
            "It is written anew from its start by the next write, and goes when the last "
            "process closes."
        )
    yield Finding(check="log", state="note", found=found, advice=advice)


def _check_tombstones(store: Store) -> Iterator[Finding]:
    """Tombstones that an earlier version made."""
    with store.snapshot() as snapshot:
        count = snapshot.earlier_tombstones()
    if count:
        found = (
            f"{count:,} of what an earlier version forgot stays away only under the session "
            "it was said in"
        )
        advice = (
            "Reading it again under another session or file name brings it back; forget it "
            "again then."
        )
        yield Finding(check="forgotten", state="note", found=found, advice=advice)


def _check_jobs(store: Store) -> Finding:
    with store.snapshot() as snapshot:
        counts = snapshot.job_counts(None)
        errors = [job.error for job in snapshot.jobs(None, states=("failed",), limit=1)]
    said = ", ".join(f"{number} {state}" for state, number in counts.items()) or "none"
    if counts.get("failed"):
        return Finding(
            check="jobs",
            state="note",
            found=f"{said}; {errors[0]}",
            advice="factbook work --retry --all-spaces",
        )
    if counts.get("waiting"):
        return Finding(check="jobs", state="note", found=said, advice="factbook work --all-spaces")
    return Finding(check="jobs", state="ok", found=said)
