"""The network: one table of words under two stacks of layers, MiniLM's own for vectors and a tuned
one for names.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from factbook.reader.word_pieces import SHAPES
from training.labels import TAGS

WIDTH, HEADS, INNER, LAYERS = 384, 12, 1536, 6
PLACES = 256
"""Pieces of a text, at most."""
BITS = {"names": 4, "meaning": 8, "stated": 4, "clauses": 4, "parts": 8}
"""Of a number, by the stack it belongs to: vectors must stay those of MiniLM, the others learn to
do with less.
"""
SHARED = 3
"""Layers of the names' stack on which what is stated is read too."""
BLOCK = 64
"""Numbers of a row that share a scale in the exported file: fewer are more exact and larger."""


class Layer(nn.Module):
    """One layer of BERT; in training `drop` of what attention and the inner layer give is left out
    at random.
    """

    drop = 0.0

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
        query, key, value = (
            part(x).view(shape).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        weights = torch.softmax(
            query @ key.transpose(2, 3) / (WIDTH // HEADS) ** 0.5 + bias, dim=-1
        )
        seen = self.joined((weights @ value).transpose(1, 2).reshape(batch, pieces, WIDTH))
        x = self.norm1(x + self._dropped(seen))
        return self.norm2(x + self._dropped(self.outer(nn.functional.gelu(self.inner(x)))))

    def _dropped(self, x: Tensor) -> Tensor:
        return nn.functional.dropout(x, self.drop, self.training) if self.drop else x


class Reader(nn.Module):
    """Tag logits and states of batches of texts."""

    def __init__(self, vocabulary: int = 30522) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, WIDTH)
        self.places = nn.Embedding(PLACES, WIDTH)
        self.segment = nn.Parameter(torch.zeros(WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.meaning = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.names = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.shapes = nn.Embedding(SHAPES, WIDTH)
        self.head = nn.Linear(WIDTH, TAGS)
        nn.init.zeros_(self.shapes.weight)
        nn.init.normal_(self.head.weight, std=0.02)

    def read(self, ids: Tensor) -> Tensor:
        """What both stacks start from, (batch, pieces, 384)."""
        return self.norm(self.words(ids) + self.places.weight[: ids.shape[1]] + self.segment)

    def tags(self, read: Tensor, mask: Tensor, shapes: Tensor) -> Tensor:
        """Logits, (batch, pieces, tags)."""
        return self.named(read, mask, shapes)[0]

    def named(self, read: Tensor, mask: Tensor, shapes: Tensor) -> tuple[Tensor, Tensor]:
        """Logits, and the states of the shared layers, (batch, pieces, 384)."""
        x = shared = read + self.shapes(shapes)
        bias = attention_bias(mask)
        for number, layer in enumerate(self.names, 1):
            x = layer(x, bias)
            shared = x if number == SHARED else shared
        return self.head(x), shared

    def states(self, read: Tensor, mask: Tensor) -> Tensor:
        """What MiniLM itself makes of each piece, (batch, pieces, 384); its mean is the text's
        vector.
        """
        bias = attention_bias(mask)
        for layer in self.meaning:
            read = layer(read, bias)
        return read


def narrowed(matrix: Tensor, bits: int, block: int) -> tuple[Tensor, Tensor]:
    """A matrix (rows, columns) as whole numbers of so many bits, (rows, columns / block, block),
    and the scale of each block of a row.
    """
    parts = matrix.reshape(matrix.shape[0], -1, block)
    scales = parts.abs().amax(dim=2, keepdim=True).clamp_min(1e-12) / (2 ** (bits - 1) - 1)
    return torch.round(parts / scales), scales


class Narrowed(nn.Module):
    """Makes a layer's matrix what it will be in the exported file, while it goes on learning in 32
    bits.
    """

    on = False

    def forward(self, matrix: Tensor) -> Tensor:
        if not self.on:
            return matrix
        whole, scales = narrowed(matrix.detach(), BITS["names"], BLOCK)
        return matrix + ((whole * scales).view_as(matrix) - matrix.detach())


def narrow_in_training(layers: nn.ModuleList) -> list[Narrowed]:
    """Lets the matrices of layers be narrowed, each when its switch is set on."""
    switches: list[Narrowed] = []
    for module in list(layers.modules()):
        if isinstance(module, nn.Linear):
            switches.append(Narrowed())
            parametrize.register_parametrization(module, "weight", switches[-1])
    return switches


def plain_state(reader: nn.Module) -> dict[str, Tensor]:
    """The weights under their plain names, narrowed in training or not."""
    return {
        key.replace("parametrizations.weight.original", "weight"): value
        for key, value in reader.state_dict().items()
    }


def attention_bias(mask: Tensor) -> Tensor:
    return (1.0 - mask.to(torch.float32))[:, None, None, :] * -10000.0


def from_minilm(path: Path) -> Reader:
    """A reader with all-MiniLM-L6-v2's weights from its `model.safetensors`, in both stacks."""
    weights = _read(path)
    reader = Reader()
    embeddings = "embeddings."
    state = {
        "words.weight": weights[embeddings + "word_embeddings.weight"],
        "places.weight": weights[embeddings + "position_embeddings.weight"][:PLACES],
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
        for home in ("meaning", "names"):
            for ours, theirs in parts.items():
                for what in ("weight", "bias"):
                    state[f"{home}.{number}.{ours}.{what}"] = weights[
                        f"encoder.layer.{number}.{theirs}.{what}"
                    ]
    missing, unexpected = reader.load_state_dict(state, strict=False)
    if unexpected or {name.split(".")[0] for name in missing} != {"shapes", "head"}:
        raise ValueError(
            f"{path.name} is not all-MiniLM-L6-v2: {sorted(missing)[:3]} {sorted(unexpected)[:3]}"
        )
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
            out[name.removeprefix("bert.")] = torch.frombuffer(raw, dtype=torch.float32).reshape(
                entry["shape"]
            )
    return out
