"""Mail addresses and telephone numbers, where it is said whose they are."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import is_asked
from factbook.extract.local.rules.values import PEOPLE, fact
from factbook.extract.local.scene import End, Finding, Scene

_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w.,/-])\+?\(?\d[\d ().\-/]{5,}\d(?![\w%]|[.,]\d)")
_SHARES = re.compile(r"[$€£]|\b(?:19|20)\d\d-\d\d")
_FEWEST_DIGITS, _MOST_DIGITS = 7, 15
"""Of a telephone number (ITU-T E.164 has up to fifteen)."""

_MAILS = frozenset("email e-mail mail address emails".split())
_PHONES = frozenset(
    "number phone mobile cell tel telephone whatsapp landline extension fax".split()
)
_REACH = frozenset("reach contact email e-mail mail write call text message ping find".split())
_NOT_NOW = frozenset(
    "old former previous n't not no was used never or wrong fake example like spam junk".split()
)
_OF_A_PHONE = frozenset(
    """my her his 's s phone mobile cell work home office private contact whatsapp new direct business telephone personal
    landline desk emergency the""".split()
)
_REACH_BACK = 10
"""So many words before the address it is said whose it is."""


def contacts(scene: Scene) -> Iterator[Finding]:
    """`my email is …`, `you can reach Ana at …`, `Tom's number: …`."""
    text = scene.passage.text
    for match in _MAIL.finditer(text):
        yield from _contact(scene, match.start(), "email", match[0].rstrip("."), _MAILS)
    for match in _PHONE.finditer(text):
        digits = sum(map(str.isdigit, match[0]))
        if _FEWEST_DIGITS <= digits <= _MOST_DIGITS and not _SHARES.search(match[0]):
            yield from _contact(scene, match.start(), "phone", match[0], _PHONES)


def _contact(
    scene: Scene, start: int, attribute: str, value: str, nouns: frozenset[str]
) -> Iterator[Finding]:
    word = next((word for word in scene.words if word.start <= start < word.stop), None)
    if word is None or is_asked(scene, word):
        return
    before = [
        each
        for each in scene.words[max(0, word.i - _REACH_BACK) : word.i]
        if each.sentence == word.sentence
    ]
    if not before:
        return
    cue = next(
        (each for each in reversed(before) if each.lower in nouns or each.lemma in _REACH), None
    )
    if cue is None or any(each.lower in _NOT_NOW for each in before if each.i > cue.i - 4):
        return
    if cue.lower == "number" and scene.words[cue.i - 1].lower not in _OF_A_PHONE:
        return
    said_of = _owner(scene, cue) if cue.lower in nouns else None
    if said_of is None and cue.lemma in _REACH:
        said_of = _reached(scene, cue, word)
    if said_of is not None and said_of.kind in PEOPLE:
        yield fact(
            scene,
            said_of,
            attribute,
            value,
            cue if cue.pos not in {"VERB", "AUX"} else word,
            importance=0.7,
        )


def _owner(scene: Scene, noun: Word) -> End | None:
    """`my` in `my work email address`, `Ana` in `Ana's number`: within four words before, or `of
    Ana` after.
    """
    for word in reversed(scene.words[max(0, noun.i - 4) : noun.i]):
        if word.sentence != noun.sentence or word.pos in {"VERB", "AUX"} or word.text in {",", ";"}:
            break
        if (found := _person(scene, word)) is not None:
            return found
    following = scene.words[noun.i + 1 : noun.i + 3]
    if len(following) == 2 and following[0].lower in {"of", "for"}:
        return _person(scene, following[1])
    return None


def _reached(scene: Scene, verb: Word, last: Word) -> End | None:
    """`me` in `reach me at`."""
    return next(
        (
            found
            for word in scene.words[verb.i + 1 : min(verb.i + 4, last.i)]
            if (found := _person(scene, word))
        ),
        None,
    )


def _person(scene: Scene, word: Word) -> End | None:
    if word.lower in {"my", "me"}:
        return scene.self_at(word)
    if word.i in scene.pronouns:
        return scene.pronouns[word.i]
    name = scene.name_at(word)
    return scene.end(name) if name is not None and name.kind == "person" else None
