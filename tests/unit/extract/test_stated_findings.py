"""What is read beside the rules becomes a finding or not: with a scripted network in the
extractor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest

from factbook.extract.local import LocalExtractor
from factbook.extract.local.stated.decode import Judged, Mention, Noticed, Said
from factbook.extract.local.stated.network import Asked, StatedModel
from tests.support.drafts import compact, context, episode

pytestmark = pytest.mark.model


class Scripted(StatedModel):
    """Says what it is told to: `Ana | works_at | Globex` (and `| 2.0` for the margin), ends as the
    text writes them, `self` for its first `I` or `we`, `-` for a subject left out; `decision drop`
    for a statement that a word tells.
    """

    def __init__(self) -> None:
        super().__init__(model=Path("none"), sha256="scripted0")
        self.says = ""
        self.asked: list[Asked] = []

    def load(self) -> None:
        """There is nothing to load."""

    def read(
        self, asked: Sequence[Asked], thresholds: Mapping[str, float] | None = None
    ) -> list[list[Judged]]:
        del thresholds
        self.asked += asked
        return [[self._judged(each)] for each in asked]

    def _judged(self, asked: Asked) -> Judged:
        said: list[Said] = []
        noticed: list[Noticed] = []
        for number, line in enumerate(filter(None, self.says.split("; "))):
            parts = line.split(" | ")
            if len(parts) == 2:
                start = asked.text.index(parts[1])
                noticed.append(Noticed(parts[0], start, start + len(parts[1]), 1.0))
            else:
                left, label, right, *margin = parts
                over = float(margin[0]) if margin else 9.0 - number
                said.append(
                    Said(self._mention(asked, left), label, self._mention(asked, right), over)
                )
        return Judged(tuple(said), tuple(noticed))

    def _mention(self, asked: Asked, words: str) -> Mention:
        if words == "-":
            return Mention(0, 0, "self", "")
        if words == "self":
            start = min(
                at for word in ("I", "we", "my") if (at := f" {asked.text} ".find(f" {word} ")) >= 0
            )
            return Mention(
                start,
                start + 2 if asked.text[start : start + 2] in {"we", "my"} else start + 1,
                "self",
                "",
            )
        start = asked.text.index(words)
        if words == "user":
            return Mention(start, start + len(words), "self", "")
        kinds = {asked.text[first:stop]: kind for first, stop, kind in asked.names}
        return Mention(start, start + len(words), kinds.get(words, ""), words)


SCRIPT = Scripted()


@cache
def extractor() -> LocalExtractor:
    return LocalExtractor(stated=SCRIPT)


def read(text: str, says: str) -> list[str]:
    """The facts, relations and statements that are found, beside the names."""
    SCRIPT.says = says
    lines = compact(extractor().extract([episode(text)], context())[0]).splitlines()
    kinds = (
        "person:",
        "organization:",
        "place:",
        "project:",
        "technology:",
        "product:",
        "phrase:",
        "other:",
    )
    return [line for line in lines if not line.startswith(kinds)]


@pytest.mark.parametrize(
    ("text", "says", "found"),
    [
        # relations, with the time that the clause names
        ("Ana hangs her hat at Globex.", "Ana | works_at | Globex", ["Ana works_at Globex"]),
        (
            "Ana has hung her hat at Globex since 2021.",
            "Ana | works_at | Globex",
            ["Ana works_at Globex since 2021"],
        ),
        (
            "Ana packed her desk at Globex in 2021.",
            "Ana | worked_at | Globex",
            ["Ana worked_at Globex until 2021"],
        ),
        ("Ana packed her desk at Globex.", "Ana | worked_at | Globex", ["Ana worked_at Globex"]),
        (
            "Ana was around Globex in 2021.",
            "Ana | worked_at | Globex",
            ["Ana worked_at Globex since 2021 until 2022"],
        ),
        # ends: who speaks, a subject left out, plain words
        (
            "Globex and I go way back.",
            "self | works_with | Globex",
            [],
        ),  # a firm isn't worked with so
        ("Ana and I go way back.", "self | friend_of | Ana", ["Ana friend_of self"]),
        ("Glued to Globex.", "- | works_at | Globex", ["self works_at Globex"]),
        (
            "Ana babysits the billing team.",
            "Ana | leads | billing team",
            ["Ana leads billing team"],
        ),
        ("Ana babysits everything.", "Ana | leads | everything", []),
        # as the rules say it
        ("Ana rules my nights.", "my | parent_of | Ana", ["Ana child_of self"]),
        # facts
        ("Ana, mostly vegan now.", "Ana | .diet | vegan", ["Ana.diet = vegan"]),
        ("Ana blows out candles on May 3.", "Ana | .birthday | May 3", ["Ana.birthday = 3 May"]),
        (
            "Globex wants the leaflet around 3 June.",
            "leaflet | .deadline | 3 June",
            ["leaflet.deadline = 2024-06-03"],
        ),
        (
            "Globex wants the leaflet someday.",
            "leaflet | .deadline | someday",
            ["leaflet.deadline = someday"],
        ),
        ("Ana is who writes.", "Ana | .name | Ana", []),
        # statements
        (
            "Globex gets the leaflet on paper, period.",
            "decision | gets",
            ["decision: Globex gets the leaflet on paper, period"],
        ),
        ("Does Globex get the leaflet on paper?", "decision | get", []),
        ("Paper.", "decision | Paper", []),
    ],
)
def test_what_is_read_is_found(text: str, says: str, found: list[str]) -> None:
    says = says.replace("my |", "self |")
    assert read(text, says) == found


@pytest.mark.parametrize(
    "text",
    [
        "Does Ana hang her hat at Globex?",
        "If Ana hangs her hat at Globex, we need a plan.",
        "Ana might hang her hat at Globex.",
        "Ana doesn't hang her hat at Globex.",
        "I wonder whether Ana hangs her hat at Globex.",
    ],
)
def test_what_the_rules_know_to_be_open_or_denied_is_not_found(text: str) -> None:
    assert read(text, "Ana | works_at | Globex") == []


@pytest.mark.parametrize(
    ("text", "says", "found"),
    [
        # whom it may mean
        ("Ana or Tom hangs a hat at Globex.", "Ana | works_at | Globex", []),
        ("Tom saw Ana. She hangs her hat at Globex.", "Ana | works_at | Globex", []),
        (
            "Ana yawned. Her hat hangs at Globex.",
            "Ana | works_at | Globex",
            ["Ana works_at Globex"],
        ),
        ("I yawned. Hats hang at Globex.", "self | works_at | Globex", ["self works_at Globex"]),
        ("The board yawned. Hats hang at Globex.", "board | owns | Globex", []),
        ("Ana yawned. Hung the hat at Globex.", "- | works_at | Globex", []),
        ("Globex!", "- | works_at | Globex", []),
        ("Globex is where I yawn.", "- | works_at | Globex", ["self works_at Globex"]),
        ("The user yawns at Globex.", "user | works_at | Globex", []),
        (
            "The user yawns, and the user lives in Oslo.",
            "user | likes | Oslo",
            ["self lives_in Oslo"],
        ),
        # what the rules know better
        (
            "I heard my sister Ana and Tom snore.",
            "Tom | sibling_of | self",
            ["Ana sibling_of self"],
        ),
        ("Ana works at Globex.", "Ana | founded | Globex", ["Ana works_at Globex"]),
        (
            "Ana works at Globex beside Initrode.",
            "Ana | works_at | Initrode | 2.0",
            ["Ana works_at Globex"],
        ),
        ("Ana pats Tom.", "Ana | mentors | Tom; Tom | mentors | Ana", ["Ana mentors Tom"]),
        # what is said of such an end
        ("Ana hums 3.2 all day.", "Ana | .version | 3.2", []),
        ("Globex hums 42 all day.", "Globex | .age | 42", []),
        ("Ana hums of stuff.", "Ana | likes | stuff", []),
        ("the Oslo office hums.", "Oslo office | located_in | Oslo", []),
        ("Tom saw Ana. She hums, vegan.", "Ana | .diet | vegan", []),
    ],
)
def test_what_is_unclear_or_known_better_is_not_found(
    text: str, says: str, found: list[str]
) -> None:
    assert read(text, says) == found


def test_what_may_be_said_by_a_denial_is_found() -> None:
    assert read("Ana doesn't hang her hat at Globex anymore.", "Ana | worked_at | Globex") == [
        "Ana worked_at Globex"
    ]


def test_what_somebody_says_is_theirs() -> None:
    found = read("Tom says that Ana hangs her hat at Globex.", "Ana | works_at | Globex")
    assert found == ["Ana works_at Globex says Tom"]


@pytest.mark.parametrize(
    ("text", "says", "found"),
    [
        ("Ana works at Globex.", "Ana | works_at | Globex", ["Ana works_at Globex"]),
        ("Ana works at Globex.", "Ana | worked_at | Globex", ["Ana works_at Globex"]),
        ("my son Ivo snores.", "self | parent_of | Ivo", ["Ivo child_of self"]),
        ("my sister Ana snores.", "self | sibling_of | Ana", ["Ana sibling_of self"]),
        ("Ana is a nurse.", "Ana | .role | nurse", ["Ana.role = nurse"]),
        ("Ana is a nurse.", "Ana | .status | nurse", ["Ana.role = nurse"]),
        ("We decided to use paper.", "decision | use", ["decision: use paper"]),
        ("Ana cuddles Tom.", "Ana | likes | Tom; Ana | likes | Tom", ["Ana likes Tom"]),
        ("Ana, mostly vegan.", "Ana | .diet | vegan; Ana | .status | vegan", ["Ana.diet = vegan"]),
    ],
)
def test_what_the_rules_found_is_theirs_and_nothing_is_found_twice(
    text: str, says: str, found: list[str]
) -> None:
    assert read(text, says) == found


def test_a_name_that_the_scene_does_not_have_gives_no_end() -> None:
    def renamed(asked: Asked, words: str) -> Mention:
        start = asked.text.index(words)
        return Mention(start, start + len(words), "person", words)

    before = SCRIPT._mention  # pyright: ignore[reportPrivateUsage]
    try:
        SCRIPT._mention = renamed  # type: ignore[method-assign]
        assert read("the hat hangs there.", "hat | likes | there") == []
    finally:
        SCRIPT._mention = before  # type: ignore[method-assign]


def test_what_the_assistant_says_is_not_read() -> None:
    SCRIPT.says, SCRIPT.asked = "", []
    extractor().extract([episode("Ana hangs her hat at Globex.", role="assistant")], context())
    assert SCRIPT.asked == []
    extractor().extract([episode("Ana hangs her hat at Globex.")], context())
    assert [(each.text, each.names) for each in SCRIPT.asked] == [
        ("Ana hangs her hat at Globex.", [(0, 3, "person"), (21, 27, "organization")])
    ]


def test_the_extractor_names_what_it_reads_with() -> None:
    assert "+stated-scripted+" in extractor().name
    extractor().load()
    assert "stated" not in LocalExtractor(stated="none").name
