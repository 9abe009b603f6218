"""A word's base form, by its tag: endings come off so that a known word is left, and exceptions are listed by the
model's file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

GLUED: Mapping[str, str] = {
    "nt": "not",
    "not": "not",
    "m": "be",
    "re": "be",
    "ve": "have",
    "ll": "will",
    "na": "to",
    "ta": "to",
}
"""Base forms of what is written onto the word before it without an apostrophe."""
_PLURAL = (("ies", "y"), ("s", ""), ("es", ""), ("ves", "f"), ("men", "man"))
_PAST = (("ied", "y"), ("ed", ""), ("d", ""))
_GOING = (("ing", ""), ("ing", "e"))
_MORE = (("ier", "y"), ("er", ""), ("r", ""))
_MOST = (("iest", "y"), ("est", ""), ("st", ""))
_ENDINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "NNS": _PLURAL,
    "VBZ": _PLURAL[:3],
    "VBD": _PAST,
    "VBN": _PAST,
    "VBG": _GOING,
    "JJR": _MORE,
    "RBR": _MORE,
    "JJS": _MOST,
    "RBS": _MOST,
}


def lemma_of(word: str, tag: str, known: Mapping[str, int], exceptions: Mapping[str, str]) -> str:
    """Returns the base form of a word in small letters.

    Args:
        tag: of the Penn Treebank. known: words by their rank, the most frequent first.
        exceptions: base forms by `word/tag`.
    """
    listed = exceptions.get(f"{word}/{tag}")
    if listed is not None or tag not in _ENDINGS:
        return word if listed is None else listed
    if word.endswith(("ss", "us", "is")) and tag in ("NNS", "VBZ"):
        return word
    found = [each for each in _base_forms(word, tag) if each in known]
    return min(found, key=known.__getitem__, default=next(_base_forms(word, tag), word))


def _base_forms(word: str, tag: str) -> Iterator[str]:
    """Forms that the word may come from, the most regular first."""
    for ending, instead in _ENDINGS[tag]:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > 1:
            yield stem + instead
            if not instead and len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "aeiou":
                yield stem[:-1]
