"""Names of those who are spoken to: `Tom, I work at Globex now` says nothing of Tom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factbook.extract.local.parse import Word
from factbook.extract.local.scene import Attribute, End, Finding, Link, Name, Scene

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl"})
_WITHIN = frozenset({"det", "poss", "amod", "compound", "nummod", "case", "advmod"})
"""Words of a nominal before its head."""
_LEADS = frozenset({"INTJ", "CCONJ", "ADV", "ADJ", "NOUN", "PUNCT", "SPACE"})
"""Parts of speech before a name that is called: `So Tom, …`, `Good morning Tom, …`."""
_OUTSIDE = frozenset({"npadvmod", "intj", "dep", "meta"})
"""Ways to hang of what is no part of a sentence; a person is no measure."""
MOST_BEFORE = 3
_MARKS = frozenset({",", "!", "-", "–", "—"})


def addressees(scene: Scene) -> Iterator[Name]:
    """Yields the people who are called at the beginning or the end of a sentence in which somebody
    else is the subject.
    """
    for name in scene.names:
        sentence = scene.sentence_of(scene.words[name.start])
        before = [word for word in sentence if word.i < name.start]
        after = [word for word in sentence if word.i >= name.end]
        if name.kind == "person" and (
            _is_called_first(before, after) or _is_called_last(scene, name, before, after)
        ):
            yield name


def find_outsiders(scene: Scene) -> Iterator[Name]:
    """Yields the people who are called, and those who are no part of what is said: `I moved out, Tom,
    because …`. A parse errs there more often, so that no relation is refused for it.
    """
    called = list(addressees(scene))
    yield from called
    for name in scene.names:
        if name.kind == "person" and name not in called and _is_no_part(scene.head_of(name)):
            yield name


def without_addressees(findings: Sequence[Finding], scene: Scene) -> list[Finding]:
    """Returns the relations and facts that aren't of somebody who is only called."""
    called = [scene.end(name) for name in addressees(scene)]
    return [each for each in findings if not any(_is_of(each, end) for end in called)]


def _is_called_first(before: Sequence[Word], after: Sequence[Word]) -> bool:
    if len(before) > MOST_BEFORE or any(word.pos not in _LEADS for word in before):
        return False
    if len(after) < 2 or after[0].text not in _MARKS or after[1].tag.startswith("W"):
        return False  # `Ana, who runs it, …`: what follows is said of her
    nominal = next((word for word in after[1:] if word.dep not in _WITHIN), None)
    if nominal is not None and nominal.pos == "AUX":  # `Tom, could you …`
        nominal = next((word for word in after if word.i > nominal.i), None)
    return nominal is not None and nominal.dep in _SUBJECTS


def _is_called_last(
    scene: Scene, name: Name, before: Sequence[Word], after: Sequence[Word]
) -> bool:
    if any(word.pos != "PUNCT" for word in after) or len(before) < 2 or before[-1].text != ",":
        return False
    head = scene.head_of(name)
    is_listed = head.dep in {"conj", "appos"} or scene.name_at(before[-2]) is not None
    return not is_listed and any(word.dep in _SUBJECTS for word in before)


def _is_no_part(head: Word) -> bool:
    """Whether a name hangs as no part of the sentence: `How are you Tom`, `I moved out, Tom, because …`, `we did it
    Tom`.
    """
    if head.dep == "appos":
        return head.head.pos in {"VERB", "AUX", "ADJ"}
    if head.dep == "dobj":
        return any(word.dep == "dobj" and word.i < head.i for word in head.head.children)
    return head.dep in _OUTSIDE


def _is_of(finding: Finding, called: End) -> bool:
    match finding:
        case Link():
            return _meets(finding.left, called) or _meets(finding.right, called)
        case Attribute():
            return _meets(finding.of, called)
        case _:
            return False


def _meets(end: End, called: End) -> bool:
    return end.start < called.stop and called.start < end.stop
