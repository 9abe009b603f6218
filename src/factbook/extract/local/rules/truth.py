"""Whether a clause states something: questions, wishes, conditions, guesses, quotations and
commands don't.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from factbook.extract.local.parse import Word
from factbook.extract.local.scene import Scene

Claim = Literal["holds", "denied", "open"]
"""`holds`: it is said to be so. `denied`: it is said not to be so. `open`: it is not said."""

_WISHES = frozenset(
    """want wish hope plan try intend consider dream expect refuse forget fail aim attempt need hesitate agree offer
    promise threaten pretend claim imagine suppose guess think believe assume suspect doubt wonder seem appear hear
    feel figure bet reckon swear tempt struggle afford decide propose suggest recommend ask tell say mention talk argue
    joke lie insist deny allege worry fear pray beg urge invite require request order demand advise encourage convince
    persuade force allow let help want inspire excite""".split()
)
"""What hangs on them is wished, guessed or said by someone, not stated."""

_FIRST_PERSON_SAID = frozenset("tell say mention swear promise".split())
_DOUBT = frozenset(
    "maybe perhaps probably possibly supposedly allegedly hopefully almost nearly hypothetically".split()
)
_MODALS = frozenset("would could might may should must 'd can shall ought cannot".split())
_ASKS_FIRST = frozenset(
    "do does did can could would will is are am was were have has had should may shall".split()
)
_QUOTES = frozenset({'"', "“", "”", "«", "»", "„"})


def claim(scene: Scene, verb: Word) -> Claim:
    """What the clause of a verb claims."""
    sentence = scene.sentence_of(verb)
    if (
        is_asked(scene, verb)
        or _is_quoted(sentence, verb)
        or _is_doubted(scene, verb)
        or _is_commanded(verb)
    ):
        return "open"
    return "denied" if is_negated(verb) else "holds"


def is_negated(verb: Word) -> bool:
    """`don't work`, `never worked`, `no longer use`."""
    if any(
        word.dep == "neg"
        or word.lower in {"never", "n't"}
        or (word.lower == "longer" and word.child("neg"))
        for word in verb.children
    ):
        return True
    objects = [det for word in verb.children_by("attr", "dobj") for det in word.children_by("det")]
    return any(det.lower == "no" and det.i == verb.i + 1 for det in objects)


def is_asked(scene: Scene, verb: Word) -> bool:
    """Whether the word stands in a question."""
    sentence = scene.sentence_of(verb)
    last = next(
        (word for word in reversed(sentence) if word.pos != "SPACE" and word.text not in _QUOTES),
        None,
    )
    if last is not None and "?" in last.text:
        return True
    first = next(
        (word for word in sentence if word.pos not in {"SPACE", "PUNCT", "INTJ", "CCONJ"}), None
    )
    if first is None:
        return False
    main = verb
    while main.dep in {"conj", "xcomp", "ccomp", "advcl", "relcl"} and main.head is not main:
        main = main.head
    subject = main.child("nsubj", "nsubjpass")
    if subject is None and main is first:  # `is Ana on the team`: only one end of `be` is told
        subject = main.child("attr")
    inverted = subject is not None and first.i < subject.i
    if first.lower in _ASKS_FIRST and inverted and (first.head is main or first is main):
        return True
    return (
        first.tag in {"WP", "WRB", "WP$"}
        and inverted
        and any(
            word.dep in {"aux", "auxpass"} and subject is not None and word.i < subject.i
            for word in main.children
        )
    )


def is_asked_of(scene: Scene, name: Word) -> bool:
    """Whether what stands beside a name is asked: `Is Ana on the team?`, unlike `Did you call Ana from Acme?`."""
    return name.dep in {"attr", "nsubj"} and name.head.lemma == "be" and is_asked(scene, name.head)


def _is_quoted(sentence: Sequence[Word], verb: Word) -> bool:
    """Between quotation marks, unless the whole sentence is."""
    before = [word for word in sentence if word.i < verb.i and word.text in _QUOTES]
    after = [word for word in sentence if word.i > verb.i and word.text in _QUOTES]
    return len(before) % 2 == 1 and bool(after) and before[0].i > sentence[0].i


def _is_commanded(verb: Word) -> bool:
    """`send it to Tom`: a bare verb with no subject, at the root."""
    return (
        verb.tag == "VB"
        and not verb.child("nsubj", "nsubjpass", "aux", "csubj")
        and verb.dep in {"ROOT", "conj", "ccomp"}
        and (verb.dep != "conj" or _is_commanded(verb.head))
    )


def _is_doubted(scene: Scene, verb: Word) -> bool:
    word, below = verb, verb
    for _ in range(8):
        if any(_is_doubt(child) for child in word.children if child.i < below.i or word is verb):
            return True
        if any(_is_doubt(child) for one in word.children_by("nsubj") for child in one.children):
            return True  # `Maybe Priya works there`: the adverb may hang on the name
        if _is_aim(word):
            return True
        if word.dep == "conj" and not word.child("nsubj"):
            word, below = word.head, word
            continue
        if word.dep in {"ccomp", "xcomp", "csubj", "pcomp"} and _leaves_open(scene, word):
            return True
        if word.head is word or word.dep in {"relcl", "advcl", "acl", "parataxis"}:
            return False
        word, below = word.head, word
    return False


def _is_aim(word: Word) -> bool:
    """`to visit Rome`: an infinitive states nothing, but after verbs that do (`I started to use …`,
    `used to live`).
    """
    if not any(child.dep == "aux" and child.lower == "to" for child in word.children):
        return False
    head = word.head
    while head.dep == "conj" and head.tag == word.tag:
        head = head.head
    return not (
        word.dep == "xcomp"
        and (head.lemma in _BRINGS_ABOUT or (head.lemma == "go" and head.tag == "VBG"))
    )


_BRINGS_ABOUT = frozenset(
    "use begin start continue happen get manage proceed come grow learn love like enjoy hate prefer".split()
)


def _is_doubt(child: Word) -> bool:
    if child.dep == "aux" and child.lower in _MODALS:
        return True
    if child.dep == "mark" and child.lower in {"if", "unless", "whether"}:
        return True
    if child.dep == "advcl" and any(
        mark.lower in {"if", "unless"} for mark in child.children_by("mark")
    ):
        return True
    return child.dep in {"advmod", "mark"} and child.lower in _DOUBT


def _leaves_open(scene: Scene, clause: Word) -> bool:
    """Whether what governs a clause leaves its truth open (`I think that …`, `he wants to …`)."""
    head = clause.head
    if head.lemma not in _WISHES:
        return False
    if any(told.word is head for told in scene.told):
        return is_negated(head)  # somebody with a name vouches for it
    if clause.i < head.i and clause.dep == "ccomp" and clause.child("nsubj"):
        # `Priya moved to Acme, she says`: the parser hangs the first of two sentences on the
        # second.
        return head.lemma in {
            "think",
            "guess",
            "believe",
            "hear",
            "suppose",
            "say",
        } and not _comma_splice(head)
    subject = head.child("nsubj")
    told = head.lemma in _FIRST_PERSON_SAID and subject is not None and subject.lower == "i"
    return not told


def _comma_splice(head: Word) -> bool:
    subject = head.child("nsubj")
    return subject is not None and any(
        word.dep in {"dobj", "xcomp", "prep", "advmod", "acomp", "attr"} and word.i > head.i
        for word in head.children
    )
