"""The file of a memory that nobody named: one rule for the library and the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from factbook.errors import ConfigError

NAME = "factbook.db"


def data_file() -> Path:
    """Returns `factbook.db` in the user's data folder: on Linux `~/.local/share/factbook`, or as
    XDG_DATA_HOME says.
    """
    import platformdirs

    return platformdirs.user_data_path("factbook", appauthor=False) / NAME


def lies_here(environment: Mapping[str, str]) -> bool:
    """Returns True where the present folder's own `factbook.db` is used, which the caller is to be
    told.
    """
    return not environment.get("FACTBOOK_DB") and Path(NAME).exists()


def default_url(environment: Mapping[str, str]) -> str:
    """Returns FACTBOOK_DB, else an existing `./factbook.db`, else `factbook.db` in the user's data
    folder.
    """
    return environment.get("FACTBOOK_DB") or (NAME if lies_here(environment) else str(data_file()))


def here_warning() -> str:
    """Returns the sentence that says why a file of the present folder is used, and how to choose
    another.
    """
    return (
        f"using ./{NAME} of this folder, since no file was named; name it, or set FACTBOOK_DB."
        f" Elsewhere the memory is {data_file()}"
    )


def make_folder(url: str) -> None:
    """Makes the folder of a memory in the user's data folder; other folders are the caller's to
    make.

    Raises:
        ConfigError: it can't be made.
    """
    if url == str(data_file()):
        make_parent(Path(url))


def make_parent(file: Path) -> None:
    """Makes the folder of a file, for its owner alone.

    Raises:
        ConfigError: it can't be made.
    """
    try:
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ConfigError(f"the folder {file.parent} can't be made: {error.strerror}") from None
