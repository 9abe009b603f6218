"""What words bear out and what they don't: whom they speak of, what they deny, figures, and texts
made to last.
"""

from __future__ import annotations

from typing import Any

import pytest

from factbook.extract.llm import LlmExtractor
from factbook.extract.llm.evidence import sentence_spans
from factbook.extract.llm.prompt import build_prompt
from factbook.model.draft import Draft
from factbook.model.episode import Episode, Role, StoredMessage
from factbook.model.record import SELF
from factbook.ports.models import ExtractionContext
from tests.support.drafts import KINDS, SAID_AT, compact
from tests.support.models import ScriptedModel
from tests.unit.extract.test_llm_judge import fact, judged, link, reasons, reply


def talk(answer: dict[str, Any], *said: tuple[Role, str]) -> Draft:
    messages = tuple(
        StoredMessage(
            id=f"m{number}", episode_id="e", position=number, at=SAID_AT, role=role, text=text
        )
        for number, (role, text) in enumerate(said, 1)
    )
    told = Episode(id="e", created_at=SAID_AT, messages=messages)
    return LlmExtractor(ScriptedModel(replies=[answer])).extract(
        [told], ExtractionContext(kinds=KINDS)
    )[0]


# ------------------------------------------------------------------------------------------------
# of whom it is said


def test_what_only_the_assistant_says_is_not_proved_by_words_of_the_user_that_name_one_end():
    answer = reply(
        ("Tom", "person"),
        ("Initech", "organization"),
        relations=[link("Tom", "works_at", "Initech", "Tom called")],
        facts=[fact("Priya", "role", "nurse", "The nurse was rude", msg=3)],
    )
    draft = talk(
        answer,
        ("user", "Tom called."),
        ("assistant", "Tom works at Initech with Priya."),
        ("user", "The nurse was rude."),
    )
    assert not draft.relations
    assert not draft.facts
    assert reasons(draft) == {"unsupported": 1, "ungrounded": 1}


def test_what_the_assistant_names_may_be_pointed_back_to():
    answer = reply(
        ("Priya", "person"),
        ("Globex", "organization"),
        relations=[link("Priya", "works_at", "Globex", "yes Priya works there", msg=2)],
    )
    draft = talk(answer, ("assistant", "Priya at Globex?"), ("user", "yes Priya works there"))
    assert compact(draft).endswith("Priya works_at Globex")


@pytest.mark.parametrize(
    ("said", "item", "taken"),
    [
        ("Tom called. Ana lives in Oslo.", link("Tom", "lives_in", "Oslo", "Tom called"), False),
        (
            "Ana:\n- works at Globex\n- lives in Oslo",
            link("Ana", "lives_in", "Oslo", "lives in Oslo"),
            True,
        ),
        (
            "Ana called. She lives in Oslo.",
            link("Ana", "lives_in", "Oslo", "She lives in Oslo"),
            True,
        ),
        (
            "Ana rief gestern an. Wohnt jetzt in Oslo bei Freunden.",
            link("Ana", "lives_in", "Oslo", "in Oslo"),
            True,
        ),
    ],
)
def test_a_relation_rests_on_words_that_speak_of_both_ends(said, item, taken):
    draft = judged(
        reply(("Ana", "person"), ("Tom", "person"), ("Oslo", "place"), relations=[item]), said
    )
    assert bool(draft.relations) is taken
    assert reasons(draft)["unsupported"] == (not taken)


def test_what_is_said_of_another_is_not_somebodys():
    facts = [
        fact("Tom", "role", "nurse", "Ana is a nurse"),
        fact("Tom", "age", "42", "42 years old", msg=2),
        fact("Priya", "age", "17", "Now 17 and tall", msg=3),
    ]
    answer = reply(("Tom", "person"), ("Ana", "person"), ("Priya", "person"), facts=facts)
    draft = judged(
        answer, "Tom called. Ana is a nurse.", "42 years old", "Now 17 and tall. Priya waved."
    )
    assert [(each.attribute, each.value) for each in draft.facts] == [("age", "42")]
    assert reasons(draft) == {"unsupported": 2}


def test_who_is_named_only_later_and_not_pointed_to_is_not_spoken_of():
    answer = reply(("Ana", "person"), facts=[fact("Ana", "age", "42", "42 years old now")])
    assert reasons(judged(answer, "42 years old now. Ana waved.")) == {"unsupported": 1}


def test_a_speaker_may_be_told_by_name():
    answer = reply(relations=[link("Tom Berger", "lives_in", "Oslo", "I live in Oslo")])
    assert judged(answer, ("Tom Berger", "I live in Oslo")).relations


def test_the_united_states_are_not_who_writes():
    answer = reply(
        ("Ana", "person"), relations=[link("Ana", "likes", "US", "Ana loves the US, I think")]
    )
    assert not judged(answer, "Ana loves the US, I hear").relations
    named = judged(reply(("US Steel", "organization")), "they bought US Steel")
    assert [each.name for each in named.entities] == ["US Steel"]


# ------------------------------------------------------------------------------------------------
# what is denied


@pytest.mark.parametrize(
    "said",
    [
        "Tom doesn't live in Oslo",
        "Tom does not live in Oslo",
        "Tom has never lived in Oslo",
        "Tom is not from Oslo",
    ],
)
def test_what_is_denied_is_not_taken(said):
    answer = reply(
        ("Tom", "person"),
        relations=[link("Tom", "lives_in", "Oslo", said)],
        facts=[fact("Tom", "hometown", "Oslo", said)],
    )
    draft = judged(answer, said)
    assert not draft.relations
    assert not draft.facts
    assert reasons(draft) == {"denied": 2}


@pytest.mark.parametrize(
    ("said", "left", "label", "right", "found"),
    [
        ("Ana not only uses Go", "Ana", "uses", "Go", "Ana uses Go"),
        ("I don't use Java but Go", "user", "uses", "Go", "self uses Go"),
        ("I never regretted using vim", "user", "uses", "vim", "self uses vim"),
        ("Ana hasn't left Globex", "Ana", "works_at", "Globex", "Ana works_at Globex"),
        ("Ana left Globex", "Ana", "works_at", "Globex", "Ana worked_at Globex"),
        ("Ana doesn't like Globex", "Ana", "dislikes", "Globex", "Ana dislikes Globex"),
    ],
)
def test_a_not_that_denies_something_else_leaves_it_true(said, left, label, right, found):
    assert found in compact(judged(reply(relations=[link(left, label, right, said)]), said)).split(
        "\n"
    )


def test_what_is_denied_and_told_as_ended_is_taken_back():
    answer = reply(
        ("Tom", "person"), relations=[link("Tom", "uses", "Go", "Tom doesn't use Go", ended=True)]
    )
    assert [each.retracts for each in judged(answer, "Tom doesn't use Go").relations] == [True]


def test_decisions_and_preferences_keep_their_not():
    answer = reply(
        ("use Go", "decision"), ("like raw mushrooms", "preference"), ("move to Oslo", "decision")
    )
    draft = judged(
        answer,
        "we decided not to use Go. I don't like raw mushrooms. We won't stay, we move to Oslo",
    )
    assert [each.name for each in draft.entities] == [
        "not to use Go",
        "don't like raw mushrooms",
        "move to Oslo",
    ]


def test_what_is_only_supposed_is_no_decision():
    draft = judged(reply(("use Go now", "decision")), "Maybe we use Go now.")
    assert not draft.entities
    assert reasons(draft) == {"ungrounded": 1}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Don't call me Shirley.", ""),
        ("Never call me Shirley", ""),
        ("Suppose I'm Shirley, what then?", ""),
        ("Don't call me that, call me Shirley", "Shirley"),
        ("Hi, I hope you're well, I'm Shirley, can you help?", "Shirley"),
    ],
)
def test_a_name_is_the_speakers_where_they_give_it(said, name):
    answer = reply(("Shirley", "person"), facts=[fact("user", "name", "Shirley", said)])
    draft = judged(answer, said)
    assert {each.ref: each.name for each in draft.entities}.get(SELF, "") == name
    assert bool(draft.facts) is bool(name)


# ------------------------------------------------------------------------------------------------
# values


@pytest.mark.parametrize(
    ("said", "key", "value", "taken"),
    [
        ("Ana is vegan", "diet", "not vegan", False),
        ("Ana isn't vegan", "diet", "not vegan", True),
        ("Ana works remotely", "remote", "no", False),
        ("Ana works remotely", "remote", "yes", True),
        ("Ana can't work remotely", "remote", "false", True),
        ("Ana is nice", "mood", "you", False),
        ("Ana has version 2.3", "version", "3.2", False),
        ("Ana has version 2.3", "version", "2.3", True),
        ("Ana has a budget of $500", "budget", "€500", False),
        ("Ana has a budget of 500 euros", "budget", "€500", True),
        ("Ana has a budget of $10 000", "budget", "$10,000", True),
    ],
)
def test_a_value_denies_and_counts_as_the_words_do(said, key, value, taken):
    draft = judged(reply(("Ana", "person"), facts=[fact("Ana", key, value, said)]), said)
    assert bool(draft.facts) is taken
    assert reasons(draft) == ({} if taken else {"ungrounded": 1})


@pytest.mark.parametrize(
    ("said", "about", "taken"),
    [
        (["Ana called. Tom is a thief."], "a thief", False),
        (["Is Ana a thief?"], "thief", False),
        (["I think Ana is a thief."], "thief", False),
        (["Ana is not a thief."], "a thief", False),
        (["My sister Ana called.", "She is a nurse in Oslo."], "my sister, a nurse in Oslo", True),
        (["Ana:\n- nurse\n- from Oslo"], "nurse from Oslo", True),
        (
            ["Ana wohnt seit Jahren dort oben. Krankenschwester ist sie auch noch."],
            "Krankenschwester",
            True,
        ),
    ],
)
def test_a_description_is_made_of_what_is_said_of_that_one(said, about, taken):
    draft = judged(reply({"name": "Ana", "kind": "person", "about": about}), *said)
    assert [each.description for each in draft.entities] == [about if taken else ""]


# ------------------------------------------------------------------------------------------------
# texts made to last


@pytest.mark.parametrize(
    "text", ["A. " * 4000, "Mr. " * 3000, "left the " * 1300, "may 3 " * 2000, "." * 12000]
)
def test_a_text_of_many_starts_is_judged_as_any_other(text):
    """Each item of the reply looks for its sentences: looked for anew each time, and back to the
    start, they took hours.
    """
    items = [link("Ana", "lives_in", "Oslo", f"{text[:40]} {number}") for number in range(300)]
    draft = judged(reply(*((f"Ana{n}", "person") for n in range(300)), relations=items), text)
    assert not draft.relations
    assert sentence_spans(text)[-1][1] <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\0",
        "🎉" * 3000,
        "\u200fשלום עולם " * 1000,
        "x" * 100_000,
        "\ud800",
        "{'\"}\n[1] (user" * 50,
    ],
)
def test_odd_texts_are_read_without_a_crash(text):
    answer = reply(
        ("🎉", "person"), ("שלום", "person"), relations=[link("🎉", "knows", "שלום", "שלום עולם")]
    )
    for speaker in ("", "🦊", "{x} [9] ("):
        draft = judged(answer, (speaker, text), (speaker, text))
        assert all(each.name in text or each.name == speaker for each in draft.entities)
    assert judged(answer).entities == ()


def test_heads_are_kept_for_a_few_spaces_only():
    """Each space may have kinds of its own: what was made for all of them would never be given
    back.
    """
    from factbook.extract.llm.prompt import _cached_head
    from factbook.model.record import EntityType

    for number in range(100):
        kinds = {"other": EntityType(id="other"), f"kind{number}": EntityType(id=f"kind{number}")}
        assert f"\nkind{number}" in build_prompt((), ExtractionContext(kinds=kinds))[0].content
    assert _cached_head.cache_info().currsize <= 64
