"""A folder as one blob and back, in the form in which selectools' backends keep it."""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path, PurePosixPath
from typing import Any, cast

from factbook.errors import InputError

_VERSION = 1
_LEFT_OUT = (".tmp", ".lock")
_STRANGE_SIGNS = frozenset("\\:\0")
_ASIDE = re.compile(r"\.(\d+)\.tmp$")


def pack_folder(folder: Path) -> bytes:
    """Every file under the folder, by its path in it."""
    files: dict[str, dict[str, str]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and not path.name.endswith(_LEFT_OUT):
            files[path.relative_to(folder).as_posix()] = _pack_file(path.read_bytes())
    return json.dumps({"version": _VERSION, "files": files}, ensure_ascii=False).encode()


def _pack_file(raw: bytes) -> dict[str, str]:
    try:
        return {"encoding": "utf-8", "content": raw.decode()}
    except UnicodeDecodeError:
        return {"encoding": "base64", "content": base64.b64encode(raw).decode("ascii")}


def unpack_folder(folder: Path, blob: bytes) -> None:
    """Writes the files of a blob into the folder; nothing is written unless all of it can be read.

    Raises:
        InputError: the blob is damaged, or names a file outside the folder.
    """
    try:
        files = cast(dict[str, Any], json.loads(blob)["files"])
        found = {_path_inside(folder, name): _unpack_file(entry) for name, entry in files.items()}
    except InputError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(
            "the backend's snapshot can't be read; mend or remove it there: nothing was loaded, "
            "nor will it be replaced"
        ) from None
    _sweep_leftovers(folder)
    for path, raw in found.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        new.write_bytes(raw)
        new.replace(path)


def _sweep_leftovers(folder: Path) -> None:
    """Removes what processes left that were killed while they unpacked."""
    for path in folder.rglob("*.tmp"):
        found = _ASIDE.search(path.name)
        if found and not _is_running(int(found.group(1))):
            path.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _path_inside(folder: Path, name: str) -> Path:
    parts = PurePosixPath(name)
    strange = not _STRANGE_SIGNS.isdisjoint(name) or ".." in parts.parts
    if strange or parts.is_absolute() or not parts.parts:
        raise InputError(
            "the backend's snapshot names a file outside its folder; nothing was loaded"
        )
    return folder.joinpath(*parts.parts)


def _unpack_file(entry: dict[str, str]) -> bytes:
    if entry["encoding"] == "utf-8":
        return entry["content"].encode()
    if entry["encoding"] == "base64":
        return base64.b64decode(entry["content"], validate=True)
    raise ValueError("an encoding that is not known")
