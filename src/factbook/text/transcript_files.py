"""Conversations in files: JSON lines, JSON lists of messages, chat logs and plain text, read piece
by piece.

A file of any size takes a few megabytes. Everything before a fault is handed out before the fault
is raised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import IO, Any, cast

from factbook.errors import InputError
from factbook.model.episode import Message
from factbook.text.foreign_chats import LINES, READ_FORMS, looks_like, speakers_in
from factbook.text.text_stream import TextStream
from factbook.text.transcripts import as_message

LONGEST_VALUE = 16 * 2**20
"""Characters of one line or one JSON message; a file with more in one is refused rather than held
in memory.
"""
LONGEST_TEXT = 4000
"""Characters of one message from plain text; a longer paragraph is cut where a sentence ends."""

_LONGEST_FIRST = (
    2**20
)  # of JSON lines; a longer first line is read as a document, message by message
_TOO_LONG = f"longer than {LONGEST_VALUE // 2**20} MB"
_HEAD_LINES = 40
_LISTS = ("messages", "conversation", "turns", "transcript")
_SESSIONS = ("session", "session_id", "sessionId", "conversation_id", "thread_id")


@dataclass(frozen=True, kw_only=True, slots=True)
class FileMessage:
    """A message from a file: the line it begins on (from 1), its session's label there, and the
    bytes read so far.
    """

    message: Message
    line: int
    session: str = ""
    offset: int = 0


def read_transcript(
    file: IO[bytes], *, is_own: Callable[[Sequence[str]], bool] | None = None
) -> Iterator[FileMessage]:
    """Yields the messages of a file, in order, whatever form it has.

    - JSON lines: a message an object (`role`/`content` or `speaker`/`text`, see `as_message`), or a
      list of them under `messages`, or a message under `message`; entries that hold none (tool
      calls, summaries) are passed over.
    - One JSON list of messages, or an object with one under `messages`, as OpenAI's interfaces have
      it.
    - A chat log, `Ada: hello` a line, with or without a time before it.
    - Any other text: a message a paragraph, said by the space's own user. Where it looks like a
      chat of others, whose form is not read, `is_own` is asked with their names whether it is the
      user's own all the same.

    A line that holds nothing but a date (`2026-03-02`, with or without `#`) dates the messages
    below it in the last two.

    Raises:
        InputError: what follows can't be read; says the line, and why. The messages before it have
            been handed out.
    """
    text = TextStream(file)
    start = text.peek_at(2)
    if not start:
        raise InputError("there is no text in it")
    begin, follows = start[0], start[1:].strip()
    if begin == "[" and follows in ("{", '"', "]", ""):
        yield from _from_document(text)
    elif begin == "{" and follows in ('"', "}", ""):
        yield from _from_lines(text) if _is_whole(text) else _from_document(text)
    else:
        yield from _from_plain(text, is_own)


# ---------------------------------------------------------------- JSON


def _is_whole(text: TextStream) -> bool:
    """Returns whether the first line is a JSON value by itself, or would be but for a fault
    in it.
    """
    length = text.find_line(_LONGEST_FIRST)
    line = text.window[text.at : text.at + length].rstrip()
    if length == _LONGEST_FIRST:
        return False
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        # A document spread over lines ends its first one in the middle of things; JSON lines don't.
        return error.pos < len(line) or line[-1] not in "{[,:"
    except (ValueError, RecursionError):
        return True
    return True


def _from_lines(text: TextStream) -> Iterator[FileMessage]:
    while True:
        number = text.line
        line = text.next_line(LONGEST_VALUE)
        if line is None:
            return
        if len(line) >= LONGEST_VALUE:
            raise InputError(f"line {number}: {_TOO_LONG}")
        if not line or line.isspace():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"line {number}: not JSON ({_explain_error(error)})") from None
        yield from _from_value(value, number, "", text)


def _from_document(text: TextStream) -> Iterator[FileMessage]:
    """Lists of messages, or objects with one, without holding more than one message at a time."""
    while start := text.peek_at(1):
        if start == "[":
            yield from _from_list(text, "")
        elif start == "{":
            yield from _from_object(text)
        else:
            raise InputError(f"line {text.line}: not JSON (more follows after its end)")


def _from_list(text: TextStream, session: str) -> Iterator[FileMessage]:
    text.skip_over(1)
    while (char := text.peek_at(1)) != "]":
        number = text.line
        yield from _from_value(_read_value(text), number, session, text)
        if (char := text.peek_at(1)) == ",":
            text.skip_over(1)
        elif char != "]":
            raise InputError(f"line {text.line}: not JSON ({_describe_expected(char, ', or ]')})")
    text.skip_over(1)


def _from_object(text: TextStream) -> Iterator[FileMessage]:
    """Yields the lists of messages in an object as they come, or else the object as one."""
    number = text.line
    text.skip_over(1)
    rest: dict[str, Any] = {}
    listed = False
    while (char := text.peek_at(1)) != "}":
        key = _read_value(text)
        if not isinstance(key, str) or text.peek_at(1) != ":":
            raise InputError(
                f"line {text.line}: not JSON "
                f"({_describe_expected(text.peek_at(1), 'a name and a colon')})"
            )
        text.skip_over(1)
        if key in _LISTS and text.peek_at(1) == "[":
            listed = True
            yield from _from_list(text, _read_session(rest))
        else:
            rest[key] = _read_value(text)
        if (char := text.peek_at(1)) == ",":
            text.skip_over(1)
        elif char != "}":
            raise InputError(f"line {text.line}: not JSON ({_describe_expected(char, ', or }')})")
    text.skip_over(1)
    if not listed:
        yield from _from_value(rest, number, "", text)


def _read_value(text: TextStream) -> Any:
    """Returns the next JSON value."""
    text.peek_at(1)
    while True:
        try:
            value, end = _DECODER.raw_decode(text.window, text.at)
        except (ValueError, RecursionError) as error:
            if isinstance(error, json.JSONDecodeError):
                if len(text.window) - text.at > LONGEST_VALUE:
                    raise InputError(f"line {text.line}: {_TOO_LONG}") from None
                if text.read_on():
                    continue
            position = error.pos if isinstance(error, json.JSONDecodeError) else text.at
            line = text.line + text.window.count("\n", text.at, position)
            raise InputError(f"line {line}: not JSON ({_explain_error(error)})") from None
        left = len(text.window) - end
        if left or not text.read_on():  # a number at the window's end may go on
            text.skip_over(len(text.window) - text.at - left)
            return value


_DECODER = json.JSONDecoder()


def _explain_error(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return (
            error.msg.removesuffix(" at")
            .removesuffix(" starting")
            .replace("Expecting", "expecting")
            .lower()
        )
    return "nested too deeply" if isinstance(error, RecursionError) else "a number too long"


def _describe_expected(char: str, what: str) -> str:
    return f"expecting {what}" if char else "it breaks off"


def _from_value(value: object, line: int, session: str, text: TextStream) -> Iterator[FileMessage]:
    for message, label in _find_messages(value, line, session):
        yield FileMessage(message=message, line=line, session=label, offset=text.offset)


def _find_messages(value: object, line: int, session: str) -> Iterator[tuple[Message, str]]:
    if isinstance(value, str):
        yield Message(value), session
    elif isinstance(value, list):
        for item in cast(list[object], value):
            yield from _find_messages(item, line, session)
    elif isinstance(value, Mapping):
        data = cast(Mapping[str, Any], value)
        session = _read_session(data) or session
        inside = next((data[key] for key in _LISTS if isinstance(data.get(key), list)), None)
        if inside is not None:
            yield from _find_messages(inside, line, session)
        elif (message := _read_message(data, line)) is not None:
            yield message, session
    else:
        raise InputError(f"line {line}: a message was expected, not {json.dumps(value)[:40]}")


def _read_message(data: Mapping[str, Any], line: int) -> Message | None:
    """Returns the message of an object; None for an entry of a log that holds none."""
    if isinstance(data.get("message"), Mapping):
        data = {"id": data.get("uuid"), **data, **data["message"]}
    if data.get("content", data.get("text")) is None and (
        {"content", "text", "type", "tool_calls"} & data.keys()
    ):
        return None
    try:
        return as_message(data)
    except InputError as error:
        raise InputError(f"line {line}: {error}") from None


def _read_session(data: Mapping[str, Any]) -> str:
    label = next((data[key] for key in _SESSIONS if data.get(key) not in (None, "")), "")
    return str(label) if isinstance(label, str | int) else ""


# ---------------------------------------------------------------- plain text

_DATE_LINE = re.compile(r"#*\s*(\d{4}-\d\d-\d\d)\s*$")
_CHAT_LINE = re.compile(
    r"""\s*(?:\[?(?P<at>\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)\]?\s*[-–—,]?\s*)?
    (?:\*\*|__|<)?(?P<who>[^\W\d_][\w.'’-]{0,29}(?:\ [^\W_][\w.'’-]{0,29}){0,3})(?:\*\*|__|>)?\s?:(?:\*\*|__)?\s+(?P<text>\S.*)$""",
    re.VERBOSE,
)
_ROLE_WORDS = frozenset("me user human assistant ai bot".split())
_LABELS = frozenset(
    "note notes todo warning tip hint example http https ftp re fwd ps step".split()
)
_SENTENCE_END = re.compile(r"[.!?…][\"”')]*\s+|\n")
_BLOCK = 2**16


@dataclass(slots=True)
class _Block:
    """A paragraph, or a chat message with the lines that go on with it."""

    line: int
    speaker: str = ""
    at: datetime | None = None
    lines: list[str] = field(default_factory=list[str])
    length: int = 0


def _from_plain(
    text: TextStream, is_own: Callable[[Sequence[str]], bool] | None
) -> Iterator[FileMessage]:
    is_chat = _is_chat(text.first_lines(_HEAD_LINES))
    speakers = [] if is_chat else speakers_in(text.first_lines(LINES))
    if speakers and not (is_own and is_own(speakers)):
        raise InputError(f"{looks_like(speakers)}; {READ_FORMS}")
    for block in _split_blocks(text, chat=is_chat):
        who = "user" if block.speaker.lower() in ("", "me", "i") else block.speaker
        for part in _split_parts("\n".join(block.lines).strip()):
            message = as_message({"role": who, "content": part, "at": block.at})
            yield FileMessage(message=message, line=block.line, offset=text.offset)


def _split_blocks(text: TextStream, *, chat: bool) -> Iterator[_Block]:
    day: datetime | None = None
    block: _Block | None = None
    number = text.line
    while (line := text.next_line(_BLOCK)) is not None:
        dated = _DATE_LINE.match(line)
        said = _CHAT_LINE.match(line) if chat else None
        is_head = bool(dated or said)
        is_blank = not line.strip()
        ends = is_head or (is_blank and not chat)
        if block and (ends or block.length > _BLOCK):
            yield block
            # What is only too long goes on with the same speaker.
            over = is_head or is_blank
            block = None if over else replace(block, line=number, lines=[], length=0)
        if dated:
            day = _read_time(dated[1]) or day
        elif said:
            block = _Block(
                line=number,
                speaker=said["who"],
                at=_read_time(said["at"]) or day,
                lines=[said["text"]],
            )
        elif line.strip() or block:
            block = block or _Block(line=number, at=day)
            block.lines.append(line)
        if block:
            block.length += len(line)
        number = text.line
    if block:
        yield block


def _split_parts(text: str) -> Iterator[str]:
    """Yields messages of at most LONGEST_TEXT, cut where a sentence ends, or else a word."""
    while len(text) > LONGEST_TEXT:
        ends = [
            found.end() for found in _SENTENCE_END.finditer(text, LONGEST_TEXT // 2, LONGEST_TEXT)
        ]
        cut = ends[-1] if ends else text.rfind(" ", 1, LONGEST_TEXT) + 1 or LONGEST_TEXT
        yield text[:cut].rstrip()
        text = text[cut:].lstrip()
    if text:
        yield text


def _is_chat(head: list[str]) -> bool:
    """Returns whether half of the lines begin with a speaker: one who speaks again, or who says
    sentences, or a role.
    """
    lines = [line for line in head if line.strip() and not _DATE_LINE.match(line)]
    found = [
        said
        for line in lines
        if (said := _CHAT_LINE.match(line)) and said["who"].lower() not in _LABELS
    ]
    if len(found) < 2 or len(found) < len(lines) / 2:
        return False
    speakers = {said["who"].lower() for said in found}
    sentences = sum(len(said["text"].split()) >= 4 or said["text"][-1] in ".!?…" for said in found)
    return len(speakers) < len(found) or sentences > len(found) / 2 or bool(speakers & _ROLE_WORDS)


def _read_time(written: str | None) -> datetime | None:
    """Returns a time of a log, in UTC where it names no zone; None for another text."""
    try:
        moment = datetime.fromisoformat(written or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
