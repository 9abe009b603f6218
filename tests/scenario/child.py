"""What the crash tests run in a process of its own, to be killed or raced: `python -m
tests.scenario.child ACTION DATABASE NAME COUNT`.

Each finished write is acknowledged by a line on standard output.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from factbook import Memory, Message
from factbook.model.draft import Draft, DraftEntity, DraftFact, DraftMention
from factbook.model.episode import Episode
from factbook.ports.models import ExtractionContext
from tests.support.models import HashEmbedder


class Badges:
    """An extractor for texts like "Ana3 has badge 17": a person and a fact each; says on stdout
    when it is called.
    """

    name = "badges/1"

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        print("extracting", flush=True)
        return [self._draft(episode) for episode in episodes]

    def _draft(self, episode: Episode) -> Draft:
        entities: list[DraftEntity] = []
        facts: list[DraftFact] = []
        for message in episode.messages:
            for found in re.finditer(r"(\w+) has badge (\w+)", message.text):
                ref = found[1].casefold()
                mention = DraftMention(
                    message_id=message.id, start=found.start(1), end=found.end(1), text=found[1]
                )
                entities.append(
                    DraftEntity(ref=ref, name=found[1], kind="person", mentions=(mention,))
                )
                facts.append(
                    DraftFact(
                        ref=ref,
                        attribute="badge",
                        value=found[2],
                        message_id=message.id,
                        quote=found[0],
                    )
                )
        return Draft(
            episode_id=episode.id, extractor=self.name, entities=tuple(entities), facts=tuple(facts)
        )


def main(action: str, database: str, name: str, count: int) -> None:
    """Runs the action."""
    embedder = HashEmbedder(name=name) if action == "embed" else "none"
    memory = Memory.open(
        database, extractor=Badges(), embedder=embedder, background=False, lease_seconds=0.5
    )
    if action == "remember":
        for number in range(count):
            text = f"{name}{number} has badge {number}"
            memory.remember(Message(text, id=f"{name}-{number}"))
            print(f"{name}-{number}", flush=True)
    if action == "put":
        for number in range(count):
            memory.note(f"{name} {number}", category="race")
            print(f"{name}-{number}", flush=True)
    if action == "embed":
        while memory._engine.worker.embed_once():
            print("embedded", flush=True)
    if action == "work":
        memory.work()
    memory.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
