"""Descriptions: what users say of one whom they name, in that sentence or right behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from factbook.extract.llm import denial, evidence
from factbook.extract.llm.messages import NumberedMessage


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
        """Whether a description is made of words of sentences that speak of the name and say it
        so.
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
                if at is None or not denial.is_denied(each.text[: at[0]]):
                    yield each.text


def _split_told(text: str) -> Iterator[_Sentence]:
    foreign = evidence.is_foreign(text)
    for span in evidence.sentence_spans(text):
        sentence = text[slice(*span)]
        follows = foreign or denial.points_back(sentence) or denial.goes_on(sentence)
        tells = not evidence.is_asked(span, text) and not evidence.is_doubtful(span, text)
        yield _Sentence(sentence, follows, tells)
