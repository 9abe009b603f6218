"""Trains what parses a text and marks the clauses that are worth keeping, on the states of the installed reader.

    python -m training.parses --out build/parses.jsonl
    python -m training.train_clauses --parses build/parses.jsonl --out build/clauses

Reads `talk/` without its held-out tenth, of which the figures are told, and the parses without a twentieth.
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
from training.syntax_items import (
    SyntaxItem,
    labels_of,
    lemmas_of,
    read_parses,
    syntax_items,
    varied_parse,
)
from training.syntax_loss import syntax_loss, syntax_scores

VARIANTS = 2
"""Writings of each passage that are read, one a round in turn; the first is as it stands."""
SHARES = (0.3, 0.2, 0.3, 0.2)
"""How much the sort, how it holds, its worth and whom it is about count beside the tags."""
SIZES = (len(SORTS), len(HOLDS), MOST_KEEP, clause_model.ABOUT)
BEGINNING = 2.0
"""How much more the first word of a clause counts than another."""


def loss_of(net: clause_model.Clauses, items: Sequence[Item]) -> Tensor:
    """Of tags and judgements together."""
    parts = net(*padded(items))[:, :, : clause_model.CLAUSE_PARTS]
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
            parts = net(*padded([item]))[0, item.firsts, : clause_model.CLAUSE_PARTS].numpy()
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
    parser.add_argument("--parses", type=Path, required=True, help="of training.parses")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--before", type=int, default=2, help="rounds of parses alone")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of both")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--narrow-from", type=float, default=0.6, help="share of the rounds")
    parser.add_argument("--most-parses", type=int, default=9000, help="texts with a parse")
    parser.add_argument("--run", type=Path, help="a checkpoint to go on from, with 4 bits at once")
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
    parsed, apart = read_parses(asked.parses)
    labels, lemmas = labels_of(parsed), lemmas_of(parsed)
    if asked.run:
        saved = torch.load(asked.run, weights_only=True)
        labels = saved["labels"]
        net = clause_model.Clauses(labels)
        net.load_state_dict(saved["model"])
    else:
        net = clause_model.from_stated(installed(), labels)
    some = [
        varied_parse(each, rng) if number % 2 else each
        for number, each in enumerate(parsed[: asked.most_parses])
    ]
    parses = list(syntax_items(reader, some, labels))
    parses_apart = list(syntax_items(reader, apart[: asked.most_parses // 20], labels))
    print(len(parses), "parses,", len(parses_apart), "held out", flush=True)
    net.drop = asked.dropout
    for layer in net.clauses:
        layer.drop = asked.dropout
    switches = model.narrow_in_training(net.clauses)
    groups = [
        {"params": [*net.clauses.parameters()], "factor": 1.0},
        {"params": [net.shift, *net.parts.parameters()], "factor": 3.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=asked.rate, weight_decay=0.01)
    plan = [
        mixed(
            parses,
            variants[(each - asked.before) % VARIANTS] if each >= asked.before else [],
            rng,
        )
        for each in range(asked.before + asked.rounds)
    ]
    total = sum(map(len, plan))
    done, began = 0, time.monotonic()
    for number, steps in enumerate(plan):
        told = {"clauses": 0.0, "parses": 0.0}
        net.train()
        for group in steps:
            share = done / total
            for switch in switches:
                switch.on = share >= asked.narrow_from
            for each in optimizer.param_groups:
                each["lr"] = (
                    asked.rate
                    * each["factor"]
                    * min(1.0, share / 0.05 + 0.02)
                    * max(0.02, 1 - share)
                )
            if isinstance(group[0], Item):
                loss = loss_of(net, group)
                told["clauses"] += float(loss.detach())
            else:
                loss = syntax_loss(net, group, net(*padded(group)))
                told["parses"] += float(loss.detach())
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            done += 1
        net.eval()
        line: dict[str, object] = {
            "round": number + 1,
            "loss": {name: round(value / len(steps), 3) for name, value in told.items()},
        }
        line["minutes"] = round((time.monotonic() - began) / 60, 1)
        if number % 3 == 1 or number + 1 == len(plan):
            line["syntax"] = syntax_scores(net, parses_apart)
        if number + 1 == len(plan):
            for least in (0.2, 0.3, 0.4, 0.5, 0.6):
                line[f"held out at {least}"] = scores(net, measured, least)
        print(json.dumps(line), flush=True)
        asked.out.mkdir(parents=True, exist_ok=True)
        torch.save(
            {"model": model.plain_state(net), "labels": labels, "lemmas": lemmas},
            asked.out / "last.pt",
        )


def mixed(
    parses: Sequence[SyntaxItem], clauses: Sequence[Item], rng: random.Random
) -> list[list[SyntaxItem] | list[Item]]:
    """The batches of a round in a random order."""
    out: list[list[SyntaxItem] | list[Item]] = [*batches(parses, rng), *batches(clauses, rng)]
    rng.shuffle(out)
    return out


if __name__ == "__main__":
    main()
