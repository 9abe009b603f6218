"""What a question needs of a long text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factbook.text.excerpt import BESIDE, MOST_CHARACTERS, MOST_PORTIONS, Cut, cut
from factbook.text.index_words import index_words

FILLER = [
    f"Point {number} of the agenda, as every week, was read out and put off until the next time."
    for number in range(30)
]


def ask(text: str, question: str, room: int = 10_000) -> Cut:
    found = cut(
        text, dict.fromkeys(index_words(question), 1.0), room, lambda part: len(part.split())
    )
    assert found is not None
    return found


def report(*sentences: str) -> str:
    """A long paragraph with these in the middle."""
    return " ".join([*FILLER[:15], *sentences, *FILLER[15:]])


def test_the_best_piece_comes_first_and_what_is_left_out_is_told() -> None:
    text = report("The budget of Atlas is 40,000 euros.")
    assert ask(text, "what is the budget of atlas?").parts([0]) == [
        "",
        "The budget of Atlas is 40,000 euros.",
        "",
    ]
    first = ask("The budget is 40,000 euros. " + text, "what is the euro budget?")
    assert first.parts([0])[0].startswith("The budget")
    last = ask(" ".join([*FILLER, "The budget is 40,000 euros."]), "what is the budget?")
    assert last.parts([0]) == ["", "The budget is 40,000 euros."]


def test_a_sentence_that_leans_on_the_one_before_brings_it_along() -> None:
    text = report("Priya Raman took over in May.", "She leads the migration now.")
    assert (
        ask(text, "who leads the migration?").parts([0])[1]
        == "Priya Raman took over in May. She leads the migration now."
    )


@pytest.mark.parametrize(
    "ahead", ["Who owns the migration?", "The owners of the migration are these:"]
)
def test_what_leads_on_brings_the_next_one_along(ahead: str) -> None:
    text = report(ahead, "Priya Raman, since May.")
    assert ask(text, "who owns the migration?").parts([0])[1] == f"{ahead} Priya Raman, since May."


def test_without_room_for_its_context_a_piece_comes_alone_and_without_room_for_itself_not_at_all() -> (
    None
):
    text = report("Priya Raman took over in May of that year.", "She leads the migration.")
    assert ask(text, "who leads the migration?", room=6).parts([0])[1] == "She leads the migration."
    best = ask("x = 1; " * 90 + "\n" + text, "what is x, and who leads the migration?", room=30)
    assert "x = 1;" not in " ".join(best.parts(range(len(best.portions))))
    assert cut("word " * 500, {}, 2, lambda part: len(part.split())) is None


def test_pieces_near_what_was_asked_for_come_before_those_far_away_which_never_come() -> None:
    text = report("The budget is 40,000 euros.")
    found = ask(text, "what is the budget?")
    assert [portion.worth for portion in found.portions[:3]] == [1.0, BESIDE, BESIDE]
    said = " ".join(found.parts(range(len(found.portions))))
    assert FILLER[14] in said
    assert FILLER[15] in said
    assert FILLER[0] not in said
    assert FILLER[29] not in said


def test_parts_that_follow_one_another_are_one() -> None:
    found = ask(report("The budget is 40,000 euros."), "what is the budget?")
    assert found.parts([0, 1, 2])[1] == f"{FILLER[14]} The budget is 40,000 euros. {FILLER[15]}"


def test_where_nothing_asked_for_stands_in_it_its_beginning_is_told() -> None:
    assert ask(report(), "kangaroos").parts([0])[0] == FILLER[0]


def test_stems_and_other_scripts_are_found() -> None:
    assert (
        ask(report("They were budgeting for two years."), "the budget?")
        .parts([0])[1]
        .endswith("for two years.")
    )
    chinese = "今天天气很好。" * 40 + "预算是四万欧元。" + "今天天气很好。" * 40
    assert "预算是四万欧元。" in ask(chinese, "预算是多少").parts([0])


def test_a_file_is_looked_at_up_to_a_point_and_gives_so_many_portions() -> None:
    text = (
        "budget one two. " * (MOST_CHARACTERS // 16)
        + "The rest is budget not seen, whatever it holds."
    )
    found = ask(text, "budget")
    assert len(found.portions) == MOST_PORTIONS
    assert "not seen" not in " ".join(found.parts(range(len(found.portions))))


texts = st.lists(
    st.sampled_from(
        [
            *FILLER[:3],
            "The budget is 3.",
            "She has it.",
            "Why? Because.",
            "x = f(1);",
            "字。" * 9,
            "- budget",
            "\n",
            "```",
        ]
    ),
    min_size=1,
    max_size=30,
).map(lambda parts: "\n".join(parts[::2]) + " ".join(parts[1::2]))


@given(texts, st.integers(1, 60), st.data())
def test_every_part_is_verbatim_in_order_and_within_its_room(
    text: str, room: int, data: st.DataObject
) -> None:
    found = cut(text, {"budget": 1.0}, room, lambda part: len(part.split()))
    if found is None:
        return
    for number in range(len(found.portions)):
        assert sum(len(part.split()) for part in found.parts([number])) <= room
    chosen = data.draw(st.sets(st.integers(0, len(found.portions) - 1), min_size=1))
    parts = found.parts(chosen)
    place = 0
    for part in parts:
        place = text.index(part, place) + len(part)
    if len(parts) == 1:
        assert parts[0].split() == text.split()


@pytest.mark.parametrize(
    "turn", ["But it was cancelled.", "Scratch that.", "Aber daraus wird nichts."]
)
def test_what_takes_a_sentence_back_comes_with_it(turn: str) -> None:
    text = report("The launch of Atlas is on 3 July.", turn)
    assert (
        ask(text, "when is the launch of atlas?").parts([0])[1]
        == f"The launch of Atlas is on 3 July. {turn}"
    )


@pytest.mark.parametrize("head", ["I do not want any of these:", "## Never buy"])
def test_an_item_comes_with_what_its_list_stands_under(head: str) -> None:
    text = f"{report()}\n\n{head}\n- oat milk\n- beet sugar\n- canned tuna\n\n{report()}"
    assert ask(text, "canned tuna").parts([0]) == ["", head, "- canned tuna", ""]
    loose = f"{report()}\n\n- oat milk\n- canned tuna\n{report()}"
    assert ask(loose, "canned tuna").parts([0]) == ["", "- canned tuna", ""]
    assert ask(f"- oat milk\n- canned tuna\n{report()}", "canned tuna").parts([0]) == [
        "",
        "- canned tuna",
        "",
    ]


@pytest.mark.parametrize("label", ["Priya:", "[10:32] Priya Raman:", "**Priya**:"])
def test_a_sentence_of_a_transcript_comes_with_who_says_it(label: str) -> None:
    text = (
        f"Ada: I love the boat. {report()}\n{label} {report('The mooring fee is due.')}\n{report()}"
    )
    assert ask(text, "mooring fee").parts([0]) == ["", label, "The mooring fee is due.", ""]
