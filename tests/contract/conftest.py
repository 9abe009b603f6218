from __future__ import annotations

from collections.abc import Iterator

import pytest

from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Store
from tests.support.stores import KINDS, opened


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    """A new, empty store of every kind."""
    with opened(request.param) as store:
        yield store


@pytest.fixture
def snapshot(store: Store) -> Iterator[Snapshot]:
    """A view that is opened after what the test's other fixtures wrote; use `store.reading()` for
    later ones.
    """
    with store.snapshot() as snapshot:
        yield snapshot
