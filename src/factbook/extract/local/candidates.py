"""Which words may be a name: what the finder found, capitals, lists, known names, identifiers and cue nouns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from factbook.extract.local import cues
from factbook.extract.local.finder import FoundName
from factbook.extract.local.lexicon import MOST_WORDS, given_name, listed_names, role_words, surnames
from factbook.extract.local.parse import Word
from factbook.extract.stop_names import PRONOUNS, TIMES, is_greeting, is_stop_name
from factbook.text.names import fold

TITLES = frozenset("mr mrs ms miss mx dr prof professor sir madam herr frau mme mlle señor señora sr sra".split())

NAMED, LONGER, LISTED, RUN, LOOSE = 5, 4, 3, 2, 1
"""How sure a source is where a name begins and ends; of two that overlap the surer one stays, then the longer."""


FINDER = {
    ("organization", True): 0.8,
    ("organization", False): 0.6,
    ("product", True): 0.7,
    ("product", False): 0.7,
    ("place", False): 0.7,
}
"""How much the finder's opinion counts where it isn't 1, by kind and whether there are several words: as these spaCy
labels much that it doesn't know."""


@dataclass(slots=True)
class Candidate:
    """The words `start:end` may be a name. `evidence` holds what speaks for each kind, in no unit."""

    start: int
    end: int
    sure: int
    evidence: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, kind: str, weight: float) -> None:
        self.evidence[kind] = self.evidence.get(kind, 0.0) + weight

    def overlaps(self, other: Candidate) -> bool:
        return self.start < other.end and other.start < self.end


_ENDINGS = (("ies", "y"), ("es", ""), ("s", ""), ("ing", ""), ("ing", "e"))


@dataclass(frozen=True, slots=True)
class Text:
    """A parsed passage on the way to its names.

    Attributes:
        known: kinds of the names that the space knows, by folded name.
        vocabulary: English words in lower case; a word that isn't among them is more likely a name.
        capitals: whether a capital letter tells anything here (it doesn't in a text in capitals).
        english: whether this is English, so that the rules for its words hold.
    """

    text: str
    words: Sequence[Word]
    known: Mapping[str, str]
    vocabulary: AbstractSet[str]
    capitals: bool
    english: bool

    def span(self, start: int, end: int) -> str:
        return self.text[self.words[start].start : self.words[end - 1].stop]

    def is_word(self, word: Word) -> bool:
        """Whether it is an English word; the tagger takes no ending off what it thinks a name."""
        if word.lower in self.vocabulary or word.lemma in self.vocabulary:
            return True
        for ending, instead in _ENDINGS:
            if word.lower.endswith(ending) and word.lower.removesuffix(ending) + instead in self.vocabulary:
                return True
        return False


def candidates(text: Text, found: Sequence[FoundName]) -> list[Candidate]:
    """The candidates that don't overlap, in order. What the finder takes for no name stays out, unless it is listed."""
    everything = [
        *_known(text),
        *_identifiers(text),
        *_cued(text),
        *_titles(text),
        *_metrics(text),
        *_listed(text),
        *_runs(text),
        *_people(text),
        *_strangers(text),
        *_found(text, found),
    ]
    _prefer_longer_runs(text, everything)
    kept: list[Candidate] = []
    for each in sorted(everything, key=lambda one: (-one.sure, one.start - one.end)):
        over = [other for other in kept if other.overlaps(each)]
        if not over:
            if not is_stop_name(text.span(each.start, each.end)):
                kept.append(each)
        else:
            _lend(each, over)
    refused = [(name.start, name.stop) for name in _spans(text, found) if not name.kind]
    return sorted(
        (each for each in kept if not _is_refused(text, each, refused)),
        key=lambda one: one.start,
    )


def _is_refused(text: Text, each: Candidate, refused: Sequence[tuple[int, int]]) -> bool:
    given = given_name(text.words[each.start].lower)
    if each.sure > RUN or (given is not None and not given.common):
        return False
    return any(start <= each.start and each.end <= end for start, end in refused)


def _prefer_longer_runs(text: Text, everything: Sequence[Candidate]) -> None:
    """A run of capitals that holds one listed name and more is a name of its own: `Firebase SDK`, `Spring Market`."""
    lists = [each for each in everything if each.sure == LISTED]
    for run in everything:
        inside = [each for each in lists if run.start <= each.start and each.end <= run.end]
        if run.sure != RUN or len(inside) != 1 or run.end - run.start <= inside[0].end - inside[0].start:
            continue
        version = inside[0].start == run.start and all(
            word.pos == "NUM" for word in text.words[inside[0].end : run.end]
        )
        if not (version and "technology" in inside[0].evidence):  # `Postgres 15` is Postgres
            run.sure = LONGER


def _lend(each: Candidate, over: Sequence[Candidate]) -> None:
    """A name that gives way still says something about the one that stays: all of it, if they begin and end alike."""
    for other in over:
        share = 1.0 if (each.start, each.end) == (other.start, other.end) else 0.4 if other.end == each.end else 0.2
        for kind, weight in each.evidence.items():
            other.add(kind, weight * share)


# ------------------------------------------------------------------------------------------------ the finder's


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    stop: int
    kind: str


def _spans(text: Text, found: Sequence[FoundName]) -> Iterator[_Span]:
    for name in found:
        inside = [word for word in text.words if word.start < name.end and word.stop > name.start]
        if inside:
            yield _Span(inside[0].i, inside[-1].i + 1, name.kind)


def _found(text: Text, found: Sequence[FoundName]) -> Iterator[Candidate]:
    for span in _spans(text, found):
        if not span.kind:
            continue
        inside = list(text.words[span.start : span.stop])
        while inside and _is_edge(inside[0]):
            inside.pop(0)
        while inside and _is_edge(inside[-1]):
            inside.pop()
        if not inside or any("@" in word.text or "/" in word.text for word in inside):
            continue
        if text.capitals and any(map(is_capital, inside)):
            while not is_capital(inside[0]):
                inside.pop(0)
            while not (is_capital(inside[-1]) or inside[-1].pos == "NUM"):
                inside.pop()
            if any(map(_is_small, inside)):
                continue  # `Women who Code meetup` may be a name; most of what looks so is none
            weight = FINDER.get((span.kind, len(inside) > 1), 1.0)
            yield Candidate(inside[0].i, inside[-1].i + 1, LOOSE, {span.kind: weight})
        elif text.english and not any(text.is_word(word) for word in inside):
            yield Candidate(inside[0].i, inside[-1].i + 1, LOOSE, {span.kind: 0.7})


def _is_small(word: Word) -> bool:
    linked = word.lower in _PARTICLES or word.lower in {"of", "the", "and", "for", "'s", "-"}
    return word.text.isalpha() and not is_capital(word) and not linked


_EDGE_TAGS = frozenset(
    {"DT", "PRP$", "PRP", "POS", "IN", "CC", "UH", ",", ".", ":", "-LRB-", "-RRB-", "``", "''", "_SP"}
)


def _is_edge(word: Word) -> bool:
    plain = word.lower.rstrip(".")
    return (
        word.tag in _EDGE_TAGS
        or plain in TITLES
        or is_greeting(plain)
        or (plain in PRONOUNS and not is_capital(word))
        or not any(map(str.isalnum, word.text))
    )


# ------------------------------------------------------------------------------------------------ capitals

_OF_AFTER = cues.ORGANIZATION_ENDS | cues.PLACE_ENDS | frozenset("lord call world game games house bank legend".split())
_PARTICLES = frozenset("de da di del della der den van von la le el al bin ibn ben ter dos das du & 't".split())
_OWNED_NAMES = frozenset(
    "hospital college church cathedral university school academy restaurant cafe pub inn bakery square park day".split()
)
"""What is called after someone, with the apostrophe: `St. Olav's Hospital`."""
_JOINED_AFTER = frozenset("based like style powered driven only free only friendly level wide side ish esque".split())
_WEEKDAYS_IN_NAMES = frozenset({("black", "friday"), ("good", "friday"), ("cyber", "monday"), ("super", "tuesday")})
_NUMERAL = re.compile(r"\d{1,4}(?:\.\d{1,3})?[a-z]?|[IVX]{1,4}|[A-Z]?\d{1,3}[A-Z]?")


def is_capital(word: Word) -> bool:
    """Whether it is written as names are: Tom, IBM, iPhone, PyTorch."""
    return any(map(str.isupper, word.text)) and word.lower not in {"i", "i'm", "i'd", "i'll", "i've"}


def is_soft(words: Sequence[Word], i: int) -> bool:
    """Whether a capital is due to the place: at the start of a sentence, a line, a quotation, after most marks."""
    if i == 0 or words[i].sentence != words[i - 1].sentence:
        return True
    before = words[i - 1].text
    return not any(map(str.isalnum, before)) and before not in {",", "'", "’", "&", "/", "$", "@"}


def _runs(text: Text) -> Iterator[Candidate]:
    if not text.capitals:
        return
    words, i = text.words, 0
    while i < len(words):
        if not _begins(text, i):
            i += 1
            continue
        end = i + 1
        while (further := _continues(text, i, end)) > end:
            end = further
        yield from _trimmed(text, i, end)
        i = end


def _begins(text: Text, i: int) -> bool:
    word = text.words[i]
    if not is_capital(word) or not word.text[0].isalpha() or word.pos in {"PUNCT", "SYM"} or "@" in word.text:
        return False
    if "://" in word.text or word.text.startswith("www."):
        return False
    if not is_soft(text.words, i):
        return True
    if is_greeting(word.lower) or word.lower in PRONOUNS:
        return False
    given = given_name(word.lower)
    listed = listed_names().get(word.lower, ())
    if (given and not given.common) or any(not each.common for each in listed):
        return True
    return word.pos == "PROPN" or (text.english and not text.is_word(word) and word.pos != "INTJ")


def _continues(text: Text, start: int, end: int) -> int:
    """The end of the run with one more word in it, or `end`."""
    words = text.words
    if end >= len(words) or words[end].sentence != words[start].sentence:
        return end
    word, last = words[end], words[end - 1]
    apart = last.stop < word.start
    following = words[end + 1] if end + 1 < len(words) and words[end + 1].sentence == word.sentence else None
    if word.text in {"-", "‐"} and not apart and following and following.start == word.stop:
        return end + 2 if is_capital(following) or _is_joined(text, following) else end
    if (
        word.lower in {"'s", "’s"}
        and not apart
        and following
        and following.lower in _OWNED_NAMES
        and is_capital(following)
    ):
        return end + 2
    if is_capital(word) and word.text[0].isalnum() and word.pos != "PUNCT":
        return end + 1 if apart or last.text == "-" else end
    if _NUMERAL.fullmatch(word.text) and apart and last.text.isalnum() and word.pos == "NUM":
        return end + 1 if last.lower not in TIMES else end
    binds = word.lower in _PARTICLES or (word.lower == "of" and last.lower in _OF_AFTER)
    if binds and following and is_capital(following) and apart:
        return end + 2
    if word.lower == "of" and following and following.lower == "the" and last.lower in _OF_AFTER:
        after = words[end + 2] if end + 2 < len(words) else None
        return end + 3 if after is not None and is_capital(after) else end
    return end


def _is_joined(text: Text, word: Word) -> bool:
    """Whether a small word after a hyphen belongs to the name (`Bryn-ilo`), or only leans on it (`Python-based`)."""
    return word.text.isalpha() and word.lower not in _JOINED_AFTER and not text.is_word(word)


def _trimmed(text: Text, start: int, end: int) -> Iterator[Candidate]:
    """The run without titles, roles, greetings and times at its edges."""
    words = text.words
    evidence: dict[str, float] = {}
    while start < end:
        word = words[start]
        plain = word.lower.rstrip(".")
        if plain in TITLES and end - start > 1:
            evidence["person"] = 3.0
        elif plain in role_words() and end - start > 1 and _is_role(word, words[start + 1 : end]):
            evidence["person"] = 1.5
        elif _is_plain_start(text, start, end):
            pass
        elif not (is_greeting(plain) or _is_loose_time_before(text, start, end) or word.text in _PARTICLES):
            break
        start += 1
    while end > start and (
        _is_loose_time(words, end - 1, start)
        or (words[end - 1].lower in role_words() and words[end - 1].text.isupper() and end - start > 1)
        or words[end - 1].text in {"-", "&"}
    ):
        end -= 1
    if start < end:
        yield Candidate(start, end, RUN, evidence)


def _is_plain_start(text: Text, start: int, end: int) -> bool:
    """`Lovely Ana`: an ordinary word with its capital from the sentence, before a given name."""
    if end - start < 2 or not is_soft(text.words, start) or not text.is_word(text.words[start]):
        return False
    first, second = given_name(text.words[start].lower), given_name(text.words[start + 1].lower)
    return (first is None or first.common) and second is not None and not second.common


def _is_role(word: Word, following: Sequence[Word]) -> bool:
    """`CEO Ana Silva`, `Director Silva`; not `Engineer Guild`, `QA Lab`."""
    return following[-1].lower not in cues.ORGANIZATION_ENDS and (word.text.isupper() or len(following) > 1)


def _is_loose_time_before(text: Text, start: int, end: int) -> bool:
    """`Monday Tom` and `March Tom`; not `Summer Sale`, `March Madness`."""
    word = text.words[start]
    if word.lower in {"spring", "summer", "autumn", "fall", "winter"} and end - start > 1:
        return False
    if word.lower in _MONTHS and end - start > 1 and text.is_word(text.words[start + 1]):
        return False
    return _is_loose_time(text.words, start)


_MONTHS = frozenset("january february march april may june july august september october november december".split())


_TIMES_IN_FULL = frozenset(word for word in TIMES if len(word) > 4 or word in {"june", "july", "am", "pm"})


def _is_loose_time(words: Sequence[Word], i: int, start: int | None = None) -> bool:
    if words[i].lower not in _TIMES_IN_FULL:
        return False
    first = i if start is None else start
    before = words[i - 1].lower if i > first else ""
    return (before, words[i].lower) not in _WEEKDAYS_IN_NAMES


# ------------------------------------------------------------------------------------------------ lists

_TECH_VERBS = frozenset(
    """use learn write build deploy code migrate switch run install adopt program implement rewrite port try prefer
    integrate know teach master develop host move rebuild choose pick replace compare upgrade go rewrite depend query""".split()
)


def _listed(text: Text) -> Iterator[Candidate]:
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
    if word.dep == "pobj":
        company += [
            other for each in head.children_by("prep") for other in each.children_by("pobj") if other is not word
        ]
    return any(
        each.kind in kinds and not each.common for other in company for each in listed_names().get(other.lower, ())
    )


def _known(text: Text) -> Iterator[Candidate]:
    """Names that the space knows, in any case; an ordinary word only where it is written as a name."""
    if not text.known:
        return
    for i, word in enumerate(text.words):
        if not word.text[0].isalnum():
            continue
        for end in range(min(i + MOST_WORDS, len(text.words)), i, -1):
            inside = text.words[i:end]
            kind = text.known.get(fold(text.span(i, end)))
            if kind is None or inside[-1].sentence != word.sentence:
                continue
            plain = all(text.is_word(each) for each in inside) and not any(map(is_capital, inside))
            if not plain or end - i > 1:
                yield Candidate(i, end, NAMED, {kind: 4.0})
            break


# ------------------------------------------------------------------------------------------------ people


def _people(text: Text) -> Iterator[Candidate]:
    """Given names in lower case, with a surname after them that is no English word."""
    words = text.words
    for i, word in enumerate(words):
        given = given_name(word.lower)
        if given is None or is_capital(word) or not text.english:
            continue
        if not _is_person(text, word, given.common):
            continue
        end = i + 1
        if end < len(words) and _is_surname(text, words[end]):
            end += 1
        yield Candidate(i, end, RUN, {"person": 1.5})


def _is_person(text: Text, word: Word, common: bool) -> bool:
    if word.child("det") or (word.i and text.words[word.i - 1].text in {"-", "'", "#", "/", "@"}):
        return False
    if common or len(word.text) < 3:
        before = text.words[word.i - 1].lemma if word.i else ""
        named = before in cues.KIN or before in cues.SUPERIORS
        return (_acts(word) and word.pos == "PROPN") or (named and word.pos in {"NOUN", "PROPN"})
    if len(word.text) == 3:
        return word.pos in {"NOUN", "PROPN", "X", "INTJ"} or _acts(word)
    return True


def _acts(word: Word) -> bool:
    """Whether it does what people do."""
    return word.dep == "nsubj" and word.head.lemma in PERSON_VERBS


def _is_surname(text: Text, word: Word) -> bool:
    """A family name in lower case after a given name: a listed one, or no English word."""
    if not (word.text.isalpha() and word.text.islower() and len(word.text) > 1):
        return False
    if word.lower in surnames():
        return word.pos in {"PROPN", "NOUN", "X", "ADJ"} or not text.is_word(word)
    if text.is_word(word):
        return word.pos == "PROPN" and word.i > 0 and word.head is not word and text.words[word.i - 1].head is word
    return len(word.text) > 2 and word.pos not in {"ADP", "AUX", "DET", "PRON"} and word.lower not in listed_names()


def _strangers(text: Text) -> Iterator[Candidate]:
    """Words in lower case that aren't English, with those beside them; the sentence must make names of them."""
    if not text.english:
        return
    words, i = text.words, 0
    while i < len(words):
        end = i
        while end < len(words) and _is_strange(text, words[end]):
            end += 1
        if end > i:
            if end < len(words) and (words[end].lower in cues.LEGAL_ENDS or _is_numeral_after(words, end)):
                end += 1
            yield Candidate(i, end, LOOSE)
        elif _ends_an_organization(words, i):
            start = i - 1
            while start and words[start - 1].head is words[i] and words[start - 1].dep in {"compound", "nmod"}:
                start -= 1
            yield Candidate(start, i + 1, RUN, {"organization": 1.0})
        elif words[i].lower in cues.LEGAL_ENDS and i and _is_before_legal_form(words[i - 1]):
            yield Candidate(i - 1, i + 1, RUN)
        i = max(end, i + 1)


_LOWER_ENDS = frozenset(
    """labs systems technologies software bio studio studios capital partners ventures group media logistics analytics
    robotics energy bank university institute foundation consulting solutions health pharma""".split()
)


def _ends_an_organization(words: Sequence[Word], i: int) -> bool:
    """`at northwood labs`: no article, and a noun before it that tells which."""
    word = words[i]
    if word.lower not in _LOWER_ENDS or word.dep != "pobj" or word.head.lower not in {"at", "for", "from", "of", "to"}:
        return False
    named = (
        i > 0 and words[i - 1].head is word and words[i - 1].dep in {"compound", "nmod"} and words[i - 1].text.islower()
    )
    return named and not word.child("det", "poss", "amod")


def _is_strange(text: Text, word: Word) -> bool:
    return (
        word.text.islower()
        and word.text.isalpha()
        and len(word.text) > 3
        and word.pos in {"PROPN", "NOUN"}
        and word.tag != "NNS"
        and not text.is_word(word)
        and word.lower not in _CHAT
    )


def _is_numeral_after(words: Sequence[Word], i: int) -> bool:
    return words[i].text.isdigit() and len(words[i].text) < 3 and words[i].head is words[i - 1]


def _is_before_legal_form(word: Word) -> bool:
    return word.text.isalpha() and word.pos in {"NOUN", "PROPN", "ADJ"} and word.lower not in {"the", "a", "my", "our"}


_CHAT = frozenset(
    """gonna wanna gotta kinda sorta lemme gimme dunno cuz coz cause tho thru rly pls plz thx tmrw tomo ppl bday fave
    convo onboarding standup signup login logout backend frontend fullstack timeline screenshot website webpage email
    emails workflow chatbot dropdown tooltip checkbox dataset datasets config configs deps repo repos auth admin infra
    startup startups cofounder coworker coworkers teammate teammates homeschool selfie emoji emojis hashtag podcast
    podcasts vlog blog blogs smartphone wifi online offline upvote wishlist playlist playlists takeout staycation
    brunch veggie veggies hubby wifey mommy doggo pupper gf bf bff lol haha hahaha yeah yess omg wow awww hmm yikes
    woohoo yay gosh jeez ugh meh nah yup yep okie heya heyy hiii sooo soooo crypto fintech biotech healthtech edtech
    saas paas linter runtime middleware webhook webhooks endpoint endpoints namespace localhost hotfix bugfix rollout
    rollback changelog readme todo todos refactor refactoring autoscaling paywall newsletter freelancing sunscreen
    barista karaoke ramen sushi tofu matcha latte smoothie hummus kombucha guacamole burrito taco tacos pizza""".split()
)
"""Words of talk and work that dictionaries lack."""

PERSON_VERBS = frozenset(
    """say tell ask think want like love hate know feel believe meet call email text message phone move live marry smile
    laugh cry walk drive travel fly write read review help suggest mention recommend lead manage join quit retire resign
    offer agree disagree spend visit teach study learn work speak talk discuss explain remember forget hope wish try plan
    decide prefer enjoy cook eat drink sleep wake wear sing dance play swim run hike draft sketch debug file fix approve
    reject sign promise commit propose volunteer attend present invite thank apologize complain worry wonder notice
    report confirm warn insist argue admit claim reply respond answer introduce coordinate collaborate pair own blame
    organize prepare finish graduate celebrate adopt paint draw photograph bake outline explore outline walk advise
    consult mentor""".split()
)


# ------------------------------------------------------------------------------------------------ identifiers

_TICKET = re.compile(r"(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,6}(?![\w-])")
_NO_TICKETS = frozenset(
    "COVID UTF SHA ISO GPT RFC CVE MP MD UTC GMT AES RSA BM HTTP IPV F A B H T G L COVID-19".split()
)
_CODE = re.compile(r"(?<![\w./@-])[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+(?![\w/@-])(?!\.\w)")
_NO_CODE = frozenset(
    """self in full multi micro non pre post co room customer food web mobile real end open client low high third built
    on off up down out all any one two single cross inter intra long short re user""".split()
)


def _identifiers(text: Text) -> Iterator[Candidate]:
    for match in _TICKET.finditer(text.text):
        if match.group().split("-")[0] not in _NO_TICKETS and (span := _words_at(text, *match.span())):
            yield Candidate(*span, NAMED, {"task": 3.0})
    for match in _CODE.finditer(text.text):
        parts = re.split("[-_]", match.group())
        if parts[-1] in cues.CODE_PARTS and parts[0] not in _NO_CODE and (span := _words_at(text, *match.span())):
            yield Candidate(*span, NAMED, {"project": 3.0})


def _words_at(text: Text, start: int, stop: int) -> tuple[int, int] | None:
    inside = [word for word in text.words if word.start < stop and word.stop > start]
    if inside and inside[0].start == start and inside[-1].stop == stop:
        return inside[0].i, inside[-1].i + 1
    return None


# ------------------------------------------------------------------------------------------------ cue nouns


def _cued(text: Text) -> Iterator[Candidate]:
    if not text.english:
        return
    for word in text.words:
        if word.lower in {"project", "operation", "codename"} and word.i + 1 < len(text.words):
            yield from _after_project(text, word)
        if word.pos in {"NOUN", "PROPN"} and not is_capital(word):
            if word.lower == "campaign":
                yield from _before_head(text, word, "campaign", with_head=False)
            elif word.lower in cues.SYSTEM_HEADS:
                yield from _before_head(text, word, "project", with_head=True)


_METRICS = re.compile(
    r"\b(?:(?:conversion|churn|bounce|retention|open|click(?:-through)?|unsubscribe|error|win|response|engagement|growth|"
    r"failure|renewal|attrition)\s+rates?|churn|revenue|gross\s+margins?|(?:customer\s+)?acquisition\s+costs?|cost\s+per\s+"
    r"(?:lead|click|acquisition)|lifetime\s+value|(?:daily|monthly|weekly)\s+active\s+users|page\s+views|headcount|"
    r"signups|uptime|latency|throughput)(?=\s+(?:\w+\s+){0,3}[$€£]?\d)",
    re.IGNORECASE,
)


def _metrics(text: Text) -> Iterator[Candidate]:
    """`the churn rate went up to 4%`: a figure with its value."""
    for match in _METRICS.finditer(text.text):
        if span := _words_at(text, *match.span()):
            yield Candidate(*span, NAMED, {"metric": 3.0})


_QUOTED = re.compile(r'["“]([^"“”\n]{2,60})["”]')


def _titles(text: Text) -> Iterator[Candidate]:
    """`"The Night Garden"`: what stands in quotation marks with capitals throughout is a title."""
    for match in _QUOTED.finditer(text.text):
        span = _words_at(text, *match.span(1))
        inside = list(text.words[span[0] : span[1]]) if span else []
        large = [word for word in inside if word.text[:1].isupper() or word.lower in _SMALL_WORDS or word.pos == "NUM"]
        closed = bool(inside) and inside[-1].text not in {".", "!", "?", ","}
        if span and closed and len(large) == len(inside) and is_capital(inside[0]) and len(inside) > 1:
            yield Candidate(*span, NAMED, {"product": 1.6})


_SMALL_WORDS = frozenset("a an the of and or in on at to for from with by & : - 's ' ,".split())


def _after_project(text: Text, word: Word) -> Iterator[Candidate]:
    """`Project Atlas`, `project atlas`, `Operation Night Owl`."""
    words, end = text.words, word.i + 1
    while end < len(words) and words[end].sentence == word.sentence and is_capital(words[end]):
        end += 1
    if end > word.i + 1:
        if is_capital(word) or word.lower == "project":
            start = word.i if is_capital(word) else word.i + 1
            yield Candidate(start, end, NAMED, {"project": 3.0})
        return
    name = words[end]
    following = words[end + 1] if end + 1 < len(words) else None
    alone = following is None or following.pos not in {"NOUN", "PROPN"}
    plain = name.text.isalpha() and name.lower not in cues.NOT_A_PROJECT_NAME and name.pos in {"NOUN", "PROPN", "X"}
    if word.lower == "project" and plain and alone and name.head is not word and name.tag != "NNS":
        yield Candidate(word.i, end + 1, NAMED, {"project": 2.0})


def _before_head(text: Text, head: Word, kind: str, *, with_head: bool) -> Iterator[Candidate]:
    """`the spring sneakers campaign`, `the orders pipeline`: definite, and with a noun that tells which one."""
    words, start = text.words, head.i
    while start and words[start - 1].head is head and words[start - 1].dep in {"compound", "nmod", "amod"}:
        start -= 1
    modifiers = words[start : head.i]
    if not modifiers or not 1 <= len(modifiers) <= 4 or any(map(is_capital, modifiers)):
        return
    definite = start > 0 and words[start - 1].lower in {"the", "our", "my", "their", "this", "that"}
    if not definite or modifiers[0].lower in cues.GENERIC_MODIFIERS or modifiers[-1].dep not in {"compound", "nmod"}:
        return
    if modifiers[0].tag in {"JJR", "JJS"}:
        return
    yield Candidate(start, head.i + with_head, NAMED, {kind: 2.0})
