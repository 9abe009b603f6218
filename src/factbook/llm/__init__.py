"""Language models: `openai:MODEL`, `anthropic:MODEL` and `ollama:MODEL` over the network, or
whatever a host has, as our port. Packages of providers are imported when a model is opened or first
asked.

Its modules are three: one an API (`openai_api`, `anthropic_api`, `ollama_api`) over what APIs share
(`api`, `http`, `clients`, `faults`, `shapes`), the model that asks and counts (`model`, `loop`,
`settings`, `meter`, `probe`), and the reading of replies (`replies`, `lenient`, `objects`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from factbook.llm.settings import ModelSettings, provider_and_model, settings_from, spec_from

if TYPE_CHECKING:
    from factbook.llm.model import Model

__all__ = ["ModelSettings", "open_model", "provider_and_model", "settings_from", "spec_from"]


def open_model(spec: str, settings: ModelSettings | None = None) -> Model:
    """Returns a model on a server, by its spec: `openai:gpt-…`, `anthropic:claude-…`,
    `ollama:qwen2.5:3b`. Nothing is sent yet.

    Raises:
        ConfigError: the spec names none, its package isn't installed, or there is no key for the
            provider's own server.
    """
    from factbook.llm.opening import open_spec

    return open_spec(spec, settings or ModelSettings())
