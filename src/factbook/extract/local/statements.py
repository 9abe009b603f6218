"""Decisions, preferences, pain points and tasks: clauses that an agent should come back to, by the words that cue them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from factbook.extract.local.parse import Word
from factbook.extract.local.scene import Finding, Scene, Statement
from factbook.extract.local.truth import claim, is_asked, is_negated
from factbook.extract.local.validity import is_future, is_past, is_perfect
from factbook.text.when import moments

EXPLICIT, STATED, MENTIONED = 0.9, 0.7, 0.5
"""Importance: said in so many words, said in passing, or a small thing."""

LONGEST = 24
"""Words of a statement."""

_DECIDE = frozenset("decide choose opt settle agree resolve".split())
_PICK = frozenset("pick select finalize standardize".split())
_ADOPT = frozenset("adopt introduce implement".split())
_RULES = frozenset(
    """convention approach standard policy framework tool strategy process method practice plan model format workflow
    methodology guideline rule schedule library architecture pattern system stack""".split()
)
"""What one adopts by a decision; children and puppies are adopted too."""
_PREFER = frozenset("prefer favor favour".split())
_HATE = frozenset("hate dislike detest loathe".split())
_COMMIT = frozenset("promise commit pledge vow".split())
_NEED = frozenset("need have must got".split())
_TROUBLE = frozenset("struggle suffer".split())
_TROUBLE_NOUNS = frozenset(
    "problem issue bottleneck challenge headache obstacle blocker pain frustration nightmare".split()
)
_ANNOYED = frozenset("annoying frustrating painful frustrated annoyed tedious unreliable flaky".split())

_SMALL = frozenset(
    """be see think keep know hope love like want miss remember say tell talk hear feel wait look stay enjoy forget mean
    need take come have get make give go let guess admit bet believe always never cherish support appreciate stick
    treasure cheer""".split()
)
"""Verbs of which `I'll …` is mostly a turn of speech (`I'll see`, `I'll be there`)."""

_SMALL_NEEDS = frozenset("be say admit know see go get have think tell keep take try find make let ask wait do".split())


def statements(scene: Scene) -> Iterator[Finding]:
    """The statements of a scene, at most one of a kind a clause."""
    found: dict[tuple[str, int], Statement] = {}
    for word in scene.words:
        for each in _cued(scene, word):
            if each.stop > each.start:
                found.setdefault((each.kind, each.start), each)
    decided = [(each.start, each.stop) for each in found.values() if each.kind == "decision"]
    for each in found.values():
        within = any(start <= each.start and each.stop <= stop for start, stop in decided)
        if each.kind != "task" or not within:
            yield each


def _cued(scene: Scene, word: Word) -> Iterator[Statement]:
    if is_asked(scene, word):
        return
    yield from _decisions(scene, word)
    yield from _preferences(scene, word)
    yield from _tasks(scene, word)
    yield from _pain_points(scene, word)


# ------------------------------------------------------------------------------------------------ decisions


def _decisions(scene: Scene, word: Word) -> Iterator[Statement]:
    if word.pos == "VERB":
        if word.lemma in _DECIDE and _is_done(word) and _may_hold(scene, word):
            content = _content(word, "on", "to", "for", "against")
            if content is not None and (word.lemma not in {"agree", "choose"} or _agreed(word, content)):
                yield _statement(scene, "decision", content, EXPLICIT, _reason(scene, word))
        elif _picks(word) and _is_done(word) and _by_us(word) and _may_hold(scene, word):
            yield _statement(scene, "decision", word, STATED, _reason(scene, word))
        elif word.lemma == "go" and _goes_with(word) and _may_hold(scene, word):
            yield _statement(scene, "decision", word, EXPLICIT, _reason(scene, word))
        elif word.tag == "VBG" and (_picks(word) or word.lemma in {"switch", "move", "migrate"}) and _opens(word):
            yield _statement(scene, "decision", word, STATED, _reason(scene, word))
    elif word.lower in {"decision", "decisions"} and word.pos == "NOUN" and _announces(scene, word):
        yield from _announced(scene, word, "decision", EXPLICIT)


def _picks(verb: Word) -> bool:
    """`picked Acme for the job`, `adopted the same convention`; not `picked up a book`, `adopted a puppy`."""
    chosen = verb.child("dobj")
    if verb.child("prt") or chosen is None:
        return False
    if verb.lemma in _PICK:
        return _for_a_purpose(verb) or verb.lemma in {"finalize", "standardize"}
    return verb.lemma in _ADOPT and chosen.lemma in _RULES


def _is_done(verb: Word) -> bool:
    """`decided`, `have decided`, `Decided to …`; not `decides`, `to decide`."""
    return not is_negated(verb) and (verb.tag in {"VBD", "VBN"} or is_past(verb) or is_perfect(verb))


def _may_hold(scene: Scene, verb: Word) -> bool:
    return claim(scene, verb) == "holds"


def _agreed(verb: Word, content: Word) -> bool:
    """Agreeing and choosing decide something only where it follows what (`chose to wait`, `chose Ana for it`)."""
    return _by_us(verb) and (content.pos in {"VERB", "AUX"} or (verb.lemma == "choose" and _for_a_purpose(verb)))


def _for_a_purpose(verb: Word) -> bool:
    return any(each.lower in {"for", "as", "over"} for each in verb.children_by("prep"))


def _by_us(verb: Word) -> bool:
    subject = verb.child("nsubj", "nsubjpass")
    return subject is None or subject.lower not in {"you", "who", "what", "that", "it", "they"}


def _goes_with(verb: Word) -> bool:
    """`we're going with X`, `went with X`; not `I'm going there with Ana`."""
    if is_negated(verb) or verb.tag not in {"VBG", "VBD", "VBN"}:
        return False
    subject = verb.child("nsubj")
    chosen = [
        word
        for each in verb.children_by("prep")
        if each.lower == "with" and each.i == verb.i + 1
        for word in each.children_by("pobj")
    ]
    ours = subject is not None and subject.lower in {"we", "i"}
    return bool(chosen) and ours and _is_thing(chosen[0])


def _is_thing(word: Word) -> bool:
    return word.pos in {"NOUN", "PROPN", "X"} and word.lower not in {"friends", "family", "people"}


def _opens(verb: Word) -> bool:
    """`Adopting the same rule.`: how a log begins what was decided."""
    return verb.dep == "ROOT" and not verb.child("nsubj", "aux") and not is_negated(verb)


def _announces(scene: Scene, noun: Word) -> bool:
    following = scene.words[noun.i + 1] if noun.i + 1 < len(scene.words) else None
    if following is None:
        return False
    final = any(word.lower == "final" for word in noun.children_by("amod"))
    return following.text == ":" or following.lower == "made" or final


def _announced(scene: Scene, noun: Word, kind: str, importance: float) -> Iterator[Statement]:
    """What follows `Decision:`, or the sentence in which the decision is spoken of."""
    sentence = scene.sentence_of(noun)
    if is_negated(noun.head) or any(
        word.pos == "VERB" and (word.lemma in _DECIDE | _PICK or (word.lemma == "go" and _goes_with(word)))
        for word in sentence
    ):
        return  # a verb says it better
    colon = next((word for word in sentence if word.text == ":" and word.i > noun.i), None)
    first = colon.i + 1 if colon is not None else sentence[0].i
    last = min(sentence[-1].i + 1, first + LONGEST)
    yield from _between(scene, kind, first, last, importance)


# ------------------------------------------------------------------------------------------------ preferences


def _preferences(scene: Scene, word: Word) -> Iterator[Statement]:
    present = word.pos == "VERB" and not is_past(word)
    if word.dep in {"advmod", "neg"} and _says_how(word):
        found = _statement(scene, "preference", word.head, EXPLICIT, {})
        if word.lower == "never" and word.i < word.head.i:
            found = replace(found, start=scene.characters(word.i, word.i + 1)[0])
        yield found
    elif present and word.lemma in _PREFER:
        subject = word.child("nsubj")
        whose = subject is None or subject.lower not in {"they", "you", "it", "who", "that", "people"}
        if whose and not is_negated(word) and (_may_hold(scene, word) or _would(word)):
            yield _preferred(scene, word)
    elif present and word.lemma in _HATE and _may_hold(scene, word):
        yield from _hated(scene, word)
    elif present and word.lemma == "want" and _may_hold(scene, word) and _wants_so(scene, word):
        yield _statement(scene, "preference", _content(word) or word, STATED, {})


def _says_how(word: Word) -> bool:
    """`always answer briefly`, `never use emojis`, `I'd rather wait`."""
    if word.lower == "rather":
        return word.head.pos == "VERB" and _would(word.head)
    return word.lower in {"always", "never"} and _instructs(word.head)


def _hated(scene: Scene, verb: Word) -> Iterator[Statement]:
    """`I hate long paragraphs`; what others hate is a relation."""
    subject, content = verb.child("nsubj"), _content(verb)
    if subject is not None and subject.lower in {"i", "we"} and content is not None and content.pos != "PRON":
        yield _statement(scene, "preference", content, STATED, {})


def _preferred(scene: Scene, verb: Word) -> Statement:
    """`tea over coffee`: what is preferred, with what it is preferred to."""
    content = _content(verb) or verb
    found = _statement(scene, "preference", content, EXPLICIT, {})
    over = next(
        (each for each in verb.children_by("prep") if each.lower in {"over", "to"} and each.i > content.i), None
    )
    if over is not None and content is not verb:
        found = replace(found, stop=scene.characters(over.i, over.subtree()[-1].i + 1)[1])
    return found


def _would(verb: Word) -> bool:
    return any(word.dep == "aux" and word.lower in {"would", "'d", "d"} for word in verb.children)


def _instructs(verb: Word) -> bool:
    """`please always answer briefly`, `never use emojis`; not `Never give up!`, `they always make us smile`."""
    alone = verb.tag in {"VB", "VBP"} and not verb.child("nsubj", "nsubjpass", "aux") and verb.dep in {"ROOT", "ccomp"}
    return alone and verb.lemma not in _CHEERS and verb.head.lemma not in {"make", "let"}


_CHEERS = frozenset("give mind forget say stop lose look be remember know underestimate hear quit".split())


def _wants_so(scene: Scene, verb: Word) -> bool:
    """`she wants a summary, not a table`: a wish that says how, by what it excludes."""
    rest = [word for word in scene.sentence_of(verb) if word.i > verb.i]
    for word in rest:
        before = scene.words[word.i - 1]
        if word.lower == "not" and before.text in {",", "—", "–", "-"}:
            return True
        if word.lower == "rather" and word.i + 1 < len(scene.words) and scene.words[word.i + 1].lower == "than":
            return True
    return False


# ------------------------------------------------------------------------------------------------ tasks


def _tasks(scene: Scene, word: Word) -> Iterator[Statement]:
    if word.pos not in {"VERB", "AUX"} and word.lower not in _SAID:
        return
    if word.lower in _SAID and (promised := _promised(scene, word)):
        yield _statement(scene, "task", promised, 0.8, _deadline(scene, promised))
        return
    if word.lemma in _COMMIT and not is_negated(word) and (_is_done(word) or word.tag in {"VBG", "VBP"}):
        content = _content(word, "to")
        finite = word.dep in {"ROOT", "conj", "ccomp", "parataxis"}
        if finite and content is not None and content.pos != "PRON" and content.lemma != "be" and _by_us(word):
            yield _statement(scene, "task", content, 0.8, _deadline(scene, word))
        return
    if word.lemma == "remind" and word.tag == "VB" and word.dep == "ROOT" and not word.child("nsubj"):
        content = word.child("xcomp", "ccomp")
        if content is not None and any(child.lower == "me" for child in word.children) and content.tag == "VB":
            yield _statement(scene, "task", content, 0.8, _deadline(scene, word))
        return
    if word.tag != "VB" or is_negated(word):
        return
    if is_future(word) and _by_speaker(word) and not _is_hedged(word):
        deadline = _deadline(scene, word)
        if word.pos != "VERB" or (word.lemma == "add" and "list" in {each.lower for each in word.subtree()}):
            return
        if word.lemma not in _SMALL and _has_object(word):
            yield _statement(scene, "task", word, 0.8 if deadline else 0.6, deadline)
        elif deadline and word.lemma in {"have", "get", "give", "take", "make"} and _has_object(word):
            yield _statement(scene, "task", word, 0.7, deadline)
    elif _is_needed(word) and _has_object(word) and word.lemma not in _SMALL_NEEDS:
        yield _statement(scene, "task", word, 0.6, _deadline(scene, word))


_SAID = frozenset("promised promise told said confirmed assured agreed".split())


def _promised(scene: Scene, word: Word) -> Word | None:
    """`have` in `Promised Ana I'd have it ready by Friday`."""
    subject = word.child("nsubj")
    if is_negated(word) or (subject is not None and subject.lower not in {"i", "we"}):
        return None
    for verb in scene.sentence_of(word):
        subject = verb.child("nsubj")
        aux = {each.lower for each in verb.children_by("aux")}
        mine = subject is not None and subject.i > word.i and subject.lower in {"i", "we"}
        if mine and verb.tag == "VB" and aux & {"'d", "would", "'ll", "will"} and not is_negated(verb):
            return verb if verb.lemma != "be" else None
    return None


def _by_speaker(verb: Word) -> bool:
    """`I'll send`, `we will send`, `Will send`."""
    head = verb
    while head.dep in {"xcomp", "conj"} and not head.child("nsubj"):
        head = head.head
    if head.dep in {"relcl", "advcl"}:
        return False
    subject = head.child("nsubj")
    return subject.lower in {"i", "we"} if subject is not None else head.dep == "ROOT"


def _is_hedged(verb: Word) -> bool:
    chain = (verb, *verb.above())
    return any(
        child.lower in {"maybe", "perhaps", "probably", "hopefully", "if", "never"}
        or (child.dep == "advcl" and child.child("mark") is not None and child.children[0].lower == "if")
        for word in chain
        for child in word.children
        if child.dep in {"advmod", "mark", "advcl", "neg"}
    )


def _has_object(verb: Word) -> bool:
    objects = [
        *verb.children_by("dobj"),
        *(word for each in verb.children_by("prep") for word in each.children_by("pobj")),
    ]
    return any(word.pos in {"NOUN", "PROPN", "X", "NUM"} for word in objects)


def _is_needed(verb: Word) -> bool:
    """`I need to send`, `we have to fix`."""
    head = verb.head
    if verb.dep != "xcomp" or head.lemma not in _NEED or is_past(head) or is_negated(head) or head.tag == "VBD":
        return False
    subject = head.child("nsubj")
    return subject is not None and subject.lower in {"i", "we"} and not _is_hedged(head) and not head.child("aux")


def _deadline(scene: Scene, verb: Word) -> Mapping[str, str]:
    sentence = scene.sentence_of(verb)
    text = scene.passage.text[sentence[0].start : sentence[-1].stop]
    found = moments(text, scene.at, "future")
    found = [moment for moment in found if moment.until > scene.at]
    if not found:
        return {}
    moment = found[-1]
    day = moment.at.date().isoformat() if moment.grain == "day" else " ".join(text[moment.start : moment.stop].split())
    return {"deadline": day}


# ------------------------------------------------------------------------------------------------ pain points


def _pain_points(scene: Scene, word: Word) -> Iterator[Statement]:
    if word.lemma in _TROUBLE_NOUNS and word.pos == "NOUN" and word.dep == "nsubj" and word.head.lemma == "be":
        if word.child("amod", "poss", "compound") is not None and _may_hold(scene, word.head):
            content = word.head.child("ccomp", "attr", "advcl")
            if content is not None:
                yield _statement(scene, "pain_point", content, STATED, {}, whole=True)
    elif word.lemma == "keep" and word.pos == "VERB" and _may_hold(scene, word):
        failing = word.child("xcomp")
        subject = word.child("nsubj")
        if failing is not None and failing.lemma in _FAILS and subject is not None and subject.pos != "PRON":
            yield _statement(scene, "pain_point", word, STATED, {}, whole=True)
    elif word.lemma in _TROUBLE and word.pos == "VERB" and _by_speaker(word) and _may_hold(scene, word):
        yield _statement(scene, "pain_point", word, STATED, {})
    elif word.lower in _ANNOYED and word.dep == "acomp" and word.head.lemma == "be" and _may_hold(scene, word.head):
        subject = word.head.child("nsubj")
        if subject is not None and subject.pos in {"NOUN", "PROPN"}:
            yield _statement(scene, "pain_point", word.head, STATED, {}, whole=True)


_FAILS = frozenset(
    "fail crash break time hang freeze stall disconnect restart drop leak flake error die stop lose".split()
)


# ------------------------------------------------------------------------------------------------ the words of it


def _content(verb: Word, *prepositions: str) -> Word | None:
    """What is decided, preferred, promised: the clause or noun that hangs on the verb."""
    for content in (*verb.children_by("xcomp", "ccomp"), *verb.children_by("dobj")):
        if content.i > verb.i:
            return content
    for each in verb.children_by("prep"):
        if each.lower in prepositions:
            return each.child("pobj", "pcomp")
    return None


def _statement(
    scene: Scene, kind: str, top: Word, importance: float, metadata: Mapping[str, str], *, whole: bool = False
) -> Statement:
    """The clause or phrase of a word as a statement. With `whole`, its subject belongs to it."""
    first = top.i
    if whole or top.pos not in {"VERB", "AUX"}:
        kept = [word for word in top.subtree() if word.i <= top.i and not _apart(word, top)]
        first = kept[0].i
        while first < top.i and scene.words[first].dep in {"det", "poss", "mark", "punct", "cc"}:
            first += 1
    last = first
    for word in top.subtree():
        if word.i > last and not _apart(word, top) and word.i - first < LONGEST:
            last = word.i
    cut = next(
        (word.i for word in scene.words[first + 1 : last + 1] if word.text in {";", ":", "—", "–", "("}), last + 1
    )
    last = cut - 1 if cut <= last else last
    while last > first and (
        scene.words[last].dep in {"punct", "cc", "mark"} or scene.words[last].pos in {"PUNCT", "SPACE"}
    ):
        last -= 1
    start, stop = scene.characters(first, last + 1)
    return Statement(kind=kind, start=start, stop=stop, importance=importance, metadata=metadata)


def _apart(word: Word, top: Word) -> bool:
    """Whether a word belongs to a clause of its own beside the one of `top`."""
    while word is not top:
        if (
            word.dep in {"advcl", "parataxis"}
            and word.head is top
            and not (word.child("mark") is None and word.tag == "VBG")
        ):
            return True
        if word.dep in {"conj", "cc", "appos", "dep"} and word.head is top and top.pos in {"VERB", "AUX"}:
            return True
        if word.dep == "appos" and word.i > 0 and word.subtree()[0].i > top.i:
            return True
        word = word.head
    return False


def _reason(scene: Scene, verb: Word) -> Mapping[str, str]:
    """`because …` in the same sentence."""
    sentence = scene.sentence_of(verb)
    for word in sentence:
        if word.lower in {"because", "since"} and word.dep in {"mark", "prep"} and word.i > verb.i:
            inside = [other for other in sentence if other.i > word.i]
            while inside and inside[-1].pos in {"PUNCT", "SPACE"}:
                inside.pop()
            if inside and word.dep == "mark":
                return {"rationale": " ".join(scene.passage.text[inside[0].start : inside[-1].stop].split())}
    return {}


def _between(scene: Scene, kind: str, first: int, last: int, importance: float) -> Iterator[Statement]:
    while last > first and scene.words[last - 1].pos in {"PUNCT", "SPACE"}:
        last -= 1
    while first < last and scene.words[first].pos in {"PUNCT", "SPACE"}:
        first += 1
    if first < last:
        start, stop = scene.characters(first, last)
        yield Statement(kind=kind, start=start, stop=stop, importance=importance)
