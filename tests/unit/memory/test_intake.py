"""From what a caller hands in to episodes."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest

from factbook.errors import InputError
from factbook.memory.write.intake import MESSAGES_AN_EPISODE, Intake, Said, messages_of, take_in
from factbook.model.episode import Message, NewMessage

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)


def taken(said: Said | Sequence[Said]) -> Intake:
    ids = itertools.count()
    return take_in(
        messages_of(said), session="s", project="p", now=NOW, new_id=lambda: f"id{next(ids)}"
    )


def stored(said: Said | Sequence[Said]) -> list[NewMessage]:
    return [message for episode in taken(said).episodes for message in episode.messages]


def keys(said: Said | Sequence[Said]) -> list[str]:
    return [message.key for message in stored(said)]


def test_a_plain_text_is_a_message_of_the_user_now() -> None:
    (message,) = stored("Alice runs Project Atlas.")
    assert (message.role, message.speaker, message.at, message.text) == (
        "user",
        "",
        NOW,
        "Alice runs Project Atlas.",
    )


def test_the_same_transcript_gives_the_same_keys() -> None:
    transcript: list[Said] = [
        "ok",
        {"role": "assistant", "content": "Sure."},
        "ok",
        Message("bye", id="m7"),
    ]
    assert keys(transcript) == keys(transcript)
    assert len(set(keys(transcript))) == 4


def test_a_transcript_that_grew_keeps_the_keys_of_what_was_there() -> None:
    assert keys(["ok", "no", "ok", "well"])[:3] == keys(["ok", "no", "ok"])


def test_a_message_with_an_id_is_the_same_whatever_its_text() -> None:
    assert keys(Message("helo", id="m1")) == keys(Message("hello", id="m1"))


def test_a_given_time_tells_two_like_messages_apart() -> None:
    early, late = Message("ok", at=NOW), Message("ok", at=NOW + timedelta(days=1))
    assert keys(early) != keys(late)


def test_speaker_and_role_tell_two_like_messages_apart() -> None:
    assert (
        len(
            {
                *keys(Message("ok")),
                *keys(Message("ok", "assistant")),
                *keys(Message("ok", speaker="Tom")),
            }
        )
        == 3
    )


@pytest.mark.parametrize(
    ("said", "who"),
    [
        (Message("I live in Oslo", speaker="User"), ("user", "")),
        (Message("I live in Oslo", speaker="me"), ("user", "")),
        ({"role": "user", "name": "Human", "content": "I live in Oslo"}, ("user", "")),
        ({"speaker": "human", "text": "I live in Oslo"}, ("user", "")),
        ({"speaker": "Assistant", "text": "You live in Oslo"}, ("assistant", "")),
        (Message("You live in Oslo", speaker="Assistant"), ("assistant", "Assistant")),
        ({"speaker": "AI", "text": "You live in Oslo"}, ("assistant", "")),
        ({"speaker": "Ai", "text": "I live in Oslo"}, ("user", "Ai")),
        ({"role": "user", "speaker": "Tom", "text": "I live in Oslo"}, ("user", "Tom")),
        ({"role": "Tom", "text": "I live in Oslo"}, ("user", "Tom")),
    ],
)
def test_who_goes_by_a_roles_name_speaks_as_that_role(said: Said, who: tuple[str, str]) -> None:
    """Else what the space's own user says would be a nameless stranger's, and the assistant's words
    the user's.
    """
    (message,) = stored(said)
    assert (message.role, message.speaker) == who


def test_a_roles_name_leaves_the_key_as_it_was_given() -> None:
    assert keys(Message("ok", speaker="User")) != keys(Message("ok"))


def test_times_become_utc_and_bare_ones_are_read_as_utc() -> None:
    zone = timezone(timedelta(hours=2))
    first, second = stored(
        [
            Message("a", at=datetime(2026, 1, 1, 2, tzinfo=zone)),
            Message("b", at=datetime(2026, 1, 1)),
        ]
    )
    assert first.at == second.at == datetime(2026, 1, 1, tzinfo=UTC)


def test_system_messages_and_empty_ones_are_skipped_and_counted() -> None:
    result = taken([{"role": "system", "content": "You are helpful."}, "  ", "hello"])
    assert result.skipped == {"system": 1, "empty": 1}
    assert [message.text for message in result.episodes[0].messages] == ["hello"]


def test_secrets_are_masked_before_anything_is_stored() -> None:
    result = taken("my key is AKIAQ7WERTYUIOPASDF2, keep it")
    assert sum(result.masked.values()) == 1
    assert "AKIAQ7WERTYUIOPASDF2" not in result.episodes[0].messages[0].text


def test_what_no_store_can_keep_is_taken_out() -> None:
    (message,) = stored("a\0b\ud800c")
    assert message.text == "ab?c"


def test_many_messages_become_several_episodes_with_their_labels() -> None:
    episodes = taken([f"message {n}" for n in range(MESSAGES_AN_EPISODE + 1)]).episodes
    assert [len(episode.messages) for episode in episodes] == [MESSAGES_AN_EPISODE, 1]
    assert {(episode.session, episode.project, episode.created_at) for episode in episodes} == {
        ("s", "p", NOW)
    }


def test_what_is_no_message_is_refused_with_its_number() -> None:
    with pytest.raises(InputError, match="message 2: a text, a Message or a mapping"):
        messages_of(["fine", 7])  # type: ignore[list-item] # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="message 1: a message needs a text"):
        messages_of({"role": "user"})


@pytest.mark.parametrize(
    "block",
    [
        '<memory about="Ana" as-of="2026-01-01">\nAna (person) — lives in Rome\n</memory>\n',
        "<entity_memory>\n### Known\n- **Ana**: Rome\n</entity_memory>\n",
        "[Known Entities]\n- Ana (person): city=Rome\n",
        "## Semantic Memory\n### Entities (1):\n- person:ana\n---\n",
    ],
)
def test_memory_that_a_host_put_into_a_message_is_left_out(block: str) -> None:
    result = taken(f"{block}Where is Ana?")
    assert [message.text for message in result.episodes[0].messages] == ["Where is Ana?"]
    assert result.skipped == {"injected": 1}
    assert keys(f"{block}Where is Ana?") == keys("Where is Ana?")
    assert taken(block).episodes == ()


@pytest.mark.parametrize(
    "text",
    ["use the <memory> tag for that", "[Known Entities] is a heading", "## Semantic Memory?"],
)
def test_words_about_memory_blocks_are_kept(text: str) -> None:
    assert [message.text for message in stored(text)] == [text]
