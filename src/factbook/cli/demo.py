"""The command that shows what all this is about: a conversation learned, questions answered, a
value that changed.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from factbook.cli import say
from factbook.cli.asking import print_entities, print_links
from factbook.cli.feeding import Fed, feed
from factbook.cli.learning import Tally, kinds_of, learn, print_jobs_left, print_learned
from factbook.cli.options import Json, opened
from factbook.cli.recalling import explain_recollection
from factbook.errors import ConfigError

if TYPE_CHECKING:
    from factbook.memory.memory import Memory
    from factbook.model.entity import Entity
    from factbook.model.line import Recollection
    from factbook.model.record import Source

QUESTIONS = ("Who leads Project Atlas?", "When is the Atlas deadline?", "Who has a food allergy?")
BUDGET = 200
_SHOWN = 12


def demo(
    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            metavar="FILE",
            help="A new file for it; without it one in the temporary folder.",
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Learn a shipped conversation into a new file, show what is found, and ask it three
    questions.
    """
    from factbook.extract.local import is_installed

    file = Path(db) if db else Path(tempfile.mkdtemp(prefix="factbook-demo-")) / "demo.db"
    if file.exists():
        raise ConfigError(f"{file} is there already; the demo wants a new file")
    tally = Tally()
    extractor = "local" if is_installed() else "auto"
    with opened(str(file), "default", new=True, extractor=extractor, observers=[tally]) as memory:
        fed = Fed()
        with (files("factbook.cli") / "demo.jsonl").open("rb") as stream:
            feed(
                memory,
                stream,
                "demo.jsonl",
                fed=fed,
                session=None,
                force=False,
                project="",
                tell=lambda _offset: None,
            )
        if json:
            _as_json(memory, fed, tally, file)
            return
        say.line(
            f"A conversation of {say.count(fed.read, 'message')}: Ada and her colleagues, February to June 2026.\n"
        )
        learn(memory, fed.stored)
        print_learned(tally.found, kinds_of(memory) - Counter[str]())
        print_jobs_left(memory.jobs(("waiting", "failed")))
        _tables(memory)
        for question in QUESTIONS:
            _ask(memory, question)
        _changed(memory)
    _what_next(file)


def _heading(text: str) -> None:
    say.line("\n", (text, "bold underline"))


def _tables(memory: Memory) -> None:
    entities = sorted(memory.entities(), key=lambda each: -each.mentions)
    if entities:
        _heading("Who and what was talked about")
        print_entities(entities[:_SHOWN], [say.when(each.last_seen) for each in entities])
        _more(len(entities), "factbook list")
    links = [link for link in memory.relations() if link.state == "current"]
    if links:
        _heading("How they relate")
        print_links(links[:_SHOWN])
        _more(len(links), "factbook relations")


def _more(number: int, command: str) -> None:
    if number > _SHOWN:
        say.line((f"… {number - _SHOWN} more: {command}", "dim"))


def _ask(memory: Memory, question: str) -> None:
    _heading(question)
    explain_recollection(memory.recall(question, BUDGET), near=False)


def _changed(memory: Memory) -> None:
    """What held once and holds no longer, with the words both rest on."""
    rows = [row for entity in memory.entities(include_self=True) for row in _changes(entity)]
    if not rows:
        return
    _heading("What changed over time, and who said so")
    say.show(
        say.table(
            ("what", "value", "when", "source"),
            rows[:_SHOWN],
            styles={"what": "bold", "when": "cyan", "source": "dim"},
            heading=False,
            rest="source",
        )
    )


def _changes(entity: Entity) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = []
    for attribute in dict.fromkeys(
        each.attribute for each in entity.facts if each.state == "superseded"
    ):
        values = sorted(
            (
                each
                for each in entity.facts
                if each.attribute == attribute and each.state != "retracted"
            ),
            key=lambda each: (each.valid_at is not None, each.valid_at),
        )
        for number, each in enumerate(values):
            what = f"{say.clean(entity.name)}: {attribute.replace('_', ' ')}" if not number else ""
            rows.append((what, say.clean(each.value), say.span(each.fact), _words(each.source)))
    for link in entity.links:
        if link.state == "superseded" and link.from_id == entity.id:
            what = f"{say.clean(entity.name)} {link.label.replace('_', ' ')}"
            rows.append(
                (what, say.who(link.to_name), say.span(link.relation), _words(link.relation.source))
            )
    return rows


def _words(source: Source) -> str:
    return f"{say.who(source.speaker)}: “{say.clean(source.quote)}”" if source.quote else ""


def _what_next(file: Path) -> None:
    _heading("What next")
    option = f"--db {file}"
    say.line(f"The memory is one file: {say.path(file)} ({say.size(file.stat().st_size)}). Try:")
    for command in (
        "show 'Priya Raman'",
        "recall 'who is allergic?' --budget 100",
        "history Atlas",
    ):
        say.line("  factbook ", (command, "bold"), f" {option}")
    say.line(
        "With your own words: ",
        ("factbook remember FILE", "bold"),
        ", and all commands: factbook --help",
    )


def _as_json(memory: Memory, fed: Fed, tally: Tally, file: Path) -> None:
    memory.wait(raises=False)
    answers: list[Recollection] = [memory.recall(question, BUDGET) for question in QUESTIONS]
    say.as_json(
        {
            "file": str(file),
            "messages": fed.read,
            "learned": tally.found,
            "entities": memory.entities(),
            "relations": memory.relations(),
            "answers": answers,
        }
    )
