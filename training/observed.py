"""Ordinary talk with what of it is worth keeping: conversations and the labels beside them.

    python -m training.observed                     # checks and counts all of `talk/`
    python -m training.observed --agree ONE TWO     # how far two labellers agree, of two label files

The forms are told in `talk/README.md`. The conversations of `talk/NAME.txt` have their
labels in `talk/NAME.labels`, or by labellers in `talk/NAME.a.labels` and so on; where two labelled the same, the second's
stand in `talk/second/`.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from training.stated import find

FOLDER = Path(__file__).parent / "talk"
KINDS = (
    "friends",
    "family",
    "work_group",
    "assistant",
    "coding",
    "mail",
    "minutes",
    "ticket",
    "dictated",
)
SORTS = (
    "event",
    "plan",
    "state",
    "opinion",
    "preference",
    "rule",
    "decision",
    "commitment",
    "complaint",
    "figure",
)
HOLDS = ("asserted", "denied", "planned", "hearsay")
MOST_KEEP = 3
ENOUGH_SHARED = 0.5
"""Of the characters of two spans together, what both have where they count as one clause."""
_TURN = re.compile(r"(?P<speaker>[^:|]{1,40}?)(?P<model> \(assistant\))?: (?P<text>\S.*)")
_EXTRA = ("when", "by", "stands")


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation.

    Attributes:
        key: the conversation's id and the turn's number, from 1: `friends-a07:3`.
        by_model: an assistant said it.
    """

    key: str
    speaker: str
    text: str
    by_model: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation: its id, kind, day (ISO) and turns in order."""

    id: str
    kind: str
    day: str
    turns: tuple[Turn, ...]

    @property
    def is_held_out(self) -> bool:
        """Whether it is of the tenth that no training reads."""
        return hashlib.sha256(self.id.encode()).digest()[0] < 26


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that is worth keeping.

    Attributes:
        start, end: characters of the turn. about: `speaker`, `you`, names, or words of the text.
        keep: 1 (small) to 3 (must be known). when: the words that tell its time.
        by: of hearsay, who said so. stands: what its pronouns stand for, by pronoun.
    """

    start: int
    end: int
    about: tuple[str, ...]
    sort: str
    holds: str
    keep: int
    when: str = ""
    by: str = ""
    stands: Mapping[str, str] = field(default_factory=dict[str, str])


def read_talks(path: Path) -> Iterator[Talk]:
    """Yields the conversations of a file.

    Raises:
        ValueError: a line is neither a heading, a turn nor a turn's further line.
    """
    head: list[str] = []
    turns: list[Turn] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.name}, line {number}"
        if line.startswith("## "):
            if head:
                yield Talk(head[0], head[1], head[2], tuple(turns))
            head, turns = [part.strip() for part in line[3:].split("|")], []
            if len(head) != 3 or head[1] not in KINDS or not re.fullmatch(r"[\d-]{10}", head[2]):
                raise ValueError(f"{where}: no `## id | kind | day`: {line!r}")
        elif line.startswith("  ") and turns:
            last = turns[-1]
            turns[-1] = Turn(last.key, last.speaker, f"{last.text}\n{line[2:]}", last.by_model)
        elif line.strip():
            found = _TURN.fullmatch(line)
            if found is None or not head:
                raise ValueError(f"{where}: no `Speaker: words`: {line!r}")
            turns.append(
                Turn(
                    f"{head[0]}:{len(turns) + 1}",
                    found["speaker"].strip(),
                    found["text"],
                    found["model"] is not None,
                )
            )
    if head:
        yield Talk(head[0], head[1], head[2], tuple(turns))


def read_labels(path: Path, texts: Mapping[str, str]) -> dict[str, list[Clause]]:
    """Returns what is kept of each turn, by its key; `texts` are the turns' words by key.

    Raises:
        ValueError: a line has no such form, or a span that doesn't stand in its turn.
    """
    out: dict[str, list[Clause]] = {}
    key = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{path.name}, line {number}"
        if not line.strip():
            continue
        if line.strip() in texts:
            key = line.strip()
            if key in out:
                raise ValueError(f"{where}: {key} stands twice")
            out[key] = []
        elif not key or " | " not in line:
            raise ValueError(f"{where}: neither a turn of the file nor a clause: {line!r}")
        else:
            after = out[key][-1].end if out[key] else 0
            out[key].append(_clause(line, texts[key], after, where))
    return out


def _clause(line: str, text: str, after: int, where: str) -> Clause:
    parts = [part.strip() for part in line.split(" | ")]
    # A span may hold the bar itself (a line of a table): what ends it is read by the sort behind `about`.
    at = next((at for at in range(2, len(parts)) if parts[at] in SORTS), 2)
    if len(parts) < at + 3:
        raise ValueError(f"{where}: no `span | about | sort | holds | keep`: {line!r}")
    span, (about, sort, holds, keep, *extra) = " | ".join(parts[: at - 1]), parts[at - 1 :]
    place = find(span, text, after) or find(span, text)
    if place is None:
        raise ValueError(f"{where}: {span!r} doesn't stand in the turn")
    if sort not in SORTS or holds not in HOLDS or keep not in ("1", "2", "3"):
        raise ValueError(f"{where}: sort, holds or keep: {sort!r}, {holds!r}, {keep!r}")
    more = dict[str, str]()
    for part in extra:
        name, _, value = part.partition(":")
        if name not in _EXTRA or not value.strip():
            raise ValueError(f"{where}: none of {', '.join(_EXTRA)}: {part!r}")
        more[name] = value.strip()
    pairs = [each.partition("=") for each in more.get("stands", "").split(",") if each.strip()]
    return Clause(
        start=place[0],
        end=place[1],
        about=tuple(each.strip() for each in about.split(";") if each.strip()),
        sort=sort,
        holds=holds,
        keep=int(keep),
        when=more.get("when", ""),
        by=more.get("by", ""),
        stands={left.strip(): right.strip() for left, _, right in pairs},
    )


def read_all(folder: Path = FOLDER) -> Iterator[tuple[Talk, dict[str, list[Clause]]]]:
    """Yields every conversation with the clauses of its turns; those without labels are left out.

    Raises:
        ValueError: as for `read_talks` and `read_labels`; or an id stands twice.
    """
    seen = set[str]()
    for path in sorted(folder.glob("*.txt")):
        talks = list(read_talks(path))
        texts = {turn.key: turn.text for talk in talks for turn in talk.turns}
        labels = dict[str, list[Clause]]()
        for beside in sorted(folder.glob(f"{path.stem}.*labels")):
            labels |= read_labels(beside, texts)
        for talk in talks:
            if talk.id in seen:
                raise ValueError(f"{path.name}: {talk.id} stands twice")
            seen.add(talk.id)
            if all(turn.key in labels for turn in talk.turns):
                yield talk, {turn.key: labels[turn.key] for turn in talk.turns}


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of two labellers on the turns that both labelled; shares in 0–1.

    Attributes:
        found: F1 of the clauses, which are one where half of their characters together are shared.
        sort, holds, about: of those, the share with the same. near: with `keep` at most one apart.
    """

    turns: int
    clauses: int
    found: float
    sort: float
    holds: float
    about: float
    keep: float
    near: float


def compare_labels(
    one: Mapping[str, Sequence[Clause]], two: Mapping[str, Sequence[Clause]]
) -> Agreement:
    """Compares what two labellers kept of the same turns."""
    both = sorted(one.keys() & two.keys())
    pairs = [pair for key in both for pair in _match(one[key], two[key])]
    counted = sum(len(one[key]) + len(two[key]) for key in both)
    matched = max(len(pairs), 1)

    def share(same: Sequence[bool]) -> float:
        return round(sum(same) / matched, 3)

    return Agreement(
        turns=len(both),
        clauses=counted,
        found=round(2 * len(pairs) / max(counted, 1), 3),
        sort=share([left.sort == right.sort for left, right in pairs]),
        holds=share([left.holds == right.holds for left, right in pairs]),
        about=share([_fold(left.about[0]) == _fold(right.about[0]) for left, right in pairs]),
        keep=share([left.keep == right.keep for left, right in pairs]),
        near=share([abs(left.keep - right.keep) <= 1 for left, right in pairs]),
    )


def _fold(name: str) -> str:
    return re.sub(r"^(?:the|my|a|an) ", "", name.casefold())


def _match(left: Sequence[Clause], right: Sequence[Clause]) -> Iterator[tuple[Clause, Clause]]:
    free = list(right)
    for each in left:
        best = max(free, key=lambda other: _shared(each, other), default=None)
        if best is not None and _shared(each, best) >= ENOUGH_SHARED:
            free.remove(best)
            yield each, best


def _shared(left: Clause, right: Clause) -> float:
    common = min(left.end, right.end) - max(left.start, right.start)
    return common / (max(left.end, right.end) - min(left.start, right.start)) if common > 0 else 0.0


def main() -> int:
    """Checks the texts and tells what they hold, or how far two labellers agree."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--agree", nargs=2, type=Path, metavar="LABELS")
    asked = parser.parse_args()
    if asked.agree:
        texts = {
            turn.key: turn.text
            for path in sorted(FOLDER.glob("*.txt"))
            for talk in read_talks(path)
            for turn in talk.turns
        }
        print(compare_labels(*(read_labels(path, texts) for path in asked.agree)))
        return 0
    written = [talk for path in sorted(FOLDER.glob("*.txt")) for talk in read_talks(path)]
    labelled = list(read_all())
    clauses = [clause for _, some in labelled for each in some.values() for clause in each]
    print(f"{len(written)} conversations, {sum(len(each.turns) for each in written)} turns")
    print(f"labelled: {len(labelled)}, {sum(len(each.turns) for each, _ in labelled)} turns")
    print(f"held out: {sum(each.is_held_out for each, _ in labelled)} conversations")
    for name in ("sort", "holds", "keep"):
        print(f"{name}:", dict(Counter(getattr(each, name) for each in clauses).most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
