"""The bench of questions understood, on its own made-up world."""

from __future__ import annotations

import json

import pytest

from bench import understanding


@pytest.mark.parametrize("half", ["seen", "aside"])
def test_enough_questions_are_understood(half: str) -> None:
    asked = [each for each in understanding.questions() if each["half"] == half]
    assert len(asked) == 51
    results, ms = understanding.ask(asked)
    assert len(ms) == len(asked)
    wrong = [question["q"] for question, _, right in results if not all(right.values())]
    assert len(wrong) <= len(asked) * (1 - understanding.LEAST[half]), wrong


def test_it_prints_what_was_misunderstood_and_misses_its_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(understanding, "MOST_MS", 1e9)
    wrong = {"half": "seen", "q": "where is Tom?", "names": ["alice"], "kinds": ["place"]}
    monkeypatch.setattr(understanding, "questions", lambda: [wrong])
    assert understanding.main(["--half", "seen", "--wrong", "--json"]) == 1
    told, _, figures = capsys.readouterr().out.partition("wanted")
    assert "seen names: where is Tom?" in told
    assert json.loads(
        figures[figures.index("{\n") :] if "{\n" in figures else figures[figures.index('{"') :]
    )


def test_it_keeps_its_bar(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(understanding, "MOST_MS", 1e9)
    right = {"half": "aside", "q": "where is Tom?", "names": ["tom"], "kinds": ["place"]}
    monkeypatch.setattr(understanding, "questions", lambda: [right, {**right, "half": "seen"}])
    assert understanding.main([]) == 0
    assert "bars kept" in capsys.readouterr().out
