"""What was decided."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import is_negated
from factbook.extract.local.rules.wording import (
    EXPLICIT,
    STATED,
    between,
    by_us,
    content_of,
    holds,
    is_done,
    reason,
    statement,
)
from factbook.extract.local.scene import Scene, Statement

_DECIDE = frozenset("decide choose opt settle agree resolve vote".split())
_PICK = frozenset("pick select finalize standardize".split())
_ADOPT = frozenset("adopt introduce implement".split())
_RULES = frozenset(
    """convention approach standard policy framework tool strategy process method practice plan model format workflow
    methodology guideline rule schedule library architecture pattern system stack""".split()
)
"""What one adopts by a decision; children and puppies are adopted too."""


def decisions(scene: Scene, word: Word) -> Iterator[Statement]:
    if word.pos == "VERB":
        if word.lemma in _DECIDE and is_done(word) and _colon_after(scene, word):
            yield from _after_colon(scene, word)
        elif word.lemma in _DECIDE and is_done(word) and holds(scene, word):
            content = content_of(word, "on", "to", "for", "against")
            if content is not None and (
                word.lemma not in {"agree", "choose"} or _agreed(word, content)
            ):
                yield statement(scene, "decision", content, EXPLICIT, reason(scene, word))
        elif _picks(word) and is_done(word) and by_us(word) and holds(scene, word):
            yield statement(scene, "decision", word, STATED, reason(scene, word))
        elif word.lemma == "go" and _goes_with(scene, word) and holds(scene, word):
            yield statement(scene, "decision", word, EXPLICIT, reason(scene, word))
        elif (
            word.tag == "VBG"
            and (_picks(word) or word.lemma in {"switch", "move", "migrate"})
            and _opens(word)
        ):
            yield statement(scene, "decision", word, STATED, reason(scene, word))
    elif word.lower in {"decision", "decisions"} and word.pos == "NOUN" and _announces(scene, word):
        yield from _announced(scene, word)
    elif word.lower in _HEADINGS and _heads(scene, word):
        yield from _after_colon(scene, word)
    if word.lemma == "make" and is_done(word) and by_us(word) and holds(scene, word):
        for noun in word.children_by("dobj"):
            content = next(
                (
                    each
                    for each in (*noun.children, *word.children)
                    if each.dep in {"acl", "xcomp"} and each.tag == "VB"
                ),
                None,
            )
            if noun.lemma in {"decision", "choice", "call"} and content is not None:
                yield statement(scene, "decision", content, EXPLICIT, reason(scene, word))


_HEADINGS = frozenset(
    "call verdict resolution conclusion outcome agreement plan rule agreed decided settled".split()
)


def _heads(scene: Scene, word: Word) -> bool:
    """`final call: …`, `new rule: …`, `change of plan: …` at the beginning of what is said."""
    following = scene.words[word.i + 1].text if word.i + 1 < len(scene.words) else ""
    before = [
        each.lower
        for each in scene.sentence_of(word)
        if each.i < word.i and each.pos not in {"PUNCT", "SPACE"}
    ]
    alone = not before and word.lower in {
        "verdict",
        "resolution",
        "conclusion",
        "outcome",
        "agreed",
        "decided",
        "settled",
    }
    return following == ":" and (
        alone
        or " ".join(before[-2:])
        in {"final", "new", "change of", "the final", "the new", "ok final"}
    )


def _picks(verb: Word) -> bool:
    """`picked Acme for the job`, `adopted the same convention`; not `picked up a book`, `adopted a
    puppy`.
    """
    chosen = verb.child("dobj")
    if verb.child("prt") or chosen is None:
        return False
    if verb.lemma in _PICK:
        return _for_a_purpose(verb) or verb.lemma in {"finalize", "standardize"}
    return verb.lemma in _ADOPT and chosen.lemma in _RULES


def _agreed(verb: Word, content: Word) -> bool:
    """Agreeing and choosing decide something only where it follows what (`chose to wait`, `chose
    Ana for it`).
    """
    return by_us(verb) and (
        content.pos in {"VERB", "AUX"} or (verb.lemma == "choose" and _for_a_purpose(verb))
    )


def _for_a_purpose(verb: Word) -> bool:
    return any(each.lower in {"for", "as", "over"} for each in verb.children_by("prep"))


def _goes_with(scene: Scene, verb: Word) -> bool:
    """`we're going with X`, `went with X`; not `I'm going there with Ana`."""
    if is_negated(verb) or verb.tag not in {"VBG", "VBD", "VBN"}:
        return False
    subject = verb.child("nsubj")
    chosen = [
        word
        for each in verb.children_by("prep")
        if each.lower == "with" and each.i == verb.i + 1
        for word in each.children_by("pobj")
    ]
    ours = subject is not None and subject.lower in {"we", "i"}
    name = scene.name_at(chosen[0]) if chosen else None
    return (
        bool(chosen) and ours and _is_thing(chosen[0]) and (name is None or name.kind != "person")
    )


def _is_thing(word: Word) -> bool:
    return word.pos in {"NOUN", "PROPN", "X"} and word.lower not in {"friends", "family", "people"}


def _opens(verb: Word) -> bool:
    """`Adopting the same rule.`: how a log begins what was decided."""
    return verb.dep == "ROOT" and not verb.child("nsubj", "aux") and not is_negated(verb)


def _announces(scene: Scene, noun: Word) -> bool:
    following = scene.words[noun.i + 1] if noun.i + 1 < len(scene.words) else None
    if following is None:
        return False
    final = any(word.lower == "final" for word in noun.children_by("amod"))
    return (
        following.lower == "made"
        or final
        or (_colon_after(scene, noun) and not noun.children_by("neg"))
    )


def _colon_after(scene: Scene, word: Word) -> bool:
    """`decided in standup: …`: a colon, with nothing between but when, where and with whom."""
    for other in scene.words[word.i + 1 : word.i + 12]:
        if other.text == ":":
            return True
        if (
            other.sentence != word.sentence
            or other.pos in {"VERB", "AUX", "SCONJ"}
            or other.text in {",", ";", "—"}
        ):
            return False
    return False


def _announced(scene: Scene, noun: Word) -> Iterator[Statement]:
    """What follows `Decision:`, or the sentence in which the decision is spoken of."""
    sentence = scene.sentence_of(noun)
    if is_negated(noun.head) or any(
        word.pos == "VERB"
        and (word.lemma in _DECIDE | _PICK or (word.lemma == "go" and _goes_with(scene, word)))
        for word in sentence
    ):
        return  # a verb says it better
    colon = any(word.text == ":" and word.i > noun.i for word in sentence)
    yield from (
        _after_colon(scene, noun)
        if colon
        else between(scene, "decision", sentence[0].i, sentence[-1].i + 1)
    )


def _after_colon(scene: Scene, word: Word) -> Iterator[Statement]:
    """`ship on Friday` in `We decided: ship on Friday`."""
    sentence = scene.sentence_of(word)
    first = next(each.i for each in sentence if each.text == ":" and each.i > word.i) + 1
    yield from between(scene, "decision", first, sentence[-1].i + 1)
