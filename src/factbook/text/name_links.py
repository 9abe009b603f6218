"""The names in a question: what may be one, and which entities it means.

A name is taken for one where it stands as names stand. An ordinary word that is also somebody's
name (`will`, `rose`) needs something that speaks for it: a capital within the sentence, an 's, or a
place where only a name can stand.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from factbook.ports.snapshot import NameHit
from factbook.text.common_words import IMPERATIVES, UNCOUNTED, is_common
from factbook.text.index_words import STOP_WORDS
from factbook.text.names import SHORTEST_SLIP, fold, has_unspaced
from factbook.text.nicknames import is_known_name
from factbook.text.question.question_words import NAMES_TOO, Gram, Token
from factbook.text.word_lists import load_words

MOST_BEARERS = 5
"""A name that more entities bear says nothing."""

SURE = 0.7
"""Strength of a link from which on the question is about that entity."""

_WHOLE = 0.9
_SIMILAR = 0.75
_BESIDE = 0.9
"""Of a name whose other word is misspelt."""

_BY_KEY: Mapping[str, float] = {
    "f": 1.0,
    "u": 0.95,
    "j": 0.95,
    "c": 0.9,
    "n": 0.85,
    "s": 0.9,
    "a": 0.8,
}
"""How surely a name is meant by the sort of key that found it (see `text.names.name_keys`)."""
_INITIAL = 0.85
_WITH_MORE = 0.75
"""Of a name beside words that only tell its kind: `the city of Porto`."""
_SLIPS: Mapping[int, float] = {1: 0.78, 2: 0.66}
"""How surely a name is meant that is misspelt by so many letters."""

LONG = 7
"""Letters from which on two of them may be wrong."""

_NOUN_FOLLOWS = load_words("text/question_cues", "determiners")
_ASKS = load_words("text/question_cues", "asking")
_WITH = frozenset("with at from for by about than and or of".split())
_FINITE = load_words("text/question_cues", "finite")
_DEFINITE = frozenset("the our my this that your".split())
_AFTER = STOP_WORDS | load_words("text/question_cues", "after")


@dataclass(frozen=True, kw_only=True, slots=True)
class Linked:
    """An entity that the question names: `name` as it stands there, at the words `start:end`,
    `strength` 0–1, and by which of its names it is known (`bearer`).
    """

    entity_id: str
    name: str
    strength: float
    start: int = -1
    end: int = -1
    bearer: str = ""


def link_names(
    found: Mapping[Gram, Sequence[tuple[str, NameHit]]],
    canonical: Mapping[str, str],
    said: Sequence[Token] = (),
) -> tuple[Linked, ...]:
    """Returns the entities that a question names, from the name index's hits for its grams.

    A longer name that matches whole hides the shorter ones inside it; a name with several bearers
    is shared by them.

    Args:
        said: the question's words, to tell names from ordinary words; without them, all are taken
            for names.
    """
    fits = {
        gram: _weigh_bearers(gram, [*hits, *_similar_bearers(gram, hits, found)], canonical, said)
        for gram, hits in found.items()
    }
    tops = {
        gram: max((fit for fit, _ in bearers.values()), default=0.0)
        for gram, bearers in fits.items()
    }
    whole = [gram for gram, top in tops.items() if top >= _WHOLE]
    best: dict[str, Linked] = {}
    for gram, bearers in fits.items():
        top = tops[gram]
        if not top or any(_lies_inside(gram, big) for big in whole):
            continue
        near = [key for key, (fit, _) in bearers.items() if fit >= 0.8 * top]
        if len(near) > MOST_BEARERS:
            continue
        for key in near:
            fit, name = bearers[key]
            strength = fit / len(near) ** 0.5
            if key not in best or strength > best[key].strength:
                place = {"start": gram.start, "end": gram.end}
                best[key] = Linked(
                    entity_id=key, name=gram.text, strength=strength, bearer=name, **place
                )
    return sort_by_strength(best.values())


def sort_by_strength(linked: Iterable[Linked]) -> tuple[Linked, ...]:
    """Returns the links, the surest first."""
    return tuple(sorted(linked, key=lambda each: (-each.strength, each.entity_id)))


def _similar_bearers(
    gram: Gram,
    hits: Sequence[tuple[str, NameHit]],
    found: Mapping[Gram, Sequence[tuple[str, NameHit]]],
) -> list[tuple[str, NameHit]]:
    """Returns the bearers of one of its words where a name is only known by its sound; they may be
    meant as well.
    """
    if gram.end - gram.start < 2 or all(key[0] != "p" for key, _ in hits):
        return []
    inner = [each for small, each in found.items() if small != gram and _lies_inside(small, gram)]
    return [("p:", hit) for some in inner for key, hit in some if key[0] == "t"]


def _weigh_bearers(
    gram: Gram,
    hits: Sequence[tuple[str, NameHit]],
    canonical: Mapping[str, str],
    said: Sequence[Token],
) -> dict[str, tuple[float, str]]:
    """Returns by canonical id how well the best of its names fits, and that name."""
    fits: dict[str, tuple[float, str]] = {}
    for key, hit in hits:
        fit = _weigh_fit(gram.text, key[:1], hit)
        if fit and said:
            fit *= _weigh_credit(gram, key, hit, said)
        if fit:
            home = canonical.get(hit.entity_id, hit.entity_id)
            if home not in fits or fit > fits[home][0]:
                fits[home] = fit, hit.name
    return fits


def _lies_inside(small: Gram, big: Gram) -> bool:
    if big.start == small.start and big.end == small.end:
        return len(small.text) < len(big.text) and small.text in big.text and has_unspaced(big.text)
    return big.start <= small.start and small.end <= big.end


def _weigh_fit(gram: str, sort: str, hit: NameHit) -> float:
    """Scores how well words of the question fit a name: 1 for the same, less for a part or a
    misspelling of it.
    """
    left, right = fold(gram), fold(hit.name)
    asked, borne = left.split(), right.split()
    if sort == "n":
        return _weigh_given_name(asked, borne, hit.kind)
    if sort == "t":
        return 0.5 + 0.4 / max(len(borne), 1)
    if sort == "s" and len(asked) > len(borne):
        return _WITH_MORE
    if sort in _BY_KEY:
        return _BY_KEY[sort]
    if sort == "i":
        return _INITIAL if len(asked) == len(borne) and all(map(_short_for, asked, borne)) else 0.0
    from rapidfuzz.distance import DamerauLevenshtein

    similar = DamerauLevenshtein.normalized_similarity(left, right)
    return 0.7 * similar if similar >= _SIMILAR and not _two_names(left, right) else 0.0


def _weigh_given_name(asked: Sequence[str], borne: Sequence[str], kind: str) -> float:
    if len(asked) > 1 and (asked[-1] != borne[-1] or kind != "person"):
        return 0.0  # the given name alone, of a run of words that only begins with it
    if len(asked) != len(borne):
        return 0.5 + 0.4 * min(len(asked), len(borne)) / max(len(asked), len(borne), 1)
    return _BY_KEY["n"]


def _short_for(left: str, right: str) -> bool:
    return left == right or (min(len(left), len(right)) == 1 and left[0] == right[0])


def _two_names(left: str, right: str) -> bool:
    """Returns whether words differ that are both common names: Tim Berger isn't Tom Berger."""
    pairs = zip(left.split(), right.split(), strict=False)
    return any(a != b and is_known_name(a) and is_known_name(b) for a, b in pairs)


def _weigh_credit(gram: Gram, key: str, hit: NameHit, said: Sequence[Token]) -> float:
    """Returns 1 for what can be taken for the name, 0 for an ordinary word that only looks
    like it.
    """
    token = said[gram.start]
    if gram.end - gram.start > 1 or gram.text != token.text:
        return 1.0
    if token.dated:
        return 0.0
    word = key[2:] if key[0] == "t" else token.folded
    if token.capital or not (is_common(word) or word in NAMES_TOO):
        return 1.0
    if key[0] == "p":
        return 0.0
    parts = fold(hit.name).split()
    if hit.name.islower():
        return 1.0 if key[0] != "t" or parts[-1] == word else 0.0
    if len(parts) > 1 and hit.kind != "person":
        before = said[gram.start - 1].folded if gram.start else ""
        return 0.8 if before in _DEFINITE and parts[-1] == word else 0.0
    return 1.0 if _stands_as_name(said, gram.start, hit.kind) else 0.0


def _stands_as_name(said: Sequence[Token], place: int, kind: str) -> bool:
    token, before = said[place], said[place - 1].folded if place else ""
    after = said[place + 1] if place + 1 < len(said) else None
    if before in _NOUN_FOLLOWS:
        return False
    if token.owns or len(said) == 1:
        return True
    if kind not in ("person", "organization") or token.folded in UNCOUNTED:
        return False
    if before in _ASKS:
        return True
    if before in _WITH:
        return after is None or after.parts or after.folded in _AFTER
    if not token.first or not token.text[:1].isupper() or after is None:
        return False
    return after.folded in _FINITE or (after.folded == "and" and token.folded not in IMPERATIVES)


def unclear_words(
    said: Sequence[Token], linked: Iterable[Linked], known: Container[int] = ()
) -> dict[int, str]:
    """Returns the words that may be misspelt names, folded, by their place: unknown ones, the
    longer in lower case too.

    Args:
        known: the places of words that stand in some name as they are.
    """
    taken = {place: each.strength for each in linked for place in range(each.start, each.end)}
    out: dict[int, str] = {}
    for place, token in enumerate(said):
        word = fold(token.text)
        linked_surely = taken.get(place, 0.0) >= _SURE_ENOUGH
        if place in known or linked_surely or not _is_unknown(token, word):
            continue
        beside = place - 1 in taken or place + 1 in taken
        is_longer = len(word) > SHORTEST_SLIP or not word.isascii()
        may_name = token.capital or token.first or beside
        if may_name or is_longer:
            out[place] = word
    return out


def _is_unknown(token: Token, word: str) -> bool:
    """Returns whether a word is long enough for a misspelt name and is no word or name that is
    known.
    """
    if not word.isalpha() or len(word) < SHORTEST_SLIP:
        return False
    if token.dated or token.folded in STOP_WORDS:
        return False
    return not (is_common(token.folded) or is_known_name(word))


_SURE_ENOUGH = 0.7
"""Strength from which on a name is not only known by its sound."""


def slip_fit(token: Token, name: str) -> float:
    """Scores how surely a word stands for this word of a name, by the letters that differ; 0 for
    another word.
    """
    from rapidfuzz.distance import DamerauLevenshtein

    word = fold(token.text)
    differ = int(DamerauLevenshtein.distance(word, name))
    is_long = len(word) >= LONG
    begins_alike = word[0] == name[0]
    if not (is_long or begins_alike):
        return 0.0
    may_differ_twice = is_long and begins_alike and token.text[:1].isupper()
    if differ == 2 and not may_differ_twice:
        return 0.0
    return _SLIPS.get(differ, 0.0)


def link_misspelt(
    found: Mapping[int, Sequence[tuple[str, NameHit]]],
    said: Sequence[Token],
    linked: Sequence[Linked],
    canonical: Mapping[str, str],
) -> tuple[Linked, ...]:
    """Returns all links, those by misspelt words among them.

    Args:
        found: by the place of the word, the names that hold a word like it, with that word.
    """
    best = {each.entity_id: each for each in linked}
    for place, hits in found.items():
        fits: dict[str, tuple[float, str]] = {}
        for word, hit in hits:
            home = canonical.get(hit.entity_id, hit.entity_id)
            fit = slip_fit(said[place], word) * (0.5 + 0.5 / max(len(fold(hit.name).split()), 1))
            if fit > fits.get(home, (0.0, ""))[0]:
                fits[home] = fit, hit.name
        for key, each in best.items():
            # Their other word is there, and this one may be too short to be looked up.
            if key not in fits and each.bearer and each.start - 1 <= place <= each.end:
                borne = fold(each.bearer).split()
                fit = max(slip_fit(said[place], word) for word in borne) * (0.5 + 0.5 / len(borne))
                fits[key] = fit, each.bearer
        top = max((fit for fit, _ in fits.values()), default=0.0)
        near = [key for key, (fit, _) in fits.items() if fit and fit >= 0.8 * top]
        beside = [
            key for key in near if key in best and best[key].start - 1 <= place <= best[key].end
        ]
        unsure = len(beside) ** 0.5
        for key in beside or (near if len(near) <= MOST_BEARERS else ()):
            fit, bearer = fits[key]
            strength = fit / len(near) ** 0.5
            before = best.get(key)
            if key in beside and before is not None:
                start, end = min(place, before.start), max(place + 1, before.end)
                name = " ".join(token.text for token in said[start:end])
                best[key] = replace(
                    before, name=name, strength=_BESIDE / unsure, start=start, end=end
                )
            elif before is None or strength > before.strength:
                name = said[place].text
                best[key] = Linked(
                    entity_id=key,
                    name=name,
                    strength=strength,
                    start=place,
                    end=place + 1,
                    bearer=bearer,
                )
    return sort_by_strength(best.values())
