"""What was decided without the word for it: from now on, that's settled, instead of, turned down,
stick with, let's go with.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from factbook.extract.local import cues
from factbook.extract.local.parse import Word
from factbook.extract.local.rules.segments import before, main_verb, segments, stated, trimmed
from factbook.extract.local.rules.truth import is_asked, is_negated
from factbook.extract.local.rules.wording import (
    EXPLICIT,
    STATED,
    holds,
    is_done,
    over,
    reason,
    statement,
)
from factbook.extract.local.scene import Scene, Statement

_OURS = frozenset({"i", "we"})
_FROM_NOW = re.compile(
    r"\b(?:from (?:now|today|here|this (?:day|week|month)|next (?:week|month|year)|tomorrow) on(?:wards?)?|going forward|"
    r"moving forward|henceforth|effective immediately)\b",
    re.IGNORECASE,
)
_SETTLED = re.compile(
    r"^\W*(?:and |so |ok(?:ay)?,? )*(?:(?:(?:that|it|this)(?:'s| is|s| was| has been)|(?:we|we've|we're|we are|all)(?: all)?|everyone|"
    r"(?:\w+,? (?:and|&) )(?:i|me)(?: have| both)?)\s+(?:now |all |finally |already )*(?:settled|decided|final|agreed|a done deal|"
    r"in agreement|been decided|been agreed)(?: (?:then|now|with \w+))?|decided|settled|agreed|final decision|final answer|"
    r"end of discussion|no more discussions?(?: about .*)?|case closed|done deal|deal)"
    r"(?: (?:on|to|about) (?:it|that|this))?(?: (?:yesterday|today|last \w+|this \w+|on \w+day|now))?\W*$",
    re.IGNORECASE,
)
_REJECTS = frozenset("reject decline veto".split())
_PARTS = {
    "turn": "down",
    "rule": "out",
    "call": "off",
    "shoot": "down",
    "phase": "out",
    "vote": "down",
}
_DROPS = frozenset(
    "drop scrap cancel abandon shelve kill axe postpone discontinue sunset ditch pause discard".split()
)
_PLANS = frozenset(
    """plan idea project feature offer proposal launch contract subscription migration meeting event trip option approach
    rewrite redesign campaign order release vendor tool product candidate support service design strategy account supplier
    wedding party membership program programme experiment test bid""".split()
)
_STAYS = {"stick": ("with",), "stay": ("with",), "settle": ("on",), "go": ("with",), "land": ("on",)}  # fmt: skip
_CHANGES = frozenset(
    """use go take build buy move hire write ship keep switch choose deploy run make host rent get order do start open
    sell launch store send pay adopt book""".split()
)


def announced(scene: Scene, segment: Sequence[Word]) -> Iterator[Statement]:
    """The decision that a clause announces, or closes the matter of."""
    text = _text(scene, segment)
    if _SETTLED.match(text):
        yield from _the_one_before(scene, segment)
    elif match := _FROM_NOW.search(text):
        yield from _from_now_on(scene, segment, match)
    elif _MIND.match(text):
        yield from _the_one_after(scene, segment)
    elif segment[0].lower in {"let", "lets"}:
        yield from _proposed(scene, segment)


def settled(scene: Scene, word: Word) -> Iterator[Statement]:
    """The decision that a verb states: to turn down, to stay with, to do instead."""
    if word.pos == "VERB" and is_negated(word) and _wont(scene, word):
        first = min(
            (each.i for each in word.children if each.dep in {"aux", "neg"}), default=word.i
        )
        found = statement(scene, "decision", word, STATED + 0.1, reason(scene, word))
        yield replace(found, start=scene.characters(first, first + 1)[0])
    if word.pos != "VERB" or is_negated(word) or not holds(scene, word):
        return
    if (
        _is_given_up(word)
        or _switches(scene, word)
        or _turns_down(scene, word)
        or _instead(word)
        or _stays(scene, word)
        or _is_chosen(word)
    ):
        yield statement(
            scene,
            "decision",
            word,
            EXPLICIT if is_done(word) else STATED + 0.1,
            reason(scene, word),
        )


def _the_one_before(scene: Scene, segment: Sequence[Word]) -> Iterator[Statement]:
    """`we sell the boat` before `that's settled`."""
    told = before(scene, segment)
    verb = main_verb(told) if told else None
    if verb is None or _SETTLED.match(_text(scene, told)):
        return
    if stated(scene, told) or verb.head is not verb:
        first, last = trimmed(told)
        yield over(scene, "decision", first, last, EXPLICIT, reason(scene, verb))


def _text(scene: Scene, segment: Sequence[Word]) -> str:
    return scene.passage.text[segment[0].start : segment[-1].stop].replace("’", "'")


_MIND = re.compile(
    r"^\W*(?:(?:i|we)(?:'ve| have)? )?(?:finally )?made up (?:my|our) minds?\W*$|^\W*it(?:'s| is) (?:now )?official\W*$",
    re.IGNORECASE,
)


def _the_one_after(scene: Scene, segment: Sequence[Word]) -> Iterator[Statement]:
    """`I'm buying the blue one` after `made up my mind`."""
    later = [each for each in segments(scene.sentence_of(segment[0])) if each[0].i > segment[-1].i]
    if later and stated(scene, later[0]):
        yield over(scene, "decision", *trimmed(later[0]), EXPLICIT)


def _from_now_on(
    scene: Scene, segment: Sequence[Word], match: re.Match[str]
) -> Iterator[Statement]:
    """`we write in English` after `from now on`: a rule for us; a command to who reads it is a
    preference.
    """
    start, stop = segment[0].start + match.start(), segment[0].start + match.end()
    rest = [word for word in segment if word.start >= stop or word.stop <= start]
    verb = main_verb(rest)
    if verb is None or any(
        word.lower in {"if", "could", "would", "might", "should", "maybe", "can"} for word in rest
    ):
        return
    rest = [word for word in rest if word.start >= stop] if rest[-1].start >= stop else rest
    subject = next((word for word in rest if word.dep in {"nsubj", "nsubjpass"}), None)
    commanded = subject is None and verb.tag in {"VB", "VBP"}
    if (subject is None and not commanded) or (
        subject is not None and subject.lower in {"you", "it"}
    ):
        return
    first, last = trimmed(rest)
    if last - first >= 2:
        yield over(scene, "preference" if commanded else "decision", first, last, EXPLICIT)


def _proposed(scene: Scene, segment: Sequence[Word]) -> Iterator[Statement]:
    """`let's go with B`: said by one who closes the matter."""
    verb = next(
        (word for word in segment if word.pos == "VERB" and word.lemma not in {"let", "lets"}), None
    )
    if (
        verb is None
        or verb.lemma not in {"go", "stick", "settle"}
        or verb.i > segment[0].i + 3
        or is_negated(verb)
    ):
        return
    following = [word for word in verb.children_by("prep") if word.lower in _STAYS[verb.lemma]]
    chosen = [thing for word in following for thing in word.children_by("pobj")]
    trip = any(
        word.lower in {"to", "into"} for word in verb.children_by("prep") if word not in following
    )
    if chosen and chosen[0].pos != "PRON" and not trip and not _is_human(scene, chosen[0]):
        yield statement(scene, "decision", verb, STATED, {})


def _turns_down(scene: Scene, verb: Word) -> bool:
    """`we've turned down the offer`, `we scrapped the redesign`; not `I dropped the plate`."""
    subject = verb.child("nsubj")
    if not is_done(verb) or subject is None or subject.lower not in _OURS:
        return False
    chosen = [*verb.children_by("dobj")]
    particle = verb.child("prt")
    if not chosen or chosen[0].pos == "PRON":
        return False
    if particle is not None:
        return _PARTS.get(verb.lemma) == particle.lower
    if verb.lemma in _REJECTS:
        return True
    name = scene.name_at(chosen[0])
    return verb.lemma in _DROPS and (
        chosen[0].lemma in _PLANS
        or (name is not None and name.kind in {"project", "product", "technology", "campaign"})
    )


def _instead(verb: Word) -> bool:
    """`we're using Vite instead of Webpack`."""
    subject = verb.child("nsubj")
    if (
        verb.lemma not in _CHANGES
        or subject is None
        or subject.lower not in _OURS
        or verb.dep in {"relcl", "advcl"}
    ):
        return False
    near = [*verb.children, *(child for word in verb.children for child in word.children)]
    return any(word.lower == "instead" and word.i > verb.i for word in near)


_ENDED = frozenset("renew extend continue pursue attend reorder rebook".split())


def _wont(scene: Scene, verb: Word) -> bool:
    """`we won't renew the contract`, `I'm not renewing my membership`."""
    subject, objects = verb.child("nsubj"), verb.child("dobj")
    aux = {word.lower for word in verb.children_by("aux")}
    said = aux & {"wo", "will"} or (verb.tag == "VBG" and aux & {"am", "'m", "are", "'re"})
    ours = subject is not None and subject.lower in _OURS and not is_asked(scene, verb)
    return (
        verb.lemma in _ENDED
        and ours
        and objects is not None
        and bool(said)
        and verb.dep in {"ROOT", "conj"}
    )


def _is_given_up(verb: Word) -> bool:
    """`we're dropping support for it`: what is under way."""
    subject, objects = verb.child("nsubj"), verb.child("dobj")
    going = verb.tag == "VBG" and any(
        word.lower in {"are", "'re", "am", "'m"} for word in verb.children_by("aux")
    )
    ours = subject is not None and subject.lower in _OURS
    return (
        going and ours and objects is not None and verb.lemma in _DROPS and objects.lemma in _PLANS
    )


def _switches(scene: Scene, verb: Word) -> bool:
    """`we are switching to four-day weeks`."""
    subject = verb.child("nsubj")
    going = verb.tag == "VBG" and any(
        word.lower in {"are", "'re", "am", "'m"} for word in verb.children_by("aux")
    )
    to = [
        each
        for word in verb.children_by("prep")
        if word.lower == "to"
        for each in word.children_by("pobj")
    ]
    ours = subject is not None and subject.lower in _OURS and verb.dep in {"ROOT", "conj", "ccomp"}
    return (
        verb.lemma in {"switch", "migrate"}
        and going
        and ours
        and bool(to)
        and not _is_human(scene, to[0])
    )


def _stays(scene: Scene, verb: Word) -> bool:
    """`sticking with Postgres`, `we'll stick with it`, `we settled on Friday`."""
    after = [
        word
        for word in verb.children_by("prep")
        if word.lower in _STAYS.get(verb.lemma, ()) and word.i == verb.i + 1
    ]
    thing = after[0].child("pobj") if after else None
    if thing is None or thing.pos not in {"NOUN", "PROPN", "X"}:
        return False
    if _is_human(scene, thing) or thing.lemma in {"plan", "subject", "topic", "story"}:
        return False
    subject = verb.child("nsubj")
    ours = (
        subject.lower in _OURS if subject is not None else verb.dep == "ROOT" and verb.tag == "VBG"
    )
    if verb.lemma == "go":
        return (
            ours
            and verb.tag in {"VBG", "VB"}
            and after[0].lower == "with"
            and (subject is None or verb.tag == "VB")
        )
    if verb.lemma == "land":
        return ours and verb.tag in {"VBG", "VBD", "VBN"}
    return ours and verb.tag in {"VBG", "VB"}


def _is_human(scene: Scene, thing: Word) -> bool:
    """Someone with whom one goes or stays, rather than what one chooses."""
    name = scene.name_at(thing)
    if name is not None:
        return name.kind in {"person", "place"}
    return thing.lemma in cues.KIN or thing.lemma in cues.SUPERIORS or thing.lemma in {"kid", "child", "family", "people", "team", "guy"}  # fmt: skip


def _is_chosen(verb: Word) -> bool:
    """`Falcon was chosen over Eagle`, `the second draft was picked for the cover`."""
    if (
        verb.child("auxpass") is None
        or verb.lemma not in {"choose", "pick", "select"}
        or not is_done(verb)
    ):
        return False
    return any(
        word.lower in {"over", "for", "as"} for word in verb.children_by("prep")
    ) and verb.dep in {
        "ROOT",
        "conj",
    }
