"""Which records to compare: those that share rare values, whole or in part."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import log2

from factbook.resolve.records.sorts import Record, Sort, attribute_sort
from factbook.text.phonetic import metaphone

ENOUGH_BITS = 13.0
"""Two records are compared where the values that they share are so rare together, as a power of
two.
"""

LARGEST_BLOCK = 120
"""A value that more records share tells nothing that is worth comparing them for."""

_FAMILY: dict[Sort, str] = {
    "name": "n",
    "words": "w",
    "text": "w",
    "number": "#",
    "postal": "p",
    "date": "d",
    "code": "c",
}


def candidate_pairs(records: Sequence[Record]) -> list[tuple[int, int]]:
    """Returns places of the pairs that are worth comparing, in order; the records with their values
    in normal form.
    """
    sorts: dict[str, Sort] = {
        name: attribute_sort(name, _column_values(records, name))
        for name in dict.fromkeys(k for r in records for k in r)
    }
    blocks: dict[str, list[int]] = defaultdict(list)
    for place, record in enumerate(records):
        for key in dict.fromkeys(_block_keys(record, sorts)):
            blocks[key].append(place)
    size = log2(max(2, len(records)))
    shared: dict[tuple[int, int], float] = defaultdict(float)
    for members in blocks.values():
        if 1 < len(members) <= LARGEST_BLOCK:
            bits = size - log2(len(members))
            for at, left in enumerate(members):
                for right in members[at + 1 :]:
                    shared[left, right] += bits
    enough = min(ENOUGH_BITS, size + 1)
    return sorted(pair for pair, bits in shared.items() if bits >= enough)


def _column_values(records: Sequence[Record], name: str) -> Iterator[str]:
    return (value for record in records for value in record.get(name, ()))


def _block_keys(record: Record, sorts: dict[str, Sort]) -> Iterator[str]:
    for attribute, values in record.items():
        sort = sorts[attribute]
        family = _FAMILY.get(sort)
        for form in values if family else ():
            if sort == "name":
                yield f"n:{metaphone(form.replace(' ', '')) or form}"
                yield f"n={form[:4]}"
            elif sort in ("words", "text"):
                bare = form.replace(" ", "")
                yield f"w:{bare[:6]}"
                yield f"w={bare[-8:]}"
            elif sort in ("date", "code"):
                yield f"{family}:{form}"
                yield f"{family}<{form[: len(form) // 2]}"
                yield f"{family}>{form[len(form) // 2 :]}"
            else:
                yield f"{family}:{attribute}:{form}"
