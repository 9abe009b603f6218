"""Other languages than English: which one a text is in, and the names that a spaCy pipeline of that
language finds where the user installed one (`de_core_news_sm`, `fr_core_news_md`, …).

The reader and the lists find names in any language; a pipeline made for one knows its common nouns
from its names.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from typing import TYPE_CHECKING

from factbook.errors import ConfigError
from factbook.extract.local.finder import Found, FoundName, NameFinder
from factbook.ports.models import ExtractionContext

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

    from factbook.reader.reading_model import Reading

SCRIPTS = {
    "ja": r"[\u3040-\u30ff]",
    "ko": r"[\uac00-\ud7af]",
    "zh": r"[\u3400-\u9fff]",
    "uk": r"[іїєґ]",
    "ru": r"[\u0400-\u04ff]",
    "el": r"[\u0370-\u03ff]",
    "hi": r"[\u0900-\u097f]",
}
"""Languages that their letters tell, in the order in which they are tried: Japanese writes Han
letters, too.
"""
SHARE_OF_SCRIPT = 0.3
"""Of a text's letters."""

LATIN = (
    "en",
    "ca",
    "da",
    "de",
    "es",
    "fi",
    "fr",
    "hr",
    "it",
    "lt",
    "nb",
    "nl",
    "pl",
    "pt",
    "ro",
    "sl",
    "sv",
)
"""Those of which spaCy has pipelines; told apart by their function words."""
FEWEST_WORDS = 2
"""Function words of a language that a text must hold, and more than of English. Between others that
are as likely, one with a pipeline is preferred.
"""

SIZES = ("lg", "md", "sm")
SOURCES = ("news", "web")

KINDS = {
    **dict.fromkeys(("PER", "PERSON", "persName"), "person"),
    **dict.fromkeys(("LOC", "GPE", "FAC", "placeName", "geogName"), "place"),
    **dict.fromkeys(("ORG", "orgName", "ORGANIZATION"), "organization"),
    "PRODUCT": "product",
    "EVENT": "event",
}
"""By the labels of spaCy's pipelines; what else they mark is no name for certain."""
SURE = 0.9
"""How sure a kind is that such a pipeline gives."""

_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def language_of(text: str) -> str:
    """The language's code (ISO 639-1); empty where a text tells too little."""
    letters = len(_LETTER.findall(text))
    for language, pattern in SCRIPTS.items():
        enough = 1 if language == "uk" else max(1.0, SHARE_OF_SCRIPT * letters)
        if len(re.findall(pattern, text.casefold())) >= enough:
            return language
    words = set(map(str.casefold, _WORD.findall(text)))
    count = {language: len(words & _function_words(language)) for language in LATIN}
    most = max(count.values())
    best = [language for language in LATIN if count[language] == most]
    if most < FEWEST_WORDS or "en" in best:
        return "en" if "en" in best and most else ""
    return best[0] if len(best) == 1 else next(filter(pipeline_of, best), "")


@cache
def _function_words(language: str) -> frozenset[str]:
    """spaCy's stop words of the language: short lists, read without any pipeline."""
    module = importlib.import_module(f"spacy.lang.{language}.stop_words")
    return frozenset(word for word in module.STOP_WORDS if word.isalpha() and len(word) > 1)


@cache
def pipeline_of(language: str) -> str:
    """The largest installed pipeline package of a language; empty without one. Looked for once in a
    process.
    """
    names = (f"{language}_core_{source}_{size}" for size in SIZES for source in SOURCES)
    if not language or importlib.util.find_spec("spacy") is None:
        return ""
    return next((name for name in names if importlib.util.find_spec(name)), "")


@dataclass(slots=True)
class ForeignNames:
    """A finder whose names in other languages are checked and completed by a pipeline of that
    language, if one is installed. English, and languages without one, are left to `base`.
    """

    base: NameFinder
    _loaded: dict[str, Language] = field(default_factory=dict[str, "Language"])

    @property
    def name(self) -> str:
        packages = [
            package for language in (*LATIN[1:], *SCRIPTS) if (package := pipeline_of(language))
        ]
        parts = [self.base.name, *(f"spacy-{each}-{_version(each)}" for each in packages)]
        return "+".join(part for part in parts if part)

    def find(
        self, texts: Sequence[str], readings: Sequence[Reading], context: ExtractionContext
    ) -> list[Found]:
        """Finds what each text holds, in order; a language's pipeline is loaded by its first text.

        Raises:
            ConfigError: an installed pipeline can't be loaded.
        """
        found = self.base.find(texts, readings, context)
        latin, other = (any(map(pipeline_of, languages)) for languages in (LATIN[1:], SCRIPTS))
        if not (latin or other):  # what tells languages apart takes two seconds to load
            return found
        by_package: dict[str, list[int]] = {}
        for at, text in enumerate(texts):
            language = language_of(text) if latin or not text.isascii() else ""
            if language != "en" and (package := pipeline_of(language)):
                by_package.setdefault(package, []).append(at)
        for package, places in by_package.items():
            for at, doc in zip(
                places, self._pipeline(package).pipe([texts[at] for at in places]), strict=True
            ):
                found[at] = _joined(found[at], _Foreign.of(doc))
        return found

    def _pipeline(self, package: str) -> Language:
        if package not in self._loaded:
            import spacy

            try:
                self._loaded[package] = spacy.load(
                    package, exclude=["parser", "lemmatizer", "senter"]
                )
            except (OSError, ValueError, ImportError) as error:
                raise ConfigError(
                    f"{package} can't be loaded ({type(error).__name__}); install it anew, or uninstall it"
                ) from error
        return self._loaded[package]


@cache
def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "0"


@dataclass(frozen=True, slots=True)
class _Foreign:
    """What a pipeline says of a text: its names, and where its plain words stand."""

    names: Sequence[FoundName]
    plain: Sequence[tuple[int, int]]

    @classmethod
    def of(cls, doc: Doc) -> _Foreign:
        names = [
            FoundName(span.start_char, span.end_char, span.text, KINDS[span.label_])
            for span in doc.ents
            if span.label_ in KINDS
        ]
        plain = [
            (token.idx, token.idx + len(token.text))
            for token in doc
            if token.pos_ not in ("", "PROPN", "X") and not token.ent_type_
        ]
        return cls(names, plain)

    def is_plain(self, start: int, end: int) -> bool:
        """Whether all that stands there are plain words of the language."""
        inside = sum(
            min(end, stop) - max(start, first)
            for first, stop in self.plain
            if first < end and stop > start
        )
        return inside >= end - start


def _joined(found: Found, foreign: _Foreign) -> Found:
    """The base's names that are no plain words of the language, and the pipeline's where the base
    has none. Small pipelines often get the kind wrong, so that the base's opinion stays where both
    speak.
    """
    kept = [
        each for each in found.names if not (each.kind and foreign.is_plain(each.start, each.end))
    ]
    dropped = [(each.start, each.end) for each in found.names if each not in kept]
    new = [
        each
        for each in foreign.names
        if each.text[:1].isupper()
        and not any(other.start < each.end and each.start < other.end for other in found.names)
    ]
    return Found(
        sorted([*kept, *new], key=lambda each: each.start),
        _Chances(found, new, dropped) if found.chances else None,
        _again(found.again, foreign) if found.again else None,
    )


def _again(
    base: Callable[[Mapping[str, str]], Found], foreign: _Foreign
) -> Callable[[Mapping[str, str]], Found]:
    return lambda known: _joined(base(known), foreign)


@dataclass(frozen=True, slots=True)
class _Chances:
    """The base's chances, but for the names that the pipeline gave and those that it refused."""

    base: Found
    names: Sequence[FoundName]
    dropped: Sequence[tuple[int, int]]

    def __call__(self, start: int, stop: int) -> Mapping[str, float]:
        for each in self.names:
            if each.start < stop and start < each.end:
                return {each.kind: SURE}
        if any(first < stop and start < last for first, last in self.dropped):
            return {"": 1.0}
        return self.base.chances(start, stop) if self.base.chances else {}
