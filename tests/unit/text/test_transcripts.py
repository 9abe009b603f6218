"""Messages as other programs write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from factbook.errors import InputError
from factbook.model.episode import Message
from factbook.text.transcripts import as_message


def test_the_forms_of_the_big_providers_are_read() -> None:
    assert as_message({"role": "user", "content": "hi"}) == Message("hi")
    assert as_message(
        {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "image"}, "b"]}
    ) == (Message("a\nb", "assistant"))
    assert as_message({"role": "developer", "content": "rules"}).role == "system"
    assert as_message({"role": "function", "content": "42"}).role == "tool"


def test_a_name_for_a_role_is_the_speaker() -> None:
    assert as_message({"role": "Tom", "content": "hi"}) == Message("hi", speaker="Tom")
    assert as_message({"speaker": "Tom", "text": "hi", "id": 7}) == Message(
        "hi", speaker="Tom", id="7"
    )


@pytest.mark.parametrize(
    "written", ["2026-01-02T00:00:00+00:00", "2026-01-02T00:00:00Z", 1767312000, 1767312000.0]
)
def test_times_are_read(written: object) -> None:
    assert as_message({"content": "x", "timestamp": written}).at == datetime(2026, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize("written", ["yesterday-ish", 1e30, True])
def test_a_time_that_cannot_be_read_is_said(written: object) -> None:
    with pytest.raises(InputError, match="not a time"):
        as_message({"content": "x", "at": written})


@pytest.mark.parametrize("data", [{}, {"text": None}, {"content": 7}])
def test_a_message_without_text_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(InputError, match="needs a text"):
        as_message(data)


def test_a_call_of_a_tool_has_no_text() -> None:
    assert as_message({"role": "assistant", "content": None, "tool_calls": []}) == Message(
        "", "assistant"
    )


def test_an_id_of_zero_is_an_id() -> None:
    assert as_message({"content": "x", "id": 0}).id == "0"
