"""Views of a space at a time: of the world, of the record, or of both."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from factbook.memory.binding import Bound
from factbook.memory.read.earlier_record import replay_until
from factbook.text.date_arguments import Moment, moment_of
from factbook.views.view import View


class Viewing(Bound):
    """The view through which one asks, and reads by name."""

    @contextmanager
    def _viewing(self, as_of: Moment | None, recorded_as_of: Moment | None) -> Generator[View]:
        """A view of the space: as it is, as the world was, as the record was, or both."""
        now = self._engine.clock()
        world, record = (
            moment_of(as_of, "as_of", now),
            moment_of(recorded_as_of, "recorded_as_of", now),
        )
        with self._engine.store.snapshot() as snapshot:
            if record is None:
                yield View(
                    snapshot=snapshot, space=self._space, now=world or now, then=world is not None
                )
                return
            with replay_until(snapshot, (self._space, *self._reads), record) as past:
                yield View(
                    snapshot=past, space=self._space, now=world or record, then=world is not None
                )
