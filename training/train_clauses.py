"""Trains what marks the clauses that are worth keeping, on the states of the installed reader.

    python -m training.train_clauses --out build/clauses

Reads `talk/` without its held-out tenth, of which the figures are told. Four minutes on two cores.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from factbook.extract.local.clauses.decode import Judge, decode
from factbook.extract.local.stated.network import installed
from factbook.reader.reading_model import Reader
from training import clause_model, model
from training.clause_items import Item, Target, batches, items_of, padded, passages_of, varied
from training.observed import HOLDS, MOST_KEEP, SORTS, read_all

VARIANTS = 3
"""Writings of each passage that are read, one a round in turn; the first is as it stands."""
SHARES = (0.3, 0.2, 0.3, 0.2)
"""How much the sort, how it holds, its worth and whom it is about count beside the tags."""
SIZES = (len(SORTS), len(HOLDS), MOST_KEEP, clause_model.ABOUT)
BEGINNING = 2.0
"""How much more the first word of a clause counts than another."""


def loss_of(net: clause_model.Clauses, items: Sequence[Item]) -> Tensor:
    """Of tags and judgements together."""
    parts = net(*padded(items))
    by_item = [parts[row, item.firsts] for row, item in enumerate(items)]
    tags = torch.cat(by_item)[:, : clause_model.TAGS]
    right = torch.tensor([tag for item in items for tag in item.tags])
    loss = nn.functional.cross_entropy(tags, right, weight=torch.tensor([1.0, BEGINNING, 1.0]))
    judged = [
        (clause_model.judge(own, each.first, each.last), each.judged)
        for own, item in zip(by_item, items, strict=True)
        for each in item.targets
    ]
    if judged:
        given = torch.stack([scores for scores, _ in judged]).split(SIZES, dim=1)
        wanted = torch.tensor([truth for _, truth in judged])
        for number, (scores, share) in enumerate(zip(given, SHARES, strict=True)):
            loss = loss + share * nn.functional.cross_entropy(scores, wanted[:, number])
    return loss


def scores(net: clause_model.Clauses, items: Sequence[Item], least: float) -> dict[str, float]:
    """How many clauses are found with half of their words, and how many of those are judged
    right.
    """
    hit = given = wanted = 0
    same = [0, 0, 0]
    judge = Judge(sorts=SORTS, holds=HOLDS, least=least)
    with torch.no_grad():
        for item in items:
            parts = net(*padded([item]))[0, item.firsts].numpy()
            found, free = decode(parts, judge), list(item.targets)
            given, wanted = given + len(found), wanted + len(free)
            for each in found:
                best = max(free, key=lambda t: _shared(each.first, each.last, t), default=None)
                if best is None or _shared(each.first, each.last, best) < 0.5:
                    continue
                free.remove(best)
                hit += 1
                told = (SORTS.index(each.sort), HOLDS.index(each.holds), each.about)
                for at, (one, other) in enumerate(
                    zip(told, (*best.judged[:2], best.judged[3]), strict=True)
                ):
                    same[at] += one == other
    names = ("sort", "holds", "about")
    return {
        "f1": round(2 * hit / max(given + wanted, 1), 3),
        "precision": round(hit / max(given, 1), 3),
        "recall": round(hit / max(wanted, 1), 3),
        **{name: round(count / max(hit, 1), 3) for name, count in zip(names, same, strict=True)},
    }


def _shared(first: int, last: int, target: Target) -> float:
    common = min(last, target.last) - max(first, target.first) + 1
    return common / (max(last, target.last) - min(first, target.first) + 1)


def main() -> None:
    """Trains, and writes the checkpoint with its figures on the held-out tenth."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--narrow-from", type=float, default=0.6, help="share of the rounds")
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    torch.manual_seed(asked.seed)
    rng = random.Random(asked.seed)
    reader = Reader(threads=asked.threads)
    talks = list(read_all())
    train = [
        each for talk, kept in talks if not talk.is_held_out for each in passages_of(talk, kept)
    ]
    held = [each for talk, kept in talks if talk.is_held_out for each in passages_of(talk, kept)]
    others = [[varied(each, train, rng) for each in train] for _ in range(VARIANTS - 1)]
    variants = [items_of(reader, each) for each in (train, *others)]
    measured = items_of(reader, held)
    print(len(train), "passages,", len(held), "held out", flush=True)
    net = clause_model.from_stated(installed())
    net.drop = asked.dropout
    for layer in net.clauses:
        layer.drop = asked.dropout
    switches = model.narrow_in_training(net.clauses)
    groups = [
        {"params": [*net.clauses.parameters()], "factor": 1.0},
        {"params": [net.shift, *net.parts.parameters()], "factor": 3.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=asked.rate, weight_decay=0.01)
    steps = [len(list(batches(variants[each % VARIANTS], rng))) for each in range(asked.rounds)]
    done, began = 0, time.monotonic()
    for number in range(asked.rounds):
        total = 0.0
        net.train()
        for group in batches(variants[number % VARIANTS], rng):
            share = done / sum(steps)
            for switch in switches:
                switch.on = share >= asked.narrow_from
            for each in optimizer.param_groups:
                each["lr"] = (
                    asked.rate
                    * each["factor"]
                    * min(1.0, share / 0.05 + 0.02)
                    * max(0.02, 1 - share)
                )
            loss = loss_of(net, group)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            total, done = total + float(loss.detach()), done + 1
        net.eval()
        line: dict[str, object] = {"round": number + 1, "loss": round(total / steps[number], 3)}
        line["minutes"] = round((time.monotonic() - began) / 60, 1)
        if number + 1 == asked.rounds:
            for least in (0.2, 0.3, 0.4, 0.5, 0.6):
                line[f"held out at {least}"] = scores(net, measured, least)
        print(json.dumps(line), flush=True)
    asked.out.mkdir(parents=True, exist_ok=True)
    torch.save({"model": model.plain_state(net)}, asked.out / "last.pt")


if __name__ == "__main__":
    main()
