"""What the network finds in texts with answers, by names that are given."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from factbook.extract.local.stated.decode import BEGINS, stretches
from factbook.model.relations import is_symmetric
from training import model, stated, stated_model
from training.examples import Example, Span
from training.stated_items import Item, Pair, Pairs, batch_of, pairs_of


def margins(net: stated_model.Stated, parts: Tensor, pairs: Pairs) -> Tensor:
    """By how much each label is likelier than none, for each pair of parties: (pairs, labels)."""
    flat = parts.reshape(-1, parts.shape[-1])
    ends = [flat[side].mean(dim=1) for side in (pairs.left, pairs.right)]
    scores = net.pairs(ends[0], ends[1], pairs.places).float()
    over = scores[:, :-1] - scores[:, -1:]
    count = len(pairs.parties)
    index = pairs.group[:, None].expand_as(over)
    most = torch.full((count, over.shape[1]), -1e9).scatter_reduce(0, index, over.detach(), "amax")
    total = torch.zeros(count, over.shape[1]).scatter_add(
        0, index, (over - most[pairs.group]).exp()
    )
    return total.clamp_min(1e-9).log() + most


@torch.no_grad()
def judged(
    reader: model.Reader, net: stated_model.Stated, items: Sequence[Item]
) -> list[tuple[dict[Pair, np.ndarray], np.ndarray]]:
    """Of each item the margins of its pairs of parties, with the plain words that the network
    marks, and its statements.
    """
    net.eval()
    out: list[tuple[dict[Pair, np.ndarray], np.ndarray]] = []
    for first in range(0, len(items), 24):
        batch = batch_of(list(items[first : first + 24]))
        with torch.autocast("cpu", torch.bfloat16):
            parts = net(
                stated_model.states_of(reader, batch.ids, batch.mask, batch.shapes),
                batch.mask,
                batch.marks,
            )
        words = parts.float()[batch.rows, batch.firsts].numpy()[:, 4 * stated_model.PAIR :]
        marked, held, at = [], [], 0
        for item in batch.items:
            mine = words[at : at + len(item.spans)]
            at += len(item.spans)
            marked.append(stretches(mine[:, : stated_model.WORD_TAGS], BEGINS))
            held.append(np.logaddexp.reduce(mine[:, stated_model.WORD_TAGS :], axis=0))
        pairs = pairs_of(batch.items, batch.ids.shape[1], marked)
        over = margins(net, parts.float(), pairs).numpy()
        by_row: list[dict[Pair, np.ndarray]] = [{} for _ in batch.items]
        for (row, one, other), each in zip(pairs.parties, over, strict=True):
            by_row[row][one, other] = each
        out += list(zip(by_row, held, strict=True))
    return out


def scores(
    items: Sequence[Item],
    made: Sequence[tuple[dict[Pair, np.ndarray], np.ndarray]],
    names: Sequence[str],
    over: float = 0.0,
) -> dict[str, tuple[float, float, float]]:
    """Precision, recall and F1 of relations, facts and statements."""
    count: dict[str, Counter[str]] = {
        "relations": Counter(),
        "facts": Counter(),
        "statements": Counter(),
    }
    for item, (pairs, held) in zip(items, made, strict=True):
        got = {
            _once(one, names[at], other)
            for (one, other), each in pairs.items()
            for at in np.flatnonzero(each > over)
        }
        gold = {
            _once(one, label, other) for (one, other), those in item.gold.items() for label in those
        }
        for what, dotted in (("relations", False), ("facts", True)):
            found = {each for each in got if each[1].startswith(".") == dotted}
            right = {each for each in gold if each[1].startswith(".") == dotted}
            count[what].update(found=len(found), there=len(right), hit=len(found & right))
        if item.statements is not None:
            told = {kind for kind, each in zip(stated.STATEMENTS, held, strict=True) if each > 0}
            count["statements"].update(
                found=len(told), there=len(item.statements), hit=len(told & item.statements)
            )
    return {
        what: (
            round(each["hit"] / max(1, each["found"]), 3),
            round(each["hit"] / max(1, each["there"]), 3),
            round(2 * each["hit"] / max(1, each["found"] + each["there"]), 3),
        )
        for what, each in count.items()
    }


def _once(one: str, label: str, other: str) -> tuple[str, str, str]:
    return (other, label, one) if is_symmetric(label) and one > other else (one, label, other)


def development(path: Path) -> Iterable[stated.Stated]:
    """The texts of a set of `bench/answers`."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text = row["text"]
        spans: list[Span] = []
        for each in sorted(row["entities"], key=lambda each: -len(each["name"])):
            start = 0
            while (found := stated.find(each["name"], text, start)) is not None:
                start = found[1]
                if not any(found[0] < span.end and found[1] > span.start for span in spans):
                    spans.append(Span(*found, (each["type"],)))
        spans.sort(key=lambda span: span.start)
        says = [(each["from"], each["label"], each["to"]) for each in row["relations"]]
        says += [(each["of"], "." + each["attribute"], each["value"]) for each in row["facts"]]
        yield stated.Stated(
            Example(text, tuple(spans), frozenset(), path.stem),
            tuple(says),
            frozenset(row["statements"]),
        )
