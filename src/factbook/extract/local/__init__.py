"""The local extractor: our reader's names, spaCy's parse, our own rules, no model call. Loads both
at the first use.
"""

from __future__ import annotations

from factbook.extract.local.extractor import LocalExtractor
from factbook.extract.local.finder import Found, FoundName, NameFinder, SpacyNames
from factbook.extract.local.model import is_installed
from factbook.extract.local.reader_names import ReaderNames

__all__ = [
    "Found",
    "FoundName",
    "LocalExtractor",
    "NameFinder",
    "ReaderNames",
    "SpacyNames",
    "is_installed",
]
