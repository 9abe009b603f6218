"""What hosts call their model, as our port."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from types import ModuleType, SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from factbook.errors import ConfigError, ReplyRejectedError
from factbook.llm.adapt import MOST_TOKENS, language_model
from factbook.model.usage import Usage
from factbook.ports.models import AsyncLanguageModel, ChatMessage, LanguageModel, Metered

ASK = (ChatMessage("Be brief.", "system"), ChatMessage("Who?"))


def ask(model: LanguageModel | AsyncLanguageModel) -> Any:
    assert isinstance(model, LanguageModel)
    return model.complete(ASK)


def await_it(model: LanguageModel | AsyncLanguageModel) -> Any:
    assert isinstance(model, AsyncLanguageModel)
    return asyncio.run(model.acomplete(ASK))


class Scripted:
    """Takes calls as a client does, and answers what it was given."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.asked: list[dict[str, Any]] = []

    def __call__(self, **asked: Any) -> Any:
        self.asked.append(asked)
        return self.answer


def openai(content: object, kind: str = "OpenAI") -> tuple[object, Scripted]:
    create = Scripted(
        SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=content))])
    )
    client = type(kind, (), {"chat": SimpleNamespace(completions=SimpleNamespace(create=create))})()
    return client, create


def anthropic(blocks: object) -> tuple[object, Scripted]:
    create = Scripted(SimpleNamespace(content=blocks))
    return SimpleNamespace(messages=SimpleNamespace(create=create)), create


def test_a_callable_is_given_the_prompt_and_gives_text() -> None:
    model = language_model(lambda prompt: prompt.upper())
    assert ask(model) == "BE BRIEF.\n\nWHO?"
    assert model.name == "callable:<lambda>"
    assert await_it(model) == "BE BRIEF.\n\nWHO?"


def test_a_callable_may_give_the_object_or_the_list_itself() -> None:
    assert ask(language_model(lambda prompt: {"name": "Ada"})) == {"name": "Ada"}
    assert ask(language_model(lambda prompt: [{"name": "Ada"}])) == {"entities": [{"name": "Ada"}]}


def test_an_answer_that_is_no_text_is_rejected() -> None:
    with pytest.raises(ReplyRejectedError, match="no text but NoneType"):
        ask(language_model(lambda prompt: None))


def test_a_coroutine_function_is_awaited_and_can_only_be() -> None:
    async def answer(prompt: str) -> str:
        return "Ada"

    class Answering:
        async def __call__(self, prompt: str) -> str:
            return "Ada"

    for provider in (answer, Answering(), lambda prompt: answer(prompt.strip())):
        model = language_model(provider)
        assert await_it(model) == "Ada"
        with pytest.raises(ConfigError, match="asynchronous"):
            ask(model)


def test_what_can_be_awaited_without_being_a_coroutine_is_refused_too() -> None:
    class Later:
        def __await__(self) -> Any:
            yield

    with pytest.raises(ConfigError, match="asynchronous"):
        ask(language_model(lambda prompt: Later()))


def test_an_openai_client_is_asked_for_its_named_model() -> None:
    client, create = openai("[]")
    assert ask(language_model(client, "small")) == "[]"
    assert create.asked == [
        {
            "model": "small",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Who?"},
            ],
        }
    ]
    with pytest.raises(ConfigError, match="extraction_model="):
        language_model(client)


def test_an_openai_answer_without_text_is_rejected() -> None:
    with pytest.raises(ReplyRejectedError):
        ask(language_model(openai(None)[0], "small"))
    client, create = openai("")
    create.answer = SimpleNamespace(choices=[])
    with pytest.raises(ReplyRejectedError):
        ask(language_model(client, "small"))


def test_an_asynchronous_openai_client_is_awaited() -> None:
    client, create = openai("[]", "AsyncOpenAI")

    async def answer() -> Any:
        return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content="Ada"))])

    create.answer = answer()
    assert await_it(language_model(client, "small")) == "Ada"


def test_an_anthropic_client_is_given_a_ceiling_and_the_system_text_apart() -> None:
    client, create = anthropic(
        [SimpleNamespace(type="thinking"), SimpleNamespace(text="A"), SimpleNamespace(text="da")]
    )
    assert ask(language_model(client, "small")) == "Ada"
    assert create.asked == [
        {
            "model": "small",
            "max_tokens": MOST_TOKENS,
            "system": "Be brief.",
            "messages": [{"role": "user", "content": "Who?"}],
        }
    ]
    model = language_model(client, "small")
    assert isinstance(model, LanguageModel)
    model.complete(ASK[1:])
    assert "system" not in create.asked[-1]


def test_an_anthropic_answer_without_text_is_rejected() -> None:
    with pytest.raises(ReplyRejectedError):
        ask(language_model(anthropic(None)[0], "small"))


class Provider:
    """In the shape of selectools' own."""

    name = "scripted"
    default_model = "own"

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def complete(
        self, *, model: str, system_prompt: str, messages: list[Any], max_tokens: int = 1000
    ) -> Any:
        self.asked.append({"model": model, "system": system_prompt, "messages": messages})
        return SimpleNamespace(content="Ada"), SimpleNamespace(tokens=3)


def test_a_provider_of_selectools_is_asked_with_its_own_model() -> None:
    provider = Provider()
    assert ask(language_model(provider)) == "Ada"
    assert ask(language_model(provider, "other")) == "Ada"
    assert [(each["model"], each["system"]) for each in provider.asked] == [
        ("own", "Be brief."),
        ("other", "Be brief."),
    ]
    assert [each.content for each in provider.asked[0]["messages"]] == ["Who?"]


def test_a_provider_that_takes_anything_is_asked_like_selectools_and_read_in_every_form() -> None:
    for answer in ("Ada", ("Ada", None), SimpleNamespace(content="Ada")):
        complete = Scripted(answer)
        provider = SimpleNamespace(complete=complete, default_model=3)
        assert ask(language_model(provider)) == "Ada"
        assert set(complete.asked[0]) == {"model", "system_prompt", "messages", "max_tokens"}
    assert ask(language_model(MagicMock(complete=Scripted("Ada")))) == "Ada"
    with pytest.raises(ReplyRejectedError):
        ask(language_model(SimpleNamespace(complete=Scripted(()))))


def test_what_completes_a_prompt_is_given_it() -> None:
    class Simple:
        def complete(self, prompt: str) -> str:
            return prompt.upper()

    assert ask(language_model(Simple())) == "BE BRIEF.\n\nWHO?"


def test_a_provider_of_selectools_is_given_selectools_messages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Role(StrEnum):
        USER = "user"

    host = ModuleType("selectools.types")
    host.Role = Role  # type: ignore[attr-defined]
    host.Message = lambda role, content: SimpleNamespace(role=role, content=content)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "selectools.types", host)
    provider = Provider()
    ask(language_model(provider))
    assert provider.asked[0]["messages"][0].role is Role.USER


def test_an_object_of_our_port_is_taken_as_it_is() -> None:
    class Ours:
        name = "ours"

        def complete(
            self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
        ) -> str:
            return "Ada"

    class OursAwaited:
        name = "ours"

        async def acomplete(
            self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
        ) -> str:
            return "Ada"

    for provider in (Ours(), OursAwaited()):
        assert language_model(provider) is provider


def test_what_is_no_model_is_refused_with_what_would_be_one() -> None:
    with pytest.raises(ConfigError, match="int is no language model; give a callable"):
        language_model(3)
    with pytest.raises(ConfigError, match="Provider is a class; give an object of it"):
        language_model(Provider)


def test_a_method_whose_signature_can_not_be_read_is_given_the_prompt() -> None:
    class Odd:
        complete = min

    assert ask(language_model(Odd())) == "\n"


# ---------------------------------------------------------------- what is counted


def counted(model: LanguageModel | AsyncLanguageModel) -> Usage:
    assert isinstance(model, Metered)
    return replace(model.usage(), seconds=0.0)


def test_calls_of_a_hosts_own_model_are_counted_with_their_failures() -> None:
    answers = iter(["Ada", None])
    model = language_model(lambda prompt: next(answers))
    ask(model)
    with pytest.raises(ReplyRejectedError):
        ask(model)
    with pytest.raises(RuntimeError, match="StopIteration"):
        await_it(model)
    assert counted(model) == Usage(calls=3, failures=2)


def test_tokens_are_counted_where_a_client_tells_them() -> None:
    client, create = openai("Ada")
    create.answer.usage = SimpleNamespace(prompt_tokens=120, completion_tokens=30)  # type: ignore[attr-defined]
    model = language_model(client, "small")
    ask(model)
    ask(model)
    assert counted(model) == Usage(calls=2, input_tokens=240, output_tokens=60)

    client, create = anthropic([SimpleNamespace(text="Ada")])
    create.answer.usage = SimpleNamespace(input_tokens=120, output_tokens=None)  # type: ignore[attr-defined]
    model = language_model(client, "small")
    assert await_it(model) == "Ada"
    assert counted(model) == Usage(calls=1, input_tokens=120)


def test_tokens_that_stand_beside_the_message_are_counted() -> None:
    class Provider:
        default_model = "small"

        def complete(
            self, *, model: str, system_prompt: str, messages: list[Any], max_tokens: int
        ) -> Any:
            return SimpleNamespace(content="Ada"), SimpleNamespace(
                prompt_tokens=7, completion_tokens=3
            )

    model = language_model(Provider())
    assert ask(model) == "Ada"
    assert counted(model) == Usage(calls=1, input_tokens=7, output_tokens=3)


def test_an_empty_tuple_holds_neither_text_nor_tokens() -> None:
    model = language_model(lambda prompt: ())
    with pytest.raises(ReplyRejectedError):
        ask(model)
    assert counted(model) == Usage(calls=1, failures=1)
