"""The model file of factbook's reader. It holds data only; factbook checks its hash before loading it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["model_path"]


def model_path() -> str:
    """Where `reader.onnx` lies."""
    return str(Path(__file__).with_name("reader.onnx"))
