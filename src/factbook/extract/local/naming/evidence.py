"""What the words around a candidate say about its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factbook.extract.local import cues
from factbook.extract.local.lexicon import given_name, role_words, surnames
from factbook.extract.local.naming.capitals import TITLES
from factbook.extract.local.naming.text import Candidate, Text, is_capital
from factbook.extract.local.parse import Word

_ALSO_OF_THINGS = frozenset(
    """help teach work run fly speak suggest recommend lead offer hope meet move own report claim argue present reply
    attend write follow read stay run wake love call date live""".split()
)
"""Of the verbs of people those that one says of things too (`music helps`, `time flies`)."""

_ORG_VERBS = frozenset(
    "acquire announce launch hire raise release sell invest fund sponsor partner merge publish".split()
)
_THING_VERBS = frozenset(
    "crash deploy compile ship support depend break fail integrate consume expose".split()
)
_OBJECT_OF_PEOPLE = frozenset(
    "ask tell meet email call thank marry hire invite text ping message introduce remind interview date hug miss cc".split()
)
_OBJECT_TECH = frozenset("use install deploy learn adopt upgrade configure run".split())
_OBJECT_WORK = frozenset("read reread watch rewatch play replay binge".split())
_TECH_IN = frozenset("write build implement code rewrite program develop rebuild".split())
_TECH_ON = frozenset("run deploy host build base".split())
_MOTION = frozenset("fly go travel drive move relocate head return come walk trip".split())
_LIVING = frozenset("live stay grow born base reside settle".split())

_Evidence = Iterator[tuple[str, float]]


def weigh(text: Text, each: Candidate) -> None:
    """Adds to the candidate what its own words and its surroundings say."""
    for kind, weight in _own_words(text, each):
        each.add(kind, weight)
    if text.english:
        for kind, weight in (*_beside(text, each), *_role_in_clause(text, each)):
            each.add(kind, weight)
            each.around[kind] = each.around.get(kind, 0.0) + weight


def head_of(words: Sequence[Word], start: int, end: int) -> Word:
    """The word of a span from which the rest of it hangs."""
    inside = words[start:end]
    return next((word for word in inside if not start <= word.head.i < end), inside[-1])


def _own_words(text: Text, each: Candidate) -> _Evidence:
    words = text.words[each.start : each.end]
    first, last = words[0].lower.rstrip("."), words[-1].lower.rstrip(".")
    capital = is_capital(words[-1])
    given = given_name(first)
    if given and is_capital(words[0]):
        yield "person", 1.0 if given.common else 1.8
    if len(words) == 1 and words[0].text.istitle() and words[0].text.isalpha():
        if last in surnames():
            yield "person", 0.7
        elif not text.is_word(words[0]):
            yield "person", 0.3
    if len(words) > 1:
        if last in cues.LEGAL_ENDS or (capital and last in cues.ORGANIZATION_ENDS):
            yield "organization", 3.0
        if capital and last in cues.PLACE_ENDS:
            yield "place", 2.5
        if first in cues.PLACE_STARTS and is_capital(words[0]):
            yield "place", 1.0
        if last in cues.TECHNOLOGY_ENDS:
            yield "technology", 2.0
        if capital and last in cues.EVENT_ENDS:
            yield "event", 2.0
        if first == "project":
            yield "project", 3.0
        if words[-1].text.isdigit():
            yield "product", 0.8
    if last in cues.METRICS and len(words) == 1:
        yield "metric", 3.0
    if 2 <= len(words) <= 3 and all(word.text.isalpha() for word in words):
        yield from _two_or_three_words(text, words, given is not None and not given.common)


def _two_or_three_words(text: Text, words: Sequence[Word], given: bool) -> _Evidence:
    titled = all(word.text.istitle() for word in words)
    if given and (titled or words[-1].lower in surnames()):
        yield "person", 1.0
    elif titled and words[-1].lower in surnames():
        yield "person", 0.7
    elif titled and all(text.is_word(word) for word in words):
        # A phrase of plain words with capitals is a title that someone gave: `Invoice Matching`,
        # `Green Roofs`.
        yield "project", 1.6 if words[-1].lower.endswith(("s", "ing")) else 1.1
    elif titled and text.is_word(words[-1]) and words[-1].lower.endswith(("s", "ing")):
        yield "project", 0.9
    elif titled and not any(text.is_word(word) for word in words):
        yield "person", 0.9


def _beside(text: Text, each: Candidate) -> _Evidence:
    words = text.words
    before = words[each.start - 1] if each.start else None
    after = words[each.end] if each.end < len(words) else None
    head = head_of(words, each.start, each.end)
    if after is not None and not is_capital(after):
        noun = _compound_head(text, after)
        kind = (
            cues.HEADS.get(noun.lower) or cues.HEADS.get(noun.lemma) if noun is not None else None
        )
        elsewhere = (
            kind == "organization"
            and max(each.evidence.get("place", 0), each.evidence.get("technology", 0)) >= 2
        )
        if kind and not elsewhere:  # a Lisbon startup, the Kubernetes team
            yield kind, 2.5
        if after.tag == "POS" and after.i + 1 < len(words):
            yield from _owner(words, after, single=each.end - each.start == 1)
    if before is not None:
        if before.lower == "the":
            yield "person", -1.2
        if before.lower.rstrip(".") in TITLES:
            yield "person", 3.0
        if (kind := cues.BEFORE.get(before.lower)) and not is_capital(before):
            yield kind, 2.0
        if before.lower in role_words() and not is_capital(before):
            yield "person", 1.5
        if before.lemma in cues.PETS:
            yield "animal", 4.0
        if before.lemma in cues.KIN or before.lemma in cues.SUPERIORS:
            yield "person", 2.0
            yield "animal", -4.0
    if any(
        clause.child("nsubj") is not None and clause.children[0].lower == "who"
        for clause in head.children_by("relcl")
    ):
        yield "person", 1.5
    explained = [*head.children_by("appos"), *([head.head] if head.dep == "appos" else [])]
    if _is_called(text, each):
        explained = []
    for other in explained:
        yield from _is_a(other)


def _is_called(text: Text, each: Candidate) -> bool:
    """Whether somebody's first name ends the sentence behind a comma: who is spoken to (`what's your
    favourite book, Ana?`).
    """
    words = text.words
    given = given_name(words[each.start].lower)
    if each.end - each.start > 1 or given is None or given.common or each.start == 0:
        return False
    ends = each.end == len(words) or words[each.end].text in {"?", "!", "."}
    return ends and words[each.start - 1].text == ","


def _compound_head(text: Text, after: Word) -> Word | None:
    """The noun that the name stands before: `dashboard` in `the Atlas reporting dashboard`."""
    noun: Word | None = None
    for word in text.words[after.i : after.i + 3]:
        if word.pos not in {"NOUN", "PROPN"} or is_capital(word):
            break
        noun = word
        if cues.HEADS.get(word.lower):
            break
    return noun


def _owner(words: Sequence[Word], mark: Word, *, single: bool) -> _Evidence:
    owned = mark.head.head if mark.head.dep == "poss" else words[mark.i + 1]
    if words[mark.i + 1].lower in _OF_COMPANIES:
        owned = words[mark.i + 1]
    if owned.lemma in cues.KIN or owned.lemma in cues.PERSON_NOUNS or owned.lemma in cues.SUPERIORS:
        yield "person", 1.2
    elif owned.lower in _OF_COMPANIES:
        yield "organization", 1.2
    elif single:
        yield "person", 0.5


_OF_COMPANIES = frozenset(
    "ceo cto cfo coo founder founders hq headquarters api office offices stock customers".split()
)


def _is_a(noun: Word) -> _Evidence:
    """`…, a startup`, `is a database`, `our CTO`."""
    if noun.lower in role_words() or noun.lemma in role_words():
        yield "person", 1.8
    elif kind := cues.IS_A.get(noun.lemma):
        yield kind, 1.8
    elif noun.lemma in cues.KIN or noun.lemma in cues.SUPERIORS:
        yield "person", 2.0
    elif noun.lemma in cues.PETS:
        yield "animal", 4.0


def _role_in_clause(text: Text, each: Candidate) -> _Evidence:
    head = head_of(text.words, each.start, each.end)
    while head.dep == "conj" and head.head.i < each.start:
        head = head.head
    verb = head.head
    match head.dep:
        case "nsubj" | "nsubjpass":
            yield from _subject(verb)
        case "dobj" | "dative":
            yield from _object(verb)
        case "pobj":
            yield from _after_preposition(verb)
        case "attr":
            if each.start - verb.i <= 3:
                yield from _named_so(verb)
        case "oprd" if verb.lemma in {"name", "call"} and verb.dep == "acl":
            yield from _is_a(verb.head)
        case "npadvmod" | "intj" | "vocative":
            yield "person", 0.3
        case _:
            pass


def _subject(verb: Word) -> _Evidence:
    if verb.lemma in cues.PERSON_VERBS:
        people_only = verb.lemma not in _ALSO_OF_THINGS
        yield "person", 1.2 if people_only else 0.9
        if people_only and verb.tag in {"VBD", "VBZ"} and not verb.child("auxpass"):
            yield "person", 0.7
    elif verb.lemma in {"base", "headquarter", "found"} and verb.child("auxpass"):
        yield "organization", 2.0
    elif verb.lemma in _ORG_VERBS:
        yield "organization", 1.0
    elif verb.lemma in _THING_VERBS:
        yield "project", 0.5
    elif verb.lemma != "be" and verb.tag in {"VBD", "VBZ", "VBP"} and not verb.child("auxpass"):
        yield "person", 0.4
    elif verb.lemma == "be":
        for noun in verb.children_by("attr"):
            yield from _is_a(noun)
        if any(
            word.lemma in {"excited", "happy", "sick", "allergic", "pregnant"}
            for word in verb.children_by("acomp")
        ):
            yield "person", 1.2


def _object(verb: Word) -> _Evidence:
    if verb.lemma in _OBJECT_OF_PEOPLE:
        yield "person", 1.0
    elif verb.lemma in _OBJECT_TECH:
        yield "technology", 0.7
    elif verb.lemma in _OBJECT_WORK:
        yield "work", 1.0
    elif verb.lemma == "visit":
        yield "place", 0.8
    elif verb.lemma in {"join", "leave", "acquire", "found", "quit"}:
        yield "organization", 1.4
        yield "person", -0.8
    elif verb.lemma in {"buy", "purchase", "order"}:
        yield "product", 0.6


def _after_preposition(preposition: Word) -> _Evidence:
    before = preposition.head
    match preposition.lower:
        case "with":
            yield "person", 0.4
        case "at" | "for" if before.lemma == "work" or before.lower in role_words():
            yield "organization", 1.2
        case "at":
            yield "organization", 0.9
            yield "place", 0.2
        case "in" if before.lemma in _TECH_IN:
            yield "technology", 1.0
        case "in":
            yield "place", 1.2 if before.lemma in _LIVING else 0.8
        case "from":
            yield "organization", 1.2 if before.pos == "PROPN" else 0.6
            yield "place", 0.5
            yield "person", -0.8 if before.pos == "PROPN" else 0.0
        case "to" if before.lemma in _MOTION:
            yield "place", 0.8
        case "to" if before.lemma in {
            "talk",
            "speak",
            "write",
            "report",
            "listen",
            "send",
            "introduce",
            "marry",
        }:
            yield "person", 0.8
        case "on" if before.lemma in _TECH_ON:
            yield "technology", 1.0
        case "of" if before.lower in role_words():
            yield "organization", 1.2
        case "by" | "from" if before.lemma in {
            "write",
            "create",
            "lead",
            "review",
            "own",
            "paint",
            "suggest",
        }:
            yield "person", 0.7
        case _:
            pass


def _named_so(verb: Word) -> _Evidence:
    """`my manager is tom`, `the owner is Jonas`."""
    for subject in verb.children_by("nsubj"):
        if not any(word.lower in {"favorite", "favourite"} for word in subject.children):
            yield from _is_a(subject)
        if subject.lemma == "name":
            yield "person", 1.5
