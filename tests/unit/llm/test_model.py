"""Models on servers: what is sent, what comes back, and every way to fail, through the official
clients.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from factbook.errors import ExtractError, ModelUnavailableError, ReplyRejectedError
from factbook.llm.model import LONGEST_RETRY_AFTER, Model
from factbook.llm.replies import find_json
from factbook.model.usage import Usage
from factbook.ports.models import AsyncLanguageModel, ChatMessage, LanguageModel, Metered
from tests.support import faulty_server as server_side
from tests.support.faulty_server import Api, FaultyServer, Step, raw, reply, status, unless

APIS: tuple[Api, ...] = ("openai", "anthropic", "ollama")
BY_CLIENT: tuple[Api, ...] = ("openai", "anthropic")
ASK = (ChatMessage("Be brief, says the prompt.", "system"), ChatMessage("Who met Ada Berger?"))
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "entities": {"type": "array", "maxItems": 9, "items": {"type": "string", "maxLength": 80}}
    },
    "required": ["entities"],
    "additionalProperties": False,
}
LOOSE: Mapping[str, Any] = {"type": "array", "maxItems": 9, "items": {"type": "object"}}
FOUND = '{"entities": ["Ada Berger"]}'

ModelOf = Callable[..., Model]


def read(answer: str | dict[str, Any]) -> Any:
    return json.loads(answer) if isinstance(answer, str) else answer


# ---------------------------------------------------------------- what is sent


def test_a_model_is_all_three_ports(model_of: ModelOf) -> None:
    model = model_of("ollama")
    assert isinstance(model, LanguageModel)
    assert isinstance(model, AsyncLanguageModel)
    assert isinstance(model, Metered)
    assert model.name == "ollama:small"


@pytest.mark.parametrize("api", APIS)
def test_a_model_is_asked_and_answers(api: Api, server: FaultyServer, model_of: ModelOf) -> None:
    server.will(reply(FOUND), reply("Nobody."))
    model = model_of(api)
    assert read(model.complete(ASK, SCHEMA)) == {"entities": ["Ada Berger"]}
    assert model.complete(ASK) == "Nobody."


def test_openais_kind_is_sent_the_schema_with_its_bounds(
    server: FaultyServer, model_of: ModelOf
) -> None:
    model_of("openai").complete(ASK, SCHEMA)
    asked = server.requests[0]
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == "Bearer sk-fictional"
    assert asked.body == {
        "model": "small",
        "messages": [
            {"role": "system", "content": "Be brief, says the prompt."},
            {"role": "user", "content": "Who met Ada Berger?"},
        ],
        "temperature": 0.1,
        "max_tokens": 1500,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": dict(SCHEMA), "strict": True},
        },
    }


def test_anthropics_kind_is_sent_a_tool_that_it_must_use(
    server: FaultyServer, model_of: ModelOf
) -> None:
    model_of("anthropic").complete(ASK, SCHEMA)
    asked = server.requests[0]
    assert asked.path == "/v1/messages"
    assert "sk-fictional" in asked.headers.get("x-api-key", "") + asked.headers.get(
        "authorization", ""
    )
    assert asked.body == {
        "model": "small",
        "max_tokens": 1500,
        "messages": [{"role": "user", "content": "Who met Ada Berger?"}],
        "system": "Be brief, says the prompt.",
        "temperature": 0.1,
        "tools": [
            {"name": "reply", "description": "Takes the reply.", "input_schema": dict(SCHEMA)}
        ],
        "tool_choice": {"type": "tool", "name": "reply"},
    }


def test_ollama_is_sent_the_schema_as_its_format(server: FaultyServer, model_of: ModelOf) -> None:
    model_of("ollama", keep_alive="10m", max_tokens=700).complete(ASK, SCHEMA)
    asked = server.requests[0]
    assert asked.path == "/api/chat"
    assert asked.headers["authorization"] == "Bearer sk-fictional"
    assert asked.body == {
        "model": "small",
        "messages": [
            {"role": "system", "content": "Be brief, says the prompt."},
            {"role": "user", "content": "Who met Ada Berger?"},
        ],
        "stream": False,
        "options": {"temperature": 0.1, "num_predict": 700, "num_ctx": 8192},
        "think": False,
        "keep_alive": "10m",
        "format": dict(SCHEMA),
    }


@pytest.mark.parametrize("api", APIS)
def test_without_a_schema_no_form_is_asked_for(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    model_of(api).complete(ASK)
    assert not {"response_format", "tools", "tool_choice", "output_config", "format"} & set(
        server.requests[0].body
    )


def test_a_schema_that_is_no_object_is_put_into_one(
    server: FaultyServer, model_of: ModelOf
) -> None:
    server.will(reply('{"items": []}'))
    assert model_of("openai").complete(ASK, LOOSE) == '{"items": []}'
    form = server.requests[0].body["response_format"]["json_schema"]
    assert form["strict"] is False
    assert form["schema"]["properties"] == {"items": dict(LOOSE)}


def test_a_key_of_ones_own_server_may_be_missing(server: FaultyServer, model_of: ModelOf) -> None:
    for api in APIS:
        model_of(api, api_key=None).complete(ASK)
    assert "authorization" not in server.requests[2].headers


@pytest.mark.parametrize("api", APIS)
def test_a_login_in_the_address_becomes_a_header(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    address = server.base_url(api).replace("://", "://ada:s%40cret@")
    model_of(api, base_url=address, headers={"X-Team": "blue"}).complete(ASK)
    assert server.requests[0].headers["authorization"] == "Basic YWRhOnNAY3JldA=="  # ada:s@cret
    assert server.requests[0].headers["x-team"] == "blue"


@pytest.mark.parametrize("api", APIS)
def test_half_a_surrogate_pair_is_sent_as_a_question_mark(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    model_of(api).complete((ChatMessage("Who is \ud83d?"),))
    assert server.requests[0].body["messages"][0]["content"] == "Who is ??"


def test_anthropic_is_never_sent_a_system_text_alone(
    server: FaultyServer, model_of: ModelOf
) -> None:
    model_of("anthropic").complete(ASK[:1])
    assert server.requests[0].body["messages"] == [
        {"role": "user", "content": "Be brief, says the prompt."}
    ]
    assert "system" not in server.requests[0].body


def test_ollama_is_given_room_for_a_long_prompt(server: FaultyServer, model_of: ModelOf) -> None:
    model_of("ollama", keep_alive="-1").complete((ChatMessage("word " * 8000),))
    assert server.requests[0].body["options"]["num_ctx"] == 16384
    assert server.requests[0].body["keep_alive"] == -1


# ---------------------------------------------------------------- forms that a server doesn't take


def refusing(words: str, *, code: int = 400, message: str = "unknown field") -> Step:
    """Refuses a request that holds these words, and answers any other one."""
    return unless(words, reply(FOUND), status(code, message=message))


@pytest.mark.parametrize(
    ("step", "kinds"),
    [
        (refusing("json_schema"), ["json_schema", "json_schema", "json_object"]),
        (
            refusing("response_format", code=422),
            ["json_schema", "json_schema", "json_object", None],
        ),
        (refusing("maxItems"), ["json_schema", "json_schema"]),
        (
            refusing(
                "response_format",
                code=404,
                message="No endpoints found for the requested parameters",
            ),
            ["json_schema", "json_schema", "json_object", None],
        ),
        (
            refusing("maxItems", code=500, message="failed to parse grammar"),
            ["json_schema", "json_schema"],
        ),
    ],
)
def test_openais_kind_is_asked_more_and_more_simply_and_that_is_remembered(
    step: Step, kinds: list[str | None], server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = step
    model = model_of("openai")
    assert read(model.complete(ASK, SCHEMA)) == read(FOUND)
    assert [each.body.get("response_format", {}).get("type") for each in server.requests] == kinds
    model.complete(ASK, SCHEMA)
    model.complete(ASK, LOOSE)
    assert len(server.requests) == len(kinds) + 2
    assert model.usage().retries == 0


@pytest.mark.parametrize(
    ("step", "keys"),
    [
        (refusing("tool_choice"), ["tools", "output_config"]),
        (
            refusing('"tools"', code=500, message="tools param requires --jinja flag"),
            ["tools", "output_config"],
        ),
        (unless("tools", refusing("output_config"), status(400)), ["tools", "output_config", None]),
    ],
)
def test_anthropics_kind_is_asked_more_and_more_simply_and_that_is_remembered(
    step: Step, keys: list[str | None], server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = step
    model = model_of("anthropic")
    assert read(model.complete(ASK, SCHEMA)) == read(FOUND)
    found = [
        next((key for key in ("tools", "output_config") if key in each.body), None)
        for each in server.requests
    ]
    assert found == keys
    model.complete(ASK, SCHEMA)
    model.complete(ASK, LOOSE)  # has one form less
    assert len(server.requests) == len(keys) + 2


def test_ollama_is_asked_more_and_more_simply_and_that_is_remembered(
    server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = unless(
        "maxItems", refusing('"think"', message="does not support thinking"), status(400)
    )
    model = model_of("ollama")
    assert model.complete(ASK, SCHEMA) == FOUND
    assert [(each.body["format"] == "json", "think" in each.body) for each in server.requests] == [
        (False, True),
        (True, True),
        (True, False),
    ]
    model.complete(ASK, SCHEMA)
    assert len(server.requests) == 4


def test_a_parameter_that_a_model_does_not_take_is_left_out(
    server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = unless(
        '"temperature"',
        unless(
            '"max_tokens"',
            reply(FOUND),
            status(400, message="use max_completion_tokens, not max_tokens"),
        ),
        status(400, message="Unsupported value: temperature"),
    )
    model = model_of("openai")
    assert model.complete(ASK, SCHEMA) == FOUND
    assert model.complete(ASK) == FOUND
    asked = [each.body for each in server.requests]
    assert [
        ("temperature" in each, "max_tokens" in each, "max_completion_tokens" in each)
        for each in asked
    ] == [
        (True, True, False),
        (False, True, False),
        (False, False, True),
        (False, False, True),
    ]
    assert [each["response_format"]["type"] for each in asked[:3]] == ["json_schema"] * 3


def test_a_form_that_a_model_missed_by_chance_is_asked_for_again(
    server: FaultyServer, model_of: ModelOf
) -> None:
    server.will(status(400, error="json_validate_failed", message="Failed to generate JSON"))
    model = model_of("openai")
    model.complete(ASK, SCHEMA)
    model.complete(ASK, SCHEMA)
    strict = [
        each.body["response_format"]["json_schema"]["schema"] == SCHEMA for each in server.requests
    ]
    assert strict == [True, False, True]


def test_a_request_that_no_form_helps_is_rejected_and_nothing_is_remembered(
    server: FaultyServer, model_of: ModelOf
) -> None:
    server.will(*[status(400, message="bad request")] * 4)
    model = model_of("openai")
    with pytest.raises(ReplyRejectedError, match=r"does not take the request \(400"):
        model.complete(ASK, SCHEMA)
    assert len(server.requests) == 4
    model.complete(ASK, SCHEMA)
    assert server.requests[-1].body == server.requests[0].body


# ---------------------------------------------------------------- what may pass

PASSING: Mapping[str, Callable[[], Step]] = {
    "408": lambda: status(408),
    "409": lambda: status(409),
    "429": lambda: status(429),
    "500": lambda: status(500),
    "503": lambda: raw("<html>Service Unavailable</html>", 503, kind="text/html"),
    "529": lambda: status(529, error="overloaded_error"),
    "a closed connection": server_side.closed,
    "half a body": server_side.cut_body,
    "an empty body": server_side.empty,
    "broken JSON": server_side.broken_json,
    "a web page": lambda: raw("<html>Welcome</html>", kind="text/html"),
    "a list": lambda: raw([]),
    "an error with status 200": lambda: raw({"error": {"code": 502, "message": "upstream"}}),
    "an error without a code": lambda: raw({"error": "upstream"}),
}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", PASSING)
def test_what_may_pass_is_tried_again(
    fault: str, api: Api, server: FaultyServer, model_of: ModelOf, waits: list[float]
) -> None:
    server.will(PASSING[fault](), PASSING[fault](), reply(FOUND))
    model = model_of(api)
    assert read(model.complete(ASK, SCHEMA)) == read(FOUND)
    assert waits == [0.5, 1.0]
    usage = model.usage()
    assert (usage.calls, usage.retries, usage.failures) == (1, 2, 0)


@pytest.mark.parametrize("api", APIS)
def test_what_does_not_pass_makes_the_model_unavailable(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    model = model_of(api, retries=1)
    for step in PASSING.values():
        server.requests.clear()
        server.otherwise = step()
        with pytest.raises(ModelUnavailableError):
            model.complete(ASK, SCHEMA)
        assert len(server.requests) == 2
    assert model.usage().failures == len(PASSING)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("step", [server_side.hang, server_side.drip])
def test_a_server_that_does_not_end_is_given_up_in_time(
    step: Callable[[], Step], api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = step()
    server.will(reply("Ready."))
    model_of(api).complete(ASK)  # the packages are imported before the clock runs
    with pytest.raises(
        ModelUnavailableError, match=r"did not answer within 0\.2 seconds; raise the timeout"
    ):
        model_of(api, timeout=0.2, retries=0).complete(ASK)


@pytest.mark.parametrize("api", APIS)
def test_a_server_that_is_down_is_unreachable(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    model = model_of(api)
    server.close()
    with pytest.raises(
        ModelUnavailableError, match=r"can't be reached at http://127\.0\.0\.1:\d+; start"
    ):
        model.complete(ASK)
    assert model.usage().retries == 2


@pytest.mark.parametrize("api", APIS)
def test_a_server_that_names_a_pause_is_given_it(
    api: Api, server: FaultyServer, model_of: ModelOf, waits: list[float]
) -> None:
    server.will(status(429, retry_after="7"), status(429, retry_after_ms="100"))
    model_of(api).complete(ASK)
    assert waits == [7.0, 1.0]


@pytest.mark.parametrize("api", APIS)
def test_a_long_pause_is_not_waited_for_but_told(
    api: Api, server: FaultyServer, model_of: ModelOf, waits: list[float]
) -> None:
    server.otherwise = status(429, retry_after=str(LONGEST_RETRY_AFTER + 1))
    with pytest.raises(ModelUnavailableError, match="asked too often") as error:
        model_of(api).complete(ASK)
    assert error.value.retry_after == LONGEST_RETRY_AFTER + 1
    assert waits == []


def test_pauses_grow_up_to_a_ceiling_and_vary_by_chance(
    server: FaultyServer, model_of: ModelOf, waits: list[float]
) -> None:
    server.otherwise = status(500)
    model = model_of("ollama", retries=6)
    with pytest.raises(ModelUnavailableError):
        model.complete(ASK)
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 8.0]
    model._chance = lambda: 0.0
    waits.clear()
    with pytest.raises(ModelUnavailableError):
        model.complete(ASK)
    assert waits == [0.25, 0.5, 1.0, 2.0, 4.0, 4.0]


# ---------------------------------------------------------------- what someone must mend

MENDABLE: Mapping[str, tuple[Step, str]] = {
    "no key": (
        status(401, error="authentication_error"),
        r"refused the key \(401.*set [A-Z]+_API_KEY",
    ),
    "a wrong key by 400": (
        status(400, message="Incorrect API key provided"),
        r"refused the key \(400",
    ),
    "no money": (status(402), r"out of credit \(402"),
    "no quota": (
        status(429, error="insufficient_quota", message="insufficient_quota"),
        "top up the account",
    ),
    "no credit by 400": (
        status(400, message="Your credit balance is too low"),
        "top up the account",
    ),
    "no rights": (status(403), r"not open to this key \(403"),
    "no model": (
        status(404, message="model 'small' not found"),
        r"was not found at http://127\.0\.0\.1:\d+ \(404",
    ),
    "no model by 400": (status(400, message="Model Not Exist"), r"was not found .* \(400"),
    "no page": (raw("404 page not found", 404, kind="text/plain"), "was not found"),
    "no method": (raw("", 405), r"is not what answers .* \(405\); check the base URL"),
}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", MENDABLE)
def test_what_someone_must_mend_is_told_at_once_and_the_job_may_wait_for_it(
    fault: str, api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise, says = MENDABLE[fault]
    with pytest.raises(ModelUnavailableError, match=says):
        model_of(api).complete(ASK)
    assert len(server.requests) == 1


def test_a_missing_model_of_ollamas_is_named_with_what_fetches_it(
    server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = status(404, message="model 'small' not found")
    with pytest.raises(ModelUnavailableError, match="ollama pull small"):
        model_of("ollama").complete(ASK, SCHEMA)
    assert len(server.requests) == 1


def test_a_redirect_is_not_followed_by_ollamas_client(
    server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = raw("", 302, Location="http://models.example/")
    with pytest.raises(ModelUnavailableError, match=r"is not what answers .* \(302\)"):
        model_of("ollama").complete(ASK)


# ---------------------------------------------------------------- what lasts

LASTING: Mapping[str, tuple[Step, str]] = {
    "a request that can't be had": (
        status(400, message="messages: too many"),
        r"does not take the request \(400",
    ),
    "a body too large": (status(413), r"can't take so long a prompt \(413"),
    "a prompt too long": (
        status(
            400,
            error="context_length_exceeded",
            message="This model's maximum context length is 8192 tokens",
        ),
        "name a model with a longer context",
    ),
    "no such method": (status(501), r"does not take the request \(501"),
    "a filter": (
        status(400, error="content_filter", message="content management policy"),
        "content filter",
    ),
    "no words": (server_side.blank(), "answered without a word"),
    "thoughts alone": (
        reply("<think>Who could it be?</think>\n"),
        "spent all tokens before its answer; raise max_tokens",
    ),
    "nothing before the ceiling": (reply("", cut=True), "raise max_tokens"),
    "a thought up to the ceiling": (
        reply("<think>Let me see. Let me see.", cut=True),
        "raise max_tokens",
    ),
}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", LASTING)
def test_what_lasts_is_rejected_without_another_try(
    fault: str, api: Api, server: FaultyServer, model_of: ModelOf, waits: list[float]
) -> None:
    server.otherwise, says = LASTING[fault]
    model = model_of(api)
    with pytest.raises(ReplyRejectedError, match=says):
        model.complete(ASK)
    assert waits == []
    assert (len(server.requests), model.usage().failures) == (1, 1)


def test_a_prompt_that_is_too_long_is_not_sent_in_other_forms(
    server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = status(400, message="prompt is too long: 200123 tokens")
    with pytest.raises(ReplyRejectedError):
        model_of("anthropic").complete(ASK, SCHEMA)
    assert len(server.requests) == 1


@pytest.mark.parametrize("api", BY_CLIENT)
def test_a_refusal_is_rejected_and_its_tokens_are_counted(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = server_side.refusal()
    model = model_of(api)
    with pytest.raises(ReplyRejectedError, match="refused to answer"):
        model.complete(ASK, SCHEMA)
    assert model.usage().output_tokens == 30


# ---------------------------------------------------------------- replies that need care


@pytest.mark.parametrize("api", APIS)
def test_an_endless_reply_is_given_as_the_text_that_it_is_and_counted(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = server_side.endless()
    model = model_of(api)
    answer = model.complete(ASK, SCHEMA)
    assert isinstance(answer, str)
    assert find_json(answer).cut
    assert model.usage().cut == 1


def test_a_tools_input_that_was_cut_off_reads_as_cut_off(
    server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = reply(FOUND, cut=True)
    model = model_of("anthropic")
    answer = model.complete(ASK, SCHEMA)
    assert isinstance(answer, str)
    found = find_json(answer)
    assert (found.values, found.cut) == (({"entities": ["Ada Berger"]},), True)
    assert model.usage().cut == 1


@pytest.mark.parametrize("api", APIS)
def test_thoughts_before_an_answer_are_left_out(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = reply(f"<think>Perhaps [1]?</think>{FOUND}")
    assert model_of(api).complete(ASK, SCHEMA) == FOUND


@pytest.mark.parametrize("api", APIS)
def test_a_reply_of_the_wrong_content_type_is_read(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    server.otherwise = server_side.wrong_type(FOUND)
    assert read(model_of(api).complete(ASK, SCHEMA)) == read(FOUND)


# ---------------------------------------------------------------- what is counted


@pytest.mark.parametrize("api", APIS)
def test_calls_tokens_seconds_and_cost_are_counted(
    api: Api, server: FaultyServer, model_of: ModelOf
) -> None:
    ticks = iter(range(100))
    model = model_of(api, input_price=2.0, output_price=10.0)
    model._timer = lambda: float(next(ticks))
    server.will(reply(FOUND), status(500), reply(FOUND))
    for _ in range(2):
        model.complete(ASK, SCHEMA)
    usage = model.usage()
    assert usage.cost == pytest.approx(0.00108)
    assert replace(usage, cost=None) == Usage(
        calls=2, retries=1, input_tokens=240, output_tokens=60, seconds=2.0
    )


def test_without_prices_there_is_no_cost(model_of: ModelOf) -> None:
    model = model_of("ollama")
    model.complete(ASK)
    assert model.usage().cost is None


def test_usage_adds_up_and_an_unknown_cost_adds_nothing() -> None:
    one = Usage(
        calls=1,
        retries=2,
        failures=3,
        cut=4,
        input_tokens=5,
        output_tokens=6,
        seconds=7.0,
        cost=8.0,
    )
    assert one + Usage() == one
    assert Usage() + Usage() == Usage()
    assert (one + one).cost == 16.0
    assert (one + one).cut == 8


# ---------------------------------------------------------------- secrets

LOUD: Mapping[str, Step] = {
    **{name: make() for name, make in PASSING.items()},
    **{name: step for name, (step, _) in {**MENDABLE, **LASTING}.items()},
    "a refusal that quotes": server_side.refusal("Ada Berger is none of my business."),
    "an error that quotes": status(
        400, error="sk_fictional", message="You sent sk-fictional and: Who met Ada Berger?"
    ),
    "a text that quotes": raw(
        "You sent sk-fictional and: Who met Ada Berger?", 401, kind="text/plain"
    ),
}


@pytest.mark.parametrize("api", APIS)
def test_no_error_and_no_log_shows_key_prompt_reply_or_login(
    api: Api, server: FaultyServer, model_of: ModelOf, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    model = model_of(
        api, base_url=server.base_url(api).replace("://", "://ada:hunter2@"), retries=1
    )
    raised: list[BaseException] = []
    for server.otherwise in LOUD.values():
        try:
            model.complete(ASK, SCHEMA)
        except ExtractError as error:
            raised.append(error)
    assert len(raised) >= len(LOUD) - 1  # Ollama has no form for a refusal
    assert [each.__context__ or each.__cause__ for each in raised] == [None] * len(raised)
    shown = "".join("".join(traceback.format_exception(each)) + repr(each) for each in raised)
    for secret in ("sk-fictional", "sk_fictional", "hunter2", "says the prompt", "Ada Berger"):
        assert secret not in shown
        assert secret not in caplog.text


@pytest.mark.parametrize("package", BY_CLIENT)
def test_a_hosts_own_use_of_a_client_keeps_its_log(
    package: Api, model_of: ModelOf, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    model_of(package).complete(ASK)
    logging.getLogger(f"{package}._base_client").debug("Request options: of the host")
    assert "of the host" in caplog.text
    assert "Request options: {" not in caplog.text
