"""The page about identity: its table of names is what the engine decides, with its reasons."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from factbook.resolve.name_match import Named, decide_names

PAGE = (Path(__file__).parents[2] / "docs" / "identity.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| (.+?) \| (.+?) \| (\w+)(?:, (\w+))? \| (merge|ask|separate) \| (.+?) \|$", re.MULTILINE
)
EXAMPLES = ROW.findall(PAGE)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) > 20


@pytest.mark.parametrize(("left", "right", "kind", "other", "answer", "because"), EXAMPLES)
def test_an_example_is_true(
    left: str, right: str, kind: str, other: str, answer: str, because: str
) -> None:
    ends = Named(name=left, kind=kind), Named(name=right, kind=other or kind)
    for decision in (decide_names(*ends), decide_names(*ends[::-1])):
        assert decision.verdict == answer
    assert "; ".join(decide_names(*ends).evidence) == because
