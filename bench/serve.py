"""Serves a GGUF file by llama.cpp on this machine, with its OpenAI- and Anthropic-compatible API,
until its input ends.

    python -m bench serve --gguf model.gguf

Prints the address. Then, elsewhere: python -m bench extraction --extractor openai:any --base-url
ADDRESS/v1 … Needs xllamacpp: make setup-llm.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def main(argv: Sequence[str]) -> int:
    """Serves until the input ends."""
    parser = argparse.ArgumentParser(
        prog="python -m bench serve", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--gguf", type=Path, required=True, help="the model's file")
    parser.add_argument("--context", type=int, default=8192, help="tokens of prompt and reply")
    parser.add_argument(
        "--most", type=int, default=1500, help="tokens of a reply, whatever is asked for"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--port", type=int, default=0, help="a free one if not given")
    asked = parser.parse_args(argv)
    server = serve(
        asked.gguf, context=asked.context, most=asked.most, threads=asked.threads, port=asked.port
    )
    print(server.listening_address, flush=True)
    sys.stdin.read()
    return 0


def serve(gguf: Path, *, context: int, most: int, threads: int, port: int) -> Any:
    """Loads the model; what is returned serves as long as it lives."""
    if not gguf.is_file():
        raise SystemExit(f"{gguf} is not there")
    llama = importlib.import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = str(gguf)
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = context
    params.n_predict = most
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.sampling.seed = 7
    params.warmup = False
    return llama.Server(params)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
