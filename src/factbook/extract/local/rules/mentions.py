"""What else stands for a name: the noun of an apposition (`Ana, a nurse who …`), and `the user` in
notes. And whose gender the words tell.
"""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.lexicon import Gender, role_words
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.near import is_be, named_after, named_before, text_at
from factbook.extract.local.rules.ties import TIES, is_superior
from factbook.extract.local.scene import End, Scene
from factbook.text.names import fold

FEMALE = frozenset(
    """sister mother mom mum mam mama daughter wife girlfriend grandmother grandma granny gran nana nan aunt auntie aunty
    niece woman girl lady actress waitress mommy mummy sis fiancée fiancee stepmom stepmother stepdaughter stepsister
    granddaughter landlady mrs mrs. ms ms. miss madam gf""".split()
)
MALE = frozenset(
    """brother father dad son husband boyfriend grandfather grandpa granddad uncle nephew man guy boy gentleman daddy papa
    bro fiancé stepdad stepfather stepson stepbrother grandson landlord mr mr. sir bf hubby""".split()
)
_KINDS = frozenset(
    {"person", "organization", "project", "product", "technology", "campaign", "event"}
)


def genders_told(scene: Scene) -> Iterator[tuple[str, Gender]]:
    """The folded names that stand with a word for a man or a woman (`her husband Tom`, `Mrs.
    Okafor`).
    """
    for word in scene.words:
        gender: Gender | None = (
            "female" if word.lower in FEMALE else "male" if word.lower in MALE else None
        )
        if gender is None:
            continue
        own = scene.name_at(word)
        before = None if own is not None else named_before(scene, word)
        names = (
            [own]
            if own is not None
            else [*named_after(scene, word), *([before] if before is not None else [])]
        )
        for name in names:
            if name.kind == "person":
                yield (
                    fold(" ".join(scene.said(*scene.characters(name.start, name.end)).split())),
                    gender,
                )


def stand_ins(scene: Scene) -> None:
    """Enters the nouns that explain a name among the words that stand for one."""
    for noun in scene.words:
        if noun.pos != "NOUN" or scene.name_at(noun) is not None or not _can_explain(noun):
            continue
        if (name := named_before(scene, noun, _KINDS)) is None:
            continue
        person = name.kind == "person"
        said_kind = cues.IS_A.get(noun.lemma) or cues.BEFORE.get(noun.lemma, "person")
        if person == (said_kind == "person"):
            start, stop = scene.characters(noun.i, noun.i + 1)
            said = " ".join(scene.said(*scene.characters(name.start, name.end)).split())
            scene.pronouns[noun.i] = End(start, stop, name.kind, said)


def _can_explain(noun: Word) -> bool:
    return (
        noun.lemma in TIES
        or is_superior(noun)
        or noun.lemma in cues.IS_A
        or noun.lemma in cues.BEFORE
        or noun.lower in role_words()
        or noun.lemma in FEMALE | MALE
    )


# ------------------------------------------------------------------------------------------------
# the user


_OWN = frozenset(
    "name birthday age hometown nationality employer job email diet allergy address phone".split()
)
_LIVES = frozenset(
    """live work reside move marry grow study own prefer like love hate dislike enjoy adopt speak play graduate drive
    volunteer teach lead manage report attend bear belong commute retire""".split()
)
_STATES = frozenset(
    "allergic vegan vegetarian married engaged divorced single pregnant retired intolerant".split()
)


def users(scene: Scene) -> None:
    """Enters `the user` for the speaker, as notes of a memory call them, where what is said is a
    person's life.
    """
    for word in scene.words:
        if word.lower != "user" or scene.name_at(word) is not None or word.i in scene.pronouns:
            continue
        if text_at(scene, word.i - 1) not in {"the", "", ":", "-", ".", ";", ","}:
            continue
        if _has_life(scene, word) or _lives(scene, word):
            scene.pronouns[word.i] = scene.self_at(word)


def _has_life(scene: Scene, word: Word) -> bool:
    """`the user's sister`."""
    if text_at(scene, word.i + 1) not in {"'s", "'"}:
        return False
    near = [each for each in scene.words[word.i + 2 : word.i + 5] if each.sentence == word.sentence]
    return any(
        each.lemma in TIES or is_superior(each) or each.lemma in cues.PETS or each.lemma in _OWN
        for each in near
    )


def _lives(scene: Scene, word: Word) -> bool:
    """`the user lives in Oslo`; not `the user clicks a button`."""
    verb = word.head
    if word.dep not in {"nsubj", "nsubjpass"}:
        return False
    if is_be(verb):
        states = {each.lower for each in verb.children_by("acomp", "attr")}
        from_place = any(
            name.kind == "place"
            for above in (verb, *verb.children_by("attr"))
            for each in above.children_by("prep")
            if each.lower == "from"
            for name in scene.names_in(each.children_by("pobj"))
        )
        return bool(states & _STATES) or from_place or _has_post(scene, verb)
    has = [
        each for each in verb.children_by("dobj") if each.lemma in TIES or each.lemma in cues.PETS
    ]
    return (verb.lemma in _LIVES and bool(scene.names_in(scene.sentence_of(word)))) or (
        verb.lemma == "have" and bool(has)
    )


def _has_post(scene: Scene, verb: Word) -> bool:
    """`is a nurse at Acme`; whoever `is an admin` is one of a program's."""
    return any(
        name.kind == "organization"
        for noun in verb.children_by("attr")
        for each in noun.children_by("prep")
        if each.lower in {"at", "for", "with"} and noun.lower in role_words()
        for name in scene.names_in(each.children_by("pobj"))
    )
