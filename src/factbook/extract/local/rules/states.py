"""X is …: age, nationality, what someone is at present; how a thing stands and when it is due."""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import claim, is_asked
from factbook.extract.local.rules.validity import is_future, is_past
from factbook.extract.local.rules.values import (
    PAID,
    PEOPLE,
    THINGS,
    after,
    deadline,
    fact,
    rest_of,
    said,
    subjects,
)
from factbook.extract.local.scene import End, Finding, Name, Scene

_NUMBERS = frozenset(
    """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
    nineteen twenty thirty forty fifty sixty seventy eighty ninety""".split()
)


def states(scene: Scene, verb: Word, *, denied: bool) -> Iterator[Finding]:
    """What the subject of a form of `be` is said to be."""
    if is_past(verb) or is_future(verb) or (verb.child("nsubj") is None and verb.dep != "conj"):
        return
    for subject, end in subjects(scene, verb, phrases=True):
        if end.kind in PEOPLE:
            yield from _person_is(scene, verb, end, denied=denied)
        elif end.kind in THINGS or subject.lemma in _WORK or _says_due(verb):
            yield from _thing_is(scene, verb, end, denied=denied)
        elif end.kind == "animal" and not denied:
            yield from _age_of(scene, verb, end)


def _says_due(verb: Word) -> bool:
    return any(word.lower == "due" for word in verb.children_by("acomp", "advmod", "prep"))


# ------------------------------------------------------------------------------------------------
# people


def _person_is(scene: Scene, verb: Word, end: End, *, denied: bool) -> Iterator[Finding]:
    if not denied:
        yield from _age_of(scene, verb, end)
    for top in verb.children_by("acomp", "attr"):
        for word in (top, *top.children_by("conj", "appos")):
            bare = not word.children_by("det", "compound", "amod", "prep")
            if word.lower in NATIONALITIES and bare and after(scene, word) not in _GOES_ON:
                yield fact(scene, end, "nationality", word.text, verb, retracts=denied)
            elif word.lemma in {"citizen", "national"}:
                for nation in word.children_by("amod", "compound"):
                    if nation.lower in NATIONALITIES:
                        yield fact(scene, end, "nationality", nation.text, verb, retracts=denied)
            elif word.lower == "fluent":
                for each in (
                    each for one in word.children_by("prep") for each in one.children_by("pobj")
                ):
                    for language in each.with_conjuncts():
                        yield fact(scene, end, "languages", language.text, verb, retracts=denied)
    if value := _presence(scene, verb):
        yield fact(scene, end, "status", value, verb, importance=0.6, retracts=denied)


_GOES_ON = frozenset({"speaker", "teacher", "food", "-"})
_LEAVES = frozenset("leave vacation holiday holidays sabbatical pto duty parole".split())
_PRESENT = frozenset("retired sick unemployed hospitalized jobless".split())


def _presence(scene: Scene, verb: Word) -> str:
    """`on parental leave`, `out of office`, `retired`: how someone is to be found at present."""
    for word in verb.children_by("prep"):
        following = word.child("pobj")
        if word.lower == "on" and following is not None and following.lower in _LEAVES:
            kept = [
                each
                for each in following.children_by("compound", "amod", "nmod")
                if each.i > word.i
            ]
            return (
                said(scene, word, following)
                if len(kept) == following.i - word.i - 1
                else f"on {following.lower}"
            )
    rest = [word.lower for word in scene.words[verb.i + 1 : verb.i + 4]]
    if rest[:3] == ["out", "of", "office"] or rest[:2] == ["out", "sick"]:
        return " ".join(rest[: 3 if "of" in rest else 2])
    for word in verb.children_by("acomp"):
        if word.lower in _PRESENT and not word.children_by("prep", "xcomp"):
            return word.lower
    return ""


def _age_of(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    candidates = [*verb.children_by("acomp", "attr", "npadvmod")]
    candidates += [
        number
        for word in candidates
        for number in word.children_by("nummod")
        if number.i == verb.i + 1
    ]
    for word in candidates:
        if value := _age(scene, word):
            yield fact(scene, end, "age", value, verb)
            return


def _age(scene: Scene, word: Word) -> str:
    """`34`, `five`, `34 years old`, `18 months old`."""
    if word.lower == "old":
        time = word.child("npadvmod")
        number = (
            time.child("nummod")
            if time is not None and time.lemma in {"year", "month", "week", "day"}
            else None
        )
        if time is None or number is None:
            return ""
        return (
            number.text if time.lemma == "year" and is_age(number) else f"{number.text} {time.text}"
        )
    if word.pos != "NUM" or not is_age(word):
        return ""
    if word.i > 1 and scene.words[word.i - 1].text == "-" and is_age(scene.words[word.i - 2]):
        return said(scene, scene.words[word.i - 2], word)  # `thirty-four`
    following = after(scene, word)
    return (
        word.text
        if following in {"", ".", ",", "!", ";", "and", "now", "but", "today", ")", "…", "..."}
        else ""
    )


def is_age(number: Word) -> bool:
    if number.text.isdigit():
        return 1 <= int(number.text) <= 115
    return number.lower in _NUMBERS or (
        "-" in number.lower and set(number.lower.split("-")) <= _NUMBERS
    )


def by_apposition(scene: Scene) -> Iterator[Finding]:
    """`Ana, 34, is …`, `Tom (52)`, `I'm Kim, 27, from Oslo`, and `she's vegan` where the parser
    sees a genitive.
    """
    for name in scene.names:
        rest = scene.words[name.end : name.end + 3]
        if (
            name.kind != "person"
            or len(rest) < 2
            or rest[0].text not in {",", "("}
            or is_asked(scene, rest[0])
        ):
            continue
        number, closing = rest[1], rest[2].lower if len(rest) > 2 else "."
        if is_age(number) and number.text.isdigit() and closing in {",", ")", ".", ";", "from"}:
            yield fact(
                scene, _introduced(scene, name) or scene.end(name), "age", number.text, number
            )
    for word in scene.words:
        if word.lower in NATIONALITIES and word.dep == "ROOT" and word.i > 1:
            yield from (
                fact(scene, end, "nationality", word.text, word) for end in as_genitive(scene, word)
            )


def _introduced(scene: Scene, name: Name) -> End | None:
    """The speaker, who calls themselves so (`I'm Kim, 27`)."""
    for word in scene.words[max(0, name.start - 2) : name.start]:
        if word.lower in {"i", "im"} and scene.words[name.start - 1].lower in {
            "am",
            "'m",
            "m",
            "im",
        }:
            return scene.self_at(word)
    return None


def as_genitive(scene: Scene, word: Word) -> list[End]:
    """`she` in `she's vegan`, where the parser sees what belongs to her."""
    marks = scene.words[word.i - 1 : word.i]
    apart = (
        bool(marks)
        and marks[0].tag == "POS"
        and after(scene, word) in {"", ".", ",", "!", "and", "so", "too"}
    )
    if not apart or word.i < 2 or claim(scene, word) != "holds":
        return []
    owner = scene.words[word.i - 2]
    if found := scene.pronouns.get(owner.i):
        return [found]
    name = scene.name_at(owner)
    return [scene.end(name)] if name is not None and name.kind == "person" else []


NATIONALITIES = frozenset(
    """american argentinian australian austrian belgian brazilian british bulgarian canadian chilean chinese colombian
    croatian cuban czech danish dutch egyptian english estonian ethiopian filipino finnish french georgian german ghanaian
    greek hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese kenyan korean
    latvian lebanese lithuanian malaysian mexican moroccan nepali nigerian norwegian pakistani palestinian peruvian polish
    portuguese romanian russian scottish serbian singaporean slovak slovenian somali spanish swedish swiss syrian
    taiwanese thai tunisian turkish ugandan ukrainian uruguayan venezuelan vietnamese welsh""".split()
)

# ------------------------------------------------------------------------------------------------
# things

_WORK = frozenset(
    """project migration release launch rollout deploy deployment build pipeline server website site app service database
    integration redesign rewrite refactor feature ticket report proposal contract order invoice printer dashboard repo
    campaign pr pull""".split()
)
"""Plain nouns whose state is worth keeping (`the migration is on hold`)."""

STATUS = frozenset(
    """done finished complete completed blocked stuck delayed late paused live ready cancelled canceled deprecated dead
    active inactive open closed stable broken down offline online shipped launched released approved pending overdue
    archived red green yellow amber resolved merged shelved scrapped postponed suspended unblocked in-progress wip
    finalized""".split()
)
PHRASES = frozenset(
    f"{first} {rest}"
    for first, those in {
        "on": "hold track schedule ice",
        "in": "progress review production beta alpha staging testing qa draft planning development limbo flight",
        "under": "review development construction",
        "behind": "schedule",
        "off": "track",
        "at": "risk",
    }.items()
    for rest in those.split()
) | {"up and running", "out of date", "ahead of schedule"}


def _thing_is(scene: Scene, verb: Word, end: End, *, denied: bool) -> Iterator[Finding]:
    if value := status_of(scene, verb):
        yield fact(scene, end, "status", value, verb, importance=0.6, retracts=denied)
    due = next(
        (word for word in verb.children_by("acomp", "advmod", "prep") if word.lower == "due"), None
    )
    priced = PAID.match(scene.passage.text, verb.stop + 1) if not denied else None
    if priced is not None and end.kind in {"product", "technology"}:
        yield fact(scene, end, "price", " ".join(priced[0].split()), verb, importance=0.6)
    if due is not None and not denied:
        yield from deadline(scene, end, verb, rest_of(scene, due))


def status_of(scene: Scene, verb: Word) -> str:
    """How the words after a form of `be` say that a thing stands."""
    rest = [
        word.lower
        for word in scene.words[verb.i + 1 : verb.i + 6]
        if word.sentence == verb.sentence
    ]
    while rest and rest[0] in _ADVERBS:
        rest.pop(0)
    for count in (3, 2):
        if (told := " ".join(rest[:count])) in PHRASES:
            return told
    share = next(
        (word for word in verb.children_by("acomp", "attr") if word.lower in {"done", "complete"}),
        None,
    )
    if (
        share is not None
        and share.child("npadvmod") is not None
        and len(rest) > 1
        and rest[1] == "%"
    ):
        return f"{rest[0]}% {share.lower}"
    word = next(
        (word for word in verb.children_by("acomp", "advmod", "attr") if word.lower in STATUS), None
    )
    if word is None or word.children_by("prep", "xcomp", "ccomp", "det", "npadvmod", "neg"):
        return ""
    return word.lower if rest and rest[0] == word.lower else ""


_ADVERBS = frozenset(
    "now currently still already again finally back also officially n't not all completely".split()
)
