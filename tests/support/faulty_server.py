"""A model server on this machine that plays what it is told: replies, refusals and every way to
fail.

It speaks enough of OpenAI's API (`/v1/chat/completions`), of Anthropic's (`/v1/messages`) and of
Ollama's (`/api/chat`) for their official clients. It never sleeps: a call that hangs is let go when
the server is closed.

::

    with FaultyServer() as server:
        server.will(status(500), reply('{"entities": []}'))
        ...  # two calls of any client
        assert [each.path for each in server.requests] == ["/v1/chat/completions"] * 2
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

from tests.support import reply_shapes as shapes

Api = Literal["openai", "anthropic", "ollama"]
APIS: Mapping[str, Api] = {
    "/v1/chat/completions": "openai",
    "/v1/messages": "anthropic",
    "/api/chat": "ollama",
}


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked. `headers`: by lower-case name."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


Step = Callable[["_Handler", Request], None]
"""What is done with one request."""


# ---------------------------------------------------------------- steps


def reply(text: str, *, cut: bool = False) -> Step:
    """Answers with that text, in the form of the API that was asked; as a tool's input where one is
    forced.

    Args:
        cut: the reply ended at the ceiling of tokens, in the midst of it.
    """

    def play(handler: _Handler, asked: Request) -> None:
        handler.answer(200, shapes.reply(APIS[asked.path], text, asked.body, cut=cut))

    return play


def raw(
    body: object, status_code: int = 200, *, kind: str = "application/json", **headers: str
) -> Step:
    """Answers with exactly this body: bytes, text, or an object as JSON. Underscores in a header's
    name are dashes.
    """

    def play(handler: _Handler, asked: Request) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        handler.answer(status_code, body, {"Content-Type": kind, **named})

    return play


def status(code: int, *, error: str = "", message: str = "no luck", **headers: str) -> Step:
    """Answers with a failure, such as `status(429, retry_after="3")`.

    Args:
        error: the error's code or type, as the API asked names it. message: its words.
    """

    def play(handler: _Handler, asked: Request) -> None:
        body = shapes.error(APIS.get(asked.path, "openai"), error, message)
        raw(body, code, **headers)(handler, asked)

    return play


def unless(words: str, step: Step, otherwise: Step) -> Step:
    """The first step where the request's JSON doesn't hold these words, and the other where it
    does.
    """

    def play(handler: _Handler, asked: Request) -> None:
        (otherwise if words in json.dumps(asked.body) else step)(handler, asked)

    return play


def refusal(words: str = "I can't help with that.") -> Step:
    """Declines, as the API asked does it."""

    def play(handler: _Handler, asked: Request) -> None:
        handler.answer(200, shapes.refusal(APIS[asked.path], words))

    return play


def endless(begin: str = '{"entities": [', again: str = '{"name": "Ada"}, ') -> Step:
    """A reply that goes round in circles until the ceiling of tokens."""
    return reply(begin + again * 100, cut=True)


def empty() -> Step:
    """Status 200 and no body at all."""
    return raw(b"")


def blank() -> Step:
    """A proper reply without a word in it."""
    return reply("")


def broken_json() -> Step:
    """Status 200 and half an object."""
    return raw(b'{"choices": [{"message": {"content": "{\\"ent')


def wrong_type(text: str) -> Step:
    """A proper reply that says to be a web page."""

    def play(handler: _Handler, asked: Request) -> None:
        body = shapes.reply(APIS[asked.path], text, asked.body)
        handler.answer(200, body, {"Content-Type": "text/html"})

    return play


def hang() -> Step:
    """Says nothing until the client goes or the server is closed."""

    def play(handler: _Handler, asked: Request) -> None:
        handler.owner.released.wait()
        handler.close_connection = True

    return play


def drip() -> Step:
    """Begins a reply and sends a byte now and then, without an end."""

    def play(handler: _Handler, asked: Request) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        handler.close_connection = True
        while not handler.owner.released.wait(0.01):
            handler.wfile.write(b" ")
            handler.wfile.flush()

    return play


def closed() -> Step:
    """Ends the connection without a word."""

    def play(handler: _Handler, asked: Request) -> None:
        handler.close_connection = True

    return play


def cut_body() -> Step:
    """Ends the connection in the midst of the body."""

    def play(handler: _Handler, asked: Request) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"choices": [')
        handler.close_connection = True

    return play


# ---------------------------------------------------------------- the server


@dataclass
class FaultyServer:
    """Plays its steps in order, then `otherwise` again and again. A context manager.

    Attributes:
        requests: what was asked so far. most_at_once: so many requests were in hand at the same
            time, at most.
    """

    otherwise: Step = field(default_factory=lambda: reply('{"entities": []}'))
    requests: list[Request] = field(default_factory=list)
    most_at_once: int = 0
    released: threading.Event = field(default_factory=threading.Event)
    asked: threading.Condition = field(default_factory=threading.Condition)

    def __enter__(self) -> FaultyServer:
        self._steps: deque[Step] = deque()
        self._at_once = 0
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends it; its address refuses connections from then on."""
        self.released.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    @property
    def url(self) -> str:
        """Its address, as Ollama and Anthropic have it."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def base_url(self, api: Api) -> str:
        """Its address as that API's clients want it."""
        return f"{self.url}/v1" if api == "openai" else self.url

    def will(self, *steps: Step) -> FaultyServer:
        """Adds what it does with the next requests."""
        self._steps.extend(steps)
        return self

    def wait_for(self, requests: int) -> None:
        """Waits until so many requests have come (10 seconds at most)."""
        with self.asked:
            assert self.asked.wait_for(lambda: len(self.requests) >= requests, timeout=10)

    def play(self, handler: _Handler, request: Request) -> None:
        """Notes the request and does what is next."""
        with self.asked:
            self.requests.append(request)
            step = self._steps.popleft() if self._steps else self.otherwise
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self.asked.notify_all()
        try:
            step(handler, request)
        finally:
            with self.asked:
                self._at_once -= 1


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64
    owner: FaultyServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is nothing to tell of."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    @property
    def owner(self) -> FaultyServer:
        return self.server.owner

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        request = Request(
            path=self.path.partition("?")[0],
            headers={name.lower(): value for name, value in self.headers.items()},
            body=json.loads(self.rfile.read(length) or b"{}"),
        )
        self.owner.play(self, request)

    def answer(self, code: int, body: object, headers: Mapping[str, str] | None = None) -> None:
        raw_body = (
            body
            if isinstance(body, bytes)
            else (body if isinstance(body, str) else json.dumps(body)).encode()
        )
        self.send_response(code)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(raw_body)))
        self.end_headers()
        self.wfile.write(raw_body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Says nothing."""
