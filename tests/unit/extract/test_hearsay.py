"""What a text passes on of somebody else keeps who said it."""

from __future__ import annotations

import pytest

from factbook.extract.ground import ground_draft
from factbook.model.draft import Draft, DraftEntity, DraftRelation
from tests.support.drafts import KINDS, compact, draft, episode

pytestmark = pytest.mark.model


def told(text: str) -> str:
    """The relations and facts of a text."""
    return "; ".join(line for line in compact(draft(text)).splitlines() if ": " not in line)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Tom says that Priya works at Globex.", "Priya works_at Globex says Tom"),
        (
            "Priya left Globex, says Tom.",
            "not Priya works_at Globex says Tom; Priya worked_at Globex says Tom",
        ),
        (
            "According to Helena, Project Falcon uses Redis.",
            "Project Falcon uses Redis says Helena",
        ),
        ("Ana told me that she lives in Oslo.", "Ana lives_in Oslo says Ana"),
        ("I heard from Ana that Priya moved to Oslo.", "Priya lives_in Oslo says Ana"),
        ("Globex announced that it acquired Initrode.", "Globex acquired Initrode says Globex"),
        (
            "Kofi mentioned that his sister Lena lives in Porto.",
            "Lena sibling_of Kofi says Kofi; Lena lives_in Porto says Kofi",
        ),
        # nobody's word
        ("Did Tom say that Priya works at Globex?", ""),
        ("Tom didn't say that Priya works at Globex.", ""),
        ("Tom might say that Priya works at Globex.", ""),
        ("Tom thinks that Priya works at Globex.", ""),
        ("They say that Priya works at Globex.", ""),
        ("Tom and Ana say that Priya works at Globex.", ""),
        ("If Tom says that Priya works at Globex, ask him.", ""),
        # the speaker's own
        ("I said that I live in Oslo.", "self lives_in Oslo"),
        ("Priya works at Globex and Tom says hi.", "Priya works_at Globex"),
    ],
)
def test_who_vouches_for_what(text: str, found: str) -> None:
    assert told(text) == found


def test_who_says_it_must_stand_in_the_text() -> None:
    entities = tuple(DraftEntity(ref=name, name=name, kind="person") for name in ("Ana", "Tom"))
    link = DraftRelation(
        from_ref="Ana",
        label="knows",
        to_ref="Tom",
        message_id="m1",
        quote="Ana knows Tom",
        told_by="Eve",
    )
    made = ground_draft(
        Draft(episode_id="e", entities=entities, relations=(link,)), episode("Ana knows Tom"), KINDS
    )
    assert not made.relations
    assert [each.reason for each in made.dropped] == ["ungrounded"]
