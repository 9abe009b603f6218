"""Questions followed into what a space knows: whom they name, where hops lead, when events were."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from factbook.model.kinds import BUILT_IN
from factbook.model.line import LineFilter
from factbook.model.record import SELF
from factbook.model.source import NEVER
from factbook.recall.request import RecallRequest
from factbook.recall.understand.question_entities import Followed, follow, linked_entities
from factbook.store.ram import RamStore
from factbook.text.question.question_times import BEGINNING, END
from factbook.text.token_estimate import Estimate
from tests.support import builders as b

KINDS = {kind.id: kind for kind in BUILT_IN}
NOW = b.at(days=400)


def ask(store: RamStore, question: str, **where: Any) -> Followed:
    with store.snapshot() as snapshot:
        request = RecallRequest(
            snapshot=snapshot,
            spaces=("ada",),
            space="ada",
            question=question,
            budget=300,
            where=LineFilter(now=NOW, **where),
            kinds=KINDS,
            now=NOW,
            tokenizer=Estimate(),
        )
        return follow(request)


def paths(store: RamStore, question: str, **where: Any) -> list[str]:
    return sorted(each.path for each in ask(store, question, **where).query.reached)


def span(store: RamStore, question: str, **where: Any) -> tuple[str, str, str]:
    found = ask(store, question, **where).query.span
    assert found is not None
    return _day(found.at), _day(found.until), found.known_by


def _day(at: datetime) -> str:
    return "" if at in (BEGINNING, END) else f"{at:%Y-%m-%d}"


def on(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.fixture
def store() -> RamStore:
    return RamStore()


@pytest.fixture
def office(store: RamStore) -> RamStore:
    b.commit(
        store,
        "ada",
        b.entity(SELF, "Ada Lind"),
        b.entity("alice", "Alice Novak"),
        b.entity("tom", "Tom Berger"),
        b.entity("priya", "Priya Raman"),
        b.entity("kit", "Kit Moss"),
        b.entity("acme", "Acme", kind="organization"),
        b.entity("initech", "Initech", kind="organization"),
        b.entity("porto", "Porto", kind="place"),
        b.entity("ghent", "Ghent", kind="place"),
        b.entity("team", "Team Blue", kind="organization"),
        b.relation("alice", "reports_to", "tom"),
        b.relation("tom", "sibling_of", "priya"),
        b.relation("priya", "works_at", "acme"),
        b.relation("alice", "works_at", "initech"),
        b.relation("kit", "worked_at", "initech", invalid_at=on("2024-08-31")),
        b.relation("kit", "godmother_of", "alice"),
        b.relation(SELF, "manages", "kit"),
        b.relation(
            "alice", "lives_in", "ghent", valid_at=on("2021-01-01"), invalid_at=on("2024-03-10")
        ),
        b.relation("alice", "lives_in", "porto", valid_at=on("2024-03-10")),
        b.relation("kit", "leads", "team", valid_at=on("2024-02-01")),
        b.fact("kit", "manager", "Tom Berger (since May)"),
        b.fact("priya", "birthday", "2 April 1990"),
        b.fact(SELF, "birthday", "12 March"),
        b.fact("acme", "launch_date", "2024-05-20"),
        b.fact("team", "date", "2024-06-01"),
        b.fact("acme", "repair_date", "some day"),
        b.fact("initech", "birthday", "unknown"),
    )
    return store


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What does Alice's manager think?", ["Alice Novak –reports to→ Tom Berger"]),
        (
            "Where does Alice's boss's sister live?",
            ["Alice Novak –reports to→ Tom Berger –sibling of→ Priya Raman"],
        ),
        ("What does my report do?", ["Ada Lind –manages→ Kit Moss"]),
        ("Who is Kit's boss?", ["Kit Moss ←manages– Ada Lind"]),
        ("Where is the company that Priya works for?", ["Priya Raman –works at→ Acme"]),
        ("What did the godmother of Alice say?", ["Alice Novak ←godmother of– Kit Moss"]),
        ("Where is Kit's team?", ["Kit Moss –leads→ Team Blue"]),
        ("What is Alice's hometown?", []),
        ("What is Alice's wallet like?", []),
        ("What does Alice's sister want?", []),
        (
            "Who else works at the company that Kit left?",
            ["Kit Moss –worked at→ Initech", "Kit Moss –worked at→ Initech ←works at– Alice Novak"],
        ),
        ("Where is Kit's former employer?", ["Kit Moss –worked at→ Initech"]),
        ("Where is Kit's employer?", []),
        ("Where is Alice's former employer?", []),
        (
            "what about the city where Alice lived",
            ["Alice Novak –lives in→ Ghent", "Alice Novak –lives in→ Porto"],
        ),
    ],
)
def test_hops_along_relations(office: RamStore, question: str, found: list[str]) -> None:
    assert paths(office, question) == found


def test_a_fact_that_holds_the_name_leads_on_too(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.entity("kit", "Kit Moss"),
        b.entity("tom", "Tom Berger"),
        b.fact("kit", "manager", "Tom Berger (since May)"),
        b.fact("kit", "accountant", "the firm of some five or six people"),
        b.fact("kit", "doctor", "Tom"),
        b.fact("kit", "boss", "Nobody Known", expired_at=NOW),
        b.fact("kit", "supervisor", "Tom", source=b.source(project="other")),
    )
    assert paths(store, "What does Kit's manager say?") == ["Kit Moss –manager→ Tom Berger"]
    assert paths(store, "What does Kit's accountant say?") == []
    assert paths(store, "What does Kit's doctor say?") == ["Kit Moss –doctor→ Tom Berger"]
    assert paths(store, "What does Kit's former manager say?") == []
    assert paths(store, "What does Kit's dentist say?") == []


def test_hops_follow_merged_entities_and_lead_to_the_canonical_one(office: RamStore) -> None:
    b.commit(office, "ada", b.entity("tommy", "Tommy B"), b.same_as("tommy", "tom"))
    b.commit(
        office, "ada", b.relation("tommy", "has_pet", "rex"), b.entity("rex", "Rex", kind="other")
    )
    assert paths(office, "How old is Alice's manager's dog?") == [
        "Alice Novak –reports to→ Tom Berger –has pet→ Rex",
    ]


def test_what_a_filter_keeps_out_leads_nowhere(office: RamStore) -> None:
    b.commit(
        office, "ada", b.relation("priya", "reports_to", "kit", source=b.source(project="atlas"))
    )
    assert paths(office, "What does Priya's manager say?", projects=("borealis",)) == []
    assert paths(office, "What does Priya's manager say?", projects=("atlas",)) == [
        "Priya Raman –reports to→ Kit Moss"
    ]


def test_what_is_hidden_or_never_held_leads_nowhere(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.entity("kit", "Kit Moss"),
        b.entity("gone", "Old Boss", expires_at=b.START),
        b.entity("tom", "Tom Berger"),
        b.relation("kit", "reports_to", "gone"),
        b.relation("kit", "reports_to", "tom", invalid_at=NEVER, expired_at=b.START),
        b.relation("kit", "worked_at", "tom"),
    )
    assert paths(store, "What does Kit's manager say?") == []
    assert paths(store, "What about the company that Kit left?") == []


def test_what_held_then_leads_on_as_of_then(office: RamStore) -> None:
    question = "what about the city where Alice lives"
    assert paths(office, question) == ["Alice Novak –lives in→ Porto"]
    then = on("2022-01-01")
    assert paths(office, question, as_of=then) == ["Alice Novak –lives in→ Ghent"]


def test_a_word_of_no_lexicon_leads_nowhere_in_the_past(office: RamStore) -> None:
    assert paths(office, "what did Alice's godmother say") == [
        "Alice Novak ←godmother of– Kit Moss"
    ]
    assert paths(office, "what did Alice's godmother say", as_of=on("2022-01-01")) == []


def test_a_label_that_holds_the_word_leads_on_from_its_first_end(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.entity("kit", "Kit Moss"),
        b.entity("tom", "Tom Berger"),
        b.relation("kit", "has_dentist", "tom"),
        b.relation("tom", "has_dentist", "kit"),
    )
    assert paths(store, "what does Kit's dentist say") == ["Kit Moss –has dentist→ Tom Berger"]


def test_one_reached_in_two_ways_is_reached_by_the_surer(office: RamStore) -> None:
    found = ask(office, "is Alice Novak's boss like Priya's brother?").query.reached
    assert [each.path for each in found] == ["Alice Novak –reports to→ Tom Berger"]
    found = ask(office, "is Priya's brother like Alice Novak's boss?").query.reached
    assert [each.path for each in found] == ["Alice Novak –reports to→ Tom Berger"]


def test_a_walk_ends_where_a_step_leads_nowhere(office: RamStore) -> None:
    assert paths(office, "where does Alice's sister's boss live") == []


def test_of_several_siblings_the_one_that_was_called_sister_is_meant(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.entity(SELF, "Ada"),
        b.entity("x", "Xenia"),
        b.entity("y", "Yann"),
        b.relation(SELF, "sibling_of", "x", source=b.source(quote="my sister Xenia")),
        b.relation(SELF, "sibling_of", "y", source=b.source(quote="Yann is my brother")),
        b.relation("y", "sibling_of", "x"),
    )
    assert paths(store, "where does my sister live?") == ["Ada –sibling of→ Xenia"]
    assert paths(store, "where do my siblings live?") == [
        "Ada –sibling of→ Xenia",
        "Ada –sibling of→ Yann",
    ]


def test_a_hub_leads_to_few_each_less_sure(store: RamStore) -> None:
    people = [b.entity(f"p{n}", f"Person {chr(65 + n)}") for n in range(9)]
    links = [b.relation(f"p{n}", "works_at", "acme") for n in range(9)]
    b.commit(store, "ada", b.entity("acme", "Acme", kind="organization"), *people, *links)
    reached = ask(store, "what do people working at Acme want").query.reached
    assert len(reached) == 6
    assert max(each.strength for each in reached) < 0.5


def test_the_reached_one_may_have_said_it_rather_than_the_named(office: RamStore) -> None:
    followed = ask(office, "What does Alice's manager think of lunch?")
    query = followed.query
    assert query.speakers == {"tom berger"}
    assert "alice" in query.via
    assert query.content == ("think", "lunch")
    assert followed.ties.named["tom"] > followed.ties.named["alice"] > 0
    assert followed.ties.names["tom"] == {"alic", "manag"}
    assert query.paths == {"tom": "Alice Novak –reports to→ Tom Berger"}


def test_an_answer_that_hops_lead_to_is_linked_not_named(office: RamStore) -> None:
    followed = ask(office, "Who else works at the company that Kit left?")
    assert "alice" in followed.ties.linked
    assert "alice" not in followed.ties.named
    assert "initech" in followed.ties.named


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("what did Alcie say", {"alice"}),
        ("what did alcie want", {"alice"}),
        ("does prya raman paint", {"priya"}),
        ("what did Priyya do", {"priya"}),
        ("where is Initehc", {"initech"}),
        ("what did Zzyzx do", set[str]()),
        ("", set[str]()),
    ],
)
def test_misspelt_names_are_understood(office: RamStore, question: str, named: set[str]) -> None:
    with office.snapshot() as snapshot:
        assert {each.entity_id for each in linked_entities(snapshot, "ada", question)} == named


@pytest.mark.parametrize(
    ("question", "surest"),
    [
        ("where does Mara Silva live?", {"maria", "marta"}),
        ("where does Mara live?", {"maria", "marta"}),
        ("where does Jonn Berg work?", {"jon", "joan"}),
        ("where does Marai Silva live?", {"maria"}),
        ("where does Marta Silva live?", {"marta"}),
    ],
)
def test_of_two_who_may_be_meant_by_a_misspelt_name_none_is_chosen(
    store: RamStore, question: str, surest: set[str]
) -> None:
    people = {
        "maria": "Maria Silva",
        "marta": "Marta Silva",
        "jon": "Jon Berg",
        "joan": "Joan Berg",
    }
    b.commit(store, "ada", *(b.entity(key, name) for key, name in people.items()))
    with store.snapshot() as snapshot:
        found = linked_entities(snapshot, "ada", question)
    assert {each.entity_id for each in found if each.strength == found[0].strength} == surest


def test_two_letters_of_a_long_name_may_be_wrong(store: RamStore) -> None:
    b.commit(store, "ada", b.entity("o", "Oluwaseun Adeyemi"))
    with store.snapshot() as snapshot:
        assert [
            each.entity_id for each in linked_entities(snapshot, "ada", "where is Oluwasseunn?")
        ] == ["o"]
        assert linked_entities(snapshot, "ada", "where is oluwasseunn?") == ()


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what did I do on my birthday?", ("2025-03-12", "2025-03-13", "birthday: 12 March")),
        ("who came on Priya's birthday?", ("2025-04-02", "2025-04-03", "birthday: 2 April 1990")),
        (
            "who came on Alice's manager's sister's birthday?",
            ("2025-04-02", "2025-04-03", "birthday: 2 April 1990"),
        ),
        ("what broke since the Acme launch?", ("2024-05-21", "", "launch_date: 2024-05-20")),
        ("who came before Team Blue?", ("", "2024-06-01", "date: 2024-06-01")),
        ("what changed since Kit led it?", ("2024-02-01", "", "leads since 2024-02-01")),
        (
            "what has Alice done since she moved to Porto?",
            ("2024-03-10", "", "lives in since 2024-03-10"),
        ),
        (
            "what did Alice do while she lived in Ghent?",
            ("2021-01-01", "2024-03-10", "lives in since 2021-01-01"),
        ),
        ("where was Kit before he left Initech?", ("", "2024-08-31", "worked at until 2024-08-31")),
    ],
)
def test_events_are_dated_by_what_is_known(
    office: RamStore, question: str, found: tuple[str, str, str]
) -> None:
    assert span(office, question) == found


@pytest.mark.parametrize(
    "question",
    [
        "what broke since the Acme repair?",
        "who sang at Initech's birthday?",
        "who came on Alice's birthday?",
        "what was bought for his birthday?",
        "what did we eat before lunch in the canteen?",
        "what did she want while she was young?",
        "what came after singing?",
        "what came before the of?",
        "where was Kit before he met Priya?",
    ],
)
def test_what_nothing_tells_of_has_no_time(office: RamStore, question: str) -> None:
    assert ask(office, question).query.span is None


@pytest.fixture
def chats(store: RamStore) -> RamStore:
    said = [
        ("2024-06-02", "Rose", "We have a date! Our wedding is on 20 September, by the sea."),
        ("2024-09-25", "Rose", "I keep looking at the wedding pictures."),
        ("2024-11-18", "Tom", "My knee surgery went fine this morning."),
        ("2025-02-05", "Will", "Back from the offsite in Ghent, exhausting but good."),
        ("2025-02-06", "Tom", "How was the offsite?"),
        ("2025-03-01", "Tom", "Yesterday I ran, and on 3 February the storm took the roof off."),
    ]
    told = [
        b.message(text, speaker=name, at=on(day), id=f"m{number}")
        for number, (day, name, text) in enumerate(said)
    ]
    store.remember("ada", [b.episode(*told, session="chat")])
    b.commit(
        store,
        "ada",
        b.entity("rose", "Rose Marchetti"),
        b.entity("hall", "Hall", kind="place"),
        b.fact(
            "hall",
            "renovation",
            "new windows put in",
            valid_at=on("2024-07-01"),
            source=b.source(said_at=on("2024-07-02")),
        ),
    )
    return store


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Where did she stay before the wedding?", ("", "2024-09-20", "said on 2024-06-02")),
        ("How did Tom feel after his knee surgery?", ("2024-11-19", "", "said on 2024-11-18")),
        ("What did we plan before the offsite?", ("", "2025-02-05", "said on 2025-02-05")),
        ("What happened after the storm?", ("2025-02-04", "", "said on 2025-03-01")),
        ("What happened during the offsite?", ("2025-02-05", "2025-02-06", "said on 2025-02-05")),
        (
            "What was done the week before the offsite?",
            ("2025-01-29", "2025-02-05", "said on 2025-02-05"),
        ),
        ("What came after the renovation windows?", ("2024-07-03", "", "known of 2024-07-02")),
        (
            "What happened between the wedding and the offsite?",
            ("2024-09-21", "2025-02-05", "said on 2024-06-02; said on 2025-02-05"),
        ),
    ],
)
def test_events_are_dated_by_the_message_that_tells_of_them(
    chats: RamStore, question: str, found: tuple[str, str, str]
) -> None:
    assert span(chats, question) == found


def test_lists_of_a_kind_lead_to_its_entities(office: RamStore) -> None:
    followed = ask(office, "which companies are there?")
    assert {"acme", "initech"} <= followed.ties.linked.keys()
    assert ask(office, "what is it?").ties.named == {}


def test_what_holds_no_longer_is_searched_where_it_is_asked_for(office: RamStore) -> None:
    assert ask(office, "where did Alice live before?").where.superseded
    assert not ask(office, "where does Alice live?").where.superseded
