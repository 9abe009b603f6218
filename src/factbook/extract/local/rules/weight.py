"""How much a statement matters: document 002's bands, by emphasis, by what there is to do, by being
new.
"""

from __future__ import annotations

import re

from factbook.extract.local.scene import Scene, Statement

_EMPHASIS = re.compile(
    r"!|\b(?:really|very|extremely|super|absolutely|definitely|important|critical|crucial|essential|urgent(?:ly)?|asap|must|"
    r"at all costs|no matter what|final|once and for all|the most)\b",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:a bit|a little|slightly|kind of|kinda|sort of|somewhat|minor|btw|by the way|in passing|not a big deal|no rush)\b",
    re.IGNORECASE,
)
_REPEATED = re.compile(
    r"\b(?:as (?:i|we) (?:said|mentioned|wrote)|like i said|as mentioned|as you know|as (?:always|usual)|i told you|"
    r"(?:once|yet) again i|reminder)\b",
    re.IGNORECASE,
)
_MORE, _LESS, _OLD = 0.05, 0.25, 0.1
EXPLICIT_BAND = 0.9
"""Document 002: from here on are explicit decisions and stated preferences; below .5 is what is
said in passing.
"""


def weighed(scene: Scene, statement: Statement) -> float:
    """The importance of a statement, from the one of its cue and the words of its sentence."""
    text = sentence_text(scene, statement)
    importance = statement.importance
    emphasis = bool(_EMPHASIS.search(text))
    importance += _MORE * (
        emphasis + ("deadline" in statement.metadata and statement.kind != "task")
    )
    if statement.importance < EXPLICIT_BAND:
        importance -= _LESS * bool(_PASSING.search(text))
        importance = min(importance, EXPLICIT_BAND - 0.01)
    if _REPEATED.search(text):
        importance -= _OLD
    return round(min(1.0, max(0.1, importance)), 2)


def sentence_text(scene: Scene, statement: Statement) -> str:
    """The sentence in which a statement begins."""
    place = statement.start - scene.passage.offset
    word = next((word for word in scene.words if word.stop > place), scene.words[-1])
    inside = scene.sentence_of(word)
    return scene.passage.text[inside[0].start : inside[-1].stop]
