"""The one request of our own, against servers that speak HTTP in every way they may, and in
none.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from contextlib import suppress

import pytest

from factbook.llm import http
from factbook.llm.faults import TroubleError
from tests.support.faulty_server import FaultyServer

Answered = tuple[int, dict[str, str], bytes]


def asked(answer: bytes, *, close: bool = True, path: str = "/api/chat") -> tuple[Answered, bytes]:
    """What a server's raw answer is read as, and what it was sent."""
    sent = bytearray()

    def serve(listening: socket.socket) -> None:
        with listening.accept()[0] as connection, suppress(OSError):
            while not sent.endswith(b"{}"):
                sent.extend(connection.recv(10_000))
            connection.sendall(answer)
            if not close:
                connection.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        try:
            url = f"http://127.0.0.1:{listening.getsockname()[1]}{path}"
            return asyncio.run(http.post_json(url, b"{}", {"X-Team": "blue"})), bytes(sent)
        finally:
            thread.join()


def test_a_request_says_what_a_server_needs() -> None:
    _, sent = asked(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", path="")
    head = sent.decode().split("\r\n")
    assert head[0] == "POST / HTTP/1.1"
    assert {
        "Content-Type: application/json",
        "Content-Length: 2",
        "Connection: close",
        "X-Team: blue",
    } <= set(head)
    assert head[1].startswith("Host: 127.0.0.1:")
    assert head[-1] == "{}"


@pytest.mark.parametrize(
    "answer",
    [
        b'HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 8\r\n\r\n{"a": 1}',
        b'HTTP/1.1 200 OK\r\nx-a: b\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n5;x=y\r\n": 1}\r\n0\r\n\r\n',
        b'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200\r\nX-A: b\r\nContent-Length: 8\r\n\r\n{"a": 1}',
    ],
)
def test_a_body_ends_where_its_headers_say(answer: bytes) -> None:
    (status, headers, body), _ = asked(answer, close=False)
    assert (status, headers["x-a"], body) == (200, "b", b'{"a": 1}')


def test_a_body_without_a_length_ends_with_the_connection() -> None:
    (status, _, body), _ = asked(b"HTTP/1.0 500 Oh\r\n\r\nno luck")
    assert (status, body) == (500, b"no luck")


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"", "unreachable"),
        (b"HTTP/1.1 200 OK\r\nContent-", "unreachable"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", "unreachable"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}", "unreachable"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "unreadable"),
        (b"HTTP/1.1 OK\r\n\r\n", "unreadable"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "unreadable"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", "unreadable"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "unreadable"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n", "unreadable"),
        ("HTTP/1.1 200 Ökay\r\n\r\n".encode(), "unreadable"),
    ],
)
def test_what_is_no_whole_http_is_trouble(answer: bytes, kind: str) -> None:
    with pytest.raises(TroubleError) as error:
        asked(answer)
    assert error.value.trouble.kind == kind
    assert error.value.__context__ is None


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 200 OK\r\n\r\n0123456789",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n5\r\n56789\r\n0\r\n\r\n",
    ],
)
def test_an_endless_body_is_given_up(answer: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MOST_BYTES", 8)
    with pytest.raises(TroubleError, match="unreadable"):
        asked(answer)


@pytest.mark.parametrize(
    ("url", "port"), [("https://models.example/api", 443), ("http://models.example", 80)]
)
def test_the_scheme_gives_port_and_encryption(
    url: str, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked_for: list[tuple[str, int, bool]] = []

    async def connect(host: str, port: int, *, ssl: ssl.SSLContext | None, limit: int) -> None:
        asked_for.append((host, port, ssl is not None and ssl.check_hostname))
        raise OSError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    with pytest.raises(TroubleError, match="unreachable"):
        asyncio.run(http.post_json(url, b"{}", {}))
    assert asked_for == [("models.example", port, url.startswith("https"))]


def test_a_host_that_does_not_speak_tls_is_unreachable(server: FaultyServer) -> None:
    with pytest.raises(TroubleError, match="unreachable"):
        asyncio.run(http.post_json(server.url.replace("http:", "https:"), b"{}", {}))
