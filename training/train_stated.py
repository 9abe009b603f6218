"""Trains what reads the relations and facts of texts, on the states of a trained reader.

python -m training.train_stated --run build/reader --out build/stated --minutes 30
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn

from factbook.extract.local.stated.decode import BEGINS, stretches
from factbook.model.relations import LABELS, turned_to_main
from training import labels, model, stated, stated_model
from training.generate import Generator
from training.stated_generate import Maker
from training.stated_items import Batch, Encoder, Item, batch_of, packed, pairs_of, with_noise
from training.stated_scores import development, judged, margins, scores

LEAST = 5
"""Texts in which a label must be said to be learned."""
NAMES = 4000
"""Names of each kind that take the places of others."""
UNSURE = 0.3
"""How much it counts that a text of the rules doesn't say something."""


def loss_of(net: stated_model.Stated, parts: Tensor, batch: Batch, known: dict[str, int]) -> Tensor:
    """Of words, pairs and statements together."""
    parts = parts.float()
    words = parts[batch.rows, batch.firsts][:, 4 * stated_model.PAIR :]
    tags, held = words.split([stated_model.WORD_TAGS, stated_model.STATEMENTS], dim=1)
    return (
        2 * _of_words(tags, batch)
        + 0.25 * _of_pairs(net, parts, tags, batch, known)
        + 0.5 * _of_texts(held, batch)
    )


def _of_words(tags: Tensor, batch: Batch) -> Tensor:
    right: list[int] = []
    sure: list[float] = []
    for item in batch.items:
        mine = [0] * len(item.spans)
        for first, last in item.marked:
            mine[first : last + 1] = [1] + [2] * (last - first)
        right += mine
        sure += [item.sure] * len(mine)
    each = nn.functional.cross_entropy(tags, torch.tensor(right), reduction="none")
    return (each * torch.tensor(sure)).mean()


def _of_pairs(
    net: stated_model.Stated, parts: Tensor, tags: Tensor, batch: Batch, known: dict[str, int]
) -> Tensor:
    """Of all pairs of parties, those among them that the network marks itself: what is right shall
    be likelier than none, all else less likely. A pair of which something is said that isn't
    learned doesn't count.
    """
    logits = tags.detach().numpy()
    marked: list[list[tuple[int, int]]] = []
    at = 0
    for item in batch.items:
        guess = stretches(logits[at : at + len(item.spans)], BEGINS)
        marked.append([*item.marked, *(each for each in guess if each not in item.marked)])
        at += len(item.spans)
    pairs = pairs_of(batch.items, batch.ids.shape[1], marked)
    over = margins(net, parts, pairs)
    truth = torch.zeros_like(over)
    weight = torch.ones(len(pairs.parties))
    for number, (row, one, other) in enumerate(pairs.parties):
        said = batch.items[row].gold.get((one, other), frozenset())
        weight[number] = 1.0 if said else batch.items[row].sure
        if said <= known.keys():
            truth[number, [known[label] for label in said]] = 1
        else:
            weight[number] = 0
    none = torch.zeros(len(over), 1)
    never = torch.full_like(over, -1e9)
    right = torch.logsumexp(torch.cat([torch.where(truth > 0, over, never), none], dim=1), dim=1)
    wrong = torch.logsumexp(torch.cat([torch.where(truth > 0, never, over), none], dim=1), dim=1)
    found = truth.sum(dim=1) * right - (truth * over).sum(dim=1)
    return ((found + wrong) * weight).sum() / len(batch.items)


def _of_texts(held: Tensor, batch: Batch) -> Tensor:
    """A text holds a statement if any of its words does."""
    most: list[Tensor] = []
    right: list[list[float]] = []
    for item, own in zip(
        batch.items, held.split([len(item.spans) for item in batch.items]), strict=True
    ):
        if item.statements is not None:
            most.append(torch.logsumexp(own, dim=0))
            right.append([float(kind in item.statements) for kind in stated.STATEMENTS])
    if not most:
        return held.sum() * 0
    return nn.functional.binary_cross_entropy_with_logits(torch.stack(most), torch.tensor(right))


class Texts:
    """What is read in a round: each text as it is written this time, sentences out of templates,
    and texts of the rules.
    """

    def __init__(self, asked: argparse.Namespace, rng: random.Random) -> None:
        everything = list(stated.read_all(asked.texts))
        self.train = [each for each in everything if not stated.is_held_out(each)]
        self.held = [each for each in everything if stated.is_held_out(each)]
        taught = stated.read_all(asked.taught) if asked.taught else ()
        self._taught = [
            replace(each, statements=None) for each in taught if not stated.is_held_out(each)
        ]
        self._maker = Maker(asked.seed)
        self._made = asked.made
        self._rng = rng
        generator = Generator(asked.seed)
        self._names = {
            kind: [generator.name(kind) for _ in range(NAMES)]
            for kind in labels.KINDS
            if kind != "work"
        }
        self.encode = Encoder()

    def labels(self) -> list[str]:
        """Those that are learned: of the vocabulary, and attributes, if enough texts say them."""
        some = [*self.train, *self._maker.texts(4 * self._made)]
        seen = Counter(
            label for each in some for label in {turned_to_main(*said)[1] for said in each.says}
        )
        return sorted(
            label
            for label, count in seen.items()
            if count >= LEAST and (label in LABELS or label[0] == ".")
        )

    def round(self) -> list[Item]:
        rng = self._rng
        texts = [self._varied(each, self.train) for each in rng.sample(self.train, len(self.train))]
        texts += [
            stated.varied(each, {}, self.train, rng) for each in self._maker.texts(self._made)
        ]
        items = [item for each in texts for item in self.encode(each)]
        for each in rng.sample(self._taught, min(len(self._taught), len(self.train) // 5)):
            items += self.encode(self._varied(each, self._taught), UNSURE)
        return [with_noise(item, rng) for item in items]

    def _varied(self, each: stated.Stated, others: list[stated.Stated]) -> stated.Stated:
        return stated.varied(each, self._names, others, self._rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--run", type=Path, required=True, help="folder of the trained reader's checkpoint"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoint")
    parser.add_argument("--texts", type=Path, default=stated.FOLDER)
    parser.add_argument(
        "--taught", type=Path, help="folder of texts of which only some is said (training.teach)"
    )
    parser.add_argument("--made", type=int, default=800, help="texts out of templates, a round")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument(
        "--narrow-from",
        type=float,
        default=0.6,
        help="share of the time after which 4 bits are learned",
    )
    parser.add_argument(
        "--sets", type=Path, nargs="*", default=[], help="sets of bench/answers to measure with"
    )
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    torch.manual_seed(asked.seed)
    asked.out.mkdir(parents=True, exist_ok=True)
    reader = model.Reader()
    reader.load_state_dict(torch.load(asked.run / "last.pt", weights_only=True)["model"])
    stated_model.narrowed_below(reader)
    reader.requires_grad_(requires_grad=False).eval()
    rng = random.Random(asked.seed)
    texts = Texts(asked, rng)
    names = texts.labels()
    print(
        len(texts.train), "texts,", len(texts.held), "held out,", len(names), "labels", flush=True
    )
    measured = {"held out": [item for each in texts.held for item in texts.encode(each)]}
    for path in asked.sets:
        measured[path.stem] = [item for each in development(path) for item in texts.encode(each)]
    net = stated_model.from_reader(reader, len(names))
    for layer in net.stated:
        layer.drop = asked.dropout
    switches = model.narrow_in_training(net.stated)
    tuned = list(net.stated.parameters())
    fresh = [
        *net.marks.parameters(),
        *net.parts.parameters(),
        *net.places.parameters(),
        *net.label.parameters(),
    ]
    groups = [{"params": tuned, "factor": 1.0}, {"params": fresh, "factor": 3.0}]
    optimizer = torch.optim.AdamW(groups, lr=asked.rate, weight_decay=0.01, betas=(0.9, 0.98))
    known = {label: number for number, label in enumerate(names)}
    spent, rounds, budget = 0.0, 0, asked.minutes * 60
    while spent < budget:
        began = time.monotonic()
        total = steps = read = 0
        for group in packed(texts.round(), rng):
            done = min(1.0, (spent + time.monotonic() - began) / budget)
            rate = asked.rate * min(1.0, (done + 1e-3) / 0.05) * max(0.01, 1 - done)
            for switch in switches:
                switch.on = done >= asked.narrow_from
            for each in optimizer.param_groups:
                each["lr"] = rate * each["factor"]
            batch = batch_of(group)
            net.train()
            with torch.autocast("cpu", torch.bfloat16):
                with torch.no_grad():
                    states = stated_model.states_of(reader, batch.ids, batch.mask, batch.shapes)
                parts = net(states, batch.mask, batch.marks)
            loss = loss_of(net, parts, batch, known)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(tuned + fresh, 1.0)
            optimizer.step()
            total, steps, read = total + float(loss.detach()), steps + 1, read + len(group)
            if done >= 1.0:
                break
        seconds = time.monotonic() - began
        spent += seconds
        rounds += 1
        line: dict[str, object] = {
            "round": rounds,
            "minutes": round(spent / 60, 1),
            "loss": round(total / steps, 3),
        }
        line["texts a second"] = round(read / seconds)
        if rounds % 5 == 0 or spent >= budget:
            for title, those in measured.items():
                line[title] = scores(those, judged(reader, net, those), names)
            torch.save({"model": model.plain_state(net), "labels": names}, asked.out / "last.pt")
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
