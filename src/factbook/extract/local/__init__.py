"""The local extractor: spaCy's names and parse, our own rules, no model call. Loads spaCy at the first extraction."""

from __future__ import annotations

import importlib.util

from factbook.extract.local.extractor import LocalExtractor
from factbook.extract.local.finder import FoundName, NameFinder, SpacyNames

from factbook.extract.local.model import installed

__all__ = ["FoundName", "LocalExtractor", "NameFinder", "SpacyNames", "is_installed"]


def is_installed() -> bool:
    """True if what the local extractor needs is there; nothing is loaded to find out."""
    return importlib.util.find_spec("spacy") is not None and installed() is not None
