"""Chats of our own making with questions about them: `answers/chats.jsonl`,
`answers/paraphrases.jsonl`.

Sessions: `{"chat", "session", "at", "messages": [{"id", "speaker", "text"}]}`, a minute between two
messages; `User` and `Assistant` are roles. Questions: `{"question", "evidence": [ids], "split"}` of
all chats of the file (paraphrases: no index word of theirs stands in the message that answers
them), or with `chat` and `kind` of one chat. Of each set every second question is held out: `dev`
is for tuning, `held` for the last look.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from factbook import Memory
from factbook.model.episode import Message
from factbook.model.recollection import Recollection
from factbook.ports.snapshot import Snapshot
from factbook.store import open_store
from factbook.text.token_estimate import TOKENS_A_WORD

ANSWERS = Path(__file__).parent / "answers"
CHATS = ANSWERS / "chats.jsonl"
PARAPHRASES = ANSWERS / "paraphrases.jsonl"
NOW = datetime(2026, 3, 1, tzinfo=UTC)
"""When all questions are asked: after the last message."""
EVERYTHING = "everything"
"""The space that holds all chats at once."""
ALONE = "alone"
"""The space that holds all messages, each in a session of its own."""

Split = Literal["dev", "held"]
Kind = Literal["paraphrase", "single", "multi", "time", "list", "implied", "none"]
KINDS: Sequence[Kind] = ("single", "multi", "time", "list", "implied")
"""The kinds of questions about one chat that have an answer: in one message, in several, when it
was, all of a sort, and hinted at without any of its words.
"""

_EDGES = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True, kw_only=True, slots=True)
class Told:
    """A session of a chat, as it is remembered."""

    chat: str
    session: str
    messages: Sequence[Message]


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    """A question, with the ids of the messages that answer it; `chat` is empty where all are
    meant.
    """

    question: str
    kind: Kind
    split: Split
    evidence: Sequence[str] = ()
    chat: str = ""


def _rows(path: Path) -> Iterator[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def sessions(path: Path) -> list[Told]:
    """All sessions, in the order of the file."""
    return [
        Told(
            chat=row["chat"],
            session=row["session"],
            messages=[
                _message(each, datetime.fromisoformat(row["at"]) + timedelta(minutes=number))
                for number, each in enumerate(row["messages"])
            ],
        )
        for row in _rows(path)
        if "messages" in row
    ]


def _message(row: Mapping[str, str], at: datetime) -> Message:
    if row["speaker"] in ("User", "Assistant"):
        return Message(
            row["text"],
            role="user" if row["speaker"] == "User" else "assistant",
            at=at,
            id=row["id"],
        )
    return Message(row["text"], speaker=row["speaker"], at=at, id=row["id"])


def questions(path: Path, split: Split | None = None) -> list[Asked]:
    """The questions of one half, or all."""
    out: list[Asked] = []
    for row in _rows(path):
        if "question" not in row or (split and row["split"] != split):
            continue
        kind, chat = row.get("kind", "paraphrase"), row.get("chat", "")
        out.append(
            Asked(
                question=row["question"],
                kind=kind,
                split=row["split"],
                evidence=tuple(row["evidence"]),
                chat=chat,
            )
        )
    return out


def learn(
    memory: Memory, told: Iterable[Told], *, space: str | None = None, alone: bool = False
) -> None:
    """Remembers the sessions and waits until they are learned.

    Args:
        space: where all of it goes; None for a space a chat.
        alone: each message is a session of its own.
    """
    spaces: dict[str, Memory] = {}
    for session in told:
        home = spaces.setdefault(space or session.chat, memory.within(space or session.chat))
        if alone:
            for message in session.messages:
                home.remember(message, session=message.id)
        else:
            home.remember(session.messages, session=session.session)
    for home in spaces.values():
        home.wait()


@contextmanager
def opened(url: str, *, embedder: str = "auto", extractor: str = "auto") -> Generator[Memory]:
    """A memory whose clock stands still after the last message."""
    with Memory.open(url, embedder=embedder, extractor=extractor, clock=lambda: NOW) as memory:
        yield memory


@contextmanager
def snapshot(url: str) -> Generator[Snapshot]:
    """The same file, read directly."""
    store = open_store(url)
    try:
        with store.snapshot() as snapshot:
            yield snapshot
    finally:
        store.close()


def messages_behind(found: Recollection, snapshot: Snapshot) -> list[str]:
    """For each line the given id of the message that it is, or, of what is known, that it rests on;
    best first.
    """
    sources = [
        (line.space, line.id if line.kind == "message" else line.source_id) for line in found.lines
    ]
    given: dict[tuple[str, str], str] = {}
    for space in {space for space, _ in sources}:
        rows = snapshot.messages(space, [key for home, key in sources if home == space and key])
        given.update({(space, key): row.host_id for key, row in rows.items()})
    return [given.get(source, "") for source in sources]


def words(text: str) -> list[str]:
    """White-space words without their outer punctuation, lower-case."""
    return [word for word in (_EDGES.sub("", each) for each in text.lower().split()) if word]


def stands_in(context: str, texts: Sequence[str], budget: int) -> list[bool]:
    """Whether each text stands in the context by its own words, unbroken; never in one that costs
    more than its budget at 1.3 tokens a word.
    """
    over = len(context.split()) * TOKENS_A_WORD > budget
    flat = "" if over else f" {' '.join(words(context))} "
    return [f" {' '.join(words(text))} " in flat for text in texts]
