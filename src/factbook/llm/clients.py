"""The providers' official packages: found, called, and what they raise read. They are imported
where they are first used.
"""

from __future__ import annotations

import importlib
import importlib.util
import logging
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from factbook.errors import ConfigError
from factbook.llm.api import read_json
from factbook.llm.faults import Trouble, TroubleError, from_status

_asking: ContextVar[bool] = ContextVar("factbook_asking", default=False)


def check_installed(package: str) -> None:
    """Raises:
    ConfigError: the package isn't there.
    """
    if importlib.util.find_spec(package) is None:
        raise ConfigError(
            f"the package {package!r} is not installed: pip install 'factbook[{package}]'"
        )


def load_client(package: str) -> Any:
    """Returns the package's module; what it writes to its log of our requests is dropped, as it
    writes prompts there.

    Raises:
        ConfigError: it can't be imported.
    """
    try:
        module = importlib.import_module(package)
    except ImportError as error:
        raise ConfigError(
            f"the package {package!r} can't be imported ({error}); install it anew"
        ) from error
    logging.getLogger(f"{package}._base_client").addFilter(_without_prompts)
    return module


async def call_client(package: Any, create: Callable[..., Awaitable[Any]], **asked: Any) -> object:
    """Calls a client's method (`with_raw_response`) once, and returns the reply's JSON.

    Raises:
        TroubleError: whatever the client raised, without a trace of it: it holds the request.
    """
    token = _asking.set(True)
    try:
        response = await create(**asked)
        body: bytes = response.http_response.content
    except package.APIStatusError as error:
        trouble = from_status(error.status_code, error.response.headers, error.body)
    except package.APITimeoutError:
        trouble = Trouble(kind="timeout")
    except package.APIConnectionError:
        trouble = Trouble(kind="unreachable")
    except package.APIError:
        trouble = Trouble(kind="unreadable")
    else:
        return read_json(body)
    finally:
        _asking.reset(token)
    raise TroubleError(trouble)


def _without_prompts(record: logging.LogRecord) -> bool:
    return record.levelno > logging.DEBUG or not _asking.get()
