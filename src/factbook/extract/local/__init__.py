"""The local extractor: spaCy's names and parse, our own rules, no model call. Loads spaCy at the first extraction."""

from __future__ import annotations

from factbook.extract.local.extractor import LocalExtractor
from factbook.extract.local.finder import FoundName, NameFinder, SpacyNames
from factbook.extract.local.model import is_installed

__all__ = ["FoundName", "LocalExtractor", "NameFinder", "SpacyNames", "is_installed"]
