"""The bench of growth: what it calls too dear, and that every verb takes every shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import pytest

from bench.growth import ENOUGH, MOST_TIMES, SIZES, Runner, main
from bench.growth_verbs import VERBS, Site, World
from bench.hostile import SHAPES


class _Clock:
    """Goes on as work is done."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def verb(self, cost: Callable[[int], float]) -> Callable[[Site, str], Callable[[], object]]:
        def verb(_: Site, text: str) -> Callable[[], object]:
            def call() -> None:
                self.now += cost(len(text))

            return call

        return verb


class _NoWorld:
    def fresh(self) -> None:
        return None


def _measured(cost: Callable[[int], float]) -> Runner:
    clock = _Clock()
    runner = Runner(clock=clock)
    runner.measure("verb", clock.verb(cost), "dots", SHAPES["dots"], cast(World, _NoWorld()))
    return runner


def test_a_verb_that_grows_with_the_text_is_measured_over_every_doubling() -> None:
    steps = _measured(lambda size: size / 450_000).steps
    assert [step.size for step in steps] == list(SIZES[1:])
    assert all(step.tells and step.times == pytest.approx(2.0) for step in steps)


def test_a_verb_that_grows_with_its_square_is_found_and_measured_no_further() -> None:
    (step,) = _measured(lambda size: (size / 25_000) ** 2).steps
    assert step.times == pytest.approx(4.0)
    assert step.times > MOST_TIMES


def test_a_step_up_is_no_growth() -> None:
    steps = _measured(lambda size: size / 1_000_000 * (1.6 if size > 60_000 else 1)).steps
    assert max(step.times for step in steps) < MOST_TIMES


def test_what_takes_no_time_tells_nothing() -> None:
    assert not any(step.tells for step in _measured(lambda size: (size / 1e8) ** 2).steps)


def test_a_verb_that_is_dear_but_grows_evenly_is_measured_as_far_as_it_goes() -> None:
    steps = _measured(lambda size: ENOUGH * size / 40_000).steps
    assert [step.size for step in steps] == [6_250, 12_500, 25_000, 50_000]


def test_there_are_thirty_shapes_of_the_size_that_is_asked_for() -> None:
    assert len(SHAPES) == 30
    assert all(12_500 - 50 < len(make(12_500)) <= 12_500 for make in SHAPES.values())


def test_every_verb_takes_a_text() -> None:
    with World.open() as world:
        for verb in VERBS.values():
            verb(world.fresh(), SHAPES["signs"](300))()


def test_the_bench_says_how_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--verb", "find", "--shape", "dots", "--most", "25000", "--tell"]) == 0
    said = capsys.readouterr().out
    assert "find · dots: 25 kB" in said
    assert "bars kept" in said
