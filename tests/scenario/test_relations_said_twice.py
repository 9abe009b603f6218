"""A relation is one whichever end it was said from, whichever name it was given, and whatever it
was before.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from factbook import Entity, Memory, Message, Receipt
from factbook.model.change import Change, Stamp
from factbook.model.record import Relation
from factbook.model.source import Source
from tests.scenario.test_truth import START, Clock, opened
from tests.support.dumps import dumped

ANA, TOM, EVA = "Ana Silva", "Tom Berger", "Eva Lind"


@pytest.fixture(params=["ram", "sqlite"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    url = "ram:" if request.param == "ram" else str(tmp_path / "m.db")
    with opened(url, clock=later()) as memory:
        yield memory


def later() -> Clock:
    """After all that the tests tell."""
    clock = Clock()
    clock.forward(60 * 24 * 30)
    return clock


def told(memory: Memory, *texts: str, session: str = "") -> Receipt:
    """Each text on a day of its own; the receipt of the last."""
    receipts: list[Receipt] = []
    for day, text in enumerate(texts):
        message = Message(text, at=START + timedelta(days=day))
        receipts.append(memory.remember(message, session=session or f"s{day}"))
        memory.wait()
    return receipts[-1]


def links(memory: Memory, state: str = "current", **given: Any) -> list[tuple[str, str, str, int]]:
    found = memory.relations(**given)
    return sorted(
        (each.from_name, each.label, each.to_name, each.count)
        for each in found
        if each.state == state
    )


SYMMETRIC = (
    "works_with spouse_of partner_of ex_partner_of sibling_of cousin_of friend_of colleague_of roommate_of neighbor_of "
    "classmate_of knows met"
)


@pytest.mark.parametrize("label", SYMMETRIC.split())
def test_what_is_said_from_both_ends_is_one_relation_counted_twice_with_both_quotes(
    memory: Memory, label: str
):
    told(memory, f"{ANA} >> {label} >> {TOM}", f"{TOM} >> {label} >> {ANA}")
    assert links(memory) == [(ANA, label, TOM, 2)]
    [link] = memory.relations(ANA)
    assert link.quotes == (f"{ANA} >> {label} >> {TOM}", f"{TOM} >> {label} >> {ANA}")
    context = str(memory.context(f"{ANA} and {TOM}", kinds=["relation"]))
    assert context.count(label.replace("_", " ")) == 1


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Ana Silva >> parent_of >> Tom Berger", "Tom Berger >> child_of >> Ana Silva"),
        ("Ana Silva >> grandchild_of >> Tom Berger", "Tom Berger >> grandparent_of >> Ana Silva"),
        ("Ana Silva >> manages >> Tom Berger", "Tom Berger >> reports_to >> Ana Silva"),
        ("Ana Silva >> mentored_by >> Tom Berger", "Tom Berger >> mentors >> Ana Silva"),
        (
            "Ana Silva >> aunt_or_uncle_of >> Tom Berger",
            "Tom Berger >> nephew_or_niece_of >> Ana Silva",
        ),
    ],
)
def test_an_inverse_says_the_same_from_the_other_end(memory: Memory, first: str, then: str):
    told(memory, first, then)
    [(left, label, right, count)] = links(memory)
    assert (f"{left} >> {label} >> {right}", count) == (first, 2)


def test_a_manager_that_the_other_end_names_ends_the_one_before(memory: Memory):
    told(memory, f"{EVA} >> manages >> {TOM}", f"{TOM} >> reports_to >> {ANA}")
    assert links(memory) == [(TOM, "reports_to", ANA, 1)]
    assert links(memory, "superseded") == [(EVA, "manages", TOM, 1)]


def test_one_has_one_spouse_at_a_time_whoever_says_so(memory: Memory):
    told(memory, f"{ANA} >> spouse_of >> {TOM}", f"{EVA} >> spouse_of >> {ANA}")
    assert links(memory) == [(EVA, "spouse_of", ANA, 1)]
    told(memory, f"{TOM} >> spouse_of >> {ANA}", session="later")  # said before the other
    assert links(memory) == [(EVA, "spouse_of", ANA, 1)]


@pytest.mark.parametrize(
    ("first", "then", "now"),
    [
        ("partner_of", "ex_partner_of", "ex_partner_of"),
        ("spouse_of", "ex_partner_of", "ex_partner_of"),
        ("ex_partner_of", "partner_of", "partner_of"),
        ("roommate_of", "former_roommate_of", "former_roommate_of"),
    ],
)
def test_of_a_relation_and_its_past_one_holds(memory: Memory, first: str, then: str, now: str):
    told(memory, f"{ANA} >> {first} >> {TOM}", f"{TOM} >> {then} >> {ANA}")
    assert [label for _, label, _, _ in links(memory)] == [now]


def test_partners_who_part_and_find_each_other_again_are_partners(memory: Memory):
    said = ("partner_of", "ex_partner_of", "partner_of")
    told(memory, *(f"{ANA} >> {label} >> {TOM}" for label in said))
    assert [label for _, label, _, _ in links(memory)] == ["partner_of"]
    assert [
        label for _, label, _, _ in links(memory, as_of=START + timedelta(days=1, hours=1))
    ] == ["ex_partner_of"]


def test_who_volunteered_volunteers_no_longer(memory: Memory):
    told(memory, f"{ANA} > volunteers_at > Acme Works", f"{ANA} > volunteered_at > Acme Works")
    assert [label for _, label, _, _ in links(memory)] == ["volunteered_at"]


def test_a_denial_from_the_other_end_ends_it(memory: Memory):
    told(memory, f"{ANA} >> roommate_of >> {TOM}", f"not {TOM} >> roommate_of >> {ANA}")
    assert links(memory) == []


def test_every_order_of_learning_ends_in_the_same_truth():
    said = [
        f"{ANA} >> partner_of >> {TOM}",
        f"{TOM} >> ex_partner_of >> {ANA}",
        f"{TOM} >> partner_of >> {ANA}",
        f"{EVA} >> spouse_of >> {ANA}",
        f"{ANA} >> spouse_of >> {TOM}",
    ]
    truths = set[str]()
    for order in list(permutations(range(5)))[::7]:
        with opened(clock=later()) as memory:
            for place in order:
                memory.remember(
                    Message(said[place], at=START + timedelta(days=place)), session=f"s{place}"
                )
                memory.wait()
            truths.add(repr([links(memory, state) for state in ("current", "superseded")]))
    assert len(truths) == 1


def test_undoing_either_statement_leaves_the_other(memory: Memory):
    told(memory, f"{ANA} >> roommate_of >> {TOM}")
    before = memory.relations()
    receipt = told(memory, f"{TOM} >> roommate_of >> {ANA}", session="again")
    memory.undo(receipt)
    assert memory.relations() == before


def test_forgetting_the_first_statement_leaves_the_second_as_it_was_said(memory: Memory):
    told(memory, f"{ANA} >> roommate_of >> {TOM}", session="one")
    told(memory, f"{TOM} >> roommate_of >> {ANA}", session="two")
    memory.forget(session="one")
    assert links(memory) == [(TOM, "roommate_of", ANA, 1)]


def test_by_hand_the_other_end_counts_and_the_same_words_again_do_not(memory: Memory):
    for name in (ANA, TOM):
        memory.put(Entity(name, "person"))
    memory.relate(ANA, "flatmate_of", TOM)
    memory.relate(TOM, "roommate_of", ANA)
    version = memory.history()[0].version
    memory.relate(TOM, "roommate_of", ANA)
    assert memory.history()[0].version == version
    assert links(memory) == [(ANA, "flatmate_of", TOM, 2)]


def test_a_record_that_was_said_from_both_ends_replays_to_the_same(memory: Memory):
    told(memory, f"{ANA} >> roommate_of >> {TOM}", f"{TOM} >> flatmate_of >> {ANA}")
    file = io.StringIO()
    memory.export(file)
    file.seek(0)
    with opened(clock=later()) as other:
        other.import_(file)
        assert other.relations() == memory.relations()
        assert dumped(other._engine.store, other.space) == dumped(
            memory._engine.store, memory.space
        )


def in_both_directions(memory: Memory, *labels: str) -> list[str]:
    """Rows as older versions wrote them: one a direction, each in a commit of its own."""
    for name in (ANA, TOM):
        memory.put(Entity(name, "person"))
    ends = [memory.get(name).id for name in (ANA, TOM)]
    ids: list[str] = []
    for number, label in enumerate(labels):
        at = START + timedelta(days=number)
        row = Relation(
            id=f"r{number}",
            from_id=ends[number % 2],
            label=label,
            to_id=ends[1 - number % 2],
            valid_at=at,
            created_at=at,
            source=Source(standing="user", said_at=at, quote=f"words {number}"),
        )
        with memory._engine.store.snapshot() as snapshot:
            version = snapshot.version(memory.space)
        stamp = Stamp(at=at, verb="learn")
        memory._engine.store.commit(
            memory.space, expected_version=version, changes=[Change(after=row)], stamp=stamp
        )
        ids.append(row.id)
    return ids


def test_an_older_record_that_holds_both_directions_reads_as_one(memory: Memory):
    in_both_directions(memory, "roommate_of", "roommate_of")
    assert links(memory) == [(ANA, "roommate_of", TOM, 2)]
    assert len(memory.get(TOM).links) == 1
    assert [each.count for each in memory.neighbours(ANA)] == [2]
    context = str(memory.context(f"{ANA} and {TOM}", kinds=["relation"]))
    assert context.count("roommate of") == 1
    assert memory.relations()[0].quotes == ("words 0", "words 1")


def test_an_older_record_of_partners_who_parted_reads_as_parted(memory: Memory):
    in_both_directions(memory, "partner_of", "ex_partner_of")
    assert [label for _, label, _, _ in links(memory)] == ["ex_partner_of"]
    context = str(memory.context(f"{ANA} and {TOM}", kinds=["relation"]))
    assert "ex partner of" in context
    assert context.count("partner of") == 1


def test_an_older_record_heals_when_it_is_said_again_and_can_be_undone(memory: Memory):
    in_both_directions(memory, "roommate_of", "roommate_of")
    before = dumped(memory._engine.store, memory.space)
    receipt = memory.relate(ANA, "roommate_of", TOM)
    assert links(memory) == [(ANA, "roommate_of", TOM, 3)]
    memory.undo(receipt)
    assert dumped(memory._engine.store, memory.space) == before


def test_what_was_said_of_two_who_are_one_by_now_is_one_relation(memory: Memory):
    told(memory, f"{ANA} >> roommate_of >> {TOM}", f"{TOM} >> roommate_of >> Anita Silva")
    memory.merge(ANA, "Anita Silva")
    assert [(label, count) for _, label, _, count in links(memory)] == [("roommate_of", 2)]
    memory.unmerge(ANA, "Anita Silva")
    assert sorted(count for *_, count in links(memory)) == [1, 1]
