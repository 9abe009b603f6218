"""What a host calls its model, as our port: a callable, the shapes of the OpenAI and Anthropic
clients, a provider of selectools or any other object with `complete`. All by duck typing: no client
package is imported here, and what a client raises reaches the host as it is.
"""

from __future__ import annotations

import asyncio
import inspect
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from factbook.errors import ConfigError, ReplyRejectedError
from factbook.llm.meter import Meter
from factbook.model.usage import Usage
from factbook.ports.models import AsyncLanguageModel, ChatMessage, LanguageModel

MOST_TOKENS = 4096
"""Of a reply, where the client insists on a ceiling."""

_TOKENS = (("prompt_tokens", "input_tokens"), ("completion_tokens", "output_tokens"))

Reply = str | dict[str, Any]
Call = Callable[[Sequence[ChatMessage]], Any]
"""Asks and returns what the client returns, or something to await for it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Adapted:
    """A host's model behind both ports, its calls counted. `awaited`: only `acomplete` can call
    it.
    """

    name: str
    call: Call
    awaited: bool = False
    meter: Meter = field(default_factory=Meter, repr=False, compare=False)

    def complete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        """Asks, and waits for the answer.

        Raises:
            ConfigError: it can only be awaited. ReplyRejectedError: the answer holds no text.
        """
        del schema  # the prompt says the form; not every server takes a schema
        if not self.awaited:
            with self._count_call():
                answer = self.call(messages)
                if not inspect.isawaitable(answer):
                    return self._make_reply(answer)
            if inspect.iscoroutine(answer):
                answer.close()
        raise ConfigError(
            f"{self.name} is asynchronous; use the method that is awaited (it begins with an a)"
        )

    async def acomplete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> Reply:
        """Asks without holding up the event loop.

        Raises:
            ReplyRejectedError: the answer holds no text.
        """
        del schema
        with self._count_call():
            answer = (
                self.call(messages)
                if self.awaited
                else await asyncio.to_thread(self._call_client, messages)
            )
            if inspect.isawaitable(answer):
                answer = await answer
            return self._make_reply(answer)

    def _call_client(self, messages: Sequence[ChatMessage]) -> Any:
        try:
            return self.call(messages)
        except StopIteration as error:
            # Nobody would ever hear of it: a future refuses this one exception, and is waited for
            # without an end.
            raise RuntimeError("the model's callable raised StopIteration") from error

    def usage(self) -> Usage:
        """Counts the calls made through this object; tokens where the client tells them. Its own
        retries are not seen.
        """
        return self.meter.total()

    @contextmanager
    def _count_call(self) -> Generator[None]:
        began, done = time.perf_counter(), False
        try:
            yield
            done = True
        finally:
            self.meter.add(
                Usage(calls=1, failures=int(not done), seconds=time.perf_counter() - began)
            )

    def _make_reply(self, answer: Any) -> Reply:
        self.meter.add(_read_usage(answer))
        return _read_answer(answer)


def language_model(
    provider: object, model: str | None = None
) -> LanguageModel | AsyncLanguageModel:
    """Returns the host's object as a language model.

    Args:
        provider: an object of our port; a callable from prompt to text (or a coroutine function);
            an OpenAI or Anthropic client, also the asynchronous ones; a provider of selectools; an
            object whose `complete` takes the prompt.
        model: its model; needed for the two clients, which have no configured one.

    Raises:
        ConfigError: it is none of these, or the model is missing.
    """
    if isinstance(provider, type):
        raise ConfigError(f"{provider.__name__} is a class; give an object of it")
    for shape in (_adapt_selectools, _adapt_openai, _adapt_anthropic):
        if found := shape(provider, model):
            return found
    if isinstance(provider, LanguageModel | AsyncLanguageModel):
        return provider
    for call in (_find_method(provider, "complete"), provider):
        if callable(call):
            return _adapt_callable(call, type(provider).__name__)
    raise ConfigError(
        f"{type(provider).__name__} is no language model; give a callable (prompt to text), an "
        "OpenAI or Anthropic "
        "client, an object with complete(messages, schema), or 'local'"
    )


def _adapt_callable(call: Callable[..., Any], kind: str) -> Adapted:
    own = getattr(call, "__call__", None)  # noqa: B004 - its kind, not whether it has one
    awaited = inspect.iscoroutinefunction(call) or inspect.iscoroutinefunction(own)
    return Adapted(
        name=f"callable:{getattr(call, '__name__', kind)}",
        call=lambda messages: call("\n\n".join(each.content for each in messages)),
        awaited=awaited,
    )


def _adapt_selectools(provider: Any, model: str | None) -> Adapted | None:
    """selectools' `complete(*, model, system_prompt, messages, …) -> (message, usage)`."""
    complete = _find_method(provider, "complete")
    taken = _parameter_names(complete)
    if complete is None or "schema" in taken or not {"system_prompt", "**"} & set(taken):
        return None
    name = model or _configured_model(provider)

    def call(messages: Sequence[ChatMessage]) -> Any:
        system = "\n\n".join(each.content for each in messages if each.role == "system")
        told = [_as_host_message(each) for each in messages if each.role != "system"]
        return complete(model=name, system_prompt=system, messages=told, max_tokens=MOST_TOKENS)

    return Adapted(
        name=f"{type(provider).__name__}:{name}",
        call=call,
        awaited=inspect.iscoroutinefunction(complete),
    )


def _adapt_openai(provider: Any, model: str | None) -> Adapted | None:
    create = _find_method(provider, "chat", "completions", "create")
    if create is None:
        return None
    name = _require_model(model, "an OpenAI client")
    return Adapted(
        name=f"openai:{name}",
        call=lambda messages: create(model=name, messages=[_as_dict(each) for each in messages]),
        awaited=_is_async(provider),
    )


def _adapt_anthropic(provider: Any, model: str | None) -> Adapted | None:
    create = _find_method(provider, "messages", "create")
    if create is None:
        return None
    name = _require_model(model, "an Anthropic client")

    def call(messages: Sequence[ChatMessage]) -> Any:
        told = [_as_dict(each) for each in messages if each.role != "system"]
        system = "\n\n".join(each.content for each in messages if each.role == "system")
        more = {"system": system} if system else {}
        return create(model=name, max_tokens=MOST_TOKENS, messages=told, **more)

    return Adapted(name=f"anthropic:{name}", call=call, awaited=_is_async(provider))


def _is_async(client: object) -> bool:
    """Returns whether a client is asynchronous: both packages tell it by the name."""
    return type(client).__name__.startswith("Async")


def _configured_model(provider: object) -> str:
    name = getattr(provider, "default_model", "")
    return name if isinstance(name, str) else ""


def _find_method(provider: Any, *path: str) -> Callable[..., Any] | None:
    found = provider
    for name in path:
        found = getattr(found, name, None)
    return found if callable(found) else None


def _parameter_names(method: Callable[..., Any] | None) -> Sequence[str]:
    """Returns the names that it takes; `**` where it takes any."""
    try:
        taken = inspect.signature(method).parameters.values() if method else ()
    except (TypeError, ValueError):
        return ()
    return ["**" if each.kind is inspect.Parameter.VAR_KEYWORD else each.name for each in taken]


def _require_model(model: str | None, whose: str) -> str:
    if not model:
        raise ConfigError(f"{whose} has no model of its own; name one with extraction_model=")
    return model


def _as_dict(message: ChatMessage) -> dict[str, str]:
    return {"role": message.role, "content": message.content}


def _as_host_message(message: ChatMessage) -> object:
    """Returns the message as selectools' own type where selectools is loaded, as it is wherever its
    providers are.
    """
    host = sys.modules.get("selectools.types")
    if host is None:
        return message
    return host.Message(role=host.Role(message.role), content=message.content)


def _read_usage(answer: Any) -> Usage:
    """Returns the tokens as either client tells them, or selectools beside its message."""
    told: object = answer
    if isinstance(answer, tuple):
        told = cast(Sequence[object], answer)[-1] if answer else None
    told = getattr(told, "usage", told)
    spent = [_first_number(told, *names) for names in _TOKENS]
    return Usage(input_tokens=spent[0], output_tokens=spent[1])


def _first_number(told: object, *names: str) -> int:
    found = (getattr(told, name, None) for name in names)
    return next((number for number in found if isinstance(number, int)), 0)


def _read_answer(answer: Any) -> Reply:
    """Reads an answer: the text or object itself, (message, usage), a message, or what either
    client returns.
    """
    if isinstance(answer, str | dict):
        return cast(Reply, answer)
    if isinstance(answer, list):
        return {"entities": answer}
    if isinstance(answer, tuple):
        return _read_answer(next(iter(cast(Sequence[Any], answer)), None))
    if choices := getattr(answer, "choices", None):
        return _read_answer(getattr(choices[0], "message", None))
    content = getattr(answer, "content", None)
    if isinstance(content, list | tuple):
        texts = [getattr(block, "text", None) for block in cast(Sequence[Any], content)]
        content = "".join(text for text in texts if isinstance(text, str)) or None
    if not isinstance(content, str):
        raise ReplyRejectedError(f"the model's answer holds no text but {type(answer).__name__}")
    return content
