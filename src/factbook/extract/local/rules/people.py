"""What someone is: a role somewhere, or someone's sister, manager, friend. Said by `is`, by apposition, by `as`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends, people_in
from factbook.extract.local.rules.roles import is_post, is_role, label_for, only_effort, role_text, where
from factbook.extract.local.rules.truth import claim, is_asked
from factbook.extract.local.rules.validity import has_ended, is_future, is_past, used_to, validity
from factbook.extract.local.scene import ALWAYS, Attribute, End, Finding, Link, Name, Scene, Span

_FIRST_PERSON = frozenset({"my", "our"})
_TAKES_ROLE = frozenset(
    "work join start serve act hire appoint promote replace continue return bring name elect".split()
)


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
            if noun.pos in {"NOUN", "PROPN"} and not scene.name_at(noun) and not _is_wondered(scene, name, noun):
                yield _Is(person, noun, None)
        for noun in head.children_by("compound", "nmod", "amod"):
            if not name.start <= noun.i < name.end and noun.i < name.start and noun.pos in {"NOUN", "PROPN"}:
                yield _Is(person, noun, None)
        before = scene.words[name.start - 1] if name.start else None
        if before is not None and before.dep == "nsubj" and is_role(before) and head.dep == "nsubj":
            yield _Is(person, before, None)  # `Acme's CEO Ana Silva called`, with two subjects to the parser
        if head.dep == "oprd" and head.head.lemma in {"name", "call"} and head.head.dep == "acl":
            yield _Is(person, head.head.head, None)


def _is_wondered(scene: Scene, name: Name, noun: Word) -> bool:
    """`Is Tom our CTO?`: no apposition, though the parser takes it for one."""
    return noun.i >= name.end and scene.words[name.end].text not in {",", "("} and is_asked(scene, noun)


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
    if subject.pos == "NOUN" and named and not people_in(scene, subject):
        noun = _whose_name(subject) or subject
        yield from (_Is(end, noun, verb) for end in named[:1])
        return
    for noun in attribute.with_conjuncts():
        if noun.pos in {"NOUN", "PROPN"} and not scene.name_at(noun):
            yield from (_Is(end, noun, verb) for end in people_in(scene, subject))


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
        yield from (_Is(end, noun, verb) for word in who for end in people_in(scene, word))


# ------------------------------------------------------------------------------------------- what follows from it


def _unfold(scene: Scene, said: _Is) -> Iterator[Finding]:
    time = _time(scene, said)
    if time is None:
        return
    when, over, denied = time
    noun = said.noun
    if noun.lemma in cues.KIN or noun.lemma in cues.SUPERIORS:
        yield from _tie(scene, said, when, gone=over or denied)
        if noun.lemma in cues.KIN or not is_role(noun):
            return
    if is_role(noun):
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


def _role(scene: Scene, said: _Is, when: Span, *, over: bool, denied: bool) -> Iterator[Finding]:
    start, stop = _quote(scene, said)
    value = role_text(scene, said.noun)
    if any(word.lower in {"favorite", "favourite"} for word in said.noun.children):
        return
    fact = Attribute(of=said.person, attribute="role", value=value, start=start, stop=stop, when=when, importance=0.6)
    if not is_post(said.noun) or (value.lower() in cues.SUPERIORS and _owners(scene, said.noun)):
        pass  # a tie to a person or a thing, no post
    elif denied or (over and when == ALWAYS):
        yield replace(fact, retracts=True)
    elif not over or when.invalid_at is not None:
        yield fact
    if denied:
        return
    for end in [*where(scene, said.noun)] or only_effort(scene, said.noun):
        if not end.kind and scene.said(end.start, end.stop) in value:
            continue  # the research of `head of research`
        label = label_for(said.noun, end.kind)
        if label is None or end == said.person:
            continue
        link = Link(left=said.person, label=label, right=end, start=start, stop=stop, when=when, importance=0.6)
        if not over:
            yield link
        elif label in {"works_at", "leads"}:
            yield replace(link, label={"works_at": "worked_at", "leads": "led"}[label])
