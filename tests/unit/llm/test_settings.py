"""Specs, settings and the environment."""

from __future__ import annotations

from typing import Any

import pytest

from factbook.errors import ConfigError
from factbook.llm import ModelSettings, open_model, provider_and_model, settings_from, spec_from
from factbook.llm.settings import ollama_address


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("openai:small-1", ("openai", "small-1")),
        ("openai:acme/small:free", ("openai", "acme/small:free")),
        (" anthropic : small ", ("anthropic", "small")),
        ("ollama:qwen2.5:3b", ("ollama", "qwen2.5:3b")),
    ],
)
def test_only_the_first_colon_parts_a_spec(spec: str, parts: tuple[str, str]) -> None:
    assert provider_and_model(spec) == parts


@pytest.mark.parametrize("spec", ["", "small", "acme:small", "openai:", "OpenAI:small", ":small"])
def test_what_names_no_model_is_refused_with_an_example(spec: str) -> None:
    with pytest.raises(ConfigError, match=r"ollama:qwen2\.5:3b"):
        provider_and_model(spec)


@pytest.mark.parametrize(
    ("named", "spec"),
    [
        ("qwen2.5:3b", "ollama:qwen2.5:3b"),
        ("mistral", "ollama:mistral"),
        ("ollama:mistral", "ollama:mistral"),
        (" openai:small ", "openai:small"),
        ("  ", None),
    ],
)
def test_the_environment_names_a_model_and_a_bare_name_is_one_of_ollamas(
    named: str, spec: str | None
) -> None:
    assert spec_from({"EXTRACTION_MODEL": named}) == spec
    assert spec_from({}) is None


def test_the_defaults_are_those_of_the_document() -> None:
    settings = settings_from({}, "ollama:qwen2.5:3b")
    assert (settings.temperature, settings.max_tokens) == (0.1, 1500)
    assert settings == ModelSettings()


def test_an_argument_comes_before_the_environment_and_that_before_the_default() -> None:
    environment = {
        "OPENAI_API_KEY": " sk-fictional\n",
        "OPENAI_BASE_URL": "http://localhost:8080/v1",
        "ANTHROPIC_API_KEY": "another",
        "FACTBOOK_LLM_TIMEOUT": "30",
        "FACTBOOK_LLM_RETRIES": "5",
        "FACTBOOK_LLM_PARALLEL": " 2 ",
        "FACTBOOK_LLM_TEMPERATURE": "0",
        "FACTBOOK_LLM_MAX_TOKENS": "900",
        "FACTBOOK_LLM_INPUT_PRICE": "0.4",
        "FACTBOOK_LLM_OUTPUT_PRICE": "1.6",
        "FACTBOOK_LLM_KEEP_ALIVE": "10m",
    }
    assert settings_from(environment, "openai:small", timeout=5, retries=None) == ModelSettings(
        api_key="sk-fictional",
        base_url="http://localhost:8080/v1",
        timeout=5,
        retries=5,
        parallel=2,
        temperature=0,
        max_tokens=900,
        input_price=0.4,
        output_price=1.6,
        keep_alive="10m",
    )


def test_each_provider_has_a_key_and_an_address_of_its_own() -> None:
    environment = {
        "ANTHROPIC_API_KEY": "a",
        "ANTHROPIC_BASE_URL": "https://models.example",
        "OLLAMA_API_KEY": "o",
        "OLLAMA_HOST": "models.example",
    }
    assert settings_from(environment, "openai:small") == ModelSettings()
    found = settings_from(environment, "anthropic:small")
    assert (found.api_key, found.base_url) == ("a", "https://models.example")
    found = settings_from(environment, "ollama:small")
    assert (found.api_key, found.base_url) == ("o", "http://models.example:11434")


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("models.example:8080", "http://models.example:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8080", "http://127.0.0.1:8080"),
        ("http://models.example", "http://models.example"),
        ("https://models.example/ollama/", "https://models.example/ollama"),
        ("https://ada:pass@models.example", "https://ada:pass@models.example"),
        ("[::1]", "http://[::1]:11434"),
        ("[::]:8080", "http://[::1]:8080"),
    ],
)
def test_ollamas_host_is_read_as_ollama_reads_it(host: str, url: str) -> None:
    assert ollama_address(host) == url


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"temperature": -1}, "temperature must be at least 0"),
        ({"temperature": float("nan")}, "temperature"),
        ({"max_tokens": 0}, "max_tokens must be at least 1"),
        ({"retries": -1}, "retries"),
        ({"parallel": 0}, "parallel"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": float("inf")}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
        ({"input_price": 1.0}, "both prices"),
        ({"input_price": 1.0, "output_price": -1.0}, "price must be 0 or more"),
        ({"api_key": "sk-fictional\nx"}, "the API key"),
        ({"api_key": "ключ"}, "the API key"),
        ({"headers": {"X-Team": "a\r\nb"}}, "a header"),
        ({"headers": {"X-Tëam": "a"}}, "a header"),
        ({"base_url": "localhost:8080"}, "base URL"),
        ({"base_url": "ftp://localhost"}, "base URL"),
        ({"base_url": "http://"}, "base URL"),
        ({"base_url": "http://host:0"}, "base URL"),
        ({"base_url": "http://ada:s3cret@host:port/"}, "base URL"),
        ({"base_url": "http://host/v1?key=s3cret"}, "base URL"),
        ({"base_url": "http://host/a b"}, "base URL"),
        ({"base_url": "http://höst/v1"}, "base URL"),
    ],
)
def test_a_value_out_of_range_is_refused_and_never_shown_where_it_may_be_secret(
    given: dict[str, Any], says: str
) -> None:
    with pytest.raises(ConfigError, match=says) as error:
        ModelSettings(**given)
    assert "s3cret" not in str(error.value)
    assert "fictional" not in str(error.value)


def test_no_repr_shows_a_key_an_address_or_a_header() -> None:
    settings = ModelSettings(
        api_key="sk-s3cret",
        base_url="http://ada:s3cret@host/v1",
        headers={"Authorization": "s3cret"},
    )
    assert "s3cret" not in repr(settings)
    assert repr(open_model("ollama:small", settings)) == "Model('ollama:small')"


def test_a_variable_that_is_no_number_is_named() -> None:
    with pytest.raises(ConfigError, match="FACTBOOK_LLM_RETRIES must be a whole number"):
        settings_from({"FACTBOOK_LLM_RETRIES": "2.5"}, "ollama:small")
    with pytest.raises(ConfigError, match="FACTBOOK_LLM_TIMEOUT must be a number"):
        settings_from({"FACTBOOK_LLM_TIMEOUT": "long"}, "ollama:small")


def test_an_unknown_setting_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        ConfigError,
        match=r"no model setting 'temprature'; there are base_url, api_key, temperature",
    ):
        settings_from({}, "ollama:small", temprature=1)


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_providers_own_server_wants_a_key_and_another_one_does_not(provider: str) -> None:
    with pytest.raises(ConfigError, match=f"set {provider.upper()}_API_KEY"):
        open_model(f"{provider}:small")
    assert open_model(f"{provider}:small", ModelSettings(api_key="k")).name == f"{provider}:small"
    assert open_model(f"{provider}:small", ModelSettings(base_url="http://localhost:8080/v1")).name


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_a_missing_package_is_named_with_what_installs_it(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=rf"pip install 'factbook\[{provider}\]'"):
        open_model(f"{provider}:small", ModelSettings(api_key="k"))
    assert open_model("ollama:small").name == "ollama:small"
