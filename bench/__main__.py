"""`python -m bench NAME …`: runs one measurement and exits with 1 where a bar is missed."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Mapping

BENCHES: Mapping[str, str] = {
    "locomo": "bench.locomo:main",
    "observed": "bench.observed:main",
    "said": "bench.said:main",
    "extraction": "bench.extraction:main",
    "names": "bench.names:main",
    "facts": "bench.facts:main",
    "identity": "bench.identity:main",
    "febrl": "bench.febrl:main",
    "candidates": "bench.candidates:main",
    "precision": "bench.precision:main",
    "paraphrase": "bench.paraphrase:main",
    "chats": "bench.chats:main",
    "ablation": "bench.ablation:main",
    "scale": "bench.scale:main",
    "durability": "bench.durability:main",
    "endings": "bench.endings:main",
    "selectools": "bench.selectools:main",
    "serve": "bench.serve:main",
    "understanding": "bench.understanding:main",
    "growth": "bench.growth:main",
}
"""Where each measurement's `main(argv) -> exit status` is; imported when it is asked for."""


def main(argv: list[str] | None = None) -> int:
    """Hands the rest of the arguments to the bench that is named first."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("name", choices=BENCHES, help="which measurement; each has its own --help")
    parser.add_argument("rest", nargs=argparse.REMAINDER, metavar="…", help="its arguments")
    asked = parser.parse_args(argv)
    module, _, function = BENCHES[asked.name].partition(":")
    run: Callable[[list[str]], int] = getattr(importlib.import_module(module), function)
    return run(asked.rest)


if __name__ == "__main__":
    sys.exit(main())
