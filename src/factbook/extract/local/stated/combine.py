"""What the network reads, as findings beside those of the rules: what both say is the rules', and
what isn't stated as the rules understand it (asked, supposed, commanded, quoted) is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.details import details
from factbook.extract.local.rules.ends import HOLLOW
from factbook.extract.local.rules.fitting import implied
from factbook.extract.local.rules.segments import segment_of, trimmed
from factbook.extract.local.rules.tasks import TURNS_OF_SPEECH
from factbook.extract.local.rules.ties import TIES
from factbook.extract.local.rules.truth import Claim, claim, is_asked
from factbook.extract.local.rules.validity import validity
from factbook.extract.local.rules.values import calendar_day, day
from factbook.extract.local.rules.weight import weighed
from factbook.extract.local.scene import (
    ALWAYS,
    Attribute,
    End,
    Finding,
    Link,
    Observed,
    Scene,
    Span,
    Statement,
)
from factbook.extract.local.stated.decode import Judged, Mention, Noticed, Said
from factbook.extract.relation_ends import fits_ends
from factbook.model.record import SELF
from factbook.model.relation_table import LIVING
from factbook.model.relations import INVERSES, PRESENT_FORMS, is_symmetric, turned_to_main
from factbook.text.names import fold
from factbook.text.stop_names import is_stop_name

_DENIED = frozenset({*PRESENT_FORMS, "dislikes", "ex_partner_of", ".allergies", ".diet", ".status"})
"""What may be said by saying that something is not so."""
_STATES = frozenset(
    "work live use lead study volunteer be intern run head reside serve stay teach".split()
)
"""Verbs that tell of a state: a time beside their past is the whole of it. Others end or begin
one.
"""
_OF_CHILDREN = {label: child for child, label in INVERSES.items()}
_DATES = frozenset({"deadline", "launch_date", "start_date", "date", "expiry_date", "renewal_date"})
_OF_PEOPLE = frozenset(
    """role age birthday birth_year email phone address postal_code nationality languages pronouns marital_status timezone
    hometown salary car hobbies skills children siblings pets likes dislikes allergies diet condition medication height weight
    blood_pressure heart_rate""".split()
)
_OF_THINGS = frozenset(
    """version deadline launch_date start_date expiry_date renewal_date budget price priority strategy goal codename reach
    value unit period campaign""".split()
)
_TOLD_BY_NOUNS = frozenset(
    """spouse_of partner_of ex_partner_of sibling_of parent_of grandparent_of aunt_or_uncle_of cousin_of friend_of roommate_of
    neighbor_of classmate_of has_pet""".split()
)
_NOUNS = frozenset({*TIES, *cues.PETS})
_SPOKEN = frozenset("i me my mine we us our ours".split())
_CONTESTED = 4.0
"""The margin that a relation must have of which the rules found one end with another: `Ana leads`
one thing and not two.
"""
_IMPORTANT = {"deadline": 0.8, "budget": 0.7, "birthday": 0.7, "allergies": 0.8}
_IMPORTANCE = {"decision": 0.8, "preference": 0.7, "pain_point": 0.6, "task": 0.6}


def learned(scene: Scene, judged: Iterable[Judged], given: Sequence[Finding]) -> Iterator[Finding]:
    """What the network reads in a scene and the rules didn't find."""
    known = _Known(scene, given)
    for each in judged:
        for said in sorted(each.said, key=lambda said: -said.margin):
            finding = _fact(scene, said) if said.label.startswith(".") else _link(scene, said)
            if finding is not None and known.is_new(finding, said.margin):
                yield finding
        for noticed in each.noticed:
            if (
                noticed.kind not in known.statements
                and (told := _statement(scene, noticed)) is not None
            ):
                yield told


class _Known:
    """What was found already."""

    def __init__(self, scene: Scene, given: Iterable[Finding]) -> None:
        self._scene = scene
        self._links: set[tuple[str, str, str]] = set()
        self._sides: set[tuple[str, str]] = set()
        self._pairs: set[frozenset[str]] = set()
        self._facts: set[tuple[str, str]] = set()
        self._values: set[tuple[str, str]] = set()
        self.statements: set[str] = set()
        for finding in given:
            match finding:
                case Link():
                    left, label, right = self._relation(finding)
                    self._links.add((left, label, right))
                    self._sides |= {(left, label), (label, right)}
                    self._pairs.add(frozenset((left, right)))
                case Attribute():
                    self._facts.add((self._party(finding.of), finding.attribute))
                    self._values.add((self._party(finding.of), fold(finding.value)))
                case Statement():
                    self.statements.add(finding.kind)
                case Observed():
                    pass  # clauses are found after relations and facts, and beside them

    def is_new(self, finding: Link | Attribute, margin: float) -> bool:
        """Whether it isn't known yet; from now on it is."""
        if isinstance(finding, Link):
            left, label, right = relation = self._relation(finding)
            if frozenset((left, right)) in self._pairs or (right, label, left) in self._links:
                return False
            contested = (left, label) in self._sides or (label, right) in self._sides
            if relation in self._links or (contested and margin < _CONTESTED):
                return False
            self._links.add(relation)
            return True
        of = self._party(finding.of)
        if (of, finding.attribute) in self._facts or (of, fold(finding.value)) in self._values:
            return False
        self._values.add((of, fold(finding.value)))
        return True

    def _party(self, end: End) -> str:
        return "" if end.kind == SELF else fold(end.name or self._scene.said(end.start, end.stop))

    def _relation(self, link: Link) -> tuple[str, str, str]:
        """One form for what says the same, now or in the past, from either side."""
        left, label, right = turned_to_main(
            self._party(link.left), link.label, self._party(link.right)
        )
        label = PRESENT_FORMS.get(label, label)
        return (
            (right, label, left) if is_symmetric(label) and left > right else (left, label, right)
        )


# ------------------------------------------------------------------------------------------------
# relations


def _link(scene: Scene, said: Said) -> Link | None:
    left, right = _end(scene, said.left, said.right), _end(scene, said.right, said.left)
    if (
        left is None
        or right is None
        or not fits_ends(said.label, left.kind, right.kind)
        or _meet(left, right)
    ):
        return None
    word = _word(scene, said.left if said.right.kind == SELF else said.right)
    verb = _verb(word)
    if not _is_stated(scene, said, verb) or _is_unclear(scene, said.left, said.right):
        return None
    if said.label in _TOLD_BY_NOUNS and any(
        each.lemma in _NOUNS for each in scene.sentence_of(word)
    ):
        return None  # the rules know whose sister it is, and when it isn't said
    start, stop = scene.quote(word)
    when = _when(scene, verb, said.label) if verb is not None else ALWAYS
    label = said.label
    if label in _OF_CHILDREN and left.kind == SELF:
        left, label, right = (
            right,
            _OF_CHILDREN[label],
            left,
        )  # as the rules say it: `Ivo child_of self`
    elif is_symmetric(label) and left.kind == SELF:
        left, right = right, left
    return Link(left=left, label=label, right=right, start=start, stop=stop, when=when)


def _when(scene: Scene, verb: Word, label: str) -> Span:
    if label not in PRESENT_FORMS:
        # What holds still began at the time that is named, whatever the verb: it is no stretch of
        # the past.
        return validity(scene, verb, event=True)
    if verb.lemma in _STATES:
        return validity(scene, verb)
    span = validity(scene, verb, event=True)
    closed = span.invalid_at or span.valid_at
    return Span(invalid_at=closed, grain=span.grain) if closed else ALWAYS


# ----------------------------------------------------------------------------------------------------
# facts


def _fact(scene: Scene, said: Said) -> Attribute | None:
    of = _end(scene, said.left, said.right)
    attribute = said.label[1:]
    word = _word(scene, said.right)
    if attribute == "name" or of is None or not _is_stated(scene, said, _verb(word)):
        return None  # who says their name is introduced by the rules
    if _is_unclear(scene, said.left, said.right):
        return None
    if attribute in (_OF_THINGS if of.kind in LIVING else _OF_PEOPLE if of.kind else ()):
        return None
    start, stop = (scene.passage.offset + at for at in (said.right.start, said.right.stop))
    value = " ".join(scene.said(start, stop).split())
    if attribute == "birthday":
        value = calendar_day(scene, value) or value
    elif attribute in _DATES:
        value = day(scene, value) or value
    quote = scene.quote(word)
    return Attribute(
        of=of,
        attribute=attribute,
        value=value,
        start=quote[0],
        stop=quote[1],
        importance=_IMPORTANT.get(attribute, 0.5),
    )


# -----------------------------------------------------------------------------------------------
# statements


def _statement(scene: Scene, noticed: Noticed) -> Statement | None:
    word = _at(scene, noticed.start)
    segment = segment_of(scene, word)
    if is_asked(scene, word):
        return None
    first, last = trimmed(segment)
    if last - first < 2 or (noticed.kind == "task" and _is_hollow(scene.words[first:last])):
        return None
    start, stop = scene.characters(first, last)
    made = Statement(
        kind=noticed.kind, start=start, stop=stop, importance=_IMPORTANCE[noticed.kind]
    )
    return replace(made, importance=weighed(scene, made), metadata=details(scene, made))


def _is_hollow(words: Sequence[Word]) -> bool:
    """Whether the words tell no deed: `Will do`, `I'll do that`, `I'll be there`."""
    return all(
        word.pos not in {"NOUN", "PROPN", "NUM", "VERB", "ADJ"} or word.lemma in _HOLLOW
        for word in words
    )


_HOLLOW = TURNS_OF_SPEECH | {"do", "try", "will"}


# -----------------------------------------------------------------------------------------------------
# ends


def _end(scene: Scene, mention: Mention, other: Mention) -> End | None:
    """The end that a mention is; None for plain words that name nothing."""
    if mention.kind == SELF:
        return _speaker(scene, mention, _word(scene, other))
    start, stop = scene.passage.offset + mention.start, scene.passage.offset + mention.stop
    if mention.kind:
        name = scene.name_at(_at(scene, mention.start))
        return scene.end(name) if name is not None else None
    words = scene.said(start, stop)
    return None if is_stop_name(words) or words.lower() in HOLLOW else End(start, stop, "")


def _speaker(scene: Scene, mention: Mention, word: Word) -> End | None:
    """Who speaks, as the end of what the sentence of a word says; None where it isn't they who are
    left out of it.
    """
    if mention.start < mention.stop:
        said = _at(scene, mention.start)
        return scene.self_at(said) if said.lower != "user" else scene.pronouns.get(said.i)
    spoken = next((each for each in scene.sentence_of(word) if each.lower in _SPOKEN), None)
    if spoken is not None:
        return scene.self_at(spoken)
    verb = _verb(word)
    found = implied(scene, clause(scene, verb)) if verb is not None else []
    return next((end for end in found if end.kind == SELF), None)


def _is_unclear(scene: Scene, one: Mention, other: Mention) -> bool:
    """Whether it may be said of others: of one of several (`Ana or Tom`), or in another sentence
    than that of the name where more than one can be meant.
    """
    words = [_word(scene, each) for each in (one, other) if each.start < each.stop]
    if any(
        each.lower == "or"
        for word in words
        for near in (word, word.head)
        for each in near.children_by("cc")
    ):
        return True
    if len(words) < 2 or words[0].sentence == words[1].sentence:
        return False
    named, last = sorted(words, key=lambda word: word.i)
    kind = one.kind if words[0] is named else other.kind
    if kind in {"", SELF}:
        return kind == ""
    before = [word for word in scene.words if word.sentence < last.sentence]
    meant = {
        fold(scene.said(*scene.characters(name.start, name.end)))
        for name in scene.names_in(before)
        if name.kind == kind
    }
    return len(meant) != 1


def _meet(one: End, other: End) -> bool:
    """`Oslo` and `the Oslo office`."""
    return one.start < other.stop and other.start < one.stop


def _at(scene: Scene, start: int) -> Word:
    """The word at a character of the passage."""
    return next((word for word in scene.words if word.stop > start), scene.words[-1])


def _word(scene: Scene, mention: Mention) -> Word:
    """The word from which the rest of a mention hangs."""
    words = [
        word for word in scene.words if word.start < mention.stop and word.stop > mention.start
    ]
    inside = {word.i for word in words}
    return next(
        (word for word in words if word.head.i not in inside),
        words[-1] if words else _at(scene, mention.start),
    )


def _verb(word: Word) -> Word | None:
    return next(
        (
            each
            for each in (word, *word.above())
            if each.pos in {"VERB", "AUX"} and each.dep != "aux"
        ),
        None,
    )


def _is_stated(scene: Scene, said: Said, verb: Word | None) -> bool:
    """Whether the clause holds, as the rules understand it."""
    words = [
        _word(scene, mention) for mention in (said.left, said.right) if mention.start < mention.stop
    ]
    if any(is_asked(scene, word) for word in words):
        return False
    held: Claim = claim(scene, verb) if verb is not None else "holds"
    return held == "holds" or (held == "denied" and said.label in _DENIED)
