"""Session stores of selectools that keep the entities with the conversation."""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping
from typing import Any, Protocol, Self, cast

from selectools.memory import ConversationMemory
from selectools.sessions import SessionMetadata, SessionSearchResult
from selectools.types import Message, Role

from factbook.errors import InputError
from factbook.integrations.selectools.entity_memory import EntityMemory

MARK = "factbook.entity_memory"
"""`tool_name` of the message, the last of a saved conversation and without content, that holds the
entities.
"""


class HostStore(Protocol):
    """The methods of a session store of selectools."""

    def save(
        self, session_id: str, memory: ConversationMemory, namespace: str | None = None
    ) -> None: ...
    def load(self, session_id: str, namespace: str | None = None) -> ConversationMemory | None: ...
    def list(self) -> list[SessionMetadata]: ...
    def delete(self, session_id: str, namespace: str | None = None) -> bool: ...
    def exists(self, session_id: str, namespace: str | None = None) -> bool: ...
    def search(
        self, query: str, namespace: str | None = None, limit: int = 5
    ) -> builtins.list[SessionSearchResult]: ...


class SessionStore:
    """Any session store of selectools, which with one session keeps the entities of its
    conversation as well.

    They lie in the saved conversation itself, written in one step with it, and are taken out again
    when it is loaded. Other sessions pass through it with their entities as they were.
    """

    def __init__(
        self,
        store: HostStore,
        entity_memory: EntityMemory,
        session_id: str,
        namespace: str | None = None,
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
        _, saved = _split_loaded(store.load(session_id, namespace))
        if saved:
            entity_memory.restore(_decode_entities(saved))

    def save(
        self, session_id: str, memory: ConversationMemory, namespace: str | None = None
    ) -> None:
        """Saves a conversation, with its entities."""
        if (session_id, namespace or None) == self._of:
            saved = _encode_entities(self._entities.to_dict())
        else:
            _, saved = _split_loaded(self._store.load(session_id, namespace))
        self._store.save(session_id, _Kept.of(memory, saved), namespace)

    def load(self, session_id: str, namespace: str | None = None) -> ConversationMemory | None:
        """The conversation, without its entities; None if there is none."""
        return _split_loaded(self._store.load(session_id, namespace))[0]

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
        conversation, saved = _split_loaded(self._store.load(source_id, namespace))
        if conversation is None:
            raise ValueError(f"Session {source_id!r} not found")
        self._store.save(new_id, _Kept.of(conversation, saved), namespace)

    def search(
        self, query: str, namespace: str | None = None, limit: int = 5
    ) -> builtins.list[SessionSearchResult]:
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


def _split_loaded(loaded: ConversationMemory | None) -> tuple[ConversationMemory | None, str]:
    """A loaded conversation, and the entities that lay in it."""
    if loaded is None:
        return None, ""
    saved = loaded.to_dict()
    messages: list[dict[str, Any]] = saved["messages"]
    if not messages or messages[-1].get("tool_name") != MARK:
        return loaded, ""
    last = messages.pop()
    return ConversationMemory.from_dict(saved), last.get("tool_result") or ""


def _encode_entities(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)


def _decode_entities(text: str) -> dict[str, Any]:
    try:
        return cast(dict[str, Any], json.loads(text))
    except ValueError:
        raise InputError(
            "the entities that were saved with the session can't be read; the conversation can"
        ) from None
