"""Reading observations by whom they are about."""

from __future__ import annotations

from collections.abc import Sequence

from factbook.errors import InputError
from factbook.memory.binding import Bound
from factbook.model.entity import Entity
from factbook.model.profile import ProfileLine
from factbook.model.record import SELF, Observation, ObservationSort
from factbook.render.profile import choose_lines, profile_text
from factbook.text.names import fold
from factbook.views.view import SELF_NAMES

DEFAULT_BUDGET = 500
"""Tokens of a profile."""
MOST_IN_PROFILE = 200
"""Observations that a profile chooses from, the most important first."""


class ReadsObservations(Bound):
    """The verb of `Memory` that lists observations."""

    def observations(
        self,
        name: str = "self",
        *,
        sorts: Sequence[ObservationSort] = (),
        expired: bool = False,
        limit: int | None = None,
    ) -> list[Observation]:
        """The observations about an entity, under all names that it is known by: what is most worth
        knowing first, then the latest said.

        Args:
            name: a name, alias or id; without one, the space's own user.
            sorts: only these. expired: those too that are no longer told.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: a limit below 1.
        """
        if limit is not None and limit < 1:
            raise InputError(f"a limit is at least 1, not {limit}")
        with self._engine.store.snapshot() as snapshot:
            home = SELF if fold(name) in SELF_NAMES else self._make_view(snapshot).resolve(name)
            members = snapshot.members(self._space, [home])[home]
            rows = snapshot.observations(self._space, members, sorts=sorts)
        now = self._engine.clock()
        return [row for row in rows if expired or not row.is_hidden_at(now)][:limit]

    def profile(self, name: str = "self", *, budget: int = DEFAULT_BUDGET) -> str:
        """Tells of an entity in lines: what holds of it now, and then what else is most worth
        knowing, by sort and date, each with who said it and when. The same order every time.

        Args:
            name: a name, alias or id; without one, the space's own user. budget: tokens at most, as
                the memory's tokenizer counts; empty where not even the name fits.

        Raises:
            NotFoundError, AmbiguousError: the name has no one bearer. InputError: a budget below 1.
        """
        entity, lines = self._choose_profile(name, budget)
        text = profile_text(entity, lines)
        return text if self._engine.tokenizer.count(text) <= budget else ""

    def profile_lines(
        self, name: str = "self", *, budget: int = DEFAULT_BUDGET
    ) -> list[ProfileLine]:
        """The lines of a profile, each with the ids of the rows that it tells.

        Args:
            name, budget: as for `profile`, whose heading counts too.

        Raises:
            NotFoundError, AmbiguousError, InputError: as for `profile`.
        """
        return self._choose_profile(name, budget)[1]

    def _choose_profile(self, name: str, budget: int) -> tuple[Entity, list[ProfileLine]]:
        if budget < 1:
            raise InputError(f"a budget is at least 1 token, not {budget}")
        with self._engine.store.snapshot() as snapshot:
            view = self._make_view(snapshot)
            home = view.resolve(name)
            entity = view.entities([home])[0]
        lines = choose_lines(
            entity,
            self.observations(home, limit=MOST_IN_PROFILE),
            tokenizer=self._engine.tokenizer,
            budget=budget,
            now=self._engine.clock(),
        )
        return entity, lines
