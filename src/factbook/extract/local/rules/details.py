"""What a statement says of itself, by document 002's schemas: whom it affects, how bad it is, what
it is about.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from factbook.extract.local.rules.weight import sentence_text
from factbook.extract.local.scene import Scene, Statement


def details(scene: Scene, statement: Statement) -> Mapping[str, str]:
    """The metadata of a statement, with what its sentence gives beside."""
    text = " ".join(scene.said(statement.start, statement.stop).split())
    around = sentence_text(scene, statement)
    out = dict(statement.metadata)
    match statement.kind:
        case "decision":
            out |= _given(
                {"affected_entities": _named(scene, statement), "reversible": _reversible(around)}
            )
        case "preference":
            out |= _given({"category": category(text), "confidence": f"{statement.importance:g}"})
        case "pain_point":
            campaigns = _named(scene, statement, "campaign")
            out |= _given(
                {
                    "severity": severity(around),
                    "frequency": frequency(around),
                    "related_campaigns": campaigns,
                }
            )
        case _:
            pass
    return out


def _given(found: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in found.items() if value}


def _named(scene: Scene, statement: Statement, kind: str = "") -> str:
    """The names in a statement, apart by commas."""
    names: list[str] = []
    for name in scene.names:
        start, stop = scene.characters(name.start, name.end)
        if (
            statement.start <= start
            and stop <= statement.stop
            and kind in {"", name.kind}
            and name.kind != "metric"
        ):
            names.append(" ".join(scene.said(start, stop).split()))
    return ", ".join(dict.fromkeys(names))


_FOR_GOOD = re.compile(
    r"\b(?:final|irreversible|for good|no going back|permanently|no way back)\b", re.IGNORECASE
)
_FOR_NOW = re.compile(r"\b(?:for now|for the time being|tentatively|provisionally|reversible|as a trial|trial run|on trial)\b", re.IGNORECASE)  # fmt: skip


def _reversible(text: str) -> str:
    return "true" if _FOR_NOW.search(text) else "false" if _FOR_GOOD.search(text) else ""


_ABOUT = {
    "reporting": "report reports reporting summary summaries dashboard dashboards recap digest update updates newsletter",
    "analysis": """analysis analyses detail details detailed data numbers figures chart charts graph graphs source sources
        depth evidence breakdown statistics""",
    "risk": "risk risks risky safe safer conservative cautious aggressive bold",
    "communication": """answer answers reply replies email emails mail mails call calls message messages text texts chat
        meeting meetings phone tone language english german french spanish emoji emojis bullet bullets short brief briefly
        concise formal informal casual explain write tell contact slack teams zoom video paragraphs jargon markdown""",
}
_CATEGORY = {word: kind for kind, words in _ABOUT.items() for word in words.split()}


def category(text: str) -> str:
    """What a preference is about, of document 002's four categories; empty for another."""
    words = re.findall(r"[a-z]+", text.lower())
    return next((_CATEGORY[word] for word in words if word in _CATEGORY), "")


def severity(text: str) -> str:
    """`low`, `medium` or `high`, as document 002 has it, by the words of the complaint."""
    if _SEVERE.search(text):
        return "high"
    return "low" if _MILD.search(text) else "medium"


_SEVERE = re.compile(
    r"!|\b(?:nightmare|disaster|unbearable|unacceptable|unusable|killing|hates?|dread|furious|never again|had it|had enough|"
    r"sick of|tired of|fed up|crazy|mad|nuts|insane|can't (?:work|get)|cant get|blocked|blocking|critical|urgent|constantly|every|"
    r"all the time|third time|ridiculous|infuriating|lost|loses|awful|terrible|horrible)\b",
    re.IGNORECASE,
)
_MILD = re.compile(r"\b(?:a bit|a little|slightly|somewhat|minor|kind of|kinda|sort of|occasionally|sometimes)\b", re.IGNORECASE)  # fmt: skip
_TIMES = {
    "twice": "2",
    "second time": "2",
    "three times": "3",
    "third time": "3",
    "fourth time": "4",
    "fifth time": "5",
}


def frequency(text: str) -> str:
    """How often it is said to have happened; empty if that isn't said."""
    lower = text.lower()
    return next((count for said, count in _TIMES.items() if said in lower), "")
