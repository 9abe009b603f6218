"""The network that reads what a text states: layers above the names' third one, marks for words,
and pairs of mentions.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from factbook.extract.local.stated.parties import MARKS, PLACES
from training import model

DEPTH = model.LAYERS - model.SHARED
PAIR = 192
"""Numbers by which a pair is judged."""
WORD_TAGS = 3
"""Nothing, the first word and a further word of plain words of which something is said."""
STATEMENTS = 4
PARTS = 4 * PAIR + WORD_TAGS + STATEMENTS


class Stated(nn.Module):
    """From states to what is judged of each piece and of each pair."""

    def __init__(self, labels: int, depth: int = DEPTH) -> None:
        super().__init__()
        self.marks = nn.Embedding(MARKS, model.WIDTH)
        self.stated = nn.ModuleList(model.Layer() for _ in range(depth))
        self.parts = nn.Linear(model.WIDTH, PARTS)
        self.places = nn.Embedding(PLACES, PAIR)
        self.label = nn.Linear(PAIR, labels + 1)
        nn.init.normal_(self.marks.weight, std=0.02)
        nn.init.normal_(self.places.weight, std=0.05)
        nn.init.zeros_(self.label.bias)
        self.label.bias.data[-1] = 4.0  # most pairs have nothing to do with each other

    def forward(self, states: Tensor, mask: Tensor, marks: Tensor) -> Tensor:
        """(batch, pieces, PARTS): of each piece its four sides in a pair, its tags and its
        statements.
        """
        x = states + self.marks(marks)
        bias = model.attention_bias(mask)
        for layer in self.stated:
            x = layer(x, bias)
        return self.parts(x)

    def pairs(self, left: Tensor, right: Tensor, places: Tensor) -> Tensor:
        """Scores of each label, and of none in the last place, for pairs of mentions given by their
        parts.
        """
        a, _, p, _ = left[:, : 4 * PAIR].split(PAIR, dim=1)
        _, b, _, q = right[:, : 4 * PAIR].split(PAIR, dim=1)
        return self.label(torch.relu(a + b + p * q + self.places(places)))


def narrowed_below(reader: model.Reader) -> None:
    """Gives the layers that are shared the numbers that they have in the exported file."""
    for layer in reader.names[: model.SHARED]:
        for module in layer.modules():
            if isinstance(module, nn.Linear):
                whole, scales = model.narrowed(
                    module.weight.detach(), model.BITS["names"], model.BLOCK
                )
                module.weight.data = (whole * scales).view_as(module.weight)


def states_of(reader: model.Reader, ids: Tensor, mask: Tensor, shapes: Tensor) -> Tensor:
    """What the shared layers give, (batch, pieces, 384)."""
    x = reader.read(ids) + reader.shapes(shapes)
    bias = model.attention_bias(mask)
    for layer in reader.names[: model.SHARED]:
        x = layer(x, bias)
    return x


def from_reader(reader: model.Reader, labels: int) -> Stated:
    """A network whose layers begin as the names' upper ones."""
    made = Stated(labels)
    for ours, theirs in zip(made.stated, reader.names[model.SHARED :], strict=True):
        ours.load_state_dict(theirs.state_dict())
    return made
