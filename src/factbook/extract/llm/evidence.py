"""Whether a message bears out what is said of it: where names and quotes stand, and that a value is
made of its words.

Places count in the message's text. Names and quotes are found without regard to case, white space
and punctuation, and taken as the text has them.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache

from factbook.extract.ground import name_spans
from factbook.text.index_words import STOP_WORDS, stem
from factbook.text.word_lists import load_words

Span = tuple[int, int]

LONGEST_QUOTE = 400
"""A longer quote is none: it would be the message itself."""

MOSTLY = 0.75
"""Of a quote's words that a sentence has to have."""

LEAST_SAID = 2
"""Words that say something, of a phrase that is found by its words."""

_WORD = re.compile(r"[^\W_]+")
_GAP_IN_QUOTE = re.compile(r"(?:(?<!\s)\s+)?(?:\[?(?:\.{3,}|…)\]?)\s*")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|\n")
_INITIAL = re.compile(
    r"(?:\b[^\W\d_]|\b(?:Mr|Mrs|Ms|Dr|Prof|St|Inc|Ltd|Co|vs|e\.g|i\.e|No))\.$", re.IGNORECASE
)
_LONGEST_TITLE = 6
"""With its full stop. The sentence so far isn't looked through for each: it may be all of a text of
initials.
"""
_OUTER = " \t\n.,;:!?\"'`“”‘’«»*_()[]{}‹›<>"


def _fold_word(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def folded_words(text: str) -> list[str]:
    """Returns the words and numbers of a text, folded."""
    return [_fold_word(match.group()) for match in _WORD.finditer(text)]


def loose_spans(phrase: str, text: str) -> Iterator[Span]:
    """Finds the places of the phrase's words one after the other."""
    wanted = folded_words(phrase)
    if not wanted:
        return
    folded, there = _words_of(text)
    for at in range(len(there) - len(wanted) + 1):
        if folded[at] == wanted[0] and folded[at : at + len(wanted)] == wanted:
            yield there[at][0], there[at + len(wanted) - 1][1]


@lru_cache(maxsize=64)
def _words_of(text: str) -> tuple[list[str], list[Span]]:
    """Returns the words with their places, cached: the same few texts are searched very often."""
    there = list(_WORD.finditer(text))
    return [_fold_word(match.group()) for match in there], [match.span() for match in there]


def find_quote_span(quote: str, text: str) -> Span | None:
    """Finds the place of a quote, also one with a gap in it (`we decided … to use Go`); None where
    there is none.
    """
    at = text.find(quote)
    if at >= 0 and quote.strip():
        return at, at + len(quote)
    first: int | None = None
    last = 0
    for part in _GAP_IN_QUOTE.split(quote):
        if not folded_words(part):
            continue
        span = next((span for span in loose_spans(part, text) if span[0] >= last), None)
        if span is None:
            return None
        first, last = span[0] if first is None else first, span[1]
    return None if first is None or last - first > LONGEST_QUOTE else (first, last)


def nearest_sentence(quote: str, text: str) -> Span | None:
    """Returns the only sentence that has most of a quote's words; None where there are several."""
    wanted = {stem(each) for each in folded_words(quote)}
    found: list[Span] = []
    for span, there in _stems_of(text):
        if (
            len(wanted & there) >= max(2, MOSTLY * len(wanted))
            and span[1] - span[0] <= LONGEST_QUOTE
        ):
            found.append(trim_span(span, text))
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=64)
def _stems_of(text: str) -> list[tuple[Span, frozenset[str]]]:
    return [
        (span, frozenset(stem(each) for each in folded_words(text[slice(*span)])))
        for span in sentence_spans(text)
    ]


def find_name_span(name: str, text: str) -> Span | None:
    """Finds the first place of a name on its own: as it is written, else in any case, else with
    other punctuation.
    """
    bare = bare_name(name)
    return next(name_spans(bare, text), None) or next(loose_spans(bare, text), None)


def find_said_span(phrase: str, text: str) -> Span | None:
    """Returns the fewest words of one sentence that hold all words of a phrase, endings apart.

    `switched Alpha to Target CPA` for `Switch to Target CPA`; None where no sentence has them near
    each other.
    """
    wanted = {stem(each) for each in folded_words(phrase) if each not in STOP_WORDS}
    if len(wanted) < LEAST_SAID:
        return None
    most = 2 * len(folded_words(phrase)) + LEAST_SAID
    best: Span | None = None
    for start, stop in sentence_spans(text):
        last: dict[str, int] = {}
        folded, there = _words_of(text[start:stop])
        for at, each in enumerate(folded):
            if (found := stem(each)) in wanted:
                last[found] = at
            first = min(last.values(), default=at)
            if len(last) == len(wanted) and at - first < most:
                span = start + there[first][0], start + there[at][1]
                best = span if best is None or span[1] - span[0] < best[1] - best[0] else best
    return best


def bare_name(name: str) -> str:
    """Returns the name without quotation marks, a trailing possessive and the like."""
    stripped = " ".join(name.split())
    inner = stripped.strip(_OUTER)
    for ending in ("'s", "’s"):
        inner = inner.removesuffix(ending)
    return inner or stripped


@lru_cache(maxsize=64)
def sentence_spans(text: str) -> Sequence[Span]:
    """Returns the sentences of a text; a line's end ends one."""
    out: list[Span] = []
    start = 0
    for match in _SENTENCE_END.finditer(text):
        if match.group() == "." and _INITIAL.search(
            text, max(start, match.end() - _LONGEST_TITLE), match.end()
        ):
            continue
        if text[start : match.end()].strip():
            out.append((start, match.end()))
        start = match.end()
    if text[start:].strip():
        out.append((start, len(text)))
    return out


def sentences_around(span: Span, text: str) -> Span:
    """Returns the sentences that the span touches, from the first to the last."""
    every = sentence_spans(text)
    starts = _sentence_starts(text)
    first = max(0, bisect_right(starts, span[0]) - 1)
    last = max(first, bisect_right(starts, max(span[0], span[1] - 1)) - 1)
    return trim_span((every[first][0], max(every[last][1], span[1])), text) if every else span


@lru_cache(maxsize=64)
def _sentence_starts(text: str) -> Sequence[int]:
    return [start for start, _ in sentence_spans(text)]


def trim_span(span: Span, text: str) -> Span:
    """Returns the span without white space at its ends."""
    start, stop = span
    inner = text[start:stop]
    return start + len(inner) - len(inner.lstrip()), stop - len(inner) + len(inner.rstrip())


def is_made_of(value: str, text: str) -> bool:
    """Returns whether the words of a value that say something are words of the text, endings apart,
    and its figures too.

    `no`, `not` and the like say something: the text has to deny something as well.
    """
    said, there = folded_words(value), folded_words(text)
    if not _NOT.isdisjoint(said) and not _DENYING.search(text) and not is_foreign(text):
        return False
    if not _has_figures(value, text):
        return False
    wanted = [each for each in said if each not in _SAYS_LITTLE]
    if not wanted and not _FREE.union(there).issuperset(said):
        return False
    stems = {stem(each) for each in there} | set(there)
    joined = "".join(there)
    return all(each in stems or _is_in_words(each, stems, joined) for each in wanted)


def _is_in_words(word: str, stems: Container[str], joined: str) -> bool:
    """Returns whether a word stands there in another form, or as a part of the words together."""
    if word.isdigit():
        return not word.isascii() and word in joined
    if stem(word) in stems:
        return True
    return (len(word) > 5 or not word.isascii()) and word in joined


_FREE = frozenset("no not non without yes true false by since until per".split())
"""Words that a value may have of its own."""
_SAYS_LITTLE = STOP_WORDS | _FREE
_NOT = frozenset("no not non without never false".split())
_DENYING = re.compile(
    r"\b(?:no|not|non|none|nothing|never|neither|nor|cannot|cant|dont|doesnt|didnt|isnt|arent|"
    r"wasnt|wont|without|free|"
    r"avoid\w*|allerg\w*|intoleran\w*|hates?|stop\w*|quit\w*|gave up|against|except|refus\w*|"
    r"lack\w*|skip\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?<!\d)\d+(?:[.,:]\d+)+")
_THOUSANDS = re.compile(r"(?<=\d)[,\s](?=\d{3}(?!\d))")
_UNITS = {
    "$": r"\$|dollar|usd|buck",
    "€": r"€|euro?",
    "£": r"£|pound|gbp|quid",
    "¥": r"¥|yen|jpy|yuan|rmb",
    "%": r"%|per\s?cent|pct",
}
"""Signs beside figures, and the words for them."""


def _has_figures(value: str, text: str) -> bool:
    """Returns whether its figures of several parts (`3.2`) stand in the text as such, and its signs
    do or the words for them.
    """
    plain = _THOUSANDS.sub("", text)
    figures = all(_THOUSANDS.sub("", match.group()) in plain for match in _FIGURE.finditer(value))
    return figures and all(
        re.search(said, text, re.IGNORECASE) for sign, said in _UNITS.items() if sign in value
    )


# ------------------------------------------------------------------------------------------------
# truth

_SUPPOSED = re.compile(
    r"^\W*(?:and |but |so |or )?(?:if|unless|suppose|supposing|imagine|what if|assuming)\b",
    re.IGNORECASE,
)
_GUESSED = re.compile(
    r"\b(?:i (?:think|guess|suppose|believe|assume|doubt)|maybe|perhaps|probably|possibly|might|"
    r"not sure|i wonder|"
    r"supposedly|allegedly|i hope|i wish)\b",
    re.IGNORECASE,
)
_OVER = re.compile(
    r"\b(?:no longer|not anymore|anymore|any more|any longer|used to)\b", re.IGNORECASE
)
_ENDING = re.compile(
    r"\b(?:no|not|never|none|cannot|stop\w*|quit\w*|ceas\w*|left|leav\w*|former\w*|formerly|"
    r"previous\w*|ex|until|till|was|"
    r"were|had|did|been|end\w*|over|cancel\w*|drop\w*|switch\w*|mov\w*|replac\w*|instead|sold|"
    r"broke|divorc\w*|gone|"
    r"away|off|out|without|retir\w*|fired|resign\w*|abandon\w*|remov\w*|died|late|passed|back|"
    r"delet\w*|lost|gave|longer|"
    r"anymore|\w{3,}ed|nicht|kein\w*|nie|mehr|pas|plus|jamais|nunca|ya|non|mai|niet|nooit|inte|"
    r"ikke|nie)\b|n['’]t\b",
    re.IGNORECASE,
)


def is_asked(span: Span, text: str) -> bool:
    """Returns whether the span ends in a question."""
    _, stop = sentences_around(span, text)
    return text[:stop].rstrip(" \t\n\"'”’)").endswith(("?", "？"))


def is_doubtful(span: Span, text: str) -> bool:
    """Returns whether the words before it, in its sentence, or it itself only suppose or guess."""
    start, _ = sentences_around(span, text)
    if _GUESSED.search(text, start, span[1]):
        return True
    return is_supposed(span, text)


def is_supposed(span: Span, text: str) -> bool:
    """Returns whether it is what a sentence supposes (`if …`)."""
    start, _ = sentences_around(span, text)
    return bool(_SUPPOSED.match(text[start : span[1]])) and "," not in text[start : span[0]]


def says_over(quote: str) -> bool:
    """Returns whether the words take back what they say (`no longer`)."""
    return bool(_OVER.search(quote))


def is_left(name: str, text: str) -> bool:
    """Returns whether the text tells that one went from there (`moved from Initech to Globex`,
    `left Initech`).
    """
    went = (_LEFT.search(text, 0, start) for start, _ in name_spans(name, text))
    return any(
        each and not _NOT_BEFORE.search(text, max(0, each.start() - 20), each.start())
        for each in went
    )


_NOT_BEFORE = re.compile(r"(?:n['’]t|\b(?:not|never))\s+(?:yet\s+|ever\s+)?$", re.IGNORECASE)
_LEFT = re.compile(
    r"\b(?:(?:mov|switch|migrat|transfer|relocat|chang|jump|hop)\w*\s+(?:\w+\s+)?(?:away\s+)?from|"
    r"went\s+from|"
    r"left|quit|(?:resign|retir)ed\s+from)\s+(?:the\s+)?$",
    re.IGNORECASE,
)


def may_be_over(quote: str, text: str) -> bool:
    """Returns whether anything in the words can say that it holds no longer; of many other
    languages this isn't known.
    """
    return bool(_ENDING.search(quote)) or is_foreign(text)


def is_foreign(text: str) -> bool:
    """Returns whether a text of some words has hardly any of the small words of English, or few
    Latin letters.
    """
    letters = [char for char in text if char.isalpha()]
    if sum(char > "\u024f" for char in letters) * 3 > len(letters) > 0:
        return True
    said = folded_words(text)
    return len(said) >= _FEW_WORDS and sum(each in STOP_WORDS for each in said) * 12 < len(said)


_FEW_WORDS = 6

_FIRST_PERSON = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|i['’]?m|i['’]?ve|i['’]?d|i['’]?ll|im|ive|ich|mir|"
    r"mich|mein\w*|wir|uns\w*|"
    r"je|mon|nous|notre|yo|mi|mis|nosotros|nuestr\w+|io|noi|eu|meu|minha|jag|min|ik|mijn|wij|"
    r"jeg)\b|\bj['’]",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"^[\s\-*•–—+#\d.)]*(?:(?:just|also|still|now|and|so|have|has|had|been|am|was|recently|"
    r"finally|already|never)\s+)*"
    r"(?:\w{2,40}ed|\w{2,40}ing|went|met|got|left|bought|sold|began|ran|wrote|built|made|saw|took|"
    r"quit|live|work|use|love|"
    r"like|hate|prefer|need|want|own|study|play)\b",
    re.IGNORECASE,
)


def is_own(span: Span, text: str) -> bool:
    """Returns whether the sentences around the span speak of who writes, or leave the subject out
    (`moved to Oslo`).

    Of other languages than English this isn't always known.
    """
    start, stop = sentences_around(span, text)
    said = text[start:stop]
    return bool(_FIRST_PERSON.search(said) or _NO_SUBJECT.match(said)) or is_foreign(text)


_DECIDED = re.compile(
    r"\b(?:deci(?:de[sd]?|ding|sion)|final|agree[ds]?|settled?|chosen?|chose|approved|from now on|"
    r"let['’]?s|instead|team|will)\b",
    re.IGNORECASE,
)


def is_decided(span: Span, text: str) -> bool:
    """Returns whether the sentences around the span can tell a decision of who writes."""
    return is_own(span, text) or bool(_DECIDED.search(text, *sentences_around(span, text)))


# ------------------------------------------------------------------------------------------------
# plain phrases

_DETERMINERS = (
    "a an the my our your his her its their this that these those some every each "
    "another any no".split()
)
_BEFORE = re.compile(
    rf"(?:\b(?:{'|'.join(_DETERMINERS)})|\w['’]s)\s+(?:[a-z]+(?:ed|ing|al|ive|ful|y)\s+|new\s+|"
    r"old\s+|other\s+)?$",
    re.IGNORECASE,
)
_LEADING = re.compile(rf"^(?:{'|'.join(_DETERMINERS)})\s+(?=\S)", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_MOST_WORDS = 8


def without_determiner(phrase: str) -> str:
    """Returns `billing team` for `the billing team`."""
    return _LEADING.sub("", phrase)


def is_plain(name: str, spans: Sequence[Span], text: str) -> bool:
    """Returns whether a name that begins with small letters is a plain noun phrase: everywhere with
    an article or the like.
    """
    first = name.partition(" ")[0]
    if first != first.lower() or any(char.isdigit() for char in name) or not spans:
        return False
    return all(_BEFORE.search(text, max(0, start - 40), start) for start, _ in spans)


def is_phrase(phrase: str) -> bool:
    """Returns whether it can be an end of a relation: a few words with letters in them, and nobody
    without a name.
    """
    some = phrase.casefold().split()
    return bool(_LETTER.search(phrase)) and len(some) <= _MOST_WORDS and some[-1] not in _SOMEBODY


_SOMEBODY = load_words("extract/llm/reply_words", "somebody")
"""Who somebody is, without saying who."""


def is_small(name: str, spans: Sequence[Span], text: str) -> bool:
    """Returns whether it is in small letters, without digits or marks, where the writer begins
    names with capitals.
    """
    if name != name.lower() or not all(char.isalpha() or char == " " for char in name) or not spans:
        return False
    return any(
        not text[: match.start()].rstrip().endswith((".", "!", "?", "\n"))
        for match in _CAPITAL.finditer(text, 1)
    )


_CAPITAL = re.compile(r"(?<=\s)[^\W\d_a-z](?=\w*[a-z])")
