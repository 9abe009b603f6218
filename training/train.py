"""Trains the reader.

    python -m training.train --minilm model.safetensors --data ../shared/data/ner --out run
    --minutes 150

Goes on from `run/last.pt` where it exists. Equal seeds give equal data; what is reached depends on
the time given.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from factbook.extract.local.reader_decode import best_tags, spans_of
from factbook.reader import reading_model as room
from factbook.reader.word_pieces import pieces_of, shapes_of, tokenizer_of
from training import labels, model, written
from training.examples import Example, joined, source, with_other_names
from training.generate import Generator

LONGEST = 224
BATCH_PIECES = 1400
HELD_OUT = 400
HIDDEN = 0.3
"""How much a kind that a source never marks may take of a word's probability there."""
VARIANTS = 6
"""Copies of each written message with other names."""
JOINED = 6000
"""Texts made of two to five messages, so that a name is also seen amid other talk."""
SHARES = {
    "messages": 0.48,
    "templates": 0.16,
    "btc": 0.12,
    "wnut17": 0.11,
    "crossner": 0.08,
    "wikigold": 0.05,
}
"""Of the texts of each origin among those that are read."""


@dataclass(frozen=True, slots=True)
class Item:
    """An example as the network takes it; `weights` are (words, tags): how much each tag of a word
    is right.
    """

    ids: list[int]
    shapes: tuple[list[int], list[int], list[int]]
    firsts: list[int]
    weights: np.ndarray
    gold: frozenset[tuple[int, int, str]]
    sure: bool


class Encoder:
    """Makes items of examples."""

    def __init__(self) -> None:
        vocabulary = Path(room.__file__).with_name("vocab.txt").read_bytes()
        self._tokenizer = tokenizer_of(vocabulary)

    def __call__(self, example: Example) -> Item:
        pieces = pieces_of(self._tokenizer, example.text, LONGEST)
        words = len(pieces.spans)
        weights = np.zeros((words, labels.TAGS), np.float32)
        weights[:, labels.OUTSIDE] = 1
        for kind in example.unmarked:
            weights[:, [labels.first(kind), labels.further(kind)]] = HIDDEN
        gold: set[tuple[int, int, str]] = set()
        for span in example.spans:
            inside = [
                at
                for at, (start, end) in enumerate(pieces.spans)
                if start < span.end and end > span.start
            ]
            for at in inside:
                weights[at] = 0
                for kind in span.kinds:
                    tag = labels.OUTSIDE
                    if kind != "O":
                        tag = labels.first(kind) if at == inside[0] else labels.further(kind)
                    weights[at, tag] = 1
            if inside:
                gold.add((inside[0], inside[-1] + 1, span.kinds[0]))
        counts = np.diff([*pieces.firsts, len(pieces.ids) - 1]) if words else np.zeros(0, int)
        lower, upper = example.text.lower(), example.text.upper()
        shapes = [
            [0, *np.repeat(shapes_of(text, pieces.spans), counts).tolist(), 0]
            for text in (example.text, lower, upper)
            if len(text) == len(example.text)
        ]
        shapes += [shapes[0]] * (3 - len(shapes))
        sure = all(len(span.kinds) == 1 for span in example.spans)
        return Item(
            pieces.ids,
            (shapes[0], shapes[1], shapes[2]),
            pieces.firsts,
            weights,
            frozenset(gold),
            sure,
        )


def read_all(
    data: Path, seed: int, count: int
) -> tuple[dict[str, list[Item]], dict[str, list[Item]]]:
    """The items to train on and those held out, by origin."""
    rng = random.Random(seed)
    generator = Generator(seed)
    names = {kind: [generator.name(kind) for _ in range(6000)] for kind in labels.KINDS}
    usual = {kind: names[kind] for kind in ("person", "organization", "place")}
    by_origin: dict[str, list[Example]] = {"templates": list(generator.examples(count))}
    for path in sorted(data.glob("*.jsonl")):
        examples = list(source(path))
        changed = [
            with_other_names(each, usual, rng)
            for each in examples
            if each.spans and rng.random() < 0.5
        ]
        by_origin[path.stem] = examples + changed
    by_origin["messages"] = list(written.examples())
    encode = Encoder()
    train: dict[str, list[Item]] = {}
    held: dict[str, list[Item]] = {}
    for origin, examples in by_origin.items():
        rng.shuffle(examples)
        out = min(HELD_OUT, len(examples) // 10)
        if origin == "messages":
            examples.sort(key=lambda each: not written.is_held_out(each))
            out = sum(map(written.is_held_out, examples))
        held[origin] = _items(encode, examples[:out])
        if origin == "messages":
            examples += [
                with_other_names(each, names, rng)
                for each in examples[out:]
                if each.spans
                for _ in range(VARIANTS)
            ]
            examples += [
                joined(rng.choices(examples[out:], k=rng.randint(2, 5)), rng) for _ in range(JOINED)
            ]
        train[origin] = _items(encode, examples[out:])
    return train, held


def _items(encode: Encoder, examples: list[Example]) -> list[Item]:
    return [item for item in map(encode, examples) if item.firsts]


def read_batch(reader: model.Reader, items: list[Item]) -> tuple[Tensor, Tensor]:
    """What the stack of names starts from, and the mask of a batch."""
    ids = torch.zeros(len(items), max(len(item.ids) for item in items), dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, item in enumerate(items):
        ids[row, : len(item.ids)] = torch.tensor(item.ids)
        mask[row, : len(item.ids)] = 1
    with torch.no_grad():
        return reader.read(ids), mask


def shapes_for(
    items: list[Item], width: int, rng: random.Random, styles: tuple[float, float]
) -> Tensor:
    """Shapes, with texts in small letters and in capitals at the rates given."""
    shapes = torch.zeros(len(items), width, dtype=torch.long)
    for row, item in enumerate(items):
        draw = rng.random()
        style = 1 if draw < styles[0] else 2 if draw > 1 - styles[1] else 0
        shapes[row, : len(item.ids)] = torch.tensor(item.shapes[style])
    return shapes


def loss_of(logits: Tensor, items: list[Item]) -> Tensor:
    """Mean over the words of -log of the probability of what is right."""
    rows = torch.cat([torch.full((len(item.firsts),), row) for row, item in enumerate(items)])
    firsts = torch.cat([torch.tensor(item.firsts) for item in items])
    weights = torch.from_numpy(np.concatenate([item.weights for item in items]))
    log_p = torch.log_softmax(logits[rows, firsts].float(), dim=-1)
    return -torch.logsumexp(log_p + weights.clamp_min(1e-9).log(), dim=-1).mean()


def batches(items: dict[str, list[Item]], rng: random.Random) -> list[list[Item]]:
    """A round of reading: 4,000 texts by `SHARES`, those of like length together."""
    chosen: list[Item] = []
    for origin, share in SHARES.items():
        if items.get(origin):
            chosen += rng.choices(items[origin], k=int(4000 * share))
    chosen.sort(key=lambda item: (len(item.ids), rng.random()))
    out: list[list[Item]] = [[]]
    for item in chosen:
        if out[-1] and (len(out[-1]) + 1) * len(item.ids) > BATCH_PIECES:
            out.append([])
        out[-1].append(item)
    rng.shuffle(out)
    return out


def scores(
    reader: model.Reader, items: list[Item], lower: bool
) -> tuple[float, float, dict[str, float]]:
    """Span F1, span-and-kind F1, and the latter by kind."""
    right: Counter[str] = Counter()
    found: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    spans = 0
    for first in range(0, len(items), 32):
        batch = items[first : first + 32]
        read, mask = read_batch(reader, batch)
        shapes = shapes_for(batch, read.shape[1], random.Random(0), (1.0 if lower else 0.0, 0.0))
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            logits = reader.tags(read, mask, shapes).float().numpy()
        for row, item in enumerate(batch):
            guess = spans_of(best_tags(logits[row, item.firsts]))
            places = {(start, end) for start, end, _ in item.gold}
            spans += sum((start, end) in places for start, end, _ in guess)
            for each in guess:
                found[each[2]] += 1
                right[each[2]] += each in item.gold
            wanted.update(kind for _, _, kind in item.gold)
    total = max(1, found.total() + wanted.total())
    by_kind = {kind: round(2 * right[kind] / (found[kind] + wanted[kind]), 3) for kind in wanted}
    return 2 * spans / total, 2 * right.total() / total, by_kind


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--minilm", type=Path, required=True, help="model.safetensors of all-MiniLM-L6-v2"
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the sources of names")
    parser.add_argument("--out", type=Path, required=True, help="folder of the checkpoints")
    parser.add_argument("--minutes", type=float, default=150)
    parser.add_argument(
        "--sentences", type=int, default=25000, help="how many to make from templates"
    )
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument(
        "--narrow-from",
        type=float,
        default=0.5,
        help="share of the time after which 4 bits are learned",
    )
    asked = parser.parse_args()
    torch.set_num_threads(asked.threads)
    torch.manual_seed(asked.seed)
    asked.out.mkdir(parents=True, exist_ok=True)
    reader = model.from_minilm(asked.minilm)
    for part in (reader.words, reader.places, reader.norm, reader.meaning):
        part.requires_grad_(requires_grad=False)
    reader.segment.requires_grad_(requires_grad=False)
    for layer in reader.names:
        layer.drop = asked.dropout
    checkpoint = asked.out / "last.pt"
    saved = torch.load(checkpoint, weights_only=True) if checkpoint.is_file() else None
    if saved:
        reader.load_state_dict(saved["model"])
    switches = model.narrow_in_training(reader.names)
    tuned = [*reader.names.parameters()]
    fresh = [*reader.shapes.parameters(), *reader.head.parameters()]
    groups = [{"params": tuned, "factor": 1.0}, {"params": fresh, "factor": 5.0}]
    optimizer = torch.optim.AdamW(groups, lr=asked.rate, weight_decay=0.01, betas=(0.9, 0.98))
    if saved:
        optimizer.load_state_dict(saved["optimizer"])
    spent, rounds = (saved["spent"], saved["rounds"]) if saved else (0.0, 0)
    train, held = read_all(asked.data, asked.seed, asked.sentences)
    print({origin: (len(items), len(held[origin])) for origin, items in train.items()}, flush=True)
    rng = random.Random(asked.seed + rounds)
    budget = asked.minutes * 60
    while spent < budget:
        began = time.monotonic()
        total = texts = steps = 0
        for batch in batches(train, rng):
            done = min(1.0, (spent + time.monotonic() - began) / budget)
            rate = asked.rate * min(1.0, (done + 1e-3) / 0.04) * max(0.01, 1 - done)
            for switch in switches:
                switch.on = done >= asked.narrow_from
            for group in optimizer.param_groups:
                group["lr"] = rate * group["factor"]
            read, mask = read_batch(reader, batch)
            shapes = shapes_for(batch, read.shape[1], rng, (0.3, 0.03))
            reader.train()
            with torch.autocast("cpu", torch.bfloat16):
                logits = reader.tags(read, mask, shapes)
            reader.eval()
            loss = loss_of(logits, batch)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(tuned + fresh, 1.0)
            optimizer.step()
            total, texts, steps = total + float(loss.detach()), texts + len(batch), steps + 1
            if done >= 1.0:
                break
        seconds = time.monotonic() - began
        spent += seconds
        rounds += 1
        state = {
            "model": model.plain_state(reader),
            "optimizer": optimizer.state_dict(),
            "spent": spent,
            "rounds": rounds,
        }
        part = checkpoint.with_suffix(".part")
        torch.save(state, part)
        part.replace(checkpoint)
        line: dict[str, object] = {
            "round": rounds,
            "minutes": round(spent / 60, 1),
            "loss": round(total / steps, 4),
        }
        line["texts a second"] = round(texts / seconds, 1)
        if rounds % 4 == 0 or spent >= budget:
            for origin in ("templates", "messages", "wnut17", "btc"):
                if held.get(origin):
                    span, typed, kinds = scores(reader, held[origin], lower=False)
                    small = scores(reader, held[origin], lower=True)[1]
                    line[origin] = {
                        "span": round(span, 3),
                        "typed": round(typed, 3),
                        "small": round(small, 3),
                        **kinds,
                    }
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
