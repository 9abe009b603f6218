"""How far the network is from the parses, in training and in figures."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from training import clause_model
from training.syntax_items import LABELS, SyntaxItem

STARTS = 0.5
"""How much it counts where sentences begin, beside what each token is."""
NEVER = -1e4


def syntax_loss(net: clause_model.Clauses, items: Sequence[SyntaxItem], parts: Tensor) -> Tensor:
    """Of tags, parts of speech, how tokens hang and on which, and where sentences begin."""
    given = [rows_of(net, parts[row], item) for row, item in enumerate(items)]
    rows = torch.cat([each for each, _ in given])
    widths = [len(net.labels[name]) for name in LABELS]
    *scores, starts, _, _ = rows.split([*widths, 1, clause_model.ARC, clause_model.ARC], dim=1)
    wanted = torch.tensor([label for item in items for label in item.labels])
    loss = nn.functional.cross_entropy(torch.cat([arcs for _, arcs in given]), heads_of(items))
    for number, each in enumerate(scores):
        loss = loss + nn.functional.cross_entropy(each, wanted[:, number])
    begins = torch.tensor([float(each) for item in items for each in item.starts])
    return loss + STARTS * nn.functional.binary_cross_entropy_with_logits(starts[:, 0], begins)


MOST_TOKENS = 256


def rows_of(net: clause_model.Clauses, parts: Tensor, item: SyntaxItem) -> tuple[Tensor, Tensor]:
    """The numbers of each token, and its scores with each token as its head, padded to `MOST_TOKENS`, and behind
    them with none: shape (tokens, MOST_TOKENS + 1).
    """
    width = clause_model.syntax_parts(net.labels)
    both = parts[:, clause_model.CLAUSE_PARTS :].view(len(parts), 2, width)
    rows = both[item.pieces, item.second]
    arc = clause_model.ARC
    scores = rows.new_full((len(rows), MOST_TOKENS + 1), NEVER)
    looking, found = rows[:, -2 * arc : -arc], rows[:, -arc:]
    scores[:, : len(rows)] = looking @ found.T / arc**0.5
    own = torch.arange(len(rows))
    scores[own, own] = NEVER
    scores[:, -1] = looking @ both[0, 0, -arc:] / arc**0.5
    return rows, scores


def heads_of(items: Sequence[SyntaxItem]) -> Tensor:
    """The number of each token's head; `MOST_TOKENS` for a root."""
    return torch.tensor(
        [head if head >= 0 else MOST_TOKENS for item in items for head in item.heads]
    )


def syntax_scores(net: clause_model.Clauses, items: Sequence[SyntaxItem]) -> dict[str, float]:
    """Shares of tokens with the right label, head (`uas`), and both (`las`); of sentences' beginnings found."""
    from training.clause_items import padded

    right = dict.fromkeys((*LABELS, "uas", "las", "starts"), 0)
    count = 0
    with torch.no_grad():
        for item in items:
            rows, arcs = rows_of(net, net(*padded([item]))[0], item)
            widths = [len(net.labels[name]) for name in LABELS]
            *scores, starts, _, _ = rows.split([*widths, 1, clause_model.ARC, clause_model.ARC], 1)
            wanted = torch.tensor(item.labels)
            head = arcs.argmax(1) == heads_of([item])
            for number, name in enumerate(LABELS):
                same = scores[number].argmax(1) == wanted[:, number]
                right[name] += int(same.sum())
            right["uas"] += int(head.sum())
            right["las"] += int((head & same).sum())
            told = torch.tensor(item.starts) == 1
            right["starts"] += int(((starts[:, 0] > 0) == told).sum())
            count += len(rows)
    return {name: round(each / max(count, 1), 4) for name, each in right.items()}
