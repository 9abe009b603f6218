"""Who hears of what, and what they are told."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from factbook import Entity, Event, KnowledgeMemory, Memory
from factbook.errors import ConfigError, ModelUnavailableError, ReplyRejectedError
from factbook.learn.observers import Bell
from tests.support.models import Script, ScriptedExtractor, draft_entity, draft_fact

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Ears:
    """Keeps what it hears."""

    wants_texts = False

    def __init__(self) -> None:
        self.heard: list[Event] = []

    def on_event(self, event: Event) -> None:
        self.heard.append(event)

    @property
    def names(self) -> list[str]:
        return [event.name for event in self.heard]

    def last(self, name: str) -> Event:
        return next(event for event in reversed(self.heard) if event.name == name)


class CuriousEars(Ears):
    """Also wants what was said."""

    wants_texts = True


class Watcher:
    """Hears of entities alone, as document 000 has it."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, int, int, list[Entity]]] = []

    def on_entity_extraction(
        self, run_id: str, entities_extracted: int, entities_total: int, entities: list[Entity]
    ) -> None:
        self.seen.append((run_id, entities_extracted, entities_total, entities))


SCRIPT = {
    "Ana has badge 1": Script(
        entities=[draft_entity("Ana")], facts=[draft_fact("Ana", "badge", "1")]
    ),
    "Ana has badge 2": Script(
        entities=[draft_entity("Ana")], facts=[draft_fact("Ana", "badge", "2")]
    ),
    "Bo met Ana": Script(entities=[draft_entity("Ana"), draft_entity("Bo")]),
}
Opened = Callable[..., Memory]


@pytest.fixture
def ears() -> Ears:
    return Ears()


def opened(*observers: Any, **options: Any) -> Memory:
    defaults: dict[str, Any] = {
        "extractor": ScriptedExtractor(script=SCRIPT),
        "embedder": "none",
        "background": False,
        "observers": observers,
    }
    return Memory.open("ram:", **{**defaults, **options}).within("ada")


def test_one_hears_of_remembering_extracting_and_learning(ears: Ears) -> None:
    memory = opened(ears)
    memory.remember("Ana has badge 1")
    memory.wait()
    assert ears.names == ["remembered", "extracted", "learned"]
    assert {event.space for event in ears.heard} == {"ada"}
    remembered, extracted, learned = (dict(event.data) for event in ears.heard)
    assert all(isinstance(each.pop("ms"), float) for each in (remembered, extracted, learned))
    assert remembered == {"verb": "remember", "messages": 1, "episodes": 1}
    episode = extracted.pop("episode")
    assert extracted == {
        "extractor": "scripted/1",
        "entities": 1,
        "facts": 1,
        "relations": 0,
        "observations": 0,
        "dropped": {},
    }
    assert learned == {
        "episode": episode,
        "version": 1,
        "entities": 1,
        "facts": 1,
        "relations": 0,
        "observations": 0,
        "mentions": 1,
        "reviews": 0,
        "conflicts": 0,
    }
    memory.remember("Ana has badge 1")
    assert ears.names[3:] == [], "what was there already is not remembered again"


def test_what_an_extractor_made_up_is_told_by_reason(ears: Ears) -> None:
    script = {"Ana is here": Script(entities=[draft_entity("Ana"), draft_entity("Zoe")])}
    memory = opened(ears, extractor=ScriptedExtractor(script=script))
    memory.remember("Ana is here")
    memory.wait()
    assert ears.last("extracted").data["dropped"] == {"ungrounded": 1}


def test_one_hears_of_conflicts_and_merges(ears: Ears) -> None:
    memory = opened(ears)
    memory.remember(
        [{"speaker": who, "text": f"Ana has badge {n}"} for n, who in enumerate(("Tom", "Kim"), 1)]
    )
    memory.wait()
    assert ears.last("conflict").data["count"] == 1
    memory.put(Entity("Ann", "person"))
    memory.merge("Ana", "Ann")
    assert ears.names[-1] == "merged", "the conflict was there before"
    assert ears.last("merged").data["verb"] == "merge"
    memory.unmerge("Ana", "Ann")
    assert ears.names.count("merged") == 1, "unmerging is no merge"


def test_a_conflict_that_a_merge_brings_is_told(ears: Ears) -> None:
    script = {
        "Ana has badge 1": SCRIPT["Ana has badge 1"],
        "Eve has badge 2": Script(
            entities=[draft_entity("Eve")], facts=[draft_fact("Eve", "badge", "2")]
        ),
    }
    memory = opened(ears, extractor=ScriptedExtractor(script=script), clock=lambda: NOW)
    memory.remember(
        [{"speaker": who, "text": text} for who, text in zip(("Tom", "Kim"), script, strict=True)]
    )
    memory.wait()
    assert "conflict" not in ears.names
    memory.merge("Ana", "Eve")
    assert ears.names[-2:] == ["merged", "conflict"]
    assert ears.last("conflict").data["count"] == 1


def test_a_review_that_is_accepted_is_a_merge_and_a_refused_one_is_none(ears: Ears) -> None:
    script = {
        "Tom Berger is here": Script(entities=[draft_entity("Tom Berger")]),
        "Tom Bergen is here": Script(entities=[draft_entity("Tom Bergen")]),
    }
    for same, rung in ((True, 1), (False, 0)):
        listener = Ears()
        memory = opened(listener, extractor=ScriptedExtractor(script=script))
        for text in script:
            memory.remember(text)
        memory.wait()
        (review,) = memory.reviews()
        memory.decide(review, same=same)
        assert listener.names.count("merged") == rung
        if same:
            assert listener.last("merged").data["verb"] == "review"


def test_one_hears_of_what_is_written_by_hand_and_taken_back(ears: Ears) -> None:
    memory = opened(ears)
    memory.put(Entity("Ana", "person"))
    memory.put(Entity("Bo", "person"))
    receipt = memory.relate("Ana", "knows", "Bo")
    memory.note("Ana takes tea")
    assert [event.data["verb"] for event in ears.heard] == ["put", "put", "relate", "note"]
    assert set(ears.names) == {"remembered"}
    assert ears.heard[2].data["ids"] == receipt.ids
    memory.undo()
    assert ears.last("undone").data["versions"] == (4,)


def test_one_hears_of_recalling_and_forgetting(ears: Ears) -> None:
    memory = opened(ears)
    memory.note("Ana takes tea")
    memory.recall("tea")
    memory.context()
    memory.search_notes("tea")
    assert [event.data["verb"] for event in ears.heard[1:]] == ["recall", "context", "search"]
    assert ears.heard[1].data["lines"] == 1
    memory.forget(everything=True, dry_run=True)
    assert "forgotten" not in ears.names
    memory.forget(everything=True)
    forgotten = ears.last("forgotten")
    assert (forgotten.data["what"], forgotten.texts) == ("everything", {})


@pytest.mark.parametrize(
    ("error", "final"),
    [
        (ModelUnavailableError("busy"), False),
        (ReplyRejectedError("no"), False),
        (ConfigError("no key"), True),
    ],
)
def test_one_hears_of_a_failure_and_whether_it_is_tried_again(
    ears: Ears, error: Exception, final: bool
) -> None:
    memory = opened(ears, extractor=ScriptedExtractor(error=error))
    memory.remember("Ana has badge 1")
    memory.wait(raises=False)
    data = dict(ears.last("failed").data)
    assert data.pop("episode")
    assert data == {"error": type(error).__name__, "attempts": 1, "final": final}


def test_texts_are_told_to_those_alone_who_ask_for_them(ears: Ears) -> None:
    curious = CuriousEars()
    memory = opened(ears, curious, CuriousEars())
    memory.remember("Ana has badge 1")
    memory.note("Ana takes tea")
    memory.recall("tea")
    KnowledgeMemory(memory=memory).remember("Bo takes milk")
    memory.put(Entity("Bo", "person"))
    assert [event.texts for event in ears.heard] == [{}] * 5
    said, noted, recalled, kept, put = (event.texts for event in curious.heard)
    assert said == {"records": [{"content": "Ana has badge 1"}]}
    assert noted == {"records": [{"content": "Ana takes tea"}]}
    assert recalled["query"] == "tea"
    records: Any = recalled["records"]
    (record,) = records
    assert "Ana takes tea" in record["content"]
    assert 0 <= record["score"] <= 1
    assert "Bo takes milk" in str(kept)
    assert put == {}


def test_an_observer_that_can_hear_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="on_event or on_entity_extraction; Deaf has neither"):
        opened(type("Deaf", (), {})())


def test_texts_are_not_made_where_nobody_asks() -> None:
    def texts() -> dict[str, object]:
        raise AssertionError

    bell = Bell([Ears()], lambda: NOW)
    bell.ring("recalled", "ada", texts)
    Bell([], lambda: NOW).ring("recalled", "ada", texts)


def test_an_observer_of_entities_sees_those_of_each_text(caplog: pytest.LogCaptureFixture) -> None:
    watcher = Watcher()
    memory = opened(watcher)
    first = memory.remember("Ana has badge 1")
    memory.remember("Bo met Ana")
    memory.remember("Nothing at all")
    memory.wait()
    (run, extracted, total, entities), second = watcher.seen
    assert (run, extracted, total) == (first.episode_ids[0], 1, 1)
    assert [(each.name, each.attributes) for each in entities] == [("Ana", {"badge": "1"})]
    assert second[1:3] == (2, 2)
    assert sorted(each.name for each in second[3]) == ["Ana", "Bo"]
    assert not caplog.records


def test_one_observer_may_hear_of_both_and_one_that_fails_disturbs_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Both(Ears, Watcher):
        def __init__(self) -> None:
            Ears.__init__(self)
            Watcher.__init__(self)

    class Rude:
        def on_event(self, event: Event) -> None:
            raise RuntimeError(event.name)

        def on_entity_extraction(self, run_id: str) -> None:
            raise AssertionError

    both = Both()
    with caplog.at_level(logging.WARNING, "factbook"):
        memory = opened(Rude(), both)
        memory.remember("Ana has badge 1")
        memory.wait()
    assert both.names == ["remembered", "extracted", "learned"]
    assert len(both.seen) == 1
    assert [record.getMessage() for record in caplog.records] == [
        "observer Rude failed on remembered: RuntimeError",
        "observer Rude failed on extracted: RuntimeError",
        "observer Rude failed on learned: RuntimeError",
        "observer Rude failed on on_entity_extraction: TypeError",
    ]


def test_a_merge_that_nobody_watches_reads_nothing_more() -> None:
    bell = Bell([Watcher()], lambda: NOW)
    assert (bell.is_heard, bell.is_heard_of_entities) == (False, True)
    memory = opened()
    memory.put(Entity("Ana", "person"))
    memory.put(Entity("Ann", "person"))
    assert memory.merge("Ana", "Ann").versions
