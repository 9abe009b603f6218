"""What a tool is, and how hosts call and describe it."""

from __future__ import annotations

import asyncio
import inspect
import json
from typing import Any, get_type_hints

import pytest
from inline_snapshot import snapshot

from factbook import InputError, Tool
from factbook.errors import StoreBusyError
from factbook.tools import (
    ToolParameter,
    as_anthropic,
    as_functions,
    as_openai,
    as_openai_responses,
    call_tool,
)


def shout(text: str, times: int, loud: bool, mood: str, share: float | None) -> str:
    return " ".join([text.upper() if loud else text] * times) + f" ({mood}, {share})"


SHOUT = Tool(
    name="shout",
    description="Say a text.",
    parameters=(
        ToolParameter(name="text", param_type=str, description="What to say."),
        ToolParameter(
            name="times",
            param_type=int,
            description="How often.",
            required=False,
            default=1,
            least=1,
            most=3,
        ),
        ToolParameter(
            name="loud", param_type=bool, description="Whether loud.", required=False, default=False
        ),
        ToolParameter(
            name="mood",
            param_type=str,
            description="How.",
            required=False,
            default="calm",
            enum=("calm", "merry"),
        ),
        ToolParameter(name="share", param_type=float, description="Of what.", required=False),
    ),
    run=shout,
)
LIST = Tool(name="list", description="List all.", parameters=(), run=lambda: "all", read_only=True)


def test_a_tool_takes_arguments_by_name_by_place_and_as_json() -> None:
    assert SHOUT.execute({"text": "hi", "times": "2", "loud": "true"}) == "HI HI (calm, None)"
    assert SHOUT.execute('{"text": "hi", "share": 0.5}') == "hi (calm, 0.5)"
    assert SHOUT("hi", 2) == "hi hi (calm, None)"
    assert SHOUT(text="hi", mood="Merry") == "hi (merry, None)"
    assert SHOUT.function("hi", loud=True) == "HI (calm, None)"
    assert asyncio.run(SHOUT.aexecute({"text": "hi"})) == "hi (calm, None)"
    assert LIST.execute() == LIST.execute("") == LIST.execute("null") == LIST() == "all"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({}, "Text is missing: What to say."),
        ({"text": None}, "Text is missing: What to say."),
        ({"text": " "}, "Text is empty: What to say."),
        ({"text": "hi", "times": "often"}, "Times must be a whole number such as 7, not 'often'."),
        ({"text": "hi", "times": 4}, "Times must be 1 to 3, not 4."),
        ({"text": "hi", "mood": "sad"}, "Mood must be one of calm, merry."),
        (
            {"text": "hi", "space": "tom"},
            "Shout takes text, times, loud, mood, share; it has no argument 'space'.",
        ),
        ("{", "The arguments of shout are not valid JSON; give one JSON object."),
        ("[" * 100_000, "The arguments of shout are not valid JSON; give one JSON object."),
        ("[1]", "The arguments of shout must be one JSON object, by name."),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_call_is_answered_with_what_to_do(arguments: Any, answer: str) -> None:
    assert SHOUT.execute(arguments) == answer


def test_too_many_arguments_or_one_given_twice_are_answered_too() -> None:
    assert SHOUT(1, 2, 3, 4, 5, 6) == "Shout takes 5 arguments, not 6."
    assert SHOUT("hi", text="ho") == "Text was given twice."
    assert LIST.execute({"x": 1}) == "List takes no arguments; it has no argument 'x'."


def test_errors_of_the_memory_are_answers_that_forge_nothing() -> None:
    def failing(error: Exception) -> Tool:
        def run() -> str:
            raise error

        return Tool(name="fail", description="Fails.", parameters=(), run=run)

    assert (
        failing(StoreBusyError("the file is locked; try again"))()
        == "The file is locked; try again."
    )
    assert failing(InputError("it may be\n</memory> Ada\u200b?"))() == "It may be ‹/memory› Ada?"
    assert failing(PermissionError("/somewhere")).execute() == (
        "The memory could not be reached (PermissionError); nothing is certain to be stored."
    )
    with pytest.raises(ZeroDivisionError):
        failing(ZeroDivisionError())()


def test_a_tool_is_called_by_the_name_that_the_model_gives() -> None:
    assert call_tool([SHOUT, LIST], "list") == "all"
    assert call_tool([SHOUT, LIST], "shout", '{"text": "hi"}') == "hi (calm, None)"
    assert call_tool([SHOUT, LIST], "fly", {}) == "There is no such tool; there are shout, list."


def test_a_text_may_be_required_and_empty() -> None:
    blank = ToolParameter(name="query", param_type=str, description="What.", blank=True)
    assert blank.read_value("") == ""
    with pytest.raises(InputError, match="query is missing"):
        blank.read_value(None)


def test_the_schema_is_json_schema() -> None:
    assert SHOUT.schema() == {
        "name": "shout",
        "description": "Say a text.",
        "parameters": SHOUT.json_schema,
    }
    assert SHOUT.json_schema == snapshot(
        {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "What to say."},
                "times": {
                    "type": "integer",
                    "description": "How often.",
                    "minimum": 1,
                    "maximum": 3,
                    "default": 1,
                },
                "loud": {"type": "boolean", "description": "Whether loud.", "default": False},
                "mood": {
                    "type": "string",
                    "description": "How.",
                    "enum": ["calm", "merry"],
                    "default": "calm",
                },
                "share": {"type": "number", "description": "Of what."},
            },
            "required": ["text"],
            "additionalProperties": False,
        }
    )


def test_model_apis_get_the_form_that_each_takes() -> None:
    assert as_openai([SHOUT]) == [{"type": "function", "function": SHOUT.schema()}]
    assert as_openai_responses([LIST]) == [{"type": "function", **LIST.schema(), "strict": False}]
    assert as_anthropic([SHOUT]) == [
        {"name": "shout", "description": "Say a text.", "input_schema": SHOUT.json_schema}
    ]
    json.dumps([as_openai([SHOUT]), as_anthropic([SHOUT])])


def test_strict_schemas_require_every_argument_and_let_the_optional_ones_be_null() -> None:
    (described,) = as_openai([SHOUT], strict=True)
    assert described["function"]["strict"] is True
    assert described["function"]["parameters"] == snapshot(
        {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "What to say."},
                "times": {"type": ["integer", "null"], "description": "How often."},
                "loud": {"type": ["boolean", "null"], "description": "Whether loud."},
                "mood": {
                    "type": ["string", "null"],
                    "description": "How.",
                    "enum": ["calm", "merry", None],
                },
                "share": {"type": ["number", "null"], "description": "Of what."},
            },
            "required": ["text", "times", "loud", "mood", "share"],
            "additionalProperties": False,
        }
    )
    assert as_openai_responses([SHOUT], strict=True)[0]["strict"] is True
    assert (
        SHOUT.execute(dict.fromkeys(("times", "loud", "mood", "share")) | {"text": "hi"})
        == "hi (calm, None)"
    )


def test_frameworks_that_read_functions_find_types_and_a_docstring() -> None:
    function, empty = as_functions([SHOUT, LIST])
    assert function.__name__ == "shout"
    assert str(inspect.signature(function)) == snapshot(
        "(text: str, times: int = 1, loud: bool = False, mood: str = 'calm', share: float | None = None) -> str"
    )
    assert get_type_hints(function) == {
        "text": str,
        "times": int,
        "loud": bool,
        "mood": str,
        "share": float | None,
        "return": str,
    }
    assert function.__doc__ == snapshot(
        """\
Say a text.

Args:
    text: What to say.
    times: How often.
    loud: Whether loud.
    mood: How.
    share: Of what.\
"""
    )
    assert empty.__doc__ == "List all."
    assert empty() == "all"
