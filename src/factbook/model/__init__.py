"""Frozen values, each with the behaviour that is its own alone: the words of the design, one class
each.

Its modules are one a word, since all rooms take single values out of them. The names here are
stable: `from factbook.model import Draft`.
"""

from __future__ import annotations

from factbook.model.change import Change, Commit, Stamp
from factbook.model.draft import (
    Draft,
    DraftEntity,
    DraftFact,
    DraftMention,
    DraftObservation,
    DraftRelation,
    Dropped,
)
from factbook.model.entity import Conflict, Entity, Link, StatedFact
from factbook.model.episode import Episode, Message, StoredMessage
from factbook.model.job import Job
from factbook.model.line import LineFilter
from factbook.model.receipt import Erased, Event, Learned, Receipt
from factbook.model.recollection import RecalledLine, Recollection
from factbook.model.record import EntityType, Fact, Note, Observation, Relation, Review
from factbook.model.source import Source
from factbook.model.trend import Trend, TrendPoint
from factbook.model.usage import Usage

__all__ = [
    "Change",
    "Commit",
    "Conflict",
    "Draft",
    "DraftEntity",
    "DraftFact",
    "DraftMention",
    "DraftObservation",
    "DraftRelation",
    "Dropped",
    "Entity",
    "EntityType",
    "Episode",
    "Erased",
    "Event",
    "Fact",
    "Job",
    "Learned",
    "LineFilter",
    "Link",
    "Message",
    "Note",
    "Observation",
    "RecalledLine",
    "Receipt",
    "Recollection",
    "Relation",
    "Review",
    "Source",
    "Stamp",
    "StatedFact",
    "StoredMessage",
    "Trend",
    "TrendPoint",
    "Usage",
]
