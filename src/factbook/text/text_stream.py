"""A stream of bytes as text, read piece by piece."""

from __future__ import annotations

import codecs
import re
from typing import IO

from factbook.errors import InputError

_CHUNK = 2**16
"""Bytes that are read at once."""


_BLANK = re.compile(r"\s+")


class TextStream:
    """A stream of bytes as text, through a window that grows only as far as it must."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._fault: InputError | None = None
        self._decoder: codecs.IncrementalDecoder | None = None
        self._ended = False
        self.window = ""
        self.at = 0
        self.line = 1
        self.offset = 0

    def read_on(self) -> bool:
        """Reads on; False at the end.

        Raises:
            InputError: what comes next is no text.
        """
        self.window = self.window[self.at :]
        self.at = 0
        before = len(self.window)
        while len(self.window) == before:
            if self._fault is not None:
                raise self._fault
            if self._ended:
                return False
            # As much again as there is: a value that spans many windows isn't tried too often.
            self._take_bytes(self._file.read(max(_CHUNK, before)))
        return True

    def _take_bytes(self, data: bytes) -> None:
        self.offset += len(data)
        self._ended = not data
        if self._decoder is None:
            self._decoder = _decoder_for(data)
        try:
            self.window += self._decoder.decode(data, not data)
        except UnicodeDecodeError as error:
            self.window += bytes(error.object[: error.start]).decode(error.encoding)
            line = self.line + self.window.count("\n")
            self._fault = InputError(f"line {line}: not text in UTF-8")

    def skip_over(self, count: int) -> None:
        """Passes over characters of the window."""
        self.line += self.window.count("\n", self.at, self.at + count)
        self.at += count

    def peek_at(self, count: int) -> str:
        """Returns the next characters after white space, which is passed over; fewer at the end."""
        while True:
            blank = _BLANK.match(self.window, self.at)
            self.skip_over(blank.end() - self.at if blank else 0)
            if len(self.window) - self.at >= count or not self.read_on():
                return self.window[self.at : self.at + count]

    def first_lines(self, lines: int) -> list[str]:
        """Returns the next lines, as far as the first window goes; they are not passed over."""
        while len(self.window) - self.at < _CHUNK and self.read_on():
            pass
        return self.window[self.at : self.at + _CHUNK].split("\n", lines)[:lines]

    def find_line(self, limit: int) -> int:
        """Counts the characters of the next line, at most `limit`."""
        searched = 0
        while True:
            end = self.window.find("\n", self.at + searched, self.at + limit)
            if end >= 0:
                return end - self.at
            searched = min(len(self.window) - self.at, limit)
            if searched == limit or not self.read_on():
                return searched

    def next_line(self, limit: int) -> str | None:
        """Returns the next line without its end, or its first `limit` characters; None at
        the end.
        """
        length = self.find_line(limit)
        end = self.at + length
        if end == len(self.window) and not length:
            return None
        line = self.window[self.at : end]
        self.skip_over(length + (self.window[end : end + 1] == "\n"))
        return line.removesuffix("\r")


def _decoder_for(data: bytes) -> codecs.IncrementalDecoder:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return codecs.getincrementaldecoder("utf-16")()
    if b"\0" in data[:8192] or data.startswith((b"%PDF-", b"PK\x03\x04", b"\x1f\x8b")):
        raise InputError("not text, but a binary file")
    return codecs.getincrementaldecoder("utf-8-sig")()
