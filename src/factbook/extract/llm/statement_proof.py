"""The words of a message on which a statement rests, and what they say of it: in doubt, over, told
by another, when.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from factbook.extract.llm import denied_words, evidence, reply_lists
from factbook.extract.llm.episode_sheet import EpisodeSheet, is_user
from factbook.extract.llm.evidence import Span
from factbook.extract.llm.numbered_messages import NumberedMessage
from factbook.extract.llm.reply_lists import Item
from factbook.extract.llm.stated_times import StatedTimes, find_times
from factbook.text.names import fold


@dataclass(frozen=True, slots=True)
class Proof:
    """The words of a message on which a statement rests."""

    said: NumberedMessage
    span: Span

    @property
    def quote(self) -> str:
        return self.said.message.text[slice(*self.span)]

    @property
    def sentences(self) -> str:
        """The sentences around it, as they may be read."""
        return self.said.text[slice(*evidence.sentences_around(self.span, self.said.text))]

    def find_doubt(self) -> str:
        """Returns why the words say nothing, though they stand there; empty if they do."""
        if evidence.is_asked(self.span, self.said.text):
            return "asked"
        return "supposed" if evidence.is_doubtful(self.span, self.said.text) else ""

    def find_ended(self, item: Item) -> bool | None:
        """Returns whether it is taken back; None where the reply says so and no word does."""
        if evidence.says_over(self.quote):
            return True
        ended = reply_lists.read_flag(item, reply_lists.ENDED)
        return None if ended and not evidence.may_be_over(self.quote, self.said.text) else ended

    def is_denied(self, *names: str) -> bool:
        """Returns whether the quote denies one of the names or values in it."""
        spans = (evidence.find_name_span(each, self.quote) for each in names)
        return any(span and denied_words.is_denied(self.quote[: span[0]]) for span in spans)

    def find_times(self, item: Item, *, state: bool = False) -> StatedTimes:
        """Returns when it holds; of a `state` in the past a bare time is the whole."""
        since, until = (
            reply_lists.read_text(item, reply_lists.SINCE),
            reply_lists.read_text(item, reply_lists.UNTIL),
        )
        at = self.said.message.at
        return find_times(since, until, self.span, self.said.text, at, state=state)

    def find_teller(self, item: Item, sheet: EpisodeSheet, user: str) -> str | None:
        """Returns the source of a hearsay as the text names it; empty for the writer, None for
        somebody whom the text doesn't name.
        """
        name, said = reply_lists.read_text(item, reply_lists.TOLD_BY), self.said
        if not name or is_user(name) or fold(name) in (fold(said.message.speaker), fold(user)):
            return ""
        span = evidence.find_name_span(name, said.text)
        return (
            " ".join(said.text[slice(*span)].split())
            if span
            else sheet.words.find_name(name, users_only=True)
        )

    def widen_to_ends(self, sheet: EpisodeSheet, names: Sequence[str]) -> Proof | None:
        """Returns itself, or its sentences, in which at least one of the named ends stands; else
        None.
        """
        others = [each for each in names if not is_user(each)]
        text = self.said.text
        whole = evidence.sentences_around(self.span, text)
        for span in (
            self.span,
            whole if whole[1] - whole[0] <= evidence.LONGEST_QUOTE else self.span,
        ):
            if any(sheet.names_in(each, text[slice(*span)]) for each in others):
                return Proof(self.said, span)
        return None


def find_proof(item: Item, messages: Sequence[NumberedMessage], *needed: str) -> Proof | str:
    """Returns the words that a statement rests on, or why there are none.

    For a quote that stands nowhere, the sentence of the named message that has most of its words is
    taken. Without a quote, the sentences that hold what is needed are taken.
    """
    found = find_quoted(item, messages)
    if found not in ("no_quote", "ungrounded"):
        return found
    users, named = _find_named(item, messages)
    if found == "no_quote":
        return _derive_proof(named or users, needed)
    quote = reply_lists.read_text(item, reply_lists.QUOTE)
    near = [
        Proof(each, span) for each in named if (span := evidence.nearest_sentence(quote, each.text))
    ]
    return near[0] if near else "ungrounded"


def find_quoted(item: Item, messages: Sequence[NumberedMessage]) -> Proof | str:
    """Returns the words of a user that are quoted, or why there are none.

    The quote is looked for in the message that is named, then in the others: it counts if it stands
    in one of them.
    """
    quote = reply_lists.read_text(item, reply_lists.QUOTE)
    if not evidence.folded_words(quote):
        return "no_quote"
    users, named = _find_named(item, messages)
    for some in (named, users):
        found = [
            Proof(each, span)
            for each in some
            if (span := evidence.find_quote_span(quote, each.text))
        ]
        if len(found) == 1:
            return found[0]
    others = [each for each in messages if not each.is_users]
    if any(evidence.find_quote_span(quote, each.text) for each in others):
        return "not_the_users"
    return "ungrounded"


def _find_named(
    item: Item, messages: Sequence[NumberedMessage]
) -> tuple[list[NumberedMessage], list[NumberedMessage]]:
    """Returns the users' messages, and of them the one that is named."""
    number = reply_lists.read_message_number(item, reply_lists.MSG)
    users = [each for each in messages if each.is_users]
    return users, [each for each in users if each.number == number]


def _derive_proof(messages: Sequence[NumberedMessage], needed: Sequence[str]) -> Proof | str:
    found: list[Proof] = []
    for each in messages:
        spans = [evidence.find_name_span(name, each.text) for name in needed if not is_user(name)]
        there = [span for span in spans if span is not None]
        if there and len(there) == len(spans):
            whole = min(start for start, _ in there), max(stop for _, stop in there)
            span = evidence.sentences_around(whole, each.text)
            if span[1] - span[0] <= evidence.LONGEST_QUOTE:
                found.append(Proof(each, span))
    return found[0] if len(found) == 1 else "no_quote"
