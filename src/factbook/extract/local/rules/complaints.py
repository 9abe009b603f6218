"""Complaints: what is said with annoyance, breaks again and again, or still doesn't work; the
clause that tells it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.segments import before, main_verb, stated, trimmed
from factbook.extract.local.rules.truth import claim, is_negated
from factbook.extract.local.rules.validity import is_future, is_past
from factbook.extract.local.rules.wording import STATED, over
from factbook.extract.local.scene import Scene, Statement

_FAILS = frozenset(
    """fail crash break hang freeze stall disconnect leak flake error hurt ache lag glitch jam overheat corrupt misfire buffer
    time""".split()
)
_STOPS = frozenset("drop die stop restart reset vanish disappear skip".split())
"""What trains, leaves and people do as well: a fault only of a thing, and at odd times."""

_AGAIN = re.compile(
    r"\b(?:again(?: and again)?|every (?:\w+ )?(?:time|day|night|morning|week|month|hour|minutes?|hours|few|other|single|\w+)|"
    r"each time|whenever|constantly|always|all the time|repeatedly|over and over|randomly|twice|three times|"
    r"(?:second|third|fourth|fifth|nth) time|half the time|daily|non-?stop)\b",
    re.IGNORECASE,
)
_FAULTS = frozenset(
    {
        ("act", "up"),
        ("break", "down"),
        ("cut", "out"),
        ("time", "out"),
        ("go", "down"),
        ("shut", "down"),
    }
)
_STRONG = frozenset(
    "horrible terrible awful unbearable unusable dreadful appalling atrocious hopeless infuriating".split()
)
_PLAGUES = frozenset("nightmare mess disaster joke pain hassle headache shambles torture".split())
_AT_ODDS = re.compile(
    r"\b(?:again|every (?:\w+ )?(?:time|minutes?|hours|few|other|single|\d+)|each time|whenever|constantly|all the time|"
    r"repeatedly|over and over|randomly|half the time|non-?stop)\b",
    re.IGNORECASE,
)
_OUTCRY = re.compile(
    r"^\W*(?:and\s+|but\s+)?(?:(?:it|this|that)(?:'s| is|s)?\s+)?(?:just\s+|really\s+|so\s+|super\s+|very\s+|pretty\s+|"
    r"incredibly\s+|extremely\s+|beyond\s+|too\s+|such an?\s+|what an?\s+|an? (?:real |total |complete |absolute )?)*"
    r"(?:annoying|frustrating|infuriating|exhausting|maddening|ridiculous|unacceptable|unbearable|tedious|aggravating|"
    r"nightmare|mess|disaster|joke|hassle|headache|pain(?: in the \w+)?|waste of (?:time|money)|rip-?off|torture|shame)\W*$",
    re.IGNORECASE,
)
_HAD_ENOUGH = re.compile(
    r"\b(?:(?:tired|sick|sick and tired) of|fed up(?: with)?|had enough(?: of)?|(?:'ve|have|'s|has|ve) had it\b(?! \w)|"
    r"at my wits'? end|losing my (?:mind|patience)|lost my patience|over it\b|can't take (?:it|this|any ?more))",
    re.IGNORECASE,
)
_TORMENTS = re.compile(
    r"\b(?:(?:killing|bugging|annoying|annoys|annoy|bugs|frustrates|irritates|stresses|pisses|pissing|stressing|wearing|wears|"
    r"bothers|bothering) (?:me|us|everyone|everybody|the (?:whole )?team)"
    r"|driv(?:es?|ing) \w+ (?:\w+ )?(?:crazy|mad|nuts|insane|up the wall|bonkers|round the bend)"
    r"|(?:gets?|getting) on (?:my|our) nerves)\b",
    re.IGNORECASE,
)
_UNHAPPY = re.compile(
    r"(?:\bnot (?:so |very |really |too |exactly |at all )?(?:happy|thrilled|pleased|impressed|amused)|n't (?:happy|thrilled|"
    r"pleased|impressed)|\bunhappy|\bdisappointed|\bdissatisfied|\bappalled)\s+(?:about|with|by|at|that|in)\b",
    re.IGNORECASE,
)
_HATED = re.compile(
    r"\b(?:everyone|everybody|(?:the )?whole (?:team|office|family|class)|(?:our|the|all|my) (?:users|customers|clients|"
    r"colleagues|kids|team|staff|devs|developers|patients|students))(?: (?:in|on|at|from) (?:the )?\w+)? (?:hates?|"
    r"complains?|complained|dreads?|can't stand|is complaining|are complaining)\b"
    r"|\b(?:nobody|no one|no-one)(?: \w+){0,3} (?:likes|uses|understands|can use|wants to use)\b",
    re.IGNORECASE,
)
_BAD = frozenset(
    """slow buggy clunky confusing laggy noisy loud complicated unreliable flaky cumbersome messy broken bad terrible awful
    horrible unusable sluggish outdated overcomplicated bloated stressful chaotic painful annoying tedious cramped hard
    difficult""".split()
)
_TOO = frozenset(
    "so too really very super painfully way extremely insanely unbearably incredibly terribly ridiculously".split()
)
_ME = frozenset({"i", "we", "you", "u"})


def complaints(scene: Scene, segment: Sequence[Word]) -> Iterator[Statement]:
    """What a clause complains of, in its own words or in those of the clause before."""
    text = scene.passage.text[segment[0].start : segment[-1].stop].replace("’", "'")
    told = _told(scene, segment, text)
    if told:
        first, last = trimmed(told)
        if last - first >= 2:
            yield over(scene, "pain_point", first, last, STATED)


def _told(scene: Scene, segment: Sequence[Word], text: str) -> Sequence[Word]:
    """The clause that tells the trouble: this one, or where this is only an outcry the one
    before.
    """
    if _is_never_again(segment, text):
        return segment
    verb = main_verb(segment)
    if _OUTCRY.match(text):
        earlier = before(scene, segment)
        return earlier if earlier and stated(scene, earlier) and not _is_wish(earlier) else ()
    if _UNHAPPY.search(text) and not (
        verb is not None and (claim(scene, verb) == "open" or is_past(verb))
    ):
        return segment
    if (
        verb is None
        or is_future(verb)
        or (claim(scene, verb) == "open" and not _stands_apart(segment, verb))
    ):
        return ()
    if match := _HAD_ENOUGH.search(text):
        if _is_denied(text, match.start()) or is_past(verb):
            return ()
        return _of_what(scene, segment, text[match.end() :])
    if is_past(verb) and not _AGAIN.search(text):
        return ()
    if not _is_trouble(segment, verb, text):
        return ()
    subject = verb.child("nsubj")
    later = any(word.i > verb.i for word in verb.children_by("ccomp", "xcomp", "advcl"))
    vague = subject is not None and subject.lower in {"it", "this", "that"} and not later
    return _before_or(scene, segment) if vague and _TORMENTS.search(text) else segment


def _stands_apart(segment: Sequence[Word], verb: Word) -> bool:
    """`…, the noise is killing me` after a wish, on which the parser hangs it."""
    apart = segment[0].text == "," and verb.dep == "ccomp" and verb.head.i < segment[0].i
    return apart and verb.child("nsubj") is not None and not verb.child("mark") and verb.tag != "VB"


def _of_what(scene: Scene, segment: Sequence[Word], rest: str) -> Sequence[Word]:
    """The clause itself if it says of what one has had enough, else the one before."""
    words = re.findall(r"[\w']+", rest.lower())
    if words and words[0] not in {"it", "this", "that", "them"}:
        return segment
    return _before_or(scene, segment)


def _before_or(scene: Scene, segment: Sequence[Word]) -> Sequence[Word]:
    earlier = before(scene, segment)
    return earlier if earlier and stated(scene, earlier) else segment


def _is_trouble(segment: Sequence[Word], verb: Word, text: str) -> bool:
    subject = (
        verb.child("nsubj", "nsubjpass", "compound", "poss")
        if verb.pos == "NOUN"
        else verb.child("nsubj", "nsubjpass")
    )
    other = subject is not None and subject.lower not in _ME
    lower = [word.lower for word in segment]
    if match := _TORMENTS.search(text):
        return other and not _is_denied(text, match.start())
    if _HATED.search(text):
        return True
    if verb.lemma == "dread" and not is_negated(verb):
        return True
    if other and (_fails(verb, subject, text) or _loses(verb)):
        return bool(_AGAIN.search(text))
    particle = verb.child("prt")
    if particle is not None and (verb.lemma, particle.lower) in _FAULTS and not is_negated(verb):
        return other and bool(_AGAIN.search(text))
    if (
        "never" in lower
        and verb.lemma in _ANSWERS
        and other
        and subject is not None
        and subject.pos == "NOUN"
    ):
        return not is_past(verb)
    if (
        "still" in lower
        and is_negated(verb)
        and other
        and subject is not None
        and subject.pos != "PRON"
    ):
        return verb.lemma not in {
            "know",
            "be",
            "care",
            "want",
            "like",
            "sure",
            "think",
            "understand",
            "believe",
        }
    if (
        verb.lemma in {"work", "load", "sync", "connect", "open", "respond"}
        and is_negated(verb)
        and other
    ):
        return (
            subject is not None
            and subject.pos == "NOUN"
            and subject.tag in {"NN", "NNP"}
            and _is_thing(subject)
        )
    if verb.lemma == "take" and ({"forever", "ages"} & set(lower) or "too long" in text.lower()):
        return other and subject is not None and subject.pos != "PRON"
    return _is_bad(verb, subject)


def _is_time(word: Word | None) -> bool:
    """Nothing, or the time that the parser takes for an object (`drops every ten minutes`)."""
    return word is None or word.lemma in {
        "minute",
        "hour",
        "day",
        "week",
        "time",
        "month",
        "night",
        "morning",
        "second",
    }


_ANSWERS = frozenset("answer reply respond work load update sync arrive".split())


def _is_thing(subject: Word) -> bool:
    return not any(word.lower in {"no", "every"} for word in subject.children)


def _fails(verb: Word, subject: Word | None, text: str) -> bool:
    """`the build breaks`, `the wifi drops every ten minutes`; not `the leaves drop every
    autumn`.
    """
    lemma = verb.lower.rstrip("s") if verb.pos == "NOUN" else verb.lemma
    if (
        is_negated(verb)
        or verb.child("prt") is not None
        or not _is_time(verb.child("dobj"))
        or subject is None
    ):
        return False
    if lemma in _STOPS:
        thing = subject.pos in {"NOUN", "PROPN"} and subject.tag in {"NN", "NNP"}
        return thing and bool(_AT_ODDS.search(text)) and not verb.child("agent")
    return lemma in _FAILS and subject.lower not in {"he", "she", "they"}


def _loses(verb: Word) -> bool:
    """`the bank lost our papers twice`, `the app deletes my drafts every time`."""
    return (
        verb.lemma in {"lose", "delete", "drop", "overwrite", "skip", "break", "duplicate"}
        and not is_negated(verb)
        and any(
            child.lower in {"my", "our"}
            for word in verb.children_by("dobj")
            for child in word.children
        )
    )


def _is_bad(verb: Word, subject: Word | None) -> bool:
    """`the portal is painfully slow`; not `it's too slow` said as a reason, nor what was."""
    if (
        verb.lemma != "be"
        or is_negated(verb)
        or subject is None
        or subject.pos not in {"NOUN", "PROPN"}
    ):
        return False
    main = verb.dep in {"ROOT", "conj", "ccomp", "parataxis"} and not is_past(verb)
    if main and any(
        word.lemma in _PLAGUES and not word.children_by("poss") for word in verb.children_by("attr")
    ):
        return True
    after = [word.lower for word in verb.children]
    if main and "again" in after and {"down", "broken", "offline", "late", "out"} & set(after):
        return True
    for word in verb.children_by("acomp"):
        if main and word.lower in _STRONG and not word.children_by("prep", "neg"):
            return True
        if word.lower in _BAD and any(each.lower in _TOO for each in word.children_by("advmod")):
            return verb.dep in {"ROOT", "conj", "ccomp", "parataxis"}
    return False


def _is_never_again(segment: Sequence[Word], text: str) -> bool:
    """`Never again Globex Air`: no verb, but a name."""
    plain = re.match(r"\W*never again[\s,:]+\w", text, re.IGNORECASE) is not None
    return plain and not any(word.pos in {"VERB", "AUX"} for word in segment)


def _is_denied(text: str, start: int) -> bool:
    return re.search(r"\b(?:not|never|n't|isn't|aren't|don't|doesn't|cant|without)\b[\w\s]{0,12}$", text[:start], re.IGNORECASE) is not None  # fmt: skip


def _is_wish(segment: Sequence[Word]) -> bool:
    return any(word.lower in {"wish", "hope", "if"} for word in segment[:3])
