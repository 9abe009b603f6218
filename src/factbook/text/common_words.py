"""Everyday English words, for telling a word from a name that is written like it.

The list has their plain forms; `is_common` knows their usual endings too.
"""

from __future__ import annotations

from functools import cache, lru_cache

from factbook.text.word_lists import load_words

_ENDINGS = (
    ("iest", "y"), ("ier", "y"), ("ily", "y"), ("ies", "y"), ("ied", "y"), ("ing", ""), ("ing", "e"), ("ers", "e"), ("est", ""), ("er", ""), ("er", "e"),
    ("es", ""), ("ed", ""), ("ed", "e"), ("ly", ""), ("s", ""), ("y", ""), ("ness", ""), ("ful", ""), ("less", ""),
)  # fmt: skip

_ANY_ENDING = tuple({ending for ending, _ in _ENDINGS})

UNCOUNTED = load_words("text/common_words", "uncounted")
"""Those that stand without an article anyway: `about hope`, `with grace`."""

IMPERATIVES = load_words("text/common_words", "imperatives")
"""Those with which a sentence may begin that are verbs, or hardly ever the given name."""


@lru_cache(maxsize=8192)
def is_common(word: str) -> bool:
    """Returns True for a folded word that is one of everyday English, in any of its usual forms."""
    words = _load_common()
    if word in words:
        return True
    if not word.endswith(_ANY_ENDING):
        return False
    for ending, instead in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            stem = word[: -len(ending)]
            if stem + instead in words:
                return True
            doubled = len(stem) > 3 and stem[-1] == stem[-2]  # `stopped`, `running`
            if doubled and not instead and stem[:-1] in words:
                return True
    return False


@cache
def _load_common() -> frozenset[str]:
    return load_words("text/common_words")
