"""What `import factbook` gives, and what it leaves alone."""

from __future__ import annotations

import subprocess
import sys

import pytest

import factbook

HEAVY = (
    "numpy",
    "onnxruntime",
    "tokenizers",
    "spacy",
    "rich",
    "typer",
    "snowballstemmer",
    "rapidfuzz",
)


def test_every_public_name_is_there() -> None:
    assert [name for name in factbook.__all__ if not hasattr(factbook, name)] == []
    assert factbook.__all__ == sorted(
        factbook.__all__, key=lambda name: (not name[0].isupper(), name)
    )


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Dragon'"):
        factbook.Dragon  # noqa: B018 # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue]


def test_importing_brings_nothing_heavy() -> None:
    code = f"import sys, factbook; print([name for name in {HEAVY!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
