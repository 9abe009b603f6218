"""Forgetting somebody takes the sentences about them, and says what it is not sure of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from factbook import Entity, InputError, Memory, Message, NotFoundError
from factbook.model import Erased
from factbook.model.draft import DraftEntity, DraftFact
from tests.support.builders import commit, review
from tests.support.models import HashEmbedder, Script, ScriptedExtractor


@pytest.fixture(params=["ram", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "f.db")
    with Memory.open(url, extractor="none", embedder=HashEmbedder(16), background=False) as memory:
        memory.put(Entity("Tom Berger", "person"))
        memory.put(Entity("Ada", "person"))
        yield memory


def texts(memory: Memory) -> list[str]:
    with memory._engine.store.snapshot() as snapshot:
        episodes = snapshot.episodes(memory.space, snapshot.episode_ids(memory.space))
        return [said.text for each in episodes.values() for said in each.messages]


def forget(memory: Memory, *said: str | Message, **how: object) -> Erased:
    memory.remember(list(said))
    return memory.forget("Tom Berger", **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "said",
    [
        "Tom Berger works at Acme and lives in Tromsø. His phone is 555-0199.",
        "Tom Berger's phone is 555-0199.",
        "My boss Tom Berger has diabetes. He told nobody.",
        "Tom Berger is my boss. He is 42. He has a dog.",
        "My boss is Tom Berger. He lives in Tromsø.",
        "Yesterday Tom Berger moved to Tromsø.",
        "In Oslo Tom Berger bought a house; he paid cash.",
        "TOM BERGER plays the violin!",
        "- Tom Berger: vegetarian",
        "Berger has diabetes.",
        "Does Tom like tea? Tom likes tea.",
        "Tom Berger, my boss, lives in Oslo.",
        "Tom Berger, who lives in Oslo, likes Ada.",
    ],
)
def test_what_is_about_them_goes_whole(memory: Memory, said: str) -> None:
    erased = forget(memory, said, "The weather in Bergen is fine.")
    assert texts(memory) == ["The weather in Bergen is fine."]
    assert (erased.counts["messages"], erased.doubtful) == (1, ())


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("Ada met Tom Berger in Oslo.", "Ada met [forgotten] in Oslo."),
        ("I met Tom Berger in Oslo.", "I met [forgotten] in Oslo."),
        ("Tom Berger and Ada are moving to Oslo.", "[forgotten] and Ada are moving to Oslo."),
        ("Tom Berger, Ada and Eva moved.", "[forgotten], Ada and Eva moved."),
        ("Tom Berger's sister Eva lives in Oslo.", "[forgotten]'s sister Eva lives in Oslo."),
        (
            "Rain again. Tom Berger has a dog. The budget is 5,000.",
            "Rain again. The budget is 5,000.",
        ),
        ("The budget is 5,000. Tom Berger has a dog.", "The budget is 5,000."),
        ("Ada likes Berger.", "Ada likes [forgotten]."),
        ("We had a berger and fries.", "We had a berger and fries."),
    ],
)
def test_what_tells_of_others_stays_with_the_name_masked(
    memory: Memory, said: str, left: str
) -> None:
    erased = forget(memory, said)
    assert texts(memory) == [left]
    assert erased.doubtful == ()


@pytest.mark.parametrize(
    ("said", "doubtful", "why"),
    [
        (
            "Ada met Tom Berger. He lives in Oslo.",
            "He lives in Oslo.",
            "the pronoun may mean another",
        ),
        ("Tom Berger called my brother. He is ill.", "He is ill.", "the pronoun may mean another"),
        ("I met Tom Berger. I like him.", "I like him.", "a pronoun means the one"),
        (
            "I met Tom Berger. They live in Oslo.",
            "They live in Oslo.",
            "the pronoun may mean the one",
        ),
        ("Anna Berger came. I like Berger.", "I like Berger.", "one of that name may be meant"),
    ],
)
def test_what_is_doubtful_is_listed_and_goes_if_it_is_named(
    memory: Memory, said: str, doubtful: str, why: str
) -> None:
    memory.remember(said)
    foreseen = memory.forget("Tom Berger", dry_run=True)
    assert [(each.text, each.why) for each in foreseen.doubtful] == [(doubtful, why)]
    [asked] = foreseen.doubtful
    assert foreseen.pending[0] == f"{asked.id}: “{doubtful}” ({why})"
    erased = memory.forget("Tom Berger", also=[asked.id])
    assert erased.doubtful == ()
    assert doubtful not in " ".join(texts(memory))


def test_what_was_left_as_doubtful_goes_later_by_its_id(memory: Memory, tmp_path: Path) -> None:
    erased = forget(memory, "Ada met Tom Berger. He lives in Tromsø.")
    [asked] = erased.doubtful
    assert memory.forget(ids=[asked.id]).counts["sentences"] == 1
    assert texts(memory) == ["Ada met [forgotten]."]
    with pytest.raises(NotFoundError, match="no fact, relation, note, observation or sentence"):
        memory.forget(ids=[asked.id])


def test_a_pronoun_of_the_next_message_is_meant_too(memory: Memory) -> None:
    erased = forget(
        memory,
        Message("Tom Berger has diabetes.", speaker="Ada"),
        Message("He should see a doctor soon.", speaker="Eva"),
        Message("I was in Bergen."),
        Message("He was there."),
    )
    assert texts(memory) == ["I was in Bergen.", "He was there."]
    assert erased.counts["messages"] == 2


def test_another_session_is_another_talk(memory: Memory) -> None:
    memory.remember("Tom Berger has diabetes.", session="one")
    memory.remember("He lives in Tromsø.", session="two")
    memory.forget("Tom Berger")
    assert texts(memory) == ["He lives in Tromsø."]


def test_everyday_words_that_are_names_stay_where_they_are_words(memory: Memory) -> None:
    memory.put(Entity("May Young", "person", aliases=["May"]))
    said = [
        "It may rain in May, on May 3 and in early May.",
        "May I come? Young people may.",
        "Ada may call May today.",
        "May Young has a dog. The young may laugh.",
    ]
    memory.remember(said)
    memory.forget("May Young")
    assert texts(memory) == [*said[:2], "Ada may call [forgotten] today.", "The young may laugh."]


def test_a_part_of_a_name_that_another_bears_is_no_name_of_theirs(memory: Memory) -> None:
    memory.put(Entity("Eva Berger", "person"))
    erased = forget(memory, "Berger has diabetes.", "Tom has a dog.")
    assert texts(memory) == ["Berger has diabetes."]
    assert [each.text for each in erased.doubtful] == ["Berger has diabetes."]


def test_another_who_speaks_under_a_part_of_the_name_bears_it(memory: Memory) -> None:
    erased = forget(memory, Message("The budget is fine.", speaker="Tom Smith"), "Tom has a dog.")
    assert texts(memory) == ["The budget is fine.", "Tom has a dog."]
    assert [each.text for each in erased.doubtful] == ["Tom has a dog."]


def test_likely_namesakes_are_listed_and_go_with_all_that_is_theirs(memory: Memory) -> None:
    memory.put(Entity("T. Berger", "person", {"phone": "555-0199"}))
    memory.put(Entity("Tommy Berger", "person"))
    memory.put(Entity("Anna Berger", "person"))
    foreseen = memory.forget("Tom Berger", dry_run=True)
    assert sorted(each.text for each in foreseen.doubtful) == ["T. Berger", "Tommy Berger"]
    memory.forget("Tom Berger", also=[each.id for each in foreseen.doubtful])
    assert {each.name for each in memory.entities()} == {"Ada", "Anna Berger"}
    with memory._engine.store.snapshot() as snapshot:
        assert snapshot.forgotten(memory.space, ["T. Berger", "Anna Berger"]) == {"T. Berger"}


def test_messages_and_rows_go_besides(memory: Memory) -> None:
    memory.remember("The violin is in the cellar.")
    noted = memory.note("The key is under the mat")
    [message_id] = [each.id for each in memory.recall("violin").lines if each.kind == "message"]
    erased = memory.forget("Tom Berger", also=[message_id, noted.ids[0]])
    assert (texts(memory), memory.notes(), erased.counts["messages"]) == ([], [], 1)
    with pytest.raises(NotFoundError):
        memory.forget("Ada", also="nothing")


def test_notes_and_descriptions_of_others_lose_the_sentences_too(memory: Memory) -> None:
    memory.put(
        Entity(
            "Acme",
            "organization",
            description="Tom Berger founded it. He lives in Tromsø. It makes shoes.",
        )
    )
    memory.note("Ask Ada about Acme. Tom Berger lives in Tromsø too.")
    memory.note("Tom Berger is away until June.", about=["Ada"])
    memory.forget("Tom Berger")
    assert memory.get("Acme").description == "It makes shoes."
    assert [note.text for note in memory.notes()] == ["Ask Ada about Acme."]


def test_of_things_only_the_names_and_what_is_told_of_them_by_name_go(memory: Memory) -> None:
    memory.put(Entity("Project Atlas", "project"))
    memory.remember("Project Atlas costs 5 million. It is due in May. The project Orion is cheap.")
    erased = memory.forget("Project Atlas")
    assert texts(memory) == ["It is due in May. The project Orion is cheap."]
    assert [each.text for each in erased.doubtful] == ["It is due in May."]


OWN = [
    Message("I have diabetes, and Ada moved to Bergen.", speaker="Tom Berger"),
    Message("Oh. When?", speaker="Ada"),
]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("keep", ["I have diabetes, and Ada moved to Bergen.", "Oh. When?"]),
        ("mask", ["[forgotten]", "Oh. When?"]),
        ("erase", ["Oh. When?"]),
    ],
)
def test_what_becomes_of_their_own_words_is_the_callers_choice(
    memory: Memory, words: str, left: list[str]
) -> None:
    memory.remember(OWN)
    foreseen = memory.forget("Tom Berger", words=words, dry_run=True)  # type: ignore[arg-type]
    memory.forget("Tom Berger", words=words)  # type: ignore[arg-type]
    assert texts(memory) == left
    kept = [each for each in foreseen.pending if each.startswith("1 of their own messages")]
    assert bool(kept) is (words == "keep")
    assert foreseen.counts.get("silenced", 0) == (words == "mask")
    assert foreseen.counts.get("messages", 0) == (words == "erase")
    assert memory.remember(OWN[:1], session="again").held_back == 1


def test_a_masked_speaker_keeps_the_bracket(memory: Memory) -> None:
    memory.remember(OWN)
    memory.forget("Tom Berger")
    assert "[forgotten]: “I have diabetes" in str(memory.recall("who has diabetes?"))
    assert "[forgotten]: “I have diabetes" in str(memory.context("who has diabetes?"))


def test_only_a_name_has_words_of_its_own(memory: Memory) -> None:
    with pytest.raises(InputError, match="name the entity"):
        memory.forget(topic="violin", words="mask")
    with pytest.raises(InputError, match="words is one of keep, mask, erase, not 'drop'"):
        memory.forget("Ada", words="drop")  # type: ignore[arg-type]


def test_open_reviews_that_fall_away_are_listed(memory: Memory) -> None:
    memory.put(Entity("Tommaso", "person"))
    asked = review(memory.get("Tom Berger").id, memory.get("Tommaso").id)
    commit(memory._engine.store, memory.space, asked)
    commit(
        memory._engine.store,
        memory.space,
        review(memory.get("Ada").id, memory.get("Tommaso").id, id="other"),
    )
    foreseen = memory.forget("Tom Berger", dry_run=True)
    erased = memory.forget("Tom Berger")
    assert list(foreseen.reviews) == list(erased.reviews) == ["Tom Berger / Tommaso"]
    assert memory.forget(everything=True, dry_run=True).reviews == ("Ada / Tommaso",)


LEARNED = "Zoltan Quixley works at Wolframite Mining. His phone is 555-0199. The mine lies in Oslo."


def learned() -> ScriptedExtractor:
    def fact(ref: str, attribute: str, value: str, quote: str) -> DraftFact:
        return DraftFact(ref=ref, attribute=attribute, value=value, message_id="", quote=quote)

    script = Script(
        entities=[
            DraftEntity(ref="z", name="Zoltan Quixley", kind="person"),
            DraftEntity(ref="w", name="Wolframite Mining", kind="organization"),
            DraftEntity(ref="o", name="Oslo", kind="place"),
        ],
        facts=[
            fact("w", "phone", "555-0199", "His phone is 555-0199"),
            fact("o", "has", "mine", "The mine lies in Oslo"),
            fact("o", "about", "all of it", LEARNED),
        ],
    )
    return ScriptedExtractor(script={LEARNED: script})


def test_what_was_learned_from_a_sentence_goes_with_it_down_to_the_bytes(tmp_path: Path) -> None:
    with Memory.open(
        tmp_path / "l.db", extractor=learned(), embedder=HashEmbedder(16), background=False
    ) as memory:
        memory.remember(LEARNED)
        memory.wait()
        memory.forget("Zoltan Quixley")
        assert memory.find("Wolframite Mining") is None
        facts = {each.attribute: each.fact.source.quote for each in memory.get("Oslo").facts}
        assert facts == {"has": "The mine lies in Oslo", "about": ""}
        assert texts(memory) == ["The mine lies in Oslo."]
        held = b"".join(file.read_bytes().lower() for file in tmp_path.iterdir())
        for word in (b"zoltan", b"wolframite", b"555-0199", b"works at"):
            assert word not in held
        assert memory._engine.store.check() == []
