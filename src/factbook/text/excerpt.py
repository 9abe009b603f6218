"""What of a long text a question needs: its best pieces, in their order and never reworded."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from factbook.ports.models import Tokenizer
from factbook.text.index_words import fold_text, index_words
from factbook.text.line_breaks import keeps_lines
from factbook.text.sentences import Span, is_label, split_pieces
from factbook.text.token_estimate import Estimate

MOST_CHARACTERS = 100_000
"""What lies beyond is not looked at: so long a text is a file."""
BESIDE = 0.5
"""What a piece gets of the worth of each of the two beside it, of the next two the square of that,
and so on.
"""
LEAST = 0.05
"""A piece below this share of the best one's worth is not said."""
MOST_PORTIONS = 100

LONG = 170
"""Tokens, by the estimate (some 120 words), up to which a text is said whole, if half of the budget
holds it.
"""
_SHORTEST = 48
"""Characters of a text that is never cut."""
_ESTIMATE = Estimate()

_LEANS = re.compile(
    r"\W*(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|this|that|these|those|there|"
    r"then|but|so|and|or"
    r"|because|however|also|instead|otherwise|both|neither|either|one|ones|such|same|yes|no|yeah|"
    r"nope|exactly)\b",
    re.IGNORECASE,
)
"""How a sentence begins that is not understood without the one before it."""
_LEADS_ON = re.compile(r"[:?：？][\"'”’»)\]]*$")
"""How a piece ends that the next one completes: a question, what introduces a list."""
_TURNS = re.compile(
    r"\W*(?:but|however|except|unless|yet|although|though|nevertheless|no longer|not any ?more|"
    r"just kidding|scratch that"
    r"|correction|wait|actually|aber|jedoch|allerdings|mais|cependant|pero|sin embargo|mas|porém|"
    r"però|maar)\b|\W*(?:но|однако)\b",
    re.IGNORECASE,
)
"""How a sentence begins that takes back, or limits, what the one before it says."""
_ITEM = re.compile(r"\s*(?:[-*+•–—‣◦]|\d{1,3}[.)])\s")
_HEADS = re.compile(r"[:：][\"'”’»)\]*_]*$|^\s*#{1,6}\s")
"""A piece that items stand under."""
MOST_ITEMS = 50
_WORD = re.compile(r"[^\W_]+[+#]*")


@dataclass(frozen=True, kw_only=True, slots=True)
class Portion:
    """Pieces that enter together: one, and what it is not understood without.

    Attributes:
        places: of its pieces. worth: of the best portion's worth, 0–1.
    """

    places: tuple[int, ...]
    worth: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Cut:
    """A long text in pieces, with the portions of it that a question may need, best first.

    Attributes:
        lined: whether its line breaks mean something (code, lists): its parts begin with their
            indentation then.
    """

    text: str
    spans: Sequence[Span]
    portions: Sequence[Portion]
    lined: bool = False

    def parts(self, chosen: Iterable[int]) -> list[str]:
        """Returns the words of these portions, verbatim: pieces that follow one another are one
        part. An empty one first (last) where something is left out before (behind) the others.
        """
        runs: list[list[int]] = []
        for place in sorted({place for number in chosen for place in self.portions[number].places}):
            if runs and place == runs[-1][-1] + 1:
                runs[-1].append(place)
            else:
                runs.append([place])
        parts = [self.text[self._start(run[0]) : self.spans[run[-1]][1]] for run in runs]
        rest = self.text[self.spans[runs[-1][-1]][1] :]
        return [*([""] if runs[0][0] else []), *parts, *([""] if rest.strip() else [])]

    def _start(self, place: int) -> int:
        """Returns the beginning of a piece; of a text in lines with the spaces before it."""
        start = self.spans[place][0]
        while self.lined and start and self.text[start - 1] in " \t":
            start -= 1
        return start


def cut(
    text: str, rarity: Mapping[str, float], room: int, count: Callable[[str], int]
) -> Cut | None:
    """Returns the text in portions; None where not even one piece has room.

    Words suffice: vectors of the pieces, at some milliseconds each, found no more of what was asked
    for.

    Args:
        rarity: the question's index words, with how much each tells. Where no piece holds any, its
            beginning counts.
        room: what one portion may cost by `count`.
    """
    spans = split_pieces(text[:MOST_CHARACTERS])
    shown = [text[start:end] for start, end in spans]
    worth = _worth(shown, rarity)
    order = sorted(range(len(spans)), key=lambda place: (-worth[place], place))
    begins = _line_begins(text, spans)
    portions: list[Portion] = []
    top = 0.0
    taken: set[int] = set()
    for best in order:
        if best in taken:
            continue
        if portions and (worth[best] < LEAST * top or len(portions) == MOST_PORTIONS):
            break
        places = _with_context(best, shown, begins)
        if _price(places, shown, count) > room:
            places = (best,)
        if _price(places, shown, count) > room:
            continue
        top = top or worth[best] or 1.0
        portions.append(Portion(places=places, worth=worth[best] / top))
        taken.update(places)
    return (
        Cut(text=text, spans=spans, portions=portions, lined=keeps_lines(text))
        if portions
        else None
    )


def _price(places: Sequence[int], shown: Sequence[str], count: Callable[[str], int]) -> int:
    return count("\n".join(shown[place] for place in places))


def _with_context(place: int, shown: Sequence[str], begins: Sequence[int]) -> tuple[int, ...]:
    """Returns the piece with those that it would say something else without: what it leans on, what
    its list stands under or who says it in a transcript, what completes it, and what takes it back.
    """
    before = {place - 1} if place and _LEANS.match(shown[place]) else set[int]()
    after = (
        {place + 1}
        if place + 1 < len(shown) and _leads_on(shown[place], shown[place + 1])
        else set[int]()
    )
    above = (
        _list_head(place, shown) if _ITEM.match(shown[place]) else _speaker(place, shown, begins)
    )
    return tuple(sorted({*before, *above, place, *after}))


def _leads_on(piece: str, follows: str) -> bool:
    return bool(_LEADS_ON.search(piece) or _TURNS.match(follows))


def _list_head(place: int, shown: Sequence[str]) -> set[int]:
    """Returns the piece that the list of this item stands under."""
    for other in range(place - 1, max(place - MOST_ITEMS, 0) - 1, -1):
        if not _ITEM.match(shown[other]):
            return {other} if _HEADS.search(shown[other]) else set[int]()
    return set[int]()


def _line_begins(text: str, spans: Sequence[Span]) -> list[int]:
    """By piece, the place of the first one in its line."""
    out: list[int] = []
    for place, (start, _) in enumerate(spans):
        goes_on = place and "\n" not in text[spans[place - 1][1] : start]
        out.append(out[-1] if goes_on else place)
    return out


def _speaker(place: int, shown: Sequence[str], begins: Sequence[int]) -> set[int]:
    """Returns the label that the line of this piece begins with."""
    first = begins[place]
    return {first} if first < place and is_label(shown[first]) else set[int]()


def _worth(shown: Sequence[str], rarity: Mapping[str, float]) -> list[float]:
    own = [sum(rarity[word] for word in held) for held in _held(shown, rarity)]
    if not any(own):
        own = [1.0 / (place + 1) for place in range(len(shown))]
    return _spread(own)


def _spread(own: Sequence[float]) -> list[float]:
    """Returns the worth of each piece with what it gets of the others, the less the farther they
    are.
    """
    out = [*own]
    for places in (range(len(own)), range(len(own) - 1, -1, -1)):
        carried = 0.0
        for place in places:
            out[place] += carried
            carried = BESIDE * (carried + own[place])
    return out


def _held(shown: Sequence[str], rarity: Mapping[str, float]) -> list[set[str]]:
    """By piece, which of the question's words it holds. Stemming, which leaves beginnings, is what
    costs.
    """
    heads = {word[:2] for word in rarity}
    out: list[set[str]] = []
    for text in shown:
        near = [
            word
            for word in _WORD.findall(fold_text(text))
            if word[:2] in heads or not word.isascii()
        ]
        out.append(set(index_words(" ".join(near))) & rarity.keys() if near else set())
    return out


@dataclass(frozen=True, kw_only=True, slots=True)
class Cutting:
    """The cutting of texts for one question.

    Attributes:
        budget: of the whole context, by the tokenizer. rarity: the question's index words, with how
            much each tells.
    """

    budget: int
    tokenizer: Tokenizer
    rarity: Mapping[str, float]

    def cut(self, text: str) -> Cut | None:
        """The text in portions; None if it is to be said whole."""
        half = self.budget // 2
        # No character of ASCII costs more than a token: most messages need not be counted.
        if len(text) <= _SHORTEST or (len(text) < min(LONG, half) and text.isascii()):
            return None
        if _ESTIMATE.count(text) <= LONG and self.tokenizer.count(text) <= half:
            return None
        return cut(text, self.rarity, half, self.tokenizer.count)
