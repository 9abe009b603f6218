"""Who is named beside a noun, and whose it is, by the order of the words: the parse often loses
names that it doesn't know.
"""

from __future__ import annotations

from collections.abc import Collection

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import is_asked
from factbook.extract.local.scene import End, Name, Scene

FIRST_PERSON = frozenset({"my", "our"})
_OPENS = frozenset({",", "(", ":", "-", "–", "—"})
_CLOSES = frozenset({",", ".", ")", ";", "!", "?", ":", "…", "...", "-", "–", "—"})
_AND = frozenset({"and", "&", "or"})
_TITLES = frozenset(
    {"dr", "dr.", "mr", "mr.", "mrs", "mrs.", "ms", "ms.", "prof", "prof.", "professor"}
)
_BETWEEN = frozenset(
    {"JJ", "JJR", "JJS", "NN", "NNS", "NNP", "CD", "HYPH", "VBN", "VBG", "RB", "RBS", "IN", "AFX"}
)
"""Tags of the words that may stand between an owner and a noun (`my oldest school friend`)."""
_MOST_BETWEEN = 5
_LONGEST_PHRASE = 8


def word_at(scene: Scene, i: int) -> Word | None:
    return scene.words[i] if 0 <= i < len(scene.words) else None


def text_at(scene: Scene, i: int) -> str:
    """The word in lower case; empty before the first and after the last one."""
    word = word_at(scene, i)
    return word.lower if word is not None else ""


def is_quoted(scene: Scene, word: Word) -> bool:
    """Whether the word stands between quotation marks: whose `my` it is there, nobody knows."""
    marks = [
        each.i for each in scene.sentence_of(word) if each.text in {'"', "“", "”", "«", "»", "„"}
    ]
    return sum(i < word.i for i in marks) % 2 == 1 and any(i > word.i for i in marks)


def is_be(verb: Word) -> bool:
    """`is`, and what is left of it in `im`, `shes`, `theyre`."""
    return verb.lemma == "be" or (verb.lower in {"m", "s", "re"} and verb.pos in {"VERB", "AUX"})


def is_plural(noun: Word) -> bool:
    return noun.tag in {"NNS", "NNPS"} or noun.lower in {"kids", "children", "twins", "parents"}


# ------------------------------------------------------------------------------------------------
# names


def named_after(scene: Scene, noun: Word, kinds: Collection[str] = ("person",)) -> list[Name]:
    """Whom a noun is followed by: `sister Ana`, `sister (Ana)`, `sister, Ana,`, `a sister called
    Ana`, `kids Leo and Mia`.
    """
    i = noun.i + 1 + _of_mine(scene, noun)
    opener = text_at(scene, i) if text_at(scene, i) in _OPENS else ""
    i += bool(opener)
    while text_at(scene, i) in {"who", "that", "is", "'s", "are", "were", "was"} and _names_soon(
        scene, i
    ):
        i += 1
    called = text_at(scene, i) in {"named", "called"}
    i += called
    first = _name_from(scene, i, kinds)
    if first is None or _has_own_verb(scene, first, noun):
        return []
    names = _listed(scene, first, kinds) if is_plural(noun) else [first]
    if (
        opener
        and not called
        and not _is_closed(scene, names[-1], opener, alone=not is_plural(noun))
    ):
        return []
    return names


def _of_mine(scene: Scene, noun: Word) -> int:
    """How many words `of mine` has after `a friend`, none if it isn't there."""
    return 2 * (text_at(scene, noun.i + 1) == "of" and text_at(scene, noun.i + 2) in _MINE)


_MINE = frozenset("mine ours his hers yours theirs".split())


def _names_soon(scene: Scene, i: int) -> bool:
    return any(text_at(scene, j) in {"named", "called"} for j in (i + 1, i + 2))


def _name_from(scene: Scene, i: int, kinds: Collection[str]) -> Name | None:
    """The name that begins at a word, or at the one after a title."""
    if (
        text_at(scene, i) in _TITLES
        and (word := word_at(scene, i)) is not None
        and scene.name_at(word) is None
    ):
        i += 1
    word = word_at(scene, i)
    name = scene.name_at(word) if word is not None else None
    return name if name is not None and name.start == i and name.kind in kinds else None


def _listed(scene: Scene, first: Name, kinds: Collection[str]) -> list[Name]:
    """All of `Ana, Tom and Wei`."""
    names = [first]
    while True:
        i = names[-1].end
        i += text_at(scene, i) == ","
        i += text_at(scene, i) in _AND
        following = _name_from(scene, i, kinds) if i > names[-1].end else None
        if following is None:
            return names
        names.append(following)


def _has_own_verb(scene: Scene, name: Name, noun: Word) -> bool:
    """`the friend Ana met`, `I told my sister Ana called`: the name begins a clause of its own."""
    head = scene.head_of(name)
    verb = head.head
    if head.dep not in {"nsubj", "nsubjpass"}:
        return False
    return (verb.dep == "relcl" and verb.head is noun) or (
        verb.dep in {"ccomp", "relcl"} and verb.head.i < noun.i and noun.head is verb.head
    )


def _is_closed(scene: Scene, name: Name, opener: str, *, alone: bool) -> bool:
    """Whether what a comma opens is closed again, and no list: `my girlfriend, Toby, and I` may be
    three people.
    """
    after = text_at(scene, name.end)
    if opener == "(":
        return after == ")"
    if after and after not in _CLOSES:
        return opener == ":"
    listed = text_at(scene, name.end + 1)
    following = word_at(scene, name.end + 1)
    named = following is not None and scene.name_at(following) is not None
    return not alone or not (after == "," and (listed in _AND or named))


def called_next(scene: Scene, noun: Word, kinds: Collection[str] = ("person",)) -> list[Name]:
    """`I have a sister. Her name is Ana`, `a puppy, it's called Rex`: the names that the next
    clause tells.
    """
    if noun.dep not in {"dobj", "conj"}:
        return []
    i = noun.i + 1
    while text_at(scene, i) in _WHEN:
        i += 1
    while text_at(scene, i) in {",", ".", ";", "and", "!", "-", "—", "–", "who"}:
        i += 1
    words = [text_at(scene, j) for j in range(i, i + 4)]
    after = 0
    if words[0] in {"it", "its", "he", "she", "they", "hes", "shes"} and "called" in words[1:4]:
        after = i + words.index("called") + 1
    elif (
        words[0] in {"its", "his", "her", "their", "whose"}
        and words[1] in {"name", "names"}
        and words[2] in _IS
    ):
        after = i + 3
    elif words[0] in {"named", "called"}:
        after = i + 1
    first = _name_from(scene, after, kinds) if after else None
    if first is None or is_asked(scene, scene.words[after]):
        return []
    return _listed(scene, first, kinds) if is_plural(noun) else [first]


_IS = frozenset({"is", "'s", "are", "s"})
_WHEN = frozenset(
    """last this yesterday today week weekend month year spring summer autumn fall winter monday tuesday wednesday thursday
    friday saturday sunday ago recently in on a few two three weeks months years days too already now""".split()
)


def named_before(scene: Scene, noun: Word, kinds: Collection[str] = ("person",)) -> Name | None:
    """Whom a noun explains: `Ana` in `Ana, my sister, …`, `Ana (the CTO of Acme)`, `Ana, product
    manager at Acme`.
    """
    start = _phrase_start(scene, noun)
    opener = text_at(scene, start - 1)
    before = word_at(scene, start - 2)
    name = scene.name_at(before) if before is not None else None
    if (
        opener not in _OPENS - {":"}
        or name is None
        or name.end != start - 1
        or name.kind not in kinds
    ):
        return None
    begins = word_at(scene, start)
    return name if begins is not None and _explains(scene, begins, noun, opener) else None


def _phrase_start(scene: Scene, noun: Word) -> int:
    """Where the noun phrase begins, its article, owner and the owner's own words with it."""
    i = noun.i
    while i > 0 and noun.i - i < _LONGEST_PHRASE:
        word = scene.words[i - 1]
        inside = word.tag in _BETWEEN - {"IN"} or word.tag in {"POS", "PRP$", "DT", "WP$"}
        if (
            not inside
            or word.text in {",", "(", "—", "–"}
            or (word.text == "-" and scene.words[i - 2].stop < word.start)
        ):
            return i
        i -= 1
        if word.tag in {"PRP$", "DT"}:
            return i
    return i


def _explains(scene: Scene, begins: Word, noun: Word, opener: str) -> bool:
    """Whether a noun phrase after a name and a comma says what that one is, and begins neither a
    clause nor a list.
    """
    after = text_at(scene, noun.i + 1)
    if opener == "(":
        return after in {")", "of", "at", "for", "in", ","}
    field = after in {"of", "at", "for", "from", "in", "on", "with"}
    if not (field or after in _CLOSES or after in {"", "who", "whose"}):
        return False
    if noun.dep in {"nsubj", "nsubjpass"} and noun.head.i > noun.i:
        last = max(
            word.i for word in noun.subtree()
        )  # `Ana, the CEO of Acme called`: she is told so
        if text_at(scene, last) not in _CLOSES and text_at(scene, last + 1) not in _CLOSES:
            return False
    listed = after == "," and text_at(scene, noun.i + 2) in _AND
    return not listed or begins.lower == "the"


# ------------------------------------------------------------------------------------------------
# owners


def owners_of(scene: Scene, noun: Word) -> list[End]:
    """Whose it is, by the words before it: `my`, `her`, `Ana's`, `Ana and Tom's`, `whose`,
    `their`.
    """
    for i in range(noun.i - 1, max(-1, noun.i - 2 - _MOST_BETWEEN), -1):
        word = scene.words[i]
        if word.sentence != noun.sentence:
            return []
        if word.tag == "PRP$" or word.lower in FIRST_PERSON:
            return _of_pronoun(scene, word)
        if word.tag == "WP$":
            return _of_whose(scene, word)
        if word.tag == "POS":
            return _of_names(scene, i)
        if i in scene.pronouns and word.lower in {"user", "users"}:
            return [scene.pronouns[i]]  # `user's sister` and, in notes, `user sister`
        name = scene.name_at(word)
        if word.tag not in _BETWEEN or (name is not None and name.kind == "person"):
            return []
    return []


def _of_pronoun(scene: Scene, word: Word) -> list[End]:
    if word.lower in FIRST_PERSON:
        return [scene.self_at(word)]
    if word.i in scene.pronouns:
        return [scene.pronouns[word.i]]
    return both_before(scene, word) if word.lower == "their" else []


def _of_whose(scene: Scene, word: Word) -> list[End]:
    """`Ana, whose brother …`: the name right before."""
    i = word.i - 1 - (text_at(scene, word.i - 1) == ",")
    before = word_at(scene, i)
    name = scene.name_at(before) if before is not None else None
    if name is not None and name.end == i + 1:
        return [scene.end(name)]
    return [scene.pronouns[i]] if i in scene.pronouns else []


def _of_names(scene: Scene, i: int) -> list[End]:
    """Those whose names end before the `'s`."""
    before = scene.words[i - 1]
    if before.i in scene.pronouns:
        return [scene.pronouns[before.i]]
    name = scene.name_at(before)
    if name is None or name.end != i:
        return []
    out = [scene.end(name)]
    if text_at(scene, name.start - 1) == "and" and name.start >= 2:
        other = scene.name_at(scene.words[name.start - 2])
        if other is not None and other.kind == name.kind == "person":
            out.insert(0, scene.end(other))
    return out


def both_before(scene: Scene, word: Word) -> list[End]:
    """Whom `they` and `their` mean: the two people who are named together before it, where no one
    else is named.
    """
    sentences = scene.sentences()
    number = next(at for at, each in enumerate(sentences) if each[0].sentence == word.sentence)
    spaces = [
        [each for each in sentences[number] if each.i < word.i],
        *sentences[max(0, number - 1) : number][::-1],
    ]
    for words in spaces:
        names = [name for name in scene.names_in(words) if name.kind == "person"]
        joined = (
            len(names) == 2
            and text_at(scene, names[0].end) in _AND
            and names[0].end + 1 == names[1].start
        )
        counted = len(names) == 2 and "both" in {text_at(scene, word.i + far) for far in (1, 2, 3)}
        if joined or counted or _is_couple(scene, names):
            return [_again(scene, name, word) for name in names]
        if names or any(each.tag in {"NNS", "NNPS"} for each in words):
            return []
    return []


_MATES = frozenset(
    "husband wife partner girlfriend boyfriend fiancé fiancée fiance fiancee spouse".split()
)
_WED = frozenset({"married", "engaged"})


def _is_couple(scene: Scene, names: list[Name]) -> bool:
    """`Ana is married to my cousin Tom`, `Ana and her husband Tom`: two who are each other's."""
    if len(names) != 2:
        return False
    between = [
        word.lower for word in scene.words[names[0].end : names[1].start] if word.text != ","
    ]
    if not between or any(
        word in {"not", "n't", "ex", "former", "if", "whether"} for word in between
    ):
        return False
    wed = "to" in between and bool(_WED & set(between)) and len(between) <= _LONGEST_PHRASE
    return wed or (
        between[-1] in _MATES and (between[0] == "'s" or bool({"his", "her"} & set(between)))
    )


def _again(scene: Scene, name: Name, word: Word) -> End:
    """The name, meant where the word stands."""
    start, stop = scene.characters(word.i, word.i + 1)
    first, last = scene.characters(name.start, name.end)
    return End(start, stop, name.kind, " ".join(scene.said(first, last).split()))
