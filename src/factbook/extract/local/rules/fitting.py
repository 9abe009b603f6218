"""Which ends a sense of a verb links in a clause."""

from __future__ import annotations

import re
from collections.abc import Iterable

from factbook.extract.local.lexicon import given_name
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import Clause, is_object_of_note, opens_note
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.nouns import WORKS
from factbook.extract.local.rules.sense import Sense
from factbook.extract.local.rules.vocabulary import SENSES
from factbook.extract.local.scene import End, Scene
from factbook.model.record import SELF

_STATES_IN_PASSIVE = frozenset(
    "marry engage base locate headquarter situate make bear raise employ settle enroll enrol standardize stick".split()
)
"""Passives that say of the subject what the active says (`is based in`)."""

_MADE_WITH = frozenset({"in", "on", "with", "to"})
_EVERYTHING = frozenset({"everything", "all"})
_BESIDE = ("with", "alongside")


def pairs(
    scene: Scene, clause: Clause, preposition: str, word: Word, sense: Sense
) -> list[tuple[End, End]]:
    """The ends that the clause links, with the kinds that the sense wants."""
    passive = clause.passive and not (
        clause.verb.lemma in _STATES_IN_PASSIVE and preposition != "by"
    )
    if passive and (preposition in {"", "agent"} or preposition not in {*_MADE_WITH, "by"}):
        return []
    by = passive and preposition == "by"
    direct = clause.after("") if sense.made and not passive else []
    subjects = [word] if by else direct or list(clause.subjects)
    objects = list(clause.subjects) if by else [word]
    lefts = (
        _subject_ends(scene, clause, subjects, sense)
        if by or direct or subjects
        else implied(scene, clause)
    )
    if sense.shared and lefts and not passive:
        lefts = [*lefts, *(end for end in companions(scene, clause) if end not in lefts)]
    rights = [end for each in objects for end in _object_ends(scene, clause, each, sense)]
    if _starts_at(clause) and clause.after(""):
        return []  # `Ana started the meeting at Acme`
    if sense.label == "lives_in" and _is_from_elsewhere(scene, clause):
        return []  # from one employer to another, whatever the new one's name was taken for
    found = [
        (left, right)
        for left in lefts
        for right in rights
        if left.kind in sense.left
        and right.kind in sense.right
        and _is_wanted(scene, right, sense)
        and left != right
        and (left.kind or right.kind)
    ]
    return [(right, left) for left, right in found] if sense.turned else found


def _starts_at(clause: Clause) -> bool:
    return clause.verb.lemma in {"start", "begin"} and bool(clause.after("at"))


def _subject_ends(
    scene: Scene, clause: Clause, subjects: Iterable[Word], sense: Sense
) -> list[End]:
    out: list[End] = []
    for each in subjects:
        if each.lower in _EVERYTHING and sense.made and each.i < clause.verb.i:
            out.append(
                scene.self_at(each)
            )  # `everything runs on Kubernetes`: where the speaker works
        elif each.lower == "both":
            out.extend(both(scene, each))
        else:
            out.extend(ends(scene, each, phrases="" in sense.left, group=sense.group))
    return out


def _object_ends(scene: Scene, clause: Clause, word: Word, sense: Sense) -> list[End]:
    plain = "" in sense.right and not (
        clause.verb.dep in {"relcl", "acl"} and word is clause.verb.head
    )
    if word.lower == "both":
        return both(scene, word)
    found = ends(
        scene,
        word,
        phrases=plain and sense.phrase != "loose",
        loose=plain and sense.phrase in {"loose", "any"},
    )
    if plain and sense.phrase == "distinct":
        more = ends(scene, word, loose=True)
        found += [
            end for end in more if not end.kind and _is_distinct(scene.said(end.start, end.stop))
        ]
    return found


def _is_distinct(said: str) -> bool:
    words = said.lower().split()
    return len(words) > 1 and words[-1] not in _WHEN


_WHEN = frozenset(
    "mornings evenings nights days weekends shifts hours basis commission contract schedule budget".split()
)
"""On what one works without working on it."""


def _is_wanted(scene: Scene, end: End, sense: Sense) -> bool:
    """Whether an end is among the things that the sense is said of."""
    if end.kind and not sense.strict:
        return True
    words = scene.said(end.start, end.stop).lower().split()
    if sense.nouns:
        return not sense.nouns.isdisjoint(words) if end.kind else _is_one_of(words[-1], sense.nouns)
    return sense.phrase != "named" or len(words) > 1 or _is_one_of(words[-1], WORKS)


def _is_one_of(noun: str, nouns: frozenset[str]) -> bool:
    return noun in nouns or noun.removesuffix("s") in nouns


def _is_from_elsewhere(scene: Scene, clause: Clause) -> bool:
    if clause.after(""):
        return True  # `Ana moved the meeting to Oslo`
    olds = [end for each in clause.after("from") for end in ends(scene, each)]
    return any(end.kind != "place" for end in olds)


# ------------------------------------------------------------------------------------------------
# with whom


def companions(scene: Scene, clause: Clause) -> list[End]:
    """The people with whom it is done: `with Ana`, `together with our friend Tom`."""
    objects = [word for _, word in clause.objects]
    beside = [
        word
        for each in objects
        for preposition in each.children_by("prep")
        if preposition.lower in _BESIDE
        for word in preposition.children_by("pobj")
    ]
    words = [*clause.after(*_BESIDE), *beside]
    return [end for word in words for end in ends(scene, word) if end.kind in {"person", SELF}]


def both(scene: Scene, word: Word) -> list[End]:
    """The two that `both` means: the two subjects of the sentence before, or of what comes before
    in its own.
    """
    own = [
        each for each in scene.sentence_of(word) if each.i < word.i and each.head is not word.head
    ]
    last = [each for each in scene.words if each.sentence == word.sentence - 1]
    for words in (own, last):
        names = {
            name: None
            for each in words
            if each.dep in {"nsubj", "nsubjpass"}
            or (each.dep == "compound" and each.head.dep in {"nsubj", "nsubjpass"})
            for one in each.with_conjuncts()
            if (name := scene.name_at(one)) is not None
        }
        if len(names) == 1:  # `INFRA-12 depends on INFRA-13, and both are done`
            names = dict.fromkeys(
                name for name in scene.names_in(words) if name.kind == next(iter(names)).kind
            )
        if names:
            return [scene.end(name) for name in names] if len(names) == 2 else []
    return []


# ------------------------------------------------------------------------------------------------
# nobody named


def implied(scene: Scene, clause: Clause) -> list[End]:
    """Who does what has no subject: in notes and chats the speaker (`moved to Oslo in March`), in a
    list under someone's name they (`- prefers async updates`).
    """
    verb = clause.verb
    while verb.head.pos in {"VERB", "AUX"} and (
        verb.dep == "conj" or (verb.dep == "advcl" and verb.tag == "VBG")
    ):
        verb = verb.head
    if clause.passive or clause.subjects or not _opens(scene, verb):
        return []
    above = _heading(scene)
    if above is not None:
        return [above] if above.kind and verb.tag in {"VBZ", "VBD", "VBG", "VBN", "NNS"} else []
    if verb.tag in {"VBZ", "NNS"}:
        return _told_of(scene, verb)
    if verb.tag not in {"VBD", "VBG", "VBP", "VBN"} or _goes_on(scene, verb):
        return []
    start, _ = scene.characters(verb.i, verb.i + 1)
    return [End(start, start, SELF)]


_OF_THINGS = frozenset(
    "run build depend require need sit integrate include contain use call consume query cost belong take".split()
)
"""What a thing does that the sentence before may have named last (`Ana wrote a crawler. Runs on
Linux.`).
"""


def _told_of(scene: Scene, verb: Word) -> list[End]:
    """Ana in `Ana is a nurse. Works at Acme. Lives in Oslo.` and in `Ana: team lead. Reports to
    Tom.`
    """
    number = verb.sentence
    while number > 0 and verb.lemma not in _OF_THINGS:
        number -= 1
        before = [word for word in scene.words if word.sentence == number]
        subjects = [
            word
            for word in before
            if word.dep in {"nsubj", "nsubjpass"} and word.head.dep == "ROOT"
        ]
        if not subjects and len(before) > 1 and (name := scene.name_at(before[0])) is not None:
            colon = name.end < len(scene.words) and scene.words[name.end].text == ":"
            return [scene.end(name)] if colon and name.kind == "person" else []
        if (
            not subjects
            and before
            and any(word.dep == "ROOT" and word.tag in {"VBZ", "NNS"} for word in before)
        ):
            continue
        found = [
            end for word in subjects for end in ends(scene, word) if end.kind in {"person", SELF}
        ]
        spoken = any(word.lower in {"i", "we"} for word in subjects)
        return found if len(found) == 1 and not spoken and before[-1].text != "?" else []
    return []


def _opens(scene: Scene, verb: Word) -> bool:
    """Whether a sentence begins with the verb, its auxiliaries and adverbs before it apart."""
    if opens_note(scene, verb):
        return True
    if verb.dep not in {"ROOT", "ccomp", "dep"} or verb.child(
        "nsubjpass", "csubj", "expl", "auxpass"
    ):
        return False
    if any(not is_object_of_note(word) for word in verb.children_by("nsubj")):
        return False
    if (
        verb.tag == "VBN"
        and not verb.child("dobj", "nsubj", "aux", "prt")
        and _may_be_passive(verb)
    ):
        return False
    before = [word for word in scene.sentence_of(verb) if word.i < verb.i]
    return all(
        word.pos in {"PUNCT", "SPACE", "SYM", "INTJ", "ADV", "CCONJ"}
        or word in verb.children_by("aux")
        for word in before
    )


def _may_be_passive(verb: Word) -> bool:
    return (
        (verb.lemma, "") in SENSES
        or verb.lemma in _STATES_IN_PASSIVE
        or verb.child("agent") is not None
    )


def _goes_on(scene: Scene, verb: Word) -> bool:
    """Whether the sentence before tells of somebody by name: then they may be meant (`Ana called.
    Moved to Oslo.`).
    """
    before = [word for word in scene.words if word.sentence == verb.sentence - 1]
    return any(
        word.dep in {"nsubj", "nsubjpass"} and word.lower not in {"i", "we"} for word in before
    )


_ITEM = re.compile(r"^[ \t]*(?:[-*•–—+]|\d{1,3}[.)])[ \t]")
_HEADING = re.compile(
    r"^[ \t]*(?P<mark>#+[ \t]*|\*\*)?(?:[\w:1/ ]{0,30}?\b(?:with|w/|about|on)[ \t]+)?"
    r"(?P<name>[^\W\d_][\w'’-]+(?: [^\W\d_][\w'’-]+){0,2})(?:\*\*)?(?P<colon>:)?(?:\*\*)?[ \t]*$"
)


def _heading(scene: Scene) -> End | None:
    """Whose name stands over the list that the passage is an item of; an end without a kind where
    something else does.
    """
    text, at = scene.passage.message.text, scene.passage.offset
    lines = text[:at].split("\n")
    if not _ITEM.match(lines[-1] + scene.passage.text[:4]):
        return None
    start = at - len(lines[-1])
    for line in reversed(lines[:-1]):
        start -= len(line) + 1
        if not line.strip() or _ITEM.match(line):
            continue
        match = _HEADING.match(line)
        known = match is not None and given_name(match["name"].split()[0].lower())
        if match is not None and known and (match["mark"] or match["colon"]):
            return End(start + match.start("name"), start + match.end("name"), "person")
        own = _OF_ONESELF.isdisjoint(re.findall(r"[^\W\d_]+", line.lower()))
        return End(at, at, "") if own else None
    return None


_OF_ONESELF = frozenset(
    "i my me we our today yesterday tonight week done update updates standup log diary journal".split()
)
"""Words of a heading over a list of what the speaker did."""
