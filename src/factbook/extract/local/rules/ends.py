"""What can be an end of a relation: a name, the speaker, whom a pronoun means, a plain phrase."""

from __future__ import annotations

from factbook.extract.ground import splits_word
from factbook.extract.local import cues
from factbook.extract.local.lexicon import listed_names, role_words
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.nouns import GROUPS_OF_PEOPLE, MEANS
from factbook.extract.local.rules.vocabulary import SENSES
from factbook.extract.local.scene import End, Name, Scene
from factbook.model.record import SELF
from factbook.text.stop_names import PRONOUNS, TIMES, is_stop_name

SPEAKER = frozenset({"i", "me", "myself"})
GROUP = frozenset({"we", "us"})
"""The speaker among others; what they all do, the speaker does."""

LONGEST_PHRASE = 5
"""Words; a longer one is a description, not something that one comes back to."""

HOLLOW = frozenset(
    """thing things stuff lot lots way ways one ones bit part kind sort type number couple few rest most some any all
    time times today day people person guy guys folks someone everyone everything something anything nothing somebody
    anyone everybody nobody none fact idea reason point issue problem case example question answer place world life
    course hand side end start beginning middle top bottom name word words line half pair bunch ton tons piece set
    group others other it this that these those what which who whom whose here there love fun luck job work""".split()
)
"""Nouns that name nothing that a memory could hold on to."""


def ends(
    scene: Scene, word: Word, *, phrases: bool = False, loose: bool = False, group: bool = False
) -> list[End]:
    """The ends that a word and those coordinated with it stand for.

    Args:
        phrases: whether a plain noun phrase will do, if it means a certain thing (`the billing
            team`).
        loose: whether one will do that means any of its sort (`dark chocolate`).
        group: whether `we` will do for the speaker.
    """
    out: list[End] = []
    if any(child.lower in {"neither", "no"} for child in word.children_by("det", "preconj", "cc")):
        return out
    for each in _coordinated(scene, word):
        end = _end(scene, each, phrases=phrases, loose=loose, group=group)
        if end is not None and end not in out:
            out.append(end)
    return out


def _coordinated(scene: Scene, word: Word) -> list[Word]:
    """The word and those coordinated with it, and for `two interns, Ana and Tom` those whom they
    are; not the subject of a clause that the parser took for one of them.
    """
    out: list[Word] = []
    clause = next(
        (
            child.i
            for child in word.children_by("acl")
            if child.i == word.i + 1 and scene.name_at(word)
        ),
        None,
    )
    for each in word.with_conjuncts():
        if clause is not None and each.i > clause:
            continue  # `Sequoia invested in Acme, and Globex …`
        if each is word or not (begins_clause(scene, each) or _is_gapped(scene, each)):
            out.extend(_listed(scene, each) or [each])
    return out


def _listed(scene: Scene, noun: Word) -> list[Word]:
    """The people whose names follow a plural noun: `two interns, Ana and Tom`."""
    if noun.tag != "NNS" or scene.name_at(noun):
        return []
    first = next((word for word in noun.children_by("appos") if word.i > noun.i), None)
    those = [] if first is None else first.with_conjuncts()
    names = [scene.name_at(word) for word in those]
    return (
        those if names and all(name is not None and name.kind == "person" for name in names) else []
    )


def carrier(word: Word) -> Word:
    """The noun whose name a word is: `friend` for `Tom` in `her friend Tom`."""
    while word.dep in {"appos", "compound", "flat"} and word.head.i < word.i:
        word = word.head
    return word


def begins_clause(scene: Scene, word: Word) -> bool:
    """Whether a conjunct is the subject of the verb right behind it: `Tom` in `Ana lives in Oslo
    and Tom worked …`, which the parser may take for a second object.
    """
    if word.dep == "conj" and shared_between(word.head.head) is word.head:
        return True
    if (
        word.dep == "conj"
        and word.head.lower == "it"
        and (name := scene.name_at(word))
        and name.kind == "person"
    ):
        return True  # `Tom hosted it and Ana …`
    if word.dep != "conj" or word.head.dep not in {"pobj", "dobj", "attr", "conj"}:
        return False
    last = max((each.i for each in word.subtree() if carrier(each) is word), default=word.i)
    if word.pos not in {"PROPN", "PRON", "NOUN"} or last + 1 >= len(scene.words):
        return False
    verb = scene.words[last + 1]
    finite = verb.tag in {"VBZ", "VBD", "VBP"} and verb.pos in {"VERB", "AUX"}
    alone = finite and verb.dep == "conj" and not verb.child("nsubj", "nsubjpass")
    return alone and verb.head.i < word.i and (word.pos != "NOUN" or last > word.i)


def shared_between(verb: Word) -> Word | None:
    """`Oslo` in `Ana likes Oslo and Tom likes Bergen`, where the parser takes `Oslo and Tom` for
    the subject of a clause that Ana likes: two don't stand with a verb in the singular.
    """
    if verb.tag != "VBZ" or verb.dep != "ccomp" or verb.child("mark") or verb.head.child("dobj"):
        return None
    subject = verb.child("nsubj")
    if subject is None or subject.i < verb.head.i or len(subject.children_by("conj")) != 1:
        return None
    return subject if (verb.head.lemma, "") in SENSES else None


def _is_gapped(scene: Scene, word: Word) -> bool:
    """`Tom` in `Ana took the train and Tom the bus`: the subject of a clause without a verb of its
    own.
    """
    name = scene.name_at(word)
    if name is None or name.end >= len(scene.words):
        return False
    after = scene.words[name.end]
    return after.tag in {"DT", "PRP$"} and after.lower not in {"all", "both"}


def people_in(scene: Scene, word: Word) -> list[End]:
    """The people among the ends that a word stands for."""
    return [end for end in ends(scene, word) if end.kind in {"person", SELF}]


def _end(scene: Scene, word: Word, *, phrases: bool, loose: bool, group: bool) -> End | None:
    if name := scene.name_at(word):
        return None if word.dep == "poss" else scene.end(name)
    if word.lower in SPEAKER or (group and word.lower in GROUP):
        return scene.self_at(word)
    if found := scene.pronouns.get(word.i):
        return found
    if word.pos not in {"NOUN", "PROPN"}:
        return None
    if named := named_by(scene, word):
        return scene.end(named)
    if (
        word.dep == "appos"
        and (meant := scene.name_at(word.head))
        and meant.kind in {"person", "organization"}
    ):
        return scene.end(meant)  # `Ana, a designer who works at Acme`
    certain = _is_certain(word)
    return phrase(scene, word) if (phrases and certain) or (loose and not certain) else None


def _is_certain(noun: Word) -> bool:
    """`the team`, `our team`; not `a team`, `teams`, `chocolate`."""
    first = noun
    while first.dep == "conj" and not first.child("det", "poss"):
        first = first.head
    owner = first.child("det", "poss")
    if owner is None and first.dep in {"compound", "amod"} and first.head.tag == "NNS":
        owner = first.head.child(
            "det", "poss"
        )  # `our backend runs on Linux`, with `runs` taken for a noun
    return owner is not None and owner.lower not in {
        "a",
        "an",
        "another",
        "some",
        "any",
        "no",
        "every",
        "each",
        "all",
    }


_CARRIERS = (
    frozenset({*cues.KIN, *cues.SUPERIORS, *cues.PETS, *cues.HEADS, *cues.IS_A, *cues.BEFORE})
    | role_words()
)
"""Nouns that a name after them names: `my sister Ana`, `our client Acme`."""


def named_by(scene: Scene, noun: Word) -> Name | None:
    """The name that a noun carries: `Atlas` for `dashboard` in `the Atlas dashboard`, `Ana` for
    `sister` in `my sister Ana`.
    """
    for child in noun.children_by("appos"):
        name = scene.name_at(child)
        if name and child.i > noun.i and noun.lemma in _CARRIERS and not child.children_by("conj"):
            return name
    kind = cues.HEADS.get(noun.lemma)
    for child in noun.children_by("compound", "nmod", "amod"):
        name = scene.name_at(child)
        if name is None or child.i > noun.i:
            continue
        person = noun.lemma in cues.KIN or noun.lemma in cues.SUPERIORS
        ticked = name.end + 1 == noun.i and scene.words[name.end].text in _TICKS
        if (name.end != noun.i and not ticked) or person:
            continue
        if ticked and kind is not None:
            return name  # "the `auth-service` repo"
        if (
            kind is not None
            and kind == name.kind
            and not (noun.lemma in GROUPS_OF_PEOPLE and _is_field(scene, name))
        ):
            return name
        if noun.lemma in MEANS and name.kind in {"technology", "product"}:
            return name
    return None


_TICKS = frozenset({"`", '"', "'", "”", "’", "''"})


def _is_field(scene: Scene, name: Name) -> bool:
    """`Android` in `the Android team`, `microbiome` in `the microbiome group`: what they work on,
    not who they are.
    """
    said = scene.said(*scene.characters(name.start, name.end))
    listed = listed_names().get(said.lower(), ())
    if listed:
        return all(each.kind in {"technology", "product"} for each in listed)
    return said.islower() and not scene.passage.text.islower()


def phrase(scene: Scene, noun: Word) -> End | None:
    """The noun with what stands close before it, without article and owner; None where that names
    nothing.
    """
    if (
        noun.lower in HOLLOW
        or noun.lower in PRONOUNS
        or noun.lower in TIMES
        or noun.pos not in {"NOUN", "PROPN"}
    ):
        return None
    start = noun.i
    for word in reversed(scene.words[max(0, noun.i - LONGEST_PHRASE) : noun.i]):
        inside = word.head.i >= start and word.head.i <= noun.i
        if (
            not inside
            or word.dep not in {"compound", "amod", "nmod", "punct", "nummod"}
            or word.text in {",", "(", "/"}
        ):
            break
        if (
            word.lower in _VAGUE
            or word.pos == "PRON"
            or is_item_verb(scene, word)
            or splits_word(scene.passage.text, word.start)
        ):
            break
        start = word.i
    while start < noun.i and (
        scene.words[start].dep == "punct" or scene.words[start].lower in _VAGUE
    ):
        start += 1
    last_word = _completed(scene, noun)
    first, last = scene.characters(start, last_word + 1)
    if any(word.text in _TICKS for word in scene.words[start : noun.i + 1]):
        return None  # half of a quotation
    if noun.i + 1 - start > LONGEST_PHRASE or is_stop_name(scene.said(first, last)):
        return None
    return End(first, last, "")


def is_item_verb(scene: Scene, word: Word) -> bool:
    """`prefers` in `- prefers async reviews`, which the parser takes for a noun before a noun."""
    if word.tag != "NNS" or word.dep != "compound" or word.i == 0 or word.i > 2:
        return False
    bullet = scene.words[0].text in {"-", "*", "•", "–", "—", "+"}
    return bullet and (word.lemma, "") in SENSES


def _completed(scene: Scene, noun: Word) -> int:
    """The last word of `budget for Project Falcon`: a paper about a thing isn't known without
    it.
    """
    for preposition in noun.children_by("prep"):
        thing = preposition.child("pobj")
        name = scene.name_at(thing) if thing is not None else None
        near = preposition.i == noun.i + 1 and name is not None and name.start - preposition.i <= 2
        if (
            near
            and name is not None
            and preposition.lower in {"for", "of"}
            and noun.lemma in _PAPERS
        ):
            return name.end - 1
    return noun.i


_PAPERS = frozenset(
    """budget plan proposal design contract request pr report document draft release roadmap schedule offer invoice
    specification spec brief estimate presentation""".split()
)

_VAGUE = frozenset(
    """own other same new old big small good great nice whole entire main current former little few several many much
    such next last first favorite favourite really very""".split()
)
