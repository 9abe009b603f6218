"""Builds what a release uploads and checks it. It uploads nothing: `make release`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.metadata import Metadata

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
PROJECTS = (ROOT / "packages" / "factbook-reader", ROOT)
"""In the order of uploading: an extra of the second needs the first."""

STAND_IN = "example.org"
"""The host of the addresses in pyproject.toml until the repository has one of its own."""


def main() -> int:
    built = [path for project in PROJECTS for path in build(project)]
    wheels = [path for path in built if path.suffix == ".whl"]
    problems = [
        f"{wheel.name}: {problem}"
        for project, wheel in zip(PROJECTS, wheels, strict=True)
        for problem in find_problems(project, wheel)
    ]
    for problem in problems:
        print(f"release: {problem}", file=sys.stderr)
    if problems:
        return 1
    print(
        "release: both wheels are sound; these would be uploaded, in this order (nothing was uploaded):"
    )
    for path in built:
        print(f"  {path.relative_to(ROOT)}  {path.stat().st_size / 1e6:.1f} MB")
    if STAND_IN in (ROOT / "pyproject.toml").read_text(encoding="utf-8"):
        print(f"release: before that, replace the stand-in host {STAND_IN} in pyproject.toml")
    return 0


def build(project: Path) -> list[Path]:
    """Returns the source archive and the wheel of a project, built without network."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "--directory", folder]
        subprocess.run(command, cwd=project, check=True, stdout=subprocess.DEVNULL)
        DIST.mkdir(exist_ok=True)
        files = sorted(Path(folder).iterdir(), key=lambda path: path.suffix == ".whl")
        return [Path(shutil.move(path, DIST / path.name)) for path in files]


def find_problems(project: Path, wheel: Path) -> Iterator[str]:
    declared = tomllib.loads((project / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        folder = next(name.split("/")[0] for name in names if ".dist-info/" in name)
        metadata = Metadata.from_email(
            archive.read(f"{folder}/METADATA")
        )  # raises on what is wrong
    yield from metadata_problems(declared, metadata)
    package = f"{declared['name'].replace('-', '_')}/"
    yield from (f"lacks {file}" for file in missing_files(project, package, names))
    yield from (f"holds {name}" for name in names if not name.startswith((package, folder)))


def metadata_problems(declared: dict[str, Any], metadata: Metadata) -> Iterator[str]:
    if (metadata.name, str(metadata.version)) != (declared["name"], declared["version"]):
        yield f"is {metadata.name} {metadata.version}, declared otherwise"
    if not (metadata.summary and metadata.license_expression and metadata.requires_python):
        yield "its metadata lacks a summary, a license or the versions of Python"
    if metadata.description_content_type != "text/markdown" or not metadata.description:
        yield "its long description is empty, or isn't Markdown"


def missing_files(project: Path, package: str, names: list[str]) -> list[str]:
    """Returns the files under version control that a wheel should hold and doesn't."""
    command = ["git", "ls-files", f"src/{package}"]
    ran = subprocess.run(command, cwd=project, check=True, capture_output=True, text=True)
    tracked = [line.removeprefix("src/") for line in ran.stdout.splitlines()]
    return [name for name in tracked if name not in names]


if __name__ == "__main__":
    sys.exit(main())
