"""Builds what a release uploads and checks it. It uploads nothing: `make release`."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.markdown import Markdown

ROOT: Final = Path(__file__).parents[1]
DIST: Final = ROOT / "dist"
FOLDERS: Final = (ROOT / "packages" / "factbook-reader", ROOT)
"""In the order of uploading: an extra of the second needs the first."""

STAND_IN: Final = "example.org"
"""The host of the addresses in pyproject.toml until the repository has one of its own."""

_HEADING = re.compile(r"^## \[([^\]]+)\]", re.MULTILINE)
_RELATIVE_LINK = re.compile(r"\]\((?!https?://|#)[^)\s]+\)")
_MOST_RELATIVE_LINKS: Final = 8


@dataclass(frozen=True, kw_only=True)
class Project:
    """A project of the repository, as its pyproject.toml declares it."""

    folder: Path
    name: str
    version: str
    license: str

    @property
    def module(self) -> str:
        return self.name.replace("-", "_")

    @property
    def info(self) -> str:
        """The folder of the metadata in the wheel."""
        return f"{self.module}-{self.version}.dist-info"


def read_project(folder: Path) -> Project:
    """Returns the project whose pyproject.toml is in `folder`."""
    declared = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return Project(
        folder=folder,
        name=declared["name"],
        version=declared["version"],
        license=declared["license"],
    )


def main() -> int:
    """Builds, prints each fault and the files to upload, and returns the exit status."""
    built: list[Path] = []
    faults: list[str] = []
    for project in map(read_project, FOLDERS):
        files = build_project(project)
        built += files
        faults += find_wheel_faults(project, files[-1])
        faults += find_source_faults(project)
    return report_release(built, [*faults, *find_repository_faults(ROOT)])


def build_project(project: Project) -> list[Path]:
    """Returns the source archive and the wheel of a project, built without network."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "hatchling", "build", "--directory", folder]
        subprocess.run(command, cwd=project.folder, check=True, stdout=subprocess.DEVNULL)
        DIST.mkdir(exist_ok=True)
        files = sorted(Path(folder).iterdir(), key=lambda path: path.suffix == ".whl")
        return [Path(shutil.move(path, DIST / path.name)) for path in files]


def report_release(built: Sequence[Path], faults: Sequence[str]) -> int:
    """Prints the faults and the files in the order of uploading; returns the exit status."""
    for fault in faults:
        print(f"release: {fault}", file=sys.stderr)
    state = "once that is mended, these" if faults else "both wheels are sound; these"
    print(f"release: {state} would be uploaded, in this order (nothing was uploaded):")
    for path in built:
        print(f"  {path.parent.name}/{path.name}  {path.stat().st_size / 1e6:.1f} MB")
    return 1 if faults else 0


def find_wheel_faults(project: Project, wheel: Path) -> Iterator[str]:
    """Yields each lack of a wheel as one sentence."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        faults = list(_find_file_faults(project, names))
        if f"{project.info}/METADATA" in names:
            metadata = message_from_bytes(archive.read(f"{project.info}/METADATA"))
            faults += _find_metadata_faults(project, metadata)
    yield from (f"{wheel.name}: {fault}" for fault in faults)


def _find_file_faults(project: Project, names: Sequence[str]) -> Iterator[str]:
    wanted = [f"{project.info}/{name}" for name in ("METADATA", "licenses/LICENSE")]
    for name in [*_list_tracked_files(project), *wanted]:
        if name not in names:
            yield f"lacks {name}"
    for name in names:
        if not name.startswith((f"{project.module}/", f"{project.info}/")):
            yield f"holds {name}, which doesn't belong there"


def _list_tracked_files(project: Project) -> list[str]:
    command = ["git", "ls-files", f"src/{project.module}"]
    ran = subprocess.run(command, cwd=project.folder, check=True, capture_output=True, text=True)
    return [line.removeprefix("src/") for line in ran.stdout.splitlines()]


def _find_metadata_faults(project: Project, metadata: Message) -> Iterator[str]:
    declared = {
        "Name": project.name,
        "Version": project.version,
        "License-Expression": project.license,
        "Description-Content-Type": "text/markdown",
    }
    for field, value in declared.items():
        if metadata[field] != value:
            yield f"its {field} is {metadata[field]}, not {value}"
    for field in ("Summary", "Requires-Python"):
        if not metadata[field]:
            yield f"its {field} is missing"
    payload = metadata.get_payload(decode=True)
    assert isinstance(payload, bytes)
    yield from _find_readme_faults(payload.decode("utf-8"))


def _find_readme_faults(readme: str) -> Iterator[str]:
    console = Console(file=io.StringIO(), width=100)
    with console.capture() as captured:
        console.print(Markdown(readme))
    if not captured.get().strip():
        yield "its README is empty"
    links = _RELATIVE_LINK.findall(readme)
    if len(links) > _MOST_RELATIVE_LINKS:
        yield f"its README has {len(links)} relative links, which lead nowhere on an index"


def find_source_faults(project: Project) -> Iterator[str]:
    """Yields a sentence if the module says another version than pyproject.toml."""
    source = project.folder / "src" / project.module / "__init__.py"
    said = re.search(r'^__version__ = "(.*)"$', source.read_text(encoding="utf-8"), re.MULTILINE)
    if said and said[1] != project.version:
        yield f"{project.module}.__version__ is {said[1]}, pyproject.toml says {project.version}"


def find_repository_faults(root: Path) -> Iterator[str]:
    """Yields what the changelog, the addresses and the working tree still lack."""
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    yield from find_changelog_faults(changelog, read_project(root).version)
    if STAND_IN in (root / "pyproject.toml").read_text(encoding="utf-8"):
        yield f"pyproject.toml names the stand-in host {STAND_IN}: put the repository's there"
    yield from find_tree_faults(root)


def find_changelog_faults(changelog: str, version: str) -> Iterator[str]:
    """Yields a sentence if the newest heading with a version names another one, or there is none."""
    headings = [name for name in _HEADING.findall(changelog) if name != "Unreleased"]
    if not headings:
        yield f"CHANGELOG.md has no heading of a version: write '## [{version}] - YYYY-MM-DD'"
    elif headings[0] != version:
        yield f"CHANGELOG.md's newest version is {headings[0]}, pyproject.toml says {version}"


def find_tree_faults(root: Path) -> Iterator[str]:
    """Yields a sentence if git knows of changes that are not committed."""
    command = ["git", "status", "--porcelain"]
    status = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    if changed := status.stdout.splitlines():
        yield f"not committed: {', '.join(line[3:] for line in changed[:5])} ({len(changed)} in all)"


if __name__ == "__main__":
    sys.exit(main())
