"""Reading the record, within one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypeVar

from factbook.model.change import Commit
from factbook.model.episode import StoredMessage
from factbook.model.grouping import group_by
from factbook.model.record import (
    Alias,
    EntityRecord,
    Fact,
    Mention,
    Note,
    NotSame,
    Observation,
    ObservationSort,
    Record,
    Relation,
    Review,
    SameAs,
    Support,
)
from factbook.ports.snapshot import EntityCounts, NameHit, V
from factbook.store.derive import derive_record_line
from factbook.store.sqlite.reading import entity_listing, note_queries
from factbook.store.sqlite.reading.said_snapshot import SaidSnapshot
from factbook.store.sqlite.row_codecs import GIVEN, TABLES, codec_of, from_micros, pack_json
from factbook.store.sqlite.words.line_writer import KIND_NUMBERS
from factbook.store.sqlite.writing.log_table import LOG_COLUMNS, read_log
from factbook.text.names import slip_forms

R = TypeVar("R", bound=Record)
_Created = TypeVar("_Created", Alias, Fact, Relation, Review, Support, SameAs, NotSame)

_PAGE = 1000
_EMBEDDED_ROWS: Mapping[int, type[Note | EntityRecord | Observation]] = {
    KIND_NUMBERS["note"]: Note,
    KIND_NUMBERS["entity"]: EntityRecord,
    KIND_NUMBERS["observation"]: Observation,
}
_EMBEDDED = (KIND_NUMBERS["message"], *_EMBEDDED_ROWS)
_NAMES = """
SELECT b.entity_id, b.name, e.kind, b.is_primary, e.created_at, k.created_at, b.record_id
FROM name_keys k JOIN bearers b ON b.no = k.bearer_no JOIN entities e ON e.space_no = k.space_no AND e.id = b.entity_id
WHERE k.space_no = ? AND k.key = ? ORDER BY k.created_at, k.bearer_no
"""
_BORNE = """
SELECT j.value FROM json_each(?) j WHERE EXISTS (SELECT 1 FROM name_keys k WHERE k.space_no = ? AND k.key = j.value)
"""
_ENDS: Mapping[type, tuple[str, str]] = {
    SameAs: ("entity_id", "canonical_id"),
    NotSame: ("left_id", "right_id"),
    Review: ("left_id", "right_id"),
}
_NAME_COUNT = (
    "SELECT count(*) FROM (SELECT 1 FROM name_keys WHERE space_no = ? AND key = ? LIMIT ?)"
)
_NEAR_WORDS = """
SELECT DISTINCT n.word FROM json_each(?2) j CROSS JOIN name_slips n ON n.space_no = ?1 AND n.slip = j.value
WHERE n.word <> ?3 ORDER BY n.word LIMIT ?4
"""
_COUNTS = """
SELECT coalesce(c.canonical_id, m.entity_id), count(DISTINCT m.message_id), min(m.at), max(m.at)
FROM json_each(?1) j CROSS JOIN mentions m ON m.space_no = ?2 AND m.entity_id = j.value
LEFT JOIN canon c ON c.space_no = ?2 AND c.entity_id = m.entity_id GROUP BY 1
"""


class RecordSnapshot(SaidSnapshot):
    """Messages and the record of what is known."""

    def _rows(self, cls: type[R], where: str, *values: object) -> list[R]:
        rows = codec_of(cls)
        found = self._con.execute(f"SELECT {rows.columns} FROM {rows.table} WHERE {where}", values)
        return [rows.record(row) for row in found]

    # --- the record -------------------------------------------------------------------------------

    def version(self, space: str) -> int:
        row = self._con.execute("SELECT version FROM spaces WHERE name = ?", (space,)).fetchone()
        return int(row[0]) if row else 0

    def get(self, space: str, cls: type[R], ids: Iterable[str]) -> dict[str, R]:
        wanted = list(dict.fromkeys(ids))
        found = {
            row.id: row
            for row in self._rows(
                cls, f"space_no = ? AND id IN ({GIVEN})", self._space(space), pack_json(wanted)
            )
        }
        return {row_id: found[row_id] for row_id in wanted if row_id in found}

    def ids_beginning(
        self, space: str, cls: type[Record] | type[StoredMessage], beginning: str, *, limit: int
    ) -> list[str]:
        table = (
            f"lines WHERE kind = {KIND_NUMBERS['message']} AND"
            if issubclass(cls, StoredMessage)
            else f"{TABLES[cls]} WHERE"
        )
        rows = self._con.execute(
            f"SELECT id FROM {table} space_no = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?",
            (self._space(space), beginning, f"{beginning}\U0010ffff", limit),
        )
        return [row_id for (row_id,) in rows]

    def every(self, space: str, cls: type[R]) -> Iterator[R]:
        where = f"space_no = ? AND id > ? ORDER BY id LIMIT {_PAGE}"
        rows = self._rows(cls, f"space_no = ? ORDER BY id LIMIT {_PAGE}", self._space(space))
        while rows:
            yield from rows
            rows = (
                self._rows(cls, where, self._space(space), rows[-1].id)
                if len(rows) == _PAGE
                else []
            )

    def log(self, space: str, *, after: int = 0, limit: int | None = None) -> list[Commit]:
        number = self._space(space)
        if number < 0:
            return []
        found = self._con.execute(
            f"SELECT {LOG_COLUMNS} FROM log WHERE no > ? AND no < ? ORDER BY no LIMIT ?",
            ((number << 32) + after, (number + 1) << 32, -1 if limit is None else limit),
        )
        return [read_log(row) for row in found]

    def log_of(self, space: str, record_ids: Iterable[str], *, limit: int = 1000) -> list[Commit]:
        wanted = set(record_ids)
        found = self._con.execute(
            f"SELECT {LOG_COLUMNS} FROM log WHERE no IN (SELECT (space_no << 32) + version FROM "
            "log_rows"
            f" WHERE space_no = ? AND record_id IN ({GIVEN})) ORDER BY no DESC LIMIT ?",
            (self._space(space), pack_json(sorted(wanted)), max(limit, 0)),
        ).fetchall()
        out: list[Commit] = []
        for commit in map(read_log, reversed(found)):
            changes = tuple(change for change in commit.changes if change.row_key()[1] in wanted)
            out.append(
                Commit(
                    version=commit.version,
                    stamp=commit.stamp,
                    changes=changes,
                    erased=commit.erased,
                )
            )
        return out

    def log_of_episodes(self, space: str, episode_ids: Iterable[str]) -> list[Commit]:
        wanted = pack_json([each for each in dict.fromkeys(episode_ids) if each])
        found = self._con.execute(
            f"SELECT {LOG_COLUMNS} FROM log WHERE space_no = ? AND episode_id IN ({GIVEN})"
            " AND episode_id <> '' ORDER BY no",
            (self._space(space), wanted),
        )
        return [read_log(row) for row in found.fetchall()]

    # --- entities ---------------------------------------------------------------------------------

    def names(
        self, space: str, keys: Iterable[str], *, limit: int = 200
    ) -> dict[str, list[NameHit]]:
        number = self._space(space)
        # Most keys of a question are nobody's: which are not, one statement tells.
        borne = self._con.execute(_BORNE, (pack_json(list(dict.fromkeys(keys))), number))
        found = {key: self._bearers(number, key, limit) for (key,) in borne.fetchall()}
        return {key: hits for key, hits in found.items() if hits}

    def _bearers(self, number: int, key: str, limit: int) -> list[NameHit]:
        best: dict[str, tuple[Any, ...]] = {}
        for row in self._con.execute(_NAMES, (number, key)):
            if len(best) >= limit and row[0] not in best:
                break
            # By its own name before an alias, then the oldest of its aliases.
            if row[0] not in best or (not row[3], row[6]) < (not best[row[0]][3], best[row[0]][6]):
                best[row[0]] = row
        oldest = sorted(best.values(), key=lambda row: (row[4], row[0]))
        return [
            NameHit(entity_id=row[0], name=row[1], kind=row[2], primary=bool(row[3]))
            for row in oldest
        ]

    def name_counts(self, space: str, keys: Iterable[str], *, limit: int) -> dict[str, int]:
        number = self._space(space)
        counts = {
            key: int(self._con.execute(_NAME_COUNT, (number, key, limit)).fetchone()[0])
            for key in dict.fromkeys(keys)
        }
        return {key: count for key, count in counts.items() if count}

    def near_words(self, space: str, words: Iterable[str], *, limit: int) -> dict[str, list[str]]:
        number = self._space(space)
        out: dict[str, list[str]] = {}
        for word in dict.fromkeys(words):
            given = pack_json(slip_forms(word))
            if near := [
                row[0] for row in self._con.execute(_NEAR_WORDS, (number, given, word, limit))
            ]:
                out[word] = near
        return out

    def canonical(self, space: str, ids: Iterable[str]) -> dict[str, str]:
        wanted = list(dict.fromkeys(ids))
        found: dict[str, str] = dict(
            self._con.execute(
                "SELECT entity_id, canonical_id FROM canon WHERE space_no = ? AND entity_id IN "
                f"({GIVEN})",
                (self._space(space), pack_json(wanted)),
            ).fetchall()
        )
        return {entity_id: found.get(entity_id, entity_id) for entity_id in wanted}

    def members(self, space: str, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
        roots = list(dict.fromkeys(self.canonical(space, ids).values()))
        others: dict[str, list[str]] = {root: [] for root in roots}
        for root, entity_id in self._con.execute(
            "SELECT canonical_id, entity_id FROM canon WHERE space_no = ? AND canonical_id IN "
            f"({GIVEN})",
            (self._space(space), pack_json(roots)),
        ):
            others[root].append(entity_id)
        return {root: (root, *sorted(ids)) for root, ids in others.items()}

    def aliases(self, space: str, entity_ids: Iterable[str]) -> list[Alias]:
        return self._of_entities(Alias, space, entity_ids)

    def facts(
        self, space: str, entity_ids: Iterable[str], *, attributes: Iterable[str] | None = None
    ) -> list[Fact]:
        if attributes is None:
            return self._of_entities(Fact, space, entity_ids)
        where = f"space_no = ? AND entity_id IN ({GIVEN}) AND attribute IN ({GIVEN})"
        given = (
            pack_json(list(dict.fromkeys(entity_ids))),
            pack_json(list(dict.fromkeys(attributes))),
        )
        return _by_creation(self._rows(Fact, where, self._space(space), *given))

    def _of_entities(
        self, cls: type[_Created], space: str, entity_ids: Iterable[str]
    ) -> list[_Created]:
        wanted = pack_json(list(dict.fromkeys(entity_ids)))
        return _by_creation(
            self._rows(cls, f"space_no = ? AND entity_id IN ({GIVEN})", self._space(space), wanted)
        )

    def relations(
        self,
        space: str,
        entity_ids: Iterable[str],
        *,
        labels: Iterable[str] | None = None,
        end: Literal["either", "from", "to"] = "either",
    ) -> list[Relation]:
        given: list[Any] = [self._space(space), pack_json(list(dict.fromkeys(entity_ids)))]
        only = ""
        if labels is not None:
            only = f" AND label IN ({GIVEN})"
            given.append(pack_json(list(dict.fromkeys(labels))))
        columns = ("from_id", "to_id") if end == "either" else (f"{end}_id",)
        ends = [
            f"SELECT no FROM relations WHERE space_no = ? AND {name} IN ({GIVEN}){only}"
            for name in columns
        ]
        return _by_creation(
            self._rows(Relation, f"no IN ({' UNION '.join(ends)})", *given * len(columns))
        )

    def relations_between(
        self, space: str, entity_ids: Iterable[str], *, limit: int = 200
    ) -> list[Relation]:
        number = self._space(space)
        latest = (
            "invalid_at IS NULL AND expired_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ?"
        )
        found: dict[str, Relation] = {}
        for entity_id in dict.fromkeys(entity_ids):
            ends = [
                row
                for end in ("from_id", "to_id")
                for row in self._rows(
                    Relation, f"space_no = ? AND {end} = ? AND {latest}", number, entity_id, limit
                )
            ]
            unique = _by_creation({row.id: row for row in ends}.values())
            found.update({row.id: row for row in unique[max(len(unique) - limit, 0) :]})
        return _by_creation(found.values())[::-1]

    def supports(self, space: str, record_ids: Iterable[str]) -> dict[str, list[Support]]:
        wanted = pack_json(list(dict.fromkeys(record_ids)))
        rows = self._rows(
            Support, f"space_no = ? AND record_id IN ({GIVEN})", self._space(space), wanted
        )
        return group_by(_by_creation(rows), lambda row: row.record_id)

    def mentions(
        self, space: str, entity_ids: Iterable[str], *, limit: int = 1000
    ) -> list[Mention]:
        where = "space_no = ? AND entity_id = ? ORDER BY at DESC, id DESC LIMIT ?"
        number = self._space(space)
        rows = [
            row
            for entity_id in dict.fromkeys(entity_ids)
            for row in self._rows(Mention, where, number, entity_id, limit)
        ]
        return sorted(rows, key=lambda row: (row.at, row.id), reverse=True)[:limit]

    def mentions_in(self, space: str, episode_ids: Iterable[str]) -> list[Mention]:
        wanted = pack_json(list(dict.fromkeys(episode_ids)))
        rows = self._rows(
            Mention, f"space_no = ? AND episode_id IN ({GIVEN})", self._space(space), wanted
        )
        return sorted(rows, key=lambda row: (row.at, row.message_id, row.start, row.id))

    def counts(self, space: str, entity_ids: Iterable[str]) -> dict[str, EntityCounts]:
        members = self.members(space, entity_ids)
        every = pack_json([each for ids in members.values() for each in ids])
        found = {
            root: EntityCounts(
                mentions=count, first_seen=from_micros(first), last_seen=from_micros(last)
            )
            for root, count, first, last in self._con.execute(_COUNTS, (every, self._space(space)))
        }
        return {root: found[root] for root in members if root in found}

    def entity_ids(
        self, space: str, *, kinds: Sequence[str] = (), limit: int | None = None, offset: int = 0
    ) -> list[str]:
        return entity_listing.read_page(self._con, self._space(space), kinds, limit, offset)

    def reviews(
        self, space: str, *, state: Literal["open", "accepted", "refused"] | None = "open"
    ) -> list[Review]:
        where = "space_no = ?1 AND (?2 IS NULL OR state = ?2)"
        return _by_creation(self._rows(Review, where, self._space(space), state))

    def verdicts(self, space: str, cls: type[V], entity_ids: Iterable[str]) -> list[V]:
        given = (self._space(space), pack_json(list(dict.fromkeys(entity_ids))))
        found = [
            f"SELECT no FROM {TABLES[cls]} WHERE space_no = ? AND {end} IN ({GIVEN})"
            for end in _ENDS[cls]
        ]
        return _by_creation(self._rows(cls, f"no IN ({' UNION '.join(found)})", *given, *given))

    def notes(  # noqa: PLR0913 - as in the port
        self,
        space: str,
        *,
        categories: Sequence[str] = (),
        projects: Sequence[str] = (),
        persistent: bool | None = None,
        min_importance: float = 0.0,
        since: datetime | None = None,
        now: datetime | None = None,
        containing: str = "",
        order: Literal["latest", "importance"] = "latest",
        limit: int | None = None,
    ) -> list[Note]:
        where, values = note_queries.choose_notes(
            self._space(space),
            categories=categories,
            projects=projects,
            persistent=persistent,
            min_importance=min_importance,
            since=since,
            now=now,
            containing=containing,
            order=order,
            limit=limit,
        )
        return self._rows(Note, where, *values)

    def observations(
        self,
        space: str,
        entity_ids: Iterable[str],
        *,
        sorts: Sequence[ObservationSort] = (),
        limit: int | None = None,
    ) -> list[Observation]:
        about, given = pack_json(list(dict.fromkeys(entity_ids))), pack_json(list(sorts))
        most = -1 if limit is None else limit
        return self._rows(
            Observation, note_queries.OBSERVED, self._space(space), about, given, most
        )

    def observations_in(self, space: str, episode_ids: Iterable[str]) -> list[Observation]:
        return self._rows(
            Observation,
            f"space_no = ? AND source_episode_id <> '' AND source_episode_id IN ({GIVEN})"
            " ORDER BY id",
            self._space(space),
            pack_json(list(dict.fromkeys(episode_ids))),
        )

    def note_categories(self, space: str, *, now: datetime | None = None) -> dict[str, int]:
        return note_queries.count_categories(self._con, self._space(space), now)

    # --- housekeeping -----------------------------------------------------------------------------

    def without_vector(
        self, space: str | None, model: str, *, limit: int
    ) -> list[tuple[str, str, str]]:
        row = self._con.execute("SELECT no FROM models WHERE name = ?", (model,)).fetchone()
        known = self._con.execute("SELECT no FROM models")
        others = [0, *(no for (no,) in known if row is None or no != row[0])]
        low, high = 0, 1 << 62
        if space is not None:
            number = self._space(space)
            low, high = number << 32, (number + 1) << 32
        found: list[tuple[int, str, int, str]] = []
        for other in others:
            found += self._con.execute(
                "SELECT l.line_no, s.name, l.kind, l.id FROM lines l JOIN spaces s ON s.no = "
                "l.space_no"
                " WHERE l.vector_model = ? AND l.line_no > ? AND l.line_no < ? AND l.kind IN "
                f"{_EMBEDDED}"
                " ORDER BY l.line_no LIMIT ?",
                (other, low, high, limit),
            )
        texts = (
            (name, line_id, self._embedded(name, kind, line_id))
            for _, name, kind, line_id in sorted(found)[:limit]
        )
        return [row for row in texts if row[2]]

    def embedded(self, space: str, ids: Iterable[str]) -> dict[str, str]:
        """The texts of lines that have a vector, or shall have one, by id."""
        found = self._con.execute(
            "SELECT kind, id FROM lines WHERE space_no = ? AND id IN (SELECT value FROM "
            "json_each(?))"
            f" AND kind IN {_EMBEDDED}",
            (self._space(space), pack_json(list(ids))),
        ).fetchall()
        return {line_id: self._embedded(space, kind, line_id) for kind, line_id in found}

    def _embedded(self, space: str, kind: int, line_id: str) -> str:
        if kind == KIND_NUMBERS["message"]:
            return self.messages(space, [line_id])[line_id].text
        row = self.get(space, _EMBEDDED_ROWS[kind], [line_id]).get(line_id)
        line = derive_record_line(row) if row is not None else None
        return line.embed if line is not None else ""


def _by_creation(rows: Iterable[_Created]) -> list[_Created]:
    return sorted(rows, key=lambda row: (row.created_at, row.id))
