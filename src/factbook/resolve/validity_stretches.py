"""The stretches of time in which each value of a group holds, laid out from everything that was
said of it.

The rules are those that `factbook.resolve.timeline` gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Generic, TypeVar

from factbook.model.record import Cardinality, Fact, Relation, Support
from factbook.model.source import NEVER, STANDING_RANK, Source

Row = TypeVar("Row", Fact, Relation)

BEGINNING = NEVER
"""Stands for a beginning that nobody gave."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Group(Generic[Row]):
    """The statements of one attribute or link.

    Attributes:
        rows: every row of the group. supports: their restatements. value: what is compared in a
            row.
        cardinality: how many values hold at once. endings: rows of other groups that end a value of
            this one.
        excludes: where one holds at a time, which two values can't hold together; None for any two
            that differ.
    """

    rows: Sequence[Row]
    supports: Mapping[str, Sequence[Support]]
    value: Callable[[Row], str]
    cardinality: Cardinality
    endings: Sequence[Row] = ()
    excludes: Callable[[str, str], bool] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement(Generic[Row]):
    """One statement. `row`: the row that it is, that it restates, or that it would become; `held`:
    where it is kept.

    `begins`: since when its value holds, where it stands in for one that never did.
    """

    row: Row
    value: str
    source: Source
    said: datetime
    recorded: datetime
    retracts: bool = False
    marked: bool = True
    held: Row | Support | None = None
    begins: datetime | None = None

    @property
    def start(self) -> datetime:
        if self.source.since is not None:
            return self.source.since
        if self.begins is not None:
            return min(self.begins, self.said)
        return BEGINNING if self.end is not None and self.end <= self.said else self.said

    @property
    def given(self) -> bool:
        return self.source.since is not None

    @property
    def end(self) -> datetime | None:
        return self.source.until

    @property
    def rank(self) -> int:
        return STANDING_RANK[self.source.standing]

    @property
    def corrects(self) -> bool:
        """True if it says that its value never held."""
        return self.retracts and self.source.until == NEVER

    @property
    def ends_at(self) -> datetime:
        """When a retraction ends its value."""
        return self.source.until or self.source.since or self.said

    @property
    def key(self) -> tuple[datetime, str, int, bool, datetime]:
        """The order of what was said; at one moment that of the messages, then of the record."""
        return self.said, self.source.session, self.source.position, self.retracts, self.recorded


@dataclass(kw_only=True, slots=True)
class Stretch(Generic[Row]):
    """A time in which one value holds, with what says so; `denied`: when the record learned that it
    never did.
    """

    value: str
    start: datetime
    given: bool
    end: datetime | None
    statements: list[Statement[Row]]
    denied: datetime | None = None

    @property
    def rank(self) -> int:
        return max(each.rank for each in self.statements)

    @property
    def valid_at(self) -> datetime | None:
        """The start, as rows keep it."""
        return None if self.start == BEGINNING else self.start

    @property
    def invalid_at(self) -> datetime | None:
        """The end, as rows keep it; what never held has none."""
        return None if self.denied else self.end

    def open_at(self, moment: datetime) -> bool:
        return self.end is None or self.end > moment

    def close(self, moment: datetime) -> None:
        moment = max(moment, self.start)
        self.end = moment if self.end is None else min(self.end, moment)


def statement_key(statement: Statement[Row]) -> tuple[datetime, str, int, bool, datetime]:
    return statement.key


def lay_out(statements: list[Statement[Row]], group: Group[Row]) -> list[Stretch[Row]]:
    """Returns the stretches in the order in which their first statements were said, after them
    those that never were.
    """
    ordered = sorted(statements, key=statement_key)
    denied: list[Stretch[Row]] = []
    for correction in [each for each in ordered if each.corrects]:
        place = ordered.index(correction)
        wrong = _find_denied(correction, _make_stretches(ordered[:place], group))
        if not wrong:
            continue
        for stretch in wrong:
            stretch.denied = correction.recorded
        denied += wrong
        taken = [each for stretch in wrong for each in stretch.statements]
        ordered = [each for each in ordered if each not in taken]
        if group.cardinality == "single":
            begins = min(stretch.start for stretch in wrong)
            ordered = [
                replace(each, begins=begins) if _stands_in(each, correction) else each
                for each in ordered
            ]
    return _make_stretches(ordered, group) + denied


def _find_denied(
    correction: Statement[Row], stretches: Sequence[Stretch[Row]]
) -> list[Stretch[Row]]:
    """Finds the stretches that never were: the latest of the value; of no value, all that
    are open.
    """
    fitting = [each for each in stretches if correction.rank >= each.rank]
    if not correction.value:
        return [each for each in fitting if each.open_at(correction.said)]
    return [each for each in fitting if each.value == correction.value][-1:]


def _stands_in(statement: Statement[Row], correction: Statement[Row]) -> bool:
    """Returns whether the statement says what is so instead: in one message, or by one hand at
    once.
    """
    if statement.retracts or statement.value == correction.value:
        return False
    place, other = statement.source.message_id, correction.source.message_id
    return (statement.said, place) == (correction.said, other)


def _make_stretches(ordered: Sequence[Statement[Row]], group: Group[Row]) -> list[Stretch[Row]]:
    """Returns the stretches, in the order in which their first statements were said."""
    stretches: list[Stretch[Row]] = []
    for statement in ordered:
        if statement.retracts:
            if not statement.corrects:
                _retract_value(statement, stretches)
            continue
        home = next(
            (each for each in stretches if _says_again(statement, each, group.cardinality)), None
        )
        if home is None:
            home = Stretch(
                value=statement.value,
                start=statement.start,
                given=statement.given,
                end=statement.end,
                statements=[statement],
            )
            stretches.append(home)
        else:
            home.statements.append(statement)
            home.given = home.given or statement.given
            home.start = min(home.start, statement.start)
            if statement.end is not None:
                home.close(statement.end)
        if group.cardinality == "single":
            _enter_statement(
                statement, home, [each for each in stretches if _is_rival(each, home, group)]
            )
    return stretches


def _retract_value(statement: Statement[Row], stretches: Sequence[Stretch[Row]]) -> None:
    moment = statement.ends_at
    for stretch in stretches:
        meant = statement.value in ("", stretch.value)
        if meant and stretch.start <= moment and statement.rank >= stretch.rank:
            stretch.close(moment)


def _says_again(statement: Statement[Row], stretch: Stretch[Row], cardinality: Cardinality) -> bool:
    """Returns whether the statement says again what the stretch says."""
    if statement.value != stretch.value:
        return False
    if cardinality == "event":
        return statement.start == stretch.start
    if statement.start < stretch.start:
        return stretch.open_at(statement.said) and (
            statement.end is None or statement.end >= stretch.start
        )
    return stretch.open_at(statement.start)


def _enter_statement(
    statement: Statement[Row], home: Stretch[Row], rivals: Sequence[Stretch[Row]]
) -> None:
    """Lets the statement close what it supersedes, and be closed by what it comes before in the
    world.
    """
    begin = statement.start
    for other in rivals:
        if not other.open_at(begin) or _says_both(statement, other):
            continue
        if _comes_before(statement, other) and statement.rank <= other.rank:
            if statement.end is None:
                home.close(other.start)
        elif statement.rank >= other.rank and _supersedes(statement, other):
            other.close(begin)


def _comes_before(statement: Statement[Row], other: Stretch[Row]) -> bool:
    """Returns whether both have a given start, and the statement's is the earlier one."""
    return statement.given and other.given and statement.start < other.start


def _is_rival(other: Stretch[Row], home: Stretch[Row], group: Group[Row]) -> bool:
    """Returns whether the two values can't hold at one time."""
    if other.value == home.value:
        return False
    return group.excludes is None or group.excludes(other.value, home.value)


def _says_both(statement: Statement[Row], other: Stretch[Row]) -> bool:
    """Returns whether one message says this value and that one."""
    key = statement.source.message_id
    return bool(key) and any(each.source.message_id == key for each in other.statements)


def _supersedes(statement: Statement[Row], other: Stretch[Row]) -> bool:
    source, last = statement.source, other.statements[-1]
    if statement.end is not None and statement.end <= last.said:
        return False
    if not source.message_id:
        return True
    if statement.said > last.said and statement.rank > other.rank:
        return True
    same_speaker = any(each.source.speaker == source.speaker for each in other.statements)
    if statement.said == last.said:
        same_place = (source.session, source.episode_id) == (
            last.source.session,
            last.source.episode_id,
        )
        return same_speaker and same_place and source.position > last.source.position
    if not same_speaker and not statement.given:
        return statement.said.astimezone(UTC).date() != last.said.astimezone(UTC).date()
    return True
