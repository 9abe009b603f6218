"""How a context looks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from inline_snapshot import snapshot

from factbook.model.record import SELF, EntityRecord, Fact, Note, Relation
from factbook.model.source import Source
from factbook.render import row_words
from factbook.render.block import Entry, alone, block, opening

NOW = datetime(2026, 6, 14, 12, tzinfo=UTC)
JUNE_2 = datetime(2026, 6, 2, 9, tzinfo=UTC)
MAY = datetime(2026, 5, 1, tzinfo=UTC)


def entity(key: str, name: str, kind: str = "person", **rest: str) -> EntityRecord:
    return EntityRecord(id=key, name=name, kind=kind, created_at=JUNE_2, updated_at=JUNE_2, **rest)  # type: ignore[arg-type]


def claim(value: str, speaker: str, said_at: datetime | None = JUNE_2) -> Fact:
    said = Source(speaker=speaker, said_at=said_at)
    return Fact(
        id=value,
        entity_id="atlas",
        attribute="deadline",
        value=value,
        created_at=JUNE_2,
        source=said,
    )


def card(owner: EntityRecord, text: str) -> Entry:
    return Entry(shape="card", heading=row_words.heading(owner), text=text, group=owner.id)


def said(text: str, speaker: str, at: datetime, place: int, space: str = "") -> Entry:
    heading = row_words.dated_heading(at, space)
    return Entry(
        shape="said",
        heading=heading,
        by=row_words.who(speaker),
        text=row_words.quoted(text),
        group=heading,
        order=(at.timestamp() // 86400, place),
    )


def test_a_block_has_cards_then_preferences_then_what_was_said_by_day() -> None:
    alice, atlas = entity("alice", "Alice"), entity("atlas", "Project Atlas", "project")
    runs = Relation(
        id="r",
        from_id="alice",
        label="runs",
        to_id="atlas",
        valid_at=MAY,
        grain="month",
        created_at=JUNE_2,
    )
    at_acme = Fact(
        id="f",
        entity_id="alice",
        attribute="employer",
        value="Acme",
        invalid_at=MAY,
        grain="month",
        created_at=JUNE_2,
    )
    wish = entity(
        "p", "short answers", "preference", description="Ada wants short answers in bullet points"
    )
    entries = [
        said("what about September?", "Ada", datetime(2026, 6, 3, tzinfo=UTC), 0),
        card(alice, row_words.relation(runs, {"atlas": "Project Atlas"})),
        said("August 15 is realistic", "Tom", JUNE_2, 7),
        card(atlas, "uses PostgreSQL"),
        said("we can't make July", "Tom", JUNE_2, 6),
        card(
            atlas,
            row_words.conflict(
                "deadline", [claim("2026-07-01", "Ada"), claim("2026-08-15", "")], NOW
            ),
        ),
        Entry(shape="line", text=row_words.unasked_line(wish, [])),
        card(alice, row_words.fact(at_acme, former=True)),
    ]
    assert block(entries, ["Alice", "Project Atlas", "Alice"], NOW) == snapshot("""\
<memory about="Alice, Project Atlas" as-of="2026-06-14">
Alice (person) — runs Project Atlas since 2026-05; formerly employer Acme (until 2026-05)
Project Atlas (project) — uses PostgreSQL; deadline UNRESOLVED: 2026-07-01 (Ada, 06-02) or 2026-08-15 (User, 06-02)
Preference: Ada wants short answers in bullet points
[2026-06-02] Tom: “we can't make July” “August 15 is realistic”
[06-03] Ada: “what about September?”
</memory>\
""")


def test_a_speaker_stands_once_before_what_they_say_in_a_row_and_a_year_once_before_its_days() -> (
    None
):
    january = datetime(2027, 1, 5, tzinfo=UTC)
    entries = [
        said("no", "Tom", JUNE_2, 0),
        said("yes", "Ada", JUNE_2, 1),
        said("sure?", "Ada", JUNE_2, 2),
        said("so?", "Tom", datetime(2026, 6, 3, tzinfo=UTC), 3),
        said("done", "Tom", datetime(2026, 6, 3, tzinfo=UTC), 4),
        said("shared", "Tom", datetime(2026, 6, 4, tzinfo=UTC), 5, "team"),
        said("happy new year", "Ada", january, 6),
        said("same to you", "Tom", january, 7),
    ]
    assert block(entries, [], NOW) == snapshot("""\
<memory as-of="2026-06-14">
[2026-06-02]
Tom: “no”
Ada: “yes” “sure?”
[06-03] Tom: “so?” “done”
[06-04, team] Tom: “shared”
[2027-01-05]
Ada: “happy new year”
Tom: “same to you”
</memory>\
""")
    assert alone(entries[4]) == "[2026-06-03] Tom: “done”"


def test_nothing_to_say_is_no_block() -> None:
    assert block([], ["Alice"], NOW) == ""


def test_a_block_about_no_one_says_only_its_day() -> None:
    assert opening([], NOW) == '<memory as-of="2026-06-14">'


def test_two_of_one_name_keep_two_cards() -> None:
    one, other = entity("t1", "Tom Berger"), entity("t2", "Tom Berger")
    shown = block(
        [card(one, "role nurse"), card(other, "role pilot"), card(one, "lives in Porto")], [], NOW
    )
    assert shown.split("\n")[1:-1] == [
        "Tom Berger (person) — role nurse; lives in Porto",
        "Tom Berger (person) — role pilot",
    ]


def test_a_part_said_twice_stands_once() -> None:
    tom = entity("t", "Tom")
    assert "role nurse; role nurse" not in block(
        [card(tom, "role nurse"), card(tom, "role nurse")], [], NOW
    )


def test_an_entity_of_which_only_the_name_is_known_is_its_heading() -> None:
    assert alone(card(entity("a", "Atlas", "project"), "")) == "Atlas (project)"
    assert block([card(entity("a", "Atlas", "other"), "")], [], NOW).split("\n")[1] == "Atlas"


def test_headings_show_the_kind_as_it_was_written_the_user_and_another_space() -> None:
    assert (
        row_words.heading(entity("x", "Ada", "person", label="Team Member")) == "Ada (Team Member)"
    )
    assert row_words.heading(entity("x", "Slow login", "pain_point")) == "Slow login (pain point)"
    assert row_words.heading(entity(SELF, SELF)) == "User"
    assert row_words.heading(entity(SELF, "Ada Lind")) == "Ada Lind"
    assert row_words.heading(entity(SELF, SELF), "team") == "User (team)"
    assert row_words.heading(entity("x", "Ada"), "team") == "Ada (person, team)"
    assert row_words.heading(entity("x", "Ada", "other"), "team") == "Ada (team)"
    assert row_words.dated_heading(JUNE_2, "team") == "[2026-06-02, team]"


def test_times_are_as_exact_as_they_are_known() -> None:
    def since(grain: str) -> str:
        row = Fact(
            id="f",
            entity_id="x",
            attribute="role",
            value="lead",
            valid_at=MAY,
            grain=grain,  # type: ignore[arg-type]
            created_at=MAY,
        )
        return row_words.fact(row)

    assert since("instant") == since("day") == "role lead since 2026-05-01"
    assert since("month") == "role lead since 2026-05"
    assert since("year") == "role lead since 2026"


def test_a_former_value_without_a_known_end_is_only_former() -> None:
    row = Fact(
        id="f", entity_id="x", attribute="role", value="lead", created_at=MAY, expired_at=JUNE_2
    )
    assert row_words.fact(row, former=True) == "formerly role lead"


def test_a_claim_of_another_year_is_dated_in_full_and_one_of_no_date_not_at_all() -> None:
    old = claim("July", "Ada", datetime(2025, 6, 2, tzinfo=UTC))
    assert row_words.conflict("due_date", [old, claim("May", "Tom", None)], NOW) == (
        "due date UNRESOLVED: July (Ada, 2025-06-02) or May (Tom)"
    )


def test_a_message_without_a_speaker_is_said_by_its_role() -> None:
    assert [row_words.who("", role) for role in ("user", "assistant", "tool")] == [
        "User",
        "Assistant",
        "Tool",
    ]


def test_a_preference_shows_its_attributes_that_its_words_do_not_hold() -> None:
    wish = entity("p", "bullet points", "preference", description="Ada wants short answers.")
    known = [
        Fact(id="1", entity_id="p", attribute="category", value="style", created_at=MAY),
        Fact(id="2", entity_id="p", attribute="confidence", value="high", created_at=MAY),
        Fact(id="3", entity_id="p", attribute="value", value="short answers", created_at=MAY),
    ]
    assert (
        row_words.unasked_line(wish, known)
        == "Preference: bullet points: Ada wants short answers. (style, confidence high)"
    )
    assert (
        row_words.unasked_line(entity("q", "slow login", "pain_point"), [])
        == "Pain point: slow login"
    )


def test_a_preference_that_was_learned_shows_whose_it_is_unless_several_share_it() -> None:
    said = Source(speaker="Tom", message_id="m1")
    wish = replace(entity("p", "customers wait", "preference"), source=said)
    assert row_words.unasked_line(wish, []) == "Preference (Tom): customers wait"
    assert row_words.unasked_line(wish, [], shared=True) == "Preference: customers wait"
    assert (
        row_words.unasked_line(replace(wish, metadata={"owner": "Lena"}), [])
        == "Preference (Lena): customers wait"
    )
    assert (
        row_words.unasked_line(replace(wish, name="tea for Tom"), []) == "Preference: tea for Tom"
    )
    assert (
        row_words.unasked_line(replace(wish, source=Source(message_id="m1")), [])
        == "Preference: customers wait"
    )
    assert row_words.who("Preference (Ada)") == '"Preference (Ada)"'


def test_notes_and_descriptions() -> None:
    assert (
        row_words.note(Note(id="n", text="renew the\nlease", created_at=MAY))
        == "Note: “renew the lease”"
    )
    assert (
        row_words.description(entity("x", "Ada", description="Leads the team.")) == "Leads the team"
    )


def test_a_yes_or_no_is_never_taken_for_one_to_another_line() -> None:
    def uttered(text: str, speaker: str, session: int, place: int) -> Entry:
        return replace(said(text, speaker, JUNE_2, 0), order=(0.0, session, place))

    entries = [
        uttered("Was it on 5 March?", "Tom", 0, 1),
        uttered("No.", "Ada", 0, 2),
        uttered("Yes, for seven.", "Ada", 0, 4),
        uttered("Yes", "Ada", 1, 5),
        uttered("Nobody came.", "Ada", 1, 9),
        replace(said("Yes", "Ada", JUNE_2, 10), order=(0.0, -1, 0)),
    ]
    assert block(entries, (), NOW).splitlines()[1:-1] == [
        "[2026-06-02]",
        "Ada: “Yes”",
        "Tom: “Was it on 5 March?”",
        "Ada: “No.” … “Yes, for seven.” … “Yes” “Nobody came.”",
    ]
