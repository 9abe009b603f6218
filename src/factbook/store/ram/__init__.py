"""The store in plain dicts: a test double that keeps the whole contract, and nothing after the
process ends.
"""

from factbook.store.ram.store import RamStore

__all__ = ["RamStore"]
