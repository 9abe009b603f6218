"""Attribute values: age, birthday, favourites, likes, status, version, deadline, budget, figures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.clauses import clause
from factbook.extract.local.rules.ends import ends
from factbook.extract.local.rules.truth import claim
from factbook.extract.local.rules.validity import has_ended, is_future, is_past, used_to, validity
from factbook.extract.local.scene import ALWAYS, Attribute, End, Finding, Scene
from factbook.text.when import moments

_THINGS = frozenset({"project", "product", "task", "campaign", "event", "technology"})
_LONGEST_VALUE = 12
"""Words of a value; a longer one is a story."""


def facts(scene: Scene) -> Iterator[Finding]:
    """The attribute values that a scene states."""
    for verb in scene.words:
        if verb.pos not in {"VERB", "AUX"} or verb.dep in {"aux", "auxpass"}:
            continue
        held = claim(scene, verb)
        if held == "open" or (used_to(verb) and verb.lemma not in _LIKES | _DISLIKES):
            continue
        if verb.lemma == "be":
            yield from _is(scene, verb, denied=held == "denied")
        elif held == "holds":
            yield from _does(scene, verb)
            yield from _is_done(scene, verb)
    yield from _amounts(scene)


def _subjects(scene: Scene, verb: Word, *, group: bool = False) -> Iterator[tuple[Word, End]]:
    for word in clause(scene, verb).subjects:
        for end in ends(scene, word, group=group):
            yield word, end


def _fact(
    scene: Scene, of: End, attribute: str, value: str, word: Word, *, importance: float = 0.5, retracts: bool = False
) -> Attribute:
    start, stop = scene.quote(word)
    when = validity(scene, word) if word.pos in {"VERB", "AUX"} and attribute not in _TIMELESS else ALWAYS
    return Attribute(
        of=of,
        attribute=attribute,
        value=value,
        start=start,
        stop=stop,
        when=when,
        importance=importance,
        retracts=retracts,
    )


_TIMELESS = frozenset({"birthday", "birth_year", "deadline", "nationality", "age"})


# ------------------------------------------------------------------------------------------------ X is …


def _is(scene: Scene, verb: Word, *, denied: bool) -> Iterator[Finding]:
    if verb.child("nsubj") is None and verb.dep != "conj":
        return
    for _, end in _subjects(scene, verb):
        if end.kind in {"person", "self"} and not is_past(verb):
            yield from _person_is(scene, verb, end, denied=denied)
        elif end.kind in _THINGS and not is_past(verb):
            yield from _thing_is(scene, verb, end, denied=denied)
    subject = verb.child("nsubj")
    if subject is not None and subject.pos == "NOUN" and not is_past(verb) and not denied:
        yield from _attribute_is(scene, verb, subject)


def _person_is(scene: Scene, verb: Word, end: End, *, denied: bool) -> Iterator[Finding]:
    for word in verb.children_by("acomp", "attr"):
        if age := _age(scene, word):
            if not denied:
                yield _fact(scene, end, "age", age, verb)
        elif word.lower == "allergic":
            for preposition in word.children_by("prep"):
                for each in preposition.children_by("pobj"):
                    for value in _values(scene, each):
                        yield _fact(scene, end, "allergies", value, verb, importance=0.8, retracts=denied)
        elif word.lower in _DIETS:
            yield _fact(scene, end, "diet", word.lower, verb, importance=0.7, retracts=denied)
        elif word.lower in _NATIONALITIES and word.dep == "acomp":
            yield _fact(scene, end, "nationality", word.text, verb, retracts=denied)


def _age(scene: Scene, word: Word) -> str:
    """`34`, `34 years old`, `a 34-year-old`."""
    number = word if word.pos == "NUM" else None
    if word.lower == "old":
        years = word.child("npadvmod")
        number = years.child("nummod") if years is not None and years.lemma == "year" else None
    elif number is not None:
        following = scene.words[word.i + 1] if word.i + 1 < len(scene.words) else None
        if following is not None and following.text not in {".", ",", "!", ";", "and", "now", "but"}:
            return ""
    value = number.text if number is not None else ""
    return value if value.isdigit() and 1 <= int(value) <= 115 else ""


_DIETS = frozenset("vegan vegetarian pescatarian kosher halal lactose-intolerant gluten-free".split())
_NATIONALITIES = frozenset(
    """american argentinian australian austrian belgian brazilian british bulgarian canadian chilean chinese colombian
    croatian cuban czech danish dutch egyptian english estonian ethiopian filipino finnish french georgian german ghanaian
    greek hungarian icelandic indian indonesian iranian iraqi irish israeli italian jamaican japanese kenyan korean
    latvian lebanese lithuanian malaysian mexican moroccan nepali nigerian norwegian pakistani palestinian peruvian polish
    portuguese romanian russian scottish serbian singaporean slovak slovenian somali spanish swedish swiss syrian
    taiwanese thai tunisian turkish ugandan ukrainian uruguayan venezuelan vietnamese welsh""".split()
)


def _thing_is(scene: Scene, verb: Word, end: End, *, denied: bool) -> Iterator[Finding]:
    for word in (*verb.children_by("acomp", "advmod"), *verb.children_by("prep")):
        said = _status(word)
        if said:
            yield _fact(scene, end, "status", said, verb, importance=0.6, retracts=denied)
            break
    for word in verb.children_by("acomp"):
        if word.lower == "due":
            yield from _deadline(scene, end, verb)
    for word in (
        *verb.children_by("attr"),
        *(each for one in verb.children_by("prep") for each in one.children_by("pobj")),
    ):
        if word.lower == "version" or (word.head.lower in {"on", "at"} and word.lower in {"version", "release"}):
            number = next((each.text for each in word.children if _VERSION.fullmatch(each.text)), "")
            if number:
                yield _fact(scene, end, "version", number, verb)
        elif _VERSION.fullmatch(word.text) and any(
            each.lower == "version" for each in word.children_by("compound", "nmod")
        ):
            yield _fact(scene, end, "version", word.text, verb)


def _is_done(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`is done`, `is blocked`: a state that the parser takes for a passive."""
    now = any(word.lower in {"is", "are", "'s", "been"} for word in verb.children_by("auxpass"))
    if now and verb.lower in _STATUS and not verb.children_by("agent", "prep", "xcomp"):
        for _, end in _subjects(scene, verb):
            if end.kind in _THINGS:
                yield _fact(scene, end, "status", verb.lower, verb, importance=0.6)


_VERSION = re.compile(r"v?\d+(?:\.\d+){0,3}(?:-?(?:rc|beta|alpha)\d*)?", re.IGNORECASE)
_STATUS = frozenset(
    """done finished complete completed blocked stuck delayed late paused live ready cancelled canceled deprecated dead
    active inactive open closed stable broken down offline online shipped launched released approved pending overdue
    archived""".split()
)


def _status(word: Word) -> str:
    if word.lower in _STATUS and not word.children_by("prep", "xcomp", "ccomp"):
        return word.lower
    if word.dep == "prep" and word.lower in {"on", "in", "behind", "under", "out"}:
        following = word.child("pobj")
        said = f"{word.lower} {following.lower}" if following is not None else ""
        if said in {"on hold", "on track", "on schedule", "in progress", "in review", "in production", "in beta",
                    "in staging", "behind schedule", "under review", "under development", "in development"}:  # fmt: skip
            return said
    return ""


def _deadline(scene: Scene, end: End, word: Word) -> Iterator[Finding]:
    """The first time that the sentence names, as a date where it is one."""
    sentence = scene.sentence_of(word)
    text = scene.passage.text[sentence[0].start : sentence[-1].stop]
    for moment in moments(text, scene.at, "future")[:1]:
        said = text[moment.start : moment.stop]
        value = moment.at.date().isoformat() if moment.grain == "day" else " ".join(said.split()).rstrip(".")
        yield _fact(scene, end, "deadline", value, word, importance=0.8)


# ------------------------------------------------------------------------------------------------ the X of Y is …


_OF_PEOPLE = frozenset(
    """birthday email phone address timezone hobby pronoun nationality religion diet salary major degree specialty
    nickname handle username surname hometown car bike laptop editor title job occupation profession instrument""".split()
)


def _attribute_is(scene: Scene, verb: Word, subject: Word) -> Iterator[Finding]:
    """`my birthday is May 5`, `Ana's favorite color is green`, `the deadline for Atlas is June 1`."""
    values = verb.children_by("attr", "acomp", "npadvmod") or [
        each for one in verb.children_by("prep") if one.lower in {"on", "in"} for each in one.children_by("pobj")
    ]
    if not values:
        return
    value = values[0]
    lemma = subject.lemma
    favourite = next((word for word in subject.children if word.lower in {"favorite", "favourite"}), None)
    for owner in _owner(scene, subject):
        if owner.kind in {"person", "self"}:
            if lemma in {"birthday", "deadline"}:
                yield from _date_of(scene, verb, owner, lemma)
            elif favourite is not None and subject.lower not in {"one", "thing", "part"}:
                name = "_".join(["favorite", *(word.lower for word in subject.children_by("compound")), lemma])
                for said in _values(scene, value)[:1]:
                    yield _fact(scene, owner, name, said, verb, importance=0.6)
            elif lemma == "hobby":
                for said in _values(scene, value):
                    yield _fact(scene, owner, "hobbies", said, verb)
            elif lemma in _OF_PEOPLE and value.pos in {"NOUN", "PROPN", "NUM", "X"}:
                for said in _values(scene, value)[:1]:
                    yield _fact(scene, owner, lemma, said, verb)
        elif lemma in {"deadline", "due", "launch", "release"} and lemma == "deadline":
            yield from _deadline(scene, owner, verb)
        elif lemma in {"status", "budget", "version"}:
            for said in _values(scene, value)[:1]:
                if lemma == "status" or any(map(str.isdigit, said)):
                    yield _fact(scene, owner, lemma, said, verb, importance=0.7)


def _owner(scene: Scene, noun: Word) -> Iterator[End]:
    """Whose attribute it is: `my`, `Ana's`, `of Atlas`, `for Atlas`, `the Atlas budget`."""
    for word in noun.children_by("poss"):
        if word.lower == "my":
            yield scene.self_at(word)
        elif word.i in scene.pronouns:
            yield scene.pronouns[word.i]
        elif name := scene.name_at(word):
            yield scene.end(name)
    for preposition in noun.children_by("prep"):
        if preposition.lower in {"of", "for"}:
            for word in preposition.children_by("pobj"):
                yield from ends(scene, word)
    for word in noun.children_by("compound", "nmod"):
        name = scene.name_at(word)
        if name is not None and name.kind in _THINGS:
            yield scene.end(name)


def _date_of(scene: Scene, verb: Word, owner: End, attribute: str) -> Iterator[Finding]:
    sentence = scene.sentence_of(verb)
    text = scene.passage.text[verb.stop : sentence[-1].stop]
    for moment in moments(f" on{text}", scene.at, "future")[:1]:
        said = " ".join(text[moment.start - 3 : moment.stop - 3].split())
        if attribute == "birthday" and moment.grain != "day":
            continue
        exact = any(map(str.isdigit, said)) or attribute == "birthday"
        value = f"{moment.at.day} {moment.at:%B}" if attribute == "birthday" else said
        year = re.search(r"\b(?:19|20)\d\d\b", said)
        if exact:
            yield _fact(scene, owner, attribute, f"{value} {year[0]}" if year else value, verb, importance=0.7)


def _values(scene: Scene, word: Word) -> list[str]:
    """The text of a value and of those coordinated with it, without their articles."""
    out: list[str] = []
    for each in (*word.with_conjuncts(), *_astray(word)):
        inside = sorted(
            (other for other in each.subtree() if not any(above.dep == "conj" for above in _between(other, each))),
            key=lambda other: other.i,
        )
        while inside and (inside[0].dep in {"det", "punct", "cc", "poss"} or inside[0].tag == "PRP$"):
            inside.pop(0)
        while inside and (inside[-1].dep in {"punct", "cc"} or inside[-1].pos == "SPACE" or inside[-1].lower in _TAIL):
            inside.pop()
        contiguous = bool(inside) and inside[-1].i - inside[0].i + 1 == len(inside)
        if contiguous and len(inside) <= _LONGEST_VALUE:
            out.append(" ".join(scene.passage.text[inside[0].start : inside[-1].stop].split()))
    return out


_TAIL = frozenset("too also now lately personally well".split())


def _astray(word: Word) -> list[Word]:
    """`shellfish` in `allergic to peanuts and shellfish`, which the parser may hang too high."""
    for above in list(word.above())[:3]:
        for other in above.children_by("conj"):
            joined = other.i == word.i + 2 and not other.children_by("nsubj", "aux", "dobj", "prep")
            if joined and not word.children_by("conj"):
                return [other]
    return []


def _between(word: Word, top: Word) -> Iterator[Word]:
    while word is not top:
        yield word
        word = word.head


# ------------------------------------------------------------------------------------------------ X does …


_LIKES = frozenset("love like enjoy adore".split())
_DISLIKES = frozenset("hate dislike despise loathe".split())


def _does(scene: Scene, verb: Word) -> Iterator[Finding]:
    for _, end in _subjects(scene, verb):
        if end.kind not in {"person", "self"}:
            continue
        if verb.lemma in _LIKES | _DISLIKES and not (is_past(verb) or is_future(verb)):
            yield from _likes_doing(scene, verb, end)
        elif verb.lemma == "speak" and not is_past(verb):
            for word in verb.children_by("dobj", "acomp", "oprd", "ccomp"):
                for each in word.with_conjuncts():
                    if each.lower in _LANGUAGES:
                        yield _fact(scene, end, "languages", each.text, verb)
        elif verb.lemma == "turn" and not is_future(verb):
            for word in verb.children_by("dobj", "acomp", "npadvmod", "attr", "oprd"):
                if word.text.isdigit() and 1 <= int(word.text) <= 115:
                    yield _fact(scene, end, "age", word.text, verb)
        elif verb.lemma == "have" and not is_past(verb) and not is_future(verb):
            yield from _has(scene, verb, end)
        elif verb.lemma == "bear" and verb.tag == "VBN":
            yield from _born(scene, verb, end)


def _likes_doing(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    """`I love hiking in the Alps`; things and people that are liked are relations."""
    for word in verb.children_by("xcomp", "ccomp", "dobj"):
        if word.tag != "VBG" or word.child("nsubj") or scene.name_at(word):
            continue
        attribute = "likes" if verb.lemma in _LIKES else "dislikes"
        gone = has_ended(verb) or used_to(verb)
        if any(other.lower in _POINTS for other in word.subtree()):
            continue  # `I love watching them`: says nothing without what is pointed to
        for value in _values(scene, word)[:1]:
            yield _fact(scene, end, attribute, value, verb, importance=0.6, retracts=gone)


_POINTS = frozenset("them it this that these those him her he she they you your their his there here what".split())


def _has(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    """`I have two kids and a dog`: how many, of whom one has some."""
    for word in verb.children_by("dobj"):
        for each in word.with_conjuncts():
            attribute = _HAS.get(each.lemma)
            counted = each.child("nummod", "det")
            if attribute is None or counted is None or counted.lower in {"no", "the", "that", "this", "any"}:
                continue
            said = " ".join(scene.passage.text[counted.start : each.stop].split())
            if each.i - counted.i <= 3:
                yield _fact(scene, end, attribute, said.removeprefix("a ").removeprefix("an "), verb)


_HAS = {
    **dict.fromkeys("kid child son daughter toddler".split(), "children"),
    **dict.fromkeys("brother sister sibling".split(), "siblings"),
    **dict.fromkeys(cues.PETS, "pets"),
}

_LANGUAGES = frozenset(
    """arabic bengali bulgarian cantonese catalan chinese croatian czech danish dutch english estonian farsi finnish
    french german greek gujarati hebrew hindi hungarian icelandic igbo indonesian irish italian japanese korean latin
    latvian lithuanian malay mandarin marathi norwegian persian polish portuguese punjabi romanian russian serbian
    slovak slovenian somali spanish swahili swedish tagalog tamil telugu thai turkish ukrainian urdu vietnamese welsh
    yoruba zulu""".split()
)


def _born(scene: Scene, verb: Word, end: End) -> Iterator[Finding]:
    sentence = scene.sentence_of(verb)
    text = scene.passage.text[verb.start : sentence[-1].stop]
    for moment in moments(text, scene.at)[:1]:
        said = " ".join(text[moment.start : moment.stop].split())
        if re.search(r"\d{4}", said):
            attribute = "birthday" if moment.grain == "day" else "birth_year"
            value = f"{moment.at.day} {moment.at:%B} {moment.at.year}" if moment.grain == "day" else said
            yield _fact(scene, end, attribute, value, verb, importance=0.7)


# ------------------------------------------------------------------------------------------------ figures


_AMOUNT = r"(?P<value>[$€£¥]\s?\d[\d,]*(?:\.\d+)?\s?(?:k|m|bn|b|million|billion|thousand)?\b|\d[\d,]*(?:\.\d+)?\s?(?:%|percent|x\b|k\b|m\b)?)"
_METRIC = re.compile(
    r"\s*(?:(?:is|was|are|were|hit|hits|reached|at|of|went|dropped|rose|fell|climbed|jumped|grew|stands|stood|sits|averaged)\s+)"
    r"(?:(?:now|currently|at|to|above|below|over|under|up|down|about|around|from|only|just|almost|nearly|by)\s+)*"
    + _AMOUNT,
    re.IGNORECASE,
)


def _amounts(scene: Scene) -> Iterator[Finding]:
    """`CPA went above $48`, `a ROAS of 5.2`: the figure of a metric that is named."""
    for name in scene.names:
        if name.kind != "metric":
            continue
        last = scene.words[name.end - 1]
        match = _METRIC.match(scene.passage.text, last.stop)
        verb = next((word for word in (last, *last.above()) if word.pos in {"VERB", "AUX"}), None)
        if match is None or (verb is not None and claim(scene, verb) != "holds"):
            continue
        yield _fact(scene, scene.end(name), "value", " ".join(match["value"].split()), verb or last, importance=0.6)
