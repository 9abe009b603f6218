"""Trends, as callers ask for them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from factbook.memory.binding import Bound
from factbook.model.record import EntityType
from factbook.model.trend import Trend
from factbook.recall.context.trend_lines import KINDS, MOST, read_trends
from factbook.text.argument_checks import check_text, in_utc
from factbook.text.kind_names import declared_kind, snake_case
from factbook.views.space_kinds import read_kinds


class Trends(Bound):
    """The verb of `Memory` for trends."""

    def trends(
        self, name: str | None = None, *, kind: str | None = None, since: datetime | None = None
    ) -> list[Trend]:
        """Returns the courses of figures, of pain points and of decisions; the latest first.

        What expired is told too (`Trend.expired`): a lifespan hides from recall and contexts, not
        from here.

        Args:
            name: only of this entity: all its figures. kind: only of this kind; without both,
                metrics, campaigns, pain points and decisions. since: only points of then or later.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: an argument of
                the wrong type.
        """
        begin = in_utc(since, "since")
        with self._engine.store.snapshot() as snapshot:
            view = self._make_view(snapshot)
            kinds = read_kinds(snapshot, self._space)
            if name is not None:
                ids = [view.resolve(check_text(name, "a name"))]
            else:
                wanted = (
                    KINDS if kind is None else (_declared_kind(check_text(kind, "a kind"), kinds),)
                )
                ids = snapshot.entity_ids(self._space, kinds=wanted, limit=MOST)
            found = read_trends(view, ids, kinds, begin)
        if name is not None and kind is not None:
            found = [each for each in found if each.kind == _declared_kind(kind, kinds)]
        return found


def _declared_kind(name: str, kinds: Mapping[str, EntityType]) -> str:
    return declared_kind(name, kinds) or snake_case(name)
