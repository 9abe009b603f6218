"""One score a line from its signals, with the parts it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from factbook.model.line import Hit
from factbook.recall.signals import Measured
from factbook.recall.weights import Weights

_MERGED = {"beside": "near", "former": "superseded", "stranger": "other"}
"""Signals that are shown under another's name."""
_LEAST_SHOWN = 0.005


@dataclass(frozen=True, kw_only=True, slots=True)
class Scored:
    """A candidate with its score in 0–1 and the parts that make it, the largest first."""

    hit: Hit
    score: float
    parts: Mapping[str, float]


def rank(measured: Measured, weights: Weights) -> list[Scored]:
    """The candidates worth saying, best first; none where nothing fits the question by itself."""
    hits, columns = measured.hits, measured.columns
    if not hits or not _speaks(measured, weights):
        return []
    names = [name for name in columns if getattr(weights, name)]
    factors = [getattr(weights, name) for name in names]
    rows = list(zip(*(columns[name] for name in names), strict=True))
    base = {"message": 0.0, **{kind: getattr(weights, kind) for kind in ("fact", "relation", "note", "entity")}}
    scored: list[tuple[float, int]] = []
    for index, row in enumerate(rows):
        score = base[hits[index].kind]
        for factor, value in zip(factors, row, strict=True):
            if value:
                score += factor * value
        scored.append((score, index))
    scored.sort(key=lambda each: (-each[0], hits[each[1]].no))
    return [
        Scored(
            hit=hits[index],
            score=min(score, 1.0),
            parts=_parts(names, factors, rows[index], base[hits[index].kind]),
        )
        for score, index in scored[:MOST_RANKED]
        if score >= weights.floor * scored[0][0]
    ]


MOST_RANKED = 256
"""How many lines go on to be packed."""


def because(parts: Mapping[str, float]) -> str:
    """The parts in words: `name 0.40 · words 0.27`."""
    return " · ".join(f"{name} {value:.2f}" for name, value in parts.items() if abs(value) >= _LEAST_SHOWN)


def _speaks(measured: Measured, weights: Weights) -> bool:
    """Whether any line fits the question by itself."""
    names = measured.columns["name"]
    return any(fit + weights.name_fit * name >= weights.silence for fit, name in zip(measured.fit, names, strict=True))


def _parts(names: list[str], factors: list[float], row: tuple[float, ...], base: float) -> dict[str, float]:
    parts: dict[str, float] = {"kind": base} if base else {}
    for name, factor, value in zip(names, factors, row, strict=True):
        if value:
            shown = _MERGED.get(name, name)
            parts[shown] = parts.get(shown, 0.0) + factor * value
    return dict(sorted(parts.items(), key=lambda part: -abs(part[1])))
