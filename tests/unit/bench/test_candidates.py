"""The bench of candidates, over a small file."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from bench import candidates
from bench.candidates import CORRUPTIONS, Names, corrupted, main


@pytest.fixture(scope="module")
def names() -> Names:
    return Names(3)


def test_names_are_the_same_every_time_and_of_three_kinds(names: Names) -> None:
    made = [names.of(3, number) for number in range(200)]
    again = Names(3)
    assert made == [again.of(3, number) for number in range(200)]
    assert {kind for _, kind in made} == {"person", "organization", "project"}


@pytest.mark.parametrize("sort", CORRUPTIONS)
def test_every_corruption_changes_a_name(
    sort: str, names: Names, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "CORRUPTIONS", {sort: CORRUPTIONS[sort]})
    done, wanted, spelt = corrupted(random.Random(1), names, 300)
    assert done == sort
    assert spelt != names.of(candidates.SEED, int(wanted[1:]))[0]


def test_a_small_file_keeps_the_bars_and_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(candidates, "QUESTIONS", 60)
    asked = ["--entities", "300", "--db", str(tmp_path / "c.db"), "--json"]
    main(asked)
    first = json.loads(capsys.readouterr().out)
    assert first["bars"][0]["value"] > 0.9
    assert "indexing names" in str(first["tables"]["Cost"])
    main(asked)
    assert "indexing names" not in str(json.loads(capsys.readouterr().out)["tables"]["Cost"])
    with pytest.raises(SystemExit, match="holds 300 entities"):
        main(["--entities", "200", "--db", str(tmp_path / "c.db")])
