"""Vectors of text: the embedders, chosen by name. Importing this room loads nothing heavy."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec

from factbook.errors import ConfigError
from factbook.ports.models import Embedder
from factbook.reader.reading_model import NAME, Reader, shared_reader

__all__ = ["ENTRY_POINTS", "Reader", "load_embedder", "missing_modules", "shared_reader"]

ENTRY_POINTS = "factbook.embedders"
"""The entry point group of other embedders: each names a callable without arguments that returns an
`Embedder`.
"""

_PACKAGES = ("numpy", "onnxruntime", "tokenizers", "factbook_reader")


def missing_modules() -> list[str]:
    """Returns the modules that the default embedder needs and that are not installed."""
    return [name for name in _PACKAGES if find_spec(name) is None]


def load_embedder(name: str | None = None) -> Embedder | None:
    """Returns the embedder of that name, which loads its model when it is first used.

    Args:
        name: None for the default one, or None if its packages are not installed; `none` for no
            embedder; `minilm` for the default one or an error; any other is looked up among the
            entry points `factbook.embedders`.

    Raises:
        ConfigError: there is no such embedder, or its packages are missing.
    """
    if name is None:
        return None if missing_modules() else shared_reader()
    if name == "none":
        return None
    if name in ("minilm", NAME):
        if absent := missing_modules():
            raise ConfigError(
                f"the embedder {name!r} needs {', '.join(absent)}: install it with pip install "
                "'factbook[local]'"
            )
        return shared_reader()
    return _plug_in(name)


def _plug_in(name: str) -> Embedder:
    plug_ins = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if name not in plug_ins:
        known = ", ".join(sorted({"minilm", "none", *plug_ins}))
        raise ConfigError(f"there is no embedder named {name!r}; there are: {known}")
    return _make_embedder(plug_ins[name])


def _make_embedder(point: EntryPoint) -> Embedder:
    try:
        embedder = point.load()()
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            f"the embedder {point.name!r} ({point.value}) can't be loaded: {error}"
        ) from error
    if not isinstance(embedder, Embedder):
        raise ConfigError(
            f"the embedder {point.name!r} ({point.value}) has no name, size or embed()"
        )
    return embedder
