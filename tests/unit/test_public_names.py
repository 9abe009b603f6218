"""What `import factbook` gives, and what it leaves alone."""

from __future__ import annotations

import importlib
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


PUBLIC = """
    AsyncMemory Entity EntityMemory EntityType Event Fact FactbookError FileKnowledgeStore InputError
    KnowledgeEntry KnowledgeMemory KnowledgeStore Memory Message ModelSettings NotFoundError Note
    RecalledLine Receipt Recollection Relation SQLiteKnowledgeStore Tool __version__
    make_memory_tools make_note_entity_tool make_recall_entities_tool make_recall_tool
    make_remember_tool memory_tools
""".split()

PLACES = {
    "factbook.errors": """
        AmbiguousError ConfigError ExtractError ModelUnavailableError ReplyRejectedError
        SchemaTooNewError SpaceError StaleWriteError StoppedError StoreBusyError StoreError
    """,
    "factbook.memory": "HistoryEntry UndoPlan",
    "factbook.model": """
        Change Commit Conflict Draft DraftEntity DraftFact DraftMention DraftRelation Dropped Episode
        Erased Job Learned LineFilter Link Review Source Stamp StatedFact StoredMessage Trend
        TrendPoint Usage
    """,
    "factbook.render": "ContextForm Subject",
    "factbook.tools": """
        ToolParameter as_anthropic as_functions as_openai as_openai_responses call_tool
    """,
}
"""Names that were at the top, and the modules that have them."""


def test_the_names_at_the_top_are_these() -> None:
    assert factbook.__all__ == PUBLIC
    assert len(PUBLIC) <= 30
    assert [name for name in PUBLIC if not hasattr(factbook, name)] == []


@pytest.mark.parametrize(
    ("module", "name"), [(module, name) for module in PLACES for name in PLACES[module].split()]
)
def test_a_name_that_moved_works_and_says_where_it_is(module: str, name: str) -> None:
    with pytest.warns(DeprecationWarning, match=f"factbook.{name} is {module}.{name} now"):
        there = getattr(factbook, name)
    assert there is getattr(importlib.import_module(module), name)


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Dragon'"):
        factbook.Dragon  # noqa: B018 # type: ignore[attr-defined] # pyright: ignore[reportAttributeAccessIssue]


def test_importing_brings_nothing_heavy() -> None:
    code = f"import sys, factbook; print([name for name in {HEAVY!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
