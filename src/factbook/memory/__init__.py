"""Memory: the front doors, where the rooms are put together.

The names here are stable: `from factbook.memory import UndoPlan`.
"""

from __future__ import annotations

from factbook.memory.history import HistoryEntry, UndoPlan

__all__ = ["HistoryEntry", "UndoPlan"]
