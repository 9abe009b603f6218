"""The network that parses a text, marks which of its clauses are worth keeping, and judges each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from training import model
from training.observed import HOLDS, MOST_KEEP, SORTS

DEPTH = 3
TAGS = 3
"""Nothing, the first word and a further word of a clause."""
ABOUT = 3
"""The speaker, who is spoken to, somebody or something else."""
JUDGED = len(SORTS) + len(HOLDS) + MOST_KEEP + ABOUT
"""Numbers by which a clause is judged: its sort, how it holds, what it is worth, and whom it is
about.
"""
CLAUSE_PARTS = TAGS + 2 * JUDGED
ARC = 96
"""Numbers by which a token looks for its head, and by which a head is found."""


def syntax_parts(labels: Mapping[str, Sequence[str]]) -> int:
    """Numbers a token that the parse takes: a score a label, whether a sentence begins, and two stretches of ARC."""
    return sum(map(len, labels.values())) + 1 + 2 * ARC


class Clauses(nn.Module):
    """From states to parts: of each piece its tags, and twice what a clause is judged by, as one of
    its pieces and as its first; then what the parse takes of the first token read there, and of the second.
    """

    def __init__(self, labels: Mapping[str, Sequence[str]], depth: int = DEPTH) -> None:
        super().__init__()
        self.labels = {name: list(known) for name, known in labels.items()}
        self.shift = nn.Parameter(torch.zeros(model.WIDTH))
        self.clauses = nn.ModuleList(model.Layer() for _ in range(depth))
        self.parts = nn.Linear(model.WIDTH, CLAUSE_PARTS + 2 * syntax_parts(labels))
        self.drop = 0.0

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """(batch, pieces, parts) from (batch, pieces, 384)."""
        x = nn.functional.dropout(states + self.shift, self.drop, self.training)
        bias = model.attention_bias(mask)
        for layer in self.clauses:
            x = layer(x, bias)
        return self.parts(nn.functional.dropout(x, self.drop, self.training))


def judge(parts: Tensor, first: int, last: int) -> Tensor:
    """The JUDGED numbers of the clause from one word to another; `parts` are those of the first
    piece of each word.
    """
    own, opening = parts[:, TAGS:CLAUSE_PARTS].split(JUDGED, dim=1)
    return own[first : last + 1].mean(0) + opening[first]


def from_stated(path: Path, labels: Mapping[str, Sequence[str]]) -> Clauses:
    """A network whose layers begin as those of the file of what is stated: they know what it is to
    say something of somebody.
    """
    made = Clauses(labels)
    tensors = {each.name: numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}
    for number, layer in enumerate(made.clauses):
        layer.load_state_dict(_layer_state(tensors, f"stated.{number}"))
    made.shift.data = torch.from_numpy(tensors["marks.weight"][0].copy())
    return made


def _layer_state(tensors: Mapping[str, np.ndarray], prefix: str) -> dict[str, Tensor]:
    """The weights of an exported layer as 32-bit numbers."""
    state = {
        name.removeprefix(f"{prefix}."): torch.from_numpy(value.copy())
        for name, value in tensors.items()
        if name.startswith(f"{prefix}.") and "MatMul" not in name
    }
    for part in ("query", "key", "value", "joined", "inner", "outer"):
        stored = tensors[f"{prefix}.{part}.MatMul.narrow"]
        rows = stored.shape[0]
        scales = tensors[f"{prefix}.{part}.MatMul.scales"].reshape(rows, -1, 1)
        whole = np.stack([stored & 15, stored >> 4], axis=-1).reshape(*stored.shape[:2], -1)
        matrix = (whole.astype(np.float32) - 8) * scales
        state[f"{part}.weight"] = torch.from_numpy(matrix.reshape(rows, -1))
    return state
