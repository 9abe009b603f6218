"""Recalled lines as text for a prompt: data, escaped, in one delimited block.

The names here are stable; with them a package brings a context format of its own.
"""

from __future__ import annotations

from factbook.render.custom import ContextForm
from factbook.render.listing import Subject

__all__ = ["ContextForm", "Subject"]
