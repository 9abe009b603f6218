"""What answers in the examples: a script by default, or any OpenAI-compatible server."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Sequence
from typing import Any

from factbook import Tool
from factbook.tools import as_openai, call_tool

Message = dict[str, Any]
"""A message as chat completions know it."""
Model = Callable[[Sequence[Message], Sequence[Tool]], Message]
"""Takes the conversation and the tools, and gives the assistant's next message: tool calls, or an
answer.
"""
MOST_STEPS = 8
"""Tool calls in a row before a turn ends without an answer."""


def arguments(description: str) -> argparse.Namespace:
    """`--base-url`, `--model` and `--db` of the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--base-url", help="an OpenAI-compatible server, such as http://localhost:11434/v1"
    )
    parser.add_argument("--model", help="the model that the server runs")
    parser.add_argument("--db", help="the file to remember in (by default a temporary one)")
    options = parser.parse_args()
    if options.base_url and not options.model:
        parser.error("name the model too: --model")
    return options


def connect(base_url: str | None) -> Any:
    """A client of the server; the key is in OPENAI_API_KEY, where the server wants one."""
    try:
        import openai
    except ImportError:
        raise SystemExit(
            "Talking to a server needs the openai package: pip install openai"
        ) from None
    return openai.OpenAI(base_url=base_url, api_key=os.environ.get("OPENAI_API_KEY", "none"))


def served(client: Any, model: str) -> Model:
    """A model behind a client of the openai package."""

    def ask(messages: Sequence[Message], tools: Sequence[Tool]) -> Message:
        offered = {"tools": as_openai(tools)} if tools else {}
        reply = client.chat.completions.create(model=model, messages=list(messages), **offered)
        answered: Message = reply.choices[0].message.model_dump(exclude_none=True)
        return answered

    return ask


def call(name: str, /, **values: object) -> Message:
    """The message in which a model calls one tool."""
    function = {"name": name, "arguments": json.dumps(values)}
    return {
        "role": "assistant",
        "tool_calls": [{"id": f"call_{name}", "type": "function", "function": function}],
    }


def says(text: str) -> Message:
    """The message in which a model answers."""
    return {"role": "assistant", "content": text}


Step = Message | Callable[[str], Message]
"""A message, or what makes one of the text that the model read last: of a tool's result, or of the
whole prompt.
"""


def scripted(steps: Sequence[Step]) -> Model:
    """A model that gives these messages, one after the other."""
    left = iter(steps)

    def ask(messages: Sequence[Message], tools: Sequence[Tool]) -> Message:
        del tools
        step = next(left)
        if not callable(step):
            return step
        last = messages[-1]
        read = [last] if last["role"] == "tool" else messages
        return step("\n".join(str(each.get("content") or "") for each in read))

    return ask


def turn(model: Model, tools: Sequence[Tool], messages: list[Message], text: str) -> str:
    """One turn: the user says a text, the model calls tools as it likes, and answers. All of it
    joins `messages`.
    """
    print(f"\nAda: {text}")
    messages.append({"role": "user", "content": text})
    for _ in range(MOST_STEPS):
        reply = model(messages, tools)
        messages.append(reply)
        calls: list[Message] = reply.get("tool_calls") or []
        if not calls:
            answer = str(reply.get("content") or "")
            print(f"Agent: {answer}")
            return answer
        for each in calls:
            wanted = each["function"]
            result = call_tool(tools, wanted["name"], wanted["arguments"])
            print(
                f"  {wanted['name']}({wanted['arguments']})\n    → {result.replace(chr(10), chr(10) + '      ')}"
            )
            messages.append({"role": "tool", "tool_call_id": each["id"], "content": result})
    return ""
