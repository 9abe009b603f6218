"""Whether a model's server is there, without asking it anything."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from factbook.errors import ModelUnavailableError
from factbook.llm import anthropic_api, ollama_api, openai_api
from factbook.llm.api import parted_login
from factbook.llm.settings import ModelSettings, provider_and_model

_OWN = {"openai": openai_api.OWN, "anthropic": anthropic_api.OWN, "ollama": ollama_api.OWN}
SECONDS = 5.0


def reach_server(spec: str, settings: ModelSettings, *, seconds: float = SECONDS) -> str:
    """Opens a connection to the model's server and closes it; returns its address.

    Raises:
        ModelUnavailableError: nobody answers there. ConfigError: the spec names no model.
    """
    provider, _ = provider_and_model(spec)
    address, _ = parted_login(settings.base_url or _OWN[provider])
    parts = urlsplit(address)
    place = f"{parts.scheme}://{parts.netloc}"
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=seconds).close()
    except OSError as error:
        raise ModelUnavailableError(
            f"no server answers at {place} ({error.strerror or type(error).__name__})"
        ) from None
    return place
