"""How far two values of one attribute agree."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Literal

from factbook.resolve.records.sorts import Sort
from factbook.text.nicknames import same_given
from factbook.text.phonetic import metaphone

Level = Literal["same", "near", "part", "differ"]
"""`near`: the same but for a slip (a typo, a space, digits or day and month swapped, a short form).
`part`: a good part of it is the same.
"""


@lru_cache(maxsize=262144)
def compare_values(sort: Sort, left: str, right: str) -> Level:
    """Scores the agreement of two values, both in normal form."""
    if left == right:
        return "same"
    match sort:
        case "date":
            return _compare_dates(left, right)
        case "code":
            return _compare_codes(left, right)
        case "number" | "postal":
            return _compare_numbers(left, right)
        case "category":
            return "near" if _are_within_edits(left, right, 1, shortest=2) else "differ"
        case "name":
            return _compare_names(left, right)
        case "words" | "text":
            return _compare_words(left, right)


def _are_within_edits(left: str, right: str, most: int, *, shortest: int = 0) -> bool:
    """Returns whether so many insertions, deletions, substitutions and swaps make one the other.

    Args:
        shortest: a shorter text than this is never near another.
    """
    if abs(len(left) - len(right)) > most or min(len(left), len(right)) < shortest:
        return False
    return _load_distance()(left, right, score_cutoff=most) <= most


@cache
def _load_distance() -> Callable[..., int]:
    from rapidfuzz.distance import OSA

    return OSA.distance


def _compare_dates(left: str, right: str) -> Level:
    if not _is_day(left) or not _is_day(right):
        return _compare_words(left, right)
    if _are_within_edits(left, right, 1) or left[:4] + left[6:] + left[4:6] == right:
        return "near"
    alike = (left[:4] == right[:4]) + (left[4:6] == right[4:6]) + (left[6:] == right[6:])
    return "part" if alike == 2 or _are_within_edits(left, right, 2) else "differ"


def _is_day(value: str) -> bool:
    return len(value) == 8 and value.isdigit()


def _compare_codes(left: str, right: str) -> Level:
    if _are_within_edits(left, right, 1, shortest=5):
        return "near"
    if min(len(left), len(right)) < 6:
        return "differ"
    alike = _are_within_edits(left, right, 2) or sorted(left) == sorted(right)
    return "part" if alike else "differ"


def _compare_numbers(left: str, right: str) -> Level:
    if _are_within_edits(left, right, 1, shortest=3):
        return "near"
    if min(len(left), len(right)) < 2:
        return "differ"
    alike = _are_within_edits(left, right, 1) or sorted(left) == sorted(right)
    return "part" if alike else "differ"


def _compare_names(left: str, right: str) -> Level:
    first, second = left.replace(" ", ""), right.replace(" ", "")
    shorter = min(len(first), len(second))
    if first == second or same_given(left, right):
        return "near"
    if _are_within_edits(first, second, 1, shortest=3):
        return "near"
    if shorter == 1 and first[0] == second[0]:
        return "part"
    if _are_within_edits(first, second, 1 + shorter // 5, shortest=5):
        return "near"
    if _are_within_edits(first, second, 2, shortest=3):
        return "part"
    if shorter > 2 and metaphone(first) == metaphone(second) != "":
        return "part"
    return "part" if set(left.split()) & set(right.split()) else "differ"


def _compare_words(left: str, right: str) -> Level:
    first, second = left.replace(" ", ""), right.replace(" ", "")
    shorter = min(len(first), len(second))
    if first == second or _are_within_edits(first, second, 1 + shorter // 6, shortest=4):
        return "near"
    if sorted(left.split()) == sorted(right.split()):
        return "near"
    if _are_within_edits(first, second, 1 + shorter // 4, shortest=4):
        return "part"
    shared = set(left.split()) & set(right.split())
    return "part" if any(len(word) > 3 for word in shared) else "differ"
