"""What stands beside a name without a verb: `ATLAS-7: due 12 May, status in review, budget $4k`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.states import PHRASES, STATUS
from factbook.extract.local.rules.truth import is_asked
from factbook.extract.local.rules.values import AMOUNT, PEOPLE, THINGS, day, fact, owners
from factbook.extract.local.scene import End, Finding, Scene

_OPENS = frozenset({":", "(", "-", "–", "—", "|", "→"})
_PART = re.compile(r"[^,;|()\n]+|\n")
_KEYS = {
    **dict.fromkeys(("status", "state"), "status"),
    **dict.fromkeys(("due", "deadline", "due date", "due on", "due by"), "deadline"),
    **dict.fromkeys(("budget", "budget of"), "budget"),
    **dict.fromkeys(("version", "release"), "version"),
    **dict.fromkeys(("launch", "launch date", "launches", "go-live"), "launch_date"),
    **dict.fromkeys(("price", "cost", "costs"), "price"),
    **dict.fromkeys(("strategy",), "strategy"),
    **dict.fromkeys(("priority", "prio"), "priority"),
}
_KEY = re.compile(
    r"\s*(?:and\s+)?(?P<key>"
    + "|".join(sorted(_KEYS, key=len, reverse=True))
    + r")\b\s*(?:is\b|:|=)?\s*(?P<value>\S.*)",
    re.IGNORECASE,
)
_MONEY = re.compile(AMOUNT, re.IGNORECASE)
_VERSION = re.compile(r"v?(\d+(?:\.\d+)*)", re.IGNORECASE)
_PRIORITY = frozenset("high low medium urgent critical p0 p1 p2 p3 p4 normal blocker".split())


def listed(scene: Scene) -> Iterator[Finding]:
    """The keys and values that follow a named thing and a colon, a dash or a bracket."""
    for name in scene.names:
        if name.kind not in THINGS or name.end >= len(scene.words):
            continue
        opening = scene.words[name.end]
        opening = (
            scene.words[name.end + 1]
            if opening.text == "`" and name.end + 1 < len(scene.words)
            else opening
        )
        if opening.text not in _OPENS or is_asked(scene, opening):
            continue
        stop = scene.sentence_of(opening)[-1].stop
        text = scene.passage.text[opening.stop : stop]
        if opening.text == "(":
            text = text.partition(")")[0]
        for part in _PART.findall(text):
            yield from _part(scene, scene.end(name), opening, part.strip().rstrip("."))


def headed(scene: Scene) -> Iterator[Finding]:
    """`Atlas's status: amber`, `deadline for the grant: 3 June`."""
    for noun in scene.words:
        attribute = (
            _KEYS.get(noun.lower)
            if noun.lower in {"status", "deadline", "budget", "version"}
            else None
        )
        near = [
            each for each in scene.words[noun.i + 1 : noun.i + 7] if each.sentence == noun.sentence
        ]
        colon = next((each for each in near if each.text == ":"), None)
        if (
            attribute is None
            or colon is None
            or any(each.pos in {"VERB", "AUX"} for each in near if each.i < colon.i)
        ):
            continue
        text = scene.passage.text[colon.stop : scene.sentence_of(noun)[-1].stop].strip().rstrip(".")
        value = _value(scene, attribute, text.partition(",")[0] if attribute == "status" else text)
        for of in owners(scene, noun, phrases=True):
            if value and of.kind not in PEOPLE:
                yield fact(scene, of, attribute, value, noun, importance=0.7)


def _part(scene: Scene, end: End, word: Word, part: str) -> Iterator[Finding]:
    plain = part.lower().removeprefix("and ").removeprefix("currently ").removeprefix("now ")
    if plain in STATUS or plain in PHRASES:
        yield fact(scene, end, "status", plain, word, importance=0.6)
        return
    match = _KEY.fullmatch(part)
    if match is None:
        return
    attribute = _KEYS[match["key"].lower()]
    if value := _value(scene, attribute, match["value"].strip()):
        yield fact(
            scene, end, attribute, value, word, importance=0.8 if attribute == "deadline" else 0.6
        )


def _value(scene: Scene, attribute: str, said: str) -> str:
    """The value as the attribute's values are written, empty if it isn't one."""
    match attribute:
        case "deadline" | "launch_date":
            return day(scene, said)
        case "budget" | "price":
            found = _MONEY.search(said)
            return " ".join(found[0].split()) if found else ""
        case "version":
            number = _VERSION.match(said)
            return number[1] if number else ""
        case "priority":
            return said.lower() if said.lower() in _PRIORITY else ""
        case _:
            return said.lower() if len(said.split()) <= 3 else ""
