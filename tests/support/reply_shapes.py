"""What the big providers answer: the shape of their replies, errors and refusals, with fictional
contents.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

Api = Literal["openai", "anthropic", "ollama"]

INPUT_TOKENS = 120
OUTPUT_TOKENS = 30


def reply(
    api: Api, text: str, asked: Mapping[str, Any] | None = None, *, cut: bool = False
) -> dict[str, Any]:
    """A reply of that text. `asked`: the request; where it forces a tool and the text is an object,
    that is its input.
    """
    if api == "openai":
        return openai(
            {"role": "assistant", "content": text, "refusal": None}, "length" if cut else "stop"
        )
    if api == "ollama":
        return ollama({"role": "assistant", "content": text}, "length" if cut else "stop")
    choice = (asked or {}).get("tool_choice") or {}
    given = _object(text) if choice.get("type") == "tool" else None
    if given is not None:
        block = {
            "type": "tool_use",
            "id": "toolu_01Fictional",
            "name": choice["name"],
            "input": given,
        }
        return anthropic([block], "max_tokens" if cut else "tool_use")
    blocks = [{"type": "text", "text": text}] if text else []
    return anthropic(blocks, "max_tokens" if cut else "end_turn")


def openai(message: Mapping[str, Any], finish: str = "stop", **more: Any) -> dict[str, Any]:
    """A chat completion."""
    return {
        "id": "chatcmpl-Fictional",
        "object": "chat.completion",
        "created": 1790000000,
        "model": "small-2026-01-01",
        "choices": [
            {"index": 0, "message": dict(message), "logprobs": None, "finish_reason": finish}
        ],
        "usage": {
            "prompt_tokens": INPUT_TOKENS,
            "completion_tokens": OUTPUT_TOKENS,
            "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
            "prompt_tokens_details": {"cached_tokens": 64, "audio_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": 0},
        },
        "service_tier": "default",
        "system_fingerprint": "fp_fictional",
        **more,
    }


def anthropic(content: list[dict[str, Any]], stop: str = "end_turn", **more: Any) -> dict[str, Any]:
    """A message; a third of its prompt came from the cache."""
    return {
        "id": "msg_01Fictional",
        "type": "message",
        "role": "assistant",
        "model": "small-2026",
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": INPUT_TOKENS - 40,
            "cache_creation_input_tokens": 10,
            "cache_read_input_tokens": 30,
            "output_tokens": OUTPUT_TOKENS,
            "service_tier": "standard",
        },
        **more,
    }


def ollama(message: Mapping[str, Any], done: str = "stop") -> dict[str, Any]:
    """A chat reply that wasn't streamed."""
    return {
        "model": "qwen2.5:3b",
        "created_at": "2026-01-05T10:00:00.000000Z",
        "message": dict(message),
        "done": True,
        "done_reason": done,
        "total_duration": 812345678,
        "load_duration": 12345678,
        "prompt_eval_count": INPUT_TOKENS,
        "prompt_eval_duration": 123456789,
        "eval_count": OUTPUT_TOKENS,
        "eval_duration": 654321000,
    }


def refusal(api: Api, words: str) -> dict[str, Any]:
    """Declines. Ollama has no such field: its models say so in words."""
    if api == "openai":
        return openai({"role": "assistant", "content": None, "refusal": words})
    if api == "ollama":
        return ollama({"role": "assistant", "content": words})
    return anthropic([], "refusal")


def error(api: Api, code: str, message: str) -> dict[str, Any]:
    """The body of a failure."""
    if api == "openai":
        return {
            "error": {
                "message": message,
                "type": "invalid_request_error",
                "param": None,
                "code": code or None,
            }
        }
    if api == "ollama":
        return {"error": message}
    return {
        "type": "error",
        "error": {"type": code or "invalid_request_error", "message": message},
        "request_id": "req_011Fictional",
    }


def _object(text: str) -> dict[str, Any] | None:
    try:
        read = json.loads(text)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None
