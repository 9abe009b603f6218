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
from factbook.cli.feeding import Fed, feed_file
from factbook.cli.learning import Tally, count_kinds, learn_waiting, print_jobs_left, print_learned
from factbook.cli.options import Json, open_memory
from factbook.cli.recalling import explain_recollection
from factbook.cli.show_and_list import print_entities, print_links
from factbook.errors import ConfigError

if TYPE_CHECKING:
    from factbook.memory.memory import Memory
    from factbook.model.entity import Entity
    from factbook.model.recollection import Recollection
    from factbook.model.source import Source

QUESTIONS = ("Who leads Project Atlas?", "When is the Atlas deadline?", "Who has a food allergy?")
BUDGET = 200
_SHOWN = 12


def run_demo(
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
    with open_memory(
        str(file), "default", new=True, extractor=extractor, observers=[tally]
    ) as memory:
        fed = Fed()
        with (files("factbook.cli") / "demo.jsonl").open("rb") as stream:
            feed_file(
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
        say.print_line(
            f"A conversation of {say.count_noun(fed.read, 'message')}: Ada and her colleagues, "
            "February to June 2026.\n"
        )
        learn_waiting(memory, fed.stored)
        print_learned(tally.found, count_kinds(memory) - Counter[str]())
        print_jobs_left(memory.jobs(("waiting", "failed")))
        _print_tables(memory)
        for question in QUESTIONS:
            _ask_question(memory, question)
        _print_changes(memory)
    _what_next(file)


def _print_heading(text: str) -> None:
    say.print_line("\n", (text, "bold underline"))


def _print_tables(memory: Memory) -> None:
    entities = sorted(memory.entities(), key=lambda each: -each.mentions)
    if entities:
        _print_heading("Who and what was talked about")
        print_entities(entities[:_SHOWN], [say.show_day(each.last_seen) for each in entities])
        _print_more(len(entities), "factbook list")
    links = [link for link in memory.relations() if link.state == "current"]
    if links:
        _print_heading("How they relate")
        print_links(links[:_SHOWN])
        _print_more(len(links), "factbook relations")


def _print_more(number: int, command: str) -> None:
    if number > _SHOWN:
        say.print_line((f"… {number - _SHOWN} more: {command}", "dim"))


def _ask_question(memory: Memory, question: str) -> None:
    _print_heading(question)
    explain_recollection(memory.recall(question, BUDGET), near=False)


def _print_changes(memory: Memory) -> None:
    """Prints superseded values beside current ones, with the words both rest on."""
    rows = [row for entity in memory.entities(include_self=True) for row in _list_changes(entity)]
    if not rows:
        return
    _print_heading("What changed over time, and who said so")
    say.print_drawn(
        say.make_table(
            ("what", "value", "when", "source"),
            rows[:_SHOWN],
            styles={"what": "bold", "when": "cyan", "source": "dim"},
            heading=False,
            rest="source",
        )
    )


def _list_changes(entity: Entity) -> list[Sequence[str]]:
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
            what = (
                f"{say.clean_output(entity.name)}: {attribute.replace('_', ' ')}"
                if not number
                else ""
            )
            rows.append(
                (
                    what,
                    say.clean_output(each.value),
                    say.show_span(each.fact),
                    _quote_source(each.source),
                )
            )
    for link in entity.links:
        if link.state == "superseded" and link.from_id == entity.id:
            what = f"{say.clean_output(entity.name)} {link.label.replace('_', ' ')}"
            rows.append(
                (
                    what,
                    say.show_name(link.to_name),
                    say.show_span(link.relation),
                    _quote_source(link.relation.source),
                )
            )
    return rows


def _quote_source(source: Source) -> str:
    return (
        f"{say.show_name(source.speaker)}: “{say.clean_output(source.quote)}”"
        if source.quote
        else ""
    )


def _what_next(file: Path) -> None:
    _print_heading("What next")
    option = f"--db {file}"
    say.print_line(
        f"The memory is one file: {say.show_path(file)} ({say.show_size(file.stat().st_size)}). "
        "Try:"
    )
    for command in (
        "show 'Priya Raman'",
        "recall 'who is allergic?' --budget 100",
        "history Atlas",
    ):
        say.print_line("  factbook ", (command, "bold"), f" {option}")
    say.print_line(
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
