"""Signals and the score that they make."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from factbook.model.line import Hit, WordStats
from factbook.recall.measure.signals import Known, Measured, Ties, Wording, asked_for, measure
from factbook.recall.measure.surroundings import chance, surround
from factbook.recall.rank.ranking import MOST_NEAR, MOST_RANKED, Ranking, rank
from factbook.recall.understand.query import Query, understand
from factbook.recall.weights import DEFAULT, Weights
from factbook.render.block import because
from factbook.text.name_links import Linked
from tests.support import builders as b

NOW = b.at(days=30)
STATS = WordStats(
    lines=100, mean_length=8.0, frequency={"potteri": 4, "class": 10, "tom": 50, "blue": 5}
)
NONE = Ties(named={}, linked={})


def hit(no: int, **rest: Any) -> Hit:
    default = {
        "id": f"m{no}",
        "kind": "message",
        "session": 1,
        "position": no,
        "at": NOW.timestamp(),
        "length": 8,
    }
    return Hit(no=no, **{**default, **rest})


TRUSTING = replace(DEFAULT, scant=0.0)
"""Weights by which no word is held by chance."""


def look(
    question: str,
    *hits: Hit,
    ties: Ties = NONE,
    known: dict[str, Known] | None = None,
    weights: Weights = TRUSTING,
    akin: dict[str, dict[str, float]] | None = None,
    held: dict[int, list[str]] | None = None,
    **rest: Any,
) -> Measured:
    query = understand(question, now=NOW, **rest)
    wording = Wording(rarity=asked_for(query, STATS, hits), akin=akin or {}, held=held or {})
    measured = measure(hits, query, STATS, ties, weights=weights, now=NOW, wording=wording)
    return surround(measured, query, STATS, known=known or {}, weights=weights)


def order(measured: Measured) -> list[int]:
    return [each.hit.no for each in rank(measured, DEFAULT).worth]


def test_rare_words_weigh_more_than_common_ones_and_all_more_than_some() -> None:
    found = look(
        "Tom's pottery class",
        hit(1, counts={"potteri": 1, "class": 1, "tom": 1}, session=1),
        hit(2, counts={"potteri": 1}, session=2),
        hit(3, counts={"tom": 1}, session=3),
        hit(4, session=4),
    )
    words = found.columns["words"]
    assert words[0] > words[1] > words[2] > words[3] == 0.0
    assert max(words) <= 1.0 * DEFAULT.alone()


def test_a_long_line_holds_a_word_less_than_a_short_one() -> None:
    found = look("pottery", hit(1, counts={"potteri": 1}), hit(2, counts={"potteri": 1}, length=80))
    assert found.columns["words"][0] >= found.columns["words"][1]
    assert found.columns["words"][1] < found.columns["words"][0] or DEFAULT.b == 0


def test_words_stand_in_for_meaning_where_there_is_no_vector() -> None:
    found = look(
        "pottery class", hit(1, counts={"potteri": 1}), hit(2, counts={"potteri": 1}, cosine=0.0)
    )
    assert found.columns["words"][0] == pytest.approx(DEFAULT.alone() * found.columns["words"][1])
    assert replace(DEFAULT, words=0.0).alone() == 1.0


def test_neighbours_gain_and_an_answer_most() -> None:
    asked = hit(5, counts={"potteri": 1, "class": 1}, question=True)
    found = look("pottery class", asked, hit(6), hit(7), hit(9), hit(6, session=2, id="far"))
    near, beside, answer = (found.columns[name] for name in ("near", "beside", "answer"))
    assert near[1] > 0 < answer[1]
    assert (near[2], answer[2]) == (0.0, 0.0)
    assert beside[2] > 0
    assert [near[3], beside[3], answer[3], near[4], answer[4]] == [0.0] * 5


def test_lines_without_a_place_have_no_neighbours_and_no_session() -> None:
    found = look(
        "pottery class", hit(1, counts={"potteri": 1}, session=-1, position=-1), hit(2, session=-1)
    )
    assert found.columns["session"] == [0.0, 0.0]
    assert found.columns["near"] == [0.0, 0.0]


def test_a_session_holds_the_words_of_the_question_together() -> None:
    found = look(
        "pottery class",
        hit(1, counts={"potteri": 1}),
        hit(9, counts={"class": 1}),
        hit(1, counts={"potteri": 1}, session=2, id="x"),
    )
    session = found.columns["session"]
    assert session[0] == session[1] > session[2] > 0


@pytest.mark.parametrize(
    ("question", "speaker", "role", "share"),
    [
        ("what did tom berger say?", "tom berger", "user", 1.0),
        ("what did Tom say?", "tom berger", "user", 0.8),
        ("what did Berger say?", "tom berger", "user", 0.6),
        ("what did Priya say?", "tom berger", "user", 0.0),
        ("what did I say?", "", "user", 1.0),
        ("what did I say?", "", "assistant", 0.0),
        ("what was said?", "", "user", 0.0),
    ],
)
def test_who_said_it_counts_where_the_question_names_them(
    question: str, speaker: str, role: str, share: float
) -> None:
    someone_else = hit(2, speaker="lena")
    assert look(question, hit(1, speaker=speaker, role=role), someone_else).columns["speaker"] == [
        share,
        0.0,
    ]


@pytest.mark.parametrize(("others", "share"), [(0, 0.0), (1, 0.5), (3, 1.0), (9, 1.0)])
def test_that_the_user_said_it_tells_little_where_nobody_else_says_much(
    others: int, share: float
) -> None:
    own = [hit(no, speaker="", role="user") for no in range(3)]
    rest = [hit(10 + no, speaker="tom") for no in range(others)]
    assert look("what did I say?", *own, *rest).columns["speaker"] == [share] * 3 + [0.0] * others


def test_without_any_message_nobody_said_it() -> None:
    assert look("what did I say?", hit(1, kind="fact", session=-1)).columns["speaker"] == [0.0]


def test_a_line_about_someone_holds_the_name_that_the_question_calls_them_by() -> None:
    ties = Ties(named={"t": 1.0}, linked={"p": 0.5}, names={"t": frozenset({"tom"})})
    linked = [Linked(entity_id="t", name="Tom", strength=1.0)]
    found = look(
        "pottery with Tom",
        hit(1, entity_ids=("t",)),
        hit(2, entity_ids=("p",)),
        hit(3, entity_ids=("p", "t"), counts={"tom": 2}),
        ties=ties,
        linked=linked,
    )
    assert found.columns["name"] == [1.0, 0.0, 1.0]
    assert found.columns["graph"] == [0.0, 0.5, 0.5]
    assert found.columns["words"][0] > 0.0 == found.columns["words"][1]


def test_a_fact_is_measured_with_its_names_and_takes_the_rest_from_its_message() -> None:
    said = hit(1, counts={"potteri": 1}, cosine=0.8)
    fact = hit(2, id="f", kind="fact", session=-1, position=-1)
    behind = {"f": Known(source="m1", words=frozenset({"tom", "potteri", "class"}))}
    found = look("pottery class", said, fact, known=behind)
    assert found.columns["words"][1] == pytest.approx(1.0)
    assert found.columns["meaning"][1] == pytest.approx(0.8)
    assert found.columns["said"][0] == pytest.approx(1.0)
    assert found.fit[1] > found.fit[0]


def test_a_fact_that_holds_nothing_asked_for_takes_only_a_part() -> None:
    behind = {"f": Known(source="m1", words=frozenset({"tom", "turtl"}))}
    fact = hit(2, id="f", kind="fact", session=-1, position=-1)
    found = look("pottery class", hit(1, cosine=0.8), fact, known=behind)
    assert found.columns["meaning"][1] == pytest.approx(0.4)


def test_a_fact_whose_message_is_not_there_stands_on_its_own_words() -> None:
    behind = {"f": Known(source="gone", words=frozenset({"potteri"})), "m1": Known(source="m1")}
    found = look("pottery class", hit(1), hit(2, id="f", kind="fact", session=-1), known=behind)
    assert found.columns["words"][1] > 0.0
    assert found.columns["said"] == [0.0, 0.0]
    assert rank(found, DEFAULT).worth


def test_a_fact_about_someone_else_is_put_back() -> None:
    ties = Ties(named={"t": 1.0}, linked={"p": 0.5})
    linked = [Linked(entity_id="t", name="Tom", strength=1.0)]
    rows = [
        hit(n, id=f"f{n}", kind="fact", entity_ids=(who,)) for n, who in enumerate(("t", "p", "k"))
    ]
    assert look("pottery with Tom", *rows, ties=ties, linked=linked).columns["stranger"] == [
        0.0,
        0.0,
        1.0,
    ]
    assert look("pottery", *rows, ties=ties).columns["stranger"] == [0.0, 0.0, 0.0]


def test_what_held_once_is_put_back_unless_the_past_is_asked_for() -> None:
    gone = hit(1, id="f", kind="fact", superseded=True)
    assert look("pottery class", gone).columns["former"] == [1.0]
    assert look("the former pottery class", gone).columns["former"] == [0.0]


def test_newer_and_more_important_lines_come_first_where_all_else_is_equal() -> None:
    old = hit(1, counts={"potteri": 1}, session=1, at=NOW.timestamp() - 180 * 86400)
    new = hit(2, counts={"potteri": 1}, session=2)
    later = hit(3, counts={"potteri": 1}, session=3, at=NOW.timestamp() + 10)
    great = hit(4, counts={"potteri": 1}, session=4, importance=0.9)
    found = look("pottery", old, new, later, great)
    assert found.columns["recency"] == pytest.approx([0.5, 1.0, 1.0, 1.0])
    assert order(found) == [4, 2, 3, 1]


def test_the_time_asked_for_and_its_aftermath() -> None:
    times = [b.at(days=days).timestamp() for days in (0, 26, 36, 80)]
    found = look("what about pottery in May 2024?", *(hit(n, at=at) for n, at in enumerate(times)))
    assert found.columns["time"] == [1.0, 0.5, 0.5, 0.0]


def test_nothing_ranks_where_no_line_fits_by_itself() -> None:
    assert rank(look("pottery class"), DEFAULT) == Ranking(silent=True)
    weak = look("pottery class", hit(1, cosine=0.2, speaker="tom"), hit(2, question=True))
    ranking = rank(weak, DEFAULT)
    assert ranking.silent
    assert not ranking.worth
    assert 0 < ranking.fit < 1 - DEFAULT.doubt
    assert [each.hit.no for each in ranking.near] == [1, 2]


def test_the_tail_is_told_of_but_not_said() -> None:
    strong = hit(1, counts={"potteri": 1, "class": 1}, cosine=0.9)
    weak = [hit(10 * n, session=n) for n in range(2, 2 + MOST_RANKED + 2 * MOST_NEAR)]
    ranking = rank(look("pottery class", strong, *weak), DEFAULT)
    assert [each.hit.no for each in ranking.worth] == [1]
    assert len(ranking.near) == MOST_NEAR


def test_parts_add_up_to_the_score_and_are_said_in_words() -> None:
    ranking = rank(
        look("pottery class", hit(1, counts={"potteri": 1}, cosine=0.5, question=True)), DEFAULT
    )
    (best,) = ranking.worth
    made_of = ranking.parts(best)
    assert sum(made_of.values()) == pytest.approx(best.score)
    assert because(made_of).startswith("session 0.1")
    assert "question -0.0" in because(made_of)
    assert because({"name": 0.4, "words": 0.27, "recency": 0.001}) == "name 0.40 · words 0.27"


def test_a_kind_can_be_weighed() -> None:
    heavy = replace(DEFAULT, note=0.3)
    found = look(
        "pottery class",
        hit(1, counts={"potteri": 1}),
        hit(2, kind="note", session=-1, counts={"class": 1}),
    )
    ranking = rank(found, heavy)
    assert ranking.worth[0].hit.kind == "note"
    assert ranking.parts(ranking.worth[0])["kind"] == 0.3


def test_a_score_is_between_0_and_1() -> None:
    best = hit(1, counts={"potteri": 9, "class": 9}, cosine=1.0, speaker="tom", importance=1.0)
    (scored,) = rank(look("Tom's pottery class", best), replace(DEFAULT, words=2.0)).worth
    assert scored.score == 1.0


def test_an_empty_question_measures_nothing() -> None:
    query = Query(text="")
    measured = measure([hit(1)], query, WordStats(), NONE, weights=DEFAULT, now=NOW)
    assert measured.fit == [0.0]


def test_a_word_akin_to_one_asked_for_counts_by_how_near_it_is_unless_the_word_itself_is_there() -> (
    None
):
    found = look(
        "pottery class",
        hit(1, session=1),
        hit(2, session=2),
        hit(3, session=3),
        hit(4, session=4, counts={"potteri": 1}),
        akin={"potteri": {"ceram": 0.8, "clay": 0.5}, "class": {"lesson": 0.6}},
        held={2: ["clay"], 3: ["ceram", "clay"], 4: ["ceram"]},
    )
    akin = found.columns["akin"]
    assert akin[0] == akin[3] == 0.0
    assert 0.0 < akin[1] < akin[2] < found.columns["words"][3]
    assert akin[1] / akin[2] == pytest.approx(0.5 / 0.8)
    assert order(found)[:2] == [4, 3]


def test_an_akin_word_stands_for_each_word_that_it_is_akin_to() -> None:
    near = {"potteri": {"craft": 0.4}, "class": {"craft": 0.4}}
    both = look("pottery class", hit(1), akin=near, held={1: ["craft"]})
    one = look("pottery class", hit(1), akin={"potteri": near["potteri"]}, held={1: ["craft"]})
    assert both.columns["akin"][0] > one.columns["akin"][0] > 0.0


def test_the_name_of_one_who_speaks_is_no_word_that_lines_should_hold() -> None:
    query = understand("Tom's pottery class", now=NOW)
    assert set(asked_for(query, STATS, [hit(1, speaker="tom")])) == {"potteri", "class"}
    assert set(asked_for(query, STATS, [hit(1, speaker="ada")])) == {"tom", "potteri", "class"}
    assert set(asked_for(understand("Tom", now=NOW), STATS, [hit(1, speaker="tom")])) == {"tom"}


def test_where_lines_hold_next_to_nothing_of_what_is_asked_for_meaning_decides() -> None:
    lines = (
        hit(1, counts={"class": 1}, cosine=0.5, session=1),
        hit(2, cosine=0.55, session=2),
        hit(3, counts={"class": 1}, cosine=0.1, session=1),
    )
    asked = "pottery turtle violin opera class"
    trusting, doubting = look(asked, *lines), look(asked, *lines, weights=DEFAULT)
    assert order(trusting)[0] == 1
    assert order(doubting)[0] == 2
    assert doubting.columns["words"][0] < trusting.columns["words"][0]
    assert doubting.columns["meaning"][1] > trusting.columns["meaning"][1]
    assert doubting.fit == trusting.fit


def test_words_are_not_doubted_where_there_is_no_vector_nor_where_a_line_holds_most_of_them() -> (
    None
):
    bare = (hit(1, counts={"class": 1}), hit(2))
    assert look("pottery turtle violin class", *bare, weights=DEFAULT) == look(
        "pottery turtle violin class", *bare
    )
    full = look(
        "pottery class", hit(1, counts={"potteri": 1, "class": 1}, cosine=0.3), weights=DEFAULT
    )
    assert chance(full, DEFAULT) < 0.01


def test_in_doubt_the_asker_and_unsure_names_count_less_and_sure_ones_as_much() -> None:
    ties = Ties(named={"s": 1.0, "w": 0.5}, linked={})
    lines = (
        hit(1, cosine=0.4, role="user", session=1),
        hit(2, cosine=0.4, speaker="bo", entity_ids=("s",), session=2),
        hit(3, cosine=0.4, speaker="bo", entity_ids=("w",), session=3),
    )
    asked = "what about my pottery turtle?"
    trusting = look(asked, *lines, ties=ties)
    doubting = look(asked, *lines, ties=ties, weights=DEFAULT)
    assert trusting.columns["speaker"][0] > doubting.columns["speaker"][0]
    assert trusting.columns["name"][1] == doubting.columns["name"][1] == 1.0
    assert trusting.columns["name"][2] > doubting.columns["name"][2]


def test_the_best_lines_of_a_session_speak_for_all_of_it() -> None:
    rows = [hit(n, session=1, cosine=c) for n, c in enumerate((0.9, 0.8, 0.7, 0.0))]
    found = look(
        "pottery",
        *rows,
        hit(9, session=2, position=9, cosine=0.1),
        hit(10, session=-1, position=-1, cosine=0.5),
    )
    best = found.columns["best"]
    assert best[:4] == [pytest.approx(sum(sorted(found.fit[:4])[-3:]) / 3)] * 4
    assert best[4] == pytest.approx(found.fit[4])
    assert best[5] == 0.0
