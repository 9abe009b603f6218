"""`python -m bench growth`: whether any verb's time grows faster than the text that it is given.

30 hostile shapes (`bench.hostile`) go from 12 to 200 kB, doubled, through every verb that takes
text. A doubling may cost at most 2.6 times. It is looked at where it ends above 50 ms of CPU, by
the median of three: a step that is clear after one is measured once. Where a doubling costs more,
the one beyond is measured too, and their mean counts: growth goes on, a step (a full cache, another
way) doesn't. A row ends after a step of .4 s: at 2.6 times a doubling, two others that tell came
before it. A verb that is dear from the start (learning) begins with shorter texts.
"""

from __future__ import annotations

import argparse
import gc
import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bench.growth_verbs import VERBS, Verb, World
from bench.hostile import SHAPES
from bench.report import Bar, Table, report

SIZES = (12_500, 25_000, 50_000, 100_000, 200_000)
MOST_TIMES = 2.6
"""What a doubling may cost: less than the square's 4, with room for caches that no longer hold
it.
"""
TELLING = 0.05
"""Seconds from which on a step tells anything."""
CLEAR = 2.2
"""A first measure below this isn't repeated."""
MEASURES = 3
ENOUGH = 0.4
"""Seconds of one step after which a larger one is not tried."""
DEAR = ENOUGH / 4
"""Seconds of the first text from which on a row begins with shorter ones."""
SHORTER = 4
"""How many times shorter they are."""
MOST_SECONDS = 600.0


@dataclass(frozen=True, kw_only=True)
class Step:
    """One doubling: seconds of CPU before and after it."""

    verb: str
    shape: str
    size: int
    before: float
    after: float

    @property
    def times(self) -> float:
        return self.after / max(self.before, 1e-6)

    @property
    def tells(self) -> bool:
        return self.after > TELLING


@dataclass(kw_only=True)
class Runner:
    """Measures verbs over shapes, and keeps the steps."""

    sizes: Sequence[int] = SIZES
    clock: Callable[[], float] = time.process_time
    steps: list[Step] = field(default_factory=list[Step])

    def measure(
        self, name: str, verb: Verb, shape: str, make: Callable[[int], str], world: World
    ) -> None:
        """All steps of one verb over one shape, up to the first that is too dear or grows too
        fast.
        """
        before: float | None = None
        for size in self._sizes(verb, make, world):
            text = make(size)
            after = self._once(verb, text, world)
            if before is not None:
                step = Step(verb=name, shape=shape, size=size, before=before, after=after)
                if step.tells and step.times > CLEAR:
                    step = self._again(step, verb, make, world)
                self.steps.append(step)
                if step.tells and step.times > MOST_TIMES:
                    return
            if after > ENOUGH:
                return
            before = after

    def _sizes(self, verb: Verb, make: Callable[[int], str], world: World) -> Sequence[int]:
        """The sizes of a row, from shorter texts on where the first is dear."""
        first = self.sizes[0]
        if self._once(verb, make(first // SHORTER), world) * SHORTER < DEAR:
            return self.sizes
        return [first // SHORTER, first // 2, *self.sizes]

    def _again(self, step: Step, verb: Verb, make: Callable[[int], str], world: World) -> Step:
        """The step by the medians of all measures."""
        befores, afters = [step.before], [step.after]
        for _ in range(MEASURES - 1):
            befores.append(self._once(verb, make(step.size // 2), world))
            afters.append(self._once(verb, make(step.size), world))
        again = replace(step, before=statistics.median(befores), after=statistics.median(afters))
        return self._beyond(again, verb, make, world) if again.times > MOST_TIMES else again

    def _beyond(self, step: Step, verb: Verb, make: Callable[[int], str], world: World) -> Step:
        """The step by the mean of it and the doubling beyond it."""
        beyond = self._once(verb, make(2 * step.size), world)
        return replace(step, after=step.before * math.sqrt(beyond / max(step.before, 1e-6)))

    def _once(self, verb: Verb, text: str, world: World) -> float:
        call = verb(world.fresh(), text)
        gc.collect(0)
        gc.disable()  # as timeit does: a full collection falls into one step and not into another
        try:
            began = self.clock()
            call()
            return self.clock() - began
        finally:
            gc.enable()


def main(argv: list[str]) -> int:
    """Measures, and exits with 1 where a doubling costs too much or the whole takes too long."""
    asked = _parser().parse_args(argv)
    verbs = {name: VERBS[name] for name in asked.verb or VERBS}
    shapes = {name: SHAPES[name] for name in asked.shape or SHAPES}
    runner = Runner(sizes=[size for size in SIZES if size <= asked.most])
    began = time.process_time()
    for name, verb in verbs.items():
        _measure_verb(runner, name, verb, shapes, tell=asked.tell)
    took = time.process_time() - began
    worst = [step for step in runner.steps if step.tells]
    bars = [
        Bar(
            name="a doubling",
            value=max((step.times for step in worst), default=0.0),
            limit=MOST_TIMES,
            unit="times",
        ),
        Bar(name="the whole", value=took, limit=MOST_SECONDS, unit="s CPU"),
    ]
    return report(
        [_table(worst, verbs)], bars, as_json=asked.json, steps=len(runner.steps), seconds=took
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench growth", description=__doc__)
    parser.add_argument(
        "--verb", action="append", choices=VERBS, help="only this one; may be given again"
    )
    parser.add_argument(
        "--shape", action="append", choices=SHAPES, help="only this one; may be given again"
    )
    parser.add_argument(
        "--most", type=int, default=SIZES[-1], help="characters of the largest text (%(default)s)"
    )
    parser.add_argument(
        "--tell", action="store_true", help="print each verb and shape as it is measured"
    )
    parser.add_argument("--json", action="store_true")
    return parser


def _measure_verb(
    runner: Runner,
    name: str,
    verb: Verb,
    shapes: Mapping[str, Callable[[int], str]],
    *,
    tell: bool,
) -> None:
    """Measures a verb over all shapes, in a file of its own: one that holds the texts of all verbs
    slows every write.
    """
    with World.open() as world:
        for shape, make in shapes.items():
            runner.measure(name, verb, shape, make, world)
            if tell:
                print(f"{name} · {shape}: {_told(runner.steps, name, shape)}", flush=True)


def _told(steps: Sequence[Step], verb: str, shape: str) -> str:
    own = [step for step in steps if (step.verb, step.shape) == (verb, shape)]
    return ", ".join(f"{step.size // 1000} kB {step.after:.3f} s ×{step.times:.1f}" for step in own)


def _table(steps: Sequence[Step], verbs: Mapping[str, Verb]) -> Table:
    """The worst steps of each verb."""
    table = Table(
        title="Doublings that cost most",
        columns=("verb", "shape", "to characters", "before s", "after s", "times"),
    )
    for name in verbs:
        own = sorted((step for step in steps if step.verb == name), key=lambda step: -step.times)
        for step in own[:2]:
            table.add(step.verb, step.shape, step.size, step.before, step.after, step.times)
    return table
