"""What a memory says of such a file, as JSON: the facts about it that no later version may change.

Left out is what later versions may better: scores, the order of lines, the words of a history's
entry.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from factbook import Memory
from factbook.model.change import Change
from factbook.model.record import SELF

SPACES = ("ada", "tom", "gone", "default")
QUESTIONS = {
    "ada": (
        "where does Ana Silva live?",
        "where does Ana Silva work?",
        "when is the deadline of Project Rivet?",
        "what does the old lady look like?",
        "what do the rivets cost?",
        "who runs the bakery?",
        "harbour office hours",
    ),
    "tom": ("where does Ana Silva live?", "what is noted on Porto?", "Fair of Saint Brice"),
    "gone": ("where does Ana Silva live?",),
}
PAST = {"ada": ("2026-03-02T09:04", "2026-03-02T09:45"), "tom": ("2026-03-02T12:00",)}


def told(memory: Memory) -> dict[str, Any]:
    """Everything that is recorded, of all spaces."""
    return {space: of_space(memory.within(space)) for space in SPACES}


def of_space(memory: Memory) -> dict[str, Any]:
    """List, history, recall, and what waits."""
    return {
        "entities": entities(memory),
        "then": {moment: entities(memory, moment) for moment in PAST.get(memory.space, ())},
        "notes": {
            each.id: [each.text, each.category, each.importance, each.persistent, _time(each.expires_at)]
            for each in memory.notes(expired=True)
        },
        "notes now": sorted(each.id for each in memory.notes()),
        "conflicts": sorted([each.entity_name, each.attribute, *sorted(each.values)] for each in memory.conflicts()),
        "reviews": sorted([each.id, *sorted((each.left_id, each.right_id))] for each in memory.reviews()),
        "jobs": {job.id: [job.state, job.attempts, job.error.partition(":")[0], job.draft is not None, dict(job.dropped)] for job in memory.jobs()},
        "history": history(memory),
        "recall": recall(memory),
        "counts": {
            name: number for name, number in memory.stats().items() if name in ("messages", "episodes", "commits", "vectors")
        },
    }  # fmt: skip


def entities(memory: Memory, moment: str | None = None) -> dict[str, Any]:
    """Every entity by id, as `list` and `show` have it, now or as the record was."""
    found = memory.entities(include_self=True, recorded_as_of=moment)
    return {
        each.id: {
            "name": each.name,
            "kind": each.entity_type,
            "aliases": sorted(each.aliases),
            "description": each.description,
            "mentions": each.mentions,
            "version": each.version,
            "metadata": dict(each.metadata),
            "facts": sorted(
                [row.attribute, row.value, row.state, row.count, _time(row.valid_at), _time(row.invalid_at), row.quote]
                for row in each.facts
            ),
            "relations": sorted(
                [row.from_name, row.label, row.to_name, row.state, row.count, row.relation.note, _time(row.relation.valid_at)]
                for row in each.links
            ),
        }
        for each in found
        if each.id != SELF
    }  # fmt: skip


def history(memory: Memory) -> list[list[Any]]:
    """Every entry of the log, the latest first: which, when, by whom, what, whether it is taken
    back; and its rows.
    """
    return [
        [
            each.version,
            each.commit.stamp.verb,
            each.commit.stamp.actor,
            _time(each.commit.stamp.at),
            each.commit.stamp.reason,
            list(each.commit.stamp.undoes),
            each.undone,
            sorted(f"{_mark(change)} {_row(change)}" for change in each.commit.changes),
        ]
        for each in memory.history(limit=1000)
    ]


def _mark(change: Change) -> str:
    return "~" if change.before and change.after else "+" if change.after else "-"


def _row(change: Change) -> str:
    row = change.after or change.before
    return f"{type(row).__name__} {row.id if row else ''}"


def recall(memory: Memory) -> dict[str, list[str]]:
    """The lines that are found, by question, best first."""
    found = {
        question: memory.recall(question, budget=4000)
        for question in QUESTIONS.get(memory.space, ())
    }
    return {
        question: [f"{line.kind} {line.id}" for line in each.lines]
        for question, each in found.items()
    }


def after_undoing(memory: Memory) -> dict[str, Any]:
    """What undoing takes back and leaves, in a space of this history: the latest, one of the
    middle, one with `cascade`.
    """
    ada = memory.within("ada")
    steps: dict[str, Any] = {}
    for name, version, cascade in (
        ("latest", None, False),
        ("a merge", 29, True),
        ("first learned", 1, True),
    ):
        planned = ada.foresee_undo(version)
        receipt = ada.undo(version, cascade=cascade)
        steps[name] = {
            "planned": list(planned.versions),
            "made": len(receipt.versions),
            "entities": entities(ada),
            "notes": sorted(each.id for each in ada.notes(expired=True)),
        }
    return steps


def _time(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
