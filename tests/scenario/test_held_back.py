"""What was forgotten is held back when it is read again: under another session, without one, from a
copy.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from factbook import Entity, Memory, Message
from factbook.store.tombstones import is_few_words

TALK = [
    Message("Zoltan Quixley has diabetes since spring.", speaker="Ada"),
    Message("Oh no!", role="assistant"),
    Message("He asked me not to tell the others about it.", speaker="Ada"),
    Message("Ok, thanks", role="assistant"),
    Message("The budget of the Atlas project is 5,000 euros.", speaker="Ada"),
]


@pytest.fixture(params=["ram", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "h.db")
    with Memory.open(url, extractor="none", embedder="none", background=False) as memory:
        yield memory


@pytest.mark.parametrize("session", ["monday", "", "monday (copy)"])
def test_a_transcript_is_held_back_under_any_session(memory: Memory, session: str) -> None:
    memory.remember(TALK, session="monday")
    memory.forget(session="monday")
    again = memory.remember(TALK, session=session)
    assert (again.stored, again.duplicates, again.held_back) == (0, 0, 5)
    assert str(memory.recall("who has diabetes?")) == ""


def test_a_copy_with_other_times_case_and_spacing_is_held_back(memory: Memory) -> None:
    memory.remember(TALK, session="monday")
    memory.forget(session="monday")
    copied = [
        Message(each.text.upper().replace(" ", "  "), each.role, each.speaker.lower())
        for each in TALK
    ]
    assert memory.remember(copied, session="import").held_back == 5


def test_another_who_says_the_same_is_heard(memory: Memory) -> None:
    memory.remember(TALK, session="monday")
    memory.forget(session="monday")
    other = [Message(each.text, "user", "Tom") for each in TALK]
    assert memory.remember(other, session="import").stored == 5
    assert memory.within("eva").remember(TALK, session="monday").stored == 5


def test_what_was_forgotten_is_stored_anyway_if_asked_for(memory: Memory) -> None:
    memory.remember(TALK, session="monday")
    memory.forget(session="monday")
    assert memory.remember(TALK, session="tuesday", anyway=True).stored == 5
    again = memory.remember(TALK, session="tuesday")
    assert (again.duplicates, again.held_back) == (5, 0)
    assert memory.remember(TALK, session="wednesday").held_back == 5


def test_a_message_whose_name_was_masked_is_held_back_whole(memory: Memory) -> None:
    memory.put(Entity("Zoltan Quixley", "person"))
    memory.remember("Ada met Zoltan Quixley in Oslo", session="monday")
    memory.forget("Zoltan Quixley")
    assert memory.remember("Ada met Zoltan Quixley in Oslo", session="tuesday").held_back == 1
    assert memory.remember("Ada met [forgotten] in Oslo", session="tuesday").stored == 1


@pytest.mark.parametrize(
    "said", ["Ok, thanks", "sounds good!", "👍", "Rice is fine", "See you tomorrow then"]
)
def test_a_few_words_that_name_nobody_are_held_back_only_beside_what_is(
    memory: Memory, said: str
) -> None:
    talk = [TALK[0], Message(said), Message(said), TALK[4]]
    memory.remember(talk, session="monday")
    memory.forget(session="monday")
    assert memory.remember(said, session="tuesday").stored == 1
    assert (
        memory.remember([Message("Shall we meet at the harbour at noon?"), Message(said)]).stored
        == 2
    )
    again = memory.remember(talk, session="wednesday")
    assert (again.stored, again.held_back) == (0, 4)


@pytest.mark.parametrize(
    "said", ["Tom is ill", "call Quixley", "PIN 4071 it is", "it was 555-0199"]
)
def test_a_few_words_with_a_name_or_number_are_held_back_alone(memory: Memory, said: str) -> None:
    memory.remember(said, session="monday")
    memory.forget(session="monday")
    assert memory.remember(said, session="tuesday").held_back == 1


def test_few_words_are_fewer_than_five_in_any_script() -> None:
    assert is_few_words("OK")
    assert is_few_words("I am on it")
    assert not is_few_words("I am on it now")
    assert is_few_words("好的谢谢")
    assert not is_few_words("我今天下午去医院看医生")


def test_a_message_of_few_words_that_is_known_to_name_someone_is_held_back_alone(
    memory: Memory,
) -> None:
    memory.put(Entity("joe", "person"))
    memory.remember("saw joe today", session="monday")
    memory.forget("joe")
    assert memory.remember("saw joe today", session="tuesday").held_back == 1


def test_a_few_words_under_a_forgotten_name_are_held_back_alone(memory: Memory) -> None:
    memory.put(Entity("Zoltan Quixley", "person"))
    memory.remember(
        [Message("Ok, thanks", speaker="Zoltan Quixley"), Message("Ok, thanks", speaker="Ada")]
    )
    memory.forget("Zoltan Quixley")
    again = [Message("Ok, thanks", speaker="Zoltan Quixley")]
    assert memory.remember(again, session="copy").held_back == 1
    assert memory.remember([Message("Ok, thanks", speaker="Ada")], session="copy").stored == 1


def test_an_id_of_the_hosts_is_held_back_whatever_it_says(memory: Memory) -> None:
    memory.remember(
        Message("The violin is in the cellar of the house.", id="msg_68a0c1d2e3f4"),
        session="monday",
    )
    erased = memory.forget(session="monday")
    edited = Message("The violin is in the attic of the house.", id="msg_68a0c1d2e3f4")
    assert memory.remember(edited, session="tuesday").held_back == 1
    assert memory.lift(erased) == 1
    assert memory.remember(edited, session="tuesday").stored == 1


def test_an_id_that_may_be_a_counter_counts_within_its_session(memory: Memory) -> None:
    memory.remember(Message("The violin is in the cellar of the house.", id="1"), session="monday")
    memory.forget(session="monday")
    other = Message("The flute is in the attic of the house.", id="1")
    assert memory.remember(other, session="monday").held_back == 1
    assert memory.remember(other, session="tuesday").stored == 1


def test_the_same_words_forgotten_twice_are_lifted_by_the_later_receipt(memory: Memory) -> None:
    memory.remember(TALK[:1], session="monday")
    first = memory.forget(session="monday")
    memory.remember(TALK[:1], session="tuesday", anyway=True)
    later = memory.forget(session="tuesday")
    assert (memory.lift(first), memory.lift(later)) == (0, 1)
    assert memory.remember(TALK[:1]).stored == 1
