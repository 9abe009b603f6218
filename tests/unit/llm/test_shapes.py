"""Schemas in the forms that servers take, and the shapes of what they answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.llm.anthropic_api import AnthropicApi
from factbook.llm.api import Api, Manner, host_of
from factbook.llm.faults import from_status
from factbook.llm.ollama_api import OllamaApi
from factbook.llm.openai_api import OpenAIApi
from factbook.llm.settings import ModelSettings
from factbook.llm.shapes import all_required, as_object, is_strict, without_bounds
from factbook.ports.models import ChatMessage
from tests.support import reply_shapes as shapes

KEYED = ModelSettings(api_key="sk-fictional")
ASK = (ChatMessage("Who?"),)
STRICT: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "entities": {
            "type": "array",
            "maxItems": 9,
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "maxLength": 80},
                    "pattern": {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]},
                },
                "required": ["name", "pattern"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["entities"],
    "additionalProperties": False,
}


# ---------------------------------------------------------------- schemas


def test_bounds_go_and_names_of_properties_stay() -> None:
    assert without_bounds(STRICT) == {
        "type": "object",
        "properties": {
            "entities": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "pattern": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                    },
                    "required": ["name", "pattern"],
                    "additionalProperties": False,
                },
            }
        },
        "required": ["entities"],
        "additionalProperties": False,
    }
    open_table = {"type": "object", "additionalProperties": {"type": "string", "maxLength": 9}}
    assert without_bounds(open_table) == {
        "type": "object",
        "additionalProperties": {"type": "string"},
    }


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {"a": {}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {}}, "required": [], "additionalProperties": False},
        {"type": "object", "additionalProperties": {"type": "string"}},
        {"properties": {"a": {}}, "additionalProperties": False},
        {"type": "array", "items": {"type": "object"}},
        {"anyOf": [{"type": "string"}, {"type": "object"}]},
        {"$defs": {"a": {"type": "object"}}, "type": "string"},
    ],
)
def test_an_object_that_is_open_anywhere_is_not_strict(schema: Mapping[str, Any]) -> None:
    assert not is_strict(schema)
    assert not is_strict(as_object(schema))


def test_a_schema_whose_objects_are_all_closed_is_strict() -> None:
    assert is_strict(STRICT)
    assert is_strict(as_object({"type": "array", "items": {"type": "string"}}))


def test_what_may_be_left_out_may_be_null_where_everything_is_needed() -> None:
    item = {
        "type": "object",
        "properties": {
            "a": {"type": "string"},
            "b": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["a"],
        "additionalProperties": False,
    }
    found = all_required({"type": "array", "items": item})["items"]
    assert found["required"] == ["a", "b"]
    assert found["properties"]["a"] == {"type": "string"}
    assert found["properties"]["b"] == {
        "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]
    }
    assert is_strict(found)
    assert not is_strict(item)
    assert all_required({"type": "object"}) == {"type": "object"}
    for api in (OpenAIApi("small", KEYED), AnthropicApi("small", KEYED)):
        assert '"required": ["a", "b"]' in json.dumps(forms(api, item))


def forms(api: Api, schema: Mapping[str, Any]) -> list[Any]:
    bodies = [
        api.make_body(ASK, schema, Manner(form=form)) for form in range(api.count_forms(schema))
    ]
    return [
        {key: body[key] for key in ("response_format", "output_config", "tools") if key in body}
        for body in bodies
    ]


@pytest.mark.parametrize(
    "base_url", [None, "https://eu.api.openai.com/v1", "https://acme.openai.azure.com/openai/v1"]
)
def test_openai_itself_is_asked_strictly_without_bounds(base_url: str | None) -> None:
    api = OpenAIApi("small", ModelSettings(api_key="k", base_url=base_url))
    named = [form.get("response_format", {}) for form in forms(api, STRICT)]
    assert [each.get("type") for each in named] == [
        "json_schema",
        "json_schema",
        "json_object",
        None,
    ]
    assert [each["json_schema"]["strict"] for each in named[:2]] == [True, False]
    assert "maxItems" not in json.dumps(named[0])
    assert "maxItems" in json.dumps(named[1])


def test_openai_itself_has_another_name_for_the_ceiling() -> None:
    api = OpenAIApi("small", KEYED)
    assert api.make_body(ASK, None, Manner())["max_completion_tokens"] == 1500
    other = api.make_body(
        ASK, None, Manner(without=frozenset({"max_completion_tokens", "temperature"}))
    )
    assert other["max_tokens"] == 1500
    assert not {"max_completion_tokens", "temperature"} & set(other)


def test_a_host_whose_name_only_looks_like_openais_is_another() -> None:
    api = OpenAIApi("small", ModelSettings(base_url="https://notopenai.com/v1"))
    assert "max_tokens" in api.make_body(ASK, None, Manner())


def test_an_open_schema_is_never_sent_as_strict() -> None:
    loose = {"type": "object", "properties": {"a": {"type": "string"}}}
    assert '"strict": true' not in json.dumps(forms(OpenAIApi("small", KEYED), loose))
    assert len(forms(AnthropicApi("small", KEYED), loose)) == 2


def test_a_remembered_form_beyond_those_of_a_schema_is_its_last() -> None:
    for api in (OpenAIApi("small", KEYED), AnthropicApi("small", KEYED), OllamaApi("small", KEYED)):
        plain = api.make_body(ASK, None, Manner())
        assert api.make_body(ASK, STRICT, Manner(form=9)) == plain


def test_anthropic_leaves_out_a_temperature_that_a_model_does_not_take() -> None:
    assert "temperature" not in AnthropicApi("small", KEYED).make_body(
        ASK, None, Manner(without=frozenset({"temperature"}))
    )


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://ada:pass@models.example:8080/team/secret/v1", "http://models.example:8080"),
        ("https://models.example", "https://models.example"),
        ("http://[::1]:8080/v1", "http://[::1]:8080"),
    ],
)
def test_of_an_address_only_scheme_host_and_port_are_shown(url: str, shown: str) -> None:
    assert host_of(url) == shown


# ---------------------------------------------------------------- replies


def openai(message: Mapping[str, Any], finish: str = "stop") -> Any:
    return OpenAIApi("small", KEYED).read_reply(shapes.openai(message, finish))


def test_openais_reply_is_read_with_its_tokens() -> None:
    found = openai({"role": "assistant", "content": "Ada", "refusal": None, "annotations": []})
    assert (found.reply, found.cut, found.trouble) == ("Ada", False, None)
    assert (found.input_tokens, found.output_tokens) == (120, 30)


def test_reasoning_beside_the_answer_is_left_out() -> None:
    assert openai({"content": "Ada", "reasoning_content": "Hm.", "reasoning": "Hm."}).reply == "Ada"
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]},
        {"type": "text", "text": "Ada"},
    ]
    assert openai({"content": parts}).reply == "Ada"
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "x"}
    content = [thought, {"type": "redacted_thinking", "data": "x"}, {"type": "text", "text": "Ada"}]
    assert AnthropicApi("small", KEYED).read_reply(shapes.anthropic(content)).reply == "Ada"
    found = OllamaApi("small", KEYED).read_reply(
        shapes.ollama({"content": "Ada", "thinking": "Hm."})
    )
    assert (found.reply, found.input_tokens, found.output_tokens) == ("Ada", 120, 30)


@pytest.mark.parametrize(
    ("message", "finish", "kind"),
    [
        ({"content": None, "refusal": "No."}, "stop", "refused"),
        ({"content": [{"type": "refusal", "refusal": "No."}]}, "stop", "refused"),
        ({"content": "Ada is"}, "content_filter", "filtered"),
        ({"content": ""}, "error", "status"),
        ({"content": None, "reasoning_content": "Hm. Hm."}, "length", "unanswered"),
        ({"content": None}, "stop", "silent"),
        ({}, "stop", "unreadable"),
    ],
)
def test_what_openais_kind_says_instead_of_an_answer(
    message: Mapping[str, Any], finish: str, kind: str
) -> None:
    assert openai(message, finish).trouble.kind == kind


@pytest.mark.parametrize(
    "reply", [{"object": "chat.completion"}, {"choices": []}, {"choices": "x"}, {"choices": ["x"]}]
)
def test_a_completion_without_a_choice_is_unreadable(reply: Mapping[str, Any]) -> None:
    assert OpenAIApi("small", KEYED).read_reply(reply).trouble == openai({}).trouble


def test_anthropics_tool_input_is_the_reply() -> None:
    api = AnthropicApi("small", KEYED)
    used = {"type": "tool_use", "name": "reply", "input": {"entities": []}}
    found = api.read_reply(
        shapes.anthropic([{"type": "text", "text": "Let me."}, used], "tool_use")
    )
    assert found.reply == {"entities": []}
    assert (found.input_tokens, found.output_tokens) == (
        120,
        30,
    )  # those of the cache are told apart
    assert (
        api.read_reply(shapes.anthropic([{**used, "input": '{"entities"'}], "max_tokens")).reply
        == '{"entities"'
    )


@pytest.mark.parametrize(
    ("content", "stop", "kind"),
    [
        ([], "refusal", "refused"),
        ([{"type": "text", "text": "I won't"}], "refusal", "refused"),
        ([], "end_turn", "silent"),
        ([{"type": "thinking", "thinking": "Hm."}], "max_tokens", "unanswered"),
        (
            [{"type": "tool_use", "name": "reply", "input": {}}],
            "model_context_window_exceeded",
            "unanswered",
        ),
        (None, "end_turn", "unreadable"),
    ],
)
def test_what_anthropic_says_instead_of_an_answer(content: Any, stop: str, kind: str) -> None:
    trouble = AnthropicApi("small", KEYED).read_reply(shapes.anthropic(content, stop)).trouble
    assert trouble is not None
    assert trouble.kind == kind


def test_a_chat_of_ollama_without_a_message_is_unreadable() -> None:
    trouble = OllamaApi("small", KEYED).read_reply({"model": "small", "done": False}).trouble
    assert trouble is not None
    assert trouble.kind == "unreadable"


KEYS = st.sampled_from(
    "choices message content text type refusal usage input stop_reason finish_reason done_reason eval_count error".split()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)


@given(reply=st.dictionaries(KEYS, JSON, max_size=6))
def test_no_object_is_too_strange_to_be_read(reply: dict[str, Any]) -> None:
    for api in (OpenAIApi("small", KEYED), AnthropicApi("small", KEYED), OllamaApi("small", KEYED)):
        found = api.read_reply(reply)
        assert found.trouble is not None or found.reply


# ---------------------------------------------------------------- failures


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "7"}, 7),
        ({"retry-after": "0.5"}, 0.5),
        ({"Retry-After": "-3"}, 0),
        ({"Retry-After-Ms": "250", "Retry-After": "1"}, 0.25),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "1 minute"}, None),
        (
            {
                "Retry-After": "Mon, 05 Jan 2026 10:00:30 GMT",
                "Date": "Mon, 05 Jan 2026 10:00:00 GMT",
            },
            30,
        ),
        (
            {
                "Retry-After": "Mon, 05 Jan 2026 10:00:00 GMT",
                "Date": "Mon, 05 Jan 2026 10:00:30 GMT",
            },
            0,
        ),
        ({"Retry-After": "Mon, 05 Jan 2026 10:00:00 GMT"}, None),
        (
            {
                "Retry-After": "Mon, 05 Jan 2026 10:00:30 -0000",
                "Date": "Mon, 05 Jan 2026 10:00:00 GMT",
            },
            30,
        ),
    ],
)
def test_a_pause_is_read_in_every_form(headers: Mapping[str, str], seconds: float | None) -> None:
    assert from_status(429, headers, None).retry_after == seconds


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"error": {"type": "rate_limit_error", "message": "x"}}, "rate_limit_error"),
        (
            {"error": {"code": "invalid_api_key", "type": "invalid_request_error"}},
            "invalid_api_key",
        ),
        ({"code": "model_not_found"}, "model_not_found"),
        ({"error": {"code": 17, "type": "of_the_servers_own"}}, ""),
        ({"error": "rate_limit_error"}, ""),
        (["rate_limit_error"], ""),
        ("rate_limit_error", ""),
        (None, ""),
    ],
)
def test_only_known_codes_are_shown(body: object, code: str) -> None:
    assert from_status(400, {}, body).code == code
