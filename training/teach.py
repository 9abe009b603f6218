"""What the rules find in the messages that were written for names: texts of which some of what they
state is said.

    python -m training.teach --out build/taught/rules.txt

They are read before and beside the texts of `stated/`, where what is not said counts little.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from bench.extraction import episode_of
from factbook.extract.local import LocalExtractor
from factbook.model.draft import Draft, DraftFact, DraftRelation
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF
from factbook.ports.models import ExtractionContext
from training import stated, written
from training.examples import Example

BATCH = 64


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    asked = parser.parse_args()
    examples = [example for example in written.examples() if not written.is_held_out(example)]
    extractor = LocalExtractor(stated="none")
    context = ExtractionContext(kinds={kind.id: kind for kind in BUILT_IN})
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    with asked.out.open("w", encoding="utf-8") as file:
        for first in range(0, len(examples), BATCH):
            batch = examples[first : first + BATCH]
            rows = [
                {"id": str(first + at), "text": example.text} for at, example in enumerate(batch)
            ]
            drafts = extractor.extract([episode_of(row) for row in rows], context)
            for row, example, draft in zip(rows, batch, drafts, strict=True):
                file.write(f"#{row['id']} {marked(example)}\n")
                file.writelines(f"{' | '.join(each)}\n" for each in said(draft, example.text))


def marked(example: Example) -> str:
    """The text on one line, with its names marked."""
    out, at = "", 0
    for span in example.spans:
        out += f"{example.text[at : span.start]}[{example.text[span.start : span.end]}|{span.kinds[0]}]"
        at = span.end
    return (out + example.text[at:]).replace("\n", "\\n")


def said(draft: Draft, text: str) -> Iterator[tuple[str, str, str]]:
    """What the draft holds of a text in the text's own words."""
    names = {each.ref: each.name for each in draft.entities} | {SELF: stated.SELF}
    links = [
        (names[each.from_ref], each.label, names[each.to_ref])
        for each in draft.relations
        if _is_plain(each)
    ]
    facts = [
        (names[each.ref], f".{each.attribute}", each.value)
        for each in draft.facts
        if _is_plain(each)
    ]
    for left, label, right in dict.fromkeys([*links, *facts]):
        if all(end == stated.SELF or stated.find(end, text) for end in (left, right)):
            yield left, label, right


def _is_plain(each: DraftRelation | DraftFact) -> bool:
    return not (each.retracts or each.told_by)


if __name__ == "__main__":
    main()
