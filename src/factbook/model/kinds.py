"""The kinds that every space knows."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from factbook.model.record import Cardinality, EntityType
from factbook.model.relations import single_labels

_TAGS: Mapping[str, Cardinality] = {
    "likes": "set",
    "dislikes": "set",
    "skills": "set",
    "tags": "set",
}

BUILT_IN: tuple[EntityType, ...] = (
    EntityType(
        id="person",
        attributes={
            **_TAGS,
            **dict.fromkeys(
                (
                    *(
                        "hobbies",
                        "languages",
                        "nationality",
                        "allergies",
                        "children",
                        "siblings",
                        "pets",
                    ),
                    *("condition", "medication", "diet"),
                ),
                "set",
            ),
        },
        relations=single_labels("person"),
        section="People",
    ),
    EntityType(
        id="organization", attributes=_TAGS, section="Organizations", other_names=("org", "company")
    ),
    EntityType(
        id="place", attributes=_TAGS, section="Places", other_names=("location", "city", "country")
    ),
    EntityType(id="project", attributes=_TAGS, section="Projects"),
    EntityType(
        id="technology", attributes=_TAGS, section="Technologies", other_names=("tech", "tool")
    ),
    EntityType(id="product", attributes=_TAGS, section="Products", other_names=("service",)),
    EntityType(
        id="work",
        attributes=_TAGS,
        section="Works",
        other_names=(
            *("book", "novel", "film", "movie", "song", "album", "game", "video_game"),
            *("board_game", "tv_series", "tv_show", "podcast", "poem", "painting"),
        ),
    ),
    EntityType(
        id="animal",
        attributes={
            **_TAGS,
            **dict.fromkeys(("allergies", "condition", "medication", "diet"), "set"),
        },
        section="Animals",
        other_names=(
            *("pet", "dog", "puppy", "cat", "kitten", "horse", "rabbit", "hamster", "parrot"),
        ),
    ),
    EntityType(id="concept", attributes=_TAGS, section="Concepts", other_names=("topic",)),
    EntityType(id="event", attributes=_TAGS, section="Events"),
    EntityType(id="task", attributes=_TAGS, section="Tasks", other_names=("commitment", "ticket")),
    EntityType(id="other", attributes=_TAGS),
    EntityType(
        id="campaign",
        attributes={
            "campaign_id": "single",
            "strategy": "single",
            "budget": "single",
            "status": "single",
            "last_performance": "event",
        },
        forms={"budget": "number", "last_performance": "figures"},
        section="Known Campaigns",
    ),
    EntityType(
        id="metric",
        attributes={"value": "event", "unit": "single", "period": "single", "campaign": "single"},
        lifespan=timedelta(days=30),
        section="Historical Metrics",
    ),
    EntityType(
        id="decision",
        attributes={
            "action": "single",
            "rationale": "single",
            "affected_entities": "set",
            "reversible": "single",
            "outcome": "single",
        },
        forms={"reversible": "yes_no"},
        section="Prior Decisions",
    ),
    EntityType(
        id="pain_point",
        attributes={
            "severity": "single",
            "frequency": "event",
            "resolved": "single",
            "related_campaigns": "set",
        },
        forms={"severity": "low|medium|high", "frequency": "count", "resolved": "yes_no"},
        section="Known Pain Points",
    ),
    EntityType(
        id="preference",
        attributes={"category": "single", "value": "single", "confidence": "single"},
        forms={"category": "communication|analysis|risk|reporting", "confidence": "share"},
        lifespan=timedelta(days=180),
        section="User Preferences",
    ),
)
"""The twelve plain kinds, and the five with the schemas of document 002. It has none for the metric,
whose schema is ours: a value may be a text that is no figure (`142/90`, `on track`).
"""

STATEMENTS = frozenset({"preference", "pain_point", "decision", "task"})
"""Kinds whose names are statements."""
