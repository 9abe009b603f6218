"""Reading what was said, the jobs and what there is of everything, within one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from factbook.model.episode import Episode, StoredMessage
from factbook.model.grouping import group_by
from factbook.model.job import Job, JobState
from factbook.store.sqlite.row_codecs import GIVEN, TABLES, from_micros, pack_json
from factbook.store.sqlite.words.line_writer import KIND_NUMBERS
from factbook.store.sqlite.writing import job_table as jobs_table

_MESSAGES = (
    "SELECT m.id, e.id, s.name, e.project, m.position, m.role, m.speaker, m.at, m.text, "
    "m.host_id, m.key FROM"
)
_STATS: Mapping[str, str] = {
    "messages": "SELECT coalesce(sum(messages), 0) FROM episodes WHERE space_no = ?",
    "episodes": "SELECT count(*) FROM episodes WHERE space_no = ?",
    "aliases": "SELECT count(*) FROM aliases WHERE space_no = ?",
    "mentions": "SELECT count(*) FROM mentions WHERE space_no = ?",
    "facts": "SELECT count(*) FROM facts WHERE space_no = ?",
    "relations": "SELECT count(*) FROM relations WHERE space_no = ?",
    "notes": "SELECT count(*) FROM notes WHERE space_no = ?",
    "observations": "SELECT count(*) FROM observations WHERE space_no = ?",
    "entities": "SELECT count(*) FROM listed WHERE space_no = ?",
    "lines": "SELECT lines FROM spaces WHERE no = ?",
    "vectors": "SELECT count(*) FROM vectors WHERE seq >> 32 = ?",
    "commits": "SELECT version FROM spaces WHERE no = ?",
}


class SaidSnapshot:
    """Messages, episodes and jobs. One connection, in a read transaction that someone else began."""

    def __init__(self, con: sqlite3.Connection, space_numbers: dict[str, int]) -> None:
        self._con = con
        self._space_numbers = space_numbers

    def _space(self, space: str) -> int:
        """The number of a space, -1 where there is none. Numbers are for ever, so they are kept
        over transactions.
        """
        number = self._space_numbers.get(space)
        if number is None:
            row = self._con.execute("SELECT no FROM spaces WHERE name = ?", (space,)).fetchone()
            if row is None:
                return -1
            number = self._space_numbers[space] = int(row[0])
        return number

    def episodes(self, space: str, ids: Iterable[str]) -> dict[str, Episode]:
        wanted = list(dict.fromkeys(ids))
        values = (self._space(space), pack_json(wanted))
        said = self._messages(
            f"{_MESSAGES} episodes e JOIN messages m ON m.episode_no = e.no JOIN sessions s ON "
            "s.no = e.session_no"
            f" WHERE e.space_no = ? AND e.id IN ({GIVEN}) ORDER BY m.line_no",
            values,
        )
        messages = group_by(said, lambda message: message.episode_id)
        found = {
            episode_id: Episode(
                id=episode_id,
                session=session,
                project=project,
                created_at=from_micros(created_at),
                messages=tuple(messages.get(episode_id, ())),
            )
            for episode_id, session, project, created_at in self._con.execute(
                "SELECT e.id, s.name, e.project, e.created_at FROM episodes e JOIN sessions s ON "
                "s.no = e.session_no"
                f" WHERE e.space_no = ? AND e.id IN ({GIVEN})",
                values,
            )
        }
        return {episode_id: found[episode_id] for episode_id in wanted if episode_id in found}

    def episode_ids(
        self, space: str, *, session: str | None = None, project: str | None = None
    ) -> list[str]:
        number = self._space(space)
        found = self._con.execute(
            "SELECT e.id FROM episodes e JOIN sessions s ON s.no = e.session_no WHERE e.no > ?1 "
            "AND e.no < ?2"
            " AND (?3 IS NULL OR s.name = ?3) AND (?4 IS NULL OR e.project = ?4) ORDER BY e.no",
            (number << 32, (number + 1) << 32, session, project),
        )
        return [episode_id for (episode_id,) in found]

    def messages(self, space: str, ids: Iterable[str]) -> dict[str, StoredMessage]:
        wanted = list(dict.fromkeys(ids))
        found = {
            message.id: message
            for message in self._messages(
                f"{_MESSAGES} lines l JOIN messages m ON m.line_no = l.line_no JOIN episodes e ON "
                "e.no = m.episode_no"
                " JOIN sessions s ON s.no = e.session_no WHERE l.space_no = ? AND l.id IN "
                f"({GIVEN})"
                f" AND l.kind = {KIND_NUMBERS['message']}",
                (self._space(space), pack_json(wanted)),
            )
        }
        return {message_id: found[message_id] for message_id in wanted if message_id in found}

    def _messages(self, sql: str, values: Sequence[object]) -> list[StoredMessage]:
        return [read_message(row) for row in self._con.execute(sql, values)]

    def sessions(self, space: str) -> list[tuple[str, str, int]]:
        number = self._space(space)
        return [
            (session, project, messages)
            for session, project, messages in self._con.execute(
                "SELECT s.name, e.project, sum(e.messages) FROM episodes e JOIN sessions s ON "
                "s.no = e.session_no"
                " WHERE e.no > ? AND e.no < ? GROUP BY e.session_no, e.project ORDER BY min(e.no)",
                (number << 32, (number + 1) << 32),
            )
        ]

    # --- housekeeping -----------------------------------------------------------------------------

    def jobs(
        self, space: str | None, *, states: Sequence[JobState] = (), limit: int | None = None
    ) -> list[Job]:
        return jobs_table.read_jobs(self._con, space, states, limit)

    def job_counts(self, space: str | None) -> dict[JobState, int]:
        return jobs_table.count_jobs(self._con, space)

    def dropped(self, space: str) -> dict[str, int]:
        return jobs_table.count_dropped(self._con, space)

    def has_job(self, *, spaces: Sequence[str] | None) -> bool:
        """Whether there is a job to lease: asked without a lock, for workers that have nothing to
        do.
        """
        return jobs_table.find_job(self._con, spaces=spaces) is not None

    def stats(self, space: str) -> dict[str, int]:
        number = self._space(space)
        found = {name: self._con.execute(sql, (number,)).fetchone() for name, sql in _STATS.items()}
        return {name: int(row[0]) if row else 0 for name, row in found.items()}

    def spaces(self) -> list[str]:
        held = ("episodes", "jobs", *TABLES.values())
        anything = " OR ".join(
            f"EXISTS (SELECT 1 FROM {table} WHERE space_no = s.no)" for table in held
        )
        return [
            name
            for (name,) in self._con.execute(
                f"SELECT s.name FROM spaces s WHERE {anything} ORDER BY s.name"
            )
        ]


def read_message(row: Sequence[Any]) -> StoredMessage:
    """The message in a row of the columns above."""
    message_id, episode_id, session, project, position, role, speaker, at, text, host_id, key = row
    return StoredMessage(
        id=message_id,
        episode_id=episode_id,
        session=session,
        project=project,
        position=position,
        role=role,
        speaker=speaker,
        at=from_micros(at),
        text=text,
        host_id=host_id,
        key=key,
    )
