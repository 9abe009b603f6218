"""The figures of metrics and measures, with their unit and period: `Q2 churn was 3.4%`, `my blood
pressure is 142/90`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local.parse import Word
from factbook.extract.local.rules.truth import claim, is_asked
from factbook.extract.local.rules.validity import is_future, is_past
from factbook.extract.local.rules.values import PEOPLE, fact, owners, subjects
from factbook.extract.local.scene import End, Finding, Name, Scene

_AMOUNT = (
    r"(?P<value>[$€£¥]\s?\d[\d,]*(?:\.\d+)?\s?(?:k|m|bn|b|million|billion|thousand)?\b"
    r"|\d[\d,]*(?:\.\d+)?\s?(?:(?:million|billion|thousand)\s?)?(?:(?P<unit>%|percent|x\b|ms\b|seconds?\b|minutes?\b|hours?\b|days?\b|points?\b|gb\b|mb\b|"
    r"kg\b|km\b|cm\b|bpm\b|mg/dl|mmol/l|°c|degrees|users?\b|people\b|euros?\b|dollars?\b)|k\b|m\b)?)"
)
_LINK = (
    r"\s*(?:(?P<verb>came in|comes in|hovers|is|was|are|were|hit|hits|reached|at|of|went|dropped|rose|fell|climbed|jumped|grew|stands|stood|sits|"
    r"averaged|improved|dipped|shot|now|:|=)\s*)"
    r"(?:(?:now|currently|at|to|above|below|over|under|up|down|about|around|from|only|just|almost|nearly|by|still|back|"
    r"roughly|exactly|already|sitting)\s+)*"
)
_WHEN = r"(?:\s+(?:(?:in|for|during)\s+)?(?:q[1-4]|h[12]|last \w+|this \w+|january|february|march|april|june|july|august|september|october|november|december)(?:\s+\d{4})?)?"  # fmt: skip
_METRIC = re.compile(_WHEN + _LINK + _AMOUNT, re.IGNORECASE)
_BARE = re.compile(r"\s+(?P<value>[$€£]\s?\d[\d,.]*\d?\s?(?:k|m|bn|million|billion)?\b|\d[\d,.]*\s?(?P<unit>%))", re.IGNORECASE)  # fmt: skip
"""`click rate 3.1%`"""

_PERIOD = re.compile(
    r"\b(?:q[1-4](?:\s+\d{4})?|h[12](?:\s+\d{4})?|(?:daily|weekly|monthly|quarterly|yearly|annual)|"
    r"(?:last|this|per|a|each)\s+(?:week|month|quarter|year|day)|(?:in\s+)?(?:january|february|march|april|june|july|august|"
    r"september|october|november|december)(?:\s+\d{4})?)\b",
    re.IGNORECASE,
)


def figures(scene: Scene) -> Iterator[Finding]:
    """`CPA went above $48`, `a ROAS of 5.2`, `my heart rate is 60`, `the campaign reached 48,000
    people`.
    """
    for name in scene.names:
        if name.kind == "metric":
            yield from _metric(scene, name)
    for word in scene.words:
        if word.pos in {"NOUN", "PROPN"} and scene.name_at(word) is None and word.dep == "nsubj":
            yield from _measure(scene, word)
        elif word.lemma in {"reach", "hit"} and word.pos == "VERB":
            yield from _reach(scene, word)


def _metric(scene: Scene, name: Name) -> Iterator[Finding]:
    last = scene.words[name.end - 1]
    match = _METRIC.match(scene.passage.text, last.stop) or _BARE.match(
        scene.passage.text, last.stop
    )
    verb = next((word for word in (last, *last.above()) if word.pos in {"VERB", "AUX"}), None)
    if (
        match is None
        or (verb is not None and claim(scene, verb) != "holds")
        or is_asked(scene, last)
    ):
        return
    if _is_change(scene.passage.text[match.start() : match.start("value")].lower()):
        return
    end, said = scene.end(name), _later(scene, match)
    importance = 0.9 if _is_critical(scene, last) else 0.6
    yield fact(
        scene, end, "value", " ".join(said["value"].split()), verb or last, importance=importance
    )
    if unit := _unit(said):
        yield fact(scene, end, "unit", unit, last, importance=0.3)
    if period := _period(scene, name, said.end()):
        yield fact(scene, end, "period", period, last, importance=0.3)
    if campaign := _campaign(scene, name):
        yield fact(scene, end, "campaign", campaign, last, importance=0.3)


def _is_change(link: str) -> bool:
    """`rose by 8%`, `is up 12%`: by how much it changed, not what it is."""
    words = set(link.split())
    moved = words & {
        "up",
        "down",
        "rose",
        "fell",
        "dropped",
        "climbed",
        "jumped",
        "grew",
        "improved",
        "dipped",
        "shot",
        "went",
    }
    return "by" in words or (
        bool(moved)
        and not words & {"to", "at", "above", "below", "over", "under", "from", "around"}
    )


def _campaign(scene: Scene, metric: Name) -> str:
    """The campaign that a metric is of: its owner, or else the one that the sentence has spoken of
    so far.
    """
    head = scene.head_of(metric)
    inside = scene.names_in(head.subtree())
    owned = head.child("poss") is not None or any(
        word.lower == "of" for word in head.children_by("prep")
    )
    spoken = [] if owned else [word for word in scene.sentence_of(head) if word.i < metric.start]
    found = [name for name in (*inside, *scene.names_in(spoken)) if name.kind == "campaign"]
    if len(set(found)) != 1:
        return ""
    return " ".join(scene.said(*scene.characters(found[0].start, found[0].end)).split())


def _later(scene: Scene, match: re.Match[str]) -> re.Match[str]:
    """`4%` in `rose from 3% to 4%`."""
    if re.search(
        r"\bfrom\s+$", scene.passage.text[match.start() : match.start("value")], re.IGNORECASE
    ):
        return (
            re.compile(r"\s*to\s+" + _AMOUNT, re.IGNORECASE).match(scene.passage.text, match.end())
            or match
        )
    return match


def _unit(match: re.Match[str]) -> str:
    value = match["value"]
    return (match["unit"] or (value[0] if not value[0].isdigit() else "")).lower()


def _period(scene: Scene, name: Name, stop: int) -> str:
    """The words beside the metric (`Q2 churn`, `churn last month`) that say for when the figure
    is.
    """
    sentence = scene.sentence_of(scene.words[name.start])
    text, first = scene.passage.text, scene.words[name.start].start
    before = _PERIOD.search(text, max(sentence[0].start, first - 25), first)
    if before is None:
        after = re.compile(r"[\s,(]*(?:for|in|over)?\s*(?:the\s+)?").match(text, stop)
        found = _PERIOD.match(text, after.end() if after else stop, sentence[-1].stop)
        return " ".join(found[0].split()) if found else ""
    return (
        " ".join(before[0].split()) if not re.search(r"[,;.]", text[before.end() : first]) else ""
    )


def _is_critical(scene: Scene, word: Word) -> bool:
    return any(each.lower in _ALARM for each in scene.sentence_of(word))


_ALARM = frozenset("critical critically alarming urgent urgently crucial".split())

# ------------------------------------------------------------------------------------------------
# measures

_BODY = frozenset(
    "pressure weight height pulse cholesterol temperature bmi glucose sugar hemoglobin ferritin flow".split()
)
_MEASURES = frozenset(
    """rate score revenue churn conversion latency uptime throughput traffic retention margin accuracy precision recall
    spend spending turnover headcount coverage backlog occupancy attendance enrollment footfall bounce conversions
    signups downloads sales profit runway burn auc rmse mae f1 bleu wer""".split()
)
_VALUE = re.compile(
    r"\s*(?:is|was|'s|are|were)\s+(?:(?:now|currently|at|about|around|only|just|up|down|to|still|roughly)\s+)*"
    r"(?P<value>[$€£¥]?\s?\d[\d,]*(?:[.:]\d+)*(?:\s?(?:/|over)\s?\d+)?\s?"
    r"(?P<unit>%|percent|bpm|kg|lbs?|cm|m|mmhg|ms|seconds|minutes|hours|days|x|k)?)(?![\w:])",
    re.IGNORECASE,
)


def _measure(scene: Scene, noun: Word) -> Iterator[Finding]:
    """A figure of something that no name stands for: a person's own, or a metric of that name."""
    match = _VALUE.match(scene.passage.text, noun.stop)
    verb = noun.head
    if match is None or claim(scene, verb) != "holds" or is_future(verb):
        return
    value = " ".join(match["value"].split())
    before = [
        word
        for word in noun.children_by("compound", "amod", "nmod")
        if word.i < noun.i and word.pos != "VERB"
    ]
    first = min((word.i for word in before), default=noun.i)
    title = [word.lower for word in scene.words[first : noun.i + 1] if word.pos != "PUNCT"]
    of = [end for end in owners(scene, noun) if end.kind in PEOPLE]
    best = bool(set(title) & {"best", "personal"}) and noun.lemma in {"time", "score", "record"}
    if of and (
        noun.lemma in _BODY or best or title[-2:] == ["heart", "rate"] or title == ["shoe", "size"]
    ):
        yield fact(scene, of[0], "_".join(title), value, verb, importance=0.6)
    elif (
        noun.lemma in _MEASURES | _BODY
        and len(title) <= 3
        and (is_past(verb) or verb.lemma == "be")
    ):
        end = End(*scene.characters(first, noun.i + 1), "metric")
        yield fact(scene, end, "value", value, verb, importance=0.6)
        if match["unit"]:
            yield fact(scene, end, "unit", match["unit"], noun, importance=0.3)


def _reach(scene: Scene, verb: Word) -> Iterator[Finding]:
    """`the Spring campaign reached 48,000 people`."""
    if claim(scene, verb) != "holds" or is_future(verb):
        return
    for word in verb.children_by("dobj"):
        number = word.child("nummod")
        if number is not None and word.lower in {
            "people",
            "users",
            "households",
            "customers",
            "readers",
            "viewers",
        }:
            for _, end in subjects(scene, verb):
                if end.kind in {"campaign", "product", "event", "project"}:
                    yield fact(
                        scene, end, "reach", f"{number.text} {word.lower}", verb, importance=0.6
                    )
