"""A release that lacks something is told so, lack by lack."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from scripts.release import (
    FOLDERS,
    Project,
    find_changelog_faults,
    find_repository_faults,
    find_source_faults,
    find_tree_faults,
    find_wheel_faults,
    read_project,
    report_release,
)

INFO = "lantern-1.2.0.dist-info"
METADATA = """Metadata-Version: 2.4
Name: lantern
Version: 1.2.0
Summary: Lights the way.
Requires-Python: >=3.11
License-Expression: Apache-2.0
Description-Content-Type: text/markdown

# lantern

It lights the way.
"""
WHOLE = {
    "lantern/__init__.py": '__version__ = "1.2.0"\n',
    "lantern/py.typed": "",
    "lantern/data/words.txt": "wick",
    f"{INFO}/METADATA": METADATA,
    f"{INFO}/licenses/LICENSE": "Apache License",
}


DECLARED = """[project]
name = "lantern"
version = "1.2.0"
license = "Apache-2.0"
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "lantern"
    (folder / "src/lantern/data").mkdir(parents=True)
    for name in ("__init__.py", "py.typed", "data/words.txt"):
        (folder / "src/lantern" / name).write_text(WHOLE[f"lantern/{name}"])
    (folder / "pyproject.toml").write_text(DECLARED)
    (folder / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [1.2.0] - 2026-03-02\n")
    for command in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return read_project(folder)


def find_faults(project: Project, files: Mapping[str, str]) -> list[str]:
    wheel = project.folder.parent / "lantern-1.2.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return [fault.removeprefix(f"{wheel.name}: ") for fault in find_wheel_faults(project, wheel)]


def without(name: str) -> dict[str, str]:
    return {each: text for each, text in WHOLE.items() if each != name}


def test_a_whole_wheel_has_no_faults(project: Project) -> None:
    assert find_faults(project, WHOLE) == []


@pytest.mark.parametrize("name", WHOLE)
def test_a_missing_file_is_named(project: Project, name: str) -> None:
    assert find_faults(project, without(name)) == [f"lacks {name}"]


def test_a_file_beside_the_package_is_named(project: Project) -> None:
    assert find_faults(project, {**WHOLE, "tests/test_wick.py": ""}) == [
        "holds tests/test_wick.py, which doesn't belong there"
    ]


@pytest.mark.parametrize(
    ("line", "instead", "fault"),
    [
        ("Name: lantern\n", "Name: lamp\n", "its Name is lamp, not lantern"),
        ("Version: 1.2.0\n", "Version: 1.1.0\n", "its Version is 1.1.0, not 1.2.0"),
        (
            "License-Expression: Apache-2.0\n",
            "",
            "its License-Expression is None, not Apache-2.0",
        ),
        ("Summary: Lights the way.\n", "", "its Summary is missing"),
        (
            "Description-Content-Type: text/markdown\n",
            "",
            "its Description-Content-Type is None, not text/markdown",
        ),
        ("# lantern\n\nIt lights the way.\n", "", "its README is empty"),
        (
            "It lights the way.",
            "[a page](docs/page.md) " * 9,
            "its README has 9 relative links, which lead nowhere on an index",
        ),
    ],
)
def test_broken_metadata_is_told(project: Project, line: str, instead: str, fault: str) -> None:
    metadata = METADATA.replace(line, instead)
    assert find_faults(project, {**WHOLE, f"{INFO}/METADATA": metadata}) == [fault]


@pytest.mark.parametrize(
    ("changelog", "faults"),
    [
        ("## [Unreleased]\n\n## [1.2.0] - 2026-03-02\n\n## [1.1.0] - 2026-01-05\n", []),
        (
            "## [Unreleased]\n",
            ["CHANGELOG.md has no heading of a version: write '## [1.2.0] - YYYY-MM-DD'"],
        ),
        (
            "## [1.1.0] - 2026-01-05\n",
            ["CHANGELOG.md's newest version is 1.1.0, pyproject.toml says 1.2.0"],
        ),
    ],
)
def test_the_changelog_names_the_version(changelog: str, faults: list[str]) -> None:
    assert list(find_changelog_faults(changelog, "1.2.0")) == faults


def test_the_source_names_the_version(project: Project) -> None:
    assert list(find_source_faults(project)) == []
    (project.folder / "src/lantern/__init__.py").write_text('__version__ = "1.1.0"\n')
    assert list(find_source_faults(project)) == [
        "lantern.__version__ is 1.1.0, pyproject.toml says 1.2.0"
    ]


def test_a_change_that_is_not_committed_is_told(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    assert list(find_tree_faults(tmp_path)) == []
    (tmp_path / "wick.txt").write_text("wick")
    assert list(find_tree_faults(tmp_path)) == ["not committed: wick.txt (1 in all)"]


def test_a_stand_in_for_the_repositorys_address_is_told(project: Project) -> None:
    declared = DECLARED + 'urls = { Source = "https://example.org/lantern" }\n'
    (project.folder / "pyproject.toml").write_text(declared)
    assert (
        "pyproject.toml names the stand-in host example.org: put the repository's there"
        in find_repository_faults(project.folder)
    )


def test_faults_are_told_and_nothing_is_uploaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / "dist/lantern-1.2.0-py3-none-any.whl"
    wheel.parent.mkdir()
    wheel.write_bytes(b"0" * 200_000)
    assert report_release([wheel], []) == 0
    assert capsys.readouterr().out == (
        "release: both wheels are sound; these would be uploaded, in this order"
        " (nothing was uploaded):\n  dist/lantern-1.2.0-py3-none-any.whl  0.2 MB\n"
    )
    assert report_release([wheel], ["it lacks a wick"]) == 1
    assert capsys.readouterr().err == "release: it lacks a wick\n"


def test_the_versions_of_this_repository_agree() -> None:
    assert [fault for each in FOLDERS for fault in find_source_faults(read_project(each))] == []
