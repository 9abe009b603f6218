"""A parser of nearly JSON: it takes what is whole, lists what isn't, and never reads a character
more than a few times.

Strict JSON is read as JSON reads it. Beyond it: comments, trailing and missing commas, bare keys
and values, single and typographic quotes, quotation marks that nobody escaped, brackets that were
never closed, and an ellipsis.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, Literal

from factbook.model.draft import Dropped

DEEPEST = 40
MOST_DIGITS = 300
"""Of a whole number; Python reads none of more than some thousand."""
MOST_LOSSES = 100
"""So many are listed one by one."""
LONGEST_WHAT = 160

Where = Literal["array", "member", "bare_member"]
"""The place of a value: in an array, behind a quoted key, or behind a bare one."""

_CLOSING = {'"': '"', "'": "'", "“": "”", "„": "“"}
_COMMAS = (",", "，", ";")
_COLONS = ":："
_GAP = re.compile(r"\s*+")
_BULLET = re.compile(r"(?:[-*•]|\d{1,4}[.)])\s++(?=[{\[\"'“])")
_ELLIPSIS = re.compile(r"(?:\.{3,}|…)[^\n,\]}{\[\"]*+")
_FENCE = "```"
_NUMBER = re.compile(r"-?\d++(?:\.\d++)?(?:[eE][+-]?\d++)?(?=[\s,，;:\]}\"'/#]|\Z)")
_WORD = re.compile(r"[A-Za-z]++(?=[\s,，;:\]}\"'/#]|\Z)")
_WORDS: dict[str, Any] = {
    "true": True,
    "false": False,
    **dict.fromkeys(("null", "none", "nan", "undefined")),
}
_BARE = re.compile(r"[^\s,{}\[\]\"'“:][^,{}\[\]\"\n]*+")
_REMARK = re.compile(r"\s(?://|/\*|#).*+", re.DOTALL)
_JUNK = re.compile(r"[^\s,，{}\[\]\"'“]++|.", re.DOTALL)

_NAME = r"[A-Za-z_][\w-]*+(?=\s*+[:：])"
_QUOTED = r"""(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+'|“[^”]*+”|„[^“]*+“)"""
_CUT_KEY = r"""(?:"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"\s*+|\\)?|'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'\s*+|\\)?|[“„][^“”]*+[“”]?+\s*+)\Z"""
_KEY = re.compile(_QUOTED, re.DOTALL)
_BARE_KEY = re.compile(rf"{_NAME}|\d{{1,9}}(?=\s*+[:：])")
_KEY_AHEAD = re.compile(rf"{_QUOTED}\s*+[:：]", re.DOTALL)

_START = r"(?:\Z|//|/\*|\#|\.\.\.|…|```)"
"""The marks behind which nothing more need be asked: the end, a comment, an ellipsis, a fence."""
_AFTER: dict[Where, re.Pattern[str]] = {
    "array": re.compile(
        rf"""\s*+(?:{_START}|[\]}}:："'“{{\[]|[,，;]\s*+(?:{_START}|["'“„{{\[\]}}]|-?\d|(?:true|false|null|None)\b))""",
        re.IGNORECASE,
    ),
    "member": re.compile(
        rf"\s*+(?:{_START}|[\]}}]|[,，;]\s*+(?:{_START}|[\]}}{{,]|{_QUOTED}\s*+[:：{{\[]|"
        rf"{_CUT_KEY})|{_QUOTED}\s*+[:：]|\{{\s*+[\"'])",
        re.DOTALL,
    ),
    "bare_member": re.compile(
        rf"\s*+(?:{_START}|[\]}}]|[,，;]\s*+(?:{_START}|[\]}}{{,]|{_QUOTED}\s*+[:：]|{_CUT_KEY}|"
        rf"{_NAME})"
        rf"|{_QUOTED}\s*+[:：]|{_NAME}|\{{)",
        re.DOTALL,
    ),
}
"""Behind a quotation mark that ends a string. One that isn't followed by this stands within the
string.
"""
_MARKS = {mark: re.compile(rf"\\.|{mark}", re.DOTALL) for mark in _CLOSING.values()}
_ESCAPED = re.compile(r"\\(.)|\"|\\\Z", re.DOTALL)
_ESCAPES = frozenset('"\\/bfnrtu')
_ENCODED = re.compile(r"(?:[\[{\s]|\\n)++\\\"")
_LOOKS_BACK = 64
_BETWEEN = " \t\r\n,{}[]"


class Partial(dict[str, Any]):
    """An object of which a part is missing: its end, or a member that could not be read. The loss
    is listed.
    """


@dataclass(frozen=True, slots=True)
class _Scan:
    """The end of a string that begins before `resume`, what comes behind it, and the marks on the
    way.
    """

    end: int
    resume: int
    marks: list[int]


class _EndError(Exception):
    """The text, or the fence, ended within a value."""


class _UnreadableError(ValueError):
    """No value stands there."""


class Parser:
    """Reads value after value of a text. `at`: up to where. `cut`: the last one's end is
    missing.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.cut = False
        self.losses: list[Dropped] = []
        self._more_losses = 0
        self._abridged = 0
        self._said_cut = False
        self._lost_to = -1
        self._scans: dict[tuple[str, Where], _Scan] = {}
        self._last_newline = text.rfind("\n")
        self._last_remark = text.rfind("*/")

    def read_value(self, at: int) -> Any:
        """Returns the array or object that begins there."""
        self.at, self.cut = at, False
        value = (
            self._read_object(DEEPEST)
            if self.text[at] == "{"
            else self._read_array(DEEPEST, within=False)
        )
        if self.cut and not self._said_cut:
            self._said_cut = True
            self.note_loss("cut_off", "the end of the reply is missing")
        return value

    def note_loss(self, reason: str, what: str) -> None:
        """Lists something as lost, up to a number of them."""
        if len(self.losses) >= MOST_LOSSES:
            self._more_losses += 1
            return
        self.losses.append(
            Dropped(reason=reason, what=" ".join(what[: 2 * LONGEST_WHAT].split())[:LONGEST_WHAT])
        )

    def every_loss(self) -> list[Dropped]:
        """Lists the losses, and counts those beyond the limit."""
        more = (
            [Dropped(reason="unreadable", what=f"{self._more_losses} more")]
            if self._more_losses
            else []
        )
        return [*self.losses, *more]

    # --- values -----------------------------------------------------------------------------------

    def _read_value(self, where: Where, depth: int) -> Any:
        char = self._next_character()
        if char in "{[":
            if depth <= 0:
                raise _UnreadableError
            return (
                self._read_object(depth)
                if char == "{"
                else self._read_array(depth, within=where != "array")
            )
        if char in _CLOSING:
            return self._read_string(where)
        if found := _NUMBER.match(self.text, self.at):
            self._take_match(found)
            written = found.group()
            return (
                float(written)
                if set(written) & set(".eE") or len(written) > MOST_DIGITS
                else int(written)
            )
        if (found := _WORD.match(self.text, self.at)) and found.group().lower() in _WORDS:
            self._take_match(found)
            return _WORDS[found.group().lower()]
        if where != "array" and (found := _BARE.match(self.text, self.at)):
            self._take_match(found)
            return _REMARK.sub("", found.group()).strip()
        if (found := _WORD.match(self.text, self.at)) and found.end() == len(self.text):
            raise _EndError
        raise _UnreadableError

    def _read_array(self, depth: int, *, within: bool) -> list[Any]:
        """`within`: an object stands around it, which a `}` or a key would go on with."""
        self.at += 1
        out: list[Any] = []
        try:
            while (char := self._next_character(bullets=True)) != "]":
                if char in _COMMAS or (char == "}" and not within):
                    self.at += 1
                elif within and (char == "}" or _KEY_AHEAD.match(self.text, self.at)):
                    return out
                else:
                    self._read_element(out, depth)
                    if self.cut:
                        return out
            self.at += 1
        except _EndError:
            self.cut = True
        return out

    def _read_element(self, out: list[Any], depth: int) -> None:
        try:
            value = self._read_value("array", depth - 1)
        except _UnreadableError:
            self._skip_junk()
            return
        if value or not isinstance(value, Partial):
            out.append(value)

    def _read_object(self, depth: int) -> dict[str, Any]:
        began = self.at
        self.at += 1
        out: dict[str, Any] = {}
        whole = True
        try:
            while True:
                abridged = self._abridged
                char = self._next_character()
                whole &= self._abridged == abridged
                if char == "}":
                    break
                if char in _COMMAS:
                    self.at += 1
                elif char in "]{":
                    self._lose_from(began)
                    return Partial(out)
                else:
                    whole &= self._read_member(out, depth)
                    if self.cut:
                        return Partial(out)
            self.at += 1
        except _EndError:
            self.cut = True
        return out if whole and not self.cut else Partial(out)

    def _read_member(self, out: dict[str, Any], depth: int) -> bool:
        """Reads a key and its value; False if either can't be read, or is left out."""
        began, known = self.at, len(self.losses) + self._more_losses
        where: Where = "member"
        if bare := _BARE_KEY.match(self.text, self.at):
            self.at, key, where = bare.end(), bare.group(), "bare_member"
        elif self.text[self.at] in _CLOSING:
            key = self._read_key()
        else:
            self._skip_junk(depth)
            return False
        char = self._next_character()
        if char in _COLONS:
            self.at += 1
        elif char not in _CLOSING and char not in "{[" and not char.isdigit():
            self._lose_from(began)
            return False
        try:
            value = self._read_value(where, depth - 1)
        except _UnreadableError:
            if len(self.losses) + self._more_losses == known:
                self._lose_from(began)
            if self.text[self.at] not in "}],":
                self._skip_junk(depth)
            return False
        if key in out and out[key] != value:
            self.note_loss("unreadable", f"{key} twice: {out[key]}")
        out[key] = value
        return True

    # --- strings ----------------------------------------------------------------------------------

    def _read_key(self) -> str:
        found = _KEY.match(self.text, self.at)
        if found is None:
            self.at += 1
            raise _EndError
        self.at = found.end()
        return unescape_string(found.group()[1:-1])

    def _read_string(self, where: Where) -> str:
        """Returns a string, up to the first mark behind which something follows that may follow a
        string.
        """
        mark = _CLOSING[self.text[self.at]]
        self.at += 1
        start = self.at
        scan = self._scans.get((mark, where))
        if scan is None or start >= scan.resume:
            scan = self._scans[mark, where] = self._scan_string(mark, where)
        place = bisect_left(scan.marks, start)
        inner = len(scan.marks) - place
        is_left_open = inner % 2 or (inner and scan.end < 0)
        if is_left_open and self.text.startswith(_COMMAS, scan.marks[place] + 1):
            # Quotations within a string come in pairs: it ended there, and something unreadable
            # follows.
            self.at = scan.marks[place] + 1
            return unescape_string(self.text[start : scan.marks[place]])
        if scan.end < 0:
            return self._cut_text(start)
        self.at = scan.resume
        return unescape_string(self.text[start : scan.end])

    def _cut_text(self, start: int) -> str:
        """Returns the rest of a string without an end, if it holds JSON: objects in it may be
        whole.
        """
        if not _ENCODED.match(self.text, start):
            raise _EndError
        self.at, self.cut = len(self.text), True
        return unescape_string(self.text[start:])

    def _scan_string(self, mark: str, where: Where) -> _Scan:
        start = self.at
        marks: list[int] = []
        for found in _MARKS[mark].finditer(self.text, start):
            if found.group() != mark:
                continue
            at = found.start()
            if _AFTER[where].match(self.text, at + 1):
                return _Scan(at, at + 1, marks)
            if (earlier := self._forgotten_end(start, at)) is not None:
                return _Scan(earlier, earlier, marks)
            marks.append(at)
        return _Scan(-1, len(self.text) + 1, marks)

    def _forgotten_end(self, start: int, mark: int) -> int | None:
        """Finds the end of a string without a closing mark: before the comma or brace ahead of the
        next key.
        """
        if not _KEY_AHEAD.match(self.text, mark):
            return None
        before = self.text[max(start, mark - _LOOKS_BACK) : mark]
        between = before[len(before.rstrip(_BETWEEN)) :]
        return mark - len(between) if "," in between or "{" in between else None

    # --- between ----------------------------------------------------------------------------------

    def _take_match(self, found: re.Match[str]) -> None:
        # A number or word at the very end may go on beyond it.
        if found.end() == len(self.text):
            raise _EndError
        self.at = found.end()

    def _next_character(self, *, bullets: bool = False) -> str:
        """Returns the next character that belongs to a value, behind white space, comments and
        ellipses.
        """
        text = self.text
        while True:
            found = _GAP.match(text, self.at)
            self.at = at = found.end() if found else self.at
            if at >= len(text) or text.startswith(_FENCE, at):
                raise _EndError
            if text[at] == "#" or text.startswith(("//", "/*"), at):
                self._skip_comment()
            elif left_out := _ELLIPSIS.match(text, at):
                self.at = left_out.end()
                self._abridged += 1
                self.note_loss("abridged", left_out.group())
            elif bullets and (bullet := _BULLET.match(text, at)):
                self.at = bullet.end()
            else:
                return text[at]

    def _skip_comment(self) -> None:
        """Skips a comment; one in which an object stands is listed. Without a line's end it ends
        where JSON goes on.
        """
        began = self.at
        if self.text.startswith("/*", began) and began + 2 <= self._last_remark:
            self.at = self.text.index("*/", began + 2) + 2
        elif began < self._last_newline:
            self.at = self.text.index("\n", began)
        else:
            on = _GOES_ON.search(self.text, began)
            self.at = on.start() if on else len(self.text)
        if _OBJECT.search(self.text, began, self.at):
            self._lose_from(began)

    def _skip_junk(self, depth: int = 0) -> None:
        """Skips what can't be read, an array whole, and lists it; neighbouring pieces as one."""
        began = self.at
        if depth > 1 and self.text[began] == "[":
            self._read_array(depth - 1, within=True)
        elif found := _JUNK.match(self.text, began):
            self.at = found.end()
        self._lose_from(began)

    def _lose_from(self, began: int) -> None:
        if began > self._lost_to + 1 or not self.losses:
            self.note_loss(
                "unreadable",
                self.text[began : min(max(self.at, began + 40), began + 2 * LONGEST_WHAT)],
            )
        self._lost_to = self.at


_GOES_ON = re.compile(r"[,}\]]\s*+(?:[{}\]\"]|\Z)")
_OBJECT = re.compile(r"\{\s*+[\"'“]")


def unescape_string(written: str) -> str:
    """Returns what stands between the marks of a JSON string, also of one whose escapes are
    wrong.
    """
    try:
        read: str = json.loads(f'"{written}"', strict=False)
    except ValueError:
        # A mark that isn't escaped, or an escape that JSON doesn't know.
        try:
            read = json.loads(f'"{_ESCAPED.sub(_as_json, written)}"', strict=False)
        except ValueError:
            read = re.sub(r"\\(.)", r"\1", written, flags=re.DOTALL)
    return read


def _as_json(found: re.Match[str]) -> str:
    if found.group() == '"':
        return '\\"'
    escaped = found.group(1)
    return found.group() if escaped in _ESCAPES else escaped or "\\\\"
