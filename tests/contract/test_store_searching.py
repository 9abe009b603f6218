"""Candidates for recall: words, vectors, entities, neighbourhood, and what a hit says."""

from __future__ import annotations

import pytest

from factbook.model.change import Change
from factbook.model.line import LineFilter
from factbook.ports.snapshot import Snapshot
from factbook.ports.store import Store, Vectors
from factbook.text.index_words import index_words
from tests.support.builders import (
    alias,
    at,
    commit,
    entity,
    episode,
    fact,
    mention,
    message,
    note,
    relation,
    source,
    support,
)
from tests.support.models import HashEmbedder

ALL = LineFilter(superseded=True)
EMBEDDER = HashEmbedder(16)


def ids(snapshot: Snapshot, numbers: list[int], space: str = "ada") -> list[str]:
    return [hit.id for hit in snapshot.hits(space, numbers, [])]


def found(
    store: Store, question: str, where: LineFilter = ALL, *, limit: int = 99, space: str = "ada"
) -> set[str]:
    """Ids of the lines that the question's words find."""
    with store.snapshot() as snapshot:
        return set(
            ids(
                snapshot,
                snapshot.find_words(space, index_words(question), where, limit=limit),
                space,
            )
        )


def embed(store: Store, model: str = "hash/1", space: str = "ada") -> None:
    """Gives every line of the space its vector."""
    with store.snapshot() as snapshot:
        rows = snapshot.without_vector(space, model, limit=9_999)
    vectors = dict(
        zip([row[1] for row in rows], EMBEDDER.embed([row[2] for row in rows]), strict=True)
    )
    store.put_vectors(space, Vectors(model=model, size=16, rows=vectors))


@pytest.fixture
def told(store: Store) -> Store:
    """A little of every kind of line."""
    store.remember(
        "ada",
        [
            episode(
                message("I play the violin in Oslo", id="m0", at=at(0)),
                message("Which orchestra?", id="m1", at=at(1), role="assistant", speaker="Bot"),
                session="monday",
                project="atlas",
            ),
            episode(
                message("The harbour at night", id="m2", at=at(days=3), speaker="Tom Berger"),
                session="tuesday",
            ),
        ],
    )
    commit(
        store,
        "ada",
        entity("tom", "Tom Berger", description="Plays chess", updated_at=at(days=1)),
        alias("tom", "Tommy"),
        fact(
            "tom",
            "home_town",
            "Bergen",
            id="f0",
            source=source(said_at=at(days=2), session="monday"),
        ),
        fact(
            "tom",
            "home_town",
            "Oslo",
            id="f1",
            invalid_at=at(days=2),
            source=source(project="orion"),
        ),
        relation(
            "tom",
            "works_at",
            "acme",
            id="r0",
            note="as a baker",
            importance=0.9,
            source=source(speaker="Tom"),
        ),
        note(
            "Ask about the violin?", "tom", "acme", id="n0", category="to_do", expires_at=at(days=9)
        ),
        mention("tom", message("Which orchestra?", id="m1"), "orchestra", at=at(1)),
    )
    return store


# --- words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("violin", {"m0", "n0"}),
        ("VIOLINS and harbours", {"m0", "n0", "m2"}),
        ("Oslo", {"m0", "f1"}),
        ("home town", {"f0", "f1"}),
        ("Bergen", {"f0"}),
        ("works", {"r0"}),
        ("baker", {"r0"}),
        ("Tommy", {"tom"}),
        ("chess", {"tom"}),
        ("person", {"tom"}),
        ("Berger", {"tom", "m2"}),
        ("6 May 2024", {"m0", "m1", "m2"}),
        ("todo", set()),
        ("the and of", set()),
        ("nothing-like-it", set()),
    ],
)
def test_lines_are_found_by_their_words(told: Store, question: str, lines: set[str]):
    assert found(told, question) == lines


@pytest.mark.parametrize(
    ("where", "lines"),
    [
        (LineFilter(), {"m0", "m1", "m2", "tom", "f0", "r0", "n0"}),
        (LineFilter(superseded=True), {"m0", "m1", "m2", "tom", "f0", "f1", "r0", "n0"}),
        (LineFilter(projects=("atlas",)), {"m0", "m1", "m2", "tom", "f0", "r0", "n0"}),
        (LineFilter(projects=("orion",), superseded=True), {"m2", "tom", "f0", "f1", "r0", "n0"}),
        (
            LineFilter(projects=("orion", "atlas"), superseded=True),
            {"m0", "m1", "m2", "tom", "f0", "f1", "r0", "n0"},
        ),
        (LineFilter(sessions=("monday",)), {"m0", "m1", "f0"}),
        (LineFilter(sessions=("monday", "tuesday")), {"m0", "m1", "f0", "m2"}),
        (LineFilter(kinds=("message",)), {"m0", "m1", "m2"}),
        (LineFilter(kinds=("fact", "note")), {"f0", "n0"}),
        (LineFilter(kinds=("entity", "relation")), {"tom", "r0"}),
        (LineFilter(since=at(days=2)), {"m2", "f0"}),
        (LineFilter(until=at(1)), {"m0", "r0", "n0"}),
        (LineFilter(since=at(1), until=at(days=2)), {"m1", "tom"}),
        (LineFilter(now=at(days=1)), {"m0", "m1", "m2", "tom", "f0", "f1", "r0", "n0"}),
        (LineFilter(now=at(days=2)), {"m0", "m1", "m2", "tom", "f0", "r0", "n0"}),
        (LineFilter(now=at(days=9)), {"m0", "m1", "m2", "tom", "f0", "r0"}),
        (LineFilter(min_importance=0.6), {"r0"}),
        (LineFilter(min_importance=0.5, kinds=("message",)), {"m0", "m1", "m2"}),
        (LineFilter(kinds=("fact",), sessions=("tuesday",)), set()),
    ],
)
def test_each_filter_holds_in_every_search(told: Store, where: LineFilter, lines: set[str]):
    everything = "violin orchestra harbour chess Bergen Oslo works"
    assert found(told, everything, where) == lines
    embed(told)
    with told.snapshot() as snapshot:
        asked = EMBEDDER.embed([everything])[0]
        near = set(ids(snapshot, snapshot.find_vector("ada", "hash/1", asked, where, limit=99)))
        about = set(ids(snapshot, snapshot.find_entity_lines("ada", ["tom"], where, limit=99)))
        first = snapshot.find_words(
            "ada", index_words("Oslo"), LineFilter(kinds=("message",)), limit=9
        )
        around = set(ids(snapshot, snapshot.find_around("ada", first, where, radius=5)))
    assert near == lines & {"m0", "m1", "m2", "n0", "tom"}
    assert about == lines & {"m1", "tom", "f0", "f1", "r0", "n0"}
    assert around == lines & {"m1"}


def test_a_store_tells_whether_a_space_has_vectors_of_a_model(told: Store):
    commit(told, "tom", note("Violin", id="n9"))
    with told.snapshot() as snapshot:
        assert not snapshot.has_vectors("ada", "hash/1")
    embed(told)
    with told.snapshot() as snapshot:
        assert snapshot.has_vectors("ada", "hash/1")
        assert not snapshot.has_vectors("ada", "another")
        assert not snapshot.has_vectors("tom", "hash/1")
        assert not snapshot.has_vectors("nobody", "hash/1")


def test_the_best_lines_come_first(store: Store):
    texts = (
        "a garden",
        "a garden and a violin",
        "a violin that nobody plays well who has heard better ones elsewhere before today",
        "the violin and the other violin",
        "a violin",
    )
    store.remember(
        "ada", [episode(*[message(text, id=f"m{place}") for place, text in enumerate(texts)])]
    )
    with store.snapshot() as snapshot:
        best = ids(
            snapshot, snapshot.find_words("ada", index_words("violin in the garden"), ALL, limit=9)
        )
        assert best == ["m1", "m0", "m3", "m4", "m2"]
        assert best[:2] == ids(
            snapshot, snapshot.find_words("ada", index_words("violin in the garden"), ALL, limit=2)
        )


def test_of_lines_that_fit_alike_the_latest_are_found_however_few_are_asked_for(store: Store):
    commit(
        store,
        "ada",
        *(note(text, id=f"n{n}", category="") for n, text in enumerate(("garden", "violin") * 2)),
    )
    commit(
        store, "ada", *(note("violin", id="n4", category=""), note("garden", id="n5", category=""))
    )
    with store.snapshot() as snapshot:
        for limit in range(1, 7):
            numbers = snapshot.find_words("ada", index_words("violin garden"), ALL, limit=limit)
            assert ids(snapshot, numbers) == ["n5", "n4", "n3", "n2", "n1", "n0"][:limit]


def test_the_lines_with_the_rarest_words_are_kept_when_there_are_too_many(store: Store):
    store.remember("ada", [episode(*["the garden is green"] * 40, "a violin")])
    with store.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", index_words("violin garden"), ALL, limit=5)
        assert snapshot.hits("ada", numbers[:1], index_words("violin"))[0].counts == {"violin": 1}
        assert len(snapshot.find_words("ada", index_words("violin garden"), ALL, limit=99)) == 41


def test_a_space_counts_its_own_words(store: Store):
    store.remember("ada", [episode("violin violin garden", "violin"), episode("harbour")])
    store.remember("tom", [episode(*["violin and harbour"] * 9)])
    with store.snapshot() as snapshot:
        stats = snapshot.word_stats("ada", index_words("violin harbour lighthouse"))
    assert stats.lines == 3
    assert stats.frequency == {"violin": 2, "harbour": 1}
    date = len(index_words("6 May 2024"))
    assert stats.mean_length == pytest.approx((3 + 1 + 1 + 3 * date) / 3)


def test_another_spaces_lines_are_never_found(store: Store):
    store.remember("ada", [episode(message("violin", id="mine"))])
    store.remember("tom", [episode(message("violin", id="theirs"))])
    store.remember("ad", [episode(message("avioline violin", id="near"))])
    assert found(store, "violin") == {"mine"}
    with store.snapshot() as snapshot:
        theirs = snapshot.find_words("tom", ["violin"], ALL, limit=9)
        assert snapshot.hits("ada", theirs, ["violin"]) == []
        assert snapshot.find_around("ada", theirs, ALL, radius=9) == []


@pytest.mark.parametrize(
    "space", ["Ada", "ada ", "ad a", "a*", 'a"d', "ada\u0301", "ÅDA", "a_d", "x" * 200]
)
def test_spaces_whose_names_look_alike_are_kept_apart(store: Store, space: str):
    store.remember("ada", [episode(message("violin", id="mine"))])
    store.remember(space, [episode(message("violin", id="theirs"))])
    assert found(store, "violin") == {"mine"}
    assert found(store, "violin", space=space) == {"theirs"}
    with store.snapshot() as snapshot:
        assert snapshot.word_stats("ada", ["violin"]).frequency == {"violin": 1}


def test_an_altered_row_is_found_by_its_new_words_only(store: Store):
    old, new = note("violin", id="n"), note("harbour", id="n")
    commit(store, "ada", old)
    commit(store, "ada", Change(before=old, after=new))
    assert found(store, "violin") == set()
    assert found(store, "harbour") == {"n"}
    with store.snapshot() as snapshot:
        assert snapshot.word_stats("ada", ["violin", "harbour"]).frequency == {"harbour": 1}
    commit(store, "ada", Change(before=new))
    assert found(store, "harbour") == set()
    with store.snapshot() as snapshot:
        assert snapshot.word_stats("ada", ["harbour"]).lines == 0


def test_an_alias_makes_its_entity_findable_and_takes_that_back(store: Store):
    nick = alias("tom", "Bakerman")
    commit(store, "ada", nick)
    commit(store, "ada", entity("tom"))
    assert found(store, "bakerman") == {"tom"}
    commit(store, "ada", Change(before=nick))
    assert found(store, "bakerman") == set()


@pytest.mark.parametrize(
    "text", ["c++ and C#", "日本語のテスト", "don't", "naïve Łódź", 'say "NEAR" OR NOT *', "AND OR"]
)
def test_words_of_any_form_are_found_again(store: Store, text: str):
    store.remember("ada", [episode(message(text, id="m"), message("something else", id="x"))])
    if asked := index_words(text):
        with store.snapshot() as snapshot:
            numbers = snapshot.find_words("ada", asked, ALL, limit=9)
            (hit,) = snapshot.hits("ada", numbers, asked)
        assert (hit.id, set(hit.counts)) == ("m", set(asked))


# --- vectors --------------------------------------------------------------------------------------


def test_the_nearest_lines_come_first_with_their_cosine(store: Store):
    store.remember("ada", [episode("violin and piano", "the harbour at night", "violin", "")])
    embed(store)
    asked = EMBEDDER.embed(["violin"])[0]
    with store.snapshot() as snapshot:
        numbers = snapshot.find_vector("ada", "hash/1", asked, ALL, limit=9)
        hits = snapshot.hits("ada", numbers, [], model="hash/1", vector=asked)
        assert hits[0].position == 2
        assert hits[0].cosine == pytest.approx(1.0, abs=1e-5)
        assert [hit.cosine for hit in hits] == sorted(
            (hit.cosine or 0 for hit in hits), reverse=True
        )
        assert len(hits) == 3
        assert snapshot.find_vector("ada", "hash/1", asked, ALL, limit=1) == numbers[:1]
        assert [hit.cosine for hit in snapshot.hits("ada", numbers, [])] == [None] * 3


def test_vectors_of_another_model_are_never_compared(store: Store):
    store.remember("ada", [episode("violin")])
    embed(store)
    asked = EMBEDDER.embed(["violin"])[0]
    with store.snapshot() as snapshot:
        assert snapshot.find_vector("ada", "hash/2", asked, ALL, limit=9) == []
        numbers = snapshot.find_words("ada", ["violin"], ALL, limit=9)
        assert snapshot.hits("ada", numbers, [], model="hash/2", vector=asked)[0].cosine is None


def test_what_should_have_a_vector_is_listed_until_it_has_one(told: Store):
    with told.snapshot() as snapshot:
        rows = snapshot.without_vector("ada", "hash/1", limit=99)
        assert sorted(rows) == [
            ("ada", "m0", "I play the violin in Oslo"),
            ("ada", "m1", "Which orchestra?"),
            ("ada", "m2", "The harbour at night"),
            ("ada", "n0", "Ask about the violin?"),
            ("ada", "tom", "Tom Berger (person): Plays chess"),
        ]
        assert len(snapshot.without_vector("ada", "hash/1", limit=2)) == 2
        assert snapshot.without_vector("tom", "hash/1", limit=9) == []
        assert sorted(snapshot.without_vector(None, "hash/1", limit=99)) == sorted(rows)
    embed(told)
    with told.snapshot() as snapshot:
        assert snapshot.without_vector("ada", "hash/1", limit=99) == []
        assert len(snapshot.without_vector("ada", "hash/2", limit=99)) == 5
        assert snapshot.stats("ada")["vectors"] == 5


def test_a_new_models_vector_takes_the_place_of_the_old(store: Store):
    store.remember("ada", [episode("violin")])
    embed(store, "hash/1")
    embed(store, "hash/2")
    asked = EMBEDDER.embed(["violin"])[0]
    with store.snapshot() as snapshot:
        assert snapshot.find_vector("ada", "hash/1", asked, ALL, limit=9) == []
        assert len(snapshot.find_vector("ada", "hash/2", asked, ALL, limit=9)) == 1
        assert snapshot.stats("ada")["vectors"] == 1


def test_a_vector_goes_with_the_text_that_it_was_made_from(store: Store):
    old, new = note("violin", id="n"), note("harbour", id="n")
    same_text = note("harbour", id="n", importance=0.9)
    commit(store, "ada", old)
    embed(store)
    commit(store, "ada", Change(before=old, after=new))
    with store.snapshot() as snapshot:
        assert (
            snapshot.find_vector("ada", "hash/1", EMBEDDER.embed(["violin"])[0], ALL, limit=9) == []
        )
        assert snapshot.without_vector("ada", "hash/1", limit=9) == [("ada", "n", "harbour")]
    embed(store)
    commit(store, "ada", Change(before=new, after=same_text))
    with store.snapshot() as snapshot:
        assert snapshot.without_vector("ada", "hash/1", limit=9) == []
    commit(store, "ada", Change(before=same_text))
    with store.snapshot() as snapshot:
        assert snapshot.stats("ada")["vectors"] == 0


def test_vectors_come_with_the_commit_that_makes_their_lines(store: Store):
    vector = EMBEDDER.embed(["violin"])[0]
    commit(
        store,
        "ada",
        note("violin", id="n"),
        vectors=Vectors(model="hash/1", size=16, rows={"n": vector}),
    )
    with store.snapshot() as snapshot:
        assert len(snapshot.find_vector("ada", "hash/1", vector, ALL, limit=9)) == 1


def test_vectors_without_a_line_are_left_out(store: Store):
    vector = EMBEDDER.embed(["violin"])[0]
    store.put_vectors("ada", Vectors(model="hash/1", size=16, rows={"nowhere": vector}))
    with store.snapshot() as snapshot:
        assert snapshot.stats("ada")["vectors"] == 0
        assert snapshot.find_vector("ada", "hash/1", vector, ALL, limit=9) == []


def test_the_nearest_are_found_among_many_with_a_filter(store: Store):
    texts = [f"word{number} thing{number % 7}" for number in range(300)]
    told = [episode(*texts[part : part + 50], session=f"s{part}") for part in range(0, 300, 50)]
    store.remember("ada", told)
    embed(store)
    asked = EMBEDDER.embed(["word277 thing4"])[0]
    with store.snapshot() as snapshot:
        (best,) = snapshot.hits(
            "ada",
            snapshot.find_vector("ada", "hash/1", asked, ALL, limit=1),
            index_words("word277"),
        )
        assert best.counts
        where = LineFilter(sessions=("s0",))
        near = snapshot.hits(
            "ada", snapshot.find_vector("ada", "hash/1", asked, where, limit=20), []
        )
        assert len(near) == 20
        assert {hit.id for hit in near} <= {said.id for said in told[0].messages}


# --- entities and neighbourhood -------------------------------------------------------------------


def test_lines_about_an_entity_come_latest_first_each_once(told: Store):
    with told.snapshot() as snapshot:
        numbers = snapshot.find_entity_lines("ada", ["tom", "acme"], ALL, limit=99)
        assert ids(snapshot, numbers)[:2] == ["f0", "tom"]
        assert set(ids(snapshot, numbers)) == {"f0", "tom", "m1", "r0", "n0", "f1"}
        assert ids(snapshot, snapshot.find_entity_lines("ada", ["tom"], ALL, limit=1)) == ["f0"]
        assert ids(
            snapshot,
            snapshot.find_entity_lines("ada", ["acme"], LineFilter(kinds=("note",)), limit=9),
        ) == ["n0"]
        assert snapshot.find_entity_lines("ada", ["nobody"], ALL, limit=9) == []
        assert snapshot.find_entity_lines("ada", [], ALL, limit=9) == []


def test_a_mention_that_is_taken_back_unlinks_its_message(store: Store):
    said = message("Tom and Ada", id="m")
    told = episode(said)
    store.remember("ada", [told])
    first, second = mention("tom", said, "Tom", told.id), mention("ada", said, "Ada", told.id)
    commit(store, "ada", first, second)
    with store.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", ["tom"], ALL, limit=9)
        assert snapshot.hits("ada", numbers, [])[0].entity_ids == ("ada", "tom")
    commit(store, "ada", Change(before=first))
    with store.snapshot() as snapshot:
        assert snapshot.find_entity_lines("ada", ["tom"], ALL, limit=9) == []
        assert snapshot.hits("ada", numbers, [])[0].entity_ids == ("ada",)


def test_what_was_said_around_a_message_stays_in_its_session(store: Store):
    for part in range(3):
        for session in ("monday", "tuesday"):
            said = [message(f"{session} {part}{n}", id=f"{session}{part}{n}") for n in range(3)]
            store.remember("ada", [episode(*said, session=session)])
    with store.snapshot() as snapshot:
        numbers = {
            hit.id: hit.no
            for hit in snapshot.hits(
                "ada", snapshot.find_words("ada", ["monday"], ALL, limit=99), []
            )
        }
        around = snapshot.find_around("ada", [numbers["monday10"]], ALL, radius=2)
        assert sorted(ids(snapshot, around)) == ["monday01", "monday02", "monday11", "monday12"]
        both = snapshot.find_around(
            "ada", [numbers["monday10"], numbers["monday11"]], ALL, radius=1
        )
        assert sorted(ids(snapshot, both)) == ["monday02", "monday12"]
        assert snapshot.find_around("ada", [numbers["monday00"]], ALL, radius=0) == []
        assert snapshot.find_around("ada", [], ALL, radius=5) == []


def test_nothing_is_around_what_was_not_said(told: Store):
    with told.snapshot() as snapshot:
        notes = snapshot.find_words("ada", ["violin"], LineFilter(kinds=("note",)), limit=9)
        assert snapshot.find_around("ada", notes, ALL, radius=5) == []


# --- hits -----------------------------------------------------------------------------------------


def test_a_hit_says_what_ranking_needs(told: Store):
    asked = index_words("violin Oslo Tom town works chess")
    with told.snapshot() as snapshot:
        numbers = snapshot.find_words(
            "ada", [*asked, *index_words("orchestra harbour")], ALL, limit=99
        )
        hits = {hit.id: hit for hit in snapshot.hits("ada", numbers, asked)}
        assert [hit.no for hit in snapshot.hits("ada", numbers[::-1], [])] == numbers[::-1]
    assert {line_id: hit.kind for line_id, hit in hits.items()} == {
        "m0": "message",
        "m1": "message",
        "m2": "message",
        "tom": "entity",
        "f0": "fact",
        "f1": "fact",
        "r0": "relation",
        "n0": "note",
    }
    m0, m1, m2, f0, f1, r0, n0, tom = (
        hits[each] for each in ("m0", "m1", "m2", "f0", "f1", "r0", "n0", "tom")
    )
    assert (m0.position, m1.position, m2.position) == (0, 1, 0)
    assert m0.session == m1.session != m2.session
    assert (f0.session, r0.session, f0.position) == (m0.session, -1, -1)
    assert (m0.counts, n0.counts) == ({"violin": 1, "oslo": 1}, {"violin": 1})
    assert (m0.length, m0.cost) == (3 + len(index_words("6 May 2024")), 6)
    assert (f0.cost, r0.cost, n0.cost, tom.cost) == (3, 5, 4, 5)
    assert (m0.at, f0.at, tom.at) == (
        at(0).timestamp(),
        at(days=2).timestamp(),
        at(days=1).timestamp(),
    )
    assert (m0.speaker, m1.speaker, m2.speaker, r0.speaker) == ("", "bot", "tom berger", "tom")
    assert (m0.role, m1.role, f0.role) == ("user", "assistant", "")
    assert (m0.importance, r0.importance) == (0.5, 0.9)
    assert (m0.question, m1.question, n0.question) == (False, True, True)
    assert (m1.entity_ids, f0.entity_ids, r0.entity_ids) == (("tom",), ("tom",), ("tom", "acme"))
    assert (n0.entity_ids, tom.entity_ids, m0.entity_ids) == (("tom", "acme"), ("tom",), ())
    assert (f0.superseded, f1.superseded) == (False, True)


def test_whether_a_statement_holds_is_said_for_the_moment_that_is_asked_for(store: Store):
    commit(
        store,
        "ada",
        fact("a", "plays", "violin", id="ended", invalid_at=at(days=5)),
        fact("a", "plays", "violin", id="wrong", expired_at=at(days=5)),
        fact("a", "plays", "violin", id="holds"),
    )
    with store.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", ["violin"], ALL, limit=9)
        for moment, over in (
            (None, {"ended", "wrong"}),
            (at(days=4), {"wrong"}),
            (at(days=5), {"ended", "wrong"}),
        ):
            hits = snapshot.hits("ada", numbers, [], now=moment)
            assert {hit.id for hit in hits if hit.superseded} == over


def test_numbers_without_a_line_are_left_out_of_the_hits(store: Store):
    row = note("violin", id="n")
    commit(store, "ada", row)
    with store.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", ["violin"], ALL, limit=9)
    commit(store, "ada", Change(before=row))
    with store.snapshot() as snapshot:
        assert snapshot.hits("ada", [*numbers, 10**9], ["violin"]) == []


def test_an_expired_entity_is_hidden_and_its_facts_are_not(store: Store):
    commit(
        store,
        "ada",
        entity("tom", description="baker", expires_at=at(5)),
        fact("tom", "job", "baker", id="f"),
    )
    assert found(store, "baker", LineFilter(now=at(4))) == {"tom", "f"}
    assert found(store, "baker", LineFilter(now=at(5))) == {"f"}
    assert found(store, "baker") == {"tom", "f"}


# --- what stands above hearsay --------------------------------------------------------------------

SAID = {"message_id": "m0", "quote": "the violin", "said_at": at()}
VERIFIED = LineFilter(verified=True)


def test_only_what_stands_above_hearsay_by_its_own_words_is_verified(store: Store):
    store.remember(
        "ada",
        [
            episode(
                message("my violin", id="m0"),
                message("her violin", id="m1", speaker="Tom Berger"),
                message("a violin?", id="m2", role="assistant"),
                message("violin: 3 results", id="m3", role="tool"),
            )
        ],
    )
    commit(
        store,
        "ada",
        entity("hand", "Violin", source=source(standing="note")),
        entity("altered", "Violin", source=source(standing="note"), updated_at=at(1)),
        entity("named", "Violin", source=source(message_id="m0")),
        *(fact("a", "plays", "violin", id=f"f-{standing}", source=source(standing=standing, **SAID)) for standing in ALL_STANDINGS),
        fact("a", "plays", "violin", id="f-by-hand", source=source(standing="note")),
        fact("a", "plays", "violin", id="f-unquoted", source=source(message_id="m0")),
        fact("a", "plays", "violin", id="f-nowhere", source=source(quote="the violin")),
        relation("a", "plays", "b", id="r-user", note="violin", source=source(**SAID)),
        relation("a", "plays", "b", id="r-by-hand", note="violin", source=source(standing="note")),
        relation("a", "plays", "b", id="r-web", note="violin", source=source(standing="web", **SAID)),
        relation("a", "plays", "b", id="r-unquoted", note="violin", source=source(message_id="m0")),
        *(note("violin", "a", id=f"n-{standing}", source=source(standing=standing)) for standing in ALL_STANDINGS),
    )  # fmt: skip
    verified = {
        "m0",
        "m1",
        "hand",
        "f-user",
        "f-note",
        "f-by-hand",
        "r-user",
        "r-by-hand",
        "n-user",
        "n-note",
    }
    assert found(store, "violin", VERIFIED) == verified
    embed(store)
    with store.snapshot() as snapshot:
        asked = EMBEDDER.embed(["violin"])[0]
        near = set(ids(snapshot, snapshot.find_vector("ada", "hash/1", asked, VERIFIED, limit=99)))
        about = set(ids(snapshot, snapshot.find_entity_lines("ada", ["a"], VERIFIED, limit=99)))
        first = snapshot.find_words("ada", ["violin"], LineFilter(kinds=("message",)), limit=9)[:1]
        around = set(ids(snapshot, snapshot.find_around("ada", first, VERIFIED, radius=9)))
    assert near == {"m0", "m1", "n-user", "n-note"}
    assert about == {each for each in verified if each[0] in "frn"}
    assert around <= {"m0", "m1"}


def test_a_statement_is_verified_once_the_user_says_it_again(store: Store):
    told = fact("a", "plays", "violin", id="f", source=source(standing="assistant", **SAID))
    linked = relation(
        "a", "plays", "b", id="r", note="violin", source=source(standing="hearsay", **SAID)
    )
    commit(store, "ada", told, linked)
    commit(
        store,
        "ada",
        support("f", source=source(standing="web", **SAID)),
        support("r", source=source()),
    )
    assert found(store, "violin", VERIFIED) == set()
    first, second = (
        support("f", source=source(**SAID)),
        support("r", source=source(standing="note")),
    )
    commit(store, "ada", first, second)
    assert found(store, "violin", VERIFIED) == {"f", "r"}
    with store.snapshot() as snapshot:
        assert set(ids(snapshot, snapshot.find_entity_lines("ada", ["a"], VERIFIED, limit=9))) == {
            "f",
            "r",
        }
    commit(store, "ada", Change(before=first))
    assert found(store, "violin", VERIFIED) == {"r"}


ALL_STANDINGS = ("user", "note", "hearsay", "assistant", "tool", "web")

RARE = [
    LineFilter(verified=True),
    LineFilter(projects=("orion",)),
    LineFilter(sessions=("apart",)),
    LineFilter(kinds=("note",)),
    LineFilter(since=at(days=9)),
    LineFilter(until=at(days=-8)),
    LineFilter(min_importance=0.9),
    LineFilter(kinds=("note",), min_importance=0.9, verified=True, since=at(days=9)),
]


@pytest.mark.parametrize("where", RARE, ids=str)
def test_a_filter_that_leaves_few_lines_starves_no_search(store: Store, where: LineFilter):
    """However many better lines the filter takes away, what it leaves is found."""
    common = {"session": "work", "project": "atlas"}
    for part in range(30):
        said = [
            message("the violin plays", role="assistant", at=at(part), id=f"{part}-{n}")
            for n in range(50)
        ]
        store.remember("ada", [episode(*said, **common)])
    when = at(days=-9) if where.until else at(days=9)
    kept = source(standing="note", session="apart", project="orion", said_at=when)
    commit(
        store,
        "ada",
        *(
            fact("a", "plays", "the violin", id=f"f{n}", source=source(standing="web", **common))
            for n in range(600)
        ),
        note(
            "a violin, and more of this and that besides",
            "a",
            id="left",
            importance=0.95,
            source=kept,
        ),
    )
    embed(store)
    with store.snapshot() as snapshot:
        asked = EMBEDDER.embed(["the violin plays"])[0]
        ways = (
            snapshot.find_words("ada", index_words("violin plays"), where, limit=20),
            snapshot.find_vector("ada", "hash/1", asked, where, limit=20),
            snapshot.find_entity_lines("ada", ["a"], where, limit=20),
        )
        assert [ids(snapshot, numbers) for numbers in ways] == [["left"]] * 3


def test_of_some_words_those_are_told_that_stand_in_a_line_of_the_space(told: Store) -> None:
    with told.snapshot() as snapshot:
        numbers = snapshot.find_words("ada", index_words("violin harbour"), ALL, limit=9)
        held = snapshot.words_held(
            "ada", [*numbers, 987_654_321], frozenset(index_words("violin Oslo night opera"))
        )
        by_id = {hit.id: held.get(hit.no, []) for hit in snapshot.hits("ada", numbers, [])}
        assert by_id == {
            "m0": index_words("Oslo violin"),
            "m2": index_words("night"),
            "n0": index_words("violin"),
        }
        assert snapshot.words_held("ada", numbers, frozenset(index_words("opera"))) == {}
        assert snapshot.words_held("bob", numbers, frozenset(index_words("violin"))) == {}


def test_how_often_each_of_many_words_stands_in_a_line_is_counted_to_the_last(store: Store) -> None:
    """A posting counts some times, and what stands more often is read from the line."""
    said = [*(f"kayak{number}" for number in range(80)), *["violin"] * 50, "oslo", "violin"]
    store.remember("ada", [episode(message(" ".join(said), id="m"), session="s")])
    expected = {word: said.count(word) for word in index_words(" ".join(said))}
    with store.snapshot() as snapshot:
        for asked in (list(expected), ["violin", "oslo"]):
            numbers = snapshot.find_words("ada", asked, ALL, limit=9)
            (hit,) = snapshot.hits("ada", numbers, asked)
            assert dict(hit.counts) == {word: expected[word] for word in asked}
