"""Gives account of how a question was understood: in a recollection, and on each line that hops led
to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from factbook.model.recollection import Asked, AskedName, AskedTime, RecalledLine, Recollection
from factbook.model.record import SELF
from factbook.recall.understand.query import Query
from factbook.recall.understand.question_entities import Followed
from factbook.text.question.question_times import BEGINNING, END, Span


def accounted(recollection: Recollection, understood: Mapping[str, Followed]) -> Recollection:
    """The recollection with how each space understood the question."""
    asked = {space: each.query for space, each in understood.items()}
    if any(query.paths for query in asked.values()):
        recollection = replace(
            recollection,
            lines=tuple(_led_to(line, asked) for line in recollection.lines),
            near=tuple(_led_to(line, asked) for line in recollection.near),
        )
    return replace(
        recollection, asked=tuple(_asked(space, each) for space, each in understood.items())
    )


def _led_to(line: RecalledLine, asked: Mapping[str, Query]) -> RecalledLine:
    query = asked.get(line.space)
    path = (
        next((query.paths[key] for key in line.entity_ids if key in query.paths), "")
        if query is not None
        else ""
    )
    return replace(line, path=path, because=f"{line.because} · graph: {path}") if path else line


def _asked(space: str, understood: Followed) -> Asked:
    query, rows = understood.query, understood.rows
    return Asked(
        space=space,
        names=tuple(
            AskedName(
                said=each.name,
                name=rows[each.entity_id].name if each.entity_id in rows else each.name,
                entity_id=each.entity_id,
                strength=round(each.strength, 2),
            )
            for each in query.linked
            if each.entity_id in rows or each.entity_id == SELF
        ),
        time=_time(query.span) if query.span is not None else None,
        kinds=query.kinds,
        attributes=query.attributes,
        shape=query.shape,
        paths=tuple(each.path for each in query.reached),
        past=query.past,
    )


def _time(span: Span) -> AskedTime:
    return AskedTime(
        said=span.words,
        since=None if span.at == BEGINNING else span.at,
        until=None if span.until == END else span.until,
        known_by=span.known_by,
    )
