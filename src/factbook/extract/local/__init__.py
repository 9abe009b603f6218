"""The local extractor: one reading by networks of our own, rules of our own, no model call. Loads them at the first
use.
"""

from __future__ import annotations

from factbook.extract.local.clauses.network import is_installed as _has_clauses
from factbook.extract.local.extractor import LocalExtractor
from factbook.extract.local.finder import Found, FoundName, NameFinder
from factbook.extract.local.reader_names import ReaderNames
from factbook.reader import missing_modules

__all__ = [
    "Found",
    "FoundName",
    "LocalExtractor",
    "NameFinder",
    "ReaderNames",
    "is_installed",
]


def is_installed() -> bool:
    """Returns True if what the local extractor needs is there; nothing is loaded to find out."""
    return not missing_modules() and _has_clauses()
