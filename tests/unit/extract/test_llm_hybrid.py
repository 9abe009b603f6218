"""The local extractor first and a model only where it may add: when it is asked, and how the two
drafts become one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from factbook.errors import ModelUnavailableError
from factbook.extract.llm import HybridExtractor, LlmExtractor, reason_to_ask
from factbook.extract.llm.joined_drafts import join_drafts
from factbook.model.draft import Draft, DraftEntity, DraftFact, DraftMention, DraftRelation, Dropped
from factbook.model.episode import Episode, StoredMessage
from factbook.model.record import SELF
from factbook.ports.models import ExtractionContext, Extractor
from tests.support.drafts import KINDS, SAID_AT, compact, episode
from tests.support.models import (
    Script,
    ScriptedExtractor,
    ScriptedModel,
    draft_entity,
    draft_relation,
)

CONTEXT = ExtractionContext(kinds=KINDS)
EMPTY: dict[str, Any] = {"entities": [], "relations": [], "facts": []}


def found(text: str, *names: str, quotes: Sequence[str] = (), kind: str = "person") -> Draft:
    """A draft of a text of one message: names with their mentions, and relations with these
    quotes.
    """
    return Draft(
        episode_id="e",
        entities=tuple(
            DraftEntity(
                ref=name,
                name=name,
                kind=kind,
                mentions=(
                    DraftMention(
                        message_id="m1",
                        start=text.find(name),
                        end=text.find(name) + len(name),
                        text=name,
                    ),
                ),
            )
            for name in names
        ),
        relations=tuple(
            DraftRelation(
                from_ref=SELF, label="knows", to_ref=names[0], message_id="m1", quote=quote
            )
            for quote in quotes
        ),
    )


# ------------------------------------------------------------------------------------------------
# when it is asked


@pytest.mark.parametrize(
    ("text", "names", "quotes", "reason"),
    [
        ("thanks, that helps a lot!", (), (), None),
        ("Can you summarise it? That works.", (), (), None),
        ("Ana works at Globex.", ("Ana", "Globex"), ("Ana works at Globex.",), None),
        ("Ana works at Globex.", ("Ana", "Globex"), (), "unsaid"),
        ("Does Ana work at Globex?", ("Ana", "Globex"), (), None),
        ("I met Ana Silva today", (), (), "new_name"),
        ("- Ana Silva came by", (), (), "new_name"),
        ("Monday I saw May there", (), (), None),
        ("well, I'd say I'm fine", (), (), None),
        ("they bought US Steel", (), (), "new_name"),
        ("Hello Ana", ("Ana",), (), None),
        ("Ana is here. She sings well.", ("Ana",), (), "pronoun"),
        ("Ana is here. She sings well.", ("Ana",), ("She sings well.",), None),
        ("moved to the coast", (), (), "unsaid"),
        ("my sister is ill", (), (), "unsaid"),
        ("we decided to stay", (), (), "unsaid"),
        ("the weather is nice and it rains", (), (), None),
        ("meine Schwester wohnt seit Jahren dort oben", (), (), "language"),
        ("моя сестра живёт в Осло", (), (), "language"),
        ("It rains. " * 70, (), (), "long"),
        ("", (), (), None),
        ("<memory>Olga Nowak works at Initech</memory> fine", (), (), None),
    ],
)
def test_a_model_is_asked_where_the_words_hold_more_than_the_draft(text, names, quotes, reason):
    assert reason_to_ask(episode(text), found(text, *names, quotes=quotes)) == reason


def test_words_that_name_a_decision_are_said():
    text = "we decided to use Go"
    assert reason_to_ask(episode(text), found(text, "use Go", kind="decision")) is None


def test_only_the_users_messages_count():
    assert (
        reason_to_ask(episode("Olga Nowak works there", role="assistant"), Draft(episode_id="e"))
        is None
    )


# ------------------------------------------------------------------------------------------------
# the two as one


def local(*texts: tuple[str, Script]) -> ScriptedExtractor:
    return ScriptedExtractor(script=dict(texts), name="local/9")


def test_the_model_is_asked_once_about_what_needs_it_and_the_share_is_counted():
    said = "Ana Silva works at Globex"
    answer = {**EMPTY, "entities": [{"name": "Ana Silva", "kind": "person"}]}
    model = ScriptedModel(replies=[answer])
    extractor = HybridExtractor(local((said, Script())), LlmExtractor(model))
    assert isinstance(extractor, Extractor)
    episodes = [
        episode(said, episode_id="a"),
        episode("ok", episode_id="b"),
        episode(said, episode_id="c"),
    ]
    drafts = extractor.extract(episodes, CONTEXT)
    assert [(each.episode_id, each.extractor, len(each.entities)) for each in drafts] == [
        ("a", "local/9+scripted/3", 1),
        ("b", "local/9", 0),
        ("c", "local/9+scripted/3", 1),
    ]
    assert extractor.name == "local/9+scripted/3"
    assert extractor.counts == {"new_name": 2, "not_asked": 1}
    assert len(model.asked) == 1
    assert "[2]" in model.asked[0][0][-1].content
    assert extractor.extract([episodes[1]], CONTEXT)[0].extractor == "local/9"
    assert len(model.asked) == 1


def test_a_model_that_fails_is_told_of_and_nothing_is_invented():
    extractor = HybridExtractor(
        local(), LlmExtractor(ScriptedModel(replies=[ModelUnavailableError("down")]))
    )
    with pytest.raises(ModelUnavailableError):
        extractor.extract([episode("Ana Silva sings")], CONTEXT)


def test_the_hybrid_is_awaited_too():
    answer = {**EMPTY, "entities": [{"name": "Ana Silva", "kind": "person"}]}
    extractor = HybridExtractor(local(), LlmExtractor(ScriptedModel(replies=[answer])))
    drafts = asyncio.run(
        extractor.aextract([episode("Hello Ana Silva"), episode("ok", episode_id="b")], CONTEXT)
    )
    assert [len(each.entities) for each in drafts] == [1, 0]
    assert asyncio.run(extractor.aextract([episode("ok")], CONTEXT))[0].extractor == "local/9"


def drafted(
    *entities: DraftEntity, facts: Sequence[DraftFact] = (), relations: Sequence[DraftRelation] = ()
) -> Draft:
    return Draft(episode_id="e", entities=entities, facts=tuple(facts), relations=tuple(relations))


def stated(ref: str, attribute: str, value: str, **more: Any) -> DraftFact:
    return DraftFact(
        **{
            "ref": ref,
            "attribute": attribute,
            "value": value,
            "message_id": "m1",
            "quote": "q",
            **more,
        }
    )


def joined(one: Draft, other: Draft, **known: str) -> Draft:
    return join_drafts(one, other, ExtractionContext(kinds=KINDS, known=known), "both")


def test_the_same_name_is_one_entity_with_what_both_say_of_it():
    mention = DraftMention(message_id="m1", start=0, end=3, text="ana")
    draft = joined(
        drafted(
            draft_entity("e1", "Ana", mentions=(mention,)), draft_entity("e2", "Go", "product")
        ),
        drafted(
            draft_entity("e1", "go", "technology", importance=0.9),
            draft_entity(
                "e2",
                "ana",
                "other",
                aliases=("Ana Silva",),
                description="a nurse",
                mentions=(mention,),
            ),
            draft_entity("e3", "Oslo", "place"),
        ),
    )
    assert [(each.ref, each.name, each.kind, each.aliases) for each in draft.entities] == [
        ("e1", "Ana", "person", ("ana", "Ana Silva")),
        ("e2", "Go", "technology", ("go",)),
        ("m3", "Oslo", "place", ()),
    ]
    assert draft.entities[0].description == "a nurse"
    assert draft.entities[0].mentions == (mention,)
    assert draft.entities[1].importance == 0.9


def test_a_kind_that_the_space_knows_stays_and_a_phrase_becomes_a_name():
    draft = joined(
        drafted(
            draft_entity("e1", "Kafka", "product"),
            draft_entity("e2", "search team", "other", phrase=True),
        ),
        drafted(
            draft_entity("e1", "Kafka", "person"), draft_entity("e2", "Search Team", "organization")
        ),
        kafka="technology",
    )
    assert [(each.kind, each.phrase) for each in draft.entities] == [
        ("technology", False),
        ("organization", False),
    ]


def test_decisions_whose_words_overlap_are_one_in_the_words_of_the_local_draft():
    def decision(
        ref: str, name: str, start: int, kind: str = "decision", **more: Any
    ) -> DraftEntity:
        mention = DraftMention(message_id="m1", start=start, end=start + len(name), text=name)
        return draft_entity(ref, name, kind, mentions=(mention,), **more)

    draft = joined(
        drafted(decision("e1", "use Go", 5, metadata={"reversible": "true"})),
        drafted(
            decision("e1", "to use Go", 2, metadata={"rationale": "speed", "reversible": "false"}),
            decision("e2", "stay", 20),
            decision("e3", "use Go", 5, kind="task"),
        ),
    )
    assert [(each.ref, each.name, each.kind, dict(each.metadata)) for each in draft.entities] == [
        ("e1", "use Go", "decision", {"reversible": "true", "rationale": "speed"}),
        ("m2", "stay", "decision", {}),
        ("m3", "use Go", "task", {}),
    ]


def test_statements_of_the_local_draft_stay_and_the_models_come_beside():
    then = datetime(2024, 3, 1, tzinfo=UTC)
    base = {"message_id": "m1", "quote": "q"}
    draft = joined(
        drafted(
            draft_entity("e1", "Ana"),
            draft_entity("e2", "Globex", "organization"),
            facts=[stated("e1", "role", "nurse"), stated("e1", "likes", "tea")],
            relations=[
                draft_relation("e1", "works_at", "e2", **base),
                draft_relation("e1", "knows", "e2", valid_at=then, **base),
                draft_relation("e1", "likes", "e2", retracts=True, **base),
            ],
        ),
        drafted(
            draft_entity("a", "Globex", "organization"),
            draft_entity("b", "Ana"),
            facts=[
                stated("b", "role", "Nurse", valid_at=then, grain="month"),
                stated("b", "role", "head nurse"),
                stated("b", "likes", "chess"),
                stated("b", "likes", "tea", retracts=True),
                stated("b", "age", "42"),
                stated("x", "mood", "good"),
            ],
            relations=[
                draft_relation("b", "works_at", "a", valid_at=then, **base),
                draft_relation("b", "knows", "a", invalid_at=then, **base),
                draft_relation("b", "likes", "a", **base),
                draft_relation("b", "leads", "a", **base),
                draft_relation("b", "leads", "b", **base),
            ],
        ),
    )
    assert [(each.ref, each.attribute, each.value, each.valid_at) for each in draft.facts] == [
        ("e1", "role", "nurse", then),
        ("e1", "likes", "tea", None),
        ("e1", "likes", "chess", None),
        ("e1", "age", "42", None),
        ("x", "mood", "good", None),
    ]
    assert [
        (each.label, each.valid_at, each.invalid_at, each.retracts) for each in draft.relations
    ] == [
        ("works_at", then, None, False),
        ("knows", then, None, False),
        ("likes", None, None, True),
        ("leads", None, None, False),
    ]
    assert draft.dropped == (
        Dropped(reason="said_already", what="e1 role head nurse"),
        Dropped(reason="said_already", what="e1 likes tea"),
        Dropped(reason="said_already", what="e1 likes e2"),
    )


def test_the_users_own_name_joins_what_either_draft_says_of_it():
    draft = joined(
        drafted(
            draft_entity("e1", "Ada"),
            draft_entity("e2", "Go", "technology"),
            relations=[draft_relation("e1", "uses", "e2", message_id="m1", quote="q")],
        ),
        drafted(
            draft_entity(SELF, "Ada"),
            draft_entity("x", "Go", "technology"),
            facts=[stated(SELF, "name", "Ada")],
            relations=[draft_relation(SELF, "knows", SELF, message_id="m1", quote="q")],
        ),
    )
    assert [each.ref for each in draft.entities] == [SELF, "e2"]
    assert [(each.from_ref, each.label) for each in draft.relations] == [(SELF, "uses")]
    assert [each.ref for each in draft.facts] == [SELF]
    draft = joined(
        drafted(draft_entity(SELF, "Ada")),
        drafted(draft_entity("b", "Ada"), draft_entity(SELF, "Ada Quill")),
    )
    assert [(each.ref, each.name, each.aliases) for each in draft.entities] == [
        (SELF, "Ada", ("Ada Quill",))
    ]


def test_two_local_names_of_one_become_one():
    draft = joined(
        drafted(draft_entity(SELF, "Ada"), draft_entity("e1", "Quill")),
        drafted(draft_entity(SELF, "Quill")),
    )
    assert [(each.ref, each.name, each.aliases) for each in draft.entities] == [
        (SELF, "Ada", ("Quill",))
    ]


@pytest.mark.model
def test_a_model_adds_to_what_the_rules_find():
    from tests.support.drafts import local as rules

    said = Episode(
        id="e",
        created_at=SAID_AT,
        messages=(
            StoredMessage(
                id="m1",
                episode_id="e",
                at=SAID_AT,
                text="Ana lives in Oslo. It's where her Quorb was built.",
            ),
        ),
    )
    answer = {
        "entities": [{"name": "Quorb", "kind": "product"}, {"name": "ana", "kind": "person"}],
        "relations": [
            {
                "from": "Ana",
                "label": "owns",
                "to": "Quorb",
                "msg": 1,
                "quote": "where her Quorb was built",
            }
        ],
        "facts": [],
    }
    extractor = HybridExtractor(rules(), LlmExtractor(ScriptedModel(replies=[answer])))
    assert {"Ana lives_in Oslo", "Ana owns Quorb"} <= set(
        compact(extractor.extract([said], CONTEXT)[0]).split("\n")
    )


def test_the_hybrid_says_of_its_model_what_the_model_says():
    extractor = HybridExtractor(local(), LlmExtractor(ScriptedModel(replies=[EMPTY])))
    assert not extractor.awaits
    assert extractor.usage().calls == 0
    assert extractor.batches([episode("hi")]) == [[episode("hi")]]
    extractor.close()
