"""Every verb that takes text, as the growth bench calls it: given a site and a text, what is then
measured.
"""

from __future__ import annotations

import io
import itertools
import json
import tempfile
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Self

from factbook import Entity, EntityMemory, FactbookError, KnowledgeMemory, Memory
from factbook.cli.say import clean_output
from factbook.text.transcript_files import read_transcript
from factbook.tools.bound import memory_tools
from factbook.tools.tool import call_tool

BEFORE = "Tom says of the kayak: "
"""What leads to a text, so that an ordinary question finds it."""
QUESTION = "What does Tom say of the kayak?"


@dataclass(frozen=True, kw_only=True)
class Site:
    """Empty spaces for one measure: `memory` learns nothing, `local` by our own extractor, `model`
    by one that answers with what it is told. `folder` is empty.
    """

    memory: Memory
    local: Memory
    model: Memory
    replies: list[str]
    folder: Path


@dataclass(kw_only=True)
class World:
    """The memories of a whole run; their models are loaded once."""

    memory: Memory
    local: Memory
    model: Memory
    replies: list[str]
    folder: Path
    numbers: itertools.count[int]

    @classmethod
    @contextmanager
    def open(cls) -> Generator[Self]:
        """Opens the memories, and has each learn and recall something once."""
        replies = [""]

        def answer(_: str) -> str:
            return replies[0]

        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            opened = partial(Memory.open, background=False, embedder="none")
            with (
                opened(folder / "growth.db", extractor="none") as memory,
                opened("ram:", extractor="local") as local,
                opened("ram:", extractor=answer) as model,
            ):
                for each in (memory, local, model):
                    each.remember("Tom met Ana in Lisbon on 3 May 2023.")
                    each.work()
                    each.recall(QUESTION)
                yield cls(
                    memory=memory,
                    local=local,
                    model=model,
                    replies=replies,
                    folder=folder,
                    numbers=itertools.count(),
                )

    def fresh(self) -> Site:
        """Spaces in which nobody has said anything but that there are Tom and Ana."""
        space = f"s{next(self.numbers)}"
        folder = self.folder / space
        folder.mkdir()
        bound = [each.within(space) for each in (self.memory, self.local, self.model)]
        for each in bound:
            each.put(
                Entity(name="Tom", entity_type="person", attributes={"birthday": "3 May 1990"})
            )
            each.put(Entity(name="Ana", entity_type="person"))
        memory, local, model = bound
        return Site(memory=memory, local=local, model=model, replies=self.replies, folder=folder)


Call = Callable[[], object]
Verb = Callable[[Site, str], Call]


def _refused(call: Call) -> Call:
    """The call, which may also refuse the text: that has to be as quick."""

    def called() -> object:
        with suppress(FactbookError):
            return call()
        return None

    return called


def _remember(site: Site, text: str) -> Call:
    return lambda: site.memory.remember(text)


def _redact(site: Site, text: str) -> Call:
    redacting = site.memory.within(site.memory.space, redact="all")
    return lambda: redacting.remember({"speaker": "Tom", "text": text})


def _learn(site: Site, text: str) -> Call:
    site.local.remember(BEFORE + text)
    return site.local.work


def _learn_by_model(site: Site, text: str) -> Call:
    site.replies[0] = json.dumps(
        {"entities": [{"name": "Tom", "type": "person", "quote": text[:200]}]}
    )
    site.model.remember(BEFORE + text)
    return site.model.work


def _reply(site: Site, text: str) -> Call:
    site.replies[0] = '{"entities": [{"name": "Tom", "type": "person", "quote": "' + text
    site.model.remember("Tom met Ana.")
    return site.model.work


def _recall_said(site: Site, text: str) -> Call:
    site.memory.remember(BEFORE + text)
    return lambda: site.memory.recall(QUESTION, budget=300)


def _context_said(site: Site, text: str) -> Call:
    site.memory.remember(BEFORE + text)
    site.memory.note(BEFORE + text, about=["Tom"], category="preference")
    return lambda: site.memory.context(QUESTION, budget=2000)


def _recall(site: Site, text: str) -> Call:
    site.memory.remember(["Tom lives in Lisbon.", "We met before the wedding."])
    return lambda: site.memory.recall(text)


def _context(site: Site, text: str) -> Call:
    site.memory.remember(["Tom lives in Lisbon.", "We met before the wedding."])
    return lambda: site.memory.context(f"Tom {text}", format="entity_memory")


def _note(site: Site, text: str) -> Call:
    return _refused(lambda: site.memory.note(text, category=text, metadata={"of": text}))


def _search_notes(site: Site, text: str) -> Call:
    site.memory.note(f"Tom likes tea. {text}")
    return lambda: site.memory.search_notes(f"tea {text}")


def _put_name(site: Site, text: str) -> Call:
    return _refused(
        lambda: site.memory.put(Entity(name=f"Bo {text}", entity_type="person", aliases=[text]))
    )


def _put_values(site: Site, text: str) -> Call:
    attributes = {"results": text, "birthday": text, "works_at": text}
    entity = Entity(name="Tom", entity_type="campaign", description=text, attributes=attributes)
    return _refused(lambda: site.memory.put(entity))


def _relate(site: Site, text: str) -> Call:
    return _refused(lambda: site.memory.relate("Tom", f"knows {text}", "Ana", note=text))


def _find(site: Site, text: str) -> Call:
    return _refused(lambda: site.memory.find(f"Tom {text}"))


def _trends(site: Site, text: str) -> Call:
    return _refused(lambda: site.memory.trends(text))


def _forget(site: Site, text: str) -> Call:
    site.memory.remember(BEFORE + text)
    return lambda: site.memory.forget("Tom")


def _forget_topic(site: Site, text: str) -> Call:
    site.memory.remember(BEFORE + text)
    return _refused(lambda: site.memory.forget(topic=text, dry_run=True))


def _transcript(_: Site, text: str) -> Call:
    data = text.encode()
    return _refused(lambda: list(read_transcript(io.BytesIO(data))))


def _exchange(site: Site, text: str) -> Call:
    site.memory.remember(BEFORE + text)
    target = io.StringIO()
    site.memory.export(target)
    copy = target.getvalue()
    return lambda: site.memory.within(f"{site.memory.space} again").import_(io.StringIO(copy))


def _knowledge(site: Site, text: str) -> Call:
    knowledge = KnowledgeMemory(directory=site.folder)

    def call() -> str:
        knowledge.remember(f"Tom likes tea. {text}", category="preference")
        return knowledge.build_context(f"tea {text}")

    return _refused(call)


def _entity_memory(_: Site, text: str) -> Call:
    memory = EntityMemory()

    def call() -> str:
        memory.update(
            [
                Entity(name="Tom", entity_type="person", attributes={"says": text}),
                Entity(name=f"Ana {text}"),
            ]
        )
        return memory.build_context(f"Tom {text}", budget=500)

    return _refused(call)


def _tool(site: Site, text: str) -> Call:
    tool = next(
        each
        for each in memory_tools(site.memory)
        if "attributes" in [one.name for one in each.parameters]
    )
    return lambda: call_tool(
        [tool], tool.name, {"name": "Tom", "entity_type": "person", "attributes": f"says={text}"}
    )


def _print(_: Site, text: str) -> Call:
    return lambda: clean_output(text)


VERBS: Mapping[str, Verb] = {
    "remember": _remember,
    "remember, redacting": _redact,
    "recall what was said": _recall_said,
    "recall": _recall,
    "context with what was said": _context_said,
    "context": _context,
    "learn": _learn,
    "learn by a model": _learn_by_model,
    "a model's reply": _reply,
    "note": _note,
    "search notes": _search_notes,
    "put a name": _put_name,
    "put values": _put_values,
    "relate": _relate,
    "find": _find,
    "trends": _trends,
    "forget": _forget,
    "forget a topic": _forget_topic,
    "read a transcript": _transcript,
    "import": _exchange,
    "KnowledgeMemory": _knowledge,
    "EntityMemory": _entity_memory,
    "a tool": _tool,
    "print": _print,
}
