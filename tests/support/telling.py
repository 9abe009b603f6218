"""A language so plain that its extractor never errs: for tests of what becomes of statements.

A message is made of parts with ` ; ` between them, each about a person of a whole name:

- `Ada Stone / city / Porto`: an attribute's value; `Ada Stone > works_at > Acme Works`: a link to
  an organization; `Ada Stone >> sibling_of >> Bela Kurz`: to a person.
- before it `not` (it holds no longer) or `never` (it never did), after it `since 2020-03` and
  `until 2021-06`.
- `Ada Stone` alone names her.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from factbook.model.draft import Draft, DraftEntity, DraftFact, DraftMention, DraftRelation
from factbook.model.episode import Episode, StoredMessage
from factbook.ports.models import ExtractionContext

_PART = re.compile(
    r"(?:(?P<denial>not|never) )?(?P<subject>[^/>;]+?)(?: (?P<mark>/|>>?) (?P<label>\w+) (?P=mark) (?P<value>[^;]*?))?"
    r"(?: since (?P<since>\d{4}-\d\d))?(?: until (?P<until>\d{4}-\d\d))?"
)


class Telling:
    """The extractor of that language."""

    name = "telling/1"
    reads_fitting = False

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        return [_draft(episode) for episode in episodes]


def _draft(episode: Episode) -> Draft:
    entities: dict[str, DraftEntity] = {}
    facts: list[DraftFact] = []
    relations: list[DraftRelation] = []
    for message in episode.messages:
        for text in message.text.split(" ; "):
            found = _PART.fullmatch(text)
            if found is None:
                continue
            _name(found["subject"], "person", message, entities)
            said: dict[str, Any] = {
                "message_id": message.id,
                "quote": text,
                "valid_at": _month(found["since"]),
                "invalid_at": _month(found["until"]),
                "grain": "month" if found["since"] or found["until"] else "instant",
                "retracts": found["denial"] is not None,
                "never": found["denial"] == "never",
            }
            if found["mark"] == "/":
                facts.append(
                    DraftFact(
                        ref=found["subject"], attribute=found["label"], value=found["value"], **said
                    )
                )
            elif found["mark"]:
                _name(
                    found["value"],
                    "organization" if found["mark"] == ">" else "person",
                    message,
                    entities,
                )
                relations.append(
                    DraftRelation(
                        from_ref=found["subject"],
                        label=found["label"],
                        to_ref=found["value"],
                        **said,
                    )
                )
    return Draft(
        episode_id=episode.id,
        extractor=Telling.name,
        entities=tuple(entities.values()),
        facts=tuple(facts),
        relations=tuple(relations),
    )


def _name(name: str, kind: str, message: StoredMessage, entities: dict[str, DraftEntity]) -> None:
    start = message.text.index(name)
    mention = DraftMention(message_id=message.id, start=start, end=start + len(name), text=name)
    known = entities.get(name)
    mentions = (*known.mentions, mention) if known else (mention,)
    entities[name] = DraftEntity(
        ref=name, name=name, kind=kind, mentions=tuple(dict.fromkeys(mentions))
    )


def _month(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(f"{text}-01").replace(tzinfo=UTC)
