from __future__ import annotations

from datetime import timedelta

import pytest

from factbook.model.episode import StoredMessage
from factbook.model.line import LineFilter
from factbook.model.source import ALWAYS
from factbook.store.derive import (
    derive_message_line,
    derive_record_line,
    is_question,
)
from tests.support.builders import START, alias, at, entity, fact, note, relation, same_as, source


def test_a_messages_line_has_its_speaker_day_and_text():
    said = StoredMessage(
        id="m",
        episode_id="e",
        at=START,
        text="Violins in Oslo?",
        speaker="Tom  BERGER",
        role="user",
    )
    line = derive_message_line(said, ["b", "a", "b"])
    assert line.words == ("tom", "berger", "6", "may", "2024", "violin", "oslo")
    assert (line.cost, line.speaker, line.question, line.entity_ids) == (
        3,
        "tom berger",
        True,
        ("a", "b"),
    )
    assert (line.session, line.embed, line.at) == ("", "Violins in Oslo?", START.timestamp())


def test_an_entitys_line_has_its_names_in_the_order_of_creation():
    others = [alias("t", "Bertie", created_at=at(2)), alias("t", "Tommy", created_at=at(1))]
    line = derive_record_line(entity("t", "Tom", kind="pain_point", description="A baker."), others)
    assert line is not None
    assert line.words == ("tom", "pain", "point", "tommi", "berti", "baker")
    assert line.embed == "Tom (pain point): A baker."
    assert line.cost == 5


def test_what_has_no_text_needs_no_vector():
    bare, blank = derive_record_line(entity("t", "Tom")), derive_record_line(note("  "))
    assert bare is not None
    assert blank is not None
    assert bare.embed == blank.embed == ""


def test_rows_that_nobody_recalls_have_no_line():
    assert derive_record_line(same_as("a", "b")) is None
    assert derive_record_line(alias("a", "b")) is None


def test_a_statements_time_is_when_it_was_said_or_else_recorded():
    said = derive_record_line(
        fact("a", "plays", "violin", source=source(said_at=at(5)), created_at=at(9))
    )
    made = derive_record_line(
        relation("a", "knows", "a", source=source(said_at=None), created_at=at(9))
    )
    assert said is not None
    assert made is not None
    assert (said.at, made.at) == (at(5).timestamp(), at(9).timestamp())
    assert made.entity_ids == ("a",)


@pytest.mark.parametrize(
    ("row", "moment"),
    [
        (fact("a", "b", "c"), None),
        (fact("a", "b", "c", invalid_at=at(3)), at(3).timestamp()),
        (fact("a", "b", "c", expired_at=at(3)), ALWAYS),
        (relation("a", "b", "c", invalid_at=at(3), expired_at=at(9)), ALWAYS),
    ],
)
def test_statements_end_when_they_are_superseded_or_never_held(row, moment: float | None):
    assert row.ends_at == moment
    line = derive_record_line(row)
    assert line is not None
    assert line.is_superseded_at(None) == (moment is not None)
    assert line.is_superseded_at(at(-9)) == (moment == ALWAYS)


@pytest.mark.parametrize("text", ["Really?", "“Really?” ", "(why?)", "本当？", "**Sure?**\n"])
def test_questions_end_with_a_question_mark(text: str):
    assert is_question(text)
    assert not is_question(f"{text} Yes.")


def test_a_line_expires_at_its_moment_and_not_before():
    line = derive_record_line(note("tea", expires_at=at(5)))
    assert line is not None
    assert LineFilter(now=at(5) - timedelta(microseconds=1)).allows_line(line)
    assert not LineFilter(now=at(5)).allows_line(line)
