"""Tools as other libraries describe them: dicts for model APIs, plain functions for frameworks that
read signatures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from factbook.tools.tool import Tool

_NOT_STRICT = ("default", "minimum", "maximum")


def as_openai(tools: Iterable[Tool], *, strict: bool = False) -> list[dict[str, Any]]:
    """For `tools=` of OpenAI's chat completions and of every server that speaks like it.

    Args:
        strict: in the form of strict schemas: every argument required, the optional ones nullable.
    """
    return [{"type": "function", "function": _describe_tool(tool, strict=strict)} for tool in tools]


def as_openai_responses(tools: Iterable[Tool], *, strict: bool = False) -> list[dict[str, Any]]:
    """For `tools=` of OpenAI's Responses API."""
    return [
        {"type": "function", **_describe_tool(tool, strict=strict), "strict": strict}
        for tool in tools
    ]


def as_anthropic(tools: Iterable[Tool]) -> list[dict[str, Any]]:
    """For `tools=` of Anthropic's messages."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": tool.json_schema}
        for tool in tools
    ]


def as_functions(tools: Iterable[Tool]) -> list[Callable[..., str]]:
    """Plain functions with names, types and docstrings, for LangGraph, LlamaIndex, pydantic-ai, ADK
    and the like.
    """
    return [tool.function for tool in tools]


def _describe_tool(tool: Tool, *, strict: bool) -> dict[str, Any]:
    if not strict:
        return tool.schema()
    return {**tool.schema(), "parameters": _strict_schema(tool), "strict": True}


def _strict_schema(tool: Tool) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for each in tool.parameters:
        schema = {key: value for key, value in each.to_schema().items() if key not in _NOT_STRICT}
        if not each.required:
            schema["type"] = [schema["type"], "null"]
            if "enum" in schema:
                schema["enum"] = [*schema["enum"], None]
        properties[each.name] = schema
    return {**tool.json_schema, "properties": properties, "required": list(properties)}
