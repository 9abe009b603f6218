"""Sentences told in passing: `python -m bench said`.

`bench/judged/greeted.jsonl`: statements to somebody called by name; counted is what lands on who is only called.
`bench/judged/holding.jsonl`: one statement each, with when it was, who says so, whether it is denied, over or only
planned; counted is what of it the extractor's draft tells, of the statements that it keeps at all.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from factbook.extract.local import LocalExtractor
from factbook.model.draft import Draft, DraftFact, DraftObservation, DraftRelation
from factbook.model.episode import Episode, StoredMessage
from factbook.model.kinds import BUILT_IN
from factbook.ports.models import ExtractionContext, Extractor

FOLDER = Path(__file__).parent / "judged"
Statement = DraftFact | DraftRelation | DraftObservation
_KINDS = {kind.id: kind for kind in BUILT_IN}


def main(argv: Sequence[str]) -> int:
    """Reads both sets with the local extractor and prints the figures as one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m bench said", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the sets are")
    asked = parser.parse_args(argv)
    extractor = LocalExtractor()
    print(
        json.dumps(
            {
                "greeted": greeted(extractor, _rows(asked.folder / "greeted.jsonl")),
                "holding": holding(extractor, _rows(asked.folder / "holding.jsonl")),
            },
            indent=1,
        )
    )
    return 0


def greeted(extractor: Extractor, rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """How many statements land on who is called, and how many leave anything at all."""
    landed = told = 0
    for row in rows:
        draft = _draft(extractor, row, datetime(2025, 3, 14, 12, tzinfo=UTC))
        called = {_folded(each) for each in re.split(r",| and | & ", row["addressee"])}
        names = {
            each.ref: {_folded(each.name), *map(_folded, each.aliases)} for each in draft.entities
        }
        about = [names.get(ref, set()) for each in _statements(draft) for ref in _refs(each)]
        landed += any(each & called for each in about)
        told += bool(about)
    return {"statements": len(rows), "landed on who is called": landed, "told": told}


def holding(extractor: Extractor, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Of the statements that are kept, the shares told rightly, by what is asked of them."""
    right, asked = Counter[str](), Counter[str]()
    for row in rows:
        at = datetime.fromisoformat(row["date"]).replace(hour=12, tzinfo=UTC)
        draft = _draft(extractor, row, at)
        start = row["text"].index(row["span"])
        kept = [each for each in _statements(draft) if _within(each.quote, row, start)]
        asked["kept"] += 1
        right["kept"] += bool(kept)
        if not kept:
            continue
        for name, wanted, given in _compared(row, kept, at):
            asked[name] += 1
            right[name] += wanted == given
    return {name: f"{right[name]} of {asked[name]}" for name in asked}


def _compared(
    row: Mapping[str, Any], kept: Sequence[Statement], at: datetime
) -> Iterator[tuple[str, object, object]]:
    """What was asked, what is right, and what the draft tells."""
    denied = any(_is_denied(each) for each in kept)
    over = any(_is_over(each, at) for each in kept)
    hearsay = any(each.told_by or _holds(each) == "hearsay" for each in kept)
    planned = any(_holds(each) == "planned" or _is_ahead(each, at) for each in kept)
    for name, wanted, given in (
        ("denied", row["holds"] == "denied", denied),
        ("over", bool(row["over"]), over),
        ("hearsay", row["holds"] == "hearsay", hearsay),
        ("planned", row["holds"] == "planned", planned),
    ):
        if wanted:
            yield (
                f"{name}: found",
                True,
                given or (name == "denied" and over) or (name == "over" and denied),
            )
        else:
            yield f"{name}: not told of others", False, given
    if row["by"]:
        told = {_folded(each.told_by) for each in kept}
        yield (
            "by",
            True,
            any(by and (by in _folded(row["by"]) or _folded(row["by"]) in by) for by in told),
        )
    if row["when"]:
        yield "when", True, any(_is_then(each, row["when"]) for each in kept)


def _is_denied(each: Statement) -> bool:
    return _holds(each) == "denied" or bool(getattr(each, "retracts", False))


def _holds(each: Statement) -> str:
    return each.holds if isinstance(each, DraftObservation) else ""


def _is_over(each: Statement, at: datetime) -> bool:
    return bool(getattr(each, "retracts", False)) or (
        each.invalid_at is not None and each.invalid_at <= at
    )


def _is_ahead(each: Statement, at: datetime) -> bool:
    return each.valid_at is not None and each.valid_at > at


def _is_then(each: Statement, when: str) -> bool:
    """Whether the statement's time lies in what is right: a day, a month, a year, or from one to another."""
    first, slash, last = when.partition("/")
    if not slash:
        return each.valid_at is not None and each.valid_at.date().isoformat().startswith(first)
    begins = not first or (
        each.valid_at is not None and each.valid_at.date().isoformat().startswith(first)
    )
    if not last:
        return begins
    if each.invalid_at is None:
        return False
    ends = each.invalid_at.date()
    return begins and (ends.isoformat().startswith(last) or _day_before(ends).startswith(last))


def _day_before(day: date) -> str:
    return date.fromordinal(day.toordinal() - 1).isoformat()


def _within(quote: str, row: Mapping[str, Any], start: int) -> bool:
    """Whether the words share half of the statement's, or stand in it."""
    at = row["text"].find(quote)
    if at < 0:
        return False
    shared = min(at + len(quote), start + len(row["span"])) - max(at, start)
    return shared >= min(len(quote), len(row["span"])) / 2


def _statements(draft: Draft) -> list[Statement]:
    return [*draft.facts, *draft.relations, *draft.observations]


def _refs(each: Statement) -> tuple[str, ...]:
    if isinstance(each, DraftFact):
        return (each.ref,)
    return (each.from_ref, each.to_ref) if isinstance(each, DraftRelation) else each.refs


def _draft(extractor: Extractor, row: Mapping[str, Any], at: datetime) -> Draft:
    message = StoredMessage(id="m", episode_id="e", at=at, text=row["text"], speaker=row["speaker"])
    episode = Episode(id="e", created_at=at, messages=(message,))
    return extractor.extract([episode], ExtractionContext(kinds=_KINDS))[0]


def _folded(name: str) -> str:
    return name.casefold().strip(" @.")


def _rows(path: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
