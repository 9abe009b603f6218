"""Knowledge by the day: what selectools keeps in files of its own, made here from the entries.

Files that selectools left in the folder (`2026-05-06.log`, `MEMORY.md`) are read too; only what is
taken out of the store is taken out of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from factbook.facades.knowledge.file_store import FILE_NAME
from factbook.facades.knowledge.knowledge_entry import KnowledgeEntry
from factbook.facades.knowledge.lines_file import LinesFile
from factbook.text.escape import inline

MEMORY_FILE = "MEMORY.md"


def recent_logs(folder: Path, entries: Iterable[KnowledgeEntry], days: int, now: datetime) -> str:
    """Returns the entries of each of the last days, the latest day first."""
    by_day: dict[date, list[str]] = {}
    for entry in sorted(entries, key=lambda entry: entry.created_at):
        at = entry.created_at.astimezone(UTC)
        line = f"[{at:%Y-%m-%d %H:%M:%S}] [{inline(entry.category)}] {inline(entry.content)}"
        by_day.setdefault(at.date(), []).append(line)
    out: list[str] = []
    for back in range(days):
        day = (now - timedelta(days=back)).date()
        lines = dict.fromkeys([*_read_lines(folder / f"{day}.log"), *by_day.get(day, ())])
        if lines:
            out += [f"=== {day} ===", *lines]
    return "\n".join(out)


def persistent_facts(folder: Path, entries: Iterable[KnowledgeEntry]) -> str:
    """Returns the persistent entries, oldest first."""
    kept = sorted(
        (entry for entry in entries if entry.persistent), key=lambda entry: entry.created_at
    )
    lines = [f"- [{inline(entry.category)}] {inline(entry.content)}" for entry in kept]
    return "\n".join(dict.fromkeys([*_read_lines(folder / MEMORY_FILE), *lines]))


def prune_logs(folder: Path, keep_days: int, now: datetime) -> int:
    """Removes files of days before the ones that are kept; returns how many."""
    cutoff = now - timedelta(days=keep_days)
    removed = 0
    for path in folder.glob("*.log") if folder.is_dir() else ():
        try:
            day = datetime.strptime(path.stem, "%Y-%m-%d").replace(tzinfo=UTC)
        except ValueError:
            continue
        if day < cutoff:
            path.unlink(missing_ok=True)
            removed += 1
    return removed


def remove_logs(folder: Path, contents: Iterable[str]) -> int:
    """Takes lines with one of these texts out of the files that selectools left; returns how many.

    Raises:
        StoreError: a file can't be written; it is as it was.
    """
    texts = [re.escape(text.strip()) for text in dict.fromkeys(contents) if text.strip()]
    if not texts or not folder.is_dir():
        return 0
    line = re.compile(
        rf"^(?:- |\[[^\]\n]*\] )?\[[^\]\n]*\] (?:{'|'.join(texts)})[ \t]*(?:\n|\Z)", re.MULTILINE
    )
    paths = [path for path in (*folder.glob("*.log"), folder / MEMORY_FILE) if path.is_file()]
    if not any(line.search(_read_text(path)) for path in paths):
        return 0
    removed = 0
    with LinesFile(folder / FILE_NAME).hold_lock(write=True):
        for path in paths:
            left, found = line.subn("", _read_text(path))
            if found:
                LinesFile(path).rewrite_file(left.encode("utf-8", "surrogateescape"))
                removed += found
    return removed


def _read_text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _read_lines(path: Path) -> list[str]:
    if not path.is_file():
        return []
    return path.read_text("utf-8", "replace").strip().splitlines()
