"""The examples run: with their scripts, against a server, and without the package that talks to
one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest
from inline_snapshot import snapshot

FOLDER = Path(__file__).parents[2] / "examples"
AGENTS = ("agentic_memory.py", "entity_memory.py")


def run(
    name: str, *arguments: str, cwd: Path, path: Path | None = None
) -> subprocess.CompletedProcess[str]:
    surroundings = {**os.environ, "PYTHONIOENCODING": "utf-8", "NO_PROXY": "*", "no_proxy": "*"}
    if path is not None:
        surroundings["PYTHONPATH"] = str(path)
    command = [sys.executable, str(FOLDER / name), *arguments]
    return subprocess.run(
        command,
        check=False,
        cwd=cwd,
        env=surroundings,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def heard(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith(("—", "Ada:", "Agent:"))]


def called(output: str) -> list[str]:
    names = [
        line.strip().partition("(")[0]
        for line in output.splitlines()
        if line.startswith("  ") and "({" in line
    ]
    return [name for name in names if name.isidentifier()]


def test_an_agent_decides_what_to_keep_and_recalls_it_in_the_next_conversation(
    tmp_path: Path,
) -> None:
    ran = run("agentic_memory.py", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "\n".join(heard(ran.stdout)) == snapshot("""\
— Monday —
Ada: I'm flying to Lisbon on Friday. And please: short answers, in bullet points.
Agent: - Noted: short answers, and Lisbon on Friday.
Ada: Nice weather today!
Agent: - Enjoy it!
Ada: Priya Raman takes over Project Atlas from Tom. She sits in Porto.
Agent: - Noted: Priya Raman leads Project Atlas, from Porto.
— Thursday, a new conversation —
Ada: Where am I flying?
Agent: - Ada flies to Lisbon on Friday
Ada: And who should I talk to about Atlas?
Agent: - Priya Raman, in Porto\
""")
    assert called(ran.stdout) == snapshot(
        ["remember", "remember", "note_entity", "note_entity", "recall", "recall_entities"]
    )
    assert list(tmp_path.iterdir()) == []


def test_an_agent_follows_entities_over_two_conversations(tmp_path: Path) -> None:
    ran = run("entity_memory.py", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "\n".join(heard(ran.stdout)) == snapshot("""\
— Monday —
Ada: Priya Raman is an engineer at Acme.
Agent: Good to know.
Ada: Priya Raman works on Project Atlas with Tom Berger, who sits in Porto.
Agent: Noted.
Ada: Priya Raman has moved on: she leads the project now.
Agent: Noted: she leads it now.
— Thursday, a new conversation —
Ada: What does Priya Raman do?
Agent: She leads Project Atlas.
Ada: What sort of thing was Acme again?
Agent: An organization.\
""")
    assert called(ran.stdout) == snapshot(["note_entity", "recall_entities"])
    blocks = ran.stdout.split("[Known Entities]")[1:]
    assert "role=engineer" in blocks[0]
    assert not any("role=engineer" in block for block in blocks[3:])


@pytest.mark.parametrize("name", AGENTS)
def test_what_was_kept_stays_in_the_file_that_was_named(name: str, tmp_path: Path) -> None:
    run(name, "--db", "ada.db", cwd=tmp_path)
    assert b"Priya Raman" in (tmp_path / "ada.db").read_bytes()


@pytest.mark.parametrize("name", AGENTS)
def test_without_the_package_that_talks_to_servers_it_says_what_to_install(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / "openai.py").write_text("raise ImportError", encoding="utf-8")
    ran = run(
        name, "--base-url", "http://localhost:1/v1", "--model", "m", cwd=tmp_path, path=tmp_path
    )
    assert ran.returncode == 1
    assert ran.stderr.strip() == "Talking to a server needs the openai package: pip install openai"


@pytest.mark.parametrize("name", AGENTS)
def test_a_server_without_a_model_is_refused(name: str, tmp_path: Path) -> None:
    ran = run(name, "--base-url", "http://localhost:1/v1", cwd=tmp_path)
    assert ran.returncode == 2
    assert "name the model too: --model" in ran.stderr


class Chat(BaseHTTPRequestHandler):
    """An OpenAI-compatible server: it calls the first tool once a turn, and says what it heard from
    it.
    """

    asked: list[dict[str, object]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        last = body["messages"][-1]
        message: dict[str, object] = {"role": "assistant", "content": f"I heard: {last['content']}"}
        if not body.get("tools"):
            message["content"] = (
                '[{"name": "Priya Raman", "entity_type": "person", "attributes": {"role": "lead"}}]'
            )
        elif last["role"] == "user":
            arguments = {"content": last["content"], "name": "Priya Raman", "entity_type": "person"}
            tool = body["tools"][0]["function"]
            given = {key: arguments[key] for key in tool["parameters"]["required"]}
            function = {"name": tool["name"], "arguments": json.dumps(given)}
            message = {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": "c1", "type": "function", "function": function}],
            }
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        reply = {
            "id": "r",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [choice],
        }
        text = json.dumps(reply).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None: ...


@pytest.fixture
def server() -> Iterator[str]:
    Chat.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Chat) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_address[1]}/v1"
        served.shutdown()
        thread.join()


@pytest.mark.skipif(find_spec("openai") is None, reason="needs the openai package")
@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
def test_any_openai_compatible_server_can_be_the_model(
    name: str, server: str, tmp_path: Path
) -> None:
    ran = run(name, "--base-url", server, "--model", "some-model", cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert {body["model"] for body in Chat.asked} == {"some-model"}
    tool = {"agentic_memory.py": "remember", "entity_memory.py": "note_entity"}[name]
    assert set(called(ran.stdout)) == {tool}
    assert len(called(ran.stdout)) == 5
    answers = [line for line in heard(ran.stdout) if line.startswith("Agent: I heard: ")]
    assert len(answers) == 5
    if name == "entity_memory.py":
        assert "- Priya Raman (person): role=lead" in str(Chat.asked)
