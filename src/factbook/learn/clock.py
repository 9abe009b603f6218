"""The clock and the ids: the only place that asks the world for either. Below `memory/` both are
arguments.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
IdMaker = Callable[[], str]


def utc_now() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - the one place that asks  # noqa: TID251 - the one place that asks


def make_id() -> str:
    """A new id: 20 lower-case letters and digits that sort by the millisecond of their making; 56
    bits are random.
    """
    moment = int(time.time() * 1000).to_bytes(6, "big")[1:]  # noqa: TID251 - see above  # noqa: TID251 - the one place that asks
    return base64.b32hexencode(moment + os.urandom(7) + b"\0\0\0")[:20].decode().lower()
