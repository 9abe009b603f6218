"""Observations of a model's reply: words of one message, whom they are about, how they hold, when,
on whose word, and what they are worth. Scripted replies, the hostile ones among them.
"""

from __future__ import annotations

import time
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from factbook import Memory
from factbook.errors import ReplyRejectedError
from factbook.extract.llm import LlmExtractor
from factbook.extract.llm.dropped_items import MOST_DROPPED
from factbook.extract.llm.reply_lists import MOST_ITEMS, read_reply
from factbook.model.draft import Draft, DraftObservation
from factbook.model.episode import Episode, Message, StoredMessage
from factbook.model.record import SELF
from factbook.ports.models import ExtractionContext
from tests.support.drafts import KINDS, SAID_AT, episode
from tests.support.models import ScriptedModel

OSLO = {"name": "Oslo", "kind": "place"}
ANA = {"name": "Ana", "kind": "person"}


def judged(
    *observations: Any, said: str | Episode, entities: Any = (), user: str = "", **lists: Any
) -> Draft:
    """The draft of a reply that lists these observations of a message, or of an episode."""
    answer = {"entities": list(entities), "observations": list(observations), **lists}
    text = episode(said) if isinstance(said, str) else said
    context = ExtractionContext(kinds=KINDS, user=user)
    return LlmExtractor(ScriptedModel(replies=[answer])).extract([text], context)[0]


def seen(quote: str, *about: str, **more: Any) -> dict[str, Any]:
    given = {"quote": quote, "msg": 1, "about": list(about), "sort": "state", "holds": "asserted"}
    return {**given, "weight": 0.7, **more}


def only(draft: Draft) -> DraftObservation:
    assert [each.reason for each in draft.dropped] == []
    (found,) = draft.observations
    return found


def about(draft: Draft) -> list[list[str]]:
    """Whom each observation is about, by name."""
    names = {each.ref: each.name for each in draft.entities} | {SELF: SELF}
    return [[names[ref] for ref in each.refs] for each in draft.observations]


def reasons(draft: Draft) -> Counter[str]:
    return Counter(each.reason for each in draft.dropped)


# ------------------------------------------------------------------------------------------------
# what is taken


def test_an_observation_has_the_words_of_the_message_and_what_is_said_of_them():
    draft = judged(
        seen("ANA has been doing  pottery for five years!", "Ana", sort="preference", weight=0.8),
        said="Well, Ana has been doing pottery for five years!",
        entities=[ANA],
    )
    found = only(draft)
    assert found == DraftObservation(
        refs=("e1",),
        message_id="m1",
        quote="Ana has been doing pottery for five years",
        sort="preference",
        importance=0.8,
    )


def test_facts_and_relations_of_the_same_words_stay():
    draft = judged(
        seen("Ana works at Globex", "Ana"),
        said="Ana works at Globex",
        entities=[ANA, {"name": "Globex", "kind": "organization"}],
        relations=[
            {
                "from": "Ana",
                "label": "works_at",
                "to": "Globex",
                "msg": 1,
                "quote": "Ana works at Globex",
            }
        ],
    )
    assert [each.label for each in draft.relations] == ["works_at"]
    assert only(draft).quote == "Ana works at Globex"


@pytest.mark.parametrize(
    ("said", "names", "whom"),
    [
        ("I only drink oat milk", ["user"], [SELF]),
        ("I loved Oslo", ["user", "Oslo"], [SELF, "Oslo"]),
        ("Oslo is cold", ["Oslo"], ["Oslo"]),
        ("the deploy script fails on Mondays", ["deploy script"], ["deploy script"]),
        ("my sister moved to Leeds", ["my sister"], [SELF]),
        ("my sister saw Oslo", ["my sister", "Oslo"], ["Oslo", SELF]),
        ("Oslo is cold", [], ["Oslo", SELF]),
        ("I like Oslo", [], [SELF, "Oslo"]),
    ],
)
def test_whom_it_is_about(said, names, whom):
    draft = judged(seen(said, *names), said=said, entities=[OSLO] if "Oslo" in said else [])
    assert about(draft) == [whom]
    assert not draft.dropped


def test_the_speaker_by_name_is_who_says_i():
    draft = judged(seen("I sold the boat", "user"), said=episode(("Tom Berger", "I sold the boat")))
    assert about(draft) == [["Tom Berger"]]


@pytest.mark.parametrize(
    ("text", "stands", "expected"),
    [
        ("Ana called. She moved north", ["she=Ana"], "She [Ana] moved north"),
        ("Ana called. She moved north", {"She": "Ana"}, "She [Ana] moved north"),
        ("Ana called. She's north", ["she -> Ana"], "She [Ana]'s north"),
        ("Oslo is far. It was north", ["It: Oslo"], "It [Oslo] was north"),
        ("Ana called. It was north", ["it=Ana"], ""),
        ("Ana and Olga called. She moved north", ["she=Ana"], ""),
        ("She moved north, Ana did", ["she=Ana"], ""),
        ("Ana called. She moved north", ["moved=Ana"], ""),
        ("Ana called. She moved north", ["she=Zorba"], ""),
        ("Ana called. She moved north", ["she"], ""),
        ("Ana called. She moved north", "?", ""),
    ],
)
def test_names_of_pronouns_are_added_where_they_are_certain(text, stands, expected):
    quote = text.partition(". ")[2] or text.partition(",")[0]
    names = [{"name": "Olga", "kind": "person"}] if "Olga" in text else []
    draft = judged(seen(quote, "user", stands=stands), said=text, entities=[ANA, *names, OSLO])
    (found,) = draft.observations
    assert (found.quote, found.text) == (quote, expected)


def test_a_name_of_an_earlier_message_stands_for_a_pronoun():
    said = episode("I met Ana", "Olga came too", "he sings")
    draft = judged(
        seen("he sings", "Tom", msg=3, stands=["he=Ana"]),
        seen("Olga came too", "Olga", msg=2),
        said=said,
        entities=[ANA],
    )
    assert [each.text for each in draft.observations] == [""]
    draft = judged(
        seen("she sings", "Ana", msg=2, stands=["she=Ana"]),
        said=episode("I met Ana", "she sings"),
        entities=[ANA],
    )
    assert [each.text for each in draft.observations] == ["she [Ana] sings"]


def test_words_about_nobody_who_is_known_are_worth_little():
    worth = [
        judged(seen(said, "she", weight=0.9), said=said).observations[0].importance
        for said in ("she lost the key", "I lost her key", "the key is lost")
    ]
    assert worth == [0.3, 0.9, 0.9]


def test_what_somebody_else_says_is_hearsay_by_them():
    said = "Tom says that the office closes in May"
    draft = judged(seen("the office closes in May", "office", told_by="Tom"), said=said)
    assert (only(draft).told_by, only(draft).holds) == ("Tom", "hearsay")
    draft = judged(seen("the office closes in May", "office", told_by="Zorba"), said=said)
    assert (draft.observations, reasons(draft)) == ((), {"ungrounded": 1})


@pytest.mark.parametrize(
    ("said", "sort", "when", "since", "until", "grain"),
    [
        ("I moved in March 2021", "event", "2021-03", "2021-03-01", None, "month"),
        ("I moved last month", "event", "last month", "2024-04-01", None, "month"),
        ("I worked there in 2019", "state", "2019", "2019-01-01", "2020-01-01", "year"),
        ("I have worked there since 2019", "state", "2019", "2019-01-01", None, "year"),
        ("I work there", "state", "", None, None, "instant"),
    ],
)
def test_times_are_those_that_the_words_give(said, sort, when, since, until, grain):
    found = only(judged(seen(said, "user", sort=sort, when=when), said=said))
    days = [each and f"{each:%Y-%m-%d}" for each in (found.valid_at, found.invalid_at)]
    assert (days, found.grain) == ([since, until], grain)


def test_a_date_that_no_word_gives_is_left_out():
    draft = judged(seen("I moved", "user", when="2011-03"), said="I moved")
    assert (draft.observations[0].valid_at, reasons(draft)) == (None, {"wrong_date": 1})


def test_strict_servers_may_say_null_for_what_is_missing():
    nothing = dict.fromkeys(("when", "told_by", "stands", "sort", "holds", "weight"))
    found = only(judged(seen("I row", "user", **nothing), said="I row"))
    assert (found.sort, found.holds, found.importance) == ("state", "asserted", 0.5)


@pytest.mark.parametrize(
    "answer",
    [
        {"observations": ["Ana rows"]},
        {"observations": {"quote": "Ana rows"}},
        [{"sort": "state", "quote": "Ana rows"}],
        {"entities": [{"name": "Ana", "observations": ["Ana rows"]}]},
        {"entities": [{"name": "Ana", "observations": [{"text": "Ana rows"}]}]},
    ],
)
def test_observations_are_read_in_many_shapes(answer):
    model = ScriptedModel(replies=[answer])
    draft = LlmExtractor(model).extract([episode("Ana rows")], ExtractionContext(kinds=KINDS))[0]
    assert only(draft).quote == "Ana rows"


# ------------------------------------------------------------------------------------------------
# what isn't


@pytest.mark.parametrize(
    ("given", "said", "reason"),
    [
        (seen("I own a yacht", "user"), "I own a boat", "ungrounded"),
        (seen("I own a boat and I would never sell it", "user"), "I own a boat", "ungrounded"),
        (seen("own a boa", "user"), "I own a boat", "ungrounded"),
        (seen("", "user"), "I own a boat", "no_quote"),
        (seen("!!!", "user"), "I own a boat", "no_quote"),
        ({"sort": "state", "about": ["user"]}, "I own a boat", "no_quote"),
        (seen("I own a boat", "user", sort="secret plan"), "I own a boat", "unknown_sort"),
        (seen("I own a boat", "user", holds="perhaps"), "I own a boat", "unknown_sort"),
        (seen("I own a boat", "Zorba"), "I own a boat", "ungrounded"),
        (seen("I own a boat", "Oslo"), "I own a boat. Oslo is far.", "unsupported"),
        (seen("do I own a boat", "user"), "do I own a boat?", "asked"),
        (seen("we row " * 60, "user"), "we row " * 60, "too_long"),
        (seen("I own a lot", "user"), "I own a <memory>secret</memory> lot", "ungrounded"),
        (seen("I own a […] lot", "user"), "I own a <memory>secret</memory> lot", "ungrounded"),
        (seen("Ada is in Rome", "user"), "<memory>Ada is in Rome</memory> fine", "ungrounded"),
        ("I own a yacht", "I own a boat", "ungrounded"),
        (17, "I own a boat", "no_object"),
    ],
)
def test_what_the_words_do_not_bear_out_is_dropped_with_its_reason(given, said, reason):
    draft = judged(
        given,
        seen("Fine", "user", msg=2),
        said=episode(said, "Fine, thanks"),
        entities=[OSLO] if "Oslo" in said else [],
    )
    assert [each.quote for each in draft.observations] == ["Fine"]
    assert reasons(draft)[reason] == 1


def test_what_the_assistant_says_is_no_observation():
    said = Episode(
        id="e",
        created_at=SAID_AT,
        messages=(
            StoredMessage(id="m1", episode_id="e", at=SAID_AT, text="go on"),
            StoredMessage(
                id="m2", episode_id="e", at=SAID_AT, text="You love tea", role="assistant"
            ),
        ),
    )
    draft = judged(seen("You love tea", "user", msg=2), said=said)
    assert (draft.observations, reasons(draft)) == ((), {"not_the_users": 1})


def test_somebody_absent_is_left_out_of_whom_it_is_about():
    draft = judged(seen("I own a boat", "user", "Zorba", "Oslo"), said="I own a boat")
    assert about(draft) == [[SELF]]
    assert reasons(draft) == {"ungrounded": 2}


def test_the_same_words_are_one_observation():
    draft = judged(
        seen("I own a boat", "user"),
        seen("I OWN a boat", "user", sort="opinion"),
        seen("own a boat", "user"),
        seen("I own a boat and a car", "user"),
        seen("a boat and a car", "user"),
        said="I own a boat and a car",
    )
    assert [each.quote for each in draft.observations] == ["I own a boat", "a boat and a car"]
    assert reasons(draft) == {"said_already": 3}


@pytest.mark.parametrize(
    ("weight", "importance"),
    [(7, 0.7), (-3, 0.5), (1e9, 0.5), ("high", 0.9), (float("nan"), 0.5), (True, 0.5), ([], 0.5)],
)
def test_a_weight_out_of_its_range_says_nothing(weight, importance):
    found = only(judged(seen("I row", "user", weight=weight), said="I row"))
    assert found.importance == pytest.approx(importance)


def test_a_hundred_thousand_items_end_soon_and_are_counted():
    many = [seen(f"word {number}", "user") for number in range(100_000)]
    begun = time.process_time()
    draft = judged(*many, seen("I row", "user"), said="I row")
    assert time.process_time() - begun < 20
    assert not draft.observations
    assert len(draft.dropped) == MOST_DROPPED
    listed = read_reply({"observations": many})
    assert len(listed.observations) == MOST_ITEMS
    assert [str(each) for each in listed.dropped] == ["too_many: 99700 observations"]


def test_a_part_that_is_missing_loses_only_its_own_item():
    listed = read_reply('{"observations": [{"quote": "I row", "sort": "state"}, {"quote": "I ru')
    assert [each["quote"] for each in listed.observations] == ["I row"]
    assert [each.reason for each in listed.dropped] == ["cut_off"]
    with pytest.raises(ReplyRejectedError):
        read_reply('{"mood": []}')


def test_a_memory_keeps_what_a_model_observes():
    answer = {
        "entities": [ANA],
        "observations": [
            seen("Ana has been doing pottery for years", "Ana", sort="preference", weight=0.8),
            seen("she hates the cold", "Ana", stands=["she=Ana"], sort="complaint"),
        ],
    }
    model = ScriptedModel(replies=[answer])
    with Memory.open("ram:", extractor=LlmExtractor(model), embedder="none") as memory:
        said = "Ana has been doing pottery for years, but she hates the cold"
        memory.remember([Message(said, at=datetime(2024, 5, 15, tzinfo=UTC))])
        memory.wait()
        assert [(row.sort, row.text) for row in memory.observations("Ana")] == [
            ("preference", "Ana has been doing pottery for years"),
            ("complaint", "she [Ana] hates the cold"),
        ]
