"""The chats of our own making keep what is said of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bench import told
from bench.ablation import CHOICES, SIGNALS
from factbook.text.index_words import index_words, message_words

HALVES: tuple[told.Split, ...] = ("dev", "held")
MESSAGES = {
    path: {message.id: message for session in told.sessions(path) for message in session.messages}
    for path in (told.PARAPHRASES, told.CHATS)
}


def test_no_paraphrase_shares_an_index_word_with_the_message_that_answers_it() -> None:
    hinted = [each for each in told.questions(told.CHATS) if each.kind == "implied"]
    for path, questions in (
        (told.PARAPHRASES, told.questions(told.PARAPHRASES)),
        (told.CHATS, hinted),
    ):
        for each in questions:
            (key,) = each.evidence
            message = MESSAGES[path][key]
            assert message.at is not None
            shared = set(index_words(each.question)) & set(
                message_words(message.speaker, message.at, message.text)
            )
            assert not shared, f"{each.question}: {shared}"


@pytest.mark.parametrize("path", [told.PARAPHRASES, told.CHATS])
def test_every_message_has_an_id_of_its_own_and_evidence_lies_in_the_chat_asked_about(
    path: object,
) -> None:
    chosen = told.PARAPHRASES if path == told.PARAPHRASES else told.CHATS
    said = [message for session in told.sessions(chosen) for message in session.messages]
    assert len({message.id for message in said}) == len(said)
    chats = {
        message.id: session.chat
        for session in told.sessions(chosen)
        for message in session.messages
    }
    for each in told.questions(chosen):
        assert each.chat in {"", *chats.values()}
        assert all(chats[key] == (each.chat or chats[key]) for key in each.evidence)
        assert bool(each.evidence) == (each.kind != "none")


@pytest.mark.parametrize("path", [told.PARAPHRASES, told.CHATS])
def test_sessions_have_five_to_twenty_messages(path: object) -> None:
    chosen = told.PARAPHRASES if path == told.PARAPHRASES else told.CHATS
    assert {len(session.messages) for session in told.sessions(chosen)} <= set(range(5, 21))


def test_the_sets_are_as_large_as_they_should_be() -> None:
    assert len(told.questions(told.PARAPHRASES)) >= 160
    assert len(MESSAGES[told.PARAPHRASES]) >= 400
    kinds = Counter(each.kind for each in told.questions(told.CHATS))
    assert sum(count for kind, count in kinds.items() if kind != "implied") >= 120
    assert set(kinds) == {*told.KINDS, "none"}
    assert len(MESSAGES[told.CHATS]) >= 500


def test_half_of_each_set_is_held_out() -> None:
    for path in (told.PARAPHRASES, told.CHATS):
        dev, held = (len(told.questions(path, half)) for half in HALVES)
        assert 0 <= dev - held <= len(told.KINDS) + 1


def test_an_answer_stands_in_a_context_word_by_word_unbroken_and_within_the_budget() -> None:
    context = "- Ada: the cat is out\n- Tom: who let it out?"
    assert told.stands_in(context, ["The cat is out!", "the cat let it"], 100) == [True, False]
    assert told.stands_in(context, ["The cat is out!"], 10) == [False]


def test_the_page_on_recall_says_of_every_signal_why_it_is_there_and_what_it_is_worth() -> None:
    page = (Path(__file__).parents[3] / "docs" / "recall.md").read_text("utf-8")
    rows = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("|")]
    explained = [name for row in rows for name in row.split(", ")]
    for name in SIGNALS:
        assert explained.count(name) >= 2, name
    for name in CHOICES:
        assert name in rows, name
