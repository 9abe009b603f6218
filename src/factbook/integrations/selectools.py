"""For agents of selectools 1.3: its entity memory, knowledge memory, tools and sessions, with factbook behind them.

::

    from factbook.integrations.selectools import EntityMemory, KnowledgeMemory, SessionStore

    entities = EntityMemory(provider)
    config = AgentConfig(
        entity_memory=entities,
        knowledge_memory=KnowledgeMemory(directory="./memory"),
        session_store=SessionStore(JsonFileSessionStore("./sessions"), entities, "ada"),
        session_id="ada",
    )

The classes have the signatures and the context format of the package, which are not those of its documentation:
`factbook.EntityMemory` has the latter. Needs `factbook[selectools]`.
"""

from __future__ import annotations

import builtins
import json
import logging
import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol, Self, cast

from factbook.errors import ConfigError, InputError
from factbook.llm.adapt import MOST_TOKENS
from factbook.llm.replies import json_values
from factbook.memory.async_memory import AsyncMemory
from factbook.memory.bound import Bound
from factbook.memory.clock import Clock, utc_now
from factbook.memory.entity_memory import EntityMemory as Tracker
from factbook.memory.entity_memory.saving import FORMAT_VERSION, unpack
from factbook.memory.knowledge import (
    FileKnowledgeStore,
    KnowledgeBackend,
    KnowledgeEntry,
    KnowledgeMemory,
    KnowledgeStore,
    SQLiteKnowledgeStore,
)
from factbook.model.entity import Entity as OurEntity
from factbook.ports.models import ChatMessage
from factbook.render.escape import inline, lead
from factbook.text.names import fold
from factbook.tools.kits import make_memory_tools
from factbook.tools.tool import Tool as OurTool

try:
    from selectools.memory import ConversationMemory
    from selectools.sessions import SessionMetadata, SessionSearchResult
    from selectools.tools import Tool, ToolParameter
    from selectools.types import Message, Role
except ImportError:
    raise ConfigError("selectools isn't installed: pip install 'factbook[selectools]'") from None

__all__ = [
    "Entity",
    "EntityMemory",
    "FileKnowledgeStore",
    "KnowledgeBackend",
    "KnowledgeEntry",
    "KnowledgeMemory",
    "KnowledgeStore",
    "SQLiteKnowledgeStore",
    "SessionStore",
    "as_selectools",
    "memory_tools_for_selectools",
]

HEADER = "[Known Entities]"
MARK = "factbook.entity_memory"
"""`tool_name` of the message, the last of a saved conversation and without content, that holds the entities."""
_MODEL = "gpt-4o-mini"
"""selectools' own, where neither the caller, the memory nor the provider names one."""

_log = logging.getLogger("factbook")


# --- entities ---------------------------------------------------------------------------------------------------------


@dataclass
class Entity:
    """An entity as selectools has it.

    Attributes:
        first_mentioned, last_mentioned: seconds since 1970.
        aliases: ours: its other names.
    """

    name: str
    entity_type: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    first_mentioned: float = field(default_factory=lambda: utc_now().timestamp())
    last_mentioned: float = field(default_factory=lambda: utc_now().timestamp())
    mention_count: int = 1
    aliases: list[str] = field(default_factory=list[str])

    def to_dict(self) -> dict[str, Any]:
        """As values that JSON knows; `aliases` only where there are any."""
        packed: dict[str, Any] = {
            "name": self.name,
            "entity_type": self.entity_type,
            "attributes": self.attributes,
            "first_mentioned": self.first_mentioned,
            "last_mentioned": self.last_mentioned,
            "mention_count": self.mention_count,
        }
        return packed | ({"aliases": self.aliases} if self.aliases else {})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """What `to_dict` gave, here or there."""
        return cls(
            name=data["name"],
            entity_type=data.get("entity_type", "unknown"),
            attributes=data.get("attributes", {}),
            first_mentioned=data.get("first_mentioned", 0),
            last_mentioned=data.get("last_mentioned", 0),
            mention_count=data.get("mention_count", 1),
            aliases=data.get("aliases", []),
        )


class EntityMemory:
    """Stands in for `selectools.entity_memory.EntityMemory`; its tracking is that of `factbook.EntityMemory`.

    Beyond the original, names that differ in Unicode form, width, case or spacing alone are one, aliases count, what
    the text doesn't name is not taken, secrets are masked, and what entities hold can't forge a line of the context.
    """

    def __init__(
        self,
        provider: Any,
        model: str | None = None,
        max_entities: int = 50,
        relevance_window: int = 10,
        *,
        memory: Bound | AsyncMemory | None = None,
        session: str = "",
        clock: Clock = utc_now,
    ) -> None:
        """
        Args:
            provider: a provider of selectools, or whatever `factbook.EntityMemory` takes (`"local"` needs no model).
            model: its model; by default the agent's.
            max_entities: above it, the least recently mentioned are evicted.
            relevance_window: so many of the latest messages are read.
            memory, session: a `Memory` bound to a space to put behind it, and a label under which every update is
                saved there; see `factbook.EntityMemory`.
            clock: where times come from.

        Raises:
            ConfigError: an argument can't be used; says what to give.
        """
        self._model = model
        self._relevance_window = relevance_window
        self._session = session
        asked = _Asked(provider, model) if callable(getattr(provider, "complete", None)) else None
        self._asked = asked
        self._tracker = _Tracker(max_entities, asked or provider, model, memory=memory, session=session, clock=clock)

    @property
    def tracker(self) -> Tracker:
        """The entity memory behind it: found by name or alias, asked for what matters, given to tools."""
        return self._tracker

    @property
    def entities(self) -> list[Entity]:
        """All tracked entities, the most recently mentioned first."""
        return [_theirs(each) for each in self._tracker.get_all_entities()]

    def get_entity(self, name: str) -> Entity | None:
        """The tracked entity of that name or alias, in any spelling."""
        found = self._tracker.get_entity(name)
        return _theirs(found) if found else None

    def extract_entities(self, messages: Sequence[Any], model: str | None = None) -> list[Entity]:
        """The entities that the latest messages name; they are not tracked yet: see `update`.

        System messages are left out: there stands what is remembered already. As in the original, nothing is raised:
        a failure is logged, and gives no entities.

        Args:
            messages: anything with `role` and `content`.
            model: another model for this call.
        """
        text = self._text(messages[-self._relevance_window :])
        if not text:
            return []
        try:
            if self._asked is None:
                return [_theirs(each) for each in self._tracker.extract_entities(text)]
            with self._asked.by(model):
                extracted = self._tracker.extract_entities(text)
                types = self._asked.types
        except Exception as error:
            _log.warning("entity extraction failed: %s", type(error).__name__)
            return []
        return [_theirs(each, types.get(fold(each.name), each.entity_type)) for each in extracted]

    def _text(self, messages: Iterable[Any]) -> str:
        said: list[str] = []
        for message in messages:
            role, content = _role(message), getattr(message, "content", None)
            if role == "system" or not isinstance(content, str) or not content:
                continue
            said.append(f"{role.upper()}: {content}" if role and self._asked else content)
        return "\n".join(said)

    def update(self, entities: Iterable[Any]) -> None:
        """Merges entities, ours or theirs, into the tracked ones by name and alias, then evicts what is too much.

        Raises:
            InputError: one has no name, or a part of it is wrong; none was taken. StoreError: of the space.
        """
        self._tracker.update(_ours(each) for each in entities)
        if self._session:
            self._tracker.save()

    def clear(self) -> None:
        """Stops tracking all entities."""
        self._tracker.clear()

    def build_context(self) -> str:
        """`[Known Entities]`, then `- Name [type] (key: value, …)` an entity; empty if there are none."""
        lines = [_line(each) for each in self._tracker.get_all_entities()]
        return "\n".join([HEADER, *lines]) if lines else ""

    def to_dict(self) -> dict[str, Any]:
        """Everything, as values that JSON knows; selectools' own `from_dict` reads it too."""
        packed = self._tracker.to_dict()
        return {
            "max_entities": packed["max_entities"],
            "relevance_window": self._relevance_window,
            "model": self._model,
            "version": packed["version"],
            "entities": [_renamed(each) for each in packed["entities"]],
        }

    @classmethod
    def from_dict(
        cls,
        data: Mapping[str, Any],
        provider: Any,
        *,
        memory: Bound | AsyncMemory | None = None,
        session: str = "",
        clock: Clock = utc_now,
    ) -> Self:
        """What `to_dict` gave, here or there.

        Raises:
            InputError: it can't be read (says where), or was saved by a newer factbook.
        """
        restored = cls(
            provider,
            data.get("model"),
            data.get("max_entities", 50),
            data.get("relevance_window", 10),
            memory=memory,
            session=session,
            clock=clock,
        )
        restored.restore(data)
        return restored

    def restore(self, data: Mapping[str, Any]) -> None:
        """Brings back what `to_dict` gave, beside what is tracked; where both know a thing, what was saved counts.

        Raises:
            InputError: it can't be read (says where); nothing changed.
        """
        self._tracker.restore(data, self._session)


class _Tracker(Tracker):
    def restore(self, data: Mapping[str, Any], session: str) -> None:
        with self._lock:
            if own := self.to_dict()["entities"]:
                version = data.get("version", FORMAT_VERSION)
                data = {"version": version, "entities": [*own, *data.get("entities", ())]}
            self._begin(unpack(data, self._clock()), session)


class _Asked:
    """A provider of selectools as a language model, asked as the original asks it."""

    name = "selectools"

    def __init__(self, provider: Any, model: str | None) -> None:
        self._provider = provider
        self._model = model
        self._of_thread = threading.local()

    def by(self, model: str | None) -> Self:
        """Asks this model while it is entered."""
        self._of_thread.model = model
        self._of_thread.types = {}
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._of_thread.model = None

    @property
    def types(self) -> dict[str, str]:
        """The types of the last reply, as the model wrote them, by folded name."""
        return cast(dict[str, str], getattr(self._of_thread, "types", {}))

    def complete(self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None) -> str:
        """Asks, and waits for the answer."""
        del schema
        default = getattr(self._provider, "default_model", None)
        answer = self._provider.complete(
            model=getattr(self._of_thread, "model", None)
            or self._model
            or (default if isinstance(default, str) and default else _MODEL),
            system_prompt="You extract named entities from text. Always return valid JSON.",
            messages=[Message(role=Role(each.role), content=each.content) for each in messages],
            max_tokens=MOST_TOKENS,
        )
        message = cast(Any, answer[0] if isinstance(answer, tuple) else answer)
        reply = str(message.content or "")
        self._of_thread.types = dict(_typed([value.value for value in json_values(reply)]))
        return reply


def _typed(value: object) -> Iterable[tuple[str, str]]:
    """Names, folded, and types of the objects in a value."""
    if isinstance(value, list):
        for each in cast(list[object], value):
            yield from _typed(each)
    elif isinstance(value, dict):
        table = cast(dict[str, object], value)
        name, kind = table.get("name"), table.get("entity_type")
        if isinstance(name, str) and isinstance(kind, str):
            yield fold(name), kind
        else:
            yield from _typed(list(table.values()))


def _role(message: object) -> str:
    role = getattr(message, "role", "")
    value = getattr(role, "value", role)
    return value if isinstance(value, str) else ""


def _theirs(entity: OurEntity, entity_type: str = "") -> Entity:
    now = utc_now()
    return Entity(
        entity.name,
        entity_type or entity.entity_type,
        dict(entity.attributes),
        (entity.first_seen or now).timestamp(),
        (entity.last_seen or now).timestamp(),
        entity.mentions or 1,
        list(entity.aliases),
    )


def _ours(entity: Any) -> OurEntity:
    """What is given as an entity of ours; the tracker says what is wrong with it."""
    if isinstance(entity, OurEntity) or not hasattr(entity, "mention_count"):
        return cast(OurEntity, entity)
    first: float = entity.first_mentioned
    return OurEntity(
        entity.name,
        entity.entity_type,
        entity.attributes,
        entity.mention_count,
        datetime.fromtimestamp(first, UTC) if first else None,
        aliases=list(getattr(entity, "aliases", ())),
    )


def _renamed(packed: Mapping[str, Any]) -> dict[str, Any]:
    """A saved entity of ours under selectools' names."""
    rest = {key: value for key, value in packed.items() if key not in {"mentions", "first_seen", "last_seen"}}
    return {
        **rest,
        "first_mentioned": datetime.fromisoformat(packed["first_seen"]).timestamp(),
        "last_mentioned": datetime.fromisoformat(packed["last_seen"]).timestamp(),
        "mention_count": packed["mentions"],
    }


# --- the context ------------------------------------------------------------------------------------------------------

_SQUARE = str.maketrans("[]", "()")
_IN_KEY = re.compile(r"[,:()\s]+")
_ANOTHER_PAIR = re.compile(r",(?=[^,:]*:)")


def _line(entity: OurEntity) -> str:
    """An entity as the original shows it. No part of it can pass for another line, type or pair."""
    kind = inline(entity.entity_type).translate(_SQUARE) or "other"
    head = f"- {lead(entity.name).translate(_SQUARE) or '?'} [{kind}]"
    pairs = ", ".join(_pair(key, value) for key, value in entity.attributes.items())
    return f"{head} ({pairs})" if pairs else head


def _pair(key: str, value: str) -> str:
    return f"{_IN_KEY.sub(' ', inline(key)).strip() or '?'}: {_ANOTHER_PAIR.sub(';', inline(value))}"


# --- sessions ---------------------------------------------------------------------------------------------------------


class HostStore(Protocol):
    """What a session store of selectools does."""

    def save(self, session_id: str, memory: ConversationMemory, namespace: str | None = None) -> None: ...
    def load(self, session_id: str, namespace: str | None = None) -> ConversationMemory | None: ...
    def list(self) -> list[SessionMetadata]: ...
    def delete(self, session_id: str, namespace: str | None = None) -> bool: ...
    def exists(self, session_id: str, namespace: str | None = None) -> bool: ...
    def search(
        self, query: str, namespace: str | None = None, limit: int = 5
    ) -> builtins.list[SessionSearchResult]: ...


class SessionStore:
    """Any session store of selectools, which with one session keeps the entities of its conversation as well.

    They lie in the saved conversation itself, written in one step with it, and are taken out again when it is loaded.
    Other sessions pass through it with their entities as they were.
    """

    def __init__(
        self, store: HostStore, entity_memory: EntityMemory, session_id: str, namespace: str | None = None
    ) -> None:
        """Brings the session's entities back into the entity memory, if any were saved.

        Args:
            store: where the sessions lie. entity_memory: the one that the agent has.
            session_id, namespace: of the session whose entities these are, as in `AgentConfig`.

        Raises:
            InputError: what was saved can't be read.
        """
        self._store = store
        self._entities = entity_memory
        self._of = (session_id, namespace or None)
        _, saved = _parts(store.load(session_id, namespace))
        if saved:
            entity_memory.restore(_decoded(saved))

    def save(self, session_id: str, memory: ConversationMemory, namespace: str | None = None) -> None:
        """Saves a conversation, with its entities."""
        if (session_id, namespace or None) == self._of:
            saved = _encoded(self._entities.to_dict())
        else:
            _, saved = _parts(self._store.load(session_id, namespace))
        self._store.save(session_id, _Kept.of(memory, saved), namespace)

    def load(self, session_id: str, namespace: str | None = None) -> ConversationMemory | None:
        """The conversation, without its entities; None if there is none."""
        return _parts(self._store.load(session_id, namespace))[0]

    def list(self) -> list[SessionMetadata]:
        """Every session."""
        return self._store.list()

    def delete(self, session_id: str, namespace: str | None = None) -> bool:
        """Deletes a session with its entities; False if there was none."""
        return self._store.delete(session_id, namespace)

    def exists(self, session_id: str, namespace: str | None = None) -> bool:
        """Whether there is such a session."""
        return self._store.exists(session_id, namespace)

    def branch(self, source_id: str, new_id: str, namespace: str | None = None) -> None:
        """Copies a session with its entities.

        Raises:
            ValueError: there is none, as in the original.
        """
        conversation, saved = _parts(self._store.load(source_id, namespace))
        if conversation is None:
            raise ValueError(f"Session {source_id!r} not found")
        self._store.save(new_id, _Kept.of(conversation, saved), namespace)

    def search(self, query: str, namespace: str | None = None, limit: int = 5) -> builtins.list[SessionSearchResult]:
        """The sessions in which something like this was said."""
        return self._store.search(query, namespace, limit)


class _Kept(ConversationMemory):
    """A conversation that is saved with a last message more, which counts nowhere."""

    entities: str = ""

    @classmethod
    def of(cls, memory: ConversationMemory, entities: str) -> Self:
        kept = cast(Self, cls.from_dict(memory.to_dict()))
        kept.entities = entities
        return kept

    def to_dict(self) -> dict[str, Any]:
        saved = super().to_dict()
        if self.entities:
            more = Message(role=Role.SYSTEM, tool_name=MARK, tool_result=self.entities)
            saved["messages"] = [*saved["messages"], more.to_dict()]
        return saved


def _parts(loaded: ConversationMemory | None) -> tuple[ConversationMemory | None, str]:
    """A loaded conversation, and the entities that lay in it."""
    if loaded is None:
        return None, ""
    saved = loaded.to_dict()
    messages: list[dict[str, Any]] = saved["messages"]
    if not messages or messages[-1].get("tool_name") != MARK:
        return loaded, ""
    last = messages.pop()
    return ConversationMemory.from_dict(saved), last.get("tool_result") or ""


def _encoded(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)


def _decoded(text: str) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], json.loads(text))
    except ValueError:
        raise InputError("the entities that were saved with the session can't be read; the conversation can") from None


# --- tools ------------------------------------------------------------------------------------------------------------


def memory_tools_for_selectools(
    knowledge: KnowledgeMemory | None = None, entity_memory: EntityMemory | Tracker | None = None
) -> list[Tool]:
    """`remember` and `recall`, `note_entity` and `recall_entities`, for `Agent(tools=…)`.

    An agent with a `knowledge_memory` makes a `remember` and a `recall` of its own, unless it has tools of these names.
    """
    tracker = entity_memory.tracker if isinstance(entity_memory, EntityMemory) else entity_memory
    return as_selectools(make_memory_tools(knowledge, tracker))


def as_selectools(tools: Iterable[OurTool]) -> list[Tool]:
    """Any tools of factbook, as those of `memory_tools`, for `Agent(tools=…)`."""
    return [_Tool.of(tool) for tool in tools]


class _Tool(Tool):
    """A tool that itself says what is wrong with its arguments."""

    @classmethod
    def of(cls, tool: OurTool) -> Self:
        parameters = [
            ToolParameter(
                name=each.name,
                param_type=each.param_type,
                description=each.description,
                required=each.required,
                enum=list(each.enum) or None,
            )
            for each in tool.parameters
        ]
        return cls(name=tool.name, description=tool.description, parameters=parameters, function=tool.function)

    def validate(self, params: dict[str, Any]) -> None:
        """Leaves it to the tool."""
