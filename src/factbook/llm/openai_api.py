"""OpenAI's API, of OpenAI itself or of a server that speaks it, through the official package
`openai`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from factbook.llm import clients
from factbook.llm.api import (
    Answer,
    Manner,
    as_mapping,
    as_mappings,
    host_of,
    judge_answer,
    parted_login,
)
from factbook.llm.faults import Advice, Trouble
from factbook.llm.settings import ModelSettings
from factbook.llm.shapes import (
    NAME,
    all_required,
    as_object,
    chat_messages,
    is_strict,
    without_bounds,
)
from factbook.ports.models import ChatMessage

OWN = "https://api.openai.com/v1"
OWN_HOSTS = (".openai.com", ".openai.azure.com")
NO_KEY = "none"
"""Sent to servers that want none; the package insists on one."""


class OpenAIApi:
    """Chat completions."""

    def __init__(self, model: str, settings: ModelSettings) -> None:
        self._model = model
        self._settings = settings
        self._url, self._login = parted_login(settings.base_url or OWN)
        self._is_own = f".{urlsplit(self._url).hostname}".endswith(OWN_HOSTS)
        self._limit = "max_completion_tokens" if self._is_own else "max_tokens"
        self._package: Any = None
        self._client: Any = None
        self.may_lack: Sequence[str] = ("temperature", self._limit)
        self.advice = Advice(
            where=host_of(self._url),
            reach="start the server, or check the base URL and the network",
            key="set OPENAI_API_KEY or api_key to a valid one",
            find="check the model's name and the base URL (most end in /v1)",
        )

    def count_forms(self, schema: Mapping[str, Any]) -> int:
        return len(self._schema_forms(schema))

    def make_body(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None, manner: Manner
    ) -> dict[str, Any]:
        settings = self._settings
        body: dict[str, Any] = {"model": self._model, "messages": chat_messages(messages)}
        if "temperature" not in manner.without:
            body["temperature"] = settings.temperature
        other = "max_tokens" if self._is_own else "max_completion_tokens"
        body[other if self._limit in manner.without else self._limit] = settings.max_tokens
        if schema is not None:
            forms = self._schema_forms(schema)
            form = forms[min(manner.form, len(forms) - 1)]
            body |= {"response_format": form} if form else {}
        return body

    def _schema_forms(self, schema: Mapping[str, Any]) -> list[dict[str, Any] | None]:
        """OpenAI holds to a schema only strictly, and then takes no bounds; local servers take
        bounds, and need them.
        """
        whole = as_object(schema)
        closed = all_required(whole)
        full = _schema_form(whole, strict=is_strict(whole) and not self._is_own)
        bare = [_schema_form(without_bounds(closed), strict=True)] if is_strict(closed) else []
        first = [*bare, full] if self._is_own else [full, *bare]
        return [*first, {"type": "json_object"}, None]

    async def send(self, body: Mapping[str, Any]) -> object:
        if self._client is None:
            self._package = clients.load_client("openai")
            self._client = self._package.AsyncOpenAI(
                api_key=self._settings.api_key or NO_KEY,
                base_url=self._url,
                timeout=self._settings.timeout,
                max_retries=0,
                default_headers={**self._login, **self._settings.headers},
            )
        more = {name: value for name, value in body.items() if name not in ("model", "messages")}
        create = self._client.chat.completions.with_raw_response.create
        # As an extra body, so that any version of the package takes parameters that are newer than
        # it.
        return await clients.call_client(
            self._package, create, model=body["model"], messages=body["messages"], extra_body=more
        )

    def read_reply(self, reply: Mapping[str, Any]) -> Answer:
        usage = as_mapping(reply.get("usage"))
        choice = next(iter(as_mappings(reply.get("choices"))), as_mapping(None))
        message = as_mapping(choice.get("message"))
        finish = choice.get("finish_reason")
        text, declined = _read_text(message.get("content"))
        found = judge_answer(
            text,
            cut=finish == "length",
            input_tokens=usage.get("prompt_tokens"),
            output_tokens=usage.get("completion_tokens"),
        )
        trouble = found.trouble
        if message.get("refusal") or declined:
            trouble = Trouble(kind="refused")
        elif finish == "content_filter":
            trouble = Trouble(kind="filtered")
        elif finish == "error":
            trouble = Trouble(kind="status", status=502)
        elif not message:
            trouble = Trouble(kind="unreadable")
        return Answer(
            reply=found.reply,
            cut=found.cut,
            input_tokens=found.input_tokens,
            output_tokens=found.output_tokens,
            trouble=trouble,
        )

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()


def _schema_form(schema: Mapping[str, Any], *, strict: bool) -> dict[str, Any]:
    return {
        "type": "json_schema",
        "json_schema": {"name": NAME, "schema": dict(schema), "strict": strict},
    }


def _read_text(content: object) -> tuple[str, bool]:
    """Returns the text, also of parts as some servers send them, and whether a part declines."""
    if isinstance(content, str):
        return content, False
    parts = as_mappings(content)
    texts = [part.get("text") for part in parts if part.get("type") == "text"]
    return "".join(each for each in texts if isinstance(each, str)), any(
        part.get("type") == "refusal" for part in parts
    )
