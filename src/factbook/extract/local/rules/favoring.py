"""Preferences by comparison and by refusal: better for me, more than, won't touch, not a fan of,
keep it short.
"""

from __future__ import annotations

from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.ends import people_in
from factbook.extract.local.rules.segments import segment_of, trimmed
from factbook.extract.local.rules.truth import is_asked, is_negated
from factbook.extract.local.rules.validity import is_past, used_to
from factbook.extract.local.rules.wording import EXPLICIT, STATED, holds, over, statement
from factbook.extract.local.scene import Scene, Statement

_LIKE = frozenset("like love enjoy".split())
_HATE = frozenset("hate dislike detest loathe despise".split())
_REFUSED = frozenset("touch eat drink wear use watch read".split())
_BEAR = frozenset("stand bear tolerate abide stomach".split())
_ME = frozenset({"me", "us"})
_BETTER = frozenset("better best easier easiest".split())
_MANNERS = frozenset(
    """emoji emojis jargon markdown bullet bullets tables headings headers abbreviations acronyms exclamation slang filler
    preamble disclaimers apologies hashtags footnotes bold italics passive small-talk spoilers""".split()
)
_SAYINGS = frozenset(
    """it things everything answer answers reply replies message messages response responses text texts email emails
    explanation explanations summary summaries sentences paragraphs tone language""".split()
)
_TEMPERS = frozenset(
    "morning night evening cat dog tea coffee beach mountain people visual indoor outdoor numbers".split()
)
"""`I'm a morning person`."""
_BRIEF = frozenset(
    "short brief simple concise formal informal casual crisp friendly plain polite light".split()
)


def favoring(scene: Scene, word: Word) -> Iterator[Statement]:
    """The preference that a verb states by comparing, refusing or asking for a manner."""
    if word.pos not in {"VERB", "AUX"} and word.lower != "no":
        return
    if _compares(scene, word) or _suits(scene, word) or _asks_for_manner(scene, word):
        first, last = trimmed(segment_of(scene, word))
        yield over(scene, "preference", first, last, EXPLICIT)
    elif _dislikes(scene, word) or _refuses(scene, word) or _is_fan(scene, word):
        found = statement(scene, "preference", word, STATED, {})
        first = min(
            (each.i for each in word.children_by("aux", "neg") if each.i < word.i), default=word.i
        )
        if word.lemma == "be":
            first += 1  # `not a fan of lists`
        others = [name for name in _whose(scene, word) if name != "self"]
        yield Statement(
            kind="preference",
            start=scene.characters(first, first + 1)[0],
            stop=found.stop,
            importance=STATED,
            metadata={"owner": others[0]} if others else {},
        )


def _whose(scene: Scene, verb: Word) -> list[str]:
    """The names of who has the taste, `self` for the speaker."""
    found: list[str] = []
    for word in _subjects(verb):
        for end in people_in(scene, word):
            said = scene.said(end.start, end.stop)
            found.append("self" if end.kind == "self" else end.name or " ".join(said.split()))
    return found


def _subjects(verb: Word) -> list[Word]:
    while verb.dep == "conj" and not verb.child("nsubj") and verb.head.pos in {"VERB", "AUX"}:
        verb = verb.head
    subject = verb.children_by("nsubj")
    return [*subject, *(below for word in subject for below in word.children_by("appos"))]


def _compares(scene: Scene, verb: Word) -> bool:
    """`I like tea better than coffee`, `I like the window seat best`."""
    if (
        verb.lemma not in _LIKE
        or is_past(verb)
        or not _whose(scene, verb)
        or not holds(scene, verb)
    ):
        return False
    below = [word for word in verb.subtree() if word.i > verb.i]
    ranked = [
        word
        for word in below
        if word.lower in {"better", "more", "best", "most"} and word.pos in {"ADV", "ADJ"}
    ]
    return any(
        word.lower in {"best", "most"} or word.child("prep", "mark", "advcl") for word in ranked
    )


def _suits(scene: Scene, verb: Word) -> bool:
    """`mornings are better for me`, `calls work best for me`, `Friday suits us better`."""
    if is_past(verb) or is_negated(verb) or not holds(scene, verb) or verb.child("nsubj") is None:
        return False
    ranks = [word for word in verb.children_by("acomp", "advmod", "attr") if word.lower in _BETTER]
    if verb.lemma == "suit":
        return bool(ranks) and any(word.lower in _ME for word in verb.children_by("dobj"))
    fors = [
        word for top in (verb, *ranks) for word in top.children_by("prep") if word.lower == "for"
    ]
    mine = any(each.lower in _ME for word in fors for each in word.children_by("pobj"))
    return verb.lemma in {"be", "work"} and bool(ranks) and mine


def _dislikes(scene: Scene, verb: Word) -> bool:
    """`Ivo hates okra`, `I don't like long calls`; what I hate is read with the preferences."""
    if verb.pos != "VERB" or is_past(verb) or used_to(verb):
        return False
    whose = _whose(scene, verb)
    content = verb.child("dobj", "xcomp")
    if not whose or content is None or content.i < verb.i or content.pos == "PRON":
        return False
    named = scene.name_at(content)
    if named is not None and named.kind == "person":
        return False
    if verb.lemma in _HATE or verb.lower == "hates":  # `hat` to the lemmatizer
        return whose[0] != "self" and holds(scene, verb)
    aux = {word.lower for word in verb.children_by("aux")}
    return (
        verb.lemma in {"like", "enjoy"}
        and is_negated(verb)
        and aux <= {"do", "does"}
        and _plain(scene, verb)
    )


def _plain(scene: Scene, verb: Word) -> bool:
    thought = verb.dep == "ccomp" and verb.i > verb.head.i
    return (
        not is_asked(scene, verb)
        and verb.dep in {"ROOT", "conj", "ccomp"}
        and not thought
        and not verb.child("mark")
    )


def _refuses(scene: Scene, verb: Word) -> bool:
    """`Ivo won't touch mushrooms`, `Ana can't stand olives`."""
    if verb.child("dobj") is None or not is_negated(verb) or not _plain(scene, verb):
        return False
    aux = {word.lower for word in verb.children_by("aux")}
    refused = (verb.lemma in _REFUSED and bool(aux & {"wo", "will"})) or (
        verb.lemma in _BEAR and bool(aux & {"ca", "can"})
    )
    return refused and bool(_whose(scene, verb))


def _is_fan(scene: Scene, verb: Word) -> bool:
    """`I'm not a fan of surprises`, `she's a big fan of lists`, `we're not into escape rooms`."""
    if verb.lemma != "be" or is_past(verb) or not _whose(scene, verb) or not _plain(scene, verb):
        return False
    fans = [word for word in verb.children_by("attr") if word.lemma == "fan"]
    of = [
        each
        for word in fans
        for on in word.children_by("prep")
        if on.lower == "of"
        for each in on.children
    ]
    if any(each.dep in {"pobj", "pcomp"} and each.pos != "PRON" for each in of):
        return True
    if any(
        word.lemma == "person" and word.child("compound", "amod", "nmod")
        for word in verb.children_by("attr")
    ):
        return any(
            word.lower in _TEMPERS for top in verb.children_by("attr") for word in top.children
        )
    return is_negated(verb) and any(word.lower == "into" for word in verb.children_by("prep"))


def _asks_for_manner(scene: Scene, word: Word) -> bool:
    """`keep your answers short`, `avoid jargon`, `no emojis please`."""
    if is_asked(scene, word):
        return False
    if word.lower == "no":
        asked = any(each.lower == "please" for each in scene.sentence_of(word))
        return asked and word.head.lower in _MANNERS and word.head.dep in {"ROOT", "conj", "appos"}
    if (
        word.tag not in {"VB", "VBP"}
        or word.child("nsubj")
        or word.dep not in {"ROOT", "conj", "ccomp"}
    ):
        return False
    if word.lemma == "keep":
        near = scene.words[word.i + 1 : word.i + 5]
        return any(each.lower in _BRIEF for each in near) and any(
            each.lower in _SAYINGS for each in near
        )
    shuns = word.lemma in {"avoid", "skip"} or (word.lemma in {"use", "add"} and is_negated(word))
    return shuns and any(each.lower in _MANNERS for each in word.subtree())
