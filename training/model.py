"""The forked network: three lower layers shared, the three upper ones twice, and a head over each piece."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import torch
from torch import Tensor, nn

from factbook.embed.pieces import SHAPES
from training.labels import TAGS

WIDTH, HEADS, INNER, SHARED, LAYERS = 384, 12, 1536, 3, 6


class Layer(nn.Module):
    """One layer of BERT, in inference form: there is no dropout."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.joined = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=1e-12)
        self.inner = nn.Linear(WIDTH, INNER)
        self.outer = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """`x` is (batch, pieces, 384); `bias` (batch, 1, 1, pieces), very negative at padding."""
        batch, pieces, _ = x.shape
        shape = (batch, pieces, HEADS, WIDTH // HEADS)
        query, key, value = (part(x).view(shape).transpose(1, 2) for part in (self.query, self.key, self.value))
        weights = torch.softmax(query @ key.transpose(2, 3) / (WIDTH // HEADS) ** 0.5 + bias, dim=-1)
        x = self.norm1(x + self.joined((weights @ value).transpose(1, 2).reshape(batch, pieces, WIDTH)))
        return self.norm2(x + self.outer(nn.functional.gelu(self.inner(x))))


class Reader(nn.Module):
    """Tag logits and sentence vectors of batches of texts."""

    def __init__(self, vocabulary: int = 30522) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, WIDTH)
        self.positions = nn.Embedding(512, WIDTH)
        self.segment = nn.Parameter(torch.zeros(WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.shared = nn.ModuleList(Layer() for _ in range(SHARED))
        self.upper = nn.ModuleList(Layer() for _ in range(LAYERS - SHARED))
        self.tuned = nn.ModuleList(Layer() for _ in range(LAYERS - SHARED))
        self.shapes = nn.Embedding(SHAPES, WIDTH)
        self.head = nn.Linear(WIDTH, TAGS)
        nn.init.zeros_(self.shapes.weight)
        nn.init.normal_(self.head.weight, std=0.02)

    def lower(self, ids: Tensor, mask: Tensor) -> Tensor:
        """What the fork starts from, (batch, pieces, 384)."""
        x = self.words(ids) + self.positions.weight[: ids.shape[1]] + self.segment
        x = self.norm(x)
        bias = attention_bias(mask)
        for layer in self.shared:
            x = layer(x, bias)
        return x

    def tags(self, fork: Tensor, mask: Tensor, shapes: Tensor) -> Tensor:
        """Logits, (batch, pieces, tags)."""
        x = fork + self.shapes(shapes)
        bias = attention_bias(mask)
        for layer in self.tuned:
            x = layer(x, bias)
        return self.head(x)

    def vectors(self, fork: Tensor, mask: Tensor) -> Tensor:
        """Unit vectors, (batch, 384)."""
        bias = attention_bias(mask)
        for layer in self.upper:
            fork = layer(fork, bias)
        weights = mask.to(fork.dtype).unsqueeze(-1)
        mean = (fork * weights).sum(1) / weights.sum(1)
        return mean / mean.norm(dim=-1, keepdim=True).clamp_min(1e-12)

    def forward(self, ids: Tensor, mask: Tensor, shapes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and unit vectors in one pass."""
        fork = self.lower(ids, mask)
        return self.tags(fork, mask, shapes), self.vectors(fork, mask)


def attention_bias(mask: Tensor) -> Tensor:
    return (1.0 - mask.to(torch.float32))[:, None, None, :] * -10000.0


def from_minilm(path: Path) -> Reader:
    """A reader with all-MiniLM-L6-v2's weights from its `model.safetensors`; the tuned layers start as the upper ones."""
    weights = _read(path)
    reader = Reader()
    embeddings = "embeddings."
    state = {
        "words.weight": weights[embeddings + "word_embeddings.weight"],
        "positions.weight": weights[embeddings + "position_embeddings.weight"],
        "segment": weights[embeddings + "token_type_embeddings.weight"][0],
        "norm.weight": weights[embeddings + "LayerNorm.weight"],
        "norm.bias": weights[embeddings + "LayerNorm.bias"],
    }
    parts = {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "joined": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "inner": "intermediate.dense",
        "outer": "output.dense",
        "norm2": "output.LayerNorm",
    }
    for number in range(LAYERS):
        homes = (
            [f"shared.{number}"] if number < SHARED else [f"{home}.{number - SHARED}" for home in ("upper", "tuned")]
        )
        for home in homes:
            for ours, theirs in parts.items():
                for what in ("weight", "bias"):
                    state[f"{home}.{ours}.{what}"] = weights[f"encoder.layer.{number}.{theirs}.{what}"]
    missing, unexpected = reader.load_state_dict(state, strict=False)
    if unexpected or {name.split(".")[0] for name in missing} != {"shapes", "head"}:
        raise ValueError(f"{path.name} is not all-MiniLM-L6-v2: {sorted(missing)[:3]} {sorted(unexpected)[:3]}")
    return reader


def _read(path: Path) -> dict[str, Tensor]:
    """The 32-bit tensors of a safetensors file."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    out: dict[str, Tensor] = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            start, end = entry["data_offsets"]
            raw = bytearray(data[8 + length + start : 8 + length + end])
            out[name.removeprefix("bert.")] = torch.frombuffer(raw, dtype=torch.float32).reshape(entry["shape"])
    return out
