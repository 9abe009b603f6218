"""Anthropic's API, of Anthropic itself or of a server that speaks it, through the official package
`anthropic`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from factbook.llm import clients
from factbook.llm.api import (
    Answer,
    Manner,
    as_mapping,
    as_mappings,
    host_of,
    judge_answer,
    parted_login,
    whole_number,
)
from factbook.llm.faults import Advice, Trouble
from factbook.llm.settings import ModelSettings
from factbook.llm.shapes import (
    NAME,
    all_required,
    as_object,
    is_strict,
    system_apart,
    without_bounds,
)
from factbook.ports.models import ChatMessage

OWN = "https://api.anthropic.com"
NO_KEY = "none"
"""Sent to servers that want none; the package insists on one."""

_CUT = ("max_tokens", "model_context_window_exceeded")
_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicApi:
    """Messages. A schema is the input of a tool that the model is made to use, which every server
    of this API knows.
    """

    def __init__(self, model: str, settings: ModelSettings) -> None:
        self._model = model
        self._settings = settings
        self._url, self._login = parted_login(settings.base_url or OWN)
        self._package: Any = None
        self._client: Any = None
        self.may_lack: Sequence[str] = ("temperature",)
        self.advice = Advice(
            where=host_of(self._url),
            reach="start the server, or check the base URL and the network",
            key="set ANTHROPIC_API_KEY or api_key to a valid one",
            find="check the model's name and the base URL (without /v1)",
        )

    def count_forms(self, schema: Mapping[str, Any]) -> int:
        return len(_schema_forms(schema))

    def make_body(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None, manner: Manner
    ) -> dict[str, Any]:
        system, told = system_apart(messages)
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": self._settings.max_tokens,
            "messages": told,
        }
        if system:
            body["system"] = system
        if "temperature" not in manner.without:
            body["temperature"] = self._settings.temperature
        if schema is not None:
            forms = _schema_forms(schema)
            body |= forms[min(manner.form, len(forms) - 1)]
        return body

    async def send(self, body: Mapping[str, Any]) -> object:
        if self._client is None:
            self._package = clients.load_client("anthropic")
            self._client = self._package.AsyncAnthropic(
                api_key=self._settings.api_key or NO_KEY,
                base_url=self._url,
                timeout=self._settings.timeout,
                max_retries=0,
                default_headers={**self._login, **self._settings.headers},
            )
        named = ("model", "messages", "max_tokens")
        create = self._client.messages.with_raw_response.create
        # As an extra body, so that any version of the package takes parameters that are newer than
        # it.
        return await clients.call_client(
            self._package,
            create,
            **{name: body[name] for name in named},
            extra_body={name: value for name, value in body.items() if name not in named},
        )

    def read_reply(self, reply: Mapping[str, Any]) -> Answer:
        blocks = as_mappings(reply.get("content"))
        usage = as_mapping(reply.get("usage"))
        spent: dict[str, Any] = {
            "input_tokens": sum(whole_number(usage.get(name)) for name in _INPUT),
            "output_tokens": whole_number(usage.get("output_tokens")),
        }
        cut = reply.get("stop_reason") in _CUT
        if reply.get("stop_reason") == "refusal":
            return Answer(trouble=Trouble(kind="refused"), **spent)
        if not isinstance(reply.get("content"), list):
            return Answer(trouble=Trouble(kind="unreadable"), **spent)
        used = next((each.get("input") for each in blocks if each.get("type") == "tool_use"), None)
        if isinstance(used, dict) and used and not cut:
            return Answer(reply=cast(dict[str, Any], used), **spent)
        texts = [each.get("text") for each in blocks if each.get("type") == "text"]
        text = "".join(each for each in texts if isinstance(each, str))
        if isinstance(used, dict) and used:
            # What the server made whole ended in the midst: without its last bracket it is read as
            # what it is.
            text = json.dumps(used, ensure_ascii=False)[:-1]
        elif isinstance(used, str):
            text = used
        return judge_answer(text, cut=cut, **spent)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()


def _schema_forms(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Returns a tool; the newer field for a schema, for models that think and can't be made to use
    a tool; nothing.
    """
    whole_schema = as_object(schema)
    tool = {"name": NAME, "description": "Takes the reply.", "input_schema": whole_schema}
    forms: list[dict[str, Any]] = [{"tools": [tool], "tool_choice": {"type": "tool", "name": NAME}}]
    closed = all_required(whole_schema)
    if is_strict(closed):
        forms.append(
            {"output_config": {"format": {"type": "json_schema", "schema": without_bounds(closed)}}}
        )
    return [*forms, {}]
