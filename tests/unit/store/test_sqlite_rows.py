"""Rows of the record as table rows: nothing is lost on the way."""

from __future__ import annotations

import sqlite3
from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.model.record import RECORD_TYPES, EntityRecord, Record
from factbook.model.source import Source
from factbook.store import open_store
from factbook.store.sqlite.row_codecs import TABLES, codec_of, from_micros, to_micros
from tests.support.builders import at, entity

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
TIMES = st.datetimes(timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))]))


@st.composite
def records(draw: st.DrawFn) -> Any:
    return draw(st.builds(draw(st.sampled_from(RECORD_TYPES))))


st.register_type_strategy(datetime, TIMES)
st.register_type_strategy(str, TEXTS)
st.register_type_strategy(float, st.floats(allow_nan=False))
st.register_type_strategy(int, st.integers(-(2**63), 2**63 - 1))


@given(records())
def test_every_row_survives_its_table(record: Any):
    rows = codec_of(type(record))
    with sqlite3.connect(":memory:") as con:
        con.execute(f"CREATE TABLE {rows.table} (space_no, {rows.columns})")
        con.execute(rows.insert, (1, *rows.values(record)))
        back = rows.record(con.execute(rows.select, (1, record.id)).fetchone())
    con.close()
    assert back == record
    assert type(back) is type(record)


@pytest.mark.parametrize("cls", RECORD_TYPES, ids=lambda cls: cls.__name__)
def test_the_migrations_have_a_column_for_every_field(cls: type[Record], tmp_path: Path):
    store = open_store(str(tmp_path / "a.db"))
    store.close()
    con = sqlite3.connect(tmp_path / "a.db")
    columns = [name for _, name, *_ in con.execute(f"PRAGMA table_info({TABLES[cls]})")]
    con.close()
    assert sorted(columns) == sorted(["no", "space_no", *codec_of(cls).names])


def test_times_are_kept_to_the_microsecond_and_come_back_in_utc():
    odd = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone(timedelta(hours=-7)))
    for time in (at(1), datetime(1, 1, 1, tzinfo=UTC), at().replace(microsecond=1)):
        assert from_micros(to_micros(time)) == time
        assert from_micros(to_micros(time)).tzinfo is UTC
    with pytest.raises(OverflowError):
        to_micros(odd)


def test_empty_mappings_and_tuples_take_no_space():
    rows = codec_of(EntityRecord)
    values = dict(zip(rows.names, rows.values(entity("ada")), strict=True))
    assert values["metadata"] is None
    assert values["created_at"] == to_micros(at())


@pytest.mark.parametrize("cls", [*RECORD_TYPES, Source])
def test_no_row_has_anything_to_do_when_it_is_made(cls: type[Any]):
    """Rows are made slot by slot: whoever gives one a `__post_init__` calls it in `rows._made`."""
    assert not hasattr(cls, "__post_init__")
    assert set(cls.__slots__) == {field.name for field in fields(cls)}
