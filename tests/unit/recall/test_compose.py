"""What shares a context: long texts in part, what is said twice once, cards beside what was
said.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from factbook.model.kinds import BUILT_IN
from factbook.model.line import LineFilter
from factbook.model.recollection import Recollection
from factbook.ports.models import Tokenizer
from factbook.recall.recollect import context, recall
from factbook.recall.request import RecallRequest
from factbook.recall.weights import DEFAULT
from factbook.store.ram import RamStore
from factbook.text.token_estimate import Estimate
from tests.support import builders as b

KINDS = {kind.id: kind for kind in BUILT_IN}
NOW = b.at(days=40)
FILLER = [
    f"Item {number} of the minutes was read out and put off to the next time, as usual."
    for number in range(40)
]


class Letters:
    """Counts letters: a tokenizer unlike any estimate."""

    def count(self, text: str) -> int:
        return len(text)


def ask(store: RamStore, question: str, *spaces: str, **rest: Any) -> Recollection:
    with store.snapshot() as snapshot:
        request = RecallRequest(
            snapshot=snapshot, spaces=spaces or ("ada",), question=question, **_defaults(rest)
        )
        return recall(request)


def brief(store: RamStore, question: str | None = None, *spaces: str, **rest: Any) -> Recollection:
    with store.snapshot() as snapshot:
        request = RecallRequest(
            snapshot=snapshot,
            spaces=spaces or ("ada",),
            question=question or "",
            whole=True,
            **_defaults(rest),
        )
        return context(request)


def _defaults(rest: Mapping[str, Any]) -> Any:
    tokenizer: Tokenizer = Estimate()
    now: datetime = NOW
    default = {
        "budget": 300,
        "where": LineFilter(now=now),
        "embedder": None,
        "tokenizer": tokenizer,
    }
    return {**default, "kinds": KINDS, "now": now, "weights": DEFAULT, **rest}


def say(
    store: RamStore, *texts: str, speaker: str = "Tom Berger", day: float = 0, **rest: Any
) -> None:
    """Messages by one speaker, ids m0, m1, … of the session."""
    session = rest.get("session", "monday")
    told = [
        b.message(text, speaker=speaker, at=b.at(number, days=day), id=f"{session}-{number}")
        for number, text in enumerate(texts)
    ]
    store.remember(rest.pop("space", "ada"), [b.episode(*told, **{"session": session, **rest})])


def minutes(*sentences: str) -> str:
    return " ".join([*FILLER[:20], *sentences, *FILLER[20:]])


@pytest.fixture
def store() -> RamStore:
    return RamStore()


def test_a_long_message_gives_the_sentences_that_the_question_needs(store: RamStore) -> None:
    say(
        store,
        minutes("Priya Raman has the budget of Atlas.", "It is 40,000 euros."),
        "The budget of Atlas is a secret?",
    )
    found = ask(store, "what is the budget of Atlas?", budget=130)
    assert str(found) == snapshot("""\
<memory as-of="2024-06-15">
[2024-05-06] Tom Berger: “… Item 18 of the minutes was read out and put off to the next time, as usual. Item 19 of the minutes was read out and put off to the next time, as usual. Priya Raman has the budget of Atlas. It is 40,000 euros. Item 20 of the minutes was read out and put off to the next time, as usual. …” “The budget of Atlas is a secret?”
</memory>\
""")
    assert [(line.id, line.cut) for line in found.lines] == [
        ("monday-0", True),
        ("monday-1", False),
    ]
    assert found.lines[0].text in str(found)
    assert found.tokens <= 130


def test_a_long_note_too_and_one_that_fits_stays_whole(store: RamStore) -> None:
    b.commit(store, "ada", b.note(minutes("The budget of Atlas is 40,000 euros."), id="n1"))
    found = ask(store, "what is the budget of Atlas?", budget=120)
    assert "… " in str(found)
    assert "The budget of Atlas is 40,000 euros." in str(found)
    assert [(line.id, line.kind, line.cut) for line in found.lines] == [("n1", "note", True)]


def test_what_is_left_out_everywhere_grows_with_the_budget_and_goes_where_all_fits(
    store: RamStore,
) -> None:
    text = " ".join(
        f"The budget of year {number} was talked over for a good hour." for number in range(20)
    )
    say(store, text)
    small, large = (ask(store, "what was the budget?", budget=budget) for budget in (100, 1000))
    assert small.lines[0].cut
    assert len(str(small)) < len(str(large))
    assert not large.lines[0].cut
    assert text in str(large)


def test_code_is_not_cut_within_a_line(store: RamStore) -> None:
    rows = [
        f"    total_{number} = price({number}) + tax({number}); // a budget. For {number}."
        for number in range(60)
    ]
    say(store, "The budget is computed so:\n```\n" + "\n".join(rows) + "\n```")
    found = ask(store, "how is the budget computed?", budget=200)
    said = str(found).split("“")[1].split("”")[0]
    known = {" ".join(row.split()) for row in rows} | {"The budget is computed so:", "```"}
    for part in filter(None, (each.strip() for each in said.split("…"))):
        while part:
            row = next(row for row in known if part.startswith(row))
            part = part[len(row) :].strip()


PROGRAM = """\
def retry(call, times=3):
    for turn in range(times):
        try:
            return call(turn) if turn < times else None
        except OSError as error:
            print("a  budget", error)
    return 1 << times
"""


@pytest.mark.parametrize(
    "frame", ["{}", "Take this:\n```python\n{}```\nIt keeps the budget.", "So:\n\n{}"]
)
def test_python_means_in_a_context_what_it_meant(store: RamStore, frame: str) -> None:
    say(store, frame.format(PROGRAM))
    shown = str(ask(store, "how does retry keep the budget?", budget=400))
    rows = [row for row in shown.splitlines() if row.startswith("  ") and "```" not in row]
    code = textwrap.dedent(
        "\n".join(row.rstrip("”") for row in rows if "keeps the budget" not in row)
    )
    assert ast.dump(ast.parse(code)) == ast.dump(ast.parse(PROGRAM))


def test_a_list_a_table_and_code_keep_their_lines_and_prose_does_not(store: RamStore) -> None:
    say(
        store,
        "The budget has parts:\n- rent\n  1,200 euros\n- food",
        "A budget is\na plan.",
        "Take:\n```\nmake budget\n```",
    )
    assert str(ask(store, "what is in the budget?", budget=400)) == snapshot("""\
<memory as-of="2024-06-15">
[2024-05-06]
Tom Berger: “The budget has parts:
  - rent
    1,200 euros
  - food”
Tom Berger: “A budget is a plan.”
Tom Berger: “Take:
  ```
  make budget
  ```
  ”
</memory>\
""")


def test_of_long_code_lines_are_shown_as_they_stand(store: RamStore) -> None:
    rows = [f"    step_{number}(budget)\n        waits_{number}()" for number in range(80)]
    say(store, "def run(budget):\n" + "\n".join(rows) + "\n```\nx\n```")
    shown = str(ask(store, "what does step_40 do?", budget=120))
    assert "\n  …\n" in shown
    assert "```" not in shown
    at = {
        row.strip(): len(row) - len(row.lstrip())
        for row in shown.splitlines()
        if row.strip().startswith(("step", "waits"))
    }
    assert at["waits_40()"] - at["step_40(budget)"] == 4


def test_a_line_of_code_longer_than_the_budget_is_not_said(store: RamStore) -> None:
    say(store, "budget = [" + "1, " * 400 + "];")
    found = ask(store, "what is the budget?", budget=120)
    assert not found.lines
    assert [(line.id, line.left_out) for line in found.near] == [("monday-0", "budget")]


long_texts = st.lists(
    st.sampled_from(
        [
            "The budget is 40,000 euros.",
            "She has it.",
            "Why? Because.",
            "预算是四万欧元。",
            "- an item",
            "x = f(1);",
            "    y = 2",
            "```",
            "\n",
            *FILLER[:4],
        ]
    ),
    min_size=1,
    max_size=60,
).map(
    lambda parts: "\n".join(parts[::3]) + " " + " ".join(parts[1::3]) + " " + " ".join(parts[2::3])
)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(long_texts, min_size=1, max_size=4),
    st.integers(1, 400),
    st.sampled_from([Estimate(), Letters()]),
)
def test_no_budget_is_exceeded_and_each_part_stands_in_its_message(
    texts: list[str], budget: int, tokenizer: Tokenizer
) -> None:
    store = RamStore()
    say(store, *texts)
    found = ask(
        store, "what is the budget in euros, and who has it?", budget=budget, tokenizer=tokenizer
    )
    assert tokenizer.count(str(found)) == found.tokens <= budget
    for line in found.lines:
        # A fence that was left open is closed, and of what is cut none is shown.
        whole = " ".join(texts[int(line.id.rpartition("-")[2])].replace("```", " ").split())
        quotation = re.fullmatch(r"\[[\d-]+\] Tom Berger: “(.*)”", line.text, re.DOTALL)
        assert quotation
        place = 0
        for part in " ".join(quotation[1].replace("```", " ").split()).split("…"):
            place = whole.index(part.strip(), place) + len(part.strip())
        assert line.cut == ("…" in quotation[1])


def test_messages_that_say_no_more_than_a_better_one_are_left_out_and_told_of(
    store: RamStore,
) -> None:
    say(store, "We moved the office to Lisbon.", "Hi all! We moved the office to Lisbon. Thanks!")
    say(store, "Fwd: we moved the office to LISBON!", session="tuesday", day=1)
    say(store, "We moved the office to Lisbon.", session="wednesday", speaker="Ada Lind", day=2)
    found = ask(store, "where did the office move?", budget=500)
    assert str(found).lower().count("lisbon") == 2
    assert {line.speaker for line in found.lines} == {"Tom Berger", "Ada Lind"}
    assert {line.left_out for line in found.near} == {"said"}


def test_a_long_text_is_left_out_only_for_one_that_is_the_same_throughout(store: RamStore) -> None:
    say(
        store,
        minutes("The budget of Atlas is 3."),
        minutes("The budget  of atlas is 3."),
        minutes("The budget of Atlas is 4."),
    )
    found = ask(store, "what is the budget of Atlas?", budget=900)
    assert sorted(line.id for line in found.lines) in (
        ["monday-0", "monday-2"],
        ["monday-1", "monday-2"],
    )


@pytest.mark.parametrize("other", ["We ran 15 km.", "We didn't run 5 km.", "We ran 5 km with Ada."])
def test_what_differs_in_a_number_a_negation_or_a_name_enters(store: RamStore, other: str) -> None:
    say(store, "We ran 5 km.", other)
    assert len(ask(store, "how far did we run, 5 km?").lines) == 2


def test_what_was_said_on_several_days_counts_where_it_is_to_be_counted(store: RamStore) -> None:
    for day, session in enumerate(["monday", "tuesday", "wednesday"]):
        say(store, "I ran around the lake.", session=session, day=day)
    assert len(ask(store, "who ran around the lake?").lines) == 1
    assert len(ask(store, "how many times did Tom run around the lake?").lines) == 3


def lisbon(store: RamStore, text: str) -> None:
    say(store, text)
    b.commit(
        store,
        "ada",
        b.entity("tom", "Tom Berger"),
        b.fact(
            "tom",
            "home",
            "Lisbon",
            id="f1",
            source=b.source(message_id="monday-0", speaker="Tom Berger"),
        ),
    )


def test_a_message_of_which_a_card_says_all_does_not_enter_again(store: RamStore) -> None:
    lisbon(store, "Lisbon is home.")
    weights = replace_fact(0.3)
    assert {line.id for line in ask(store, "what is Tom's home?", weights=weights).lines} == {"f1"}
    # When it was said may be what is asked for.
    assert {
        line.id for line in ask(store, "when was Lisbon Tom's home?", weights=weights).lines
    } == {"f1", "monday-0"}


@pytest.mark.parametrize(
    "text", ["Lisbon is home, by the river.", "Lisbon isn't home.", "Maybe Lisbon is home."]
)
def test_a_message_that_holds_more_than_its_fact_enters_beside_it(
    store: RamStore, text: str
) -> None:
    lisbon(store, text)
    found = ask(store, "what is Tom's home?", weights=replace_fact(0.3))
    assert {line.id for line in found.lines} == {"f1", "monday-0"}


def replace_fact(weight: float) -> Any:
    """Weights by which facts come before messages."""
    return replace(DEFAULT, fact=weight)


def test_a_message_that_tells_one_side_of_a_conflict_brings_the_conflict(store: RamStore) -> None:
    say(
        store,
        "The deadline of Atlas is July 1, and " + "so many things are still to be done for it " * 3,
    )
    say(store, "August it is.", speaker="Ada Lind", session="tuesday")
    told = {"f1": ("monday-0", "2024-07-01"), "f2": ("tuesday-0", "2024-08-15")}
    b.commit(
        store,
        "ada",
        b.entity("atlas", "Project Atlas", kind="project"),
        *(
            b.fact(
                "atlas",
                "deadline",
                value,
                id=key,
                source=b.source(message_id=said, speaker="Tom Berger"),
            )
            for key, (said, value) in told.items()
        ),
    )
    for budget in range(70, 200, 10):
        shown = str(
            ask(store, "what is the deadline of Atlas?", budget=budget, weights=replace_fact(-0.3))
        )
        if "July 1" in shown:
            assert "UNRESOLVED: 2024-07-01" in shown
            assert "2024-08-15" in shown


def test_what_no_longer_holds_is_in_no_card_unless_asked_for(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        b.entity("tom", "Tom Berger"),
        b.fact("tom", "home", "Lisbon", id="f1"),
        b.fact("tom", "home", "Porto", id="f0", invalid_at=b.START),
    )
    assert "Porto" not in str(ask(store, "where is Tom's home?"))
    assert "Porto" not in str(brief(store))
    assert "formerly home Porto" in str(ask(store, "where was Tom's home before?"))


def test_cards_leave_room_for_what_was_said_but_not_where_they_are_what_is_asked_for(
    store: RamStore,
) -> None:
    say(store, *(f"About Tom: his boat number {number} has its own story." for number in range(6)))
    b.commit(
        store,
        "ada",
        b.entity("tom", "Tom Berger"),
        *(
            b.fact("tom", f"boat {number}", f"a boat of some story {number}", id=f"f{number}")
            for number in range(30)
        ),
    )
    found = ask(store, "what is the story of Tom's boat?", budget=250, weights=replace_fact(0.2))
    kinds = [line.kind for line in found.lines]
    assert kinds.count("message") >= 3
    assert kinds.count("fact") >= 2


def test_a_list_is_taken_from_several_sessions(store: RamStore) -> None:
    for day, session in enumerate(["s1", "s2", "s3"]):
        many = 1 if day else 8
        say(
            store,
            *(f"One hobby of mine is sailing boat {day}{n}." for n in range(many)),
            session=session,
            day=day,
        )

    def sessions(question: str) -> set[str]:
        return {
            line.session
            for line in ask(store, question, budget=110, weights=replace(DEFAULT, spread=0.1)).lines
        }

    assert sessions("which hobbies are there?") == {"s1", "s2", "s3"}
    assert sessions("what is the hobby?") == {"s1"}


def test_cards_of_several_entities_share_a_list(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        *(b.entity(key, f"{key.title()} Berger") for key in ("tom", "ada", "eva")),
        *(b.fact(key, "hobby", "sailing", id=f"hobby-{key}") for key in ("tom", "ada", "eva")),
    )
    found = ask(store, "whose hobby is sailing?", budget=150)
    assert {line.entity_ids[0] for line in found.lines} == {"tom", "ada", "eva"}


def wishes(store: RamStore) -> None:
    b.commit(
        store,
        "ada",
        *(
            b.entity(
                f"{kind[:4]}{n}",
                f"{kind.replace('_', ' ')} number {n}",
                kind=kind,
                importance=n / 10,
            )
            for kind in ("preference", "pain_point")
            for n in range(8)
        ),
        b.entity("tom", "Tom Berger", description="Sails."),
    )


@pytest.mark.parametrize("question", [None, "who is Tom Berger?"])
def test_all_preferences_and_pain_points_enter_as_far_as_a_fifth_of_the_budget_holds_them_five_of_each_before_a_sixth(
    store: RamStore, question: str | None
) -> None:
    wishes(store)
    count = Estimate().count
    for budget in range(20, 900, 40):
        shown = brief(store, question, budget=budget)
        rows = [
            row for row in str(shown).split("\n") if row.startswith(("Preference", "Pain point"))
        ]
        assert sum(count(row) for row in rows) <= budget // 5
        assert shown.tokens <= budget
    full = [line.id for line in brief(store, question, budget=2000).lines]
    assert [key for key in full if key.startswith("pref")] == [f"pref{n}" for n in range(7, -1, -1)]
    assert [key for key in full if key.startswith("pain")] == [f"pain{n}" for n in range(7, -1, -1)]
    some = [line.id for line in brief(store, question, budget=600).lines]
    assert [key for key in some if key.startswith("pref")] == [
        "pref7",
        "pref6",
        "pref5",
        "pref4",
        "pref3",
    ]
    assert [key for key in some if key.startswith("pain")] == [
        "pain7",
        "pain6",
        "pain5",
        "pain4",
        "pain3",
    ]


def test_sections_of_preferences_count_with_their_headings(store: RamStore) -> None:
    wishes(store)
    count = Estimate().count
    for budget in range(20, 900, 40):
        shown = str(brief(store, None, budget=budget, form="entity_memory"))
        parts = re.split(r"\n\n", shown)
        wished = [
            part for part in parts if "preference number" in part or "pain point number" in part
        ]
        assert sum(count(part.replace("</entity_memory>", "")) for part in wished) <= budget // 5
        assert count(shown) <= budget
    full = str(brief(store, None, budget=3000, form="entity_memory"))
    assert full.count("preference number") == full.count("pain point number") == 5


def test_recall_says_no_preference_unasked(store: RamStore) -> None:
    wishes(store)
    assert {line.id for line in ask(store, "who is Tom Berger?", budget=2000).lines} == {"tom"}


def test_what_was_said_again_of_another_day_stays(store: RamStore) -> None:
    say(store, "I went to the gym today.", day=0, session="a")
    say(store, "I went to the gym today.", day=7, session="b")
    say(store, "The gym is closed.", day=0, session="c")
    say(store, "The gym is closed.", day=7, session="d")
    found = ask(store, "the gym")
    assert str(found).count("I went to the gym today.") == 2
    assert str(found).count("The gym is closed.") == 1
    assert str(ask(store, "when was the gym closed?")).count("The gym is closed.") == 2


def test_in_a_small_budget_the_card_that_fits_best_comes_before_what_fits_less(
    store: RamStore,
) -> None:
    b.commit(
        store,
        "ada",
        b.entity("p", "Priya Raman"),
        b.fact("p", "role", "owner of the Atlas migration", id="f1"),
    )
    say(
        store,
        "Priya Raman is back.",
        "The migration of the birds was on television, and it was a long film.",
    )
    found = ask(store, "who is the owner of the Atlas migration?", budget=65)
    assert found.lines[0].id == "f1"
