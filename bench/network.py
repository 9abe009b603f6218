"""What the reader's names and the network of what is stated give by themselves, without a parse and
without rules.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from factbook.extract.local import ReaderNames
from factbook.extract.local.passages import passages
from factbook.extract.local.stated.decode import Mention
from factbook.extract.local.stated.network import Asked, StatedModel
from factbook.model.episode import Episode
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF
from factbook.ports.models import ExtractionContext
from factbook.reader.reading_model import shared_reader

CONTEXT = ExtractionContext(kinds={kind.id: kind for kind in BUILT_IN})
BATCH = 32

Row = dict[str, Any]


def network(model: Path | None) -> StatedModel:
    """The network of a file, or the installed one."""
    if model is None:
        return StatedModel()
    return StatedModel(model=model, sha256=hashlib.sha256(model.read_bytes()).hexdigest())


def beside(by: str, model: Path | None) -> StatedModel | Literal["none"] | None:
    """What reads beside the rules: none for `rules` alone, the network of a file, or the
    extractor's own choice.
    """
    return "none" if by == "rules" else None if model is None else network(model)


def by_network(stated: StatedModel, episodes: Sequence[Episode]) -> Iterator[Row]:
    """Of each episode, in the form of answers: `entities`, `relations`, `facts`, `statements`,
    `kinds` and `ms`.
    """
    for first in range(0, len(episodes), BATCH):
        began = time.process_time()
        made = [_found(stated, episode) for episode in episodes[first : first + BATCH]]
        ms = 1000 * (time.process_time() - began) / len(made)
        yield from (row | {"ms": round(ms, 3)} for row in made)


def _found(stated: StatedModel, episode: Episode) -> Row:
    texts = [passage.text for message in episode.messages for passage in passages(message)]
    readings = shared_reader().read_texts(texts)
    found = ReaderNames().find(texts, readings, CONTEXT)
    asked = [
        Asked(text, reading, [(name.start, name.end, name.kind) for name in each.names])
        for text, reading, each in zip(texts, readings, found, strict=True)
    ]
    row: Row = {"id": episode.id, "entities": [], "relations": [], "facts": [], "statements": []}
    row["entities"] = [
        {"name": name.text, "type": name.kind} for each in found for name in each.names
    ]
    for one, windows in zip(asked, stated.read(asked), strict=True):
        for judged in windows:
            for said in judged.said:
                left, right = _end(one.text, said.left), _end(one.text, said.right)
                if said.label.startswith("."):
                    row["facts"].append({"of": left, "attribute": said.label[1:], "value": right})
                else:
                    row["relations"].append({"from": left, "label": said.label, "to": right})
            row["statements"] += [told.kind for told in judged.noticed]
    row["kinds"] = sorted({each["type"] for each in row["entities"]} | set(row["statements"]))
    return row


def _end(text: str, mention: Mention) -> str:
    return SELF if mention.kind == SELF else " ".join(text[mention.start : mention.stop].split())


def answers(row: Mapping[str, Any], statements: Mapping[str, str]) -> Row:
    """A row with its statements called as the answers call them."""
    return {**row, "statements": [statements[kind] for kind in row["statements"]]}
