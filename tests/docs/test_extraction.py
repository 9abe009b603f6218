"""The page about extraction: its table of examples is what the extractor finds, its vocabulary is
complete.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from factbook.extract.local.rules.vocabulary import LABELS
from tests.support.drafts import read_wholly

PAGE = (Path(__file__).parents[2] / "docs" / "extraction.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(
    r"^\| (.+?) \| (.*?) ?\|$", PAGE.partition("## Examples")[2].partition("\n## ")[0], re.MULTILINE
)[1:]


@pytest.mark.model
@pytest.mark.parametrize(("text", "found"), EXAMPLES)
def test_an_example_is_true(text: str, found: str) -> None:
    assert "<br>".join(read_wholly(text).splitlines()) == found


def test_there_are_examples_and_every_label_is_explained() -> None:
    assert len(EXAMPLES) > 10
    table = PAGE.partition("## The relations")[2]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(LABELS)
