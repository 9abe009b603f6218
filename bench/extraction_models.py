"""What any extractor that a spec names finds in texts, and what it costs: `python -m bench
extraction --extractor SPEC`.

Each text is one message and one call, unless `--at-once` puts several into one. A call that fails
loses its texts, and is counted. Spans are names without regard to case; ends are the pairs of names
that a relation joins, whichever way round.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bench.report import Bar, Table
from factbook.errors import ConfigError, ExtractError
from factbook.extract.ground import find_name
from factbook.learn.extractor_choice import choose, load_extractor
from factbook.model.draft import Draft
from factbook.model.episode import Episode
from factbook.model.kinds import BUILT_IN
from factbook.model.record import SELF
from factbook.model.usage import Usage
from factbook.ports.models import ExtractionContext, Extractor, Metered
from factbook.text.names import fold

CONTEXT = ExtractionContext(kinds={kind.id: kind for kind in BUILT_IN})
_SELVES = frozenset({SELF, "user", "i", "me"})


@dataclass(kw_only=True)
class Run:
    """What an extractor made of the texts; `drafts` by the text's id, without those that failed."""

    name: str
    texts: int = 0
    seconds: float = 0.0
    drafts: dict[str, Draft] = field(default_factory=dict)
    failed: Counter[str] = field(default_factory=Counter)
    used: Usage | None = None
    asked: Mapping[str, int] = field(default_factory=dict)


def opened(
    spec: str,
    base_url: str | None = None,
    max_tokens: int | None = None,
    timeout: float | None = None,
) -> Extractor:
    """The extractor; settings that aren't given come from the environment."""
    given = {"base_url": base_url, "max_tokens": max_tokens, "timeout": timeout, "temperature": 0.0}
    found = load_extractor(
        choose(spec, {key: value for key, value in given.items() if value is not None}, os.environ)
    )
    if found is None:
        raise ConfigError(f"{spec!r} reads nothing")
    return found


def run(
    extractor: Extractor, episodes: Sequence[Episode], at_once: int, tell: Callable[[str], None]
) -> Run:
    """Reads the episodes, so many in one call."""
    out = Run(name=extractor.name, texts=len(episodes))
    for first in range(0, len(episodes), at_once):
        batch = [replace(each, session="") for each in episodes[first : first + at_once]]
        began = time.perf_counter()
        try:
            drafts = extractor.extract(batch, CONTEXT)
        except ExtractError as error:
            out.failed[type(error).__name__] += len(batch)
            tell(f"{batch[0].id}: {error}")
            drafts = []
        out.seconds += time.perf_counter() - began
        out.drafts.update({draft.episode_id: draft for draft in drafts})
        tell(f"{first + len(batch)} of {len(episodes)}, {out.seconds:.0f} s")
    out.used = extractor.usage() if isinstance(extractor, Metered) else None
    out.asked = getattr(extractor, "counts", {})
    return out


def tables(
    run: Run, episodes: Sequence[Episode], gold: Sequence[Mapping[str, Any]]
) -> tuple[list[Table], list[Bar]]:
    """What it found against the answers, what was rejected, and what it cost."""
    made_up = sum(_made_up(run.drafts[each.id], each) for each in episodes if each.id in run.drafts)
    found = Table(title=run.name, columns=["figure", "value"])
    found.add("texts", run.texts)
    for reason, number in run.failed.items():
        found.add(f"texts lost by {reason}", number)
    for title, value in _scores(run.drafts, gold):
        found.add(title, value)
    found.add("ungrounded names in drafts", made_up)
    dropped = Counter(each.reason for draft in run.drafts.values() for each in draft.dropped)
    for reason, number in dropped.most_common():
        found.add(f"rejected: {reason}", number)
    cost = Table(title="cost", columns=["figure", "a text"])
    cost.add("seconds", run.seconds / max(run.texts, 1))
    if run.used is not None:
        for title, number in (
            ("calls", run.used.calls),
            ("tokens read", run.used.input_tokens),
            ("tokens written", run.used.output_tokens),
        ):
            cost.add(title, number / max(run.texts, 1))
    if run.asked:
        spared = run.asked.get("not_asked", 0)
        cost.add("calls saved, share of texts", spared / max(sum(run.asked.values()), 1))
        for reason, number in run.asked.items():
            cost.add(f"texts, {reason.replace('_', ' ')}", number)
    return [found, cost], [Bar(name="ungrounded names in drafts", value=made_up, limit=0, sign="=")]


def _made_up(draft: Draft, episode: Episode) -> int:
    """Names that stand nowhere in the text."""
    names = [
        name for each in draft.entities if each.ref != SELF for name in (each.name, *each.aliases)
    ]
    texts = [message.text for message in episode.messages]
    return sum(not any(find_name(name, text) for text in texts) for name in names)


def _scores(
    drafts: Mapping[str, Draft], gold: Sequence[Mapping[str, Any]]
) -> Iterable[tuple[str, float]]:
    if not gold:
        return
    wanted: dict[str, set[object]] = {
        "span F1": set(),
        "typed F1": set(),
        "relation ends F1": set(),
    }
    got: dict[str, set[object]] = {key: set() for key in wanted}
    for row in gold:
        id_, draft = row["id"], drafts.get(row["id"], Draft(episode_id=row["id"]))
        for each in row.get("entities", ()):
            wanted["span F1"].add((id_, fold(each["name"])))
            wanted["typed F1"].add((id_, fold(each["name"]), each["type"]))
        for each in row.get("relations", ()):
            wanted["relation ends F1"].add((id_, _pair(each["from"], each["to"])))
        names = {SELF: SELF} | {each.ref: each.name for each in draft.entities}
        for entity in draft.entities:
            if entity.ref != SELF and not entity.phrase:
                got["span F1"].add((id_, fold(entity.name)))
                got["typed F1"].add((id_, fold(entity.name), entity.kind))
        for link in draft.relations:
            if not link.retracts and not link.told_by:
                got["relation ends F1"].add((id_, _pair(names[link.from_ref], names[link.to_ref])))
    for key, answers in wanted.items():
        right = len(answers & got[key])
        yield key, 2 * right / max(len(answers) + len(got[key]), 1)


def _pair(left: str, right: str) -> frozenset[str]:
    return frozenset(SELF if fold(each) in _SELVES else fold(each) for each in (left, right))
