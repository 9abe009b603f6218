"""Names of kinds, attributes and relation labels: snake_case, and which declared kind a written one
means.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from factbook.model.record import EntityType

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GAP = re.compile(r"[\W_]+")
LONGEST_KEY = 80


def snake_case(label: str) -> str:
    """Returns `works_at` for `Works At` and `worksAt`; letters of any script are kept."""
    flat = _CAMEL.sub("_", unicodedata.normalize("NFKC", label))
    return _GAP.sub("_", flat).strip("_").casefold()[:LONGEST_KEY].strip("_")


def declared_kind(label: str, kinds: Mapping[str, EntityType]) -> str | None:
    """Returns the id of the declared kind that the label names, by its id or one of its other
    names; None if there is none.
    """
    key = snake_case(label)
    if key in kinds:
        return key
    return next((kind.id for kind in kinds.values() if key in kind.other_names), None)
