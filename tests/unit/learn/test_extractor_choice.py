"""Which extractor a memory learns with: by a spec, the environment or an object."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from factbook.errors import ConfigError
from factbook.extract.llm import HybridExtractor, LlmExtractor
from factbook.learn.extractor_choice import Choice, Extractors, adopt, choose, load_extractor
from factbook.llm import ModelSettings
from factbook.model.usage import Usage
from tests.support.models import ScriptedExtractor

AWAY = {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}


def chosen(
    spec: str, given: Any = None, environment: Mapping[str, str] | None = None
) -> tuple[str, str]:
    choice = choose(spec, given, environment or {})
    return choice.local, choice.model


@pytest.mark.parametrize(
    ("spec", "local", "model"),
    [
        ("none", "never", ""),
        ("local", "always", ""),
        ("auto", "if installed", ""),
        ("openai:gpt-5-mini", "never", "openai:gpt-5-mini"),
        ("ollama:qwen2.5:3b", "never", "ollama:qwen2.5:3b"),
        (" anthropic:claude-haiku-4-5 ", "never", "anthropic:claude-haiku-4-5"),
        ("local+ollama:qwen2.5:3b", "always", "ollama:qwen2.5:3b"),
        ("local + openai:gpt-5-mini", "always", "openai:gpt-5-mini"),
    ],
)
def test_a_spec_says_who_reads(spec: str, local: str, model: str) -> None:
    assert chosen(spec) == (local, model)


@pytest.mark.parametrize(
    "spec", ["", "magic", "openai", "openai:", "local+", "local+local", "none+openai:x", "llama:x"]
)
def test_a_spec_that_names_nobody_is_refused_with_what_there_is(spec: str) -> None:
    with pytest.raises(ConfigError, match="name one as 'local', 'none', 'auto', 'openai:MODEL'"):
        choose(spec, None, {})


@pytest.mark.parametrize(
    ("named", "model"),
    [("qwen2.5:3b", "ollama:qwen2.5:3b"), ("openai:gpt-5-mini", "openai:gpt-5-mini")],
)
def test_auto_heeds_the_model_that_the_environment_names(named: str, model: str) -> None:
    assert chosen("auto", None, {"EXTRACTION_MODEL": named}) == ("never", model)
    assert chosen("local", None, {"EXTRACTION_MODEL": named}) == ("always", "")


def test_settings_are_those_given_and_else_the_environments() -> None:
    environment = {"OPENAI_API_KEY": "k", "FACTBOOK_LLM_TIMEOUT": "7", "FACTBOOK_LLM_RETRIES": "5"}
    for given in ({"timeout": 3}, ModelSettings(timeout=3)):
        found = choose("openai:x", given, environment).settings
        assert found is not None
        assert (found.api_key, found.timeout, found.retries) == ("k", 3, 5)
    with pytest.raises(ConfigError, match="no model setting 'colour'"):
        choose("openai:x", {"colour": "red"}, environment)


def test_no_key_stands_in_what_a_choice_shows() -> None:
    assert "secret" not in repr(choose("openai:x", {"api_key": "secret"}, {}))


def test_what_was_chosen_is_loaded() -> None:
    model = load_extractor(choose("openai:x", None, AWAY))
    assert isinstance(model, LlmExtractor)
    assert model.name.startswith("openai:x/")
    both = load_extractor(choose("local+openai:x", None, AWAY))
    assert isinstance(both, HybridExtractor)
    assert "local" in both.name
    assert "openai:x" in both.name
    both.close()
    assert load_extractor(Choice()) is None


def test_a_model_without_a_key_is_an_error_when_it_is_loaded() -> None:
    extractors = Extractors("openai:x", environment={})
    assert extractors.learns
    assert extractors.usage() == Usage()
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        extractors.extractor()


def test_it_is_loaded_once_counted_and_closed() -> None:
    extractors = Extractors("openai:x", environment=AWAY)
    found = extractors.extractor()
    assert found is extractors.extractor()
    assert extractors.usage() == Usage()
    extractors.close()


def test_an_object_may_be_an_extractor_a_model_or_a_function() -> None:
    ours = ScriptedExtractor()
    assert adopt(ours) is ours
    asked = adopt(lambda prompt: "{}")
    assert isinstance(asked, LlmExtractor)
    assert not asked.awaits
    extractors = Extractors(ours, environment={})
    assert (extractors.extractor(), extractors.learns, extractors.usage()) == (ours, True, None)
    extractors.close()
    with pytest.raises(ConfigError, match="is no language model"):
        adopt(17)  # type: ignore[arg-type]


def test_a_client_needs_a_models_name() -> None:
    client = SimpleNamespace(
        chat=SimpleNamespace(completions=SimpleNamespace(create=lambda **given: None))
    )
    with pytest.raises(ConfigError, match=r"model_settings=\{'model': …\}"):
        adopt(client)
    assert adopt(client, {"model": "gpt-5-mini"}).name.startswith("openai:gpt-5-mini/")


def test_a_stand_in_is_ours_where_it_is_installed_or_an_object() -> None:
    ours = ScriptedExtractor()
    assert Extractors("none", stand_in=ours, environment={}).stand_in() is ours
    assert Extractors("none", environment={}).stand_in() is None
    assert Extractors("none", stand_in="local", environment={}).stand_in() is not None
