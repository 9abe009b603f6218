"""Entities out of a text: the prompt, replies in every shape, and who may be asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from inline_snapshot import snapshot

from factbook import Entity, EntityMemory, InputError
from factbook.errors import ConfigError
from factbook.facades.entity_memory.extraction import MOST_ENTITIES, SCHEMA, entity_prompt
from factbook.model import Draft, DraftEntity, DraftFact, DraftRelation, Episode
from factbook.ports.models import ChatMessage, ExtractionContext
from tests.support import builders as b

TEXT = "Alice Moran is a software engineer at Acme Corp in Seattle. She works on Project Atlas with Tom."


def extract(reply: Any, text: str = TEXT) -> EntityMemory:
    """A memory that has learned the text with a model that answers so."""
    em = EntityMemory(provider=lambda asked: reply)
    em.learn(text)
    return em


def found(reply: Any, text: str = TEXT) -> list[tuple[str, str, dict[str, str]]]:
    return [
        (each.name, each.entity_type, each.attributes) for each in extract(reply, text).entities
    ]


def reasons(reply: Any, text: str = TEXT) -> list[tuple[str, str]]:
    return [(each.reason, each.what) for each in extract(reply, text).dropped]


def test_the_prompt_is_the_documents() -> None:
    (message,) = entity_prompt('Tom said """hi""".')
    assert message.role == "user"
    assert message.content == snapshot('''\
Extract all named entities from the following text.
For each entity, provide:
- name: the canonical name
- entity_type: one of "person", "organization", "location", "product", "concept", "event", "other"
- attributes: key-value pairs of facts mentioned about the entity

Respond as a JSON array.

Text:
"""
Tom said \'\'\'hi\'\'\'.
"""\
''')


ALICE = (
    '{"name": "Alice Moran", "entity_type": "person", "attributes": {"role": "software engineer"}}'
)
ACME = '{"name": "Acme Corp", "entity_type": "organization", "attributes": {"location": "Seattle"}}'
BOTH = [
    ("Alice Moran", "person", {"role": "software engineer"}),
    ("Acme Corp", "organization", {"location": "Seattle"}),
]


@pytest.mark.parametrize(
    "reply",
    [
        f"[{ALICE}, {ACME}]",
        f"Sure! Here are the [entities] of it:\n```json\n[{ALICE}, {ACME}]\n```\nAnything else?",
        f'<think>The user wants [{{"name": "Tom"}}]</think>\n[{ALICE}, {ACME},]',
        f'{{"entities": [{ALICE}, {ACME}], "count": 2}}',
        f'{{"result": {{"entities": [{ALICE}, {ACME}]}}}}',
        f'{{"found": [{ALICE}, {ACME}]}}',
        f"[[{ALICE}], [{ACME}]]",
        f'["Tom"] or rather [{ALICE}, {ACME}] (see [1])',
        ('{"Alice Moran": {"type": "person", "attributes": {"role": "software engineer"}},'
        ' "Acme Corp": {"type": "organization", "attributes": {"location": "Seattle"}}}'),
        ('[{"entity": "alice moran", "kind": "People", "facts": [{"key": "role", "value": "software engineer"}]},'
        '{"name": "ACME CORP", "category": "company", "properties": {"location": " Seattle\\n"}}]'),
        {"entities": [{"name": "Alice Moran", "entity_type": "person", "attributes": {"role": "software engineer"}},
                      {"name": "Acme Corp", "entity_type": "organization", "attributes": {"location": "Seattle"}}]},
    ],
)  # fmt: skip
def test_a_reply_in_any_shape_gives_what_it_holds(reply: Any) -> None:
    assert found(reply) == BOTH


def test_wrappers_are_opened_to_some_depth_alone() -> None:
    deep: Any = [{"name": "Tom"}]
    for _ in range(4):
        deep = {"result": deep}
    assert found(deep) == [("Tom", "other", {})]
    assert found({"result": deep}) == []


def test_a_single_object_is_one_entity() -> None:
    assert found(ALICE) == BOTH[:1]


def test_a_cut_off_reply_gives_what_stood_there_and_says_so() -> None:
    reply = f'[{ALICE}, {{"name": "Acme Corp", "entity_type": "organization", "attributes": {{"location": "Sea'
    assert found(reply) == [BOTH[0], ("Acme Corp", "organization", {})]
    assert reasons(reply) == [("cut_off", "the end of the reply is missing")]


@pytest.mark.parametrize("reply", ["[]", '{"entities": []}', "{}", "Nobody: []"])
def test_an_empty_answer_is_no_loss(reply: str) -> None:
    assert (found(reply), reasons(reply)) == ([], [])


def test_a_reply_without_json_is_reported_by_its_length() -> None:
    assert (found("There are none."), reasons("There are none.")) == (
        [],
        [("no_json", "a reply of 15 characters")],
    )


@pytest.mark.parametrize(
    ("entity_type", "expected"),
    [
        ("Person", "person"),
        ("people", "person"),
        ("company", "organization"),
        ("city", "location"),
        ("project", "product"),
        ("starship", "other"),
        ("", "other"),
        (3, "other"),
        (None, "other"),
    ],
)
def test_types_are_the_documents_seven(entity_type: Any, expected: str) -> None:
    assert found([{"name": "Tom", "entity_type": entity_type}]) == [("Tom", expected, {})]
    assert found([{"name": "Tom"}]) == [("Tom", "other", {})]


def test_what_the_text_does_not_bear_out_is_dropped_and_named() -> None:
    reply = [
        {"name": "Zed", "entity_type": "person"},
        {"name": "she"},
        {"name": "Tom", "aliases": ["Tommy", "Atlas", 3]},
        {"name": " "},
        {"role": "cook"},
        {"name": 3},
        "Seattle",
        {"name": "x" * 300},
    ]
    em = extract(reply)
    assert [(each.name, each.aliases) for each in em.entities] == [("Tom", ["Atlas"])]
    assert [(each.reason, each.what[:20]) for each in em.dropped] == [
        ("no_alias", "Tom: 3"),
        ("no_name", "name"),
        ("no_name", "role"),
        ("no_name", "name"),
        ("no_object", "Seattle"),
        ("ungrounded", "Zed"),
        ("stop_name", "she"),
        ("ungrounded", "Tommy"),
        ("too_long", "x" * 20),
    ]


def test_attributes_are_texts() -> None:
    given = {
        "age": 31,
        "lead": True,
        "likes": ["tea", None, "rain"],
        "home": {"city": "Oslo"},
        " ": "x",
        "none": None,
        "empty": " ",
        "story": "x" * 2000,
        "k" * 100: "x",
    }
    em = extract([{"name": "Tom", "attributes": given}])
    assert em.entities[0].attributes == {
        "age": "31",
        "lead": "true",
        "likes": "tea; rain",
        "home": '{"city": "Oslo"}',
    }
    assert [each.reason for each in em.dropped] == [
        "no_value",
        "no_value",
        "no_value",
        "too_long",
        "too_long",
    ]
    assert reasons([{"name": "Tom", "attributes": "a cook"}]) == [("no_attributes", "Tom a cook")]


def test_one_name_twice_in_a_reply_is_one_mention() -> None:
    em = extract(
        [
            {"name": "Tom", "attributes": {"a": "1"}},
            {"name": "tom", "aliases": ["Atlas"], "attributes": {"b": "2"}},
        ]
    )
    assert [(each.name, each.mentions, each.attributes, each.aliases) for each in em.entities] == [
        ("Tom", 1, {"a": "1", "b": "2"}, ["Atlas"])
    ]


def test_a_flood_of_entities_has_an_end() -> None:
    reply = [{"name": "Tom"}] * (MOST_ENTITIES + 7)
    assert reasons(reply) == [("too_many", "7 entities")]


def test_secrets_and_injected_memory_are_not_sent() -> None:
    asked: list[str] = []

    def model(prompt: str) -> str:
        asked.append(prompt)
        return "[]"

    em = EntityMemory(provider=model)
    em.extract_entities("[Known Entities]\n- Zoe (person)\n\nTom's password is hunter2x!")
    em.extract_entities("[Known Entities]\n- Zoe (person)\n")
    em.extract_entities(" ")
    assert len(asked) == 1
    assert "Zoe" not in asked[0]
    assert "hunter2x" not in asked[0]
    assert "Tom" in asked[0]


def test_without_a_provider_nothing_is_extracted() -> None:
    em = EntityMemory()
    assert em.extract_entities(TEXT) == []
    assert asyncio.run(em.aextract_entities(TEXT)) == []
    assert em.dropped == ()
    with pytest.raises(InputError, match="the text is a text"):
        em.extract_entities(None)  # type: ignore[arg-type]


def test_extracting_tracks_nothing_and_logs_reasons_alone(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "factbook")
    em = EntityMemory(provider=lambda asked: [{"name": "Zed"}, {"name": "Tom"}])
    assert [each.name for each in em.extract_entities(TEXT)] == ["Tom"]
    assert em.entities == []
    assert "1 ungrounded" in caplog.text
    assert "Zed" not in caplog.text


def test_what_a_client_raises_reaches_the_host() -> None:
    def broken(asked: str) -> str:
        raise TimeoutError("no answer")

    with pytest.raises(TimeoutError):
        EntityMemory(provider=broken).extract_entities(TEXT)


def test_extracted_entities_that_are_never_merged_do_not_pile_up() -> None:
    em = EntityMemory(
        provider=lambda asked: [{"name": name} for name in ("Tom", "Alice Moran", "Seattle")]
    )
    for _ in range(400):
        em.extract_entities(TEXT)
    assert len(em._pending) == 1000


class Awaited:
    """A model of our port that is awaited."""

    name = "awaited"

    def __init__(self) -> None:
        self.asked: list[tuple[Sequence[ChatMessage], Mapping[str, Any] | None]] = []

    async def acomplete(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None = None
    ) -> str:
        self.asked.append((messages, schema))
        return ALICE


def test_an_asynchronous_model_is_awaited() -> None:
    model = Awaited()
    em = EntityMemory(provider=model)
    with pytest.raises(ConfigError, match="aextract_entities"):
        em.extract_entities(TEXT)
    assert asyncio.run(em.aextract_entities(" ")) == []
    assert [each.name for each in asyncio.run(em.alearn(TEXT))] == ["Alice Moran"]
    assert model.asked == [(entity_prompt(TEXT), SCHEMA)]
    assert len(em) == 1


def test_a_model_that_blocks_is_called_in_a_thread() -> None:
    em = EntityMemory(provider=lambda asked: ALICE)
    assert [each.name for each in asyncio.run(em.alearn(TEXT))] == ["Alice Moran"]
    extractor = EntityMemory(provider=Scripted(Draft(episode_id="text")))
    assert asyncio.run(extractor.alearn(TEXT)) == []


def test_the_model_is_named_where_the_client_needs_one() -> None:
    create = SimpleNamespace(
        create=lambda **asked: SimpleNamespace(content=[SimpleNamespace(text=f"[{ALICE}]")])
    )
    client = SimpleNamespace(messages=create)
    assert EntityMemory(10, client, "small").extract_entities(TEXT)[0].name == "Alice Moran"
    with pytest.raises(ConfigError, match="extraction_model"):
        EntityMemory(10, client)


# --- extractors -----------------------------------------------------------------------------------


class Scripted:
    """An extractor that finds what it was given."""

    name = "scripted/1"

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.seen: list[tuple[Sequence[Episode], ExtractionContext]] = []

    def extract(self, episodes: Sequence[Episode], context: ExtractionContext) -> list[Draft]:
        self.seen.append((episodes, context))
        return [self.draft]


def fact(ref: str, attribute: str, value: str, **rest: Any) -> DraftFact:
    return DraftFact(ref=ref, attribute=attribute, value=value, message_id="text", quote="", **rest)


def link(from_ref: str, label: str, to_ref: str, **rest: Any) -> DraftRelation:
    return DraftRelation(
        from_ref=from_ref, label=label, to_ref=to_ref, message_id="text", quote="", **rest
    )


def test_a_draft_gives_entities_with_facts_and_relations_as_attributes() -> None:
    draft = Draft(
        episode_id="text",
        entities=(
            DraftEntity(
                ref="a",
                name="Alice",
                kind="person",
                aliases=("Ali",),
                description="A cook.",
                importance=0.8,
            ),
            DraftEntity(ref="b", name="Bern", kind="place"),
            DraftEntity(ref="c", name="billing team", kind="organization", phrase=True),
            DraftEntity(ref="d", name="tea, not coffee", kind="preference"),
            DraftEntity(ref="e", name="the night shift", kind="other", phrase=True),
            DraftEntity(ref="f", name="alice", kind="person", aliases=("Al",)),
        ),
        facts=(
            fact("a", "likes", "tea"),
            fact("a", "likes", "rain"),
            fact("a", "role", "baker", retracts=True),
            fact("e", "starts", "at nine"),
            fact("self", "diet", "vegan"),
        ),
        relations=(
            link("a", "lives_in", "b"),
            link("a", "works_with", "self"),
            link("self", "knows", "a"),
        ),
    )
    extractor = Scripted(draft)
    em = EntityMemory(provider=extractor, clock=lambda: b.at(0))
    em.update([Entity("Tom", "person"), Entity("Acme", "company")])
    assert em.extract_entities(TEXT) == [
        Entity(
            "Alice",
            "person",
            {"likes": "tea; rain", "lives_in": "Bern"},
            aliases=["Ali", "Al"],
            description="A cook.",
            importance=0.8,
        ),
        Entity("Bern", "location"),
        Entity("the night shift", "other", {"starts": "at nine"}),
    ]
    assert [(each.reason, each.what) for each in em.dropped] == [
        ("retracted", "Alice role baker"),
        ("about_user", "diet vegan"),
        ("about_user", "Alice works_with"),
        ("about_user", "knows Alice"),
        ("not_named", "billing team"),
        ("not_named", "tea, not coffee"),
    ]
    ((episodes, context),) = extractor.seen
    assert episodes[0].messages[0].text == TEXT
    assert context.known == {"tom": "person", "acme": "organization"}


def test_the_user_is_an_entity_where_the_text_names_them() -> None:
    draft = Draft(
        episode_id="text",
        entities=(DraftEntity(ref="self", name="Ada", kind="person"),),
        facts=(fact("self", "diet", "vegan"), fact("self", "name", "Ada")),
    )
    assert EntityMemory(provider=Scripted(draft)).extract_entities(TEXT) == [
        Entity("Ada", "person", {"diet": "vegan"})
    ]


def test_the_local_extractor_is_one_for_all_and_says_where_it_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from factbook.extract import local
    from factbook.facades.entity_memory import caller_input

    caller_input.load_local_extractor.cache_clear()
    monkeypatch.setattr(local, "is_installed", lambda: False)
    with pytest.raises(ConfigError, match=r"factbook\[local\]"):
        EntityMemory(provider="local")
    monkeypatch.setattr(local, "is_installed", lambda: True)
    monkeypatch.setattr(local, "LocalExtractor", lambda: Scripted(Draft(episode_id="text")))
    assert EntityMemory(provider="local")._provider is EntityMemory(provider="local")._provider
    caller_input.load_local_extractor.cache_clear()
    with pytest.raises(ConfigError, match="no provider 'openai'; there is 'local'"):
        EntityMemory(provider="openai")


@pytest.mark.model
@pytest.mark.slow
def test_the_local_extractor_reads_the_documents_sentence() -> None:
    from factbook.extract.local import is_installed

    if not is_installed():
        pytest.skip("needs the local extra")
    em = EntityMemory(provider="local")
    em.learn(
        "Alice is a software engineer at Acme Corp in Seattle. She is working on Project Atlas."
    )
    types = {each.name: each.entity_type for each in em.entities}
    assert types["Alice"] == "person"
    assert types["Acme Corp"] == "organization"
    assert types["Seattle"] == "location"
