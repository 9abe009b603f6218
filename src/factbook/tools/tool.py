"""What an agent's tool is here: a name, a description, parameters with a JSON schema, and a
function that returns text.

`Tool` has the members of selectools' (`name`, `description`, `parameters`, `function`, `schema()`,
`execute`, `aexecute`). Its `function` is a plain typed Python function with a docstring, for hosts
that read those.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from factbook.errors import FactbookError, InputError
from factbook.text.escape import inline
from factbook.tools.arguments import (
    ArgumentType,
    Value,
    check_bounds,
    read_argument,
    refuse_unknown,
    show_value,
)

_JSON_TYPES: Mapping[ArgumentType, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
}

Run = Callable[..., str]
"""Does what the tool is for, with every argument by keyword, read and within its bounds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ToolParameter:
    """An argument of a tool.

    Attributes:
        name, description: as the model sees them.
        param_type: str, int, float or bool.
        required: it must be given. default: what counts where it isn't. blank: a text that must be
            given may be empty.
        enum: the only texts that are allowed; empty for any.
        least, most: bounds of a number.
    """

    name: str
    param_type: ArgumentType
    description: str
    required: bool = True
    default: Value = None
    blank: bool = False
    enum: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None

    def to_schema(self) -> dict[str, Any]:
        """As a property of a JSON schema."""
        schema: dict[str, Any] = {
            "type": _JSON_TYPES[self.param_type],
            "description": self.description,
        }
        if self.enum:
            schema["enum"] = list(self.enum)
        if self.least is not None:
            schema["minimum"] = self.least
        if self.most is not None:
            schema["maximum"] = self.most
        if not self.required and self.default is not None:
            schema["default"] = self.default
        return schema

    def read_value(self, value: object) -> Value:
        """The argument from what the model gave.

        Raises:
            InputError: says what to give instead.
        """
        if self.param_type is str and value is not None and not isinstance(value, str):
            raise InputError(
                f"{self.name} must be a text, not {show_value(value)}: {self.description}"
            )
        found = read_argument(self.name, self.param_type, value)
        if found is None:
            if self.required:
                raise InputError(f"{self.name} is missing: {self.description}")
            return self.default
        if isinstance(found, str):
            return self._check_choice(found)
        if self.least is not None and self.most is not None:
            check_bounds(self.name, found, self.least, self.most)
        return found

    def _check_choice(self, text: str) -> str:
        if self.required and not self.blank and not text.strip():
            raise InputError(f"{self.name} is empty: {self.description}")
        if not self.enum or text == self.default:
            return text
        found = next(
            (each for each in self.enum if each.casefold() == text.strip().casefold()), None
        )
        if found is None:
            raise InputError(f"{self.name} must be one of {', '.join(self.enum)}")
        return found


@dataclass(frozen=True, kw_only=True)
class Tool:
    """One tool. Calling it, however it is called, gives a text: the answer, or a sentence on what
    to do otherwise.

    Attributes:
        name, description: as the model sees them.
        parameters: its arguments, in order.
        run: what it does.
        destructive: it erases or rewrites what is known.
        read_only: it changes nothing.
    """

    name: str
    description: str
    parameters: tuple[ToolParameter, ...]
    run: Run
    destructive: bool = False
    read_only: bool = False

    @cached_property
    def json_schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        return {
            "type": "object",
            "properties": {each.name: each.to_schema() for each in self.parameters},
            "required": [each.name for each in self.parameters if each.required],
            "additionalProperties": False,
        }

    def schema(self) -> dict[str, Any]:
        """Name, description and the JSON schema of the arguments, as selectools' tools describe
        themselves.
        """
        return {"name": self.name, "description": self.description, "parameters": self.json_schema}

    def execute(self, params: Mapping[str, object] | str | None = None) -> str:
        """Runs it with arguments by name, or with the JSON text of them as a model's reply has
        it.
        """
        try:
            arguments = self._read_arguments(_parse_arguments(self.name, params))
            return self.run(**arguments)
        except FactbookError as error:
            return _as_sentence(str(error))
        except OSError as error:
            return (
                f"The memory could not be reached ({type(error).__name__}); nothing is certain "
                "to be stored."
            )

    async def aexecute(self, params: Mapping[str, object] | str | None = None) -> str:
        """Like `execute`, in a thread."""
        return await asyncio.to_thread(self.execute, params)

    def __call__(self, *args: object, **kwargs: object) -> str:
        """Runs it with arguments as to a function."""
        if len(args) > len(self.parameters):
            return _as_sentence(
                f"{self.name} takes {len(self.parameters)} arguments, not {len(args)}"
            )
        given = dict(zip((each.name for each in self.parameters), args, strict=False))
        twice = [name for name in given if name in kwargs]
        if twice:
            return _as_sentence(f"{twice[0]} was given twice")
        return self.execute({**given, **kwargs})

    @cached_property
    def function(self) -> Callable[..., str]:
        """A plain function with this name, typed parameters and a docstring, for hosts that read
        those.
        """

        def function(*args: object, **kwargs: object) -> str:
            return self(*args, **kwargs)

        typed = cast(Any, function)
        typed.__name__ = typed.__qualname__ = self.name
        typed.__doc__ = self._make_docstring()
        typed.__signature__ = self._make_signature()
        typed.__annotations__ = {
            **{each.name: _annotation_of(each) for each in self.parameters},
            "return": str,
        }
        return function

    def _read_arguments(self, given: Mapping[str, object]) -> dict[str, Value]:
        refuse_unknown(self.name, [each.name for each in self.parameters], given)
        return {each.name: each.read_value(given.get(each.name)) for each in self.parameters}

    def _make_signature(self) -> inspect.Signature:
        return inspect.Signature(
            [
                inspect.Parameter(
                    each.name,
                    inspect.Parameter.POSITIONAL_OR_KEYWORD,
                    default=inspect.Parameter.empty if each.required else each.default,
                    annotation=_annotation_of(each),
                )
                for each in self.parameters
            ],
            return_annotation=str,
        )

    def _make_docstring(self) -> str:
        arguments = "\n".join(f"    {each.name}: {each.description}" for each in self.parameters)
        return f"{self.description}\n\nArgs:\n{arguments}" if arguments else self.description


def call_tool(
    tools: Iterable[Tool], name: str, arguments: Mapping[str, object] | str | None = None
) -> str:
    """Runs the tool that a model asked for by name; a sentence back where there is none."""
    by_name = {tool.name: tool for tool in tools}
    if name not in by_name:
        return _as_sentence(f"there is no such tool; there are {', '.join(by_name)}")
    return by_name[name].execute(arguments)


def _annotation_of(parameter: ToolParameter) -> object:
    kind = parameter.param_type
    return kind if parameter.required or parameter.default is not None else kind | None


def _parse_arguments(tool: str, params: Mapping[str, object] | str | None) -> Mapping[str, object]:
    found: object = params
    if isinstance(params, str):
        try:
            found = json.loads(params) if params.strip() else None
        except (ValueError, RecursionError):
            raise InputError(
                f"the arguments of {tool} are not valid JSON; give one JSON object"
            ) from None
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise InputError(f"the arguments of {tool} must be one JSON object, by name")
    return cast(Mapping[str, object], found)


def _as_sentence(text: str) -> str:
    """With a capital and a full stop, on one line; names in it can't forge anything."""
    flat = inline(text)
    return f"{flat[:1].upper()}{flat[1:]}" + ("" if flat.endswith((".", "!", "?")) else ".")
