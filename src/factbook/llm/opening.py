"""The way from a spec to a model that can be asked."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping

from factbook.errors import ConfigError
from factbook.llm.anthropic_api import AnthropicApi
from factbook.llm.api import Api
from factbook.llm.clients import check_installed
from factbook.llm.model import Model
from factbook.llm.ollama_api import OllamaApi
from factbook.llm.openai_api import OpenAIApi
from factbook.llm.settings import ModelSettings, Provider, provider_and_model

_APIS: Mapping[Provider, Callable[[str, ModelSettings], Api]] = {
    "openai": OpenAIApi,
    "anthropic": AnthropicApi,
    "ollama": OllamaApi,
}
_KEYS: Mapping[Provider, str] = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
"""Of the providers whose own servers want a key, and whose packages are extras."""


def open_spec(
    spec: str,
    settings: ModelSettings,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    chance: Callable[[], float] = random.random,
) -> Model:
    """See `factbook.llm.open_model`, `factbook.llm.model.Model`."""
    provider, model = provider_and_model(spec)
    if provider in _KEYS:
        check_installed(provider)
        if not settings.api_key and not settings.base_url:
            raise ConfigError(
                f"there is no key for {spec}; set {_KEYS[provider]}, or give api_key or a base_url"
            )
    make = _APIS[provider]
    return Model(
        f"{provider}:{model}", lambda: make(model, settings), settings, sleep=sleep, chance=chance
    )
