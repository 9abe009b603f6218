"""What someone is: a role somewhere, or someone's sister, manager, friend. Said by `is`, by apposition, by `as`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from factbook.extract.local import cues
from factbook.extract.local.clauses import clause
from factbook.extract.local.ends import ends
from factbook.extract.local.lexicon import role_beginnings, role_words
from factbook.extract.local.parse import Word
from factbook.extract.local.scene import ALWAYS, Attribute, End, Finding, Link, Scene, Span
from factbook.extract.local.truth import claim
from factbook.extract.local.validity import has_ended, is_future, is_past, used_to, validity

_FIRST_PERSON = frozenset({"my", "our"})
_OWN = frozenset("owner maintainer".split())
_LEAD = frozenset("lead leader head manager director chair captain boss coordinator".split())
_FOUND = frozenset("founder cofounder co-founder".split())
_MAKE = frozenset("author creator inventor designer developer writer".split())
_TAKES_ROLE = frozenset(
    "work join start serve act hire appoint promote replace continue return bring name elect".split()
)
_OF_WORK = frozenset({"at", "of", "for", "with", "in"})
_EFFORTS = frozenset({"project", "product", "technology", "campaign", "task", "event"})


@dataclass(frozen=True, slots=True)
class _Is:
    """That `person` is `noun`; `verb` says so, None for an apposition, which holds now."""

    person: End
    noun: Word
    verb: Word | None


def people(scene: Scene) -> Iterator[Finding]:
    """Roles, employers and ties of the people of a scene."""
    for said in (*_by_apposition(scene), *_by_copula(scene), *_by_as(scene)):
        yield from _unfold(scene, said)
    yield from _from_somewhere(scene)
    yield from _pairs(scene)
    yield from _at_work(scene)


# ------------------------------------------------------------------------------------------- who is said to be what


def _by_apposition(scene: Scene) -> Iterator[_Is]:
    for name in scene.names:
        if name.kind != "person":
            continue
        head, person = scene.head_of(name), scene.end(name)
        after = [word.lower for word in scene.words[name.end : name.end + 2]]
        apart = name.start > 0 and scene.words[name.start - 1].text == ","
        listed = apart and (bool(head.children_by("conj")) or "and" in after)  # `my girlfriend, Toby, and I` are three
        above = [head.head] if head.dep in {"appos", "nmod", "compound"} and not listed else []
        for noun in (*head.children_by("appos"), *above):
            if noun.pos in {"NOUN", "PROPN"} and not scene.name_at(noun):
                yield _Is(person, noun, None)
        for noun in head.children_by("compound", "nmod", "amod"):
            if not name.start <= noun.i < name.end and noun.i < name.start and noun.pos in {"NOUN", "PROPN"}:
                yield _Is(person, noun, None)
        if head.dep == "oprd" and head.head.lemma in {"name", "call"} and head.head.dep == "acl":
            yield _Is(person, head.head.head, None)


def _by_copula(scene: Scene) -> Iterator[_Is]:
    for verb in scene.words:
        if verb.lemma not in {"be", "become", "remain"} or verb.dep in {"aux", "auxpass"}:
            continue
        said = clause(scene, verb)
        attributes = [*verb.children_by("attr"), *([] if verb.lemma == "be" else verb.children_by("dobj", "acomp"))]
        for subject in said.subjects:
            for attribute in attributes:
                yield from _either_way(scene, verb, subject, attribute)


def _either_way(scene: Scene, verb: Word, subject: Word, attribute: Word) -> Iterator[_Is]:
    named = [end for end in ends(scene, attribute) if end.kind == "person"]
    if subject.pos == "NOUN" and named and not _people_in(scene, subject):
        noun = _whose_name(subject) or subject
        yield from (_Is(end, noun, verb) for end in named[:1])
        return
    for noun in attribute.with_conjuncts():
        if noun.pos in {"NOUN", "PROPN"} and not scene.name_at(noun):
            yield from (_Is(end, noun, verb) for end in _people_in(scene, subject))


def _people_in(scene: Scene, word: Word) -> list[End]:
    return [end for end in ends(scene, word) if end.kind in {"person", "self"}]


def _whose_name(noun: Word) -> Word | None:
    """`sister` in `my sister's name is …`."""
    return noun.child("poss") if noun.lemma == "name" else None


def _by_as(scene: Scene) -> Iterator[_Is]:
    for preposition in scene.words:
        verb = preposition.head
        if preposition.lower != "as" or preposition.dep != "prep" or verb.lemma not in _TAKES_ROLE:
            continue
        noun = preposition.child("pobj")
        if noun is None:
            continue
        said = clause(scene, verb)
        who = said.subjects
        if verb.lemma in {"hire", "appoint", "promote", "bring", "name", "elect"} and not said.passive:
            who = tuple(said.after(""))
        yield from (_Is(end, noun, verb) for word in who for end in _people_in(scene, word))


# ------------------------------------------------------------------------------------------- what follows from it


def _unfold(scene: Scene, said: _Is) -> Iterator[Finding]:
    time = _time(scene, said)
    if time is None:
        return
    when, over, denied = time
    noun = said.noun
    if noun.lemma in cues.KIN or noun.lemma in cues.SUPERIORS:
        yield from _tie(scene, said, when, gone=over or denied)
        if noun.lemma in cues.KIN or not _is_role(noun):
            return
    if _is_role(noun):
        yield from _role(scene, said, when, over=over, denied=denied)


def _time(scene: Scene, said: _Is) -> tuple[Span, bool, bool] | None:
    """When it holds, whether it is over, and whether it is denied; None where it isn't stated."""
    verb = said.verb
    former = any(
        word.lower in {"former", "ex", "previous", "old"} for word in said.noun.children_by("amod", "compound")
    )
    if verb is None:
        return ALWAYS, former, False
    held = claim(scene, verb)
    if held == "open":
        return None
    begins = verb.lemma != "be" or is_future(verb)
    over = (
        used_to(verb) or has_ended(verb) or former or (is_past(verb) and verb.lemma in {"be", "work", "serve", "act"})
    )
    return validity(scene, verb, event=begins), over, held == "denied" and not has_ended(verb)


def _quote(scene: Scene, said: _Is) -> tuple[int, int]:
    return scene.quote(said.verb or said.noun)


def _owners(scene: Scene, noun: Word) -> list[End]:
    """Whose it is: `my`, `Ana's`, `her`, `of Tom`."""
    out: list[End] = []
    above = noun.head.children_by("poss") if noun.dep in {"compound", "nmod"} and noun.i < noun.head.i else []
    for word in (*noun.children_by("poss"), *above):
        if word.lower in _FIRST_PERSON:
            out.append(scene.self_at(word))
        elif word.i in scene.pronouns:
            out.append(scene.pronouns[word.i])
        elif name := scene.name_at(word):
            out.append(scene.end(name))
    for preposition in noun.children_by("prep"):
        if preposition.lower == "of":
            for word in preposition.children_by("pobj"):
                if word.lower in {"mine", "ours"}:
                    out.append(scene.self_at(word))
                elif name := scene.name_at(word):
                    out.append(scene.end(name))
    return out


def _tie(scene: Scene, said: _Is, when: Span, *, gone: bool) -> Iterator[Finding]:
    label = cues.KIN.get(said.noun.lemma)
    start, stop = _quote(scene, said)
    modified = bool(said.noun.children_by("compound")) and label is None
    for owner in _owners(scene, said.noun):
        if owner.kind not in {"person", "self"} or owner == said.person or modified:
            continue
        left, right = (said.person, owner) if label else (owner, said.person)
        link = Link(
            left=left, label=label or "reports_to", right=right, start=start, stop=stop, when=when, importance=0.6
        )
        yield replace(link, retracts=True) if gone else link


def _is_role(noun: Word) -> bool:
    if noun.tag in {"NNS", "NNPS"}:
        return False
    if noun.lower in role_words() or noun.lemma in role_words():
        return True
    following = [word.lower for word in noun.children_by("prep")]
    return any(f"{noun.lower} {word}" in role_beginnings() for word in following)


def _role(scene: Scene, said: _Is, when: Span, *, over: bool, denied: bool) -> Iterator[Finding]:
    start, stop = _quote(scene, said)
    value = _role_text(scene, said.noun)
    if any(word.lower in {"favorite", "favourite"} for word in said.noun.children):
        return
    fact = Attribute(of=said.person, attribute="role", value=value, start=start, stop=stop, when=when, importance=0.6)
    if value.lower() in cues.SUPERIORS and _owners(scene, said.noun):
        pass  # a tie, no post
    elif denied or (over and when == ALWAYS):
        yield replace(fact, retracts=True)
    elif not over or when.invalid_at is not None:
        yield fact
    if denied:
        return
    for end in [*_where(scene, said.noun)] or _only_effort(scene, said.noun):
        if not end.kind and scene.said(end.start, end.stop) in value:
            continue  # the research of `head of research`
        label = _label_for(said.noun, end.kind)
        if label is None or end == said.person:
            continue
        link = Link(left=said.person, label=label, right=end, start=start, stop=stop, when=when, importance=0.6)
        if not over:
            yield link
        elif label in {"works_at", "leads"}:
            yield replace(link, label={"works_at": "worked_at", "leads": "led"}[label])


def _only_effort(scene: Scene, noun: Word) -> list[End]:
    """What a bare `owner is …` is the owner of: the one project of the sentence."""
    if noun.lemma not in _OWN or noun.child("poss"):
        return []
    efforts = [name for name in scene.names_in(scene.sentence_of(noun)) if name.kind in _EFFORTS]
    return [scene.end(efforts[0])] if len(efforts) == 1 else []


def _label_for(noun: Word, kind: str) -> str | None:
    if kind == "organization":
        return "founded" if noun.lemma in _FOUND else "owns" if noun.lemma in _OWN else "works_at"
    if kind in _EFFORTS or kind == "":
        if noun.lemma in _OWN:
            return "owns"
        if noun.lemma in _LEAD:
            return "leads"
        if noun.lemma in _MAKE and kind:
            return "created"
    return None


def _role_text(scene: Scene, noun: Word) -> str:
    """`senior data engineer`, `head of research`: the noun with what makes it a role, without names and articles."""
    start = stop = noun.i
    for word in reversed(scene.words[max(0, noun.i - 4) : noun.i]):
        if word.head.i < start or word.head.i > noun.i or word.dep not in {"compound", "amod", "nmod", "punct"}:
            break
        if scene.name_at(word) or word.text in {",", "(", "“", '"'} or (word.dep == "amod" and not _of_a_role(word)):
            break
        start = word.i
    while scene.words[start].dep == "punct":
        start += 1
    for preposition in noun.children_by("prep"):
        field = preposition.child("pobj")
        if preposition.lower == "of" and preposition.i == noun.i + 1 and field is not None and not scene.name_at(field):
            inside = [word for word in field.subtree() if word.dep in {"compound", "amod", "nmod"} or word is field]
            if inside[-1] is field and inside[0].i == preposition.i + 1 and not any(map(scene.name_at, inside)):
                stop = field.i
    return " ".join(scene.passage.text[scene.words[start].start : scene.words[stop].stop].split())


def _of_a_role(adjective: Word) -> bool:
    """`senior`, `clinical`, `full-stack`; not `great`, `elderly`."""
    return adjective.lower in _ROLE_ADJECTIVES or adjective.lower.endswith(("ical", "ial", "nal", "ental", "tric"))


_ROLE_ADJECTIVES = frozenset(
    """senior junior chief deputy assistant associate principal staff lead executive general vice interim acting freelance
    independent professional full part time stack end creative legal medical dental public private primary secondary
    high elementary certified registered licensed retired military civil software front back managing founding visiting
    adjunct postdoctoral pediatric veterinary digital visual graphic human global regional national local""".split()
)


def _where(scene: Scene, noun: Word) -> Iterator[End]:
    """Where or of what someone has the role: `at Acme`, `of the Atlas project`, `Acme's`, `Acme engineer`."""
    for preposition in noun.children_by("prep"):
        if preposition.lower in _OF_WORK:
            for word in preposition.children_by("pobj"):
                yield from ends(scene, word, phrases=preposition.lower == "of" and noun.lemma in _OWN | _LEAD)
                yield from _where(scene, word) if not scene.name_at(word) and preposition.lower == "of" else ()
    owners = noun.children_by("poss", "compound", "nmod")
    if noun.dep in {"compound", "nmod"}:
        owners += noun.head.children_by("poss")  # Acme's CEO Ana Silva
    for word in owners:
        if (name := scene.name_at(word)) and name.kind in {"organization", "project"}:
            yield scene.end(name)


# ------------------------------------------------------------------------------------------- beside a name


def _from_somewhere(scene: Scene) -> Iterator[Finding]:
    """`Dave from Acme`, `Ana at Acme`, `Wei from Porto`, `Acme in Porto`."""
    for name in scene.names:
        head = scene.head_of(name)
        start, stop = scene.quote(head)
        for preposition in head.children_by("prep"):
            near = preposition.i == name.end or scene.words[preposition.i - 1].text == ","
            for word in preposition.children_by("pobj"):
                other = scene.name_at(word)
                if other is None or not near:
                    continue
                label = _BESIDE.get((name.kind, preposition.lower, other.kind))
                if label:
                    yield Link(left=scene.end(name), label=label, right=scene.end(other), start=start, stop=stop)
        for noun in head.children_by("appos"):
            yield from _placed(scene, scene.end(name), noun, name.kind)
    for verb in scene.words:
        if verb.lemma == "be" and verb.dep not in {"aux", "auxpass"} and claim(scene, verb) == "holds":
            yield from _is_placed(scene, verb)


_BESIDE = {
    ("person", "from", "organization"): "works_at",
    ("person", "at", "organization"): "works_at",
    ("person", "of", "organization"): "works_at",
    ("person", "from", "place"): "comes_from",
    ("organization", "in", "place"): "located_in",
    ("organization", "of", "place"): "located_in",
}


def _is_placed(scene: Scene, verb: Word) -> Iterator[Finding]:
    for subject in clause(scene, verb).subjects:
        for end in ends(scene, subject):
            for noun in verb.children_by("attr"):
                yield from _placed(scene, end, noun, end.kind)
            for preposition in verb.children_by("prep"):
                for word in preposition.children_by("pobj"):
                    label = _IS_AT.get((end.kind, preposition.lower))
                    for other in ends(scene, word):
                        if label and other.kind == "place":
                            start, stop = scene.quote(verb)
                            yield Link(left=end, label=label, right=other, start=start, stop=stop)


_IS_AT = {
    ("person", "from"): "comes_from",
    ("self", "from"): "comes_from",
    ("organization", "in"): "located_in",
    ("place", "in"): "located_in",
}


def _placed(scene: Scene, end: End, noun: Word, kind: str) -> Iterator[Finding]:
    """`Acme, a Porto startup`, `Acme is a company in Porto`."""
    if kind != "organization" or cues.IS_A.get(noun.lemma) != "organization":
        return
    words = [*noun.children_by("compound", "nmod", "amod")]
    for child in noun.children:
        if child.dep == "prep" and child.lower in {"in", "from"}:
            words.extend(child.children_by("pobj"))
        elif child.dep == "acl" and child.lemma in {"base", "locate", "headquarter"}:
            words.extend(word for below in child.children_by("prep") for word in below.children_by("pobj"))
    start, stop = scene.quote(noun)
    for word in words:
        if (name := scene.name_at(word)) and name.kind == "place":
            yield Link(left=end, label="located_in", right=scene.end(name), start=start, stop=stop)


_WORKS = frozenset(
    """run lead manage do handle head oversee teach research design sell train cover supervise direct coordinate practice
    intern consult lecture""".split()
)


def _at_work(scene: Scene) -> Iterator[Finding]:
    """`I run growth marketing at Acme`: who does such things somewhere works there."""
    for verb in scene.words:
        if verb.lemma not in _WORKS or verb.pos != "VERB" or claim(scene, verb) != "holds" or is_future(verb):
            continue
        said = clause(scene, verb)
        if said.passive or not said.after(""):
            continue
        places = [*said.after("at"), *(word for each in said.after("") for word in _after_at(each))]
        label = "worked_at" if is_past(verb) else "works_at"
        start, stop = scene.quote(verb)
        for end in [end for word in places for end in ends(scene, word) if end.kind == "organization"][:1]:
            for person in [each for subject in said.subjects for each in _people_in(scene, subject)]:
                yield Link(left=person, label=label, right=end, start=start, stop=stop, when=validity(scene, verb))


def _after_at(noun: Word) -> list[Word]:
    return [word for each in noun.children_by("prep") if each.lower == "at" for word in each.children_by("pobj")]


# ------------------------------------------------------------------------------------------- two together


_TOGETHER = {
    "married": "spouse_of",
    "engaged": "partner_of",
    "friend": "friend_of",
    "sister": "sibling_of",
    "brother": "sibling_of",
    "sibling": "sibling_of",
    "twin": "sibling_of",
    "cousin": "cousin_of",
    "colleague": "colleague_of",
    "coworker": "colleague_of",
    "roommate": "roommate_of",
    "neighbor": "neighbor_of",
    "neighbour": "neighbor_of",
    "classmate": "classmate_of",
}


def _pairs(scene: Scene) -> Iterator[Finding]:
    """`Ana and Tom are married`, `I'm friends with Wei`, `Ana is married to Tom`."""
    for verb in scene.words:
        if verb.lemma != "be" or claim(scene, verb) != "holds" or is_past(verb):
            continue
        for word in (*verb.children_by("attr", "acomp"), *([verb.head] if verb.dep == "auxpass" else [])):
            label = _TOGETHER.get(word.lemma) or _TOGETHER.get(word.lower)
            plural = word.pos != "NOUN" or word.tag == "NNS"
            if label is None or not plural:
                continue
            subjects = clause(scene, word if verb.dep == "auxpass" else verb).subjects
            lefts = [end for subject in subjects for end in _people_in(scene, subject)]
            others = [end for end in _with(scene, word) if end.kind in {"person", "self"}]
            start, stop = scene.quote(verb)
            if word.children_by("prep"):
                pairs = [(left, right) for left in lefts[:1] for right in others]
            else:
                pairs = [(lefts[0], right) for right in lefts[1:2]]
            for left, right in pairs:
                yield Link(left=left, label=label, right=right, start=start, stop=stop, importance=0.6)


def _with(scene: Scene, word: Word) -> Iterator[End]:
    for preposition in word.children_by("prep"):
        if preposition.lower in {"with", "to"}:
            for each in preposition.children_by("pobj"):
                yield from ends(scene, each)
