"""From the network's numbers to what is stated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from factbook.extract.local.stated.parties import LONGEST, OPENING, Party, parties, place
from factbook.model.relations import is_symmetric

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STATEMENTS = ("decision", "preference", "pain_point", "task")
"""In the network's order."""
BEGINS = 0.25
"""How likely a word must be to begin plain words for these to be weighed."""
FURTHER = 0.5
WORD_TAGS = 3


@dataclass(frozen=True, slots=True)
class Mention:
    """The characters `start:stop` of the passage; nothing for who speaks where the subject is left
    out. `kind` is the name's, `self`, or empty for plain words; `party` tells which mentions are of
    the same.
    """

    start: int
    stop: int
    kind: str
    party: str


@dataclass(frozen=True, slots=True)
class Said:
    """A relation, or a fact (`.role`) with its value as the right end. `margin` is by how much it
    is likelier than none, in logarithms.
    """

    left: Mention
    label: str
    right: Mention
    margin: float


@dataclass(frozen=True, slots=True)
class Noticed:
    """A statement of a kind, at the characters `start:stop` of the word that tells most; `margin`
    as above.
    """

    kind: str
    start: int
    stop: int
    margin: float


@dataclass(frozen=True, slots=True)
class Judged:
    said: tuple[Said, ...]
    noticed: tuple[Noticed, ...]


@dataclass(frozen=True, slots=True)
class Decoder:
    """What pairs of mentions are judged by: `places` (places, numbers), `weights` (labels + 1,
    numbers), `biases`; the last label is none. A label is stated where its margin is above its
    threshold, or above that of the empty label.
    """

    labels: Sequence[str]
    thresholds: Mapping[str, float]
    places: NDArray[np.float32]
    weights: NDArray[np.float32]
    biases: NDArray[np.float32]

    def judged(
        self,
        text: str,
        spans: Sequence[tuple[int, int]],
        names: Sequence[tuple[int, int, str]],
        firsts: Sequence[int],
        parts: NDArray[np.float32],
        thresholds: Mapping[str, float] | None = None,
    ) -> Judged:
        """What a text states, of its words, its names (first word, last word, kind), the first
        piece of each word and the network's numbers for each piece.
        """
        limits = self.thresholds if thresholds is None else thresholds
        words = parts[firsts][:, 4 * self.places.shape[1] :]
        marked = stretches(words[:, :WORD_TAGS], BEGINS)
        there = parties(text, spans, names, marked)
        said = self._said(there, spans, firsts, parts, limits) if len(there) > 1 else []
        return Judged(tuple(said), tuple(_noticed(words[:, WORD_TAGS:], spans, limits)))

    def _said(
        self,
        there: Sequence[Party],
        spans: Sequence[tuple[int, int]],
        firsts: Sequence[int],
        parts: NDArray[np.float32],
        limits: Mapping[str, float],
    ) -> list[Said]:
        import numpy as np

        mentions = [mention for party in there for mention in party.mentions]
        starts = np.cumsum([0, *(len(party.mentions) for party in there)])
        over = self._margins(mentions, firsts, parts)
        # Mentions of a party stand together: what is said of any of them is said of it.
        most = max(0.0, float(over.max()))
        sums = np.add.reduceat(np.exp(over - most), starts[:-1], axis=0)
        sums = np.add.reduceat(sums, starts[:-1], axis=1)
        between = np.log(np.maximum(sums, 1e-30)) + most
        between[np.arange(len(there)), np.arange(len(there))] = -np.inf
        usual = limits.get("", 0.0)
        wanted = np.array([limits.get(label, usual) for label in self.labels], np.float32)
        out: list[Said] = []
        for one, other, number in np.argwhere(between > wanted).tolist():
            label = self.labels[number]
            if is_symmetric(label) and (between[other, one, number], one) > (
                between[one, other, number],
                other,
            ):
                continue
            block = over[starts[one] : starts[one + 1], starts[other] : starts[other + 1], number]
            row, column = np.unravel_index(int(block.argmax()), block.shape)
            left = _mention(there[one], int(row), spans)
            right = _mention(there[other], int(column), spans)
            out.append(Said(left, label, right, float(between[one, other, number])))
        return out

    def _margins(
        self, mentions: Sequence[tuple[int, int]], firsts: Sequence[int], parts: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """(mentions, mentions, labels)"""
        import numpy as np

        size = self.places.shape[1]
        pieces = [
            (0, 0) if first == OPENING else (firsts[first], firsts[last])
            for first, last in mentions
        ]
        ends = parts[np.array(pieces)][:, :, : 4 * size].mean(axis=1)
        left, right, scaled, scale = (ends[:, at * size : (at + 1) * size] for at in range(4))
        where = np.array([[place(one, other) for other, _ in mentions] for one, _ in mentions])
        seen = left[:, None] + right[None] + scaled[:, None] * scale[None] + self.places[where]
        scores = np.maximum(seen, 0.0) @ self.weights.T + self.biases
        over: NDArray[np.float32] = scores[:, :, :-1] - scores[:, :, -1:]
        return over


def _mention(party: Party, number: int, spans: Sequence[tuple[int, int]]) -> Mention:
    first, last = party.mentions[number]
    start, stop = (0, 0) if first == OPENING else (spans[first][0], spans[last][1])
    return Mention(start, stop, party.kind, party.name)


def _noticed(
    scores: NDArray[np.float32], spans: Sequence[tuple[int, int]], limits: Mapping[str, float]
) -> list[Noticed]:
    """The statements; the whole text holds one if any of its words does."""
    import numpy as np

    out: list[Noticed] = []
    for kind, over in zip(STATEMENTS, np.logaddexp.reduce(scores, axis=0).tolist(), strict=True):
        if over > limits.get(f"! {kind}", 0.0):
            start, stop = spans[int(scores[:, STATEMENTS.index(kind)].argmax())]
            out.append(Noticed(kind, start, stop, over))
    return out


def stretches(tags: NDArray[np.float32], begins: float) -> list[tuple[int, int]]:
    """The first and the last word of each stretch of plain words, of the logits (words, 3) for
    none, first and further word; `begins` is how likely the first must be.
    """
    import numpy as np

    shares = np.exp(tags - np.logaddexp.reduce(tags, axis=1, keepdims=True))
    out: list[tuple[int, int]] = []
    for at in np.flatnonzero(shares[:, 1] >= begins).tolist():
        last = at
        while last + 1 < len(shares) and last + 1 - at < LONGEST and shares[last + 1, 2] >= FURTHER:
            last += 1
        out.append((at, last))
    return out
