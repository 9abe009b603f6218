"""Names in lower case: given names, and words that aren't English where the sentence makes names of
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from factbook.extract.local import cues
from factbook.extract.local.lexicon import given_name, listed_names, role_words, surnames
from factbook.extract.local.naming.text import LOOSE, RUN, Candidate, Text, is_capital
from factbook.extract.local.parse import Word


def people(text: Text) -> Iterator[Candidate]:
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
    det = word.child("det")
    if word.i and text.words[word.i - 1].pos == "NUM":
        return False  # `20 min`
    if (det and det.i == word.i - 1) or (
        word.i and text.words[word.i - 1].text in {"-", "'", "#", "/", "@"}
    ):
        return False
    if common or len(word.text) < 3:
        before = text.words[word.i - 1].lower if word.i else ""
        named = before in cues.KIN or before in cues.SUPERIORS or before in role_words()
        return (_acts(word) and word.pos == "PROPN") or (named and word.pos in {"NOUN", "PROPN"})
    if len(word.text) == 3:
        return word.pos in {"NOUN", "PROPN", "X", "INTJ"} or _acts(word)
    return True


def _acts(word: Word) -> bool:
    """Whether it does what people do."""
    return word.dep == "nsubj" and word.head.lemma in cues.PERSON_VERBS


def _is_surname(text: Text, word: Word) -> bool:
    """A family name in lower case after a given name: a listed one, or no English word."""
    if not (word.text.isalpha() and word.text.islower() and len(word.text) > 1):
        return False
    if word.lower in surnames():
        return word.pos in {"PROPN", "NOUN", "X", "ADJ"} or not text.is_word(word)
    if text.is_word(word):
        return (
            word.pos == "PROPN"
            and word.i > 0
            and word.head is not word
            and text.words[word.i - 1].head is word
        )
    return (
        len(word.text) > 2
        and word.pos not in {"ADP", "AUX", "DET", "PRON"}
        and word.lower not in listed_names()
    )


def strangers(text: Text) -> Iterator[Candidate]:
    """Words in lower case that aren't English, with those beside them; the sentence must make names
    of them.
    """
    if not text.english:
        return
    words, i = text.words, 0
    while i < len(words):
        end = i
        while end < len(words) and _is_strange(text, words[end]):
            end += 1
        if end > i:
            if end < len(words) and (
                words[end].lower in cues.LEGAL_ENDS or _is_numeral_after(words, end)
            ):
                end += 1
            yield Candidate(i, end, LOOSE)
        elif _ends_an_organization(words, i):
            start = i - 1
            while (
                start
                and start <= words[start - 1].head.i <= i
                and words[start - 1].dep in {"compound", "nmod", "amod"}
            ):
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
    """`at northwood labs`, `joined northwood labs`: no article, and a noun before it that tells
    which.
    """
    word = words[i]
    belongs = word.dep == "pobj" and word.head.lower in {"at", "for", "from", "of", "to"}
    joined = word.dep == "dobj" and word.head.lemma in {"join", "leave", "found", "acquire"}
    if word.lower not in _LOWER_ENDS or not (belongs or joined):
        return False
    named = (
        i > 0
        and words[i - 1].head is word
        and words[i - 1].dep in {"compound", "nmod"}
        and words[i - 1].text.islower()
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
    return (
        word.text.isalpha()
        and word.pos in {"NOUN", "PROPN", "ADJ"}
        and word.lower not in {"the", "a", "my", "our"}
    )


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
