"""The official packages: imported where they are first used, and every error of theirs told
apart.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from factbook.errors import ConfigError
from factbook.llm import clients
from factbook.llm.faults import TroubleError


class APIError(Exception):
    """As both packages name it."""


class APIConnectionError(APIError):
    """As both packages name it."""


class APITimeoutError(APIConnectionError):
    """As both packages name it."""


class APIStatusError(APIError):
    """As both packages name it."""

    status_code = 503
    response = SimpleNamespace(headers={"Retry-After": "2"})
    body = None


PACKAGE = SimpleNamespace(
    APIError=APIError,
    APIConnectionError=APIConnectionError,
    APITimeoutError=APITimeoutError,
    APIStatusError=APIStatusError,
)


@pytest.mark.parametrize(
    ("raised", "kind"),
    [
        (APIError, "unreadable"),
        (APIConnectionError, "unreachable"),
        (APITimeoutError, "timeout"),
        (APIStatusError, "status"),
    ],
)
def test_each_error_of_a_client_is_another_trouble_and_leaves_no_trace(
    raised: type[Exception], kind: str
) -> None:
    async def create(**asked: Any) -> Any:
        raise raised("with the whole request in it")

    with pytest.raises(TroubleError) as error:
        asyncio.run(clients.call_client(PACKAGE, create, model="small"))
    assert error.value.trouble.kind == kind
    assert error.value.__context__ is None


def test_a_package_that_cannot_be_imported_is_told() -> None:
    with pytest.raises(ConfigError, match="'no_such_package' can't be imported"):
        clients.load_client("no_such_package")


def test_opening_a_model_imports_no_client_yet() -> None:
    program = """
import sys
import factbook
from factbook.llm import ModelSettings, open_model
assert "factbook.llm.model" not in sys.modules
for spec in ("openai:small", "anthropic:small", "ollama:small"):
    open_model(spec, ModelSettings(api_key="k"))
print([name for name in ("openai", "anthropic", "httpx", "httpx2", "pydantic") if name in sys.modules])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
