"""The words of one episode's messages: names and quotes in them, and descriptions of whom
they name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from factbook.extract.ground import name_spans
from factbook.extract.llm import denied_words, evidence
from factbook.extract.llm.numbered_messages import NumberedMessage
from factbook.text.names import fold

_COINED = frozenset({"project", "product", "technology", "campaign"})
_SMALL = frozenset({"product", "work", "animal", "concept", "event", "other"})
"""Kinds of which a model takes plain words for names most often."""


class EpisodeWords:
    """The messages of an episode that a reply may rest on."""

    def __init__(self) -> None:
        self.messages: list[NumberedMessage] = []
        self._told: UserSentences | None = None

    def find_name(self, name: str, *, users_only: bool = False) -> str | None:
        """Returns the name as the messages write it, or a speaker's; None where it nowhere
        stands.
        """
        for each in self.messages:
            if (each.is_users or not users_only) and (
                span := evidence.find_name_span(name, each.text)
            ):
                return " ".join(each.text[slice(*span)].split())
        speakers = {
            " ".join(each.message.speaker.split()) for each in self.messages if each.is_users
        }
        return next((each for each in sorted(speakers) if each and fold(each) == fold(name)), None)

    def find_said(self, phrase: str) -> str | None:
        """Returns the users' words for a phrase that a reply gives in other forms, or None."""
        spans = (
            (each.text, evidence.find_said_span(phrase, each.text))
            for each in self.messages
            if each.is_users
        )
        return next((" ".join(text[slice(*span)].split()) for text, span in spans if span), None)

    def is_asked(self, name: str, kind: str) -> bool:
        """Returns whether a decision is only asked for, or supposed."""
        found = [
            (each.text, span) for each in self.messages for span in name_spans(name, each.text)
        ]
        open_ = all(
            evidence.is_asked(span, text) or evidence.is_doubtful(span, text)
            for text, span in found
        )
        return kind == "decision" and bool(found) and open_

    def with_negation(self, name: str) -> str:
        """Returns a decision or the like with the `not` before it, unless a user says it without
        one somewhere.
        """
        found = self._user_spans(name)
        wider = [(text, denied_words.widen_negation(span, text)) for text, span in found]
        text, span = wider[0] if wider else ("", None)
        return (
            name
            if span is None or any(each is None for _, each in wider)
            else " ".join(text[slice(*span)].split())
        )

    def is_stated(self, name: str, kind: str) -> bool:
        """Returns whether a decision or the like is more than a word, and a decision one of the
        user's or their team's.
        """
        found = self._user_spans(name)
        own = kind != "decision" or any(evidence.is_decided(span, text) for text, span in found)
        return len(evidence.folded_words(name)) > 1 and own

    def _user_spans(self, name: str) -> list[tuple[str, tuple[int, int]]]:
        """Returns the users' texts with the places at which the name stands in them."""
        return [
            (each.text, span)
            for each in self.messages
            if each.is_users
            for span in name_spans(name, each.text)
        ]

    def is_plain(self, name: str, kind: str = "") -> bool:
        """Returns whether it is a plain noun phrase wherever it stands, not a name of that kind.

        What people make they also name by two plain words after an article (`the orders pipeline`),
        or with a hyphen.
        """
        spans = [(each.text, list(name_spans(name, each.text))) for each in self.messages]
        there = [(text, some) for text, some in spans if some]
        if (
            kind in _SMALL
            and there
            and all(evidence.is_small(name, some, text) for text, some in there)
        ):
            return True
        if kind in _COINED and (" " in name or "-" in name):
            return False
        return bool(there) and all(evidence.is_plain(name, some, text) for text, some in there)

    def bears_out(self, about: str, name: str) -> bool:
        """Returns whether a description is what the users say of the name."""
        self._told = self._told or UserSentences(self.messages)
        return self._told.bears_out(about, name)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """`follows`: it can speak of whom the one before it spoke of; `tells`: it doesn't ask, guess or
    suppose.
    """

    text: str
    follows: bool
    tells: bool


class UserSentences:
    """The sentences of the users of an episode."""

    def __init__(self, messages: Iterable[NumberedMessage]) -> None:
        self._sentences = [
            each for said in messages if said.is_users for each in _split_told(said.text)
        ]

    def bears_out(self, about: str, name: str) -> bool:
        """Returns whether a description is made of words of sentences that speak of the name and
        say it so.
        """
        return evidence.is_made_of(about, " ".join([name, *self._sentences_of(name, about)]))

    def _sentences_of(self, name: str, about: str) -> Iterator[str]:
        names = {name, *(each for each in name.split() if each[:1].isupper() and len(each) > 2)}
        bare = evidence.without_determiner(about)
        speaks = False
        for each in self._sentences:
            speaks = (speaks and each.follows) or any(
                evidence.find_name_span(one, each.text) for one in names
            )
            if speaks and each.tells:
                at = evidence.find_name_span(bare, each.text)
                if at is None or not denied_words.is_denied(each.text[: at[0]]):
                    yield each.text


def _split_told(text: str) -> Iterator[_Sentence]:
    foreign = evidence.is_foreign(text)
    for span in evidence.sentence_spans(text):
        sentence = text[slice(*span)]
        follows = foreign or denied_words.points_back(sentence) or denied_words.goes_on(sentence)
        tells = not evidence.is_asked(span, text) and not evidence.is_doubtful(span, text)
        yield _Sentence(sentence, follows, tells)
