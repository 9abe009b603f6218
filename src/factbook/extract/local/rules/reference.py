"""Whom `he` and `she` mean, where there is only one whom they can mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from factbook.extract.local import cues
from factbook.extract.local.lexicon import Gender, given_name, role_words
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.ends import named_by
from factbook.extract.local.rules.mentions import FEMALE, MALE, genders_told, stand_ins, users
from factbook.extract.local.rules.near import is_be, named_after, named_before
from factbook.extract.local.rules.truth import is_asked
from factbook.extract.local.scene import End, Name, Scene
from factbook.model.record import SELF
from factbook.text.names import fold

_PRONOUNS: dict[str, Gender] = {
    "he": "male",
    "him": "male",
    "his": "male",
    "she": "female",
    "her": "female",
    "hers": "female",
}
_PEOPLE = frozenset(
    "man woman guy girl boy lady gentleman person friend doctor kid someone somebody".split()
)
REACH = 2
"""So many sentences before its own a pronoun looks back; further back too much may have come
between.
"""


def resolve(scenes: Sequence[Scene]) -> None:
    """Fills `pronouns` of each scene of an episode, in order: with the one person that a pronoun
    can mean, if it is named.

    Who is addressed is nobody's `she`. A person who is mentioned without a name (`my aunt`) counts
    as one that is meant, and then the pronoun stays open.
    """
    told: dict[str, Gender] = {}
    for scene in scenes:
        _resolve_things(scene)
        stand_ins(scene)
        users(scene)
        told.update(genders_told(scene))
    for scene, before in zip(scenes, (None, *scenes), strict=False):
        earlier = before if before is not None and _same_speaker(before, scene) else None
        sentences = scene.sentences()
        history = (
            [] if earlier is None else [(earlier, each) for each in earlier.sentences()[-1:]]
        ) + [(scene, each) for each in sentences]
        offset = len(history) - len(sentences)
        for number, sentence in enumerate(sentences):
            for word in sentence:
                if word.lower in _PRONOUNS and word.tag in {"PRP", "PRP$"}:
                    reach = history[max(0, number + offset - REACH) : number + offset]
                    found = _antecedent(scene, word, sentence, reach, told)
                    found = found or _named_so(scene, word)
                    if found is not None:
                        scene.pronouns[word.i] = found
                        told.setdefault(fold(found.name), _PRONOUNS[word.lower])


def _named_so(scene: Scene, word: Word) -> End | None:
    """`her` in `her name is Ana`."""
    after = scene.words[word.i + 1 : word.i + 4]
    name = (
        scene.name_at(after[2])
        if len(after) == 3 and after[0].lower == "name" and is_be(after[1])
        else None
    )
    if name is None or name.kind != "person" or name.start != word.i + 3 or is_asked(scene, word):
        return None
    start, stop = scene.characters(word.i, word.i + 1)
    return End(start, stop, "person", _text(scene, name))


_THINGS = frozenset({"project", "product", "campaign", "task", "organization", "event"})


_CHIEF = frozenset({"nsubj", "nsubjpass", "dobj"})


def _resolve_things(scene: Scene) -> None:
    """`it` and `its`, where one thing is named before in the sentence, or in the one before that,
    and no other noun that is someone's or the subject could be meant.
    """
    sentences = scene.sentences()
    for number, sentence in enumerate(sentences):
        for word in sentence:
            if word.lower not in {"it", "its"} or word.i in scene.pronouns or word.dep == "expl":
                continue
            spaces = [
                [other for other in sentence if other.i < word.i],
                *sentences[max(0, number - 1) : number][::-1],
            ]
            for words in spaces:
                owned = word.lower == "its"  # `Atlas's budget is small and its deadline near`
                things = [
                    name
                    for name in scene.names_in(words)
                    if name.kind in _THINGS
                    and (_stands_alone(scene, name) or (owned and _owns(scene, name)))
                ]
                rivals = [
                    other
                    for other in words
                    if other.dep in _CHIEF and _is_rival(scene, other, owned=owned)
                ]
                if not things and not rivals:
                    continue
                if len({fold(_text(scene, name)) for name in things}) == 1 and not rivals:
                    start, stop = scene.characters(word.i, word.i + 1)
                    scene.pronouns[word.i] = End(
                        start, stop, things[0].kind, _text(scene, things[0])
                    )
                break


def _stands_alone(scene: Scene, name: Name) -> bool:
    """Whether a name stands for itself, not for a part of it (`the iPhone build`)."""
    head = scene.head_of(name)
    return (
        head.dep not in {"compound", "nmod", "poss", "amod"} or named_by(scene, head.head) == name
    )


def _text(scene: Scene, name: Name) -> str:
    return " ".join(scene.said(*scene.characters(name.start, name.end)).split())


def _owns(scene: Scene, name: Name) -> bool:
    return scene.head_of(name).dep == "poss"


def _is_rival(scene: Scene, word: Word, *, owned: bool) -> bool:
    """A noun that `it` could mean as well: not a name, and not what carries one (`the Atlas
    project`).
    """
    if word.pos != "NOUN" or scene.name_at(word) is not None:
        return False
    if owned and any(map(scene.name_at, word.subtree())):
        return False
    return named_by(scene, word) is None


def _same_speaker(one: Scene, other: Scene) -> bool:
    left, right = one.passage.message, other.passage.message
    return left.role == right.role == "user" and left.speaker == right.speaker


def _antecedent(
    scene: Scene,
    pronoun: Word,
    sentence: Sequence[Word],
    reach: Sequence[tuple[Scene, Sequence[Word]]],
    told: Mapping[str, Gender],
) -> End | None:
    gender = _PRONOUNS[pronoun.lower]
    spaces = [(scene, [word for word in sentence if word.i < pronoun.i]), *reversed(reach)]
    for where, words in spaces:
        people = dict(_people(where, words, gender, told))
        if people:
            end = next(iter(people.values()))
            if len(people) > 1 or end is None:
                return None
            start, stop = scene.characters(pronoun.i, pronoun.i + 1)
            if end.kind == SELF:
                return End(start, stop, SELF)
            return End(
                start, stop, "person", end.name or " ".join(where.said(end.start, end.stop).split())
            )
    return None


def _people(
    scene: Scene, words: Sequence[Word], gender: Gender, told: Mapping[str, Gender]
) -> Iterator[tuple[str, End | None]]:
    """The people whom the words mention, by folded name; None for one without a name. `told`: what
    is known of them.
    """
    inside = {word.i for word in words}
    for name in scene.names_in(words):
        if name.kind != "person" or name.end - 1 not in inside or _is_addressed(scene, name):
            continue
        said = " ".join(scene.said(*scene.characters(name.start, name.end)).split())
        if _gender(said, told) not in {gender, "either"}:
            continue
        yield fold(said), scene.end(name)
    for word in words:
        if word.i in scene.pronouns and _PRONOUNS.get(word.lower) == gender:
            meant = scene.pronouns[word.i]
            yield SELF if meant.kind == SELF else fold(meant.name), meant
        elif (
            word.lower in _PRONOUNS
            and _PRONOUNS[word.lower] == gender
            and word.tag in {"PRP", "PRP$"}
        ):
            yield "?", None
        elif word.i in scene.pronouns and scene.pronouns[word.i].kind == SELF:
            if word.dep != "poss" or word.head.lemma not in cues.KIN:
                yield SELF, scene.pronouns[word.i]  # `the user`; not of `the user's sister Ana`
        elif (
            word.pos == "NOUN"
            and word.i not in scene.pronouns
            and _is_unnamed_person(scene, word, gender)
        ):
            yield f"? {word.lower}", None


def _gender(said: str, told: Mapping[str, Gender]) -> Gender:
    first = said.split(maxsplit=1)[0].lower()
    known, listed = told.get(fold(said)) or told.get(fold(first)), given_name(first)
    return known or (listed.gender if listed is not None else "either")


def _is_unnamed_person(scene: Scene, word: Word, gender: Gender) -> bool:
    if scene.name_at(word) or word.tag == "NNS":
        return False
    if not (
        word.lemma in cues.KIN
        or word.lemma in cues.SUPERIORS
        or word.lemma in _PEOPLE
        or word.lower in role_words()
    ):
        return False
    if (gender == "female" and word.lemma in MALE) or (gender == "male" and word.lemma in FEMALE):
        return False
    if word.dep in {"attr", "oprd"} or (word.dep == "pobj" and word.head.lower == "as"):
        return False  # what someone is, not someone else
    if named_after(scene, word) or named_before(scene, word):
        return False
    beside = (
        [*word.children_by("appos", "compound", "nmod"), word.head] if word.dep != "poss" else []
    )
    named = any((name := scene.name_at(other)) and name.kind == "person" for other in beside)
    return not named and word.dep not in {"compound", "appos"}


def _is_addressed(scene: Scene, name: Name) -> bool:
    """`Hey Ana, …`, `…, Ana!`: whom one talks to."""
    head = scene.head_of(name)
    if head.dep in {"npadvmod", "intj", "vocative"}:
        return True
    before = scene.words[name.start - 1] if name.start else None
    after = scene.words[name.end] if name.end < len(scene.words) else None
    greeted = before is not None and (
        before.tag == "UH" or before.lower in {"hey", "hi", "thanks", "thank", "hello"}
    )
    closed = after is None or after.text in {",", "!", ".", "?"}
    return greeted and closed
