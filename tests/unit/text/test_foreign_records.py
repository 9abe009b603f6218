"""Chats of others in forms that are not read are told from one's own words, and records whose
author or time is not read.
"""

from __future__ import annotations

import io
from typing import Any

import pytest

from factbook import InputError, Memory
from factbook.text.foreign_chats import speakers_in
from factbook.text.transcript_files import read_transcript
from factbook.text.transcripts import as_message

CHATS = {
    "wa media": '12/31/25, 11:59 PM - Messages and calls are end-to-end encrypted.\n12/31/25, 11:59 PM - You created group "Family"\n12/31/25, 11:59 PM - Ada: <Media omitted>\n1/1/26, 12:00 AM - Tom Berger: Happy new year!',
    "wa br": "02/03/2026 10:15 - Ada: olá\n02/03/2026 10:16 - João da Silva: oi",
    "tg desktop": "Ada Moss, [2. Mar 2026 at 10:15:22]:\nhello\n\nTom, [2. Mar 2026 at 10:16:22]:\nhi\n\nTom, [2. Mar 2026 at 10:16:42]:\nso",
    "weechat": "2026-03-02 10:15:22\tada\thello\n2026-03-02 10:16:22\ttom\thi",
    "meet": "Ada Moss\n00:00:12\nHello everyone.\nTom Berger\n00:00:15\nHi.\nAda Moss\n00:00:20\nFine.",
    "otter": "Ada Moss  0:12  \nHello everyone.\n\nTom Berger  0:15  \nHi.\n\nAda Moss  0:20  \nFine.",
    "imsg": "Ada Moss (02/03/2026, 10:15:22): hello\nTom (02/03/2026, 10:15:42): hi",
    "chat zulip": "**Ada Moss** 10:15 AM\nhello\n**Tom** 10:16 AM\nhi\n**Ada Moss** 10:17\nok",
    "hebrew": "\u200f02.03.2026, 10:15 - \u202aעדה\u202c: שלום\n02.03.2026, 10:16 - תום: היי",
    "wa de": "02.03.26, 10:15 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.\n02.03.26, 10:15 - Ada: hallo\n02.03.26, 10:16 - Tom Berger: na du\nund noch was",
    "wa ios": "[02/03/2026, 10:15:22] Ada: hello\n[02/03/2026, 10:15:50] Tom: hi\nwhat's up",
    "wa us": "3/2/26, 10:15 PM - Ada Moss: hello\n3/2/26, 10:16 PM - +49 170 1234567: hi",
    "wa us nnbsp": "3/2/26, 10:15\u202fPM - Ada Moss: hello\n3/2/26, 10:16\u202fPM - Bo: hi",
    "telegram": "Ada, [02.03.2026 10:15]\nhello\n\nTom, [02.03.2026 10:16]\nhi\n\nAda, [02.03.2026 10:17]\nok",
    "slack": "Ada Moss  10:15 AM\nhello\nTom  10:16 AM\nhi there\nAda Moss  10:20 AM\nok",
    "discord": "Ada — 02/03/2026 10:15\nhello\nTom — 02/03/2026 10:16\nhi\nAda — Today at 10:17\nok",
    "discord2": "Ada — Today at 10:15 AM\nhello\nTom — Today at 10:16 AM\nhi\nTom — Yesterday at 10:17 PM\nok",
    "irc": "[10:15] <ada> hello\n[10:16] <tom> hi\n[10:17] <ada> ok",
    "irc2": "10:15 <ada> hello\n10:16 < tom> hi\n10:17 <@ada> ok",
    "irc3": "<ada> hello\n<tom> hi\n<ada> all good?",
    "zoom": "10:15:22 From Ada Moss to Everyone: hello\n10:15:30 From Tom to Everyone: hi\n10:15:40 From Tom to Everyone: well",
    "teams": "[10:15] Ada Moss: hello\n[10:16] Tom Berger: hi",
    "line": "10:15\tAda\thello\n10:16\tTom\thi\n10:17\tTom\tah",
    "skype": "[02.03.26 10:15:22] Ada Moss: hello\n[02.03.26 10:15:44] Tom: hi",
    "transcript": "Ada Moss (00:12): hello everybody\nTom (00:15): hi\nAda Moss (00:20): fine",
    "transcript2": "Ada Moss 0:12\nhello everybody\nTom 0:15\nhi\nAda Moss 0:20\nfine",
    "csv": "timestamp,sender,message\n2026-03-02 10:15,Ada,hello",
    "csv2": "2026-03-02 10:15,Ada,hello\n2026-03-02 10:16,Tom,hi",
    "csv3": "Date;Author;Text\n02.03.2026;Ada;hello",
    "kakao": "[Ada] [10:15 AM] hello\n[Tom] [10:16 AM] hi\n[Ada] [10:17 AM] ok",
    "unstamped long": "Ada: hello\n\nwell I wanted to say\n\nmany things\n\nand more\n\nTom: hi\n\nok so\n\nfine\n\nand\n\nAda: bye\n\nTom: bye\n",
    "instagram html copy": "Ada Moss\nhello\nMar 02, 2026 10:15 am\nTom\nhi\nMar 02, 2026 10:16 am\nAda Moss\nok\nMar 02, 2026 10:17 am\nTom\nfine\nMar 02, 2026 10:19 am",
    "imessage": "Mar 02, 2026 10:15:22 AM\nAda\nhello\n\nMar 02, 2026 10:16:22 AM\nTom\nhi\n\nMar 02, 2026 10:17:22 AM\nAda\nok",
    "android sms": "2026-03-02 10:15:22 - Ada - hello\n2026-03-02 10:16:22 - Tom - hi",
    "matrix": "10:15 Ada Moss: hello\n10:16 tom: hi\n10:17 tom: hey",
    "fr": "02/03/2026 à 10h15 - Ada: salut\n02/03/2026 à 10h16 - Tom: ça va",
    "vtt": "WEBVTT\n\n00:00:01.000 --> 00:00:03.000\n<v Ada Moss>hello there\n\n00:00:04.000 --> 00:00:06.000\n<v Tom>hi\n\n00:00:07.000 --> 00:00:08.000\n<v Tom>well",
    "wa jp": "2026/03/02 10:15 - Ada: hello\n2026/03/02 10:16 - Tom: hi",
}
OWN = {
    "own changelog": "## 1.2.0 - 2026-03-02\n- Fixed: crash\n- Added: thing\n## 1.1.0 - 2026-02-01\n- Fixed: bug",
    "own receipt": "02.03.2026 10:15\nMilk 1,20\nBread 2,50\nTotal 3,70",
    "own quotes": '"Be brave": so she said.\n"Be kind": so he said.',
    "own journal": "02.03.2026 10:15 - went for a run\n03.03.2026 11:00 - slept late, then work",
    "own tasks": "- [ ] 10:00 call Ada\n- [x] 11:00 mail Tom",
    "own flight": "LH 123 FRA 10:15 - LIS 12:10\nLH 124 LIS 13:15 - FRA 17:10",
    "own recipe": "Time: 10:15\nOven: 180\nServe: hot",
    "own essay": "The chat began at 10:15 - Ada was late: she always is.\nThen we went on.",
    "own mdtable": "| name | age |\n|---|---|\n| Ada | 5 |",
    "own diary": "Monday, 2 March 2026, 10:15\nAda came. We talked.\nTuesday, 3 March 2026, 09:00\nTom left.",
    "own ical": "BEGIN:VEVENT\nDTSTART:20260302T101500\nSUMMARY:Lunch\nEND:VEVENT",
    "diary": "2026-03-02\nToday I met Ada. She said: come over.\n\n2026-03-03\nStayed home.",
    "agenda": "10:00 Dentist\n11:30 Lunch with Bo\n14:00 Stand-up: roadmap",
    "todo": "Monday: call Ada\nTuesday: dentist\nWednesday: rest",
    "notes": "Pros: cheap\nCons: far away\n\nWe decided to go.",
    "prose": "Ada called at 10:15. She was angry.\n\nTom said: no way.",
    "log": "2026-03-02 10:15:22 INFO start\n2026-03-02 10:15:23 ERROR failed: disk full",
    "code": "def f(x):\n    return x\nclass A:\n    x: int = 3\n    y: str = ''\n",
    "html": "<p> hello\n<div> hi\n<p> more\n<b> x",
    "meeting": "Meeting 2026-03-02 10:00\nAttendees: Ada, Tom\nDecisions: none\nActions: Tom writes",
    "times": "9:00 - 10:00 breakfast\n10:00 - 11:00 work\n",
    "diary2": "10:15 woke up\n10:30 had coffee with Ada\n12:00 lunch",
    "csv": "name,age,city\nAda,5,Porto",
    "train": "ICE 579 10:15\nRE 5 11:20\nICE 579 12:15",
    "ratio": "Final score 3:1\nHalf time 1:0",
    "diary3": "2 March 2026 10:15\nMet Ada.\n\n3 March 2026 11:00\nMet Tom.",
    "agenda2": "09:00 Standup: roadmap\n10:00 Review: sprint\n11:00 1:1 with Bo",
}
UNREAD: list[dict[str, Any]] = [
    {"user": "Bo", "text": "hi"},
    {"author": {"name": "Bo", "id": 5}, "content": "hi"},
    {"from": "Bo", "text": "hi", "ts": "1700000000.1"},
    {"sender_name": "Bo", "timestamp_ms": 1700000000000, "content": "hi"},
    {"nick": "bo", "text": "hi"},
    {"sentBy": "Bo", "text": "x"},
    {"fromUser": "Bo", "text": "x"},
    {"role": "user", "content": "x", "author": "Bo"},
    {"role": "user", "content": "x", "sentAt": "2026-03-02T10:00:00Z"},
    {"role": "user", "content": "x", "createdDateTime": "2026-03-02T10:00"},
    {"Speaker": "Bo", "text": "x"},
    {"Name": "Bo", "text": "x"},
    {"text": "x", "posted": "March 2, 2026"},
    {"text": "x", "metadata": {"user": "bo"}},
    {"text": "x", "metadata": {"timestamp": 1700000000}},
    {"u": {"username": "bo"}, "text": "x"},
    {"user_id": "U1", "text": "x"},
    {"text": "x", "when": "02.03.2026 10:01"},
    {"text": "x", "sender_full_name": "Bo"},
    {"text": "x", "create_at": 1700000000000},
    {"role": "assistant", "content": "x", "sent_at": 1700000000},
    {"username": "bo", "text": "x"},
    {"displayName": "Bo Lind", "text": "x"},
    {"who": "Bo", "text": "x"},
    {"posted_by": "Bo", "text": "x"},
]
READ: list[dict[str, Any]] = [
    {"role": "user", "content": "x", "session": "monday 10:15"},
    {"speaker": "Bo", "at": "2026-03-02 10:15", "text": "x", "sent_at": "2026-03-02 10:16"},
    {"role": "user", "content": "hi"},
    {"role": "user", "content": "x", "user": "u1", "model": "m"},
    {"role": "assistant", "content": "x", "usage": {"total": 5}, "response_time": 0.35},
    {"role": "user", "content": "x", "created_at": 1700000000, "sent_at": "2026-01-01T00:00"},
    {"speaker": "Bo", "text": "x", "userType": "external"},
    {"text": "x"},
    {"text": "x", "lang": "en", "tags": ["a"]},
    {
        "role": "user",
        "content": "x",
        "type": "message",
        "cwd": "/home/x",
        "version": "1.0.44",
        "gitBranch": "main",
        "userType": "external",
        "timestamp": "2026-01-01T00:00:00Z",
    },
    {"role": "assistant", "content": "x", "agent": "planner", "model": "y"},
    {"text": "x", "due": "2026-03-02"},
    {"text": "x", "fromMe": True},
    {"text": "x", "edited": False, "user": ""},
    {"role": "user", "name": "Bo", "content": "x", "author_id": 5},
    {"role": "tool", "content": "x", "tool_call_id": "call_1", "name": "search"},
    {"role": "user", "content": "x", "session": "2026-01-02"},
    {"role": "user", "content": "x", "author": "user"},
    {"role": "user", "content": "x", "metadata": {"user": "u1"}},
    {"text": "x", "source": "cli", "path": "/a/b"},
    {
        "id": "m1",
        "object": "thread.message",
        "created_at": 1700000000,
        "assistant_id": "a",
        "thread_id": "t",
        "role": "user",
        "content": "x",
    },
]


def read(text: str) -> list[str]:
    return [each.message.text for each in read_transcript(io.BytesIO(text.encode()))]


@pytest.mark.parametrize("name", CHATS)
def test_a_chat_of_others_is_never_taken_as_the_users_own(name: str) -> None:
    with pytest.raises(InputError, match="looks like a chat of others"):
        read(CHATS[name])
    everything = list(
        read_transcript(io.BytesIO(CHATS[name].encode()), is_own=lambda names: len(names) > 0)
    )
    assert "".join("".join(each.message.text.split()) for each in everything) == "".join(
        CHATS[name].split()
    )


@pytest.mark.parametrize("name", OWN)
def test_ones_own_words_are_not_taken_for_a_chat(name: str) -> None:
    assert speakers_in(OWN[name].split("\n")) == []


def test_the_refusal_names_the_speakers_and_the_forms_that_are_read() -> None:
    with pytest.raises(InputError) as error:
        read(
            "\n".join(
                f"02.03.26, 10:1{n} - {who}: hello"
                for n, who in enumerate(("Ada", "Bo", "Cy", "Di"))
            )
        )
    assert str(error.value) == (
        "it looks like a chat of others (Ada, Bo, Cy and others) in a form that is not read; read are lines such as "
        "“Ada: hello” or “[2026-03-02 10:15] Ada: hello”, and JSON lines with speaker, text and at"
    )


@pytest.mark.parametrize("record", UNREAD, ids=str)
def test_an_author_or_a_time_under_a_key_that_is_not_read_is_refused(
    record: dict[str, Any],
) -> None:
    with pytest.raises(InputError, match="not read"):
        as_message(record)
    with Memory.open("ram:", extractor="none", embedder="none", background=False) as memory:
        with pytest.raises(
            InputError, match=r"message 1: its (author|time) stands under .*, which is not read"
        ):
            memory.remember([record])
        assert memory.stats()["messages"] == 0


@pytest.mark.parametrize("record", READ, ids=str)
def test_a_record_whose_author_and_time_are_read_or_absent_is_taken(record: dict[str, Any]) -> None:
    assert as_message(record).text in ("hi", "x")


@pytest.mark.parametrize("text", ["2026-03-02 10:15", "2026-03-02T10:15:00Z", "10:15", "from: Bo"])
def test_a_text_that_is_a_time_is_a_text(text: str) -> None:
    assert as_message({"content": text}).text == as_message({"text": text}).text == text


def test_the_refusal_of_a_record_names_the_keys_that_are_read() -> None:
    with pytest.raises(InputError) as error:
        as_message({"user": "Bo", "text": "hi", "ts": "1700000000.1"})
    assert str(error.value) == (
        "its author stands under 'user', which is not read (read are role, speaker and name); "
        "its time stands under 'ts', which is not read (read are at, timestamp, created_at, time and date)"
    )
