"""One request over HTTP, awaited: for servers whose API needs no more than that."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Mapping
from email.parser import BytesParser
from urllib.parse import urlsplit

from factbook.llm.faults import Trouble, TroubleError

MOST_BYTES = 16_000_000
"""Of a reply. One of more is no model's."""
MOST_HEADERS = 64_000


async def post_json(
    url: str, body: bytes, headers: Mapping[str, str]
) -> tuple[int, dict[str, str], bytes]:
    """Sends a JSON body, and returns status, headers (names in lower case) and body. No redirects,
    no proxies, no limit of time: whoever awaits it sets one.

    Raises:
        TroubleError: nobody answered, or not in HTTP.
    """
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    lines = {
        "Host": parts.netloc,
        "Accept": "application/json",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        "User-Agent": "factbook",
        **headers,
    }
    head = "\r\n".join(
        [
            f"POST {parts.path or '/'} HTTP/1.1",
            *(f"{name}: {value}" for name, value in lines.items()),
        ]
    )
    try:
        stream, writer = await asyncio.open_connection(
            parts.hostname,
            parts.port or (443 if secure else 80),
            ssl=ssl.create_default_context() if secure else None,
            limit=MOST_HEADERS,
        )
        try:
            writer.write(f"{head}\r\n\r\n".encode() + body)
            await writer.drain()
            return await _read_answer(stream)
        finally:
            writer.close()
    except (OSError, EOFError):
        trouble = Trouble(kind="unreachable")
    except (ValueError, asyncio.LimitOverrunError):
        trouble = Trouble(kind="unreadable")
    raise TroubleError(trouble)


async def _read_answer(stream: asyncio.StreamReader) -> tuple[int, dict[str, str], bytes]:
    status = 100
    headers: dict[str, str] = {}
    while 100 <= status < 200:  # what a server says before it answers
        first, _, rest = (await stream.readuntil(b"\r\n\r\n")).partition(b"\r\n")
        protocol, _, code = first.decode("ascii").partition(" ")
        if not protocol.startswith("HTTP/1."):
            raise ValueError("not HTTP")
        status = int(code[:3])
        headers = {
            name.lower(): str(value)
            for name, value in BytesParser().parsebytes(rest, headersonly=True).items()
        }
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return status, headers, await _read_chunks(stream)
    if "content-length" in headers:
        return (
            status,
            headers,
            await stream.readexactly(_check_size(int(headers["content-length"]))),
        )
    return status, headers, await _read_rest(stream)


async def _read_chunks(stream: asyncio.StreamReader) -> bytes:
    out = bytearray()
    while size := _check_size(int((await stream.readuntil(b"\r\n")).partition(b";")[0], 16)):
        out += await stream.readexactly(size)
        await stream.readexactly(2)
        _check_size(len(out))
    return bytes(out)


async def _read_rest(stream: asyncio.StreamReader) -> bytes:
    out = bytearray()
    while more := await stream.read(MOST_HEADERS):
        out += more
        _check_size(len(out))
    return bytes(out)


def _check_size(size: int) -> int:
    if not 0 <= size <= MOST_BYTES:
        raise ValueError("too large")
    return size
