"""Reasons to have a model read for more than the local extractor found: cheap signs in the words, so
that no model reads most small talk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from factbook.extract.llm import evidence
from factbook.extract.llm.evidence import Span
from factbook.extract.readable_text import make_readable
from factbook.model.draft import Draft
from factbook.model.episode import Episode, StoredMessage
from factbook.text.stop_names import is_stop_name

Reason = Literal["language", "long", "new_name", "pronoun", "unsaid"]

LONG = 600
"""Characters from which on a message of a user tells more than sentences by themselves."""

_CAPITALS = re.compile(r"(?<![\w@#/.])[^\W\d_a-z][\w'’&.-]*[\w](?:\s+[^\W\d_a-z][\w'’&.-]*[\w])*")
_PRONOUN = re.compile(r"\b(?:he|she|him|her|his|hers)\b", re.IGNORECASE)
_CUE = re.compile(
    r"\b(?:work(?:s|ed|ing)?|join(?:s|ed|ing)?|lives?|lived|living|mov(?:e|es|ed|ing)|leads?|led|"
    r"leading|manag(?:es?|ed|ing)|"
    r"reports?|reported|married|owns?|owned|found(?:ed|er)|hir(?:es?|ed)|us(?:es?|ed|ing)|"
    r"switch(?:ed|es|ing)?|"
    r"built|builds?|wrote|written|creat(?:es?|ed)|prefers?|preferred|decid(?:es?|ed)|decision|"
    r"always|never|hates?|loves?|"
    r"likes?|allergic|sister|brother|mother|father|mom|dad|wife|husband|son|daughter|boss|manager|"
    r"colleague|friend|partner|"
    r"deadline|due|budget|birthday|born|stud(?:y|ies|ied)|depends?|replac(?:es?|ed|ing)|acquired|"
    r"bought|moved|left|quit|"
    r"started|became|promoted|no longer|anymore|used to|want(?:s|ed)?|needs?|must|will|annoy\w*|"
    r"problem|keeps?)\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:i|i['’]?m|my|mine|we|our|us|me)\b", re.IGNORECASE)
_ITEM = re.compile(r"^[\s\-*•–—+#\d.)]*")


def reason_to_ask(episode: Episode, draft: Draft) -> Reason | None:
    """Returns why a model should read the episode too; None where the local draft most likely
    suffices.

    Only the users' messages count. `language`: words of another language than English. `long`: a
    message beyond `LONG` characters. `new_name`: words with capitals within a sentence that nothing
    in the draft mentions. `pronoun`: a sentence about him or her of which the draft says nothing.
    `unsaid`: the same of a sentence with a verb or noun that says a relation, an attribute, a
    decision or a preference. Questions are left out of the last two.
    """
    for message in episode.messages:
        if message.role != "user":
            continue
        text = make_readable(message.text[: LONG + 1])
        if evidence.is_foreign(text):
            return "language"
        if len(message.text.strip()) > LONG:
            return "long"
        named = [
            (each.start, each.end)
            for entity in draft.entities
            for each in entity.mentions
            if each.message_id == message.id
        ]
        if any(not _is_covered(span, named) for span in _find_names(text)):
            return "new_name"
        if reason := _find_unsaid(message, text, draft, named):
            return reason
    return None


def _find_names(text: str) -> Iterator[Span]:
    """Yields words with capitals that don't only begin a sentence."""
    starts = {
        start + len(_leading_words(text[start:stop]))
        for start, stop in evidence.sentence_spans(text)
    }
    for match in _CAPITALS.finditer(text):
        start, stop = match.span()
        first, _, rest = match.group().partition(" ")
        if start in starts:
            if not rest:
                continue
            start = stop - len(rest.lstrip())
        name = text[start:stop]
        if not is_stop_name(name) and (not _OWN.match(first) or first.isupper()):
            yield start, stop


def _leading_words(sentence: str) -> str:
    match = _ITEM.match(sentence)
    return match.group() if match else ""


def _is_covered(span: Span, named: list[Span]) -> bool:
    return any(start < span[1] and span[0] < stop for start, stop in named)


def _find_unsaid(
    message: StoredMessage, text: str, draft: Draft, named: list[Span]
) -> Reason | None:
    """Returns sentences that say something of which the draft says nothing."""
    said = _told_spans(message, draft)
    for start, stop in evidence.sentence_spans(text):
        sentence = text[start:stop]
        if sentence.rstrip().endswith("?") or _is_covered((start, stop), said):
            continue
        if _PRONOUN.search(sentence):
            return "pronoun"
        cue = _CUE.search(sentence)
        if cue is None:
            continue
        opens = cue.start() == len(_leading_words(sentence))
        if opens or _OWN.search(sentence) or _is_covered((start, stop), named):
            return "unsaid"
    return None


def _told_spans(message: StoredMessage, draft: Draft) -> list[Span]:
    """Finds the places of the quotes of the draft's statements, and of decisions and the like that
    are named by their words.
    """
    said = [each.quote for each in draft.facts if each.message_id == message.id]
    said += [each.quote for each in draft.relations if each.message_id == message.id]
    out = [(at, at + len(quote)) for quote in said if (at := message.text.find(quote)) >= 0]
    for entity in draft.entities:
        if entity.kind in {"decision", "preference", "pain_point", "task"}:
            out += [
                (each.start, each.end) for each in entity.mentions if each.message_id == message.id
            ]
    return out
