"""Ways in which a program ends while it learns, each in a process of its own: `python -m
bench.ways_to_end`.

With `--warm` the models are loaded once, and each ending is a fork's. A line of JSON tells of each
ending how its process ended, after how many seconds, and how many jobs it left leased.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import random
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from factbook import Memory
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext

MESSAGES = 20
LOST = 99
"""The exit status of a process that could not do what it should after its end began."""


class Slow:
    """Reads for a twentieth of a second an episode, and lets itself be broken off."""

    name = "slow/1"

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        for _ in range(5 * len(episodes)):
            context.check()
            time.sleep(0.01)
        return [Draft(episode_id=episode.id, extractor=self.name) for episode in episodes]


def said(number: int) -> str:
    """A message from which something is learned."""
    return (
        f"Ilse Grolund{number} works at Norvane{number} and lives in Tromso. Her brother Tam{number} left the Quoin"
        f" project in May. We met Ada Quill{number} at the harbour on Tuesday; she likes rye bread and sailing."
    )


def falls_off(_: Memory) -> None:
    """The script is at its end."""


def exits(_: Memory) -> None:
    sys.exit(0)


def raises(_: Memory) -> None:
    sys.excepthook = lambda *_: None
    raise RuntimeError("nobody catches this")


def closes(memory: Memory) -> None:
    memory.close()


def goes_on_in_a_thread(memory: Memory) -> None:
    """The main thread is through, and another says something and has it learned."""

    def on() -> None:
        time.sleep(0.1)
        memory.within("later").remember("Bo Estran lives in Uhlm.")
        memory.within("later").wait(timeout=60)
        if memory.within("later").stats()["jobs_done"] != 1:
            os._exit(LOST)

    threading.Thread(target=on).start()


def waits_in_a_daemon(memory: Memory) -> None:
    """A thread that nobody waits for is in the midst of learning."""
    threading.Thread(target=memory.wait, daemon=True).start()
    time.sleep(0.05)


def says_more_in_a_pool(memory: Memory) -> None:
    """Threads of a pool remember while the main thread is through."""
    pool = ThreadPoolExecutor(4)
    for number in range(20):
        pool.submit(memory.remember, said(1000 + number))


def asks_at_exit(memory: Memory) -> None:
    """What the host registered at its end reads and writes."""

    def last() -> None:
        memory.remember("Bo Estran lives in Uhlm.")
        if not memory.recall("Where does Bo Estran live?", budget=100).text:
            os._exit(LOST)

    atexit.register(last)


def closes_at_exit(memory: Memory) -> None:
    atexit.register(memory.close)


def is_terminated(memory: Memory) -> None:
    """A signal whose handler exits comes in the midst of a wait."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
    memory.wait()


def forks(memory: Memory) -> None:
    """A child says something, has it learned, and ends like its parent."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        if status:
            os._exit(LOST)
    else:
        memory.within("child").remember("Bo Estran lives in Uhlm.")
        memory.within("child").wait(timeout=1)


WAYS: Mapping[str, Callable[[Memory], None]] = {
    way.__name__: way
    for way in (
        falls_off,
        exits,
        raises,
        closes,
        goes_on_in_a_thread,
        waits_in_a_daemon,
        says_more_in_a_pool,
        asks_at_exit,
        closes_at_exit,
        is_terminated,
        forks,
    )
}
"""By name; a process that `raises` ends with 1, the others with 0."""


def begin(database: Path, *, extractor: str, most_seconds: float, chance: random.Random) -> Memory:
    """A memory that learns in the background, some time into it."""
    memory = Memory.open(database, extractor=Slow() if extractor == "slow" else extractor)
    for number in range(MESSAGES):
        memory.remember(said(number), session=f"s{number % 3}")
    time.sleep(chance.uniform(0, most_seconds))
    return memory


def left(database: Path) -> int:
    """Jobs that are still leased."""
    con = sqlite3.connect(database)
    (number,) = con.execute("SELECT count(*) FROM jobs WHERE state = 'running'").fetchone()
    con.close()
    return int(number)


def main(argv: list[str]) -> None:
    """Ends in that way so many times, or once as this process itself where it isn't warm."""
    parser = argparse.ArgumentParser(prog="python -m bench.ways_to_end", description=__doc__)
    parser.add_argument("way", choices=WAYS)
    parser.add_argument("database", type=Path)
    parser.add_argument("--extractor", default="local")
    parser.add_argument(
        "--seconds", type=float, default=1.0, help="ends at a random moment within them"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--warm", type=int, metavar="TIMES")
    args = parser.parse_args(argv)
    if args.warm is None:
        chance = random.Random(args.seed)
        WAYS[args.way](
            begin(args.database, extractor=args.extractor, most_seconds=args.seconds, chance=chance)
        )
        return
    if args.extractor == "local":
        from factbook.extract.local import LocalExtractor

        LocalExtractor().load()
    for number in range(args.warm):
        database = args.database.with_name(f"{args.database.stem}-{number}.db")
        child = os.fork()
        if not child:
            chance = random.Random(args.seed + number)
            memory = begin(
                database, extractor=args.extractor, most_seconds=args.seconds, chance=chance
            )
            print(json.dumps({"ends": time.time()}), flush=True)
            WAYS[args.way](memory)
            return
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        print(json.dumps({"code": code, "at": time.time(), "leased": left(database)}), flush=True)
        for file in database.parent.glob(f"{database.name}*"):
            file.unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
