"""Words that deny what they name, and words that point back to what was named before."""

from __future__ import annotations

import re

from factbook.extract.llm.evidence import Span

_DENIAL = re.compile(
    r"(?:\b(?:do|does|did|is|are|was|were|has|have|had)(?:n['’]?t\b|\s+not\b)|\bam\s+not\b|"
    r"['’](?:m|s|re)\s+not\b|\bnever\b)"
    r"(?!\s+(?:only|just|merely)\b)(?P<then>[^,;:.!?\n]*)$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\b(?:but|and|because|since|so|left|leav\w*|quit\w*|stop\w*|mov\w*|without|only|forg\w+|"
    r"regret\w*|mind|miss\w*|"
    r"doubt\w*|disput\w*|deny|chang\w*|know|care)\b",
    re.IGNORECASE,
)
"""What begins something else, or denies in its turn (`never left`)."""

_NEGATED = re.compile(
    r"(?:\b(?:not|never|cannot|against|without|stop|avoid)|\b\w+n['’]t|\b(?:dont|cant|"
    r"wont))\s+(?:to\s+)?"
    r"(?:(?:be|use|using|like|want|do|doing|go|going|need|have|having)\s+(?:to\s+|with\s+)?)?$",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:he|she|they|it|him|her|hers|his|them|their|theirs|its|this|that|these|those|there|here|"
    r"who|whose|which|where|both|"
    r"he['’]s|she['’]s|it['’]s|yes|yeah|yep|yup|exactly|right|correct)\b|"
    r"\bthe (?:\w+ )?(?:company|firm|team|project|app|service|tool|library|database|platform|"
    r"product|system|place|city|"
    r"town|country|man|woman|guy|client|customer|startup|organi[sz]ation|group|club|school|"
    r"university)\b",
    re.IGNORECASE,
)


_GOES_ON = re.compile(r"\s*(?:[-*•–—+(]|\d|[a-z])")


def is_denied(before: str) -> bool:
    """Returns whether the words right before a name or value deny it (`I don't use`)."""
    match = _DENIAL.search(before)
    return match is not None and not _AFTER.search(match["then"])


def widen_negation(span: Span, text: str) -> Span | None:
    """Returns the words with the `not`, `don't` or the like before them; None where there is
    none.
    """
    start = max(0, span[0] - 40)
    match = _NEGATED.search(text[start : span[0]])
    return (start + match.start(), span[1]) if match else None


def points_back(sentences: str) -> bool:
    """Returns whether they speak of what they don't name (`she`, `there`, `the company`, `yes`)."""
    return bool(_BACK.search(sentences))


def goes_on(sentence: str) -> bool:
    """Returns whether it goes on with what stands before: an item of a list, or in small
    letters.
    """
    return bool(_GOES_ON.match(sentence))
