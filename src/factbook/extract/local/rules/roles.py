"""Roles: which nouns are one, how far they go, and where someone has them."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.lexicon import role_beginnings, role_words
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.scene import End, Scene

_OWN = frozenset("owner maintainer".split())
_LEAD = frozenset("lead leader head manager director chair captain boss coordinator".split())
_FOUND = frozenset("founder cofounder co-founder".split())
_MAKE = frozenset("author creator inventor designer developer writer".split())
_OF_WORK = frozenset({"at", "of", "for", "with", "in", "on"})
_EFFORTS = frozenset({"project", "product", "technology", "campaign", "task", "event"})


def is_role(noun: Word) -> bool:
    """Whether a noun says what someone is to a thing or an organization: a post, its owner, its
    maker.
    """
    if noun.tag in {"NNS", "NNPS"}:
        return False
    return noun.lemma in _OWN | _MAKE or is_post(noun)


def is_post(noun: Word) -> bool:
    """Whether a noun names what someone does for a living or in a group (`engineer`, `head of
    research`).
    """
    if noun.lemma in _OWN:
        return False
    if noun.lower in role_words() or noun.lemma in role_words():
        return True
    following = [word.lower for word in noun.children_by("prep")]
    return any(f"{noun.lower} {word}" in role_beginnings() for word in following)


def only_effort(scene: Scene, noun: Word) -> list[End]:
    """What a bare `owner is …` is the owner of: the one project of the sentence."""
    if noun.lemma not in _OWN or noun.child("poss"):
        return []
    efforts = [name for name in scene.names_in(scene.sentence_of(noun)) if name.kind in _EFFORTS]
    return [scene.end(efforts[0])] if len(efforts) == 1 else []


def label_for(noun: Word, kind: str, last: str = "") -> str | None:
    """What a role makes of someone and a thing of a kind; `last` is the last word of a plain
    phrase.
    """
    if not kind and noun.lemma not in _OWN | _LEAD and last in GROUP_NOUNS:
        return "member_of"
    if not kind and noun.lemma not in _OWN | _LEAD:
        return "works_at" if cues.IS_A.get(last) == "organization" else None
    if kind == "organization":
        return "founded" if noun.lemma in _FOUND else "owns" if noun.lemma in _OWN else "works_at"
    if kind in _EFFORTS or kind == "":
        if noun.lemma in _OWN:
            return "owns"
        if noun.lemma in _LEAD:
            return "leads"
        if (
            noun.lemma in _MAKE
            and kind
            and any(each.lower == "of" for each in noun.children_by("prep"))
        ):
            return "created"
        if kind and any(each.lower == "on" for each in noun.children_by("prep")):
            return "works_on"
    return None


def role_text(scene: Scene, noun: Word) -> str:
    """`senior data engineer`, `head of research`: the noun with what makes it a role, without names
    and articles.
    """
    start = stop = noun.i
    for word in reversed(scene.words[max(0, noun.i - 4) : noun.i]):
        before = {"compound", "amod", "nmod", "punct"} | (
            {"nsubj"} if noun.tag == "VB" else set[str]()
        )
        if word.head.i < start or word.head.i > noun.i or word.dep not in before:
            break
        if (
            scene.name_at(word) not in {None, scene.name_at(noun)}
            or word.text in {",", "(", "“", '"'}
            or (word.dep == "amod" and not _of_a_role(word))
        ):
            break
        start = word.i
    while start < noun.i and scene.words[start].dep == "punct":
        start += 1
    for preposition in noun.children_by("prep"):
        field = preposition.child("pobj")
        if (
            preposition.lower == "of"
            and preposition.i == noun.i + 1
            and field is not None
            and not scene.name_at(field)
        ):
            inside = [
                word
                for word in field.subtree()
                if word.dep in {"compound", "amod", "nmod"} or word is field
            ]
            if (
                inside[-1] is field
                and inside[0].i == preposition.i + 1
                and not any(map(scene.name_at, inside))
            ):
                stop = field.i
    return " ".join(scene.passage.text[scene.words[start].start : scene.words[stop].stop].split())


def _of_a_role(adjective: Word) -> bool:
    """`senior`, `clinical`, `full-stack`; not `great`, `elderly`."""
    return adjective.lower in _ROLE_ADJECTIVES or adjective.lower.endswith(
        ("ical", "ial", "nal", "ental", "tric")
    )


_ROLE_ADJECTIVES = frozenset(
    """senior junior backend frontend fullstack mobile junior chief deputy assistant associate principal staff lead executive general vice interim acting freelance
    independent professional full part time tech technical stack end creative legal medical dental public private primary secondary
    high elementary certified registered licensed retired military civil software front back managing founding visiting
    adjunct postdoctoral pediatric veterinary digital visual graphic human global regional national local""".split()
)


def where(scene: Scene, noun: Word) -> Iterator[End]:
    """Where or of what someone has the role: `at Acme`, `of the Atlas project`, `Acme's`, `Acme
    engineer`, `there`.
    """
    for preposition in noun.children_by("prep"):
        if preposition.lower in _OF_WORK:
            for word in preposition.children_by("pobj"):
                leads = preposition.lower == "of" and (
                    noun.lemma in _OWN | _LEAD or word.lower in GROUP_NOUNS
                )
                works = preposition.lower in {"at", "for", "with"}
                yield from ends(scene, word, phrases=leads or works, loose=works)
                yield from (
                    where(scene, word)
                    if not scene.name_at(word) and preposition.lower == "of"
                    else ()
                )
    yield from _whose(scene, noun)
    after = next(
        (word for word in scene.sentence_of(noun) if word.i > noun.i and word.lower == "there"),
        None,
    )
    if (
        after is not None
        and after.head in {noun, noun.head}
        and (end := only_group(scene, after)) is not None
    ):
        yield end


def _whose(scene: Scene, noun: Word) -> Iterator[End]:
    """`Acme's CEO`, `Acme engineer`, `its CEO`; and of the one organization just named, `the
    CEO`.
    """
    owners = noun.children_by("poss", "compound", "nmod")
    if noun.dep in {"compound", "nmod"}:
        owners += noun.head.children_by("poss")  # Acme's CEO Ana Silva
    for word in owners:
        if (name := scene.name_at(word)) and name.kind in {"organization", "project"}:
            yield scene.end(name)
        elif word.i in scene.pronouns and scene.pronouns[word.i].kind in {
            "organization",
            "project",
        }:
            yield scene.pronouns[word.i]
        elif (
            word.lower == "their"
            and noun.lower in _CHIEFS
            and (end := only_group(scene, noun)) is not None
        ):
            yield end  # `A call with Acme. Their CFO is Ana`
        elif word.lower in GROUP_NOUNS and noun.lemma in _LEAD and noun.dep == "nsubj":
            yield End(*scene.characters(word.i, word.i + 1), "")  # `choir leader is Ana`
    article = noun.child("det")
    named = noun.dep == "pobj" and noun.child("appos") is not None  # `reports to the COO, Ana`
    chief = noun.lower in _CHIEFS and (noun.dep == "attr" or named) and not noun.child("prep")
    if (
        chief
        and article is not None
        and article.lower == "the"
        and (end := only_group(scene, noun)) is not None
    ):
        yield end


_CHIEFS = frozenset("ceo cto cfo coo cmo cio president chairman chairwoman owner".split())

GROUP_NOUNS = frozenset(
    """team group squad club band choir orchestra committee board society league union crew guild chapter troupe
    ensemble council""".split()
)
"""Groups that one leads, or is a member of."""


def only_group(scene: Scene, word: Word) -> End | None:
    """The one organization that is named before the word, in its sentence or the one before, as
    meant where it stands.
    """
    sentences = scene.sentences()
    number = next(at for at, each in enumerate(sentences) if each[0].sentence == word.sentence)
    spaces = [
        [each for each in sentences[number] if each.i < word.i],
        *sentences[max(0, number - 1) : number][::-1],
    ]
    for words in spaces:
        names = [name for name in scene.names_in(words) if name.kind == "organization"]
        if len(names) > 1:
            return None
        if names:
            said = " ".join(scene.said(*scene.characters(names[0].start, names[0].end)).split())
            return End(*scene.characters(word.i, word.i + 1), "organization", said)
    return None
