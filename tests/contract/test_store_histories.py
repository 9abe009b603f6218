"""Random histories, in every store: undone, replayed, beside other spaces, and against the RAM
store as the model.
"""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from factbook.errors import StoreError
from factbook.ports.store import Store
from factbook.store.ram import RamStore
from tests.support.builders import stamp
from tests.support.dumps import dumped, inverse, replay
from tests.support.play import (
    ALTERATIONS,
    ENTITIES,
    HISTORIES,
    NAMES,
    STEPS,
    WORDS,
    Alter,
    Player,
    Step,
    erasure,
    play,
)
from tests.support.snapshots import whole_record
from tests.support.stores import KINDS, opened

FEW = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])

every_store = pytest.mark.parametrize("kind", KINDS)


def seen(store: Store, space: str) -> dict:
    with store.snapshot() as snapshot:
        return whole_record(snapshot, space)


def logged(store: Store, space: str) -> list:
    with store.snapshot() as snapshot:
        return snapshot.log(space)


@every_store
@FEW
@given(before=HISTORIES, step=ALTERATIONS)
def test_the_inverse_of_a_commit_gives_back_the_same_record(
    kind: str, before: list[Step], step: Alter
):
    with opened(kind) as store:
        player = Player(store=store, space="ada")
        for each in before:
            player.make(each)
        rows = dumped(store, "ada")
        with store.snapshot() as snapshot:
            version = snapshot.version("ada")
        player.make(step)
        with store.snapshot() as snapshot:
            for commit in snapshot.log("ada", after=version):
                store.commit(
                    "ada",
                    expected_version=commit.version,
                    changes=inverse(commit.changes),
                    stamp=stamp(verb="undo"),
                )
        assert dumped(store, "ada") == rows


@every_store
@FEW
@given(steps=HISTORIES)
def test_replaying_the_log_into_an_empty_store_gives_the_same_record(kind: str, steps: list[Step]):
    with opened(kind) as store, opened(kind) as other:
        play(store, "ada", steps)
        replay(store, other, "ada")
        assert dumped(other, "ada") == dumped(store, "ada")
        assert logged(other, "ada") == logged(store, "ada")


@every_store
@FEW
@given(
    steps=HISTORIES,
    who=st.integers(0, 4),
    messages=st.sets(st.integers(0, 9)),
    mask=st.integers(0, 3),
)
def test_replaying_an_erased_log_gives_the_erased_record(
    kind: str, steps: list[Step], who: int, messages: set[int], mask: int
):
    with opened(kind) as store, opened(kind) as other:
        player = Player(store=store, space="ada")
        for each in steps:
            player.make(each)
        said = [player.messages[number][0] for number in messages if number < len(player.messages)]
        rest = [message_id for message_id, _ in player.messages if message_id not in said]
        player.forget(
            erasure(
                entity_ids=(ENTITIES[who],),
                message_ids=tuple(said),
                mask=NAMES[:mask],
                proper=("Tom",),
                cut=dict.fromkeys(rest[::2], ("violin", "Acme")),
                silenced=tuple(rest[1::2]),
            )
        )
        replay(store, other, "ada")
        assert dumped(other, "ada") == dumped(store, "ada")
        assert logged(other, "ada") == logged(store, "ada")


@every_store
@FEW
@given(
    mine=HISTORIES, theirs=HISTORIES, order=st.randoms(use_true_random=False), data=st.booleans()
)
def test_a_space_reads_as_if_the_others_did_not_exist(
    kind: str, mine: list, theirs: list, order, data: bool
):
    with opened(kind) as shared, opened(kind) as alone:
        players = [Player(store=shared, space="ada"), Player(store=shared, space="tom")]
        turns = [0] * len(mine) + [1] * len(theirs)
        order.shuffle(turns)
        queues = [list(mine), list(theirs)]
        outcomes: list[list[str]] = [[], []]
        for turn in turns:
            outcomes[turn].append(players[turn].make(queues[turn].pop(0)))
        if data:
            players[1].forget(erasure(everything=True))
        assert outcomes[0] == play(alone, "ada", mine)
        assert seen(shared, "ada") == seen(alone, "ada")


class StoreAgainstModel(RuleBasedStateMachine):
    """The same steps in the store and in the RAM store give the same answers to every question."""

    kind = "ram"

    def __init__(self) -> None:
        super().__init__()
        self.opened = ExitStack()
        self.store = self.opened.enter_context(opened(self.kind))
        self.model = RamStore()
        self.players = [
            (Player(store=self.store, space=space), Player(store=self.model, space=space))
            for space in ("ada", "tom")
        ]

    @initialize(steps=HISTORIES)
    def begin(self, steps: list[Step]):
        for each in steps:
            self.step(each, 0)

    @rule(step=STEPS, who=st.integers(0, 1))
    def step(self, step: Step, who: int):
        ours, model = self.players[who]
        assert ours.make(step) == model.make(step)

    @rule(who=st.integers(0, 4), mask=st.integers(0, 3))
    def forget_an_entity(self, who: int, mask: int):
        self._forget(entity_ids=(ENTITIES[who],), mask=NAMES[:mask])

    @rule(number=st.integers(0, 9), tombstones=st.booleans())
    def forget_a_message(self, number: int, tombstones: bool):
        said = self.players[0][1].messages
        if number < len(said):
            self._forget(message_ids=(said[number][0],), tombstones=tombstones)

    @rule(number=st.integers(0, 3), sort=st.sampled_from(("fact", "relation", "note")))
    def forget_a_row(self, number: int, sort: str):
        self._forget(record_ids=(f"{sort}{number}",))

    @rule(
        number=st.integers(0, 9),
        cut=st.sampled_from(WORDS),
        silenced=st.booleans(),
        who=st.integers(0, 4),
    )
    def forget_a_part_of_what_was_said(self, number: int, cut: str, silenced: bool, who: int):
        said = [each[0] for each in self.players[0][1].messages[number : number + 2]]
        rows = (f"note{number % 4}", ENTITIES[number % 4])
        self._forget(
            entity_ids=(ENTITIES[who],) if who < 2 else (),
            cut={} if silenced else dict.fromkeys((*said, *rows), (cut, "Ada")),
            silenced=tuple(said) if silenced else (),
            proper=("Tom", "Acme") if who % 2 else (),
        )

    def _forget(self, **what):
        ours, model = self.players[0]
        assert ours.forget(erasure(**what)) == model.forget(erasure(**what))

    @invariant()
    def both_answer_alike(self):
        for space in ("ada", "tom"):
            assert seen(self.store, space) == seen(self.model, space)

    def teardown(self):
        try:
            assert self.store.check() == []
        finally:
            self.opened.close()


@every_store
def test_every_store_plays_like_the_model(kind: str):
    from hypothesis.stateful import run_state_machine_as_test

    machine = type(f"{kind.title()}AgainstModel", (StoreAgainstModel,), {"kind": kind})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=10 if kind != "ram" else 3,
            phases=[
                Phase.explicit,
                Phase.reuse,
                Phase.generate,
            ],  # shrinking whole histories takes minutes
            stateful_step_count=12,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )


@every_store
def test_rows_that_would_go_round_in_a_circle_are_refused_and_leave_nothing(kind: str):
    from tests.support.builders import commit, same_as

    with opened(kind) as store:
        commit(store, "ada", same_as("a", "b"))
        with pytest.raises(StoreError):
            commit(store, "ada", same_as("b", "a"))
        with pytest.raises(StoreError):
            commit(store, "ada", same_as("a", "c"))
        assert len(dumped(store, "ada")) == 1
