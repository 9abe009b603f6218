"""The bench of records: what it reads, writes and counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.febrl import main, read

ROWS = """\
rec_id, given_name, surname, date_of_birth, soc_sec_id
rec-1-org, ana, silva, 19800402, 5437911
rec-2-org, rui, costa, 19750131, 1129004
rec-1-dup-0, anna, silva, 19800402, 5437911
rec-3-org, , , ,
"""


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.csv"
    path.write_text(ROWS)
    return path


def test_the_id_of_a_record_is_not_read(records: Path) -> None:
    assert read(records)[0] == {
        "given_name": ("ana",),
        "surname": ("silva",),
        "date_of_birth": ("19800402",),
        "soc_sec_id": ("5437911",),
    }
    assert read(records)[3] == {}


def test_pairs_are_written_as_row_numbers(
    records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, gold = records.with_name("pairs.tsv"), records.with_name("gold.tsv")
    gold.write_text("2\t0\n")
    assert main(["--records", str(records), "--out", str(out), "--gold", str(gold)]) == 0
    assert out.read_text() == "0\t2\n"
    assert "pair F1 1" in capsys.readouterr().out


def test_a_missed_pair_misses_the_bar(records: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, gold = records.with_name("pairs.tsv"), records.with_name("gold.tsv")
    gold.write_text("0\t2\n1\t3\n")
    assert main(["--records", str(records), "--out", str(out), "--gold", str(gold), "--json"]) == 1
    assert '"kept": false' in capsys.readouterr().out


def test_a_file_without_records_is_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty.csv").write_text("")
    assert main(["--records", str(tmp_path / "empty.csv"), "--out", str(tmp_path / "out")]) == 2
    assert "holds no records" in capsys.readouterr().err
