"""How often values agree where two records are of one: the `m` of Fellegi and Sunter, and what
stands in for `u`.

I. P. Fellegi, A. B. Sunter, "A Theory for Record Linkage", JASA 64 (1969). The figures of
`AMONG_SAME` were set by judgement, from how people mistype and from how often a value of that sort
changes; no data was fitted. `u` is measured on the records at hand (see `population`);
`AMONG_OTHERS` is what it is taken for before there are any, and weighs as much as `PRIOR_PAIRS`
pairs.
"""

from __future__ import annotations

from collections.abc import Mapping

from factbook.resolve.records.agree import Level
from factbook.resolve.records.sorts import Sort

AMONG_SAME: Mapping[Sort, Mapping[Level, float]] = {
    "name": {"same": 0.75, "near": 0.12, "part": 0.04, "differ": 0.09},
    "words": {"same": 0.65, "near": 0.17, "part": 0.05, "differ": 0.13},
    "number": {"same": 0.80, "near": 0.03, "part": 0.05, "differ": 0.12},
    "postal": {"same": 0.82, "near": 0.08, "part": 0.02, "differ": 0.08},
    "category": {"same": 0.92, "near": 0.03, "part": 0.01, "differ": 0.04},
    "date": {"same": 0.88, "near": 0.05, "part": 0.03, "differ": 0.04},
    "code": {"same": 0.88, "near": 0.06, "part": 0.02, "differ": 0.04},
    "text": {"same": 0.45, "near": 0.10, "part": 0.15, "differ": 0.30},
}

AMONG_OTHERS: Mapping[Sort, Mapping[Level, float]] = {
    "name": {"same": 0.005, "near": 0.004, "part": 0.02, "differ": 0.971},
    "words": {"same": 0.005, "near": 0.002, "part": 0.02, "differ": 0.973},
    "number": {"same": 0.02, "near": 0.01, "part": 0.05, "differ": 0.92},
    "postal": {"same": 0.01, "near": 0.01, "part": 0.01, "differ": 0.97},
    "category": {"same": 0.2, "near": 0.01, "part": 0.01, "differ": 0.78},
    "date": {"same": 0.0005, "near": 0.001, "part": 0.01, "differ": 0.9885},
    "code": {"same": 0.0001, "near": 0.0001, "part": 0.0005, "differ": 0.9993},
    "text": {"same": 0.10, "near": 0.02, "part": 0.08, "differ": 0.80},
}

PRIOR_PAIRS = 500
"""Pairs that `AMONG_OTHERS` weighs as much as."""

SWAPPED = 0.03
"""How often two values of one record stand in each other's place."""

SURE_BITS = 10.0
"""Odds of a thousand to one that two are one, as a power of two: above it the attributes decide
alone.
"""

LIKELY_BITS = 0.0
"""Even odds: above it the two are asked about."""
