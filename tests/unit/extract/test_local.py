"""The local extractor as a whole: loading, batches, speakers, what must not be read, and any
input.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from factbook.extract import local as local_extractor
from factbook.extract.ground import find_name
from factbook.extract.local import Found, FoundName, LocalExtractor, is_installed
from factbook.extract.local import extractor as extractor_module
from factbook.extract.local import passages as passages_module
from factbook.extract.local.clauses.network import CLAUSES_SHA256
from factbook.extract.local.lexicon import (
    given_name,
    given_names,
    listed_names,
    role_beginnings,
    role_words,
    surnames,
)
from factbook.extract.local.passages import passages
from factbook.extract.readable_text import make_readable
from factbook.model.draft import Draft, DraftFact, DraftRelation
from factbook.model.episode import Episode, StoredMessage
from factbook.model.record import SELF, EntityType
from factbook.ports.models import ExtractionContext, Extractor
from factbook.reader.reading_model import MODEL_SHA256
from factbook.text.names import fold
from tests.support.drafts import (
    KINDS,
    SAID_AT,
    compact,
    context,
    draft,
    episode,
    local,
    read,
    whole,
)

pytestmark = pytest.mark.model


# ------------------------------------------------------------------------------------------------
# loading


def test_it_is_an_extractor_and_says_who_it_is() -> None:
    assert isinstance(local(), Extractor)
    reader, clauses = MODEL_SHA256[:8], CLAUSES_SHA256[:8]
    assert local().name == f"local/4+reader-{reader}+clauses-{clauses}+unobserved"
    assert whole().name.endswith(f"+clauses-{clauses}")
    assert draft("Tom").extractor == local().name
    assert is_installed()


def test_nothing_heavy_is_loaded_before_the_first_extraction() -> None:
    code = (
        "import sys, factbook.extract.local as e; x = e.LocalExtractor(); x.name; e.is_installed();"
        "print([m for m in ('spacy', 'numpy', 'onnxruntime') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_its_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_extractor, "missing_modules", lambda: ["factbook_reader"])
    assert not is_installed()


class Scripted:
    """A finder of names as somebody else would write it."""

    name = "scripted-3"

    def find(
        self, texts: Sequence[str], readings: Sequence[Any], context: ExtractionContext
    ) -> list[Found]:
        assert len(readings) == len(texts)
        return [
            Found(
                [FoundName(text.index("blix"), text.index("blix") + 4, "blix", "product")]
                if "blix" in text
                else []
            )
            for text in texts
        ]


def test_who_finds_the_names_can_be_replaced() -> None:
    extractor = LocalExtractor(finder=Scripted())
    extractor.load()
    found = extractor.extract([episode("I bought a blix.")], context())[0]
    assert compact(found) == "product: blix"
    assert "+scripted-3+" in found.extractor


def test_the_examples_of_a_kind_of_ones_own_are_found_with_that_kind() -> None:
    vessel = EntityType(id="vessel", examples=("Nordlys", "blue marlin"))
    own = ExtractionContext(kinds={**KINDS, "vessel": vessel})
    found = local().extract(
        [episode("Is the Nordlys late again? I'd rather take the blue marlin.")], own
    )[0]
    assert {(each.name, each.kind) for each in found.entities} >= {
        ("Nordlys", "vessel"),
        ("blue marlin", "vessel"),
    }


def test_the_lists_are_read_and_marked() -> None:
    names = listed_names()
    assert {each.kind for each in names["python"]} == {"technology"}
    assert names["rust"][0].common
    assert not names["postgresql"][0].common
    assert given_names()["ana"].gender == "female"
    assert given_names()["andrea"].gender == "either"
    assert given_names()["grace"].common
    short, other = given_name("bob"), given_name("abby")
    assert short is not None
    assert other is not None
    assert (short.gender, other.gender) == ("male", "female")
    assert given_name("blorbo") is None
    assert "tanaka" in surnames()
    assert "engineer" in role_words()
    assert "head of" in role_beginnings()
    assert all(name == name.lower() for name in names)


# ------------------------------------------------------------------------------------------------
# episodes


def test_a_batch_gives_a_draft_an_episode_in_order() -> None:
    texts = ["Ana lives in Oslo.", "", "We use Redis.", "Nothing."]
    episodes = [episode(text, episode_id=f"e{number}") for number, text in enumerate(texts)]
    found = local().extract(episodes, context())
    assert [each.episode_id for each in found] == ["e0", "e1", "e2", "e3"]
    assert [compact(each) for each in found] == [read(text) for text in texts]
    assert local().extract([], context()) == []
    assert local().extract([Episode(id="x", created_at=SAID_AT)], context())[0].entities == ()


def test_a_batch_reads_each_episode_as_if_those_before_it_had_been_learned() -> None:
    texts = [
        "Priya Raman moved to Velmora, the new billing tool, in March.",
        "velmora is down again and priya raman is on it",
        "Could Velmora be what Tom Berger meant?",
        "tom berger said that velmora works",
    ]
    episodes = [episode(text, episode_id=f"e{number}") for number, text in enumerate(texts)]
    known: dict[str, str] = {}
    apart: list[Draft] = []
    for each in episodes:
        apart += local().extract([each], ExtractionContext(kinds=KINDS, known=dict(known)))
        for entity in apart[-1].entities:
            if known.get(fold(entity.name), "other") == "other":
                known[fold(entity.name)] = entity.kind
    assert local().extract(episodes, ExtractionContext(kinds=KINDS)) == apart
    assert [
        local().extract([each], ExtractionContext(kinds=KINDS))[0] for each in episodes
    ] != apart


def test_the_same_episode_gives_the_same_draft() -> None:
    told = episode(
        "Ana and Tom from Globex met Wei in Oslo.", ("Ana", "My sister Mia loves Redis.")
    )
    assert local().extract([told], context()) == local().extract([told], context())


def test_several_threads_may_ask() -> None:
    found: list[Draft] = []
    threads = [
        threading.Thread(target=lambda: found.append(draft("Ana lives in Oslo."))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(each == found[0] for each in found)


def test_a_speaker_with_a_name_is_a_person_mentioned_by_the_pronoun() -> None:
    found = draft(("Ada", "I work at Globex and my cat is fine."), ("Tom", "Hello!"))
    speaker = found.entities[0]
    assert (speaker.name, speaker.kind) == ("Ada", "person")
    assert [(each.message_id, each.text, each.start) for each in speaker.mentions] == [
        ("m1", "I", 0)
    ]
    assert [each.name for each in found.entities] == ["Ada", "Globex", "Tom"]
    assert found.relations[0].from_ref == speaker.ref


def test_the_spaces_own_user_is_self_by_name_too() -> None:
    ctx = ExtractionContext(kinds=KINDS, user="Ada Quill")
    found = local().extract([episode(("ada quill", "I live in Oslo."))], ctx)[0]
    assert found.relations[0].from_ref == SELF
    assert compact(found) == "place: Oslo\nself lives_in Oslo"


def test_who_says_their_name_is_that_person() -> None:
    found = draft("Hi, I'm Ada Quill and I live in Oslo.", "Ada Quill prefers tea.")
    assert [
        (each.ref, each.name)
        for each in found.entities
        if not each.phrase and each.kind == "person"
    ] == [(SELF, "Ada Quill")]
    assert {each.from_ref for each in found.relations} == {SELF}
    assert [each.message_id for each in found.entities[0].mentions] == ["m1", "m1", "m2"]
    speaker = draft(("Ada", "My name is Ada Quill."), ("Tom", "Ada Quill lives in Oslo."))
    assert [(each.name, each.aliases) for each in speaker.entities[:2]] == [
        ("Ada", ("Ada Quill",)),
        ("Tom", ()),
    ]
    assert compact(speaker).endswith("Ada.name = Ada Quill\nAda lives_in Oslo")


def test_quotes_are_the_sentences_and_stand_in_the_message() -> None:
    text = "Well, hi.\nAna works at Globex. She lives in Oslo!"
    found = draft(text)
    assert [each.quote for each in found.relations] == [
        "Ana works at Globex.",
        "She lives in Oslo!",
    ]
    assert all(each.message_id == "m1" for each in found.relations)


# ------------------------------------------------------------------------------------------------
# what is not read


@pytest.mark.parametrize(
    "text",
    [
        '<memory about="Ana">Ana lives in Oslo</memory>',
        "<entity_memory>\n- Ana works at Globex\n</entity_memory>",
        "[Known Entities]\n- Ana [person]: lives in Oslo",
        "## Semantic Memory\nAna lives in Oslo.\n---",
        "```\nAna lives in Oslo\n```",
        "> Ana lives in Oslo",
    ],
)
def test_injected_memory_and_quotations_are_never_learned(text: str) -> None:
    assert read(text) == ""
    assert read(f"{text}\nI live in Bergen.") == "place: Bergen\nself lives_in Bergen"


def test_a_message_is_cut_into_passages_at_breaks() -> None:
    text = "First one.\nSecond one\nThird One\n- an item\n\n  Last\nline goes on"
    message = StoredMessage(id="m", episode_id="e", at=SAID_AT, text=text)
    cut = list(passages(message))
    assert [each.text for each in cut] == [
        "First one.",
        "Second one",
        "Third One",
        "- an item",
        "Last\nline goes on",
    ]
    assert all(text[each.offset : each.offset + len(each.text)] == each.text for each in cut)


def test_a_long_passage_is_cut_at_sentences_or_words_or_anywhere() -> None:
    for text in ("ab. " * 2000, "ab " * 2500, "x-y" * 2000 + "。" * 4000):
        message = StoredMessage(id="m", episode_id="e", at=SAID_AT, text=text)
        cut = list(passages(message))
        assert all(len(each.text) <= 3000 for each in cut)
        assert all(
            make_readable(text)[each.offset : each.offset + len(each.text)] == each.text
            for each in cut
        )


def test_a_file_as_a_message_is_read_up_to_a_bound_and_that_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in (extractor_module, passages_module):
        monkeypatch.setattr(module, "MOST_CHARACTERS", 1000)
    found = draft("Ana lives in Oslo. " + "x " * 1000 + "Tom lives in Bergen.")
    assert compact(found).splitlines() == [
        "person: Ana",
        "place: Oslo",
        "Ana lives_in Oslo",
        "dropped too_long: message m1 beyond 1000 characters",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t ",
        "x" * 10_000,
        "Ana" * 4_000,
        "\x00\x01\x02 Ana \x7f lives \u202e in \ufeff Oslo",
        "\ud800 Ana",
        "👩‍👩‍👧 🎉🎉",
        "((((((((((" * 50,
        "a\n" * 500,
        "- " * 500,
        "I I I I my my me",
        "?!?!?!",
        "http://example.org/Some/Path?Name=Ana and ada@example.org",
        "Ana, " * 200,
    ],
)
def test_no_input_breaks_it(text: str) -> None:
    found = draft(text, text[:50])
    assert all(entity.name for entity in found.entities)


_PIECES = st.sampled_from(
    """I my we she he it Ana Tom Berger Project Falcon Globex Inc. Oslo Redis auth-service INFRA-7 work works worked live lives
    lead uses prefer decided moved from to at in with for is was are 's not n't no longer used don't since 2019 March last
    month , . ! ? : " ( ) - — and or the a our sister manager CEO of named that who which if will would to
    34 years old deadline 5% CTR never always please love hate hiking tea over coffee because \n`""".split(
        " "
    )
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.lists(_PIECES, max_size=25).map(" ".join) | st.text(max_size=120), min_size=1, max_size=3
    )
)
@example(texts=["I prefer Ana don't I the"])
@example(texts=["I prefer I Ana don't I the I"])
def test_whatever_is_said_all_that_is_found_stands_there(texts: list[str]) -> None:
    told = episode(*texts, ("Ada Quill", texts[0]))
    found = local().extract([told], context())[0]
    said = {message.id: message.text for message in told.messages}
    refs = {SELF} | {entity.ref for entity in found.entities}
    assert len(refs - {SELF}) == len([entity for entity in found.entities if entity.ref != SELF])
    for entity in found.entities:
        assert entity.name == "Ada Quill" or any(
            find_name(entity.name, text) == entity.name for text in said.values()
        )
        assert all(
            said[each.message_id][each.start : each.end] == each.text for each in entity.mentions
        )
        assert entity.mentions or entity.name == "Ada Quill"
        assert entity.kind in KINDS
        assert 0 <= entity.importance <= 1
    said_of: list[DraftFact | DraftRelation] = [*found.facts, *found.relations]
    for each in said_of:
        assert each.quote
        assert each.quote in said[each.message_id]
        assert each.valid_at is None or each.invalid_at is None or each.valid_at <= each.invalid_at
    assert {each.ref for each in found.facts} <= refs
    assert {ref for each in found.relations for ref in (each.from_ref, each.to_ref)} <= refs
    assert not [each for each in found.dropped if each.reason not in {"stop_name", "unprintable"}]
