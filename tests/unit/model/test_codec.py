"""Values survive the way to JSON and back."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.model.change import Change
from factbook.model.codec import (
    from_json,
    pack_change,
    pack_record,
    to_json,
    to_json_full,
    unpack_change,
    unpack_record,
)
from factbook.model.draft import Draft, DraftEntity, DraftMention, Dropped
from factbook.model.episode import Message
from factbook.model.record import RECORD_TYPES, EntityRecord, EntityType, Fact, Record, SameAs
from factbook.model.source import Source

AT = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)

_times = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))
_extra: dict[type, st.SearchStrategy[Any]] = {datetime: _times, float: st.floats(allow_nan=False)}


def records() -> st.SearchStrategy[Record]:
    """Rows of every type with any content."""
    for cls, strategy in _extra.items():
        st.register_type_strategy(cls, strategy)
    return st.one_of([st.builds(cls) for cls in RECORD_TYPES])


@given(records())
def test_every_row_of_the_record_survives_json(row: Record) -> None:
    packed = json.loads(json.dumps(pack_record(row)))
    assert packed["type"] == type(row).__name__
    assert unpack_record(packed) == row


@given(st.none() | records(), st.none() | records())
def test_every_change_survives_json(before: Record | None, after: Record | None) -> None:
    change = Change(before=before, after=after)
    assert unpack_change(json.loads(json.dumps(pack_change(change)))) == change


def test_a_draft_survives_json() -> None:
    mention = DraftMention(message_id="m1", start=0, end=5, text="Alice")
    draft = Draft(
        episode_id="e1",
        extractor="local/1",
        entities=(
            DraftEntity(
                ref="e1", name="Alice", kind="person", mentions=(mention,), metadata={"a": "b"}
            ),
        ),
        dropped=(Dropped(reason="ungrounded", what="Bob"),),
    )
    assert from_json(Draft, json.loads(json.dumps(to_json(draft)))) == draft


def test_fields_with_their_default_are_left_out() -> None:
    row = SameAs(id="s1", entity_id="a", canonical_id="b", created_at=AT)
    assert to_json(row) == {
        "id": "s1",
        "entity_id": "a",
        "canonical_id": "b",
        "created_at": "2026-03-02T09:30:00+00:00",
    }


def test_the_full_form_writes_every_field_out() -> None:
    fact = Fact(id="f1", entity_id="a", attribute="role", value="lead", created_at=AT)
    full = to_json_full({"facts": [fact], "nothing": None})
    assert full["facts"][0]["expired_at"] is None
    assert full["facts"][0]["source"]["speaker"] == ""
    assert full["nothing"] is None


def test_a_lifespan_is_written_in_seconds() -> None:
    kind = EntityType(id="rumour", lifespan=timedelta(days=2), attributes={"truth": "single"})
    assert to_json(kind)["lifespan"] == 172800.0
    assert from_json(EntityType, to_json(kind)) == kind


def test_times_of_other_zones_become_utc_and_bare_ones_are_read_as_utc() -> None:
    local = AT.astimezone(timezone(timedelta(hours=2)))
    assert to_json(local) == "2026-03-02T09:30:00+00:00"
    assert from_json(datetime, "2026-03-02T09:30:00") == AT
    assert from_json(datetime, "2026-03-02T11:30:00+02:00") == AT


def test_fields_of_a_newer_writer_are_ignored() -> None:
    assert from_json(Source, {"speaker": "Ada", "mood": "calm"}) == Source(speaker="Ada")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"type": "Dragon", "id": "d"}, ValueError),
        ({"type": "SameAs", "id": "s"}, TypeError),
        ({"type": "EntityRecord", "id": 7, "name": "x"}, TypeError),
        ({"type": "Alias", "id": "a", "source": []}, TypeError),
        ({"type": "SameAs", "id": "s", "evidence": "no list"}, TypeError),
        ({"type": "Fact", "id": "f", "grain": "fortnight"}, ValueError),
        ({"id": "x"}, KeyError),
    ],
)
def test_what_is_no_row_is_refused(data: dict[str, Any], what: type[Exception]) -> None:
    with pytest.raises(what):
        unpack_record(data)


def test_a_value_without_a_json_form_is_refused() -> None:
    with pytest.raises(TypeError, match="no JSON form for set"):
        to_json({"x": {1}})
    with pytest.raises(TypeError, match="only unions with None"):
        from_json(int | str, 1)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def test_plain_values_lists_and_objects_are_read_by_their_hints() -> None:
    assert from_json(list[int], [1, 2]) == [1, 2]
    assert from_json(dict[str, float], {"a": 1}) == {"a": 1.0}
    assert from_json(object, {"any": ["thing"]}) == {"any": ["thing"]}
    assert from_json(Message, {"text": "hi"}) == Message("hi")
    assert (
        from_json(
            EntityRecord, to_json(EntityRecord(id="e", name="A", created_at=AT, updated_at=AT))
        ).name
        == "A"
    )
