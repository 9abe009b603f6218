"""Names that stand in a list: our own, or that of the names that a space knows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.extract.local.lexicon import MOST_WORDS, listed_names
from factbook.extract.local.naming.text import (
    LISTED,
    NAMED,
    RUN,
    Candidate,
    Text,
    is_capital,
    is_soft,
    words_at,
)
from factbook.extract.local.parse import Word
from factbook.text.common_words import is_common
from factbook.text.names import fold

_TECH_VERBS = frozenset(
    """use learn write build deploy code migrate switch run install adopt program implement rewrite port try prefer
    integrate know teach master develop host move rebuild choose pick replace compare upgrade go rewrite depend query""".split()
)


def listed(text: Text) -> Iterator[Candidate]:
    words, names = text.words, listed_names()
    for i, word in enumerate(words):
        if not any(map(str.isalnum, word.text)) and not word.text.startswith("."):
            continue
        for end in range(min(i + MOST_WORDS, len(words)), i, -1):
            if words[end - 1].sentence != word.sentence:
                continue
            said = " ".join(text.span(i, end).split())
            kinds = {
                each.kind: 1.4 if each.common else 2.0
                for each in names.get(said.lower(), ())
                if _is_meant(text, i, end, said, each.name, each.common)
            }
            if kinds:
                yield Candidate(i, end, LISTED if end - i > 1 or len(said) > 2 else RUN, kinds)
                break


def _is_meant(text: Text, start: int, end: int, said: str, name: str, common: bool) -> bool:
    word = text.words[start]
    if said == name and name[0].isupper() and text.capitals:
        return not common or not is_soft(text.words, start) or word.pos == "PROPN"
    if len(name) <= 3 and name.isupper():
        return False
    if not common:
        return len(name) > 2 and (said.islower() or said.isupper() or len(said) > 4)
    return said.islower() and text.english and _in_technical_company(text.words[end - 1], name)


def _in_technical_company(word: Word, name: str) -> bool:
    """`we use react`, `written in rust`, `redis and go`, `from stripe to datadog`."""
    kinds = {each.kind for each in listed_names()[name.lower()]}
    if word.pos not in {"NOUN", "PROPN", "ADJ", "VERB", "X"} or word.child("det", "amod", "poss"):
        return False
    head = word.head.head if word.dep == "pobj" else word.head
    if "technology" in kinds and word.dep in {"dobj", "pobj"} and head.lemma in _TECH_VERBS:
        return True
    company = [*word.children_by("conj"), *([word.head] if word.dep == "conj" else [])]
    if (
        word.dep == "conj"
        and word.head.pos == "VERB"
        and not word.children_by("nsubj", "dobj", "prep", "advmod")
    ):
        company += word.head.children_by(
            "dobj"
        )  # `use django and react`, with react taken for a verb
    if word.dep == "pobj":
        company += [other for other in head.subtree() if other.dep == "pobj" and other is not word]
    return any(
        each.kind in kinds and not each.common
        for other in company
        for each in listed_names().get(other.lower, ())
    )


def known(text: Text) -> Iterator[Candidate]:
    """Names that the space knows, in any case; an ordinary word only where it stands as names
    do.
    """
    if not text.known:
        return
    for i, word in enumerate(text.words):
        if not word.text[0].isalnum() or word.pos == "DET":
            continue
        for end in range(min(i + MOST_WORDS, len(text.words)), i, -1):
            inside = text.words[i:end]
            kind = text.known.get(fold(text.span(i, end)))
            if (
                kind is None
                or inside[-1].sentence != word.sentence
                or not inside[-1].text[-1].isalnum()
            ):
                continue
            if _goes_on(text, end):
                break  # Sofie is known, and here stands Sofie Lindqvist
            written = is_capital(word) and not (is_soft(text.words, i) and is_common(word.lower))
            if end - i > 1 or written or not text.is_word(word) or _stands_bare(word):
                yield Candidate(i, end, NAMED, {kind: 4.0})
            break


def _goes_on(text: Text, end: int) -> bool:
    """True if the name that ends there is only the beginning of a longer one in capitals."""
    if not text.capitals or end >= len(text.words):
        return False
    last, after = text.words[end - 1], text.words[end]
    beside = after.start == last.stop + 1 and after.sentence == last.sentence
    return beside and is_capital(last) and after.text.istitle() and after.pos == "PROPN"


def _stands_bare(word: Word) -> bool:
    """`shipped nimbus`: a noun in the singular without an article."""
    return (
        word.tag in {"NN", "NNP"}
        and not word.child("det", "poss", "amod")
        and word.dep not in {"compound", "amod"}
    )


_METRICS = re.compile(
    r"\b(?:(?:conversion|churn|bounce|retention|open|click(?:-through)?|unsubscribe|error|win|response|engagement|growth|"
    r"failure|renewal|attrition)\s+rates?|churn|revenue|gross\s+margins?|(?:customer\s+)?acquisition\s+costs?|cost\s+per\s+"
    r"(?:lead|click|acquisition)|lifetime\s+value|(?:daily|monthly|weekly)\s+active\s+users|page\s+views|headcount|"
    r"signups|uptime|latency|throughput)(?=\s+(?:\w+\s+){0,3}[$€£]?\d)",
    re.IGNORECASE,
)


def metrics(text: Text) -> Iterator[Candidate]:
    """`the churn rate went up to 4%`: a figure with its value."""
    for match in _METRICS.finditer(text.text):
        if span := words_at(text, *match.span()):
            yield Candidate(*span, NAMED, {"metric": 3.0})
