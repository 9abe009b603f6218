"""The model files of factbook's reader. They hold data only; factbook checks their hashes before
loading them.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["akin_path", "clauses_path", "model_path", "stated_path"]


def model_path() -> str:
    """Where `reader.onnx` lies."""
    return str(Path(__file__).with_name("reader.onnx"))


def stated_path() -> str:
    """Where `stated.onnx` lies."""
    return str(Path(__file__).with_name("stated.onnx"))


def akin_path() -> str:
    """Where `akin.bin` lies: which words are akin."""
    return str(Path(__file__).with_name("akin.bin"))


def clauses_path() -> str:
    """Where `clauses.onnx` lies: which clauses are worth keeping."""
    return str(Path(__file__).with_name("clauses.onnx"))
