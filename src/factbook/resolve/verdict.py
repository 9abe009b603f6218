"""The answer to whether two are one, and how names that nearly agree are told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from factbook.text.nicknames import is_known_name
from factbook.text.phonetic import metaphone

Verdict = Literal["merge", "ask", "separate"]

LONG, MIDDLING = 8, 5
"""Letters that a misspelt word must have to be taken for the other one, or asked about."""


HOMOPHONES = frozenset(
    "complement compliment discreet discrete stationary stationery counsellor councillor".split()
)
"""Long words that sound alike, differ by a letter, and are two."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Named:
    """One side of the question: a name, and the kind of what bears it."""

    name: str
    kind: str = "other"


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """The verdict, how sure it is (0–1), and why, in words. A `veto` is a `separate` that no other
    evidence outvotes.
    """

    verdict: Verdict
    score: float
    evidence: tuple[str, ...] = ()
    veto: bool = False


def decision_order(decision: Decision) -> tuple[int, float]:
    """Returns a key that sorts decisions: `separate` first, `merge` last, then by the score."""
    return ("separate", "ask", "merge").index(decision.verdict), decision.score


def decide_merge(score: float, *evidence: str) -> Decision:
    return Decision(verdict="merge", score=score, evidence=evidence)


def decide_ask(score: float, *evidence: str) -> Decision:
    return Decision(verdict="ask", score=score, evidence=evidence)


def decide_separate(*evidence: str) -> Decision:
    return Decision(verdict="separate", score=0.0, evidence=evidence)


def decide_veto(*evidence: str) -> Decision:
    return Decision(verdict="separate", score=0.0, evidence=evidence, veto=True)


def judge_misspelling(left: str, right: str) -> Verdict:
    """Returns whether one folded word is the other misspelt: one edit within the word, the same
    sound, and long enough.

    `separate` also if both are known names (Gonzales and Gonzalez are two).
    """
    place = _one_edit(left, right)
    shorter = min(len(left), len(right))
    if place < 0 or shorter < MIDDLING:
        return "separate"
    if not (left + right).isascii() or not (left + right).isalpha():
        return "separate"
    if (is_known_name(left) and is_known_name(right)) or {left, right} <= HOMOPHONES:
        return "separate"
    within = 0 < place < shorter - 1
    return "merge" if within and shorter >= LONG and metaphone(left) == metaphone(right) else "ask"


def _one_edit(left: str, right: str) -> int:
    """Returns the place of the one insertion, deletion, substitution or transposition that makes
    one word the other; else -1.
    """
    if left == right or abs(len(left) - len(right)) > 1:
        return -1
    start = next(
        (i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b),
        min(len(left), len(right)),
    )
    rest_left, rest_right = left[start:], right[start:]
    edits = (
        rest_left[1:] == rest_right[1:],
        rest_left[1:] == rest_right,
        rest_left == rest_right[1:],
        rest_left[:2] == rest_right[1::-1] and rest_left[2:] == rest_right[2:],
    )
    return start if any(edits) else -1
