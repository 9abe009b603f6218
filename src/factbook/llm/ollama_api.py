"""Ollama's own API, as document 003 uses it: the schema as `format`, `num_predict`, no stream."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from factbook.llm.api import (
    Answer,
    Manner,
    as_mapping,
    host_of,
    judge_answer,
    parted_login,
    read_json,
)
from factbook.llm.faults import Advice, Trouble, TroubleError, from_status
from factbook.llm.http import post_json
from factbook.llm.settings import OLLAMA_PORT, ModelSettings
from factbook.llm.shapes import chat_messages
from factbook.ports.models import ChatMessage

OWN = f"http://127.0.0.1:{OLLAMA_PORT}"
LEAST_CONTEXT = 8192
"""Tokens. Ollama's own default is half of it, and it drops the beginning of a longer prompt without
a word.
"""
CHARACTERS_A_TOKEN = 3


class OllamaApi:
    """Chats."""

    def __init__(self, model: str, settings: ModelSettings) -> None:
        self._model = model
        self._settings = settings
        self._url, self._login = parted_login((settings.base_url or OWN).rstrip("/"))
        self.may_lack: Sequence[str] = ("think",)
        self.advice = Advice(
            where=host_of(self._url),
            reach="start Ollama, or set OLLAMA_HOST to where it runs",
            key="set OLLAMA_API_KEY or api_key to a valid one",
            find=f"fetch it with: ollama pull {model}",
        )

    def count_forms(self, schema: Mapping[str, Any]) -> int:
        return len(_schema_forms(schema))

    def make_body(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None, manner: Manner
    ) -> dict[str, Any]:
        settings = self._settings
        body: dict[str, Any] = {
            "model": self._model,
            "messages": chat_messages(messages),
            "stream": False,
            "options": {
                "temperature": settings.temperature,
                "num_predict": settings.max_tokens,
                "num_ctx": _context_size(messages, settings.max_tokens),
            },
        }
        if "think" not in manner.without:
            body["think"] = (
                False  # a thought would count against num_predict, and the form allows none
            )
        if settings.keep_alive is not None:
            keep = settings.keep_alive
            body["keep_alive"] = (
                int(keep) if keep.lstrip("-").isdecimal() else keep
            )  # seconds have no unit
        form = _schema_forms(schema)[min(manner.form, 2)] if schema is not None else None
        return body | ({"format": form} if form else {})

    async def send(self, body: Mapping[str, Any]) -> object:
        headers = {**self._settings.headers, **self._login}
        if self._settings.api_key and not self._login:
            headers["Authorization"] = f"Bearer {self._settings.api_key}"
        status, given, reply = await post_json(
            f"{self._url}/api/chat", json.dumps(body).encode(), headers
        )
        if 200 <= status < 300:
            return read_json(reply)
        try:
            said = read_json(reply)
        except TroubleError:
            said = reply.decode("utf-8", "replace")
        raise TroubleError(from_status(status, given, said))

    def read_reply(self, reply: Mapping[str, Any]) -> Answer:
        message = as_mapping(reply.get("message"))
        text = message.get("content")
        if not isinstance(text, str):
            return Answer(trouble=Trouble(kind="unreadable"))
        return judge_answer(
            text,
            cut=reply.get("done_reason") == "length",
            input_tokens=reply.get("prompt_eval_count"),
            output_tokens=reply.get("eval_count"),
        )

    async def close(self) -> None:
        """Nothing stays open."""


def _schema_forms(schema: Mapping[str, Any]) -> list[Any]:
    return [dict(schema), "json", None]


def _context_size(messages: Sequence[ChatMessage], max_tokens: int) -> int:
    """Room for prompt and reply, doubled from the least: another size makes Ollama load the model
    anew.
    """
    needed = sum(len(each.content) for each in messages) // CHARACTERS_A_TOKEN + max_tokens
    size = LEAST_CONTEXT
    while size < needed:
        size *= 2
    return size
