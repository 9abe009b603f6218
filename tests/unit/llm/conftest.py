"""What the tests of models on servers share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from factbook.llm.model import Model
from factbook.llm.opening import open_spec
from factbook.llm.settings import ModelSettings
from tests.support.faulty_server import Api, FaultyServer


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    """A model server that plays what it is told."""
    with FaultyServer() as it:
        yield it


@pytest.fixture
def waits() -> list[float]:
    """The seconds that models would have waited."""
    return []


@pytest.fixture
def model_of(server: FaultyServer, waits: list[float]) -> Iterator[Callable[..., Model]]:
    """Opens a model on the server, by API and settings; it doesn't wait, and chance is at its
    most.
    """
    models: list[Model] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    def make(api: Api, **settings: Any) -> Model:
        given: dict[str, Any] = {
            "base_url": server.base_url(api),
            "api_key": "sk-fictional",
            "timeout": 10.0,
        }
        models.append(
            open_spec(
                f"{api}:small", ModelSettings(**given | settings), sleep=sleep, chance=lambda: 1.0
            )
        )
        return models[-1]

    yield make
    for model in models:
        model.close()
