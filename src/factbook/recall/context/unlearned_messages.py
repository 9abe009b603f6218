"""What was just remembered and isn't learned yet, word for word: a chat's first contexts tell it
while the models load.
"""

from __future__ import annotations

from collections.abc import Container

from factbook.model.line import Hit
from factbook.recall.find.known_rows import KnownRows
from factbook.recall.phrase.line_phrases import Candidate, Phrasing
from factbook.recall.rank.ranking import Scored
from factbook.recall.request import RecallRequest
from factbook.store.derive import derive_message_line

MOST_WAITING = 200
"""Jobs of a space from which on an import goes on, and no chat."""
MOST_EPISODES = 8
MOST_MESSAGES = 8
SCORE = 0.05
"""It comes after all that is known or was asked for; what is later comes first."""


def unlearned(request: RecallRequest, told: Container[str]) -> list[Candidate]:
    """Returns the user's latest messages that wait to be learned, latest first, without those that
    are `told`.
    """
    snapshot, space, where = request.snapshot, request.space, request.where
    counts = snapshot.job_counts(space)
    waiting = counts.get("waiting", 0) + counts.get("running", 0)
    if not waiting or waiting > MOST_WAITING or where.as_of is not None:
        return []
    jobs = snapshot.jobs(space, states=("waiting", "running"))[-MOST_EPISODES:]
    found = snapshot.episodes(space, [job.id for job in jobs])
    said = [message for job in jobs if job.id in found for message in found[job.id].messages]
    shown = [
        each
        for each in said
        if each.role == "user"
        and each.id not in told
        and where.allows_line(derive_message_line(each))
    ]
    latest = sorted(shown, key=lambda each: (each.at, each.position))[-MOST_MESSAGES:]
    phrasing = Phrasing(request, KnownRows(messages={each.id: each for each in latest}))
    out: list[Candidate] = []
    for place, message in enumerate(latest, 1):
        score = SCORE * place / len(latest)
        scored = Scored(hit=Hit(no=-1, id=message.id, kind="message"), score=score, index=0)
        candidate = phrasing.phrase(scored, {"just said": score})
        out += [candidate] if candidate is not None else []
    return out[::-1]
