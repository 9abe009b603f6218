"""What someone is: a role somewhere, or someone's sister, manager, friend. Said by `is`, by
apposition, by `as`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.carried import carried
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends, people_in
from factbook.extract.local.rules.near import (
    called_next,
    is_be,
    is_plural,
    is_quoted,
    named_after,
    named_before,
    owners_of,
    text_at,
)
from factbook.extract.local.rules.roles import (
    is_post,
    is_role,
    label_for,
    only_effort,
    role_text,
    where,
)
from factbook.extract.local.rules.ties import (
    Is,
    all_owners,
    is_kin,
    is_superior,
    tie,
    tie_of,
    titled,
    twins,
    was_before,
)
from factbook.extract.local.rules.truth import claim, is_asked
from factbook.extract.local.rules.validity import has_ended, is_future, is_past, used_to, validity
from factbook.extract.local.scene import ALWAYS, Attribute, End, Finding, Link, Name, Scene, Span
from factbook.model.relations import PAST_FORMS

_PLACES_IN_ROLE = frozenset("hire appoint promote bring name elect employ".split())
_TAKES_ROLE = _PLACES_IN_ROLE | frozenset(
    "work join start serve act replace continue return".split()
)
_TITLES = frozenset("title role position job occupation profession".split())


def people(scene: Scene) -> Iterator[Finding]:
    """Roles, employers and ties of the people of a scene."""
    for said in (
        *_by_apposition(scene),
        *_by_order(scene),
        *_clipped(scene),
        *_by_copula(scene),
        *_by_as(scene),
    ):
        yield from _unfold(scene, said)
    yield from titled(scene)
    yield from twins(scene)


# ------------------------------------------------------------------------------------------- who is
# said to be what


def _by_apposition(scene: Scene) -> Iterator[Is]:
    for name in scene.names:
        if name.kind != "person":
            continue
        head, person = scene.head_of(name), scene.end(name)
        after = [word.lower for word in scene.words[name.end : name.end + 2]]
        apart = name.start > 0 and scene.words[name.start - 1].text == ","
        listed = apart and (
            bool(head.children_by("conj")) or "and" in after
        )  # `my girlfriend, Toby, and I` are three
        above = [head.head] if head.dep in {"appos", "nmod", "compound"} and not listed else []
        for noun in (*head.children_by("appos"), *above):
            if (
                noun.pos not in {"NOUN", "PROPN"}
                or scene.name_at(noun)
                or _is_wondered(scene, name, noun)
            ):
                continue
            if not _is_another(scene, name, noun):
                yield Is(person, noun, None)
        for noun in head.children_by("compound", "nmod", "amod"):
            if (
                not name.start <= noun.i < name.end
                and noun.i < name.start
                and noun.pos in {"NOUN", "PROPN"}
            ):
                yield Is(person, noun, None)
        before = scene.words[name.start - 1] if name.start else None
        if before is not None and before.dep == "nsubj" and is_role(before) and head.dep == "nsubj":
            yield Is(
                person, before, None
            )  # `Acme's CEO Ana Silva called`, with two subjects to the parser
        if head.dep == "oprd" and head.head.lemma in {"name", "call"} and head.head.dep == "acl":
            yield Is(person, head.head.head, None)


def _is_wondered(scene: Scene, name: Name, noun: Word) -> bool:
    """`Is Tom our CTO?`: no apposition, though the parser takes it for one."""
    return (
        noun.i >= name.end
        and scene.words[name.end].text not in {",", "("}
        and is_asked(scene, noun)
    )


def _is_another(scene: Scene, name: Name, noun: Word) -> bool:
    """`my boss Ana and her boss Tom`, `Ana, my manager and Tom`: the noun is someone else's, or
    another one's.
    """
    between = scene.words[noun.i + 1 : name.start]
    if any(tie_of(scene, word) or is_superior(word) for word in between):
        return True
    return (
        noun.i >= name.end
        and bool(owners_of(scene, noun))
        and text_at(scene, noun.i + 1) in {"and", "or"}
    )


def _by_order(scene: Scene) -> Iterator[Is]:
    """The same by the order of the words, where the parse has lost it: `my mum Ana`, `Ana, the CFO
    of Acme, …`.
    """
    for noun in scene.words:
        tied = tie_of(scene, noun) is not None or is_superior(noun)
        if not (tied or (noun.pos in {"NOUN", "PROPN", "ADJ"} and is_role(noun))) or scene.name_at(
            noun
        ):
            continue
        names = named_after(scene, noun) if tied or _may_be_named(scene, noun) else []
        names = names or (called_next(scene, noun) if tied else [])
        before = named_before(scene, noun) or _in_front(scene, noun)
        for name in [*names, *([before] if before is not None else [])]:
            yield Is(scene.end(name), noun, None)


def _in_front(scene: Scene, noun: Word) -> Name | None:
    """`Ana` in `Ana: team lead, sales`; not `Ana: the manager is away`."""
    first = scene.sentence_of(noun)[0]
    name = scene.name_at(first)
    if (
        name is None
        or name.start != first.i
        or name.kind != "person"
        or text_at(scene, name.end) != ":"
    ):
        return None
    between = scene.words[name.end + 1 : noun.i]
    plain = all(
        word.tag in {"JJ", "NN", "NNP", "HYPH", "DT"} and not scene.name_at(word)
        for word in between
    )
    closed = text_at(scene, noun.i + 1) in {"", ",", ".", ";", "at", "of", "for", "in", "("}
    return (
        name if plain and closed and noun.i > name.end and len(between) < MOST_BEFORE_ROLE else None
    )


MOST_BEFORE_ROLE = 4


def _may_be_named(scene: Scene, noun: Word) -> bool:
    """`our CTO, Ana, …` and `CTO Ana`; not `Ana Silva (CTO, Acme)`."""
    apart = text_at(scene, noun.i + 1) in {",", "(", "-", "–", "—", ":"}
    if noun.pos == "ADJ":  # `her postdoc Ana`, as the tagger has it
        return not apart and noun.i > 0 and scene.words[noun.i - 1].tag in {"PRP$", "POS"}
    return noun.tag in {"NN", "NNP"} and (
        not apart or noun.child("det") is not None or bool(owners_of(scene, noun))
    )


_OPENING = frozenset(
    {"", ",", ".", ";", "-", "–", "—", "and", "but", "so", "now", "because", "since", "!", ":", "("}
)


def _clipped(scene: Scene) -> Iterator[Is]:
    """`Ana's my manager`, `Tom's the new CFO`: to the parser the manager is Ana's."""
    for name in scene.names:
        i = name.end + 1
        if name.kind != "person" or text_at(scene, name.end) != "'s" or i >= len(scene.words):
            continue
        first = scene.words[i]
        if first.tag not in {"DT", "PRP$"} or text_at(scene, name.start - 1) not in _OPENING:
            continue
        noun = next(
            (
                word
                for word in scene.words[i + 1 : i + 6]
                if word.tag in {"NN", "NNP"} and _ends(scene, word)
            ),
            None,
        )
        if noun is not None and not is_asked(scene, noun) and scene.name_at(noun) is None:
            yield Is(scene.end(name), noun, None)


def _ends(scene: Scene, noun: Word) -> bool:
    """Whether no further noun follows that it would belong to."""
    following = scene.words[noun.i + 1] if noun.i + 1 < len(scene.words) else None
    return following is None or following.tag not in {"NN", "NNP", "NNS", "HYPH", "POS"}


def _by_copula(scene: Scene) -> Iterator[Is]:
    for verb in scene.words:
        called = verb.lemma in {"call", "name"} and verb.child("nsubjpass") is not None
        if not (is_be(verb) or verb.lemma in {"become", "remain"} or called) or verb.dep in {
            "aux",
            "auxpass",
        }:
            continue
        said = clause(scene, verb)
        attributes = [
            *verb.children_by("attr"),
            *([] if is_be(verb) else verb.children_by("dobj", "acomp", "oprd")),
        ]
        attributes += [
            word
            for word in verb.children_by("ccomp")
            if is_be(verb) and _is_taken_for_verb(scene, word)
        ]
        for subject in said.subjects:
            for attribute in attributes:
                yield from _either_way(scene, verb, subject, attribute)


def _is_taken_for_verb(scene: Scene, word: Word) -> bool:
    """`lead` in `is the team lead`."""
    articles = {scene.words[i].tag for i in (word.i - 1, word.i - 2) if i >= 0}
    return word.tag in {"VB", "VBP"} and is_role(word) and bool(articles & {"DT", "PRP$"})


def _either_way(scene: Scene, verb: Word, subject: Word, attribute: Word) -> Iterator[Is]:
    named = [end for end in ends(scene, attribute) if end.kind == "person"]
    if subject.lemma in _TITLES and is_role(attribute):
        yield from (
            Is(end, attribute, verb)
            for end in all_owners(scene, subject)
            if end.kind in {"person", "self"}
        )
        return
    common = subject.pos == "NOUN" or (
        subject.tag == "NNP" and is_post(subject) and scene.name_at(subject) is None
    )
    if common and named and not people_in(scene, subject):
        noun = _whose_name(subject) or subject
        if named_after(scene, noun):
            theirs = [
                word
                for word in noun.children_by("appos")
                if tie_of(scene, word) and owners_of(scene, word)
            ]
            if not theirs:
                return  # `my son Leo's teacher is Ana`
            noun = theirs[0]  # `my son Leo's best friend is Ana`
        yield from (Is(end, noun, verb) for end in (named if is_plural(noun) else named[:1]))
        return
    if any(word.lower in {"or", "nor"} for word in subject.children_by("cc")):
        return
    for noun in (*attribute.with_conjuncts(), *_one_of(attribute)):
        if (noun.pos in {"NOUN", "PROPN", "ADJ"} or noun.tag == "VB") and not scene.name_at(noun):
            yield from (Is(end, noun, verb) for end in people_in(scene, subject))


def _one_of(word: Word) -> list[Word]:
    """`cousins` in `one of my cousins`."""
    under = [
        each for each in word.children_by("prep") if each.lower == "of" and word.lower == "one"
    ]
    return [noun for each in under for noun in each.children_by("pobj") if noun.pos == "NOUN"]


def _whose_name(noun: Word) -> Word | None:
    """`sister` in `my sister's name is …`."""
    return noun.child("poss") if noun.lemma == "name" else None


def _by_as(scene: Scene) -> Iterator[Is]:
    """`works as a cook`, `was promoted to head of sales`, `was elected president`."""
    for word in scene.words:
        verb, noun = word.head, None
        opens = (
            word.lower == "as" and word.i == scene.sentence_of(word)[0].i
        )  # `As CFO of Acme, Ana signs`
        rises = word.lower == "to" and verb.lemma in {"promote", "appoint"}
        if word.dep == "prep" and (
            rises or opens or (word.lower == "as" and verb.lemma in _TAKES_ROLE)
        ):
            noun = word.child("pobj")
        elif word.dep == "xcomp" and verb.lemma == "promote" and is_post(word):
            noun = word  # `to head of sales`, to the parser a verb
        elif (
            word.dep in {"oprd", "attr"}
            and verb.lemma in {"appoint", "elect", "name"}
            and verb is not word
        ):
            noun = word
        if noun is None or scene.name_at(noun):
            continue
        said = clause(scene, verb)
        who = said.subjects
        if verb.lemma in _PLACES_IN_ROLE and not said.passive:
            who = tuple(said.after(""))
        holders = [end for each in who for end in people_in(scene, each)]
        yield from (Is(end, noun, verb) for end in (holders if who else carried(scene, verb)))


# ------------------------------------------------------------------------------------------- what
# follows from it


def _unfold(scene: Scene, said: Is) -> Iterator[Finding]:
    time = _time(scene, said)
    if time is None:
        return
    when, over, denied = time
    noun = said.noun
    label = tie_of(scene, noun)
    kin = label is not None or noun.lemma in cues.KIN
    if kin or is_superior(noun):
        yield from tie(
            scene,
            said,
            ALWAYS if is_kin(label) else when,
            gone=denied or (over and not is_kin(label)),
        )
        if kin or not is_role(noun):
            return
    if is_role(noun):
        yield from _role(scene, said, when, over=over, denied=denied)


_MAKE_BELIEVE = frozenset({"pretend", "imagine", "suppose"})


def _time(scene: Scene, said: Is) -> tuple[Span, bool, bool] | None:
    """When it holds, whether it is over, and whether it is denied; None where it isn't stated."""
    verb = said.verb
    going = verb is not None and verb.dep == "xcomp" and verb.head.lemma == "go"
    if (
        verb is not None
        and going
        and any(word.lower in {"was", "were"} for word in verb.head.children)
    ):
        return None  # `was going to be my manager`
    former = was_before(scene, said.noun)
    if any(word.lemma in _MAKE_BELIEVE for word in said.noun.above()):
        return None
    if verb is None:
        return None if is_quoted(scene, said.noun) else (ALWAYS, former, False)
    held = claim(scene, verb)
    if held == "open":
        return None
    begins = verb.lemma != "be" or is_future(verb)
    over = (
        used_to(verb)
        or has_ended(verb)
        or former
        or (is_past(verb) and verb.lemma in {"be", "work", "serve", "act"})
    )
    return validity(scene, verb, event=begins), over, held == "denied" and not has_ended(verb)


def _role(scene: Scene, said: Is, when: Span, *, over: bool, denied: bool) -> Iterator[Finding]:
    start, stop = scene.quote(said.verb or said.noun)
    value = role_text(scene, said.noun)
    praised = any(
        word.tag == "JJS" for word in said.noun.children_by("amod")
    )  # `the best cook that I know`
    if praised or any(word.lower in {"favorite", "favourite"} for word in said.noun.children):
        return
    fact = Attribute(
        of=said.person,
        attribute="role",
        value=value,
        start=start,
        stop=stop,
        when=when,
        importance=0.6,
    )
    if not is_post(said.noun) or (value.lower() in cues.SUPERIORS and all_owners(scene, said.noun)):
        pass  # a tie to a person or a thing, no post
    elif denied or (over and when == ALWAYS):
        yield replace(fact, retracts=True)
    elif not over or when.invalid_at is not None:
        yield fact
    if denied:
        return
    for end in [*where(scene, said.noun)] or only_effort(scene, said.noun):
        yield from _held(scene, said, end, value, when, over=over)


def _held(
    scene: Scene, said: Is, end: End, value: str, when: Span, *, over: bool
) -> Iterator[Link]:
    """Where or of what the role is."""
    start, stop = scene.quote(said.verb or said.noun)
    if not end.kind and said.noun.dep != "nsubj" and scene.said(end.start, end.stop) in value:
        return  # the research of `head of research`
    label = label_for(said.noun, end.kind, _last_word(scene, end))
    if label is None or end == said.person:
        return
    link = Link(
        left=said.person, label=label, right=end, start=start, stop=stop, when=when, importance=0.6
    )
    if not over:
        yield link
    elif label in {"works_at", "leads"}:
        yield replace(link, label=PAST_FORMS[label])


def _last_word(scene: Scene, end: End) -> str:
    said = (end.name or scene.said(end.start, end.stop)).split()
    return said[-1].lower() if said else ""
