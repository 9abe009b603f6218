"""Conversations in files, of every form and with every fault."""

from __future__ import annotations

import io
import json
import tracemalloc
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from factbook.errors import InputError
from factbook.model.episode import Message
from factbook.text import text_stream
from factbook.text import transcript_files as room
from factbook.text.transcript_files import LONGEST_TEXT, FileMessage, read_transcript

HI = '{"role": "user", "content": "hi"}'
YO = '{"role": "assistant", "content": "yo"}'
DAY = datetime(2026, 3, 2, tzinfo=UTC)


def read(data: str | bytes) -> tuple[list[FileMessage], str]:
    """What is handed out, and the fault after it."""
    out: list[FileMessage] = []
    try:
        for each in read_transcript(io.BytesIO(data.encode() if isinstance(data, str) else data)):
            out.append(each)  # noqa: PERF402 - what came before the fault counts
    except InputError as error:
        return out, str(error)
    return out, ""


def said(data: str | bytes) -> list[tuple[int, str, str]]:
    """(line, speaker or role, text) of a file without faults."""
    out, fault = read(data)
    assert fault == ""
    return [
        (each.line, each.message.speaker or each.message.role, each.message.text) for each in out
    ]


# ---------------------------------------------------------------- JSON


def test_json_lines_are_messages() -> None:
    assert said(f"{HI}\n\n{YO}\r\n") == [(1, "user", "hi"), (3, "assistant", "yo")]


def test_json_lines_may_hold_whole_conversations() -> None:
    lines = f'{{"messages": [{HI}, {YO}]}}\n[{HI}]\n"a text"\n'
    assert said(lines) == [
        (1, "user", "hi"),
        (1, "assistant", "yo"),
        (2, "user", "hi"),
        (3, "user", "a text"),
    ]


def test_sessions_are_read_where_they_stand() -> None:
    lines = '{"content": "a", "session": "s1"}\n{"messages": [{"content": "b"}], "thread_id": 7}\n{"content": "c"}'
    assert [each.session for each in read(lines)[0]] == ["s1", "7", ""]


def test_a_log_of_an_agent_gives_what_was_said() -> None:
    lines = [
        {"type": "summary", "summary": "Atlas"},
        {
            "type": "user",
            "uuid": "u1",
            "sessionId": "s",
            "timestamp": "2026-03-02T00:00:00Z",
            "message": {"role": "user", "content": "who leads Atlas?"},
        },
        {"role": "assistant", "content": None, "tool_calls": []},
    ]
    out, fault = read("\n".join(map(json.dumps, lines)))
    assert fault == ""
    assert [(each.message, each.session) for each in out] == [
        (Message("who leads Atlas?", at=DAY, id="u1"), "s")
    ]


@pytest.mark.parametrize(
    "form",
    [
        f"[{HI},{YO}]",
        f"  [\n {HI}\n,\n{YO} ]\n",
        f'{{"model": "x", "n": 1, "messages": [{HI}, {YO}]}}',
        f'{{\n"messages": [{HI},\n{YO}],\n"n": [1, {{"a": null}}]\n}}',
        f"\ufeff[{HI},{YO}]",
    ],
)
def test_a_json_document_is_its_messages(form: str) -> None:
    assert [(who, text) for _, who, text in said(form)] == [("user", "hi"), ("assistant", "yo")]


def test_a_document_gives_lines_and_the_session_before_its_list() -> None:
    out, _ = read(f'{{\n"session": "s1",\n"messages": [\n{HI},\n{YO}]}}')
    assert [(each.line, each.session) for each in out] == [(4, "s1"), (5, "s1")]


@pytest.mark.parametrize(
    "form", ['{\n"role": "user",\n"content": "hi"\n}', '{"content": "hi"}', '[{"content": "hi"}]']
)
def test_one_message_alone_is_read(form: str) -> None:
    assert [text for _, _, text in said(form)] == ["hi"]


@pytest.mark.parametrize(
    ("data", "before", "fault"),
    [
        (
            f'{HI}\n{YO}\n{{"role": "user", "content": "x\n{HI}',
            2,
            "line 3: not JSON (unterminated string)",
        ),
        (f"{HI}\nhello\n{HI}", 1, "line 2: not JSON (expecting value)"),
        (f"{HI} {HI}\n", 0, "line 1: not JSON (extra data)"),
        (f"{HI}\n7\n", 1, "line 2: a message was expected, not 7"),
        (f'{HI}\n{{"a": 1}}\n', 1, "line 2: a message needs a text under 'content' or 'text'"),
        (
            f'{HI}\n{{"content": "x", "at": "soon"}}',
            1,
            "line 2: not a time: 'soon' (ISO 8601 or seconds since 1970)",
        ),
        (f"{HI}\n" + '{"a":' * 30_000, 1, "line 2: not JSON (nested too deeply)"),
        (f"{HI}\n" + "9" * 5000, 1, "line 2: not JSON (a number too long)"),
        (
            '{"role": "user" "content": "hi"}\n' + HI,
            0,
            "line 1: not JSON (expecting ',' delimiter)",
        ),
        ('{"a":' * 30_000, 0, "line 1: not JSON (nested too deeply)"),
        (f"[{HI}", 1, "line 1: not JSON (it breaks off)"),
        (f"[{HI}\n{HI}]", 1, "line 2: not JSON (expecting , or ])"),
        (f"[{HI},\n", 1, "line 2: not JSON (expecting value)"),
        (f"[{HI}]\n\n{HI}", 2, ""),
        (f"[{HI}]\n\nand", 1, "line 3: not JSON (more follows after its end)"),
        (
            f'{{\n"messages": [\n{HI},\n{{"role": "user" "content": 1}}]}}',
            1,
            "line 4: not JSON (expecting ',' delimiter)",
        ),
        (f'{{\n"messages": [{HI}]\n"n": 1}}', 1, "line 3: not JSON (expecting , or })"),
        ('{\n"messages"', 0, "line 2: not JSON (it breaks off)"),
        ("{\n7: 8}", 0, "line 2: not JSON (expecting a name and a colon)"),
        ('[{"content": "hi"}, [' * 2 + "[" * 100_000, 1, "line 1: not JSON (nested too deeply)"),
        ("{}", 0, "line 1: a message needs a text under 'content' or 'text'"),
        (f"{HI}\n{YO}\n".encode() + b'{"content": "\xff"}', 2, "line 3: not text in UTF-8"),
        (f"[{HI},\n".encode() + b'{"content": "\xff"}]', 1, "line 2: not text in UTF-8"),
    ],
)
def test_a_fault_is_told_with_its_line_after_what_is_whole(
    data: str | bytes, before: int, fault: str
) -> None:
    out, told = read(data)
    assert (len(out), told) == (before, fault)


@pytest.mark.parametrize("cut", range(1, 120, 7))
def test_a_document_may_be_cut_anywhere_by_the_windows(
    cut: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_stream, "_CHUNK", cut)
    form = f'{{"n": 12345678901234567890, "s": "\\"é日[{{",\n"messages": [{HI}, {YO}, {HI}]}}'
    assert [text for _, _, text in said(form)] == ["hi", "yo", "hi"]
    assert [text for _, _, text in said(f"{HI}\n{YO}\n{HI}")] == ["hi", "yo", "hi"]
    assert [text for _, _, text in said("one é\n\ntwo 日")] == ["one é", "two 日"]


def test_a_line_or_a_message_beyond_measure_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "LONGEST_VALUE", 2**20)
    long = json.dumps({"content": "x" * 2**23})
    assert [read(form)[1] for form in (f"{HI}\n{long}\n{HI}", f"[{HI},\n{long}]")] == [
        "line 2: longer than 16 MB"
    ] * 2


def test_json_lines_may_begin_with_a_huge_one() -> None:
    assert [
        len(text) for _, _, text in said(json.dumps({"content": "x" * 2**21}) + f"\n{HI}\n")
    ] == [2**21, 2]


@pytest.mark.parametrize("form", ["lines", "document", "text"])
def test_a_large_file_is_read_in_little_memory(form: str) -> None:
    count = 15_000
    message = json.dumps(
        {"role": "user", "content": "Tom moved the review to Tuesday because of the release. " * 20}
    )
    data = {
        "lines": (message + "\n") * count,
        "document": f'{{"messages": [{", ".join([message] * count)}]}}',
        "text": "Tom moved the review to Tuesday. " * 40 * count,
    }[form].encode()
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_transcript(io.BytesIO(data))) >= len(data) // (2 * LONGEST_TEXT)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


def test_offsets_grow_to_the_size_of_the_file() -> None:
    data = f"{HI}\n" * 10_000
    offsets = [each.offset for each in read(data)[0]]
    assert offsets == sorted(offsets)
    assert offsets[0] < len(data)
    assert offsets[-1] == len(data)


# ---------------------------------------------------------------- other files


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "there is no text in it"),
        (b" \n\t\n", "there is no text in it"),
        (b"\x7fELF\x00\x00\x01", "not text, but a binary file"),
        (b"%PDF-1.7 ...", "not text, but a binary file"),
        (b"PK\x03\x04zip", "not text, but a binary file"),
        (b"caf\xe9", "line 1: not text in UTF-8"),
    ],
)
def test_a_file_that_is_no_text_is_told(data: bytes, fault: str) -> None:
    assert read(data) == ([], fault)


def test_utf_16_is_read() -> None:
    assert said("héllo\n\nAda".encode("utf-16")) == [(1, "user", "héllo"), (3, "user", "Ada")]


# ---------------------------------------------------------------- plain text


def test_a_paragraph_is_a_message() -> None:
    assert said("Ada leads Atlas.\nShe lives in Lisbon.\n\n\nTom is in billing.\n") == [
        (1, "user", "Ada leads Atlas.\nShe lives in Lisbon."),
        (5, "user", "Tom is in billing."),
    ]


def test_a_date_alone_on_a_line_dates_what_follows() -> None:
    out, _ = read("before\n\n# 2026-03-02\nAda moved.\n2026-99-99\n\nTom too.")
    assert [(each.message.text, each.message.at) for each in out] == [
        ("before", None),
        ("Ada moved.", DAY),
        ("Tom too.", DAY),
    ]


def test_a_chat_log_gives_speakers() -> None:
    text = "Ada: I moved to Lisbon.\nTom Berger: Great!\nand more\n\nAda: bye\nMe: see you\nAssistant: noted"
    assert said(text) == [
        (1, "Ada", "I moved to Lisbon."),
        (2, "Tom Berger", "Great!\nand more"),
        (5, "Ada", "bye"),
        (6, "user", "see you"),
        (7, "assistant", "noted"),
    ]


def test_a_chat_log_gives_times() -> None:
    log = "[2026-03-02 00:00] Ada: the deadline is May 1.\n2026-03-02T02:00:00+02:00 - **Tom:** that is too soon\n# 2026-03-03\nAda: ok then."
    out, _ = read(log)
    assert [each.message.at for each in out] == [DAY, DAY, DAY.replace(day=3)]
    assert [each.message.speaker for each in out] == ["Ada", "Tom", "Ada"]


def test_what_stands_before_the_first_speaker_is_kept() -> None:
    assert said("Exported chat\nAda: good morning.\nTom: good morning.")[0] == (
        1,
        "user",
        "Exported chat",
    )


@pytest.mark.parametrize(
    "text", ["Deadline: May\nOwner: Priya\nBudget: 100", "Note: buy milk", "http://x.example: yes"]
)
def test_headings_are_no_speakers(text: str) -> None:
    assert said(text) == [(1, "user", text)]


@pytest.mark.parametrize("text", ["[10:15] a log line", "{{ template }}", "[note] {x}", "[1, 2]"])
def test_brackets_alone_make_no_json(text: str) -> None:
    assert said(text) == [(1, "user", text)]


def test_a_long_paragraph_is_cut_where_a_sentence_ends() -> None:
    text = "Ada moved the review to Tuesday. " * 400
    parts = [part for _, _, part in said(text)]
    assert all(len(part) <= LONGEST_TEXT and part.endswith("Tuesday.") for part in parts)
    assert " ".join(parts) == text.strip()


@pytest.mark.parametrize(
    "text", ["word " * 3000, "x" * 9000, ("Ada: " + "word " * 3000 + "\n") * 2]
)
def test_nothing_is_lost_where_no_sentence_ends(text: str) -> None:
    parts = [part for _, _, part in said(text)]
    assert all(len(part) <= LONGEST_TEXT for part in parts)
    assert "".join("".join(parts).split()) == "".join(text.replace("Ada: ", "").split())


def test_a_paragraph_without_end_is_handed_out_in_between() -> None:
    text = (
        "Tom: hi.\nAda: hi.\n" * 20
        + "Ada: begin.\n"
        + "and so on, Tom said.\n" * 8000
        + "Tom: end."
    )
    out = said(text)
    assert {who for _, who, _ in out[:-1]} <= {"Ada", "Tom"}
    assert out[-1][1:] == ("Tom", "end.")
    assert sum(part.count("and so on") for _, _, part in out) == 8000


@settings(max_examples=200)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_read_or_told(data: bytes) -> None:
    out, fault = read(data)
    assert (
        out
        or fault
        or data.strip().startswith((b"[", b"{", b"\xef\xbb\xbf"))
        or not data.strip(b" \n\r\t\x0b\x0c")
    )


@settings(max_examples=100)
@given(st.lists(st.text(min_size=1), min_size=1, max_size=8), st.integers(1, 40))
def test_what_is_written_as_json_is_read_again(texts: list[str], chunk: int) -> None:
    messages = [{"role": "user", "content": text} for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_stream, "_CHUNK", chunk)
        for form in (
            "\n".join(map(json.dumps, messages)),
            json.dumps(messages),
            json.dumps({"messages": messages}, indent=1),
        ):
            assert [text for _, _, text in said(form)] == texts
