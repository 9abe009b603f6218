"""Texts in other languages than English: names still, nothing breaks, and an installed pipeline of
the language helps.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from factbook.errors import ConfigError
from factbook.extract.local import languages
from factbook.extract.local.extractor import LocalExtractor
from factbook.extract.local.finder import Found, FoundName
from factbook.extract.local.languages import ForeignNames, language_of, pipeline_of
from factbook.ports.models import ExtractionContext
from tests.support import drafts

pytestmark = pytest.mark.model

GERMAN = "Der Hund von Katrin bellt, und die Chefin ist in Lübeck bei der Spedition Falk."


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Ich arbeite seit März bei der Bank in München.", "de"),
        ("Je travaille avec ma sœur depuis deux ans.", "fr"),
        ("Trabajo en Madrid con mi hermana desde hace dos años.", "es"),
        ("Ho visto Marco ieri con la sua ragazza.", "it"),
        ("Eu moro em Lisboa com a minha irmã.", "pt"),
        ("Ik werk bij een bank in Eindhoven en mijn zus ook.", "nl"),
        ("Мы живём в Москве.", "ru"),
        ("Ми живемо в Києві.", "uk"),
        ("मैं दिल्ली में रहता हूँ।", "hi"),
        ("我在北京工作。", "zh"),
        ("東京で働いています。", "ja"),
        ("저는 서울에 살아요.", "ko"),
        ("Μένω στην Αθήνα.", "el"),
        ("the build is broken again", "en"),
        ("We met Владимир at the station and he told us all about the trip.", "en"),
        ("Bello!", ""),
        ("12 + 7", ""),
        ("", ""),
    ],
)
def test_the_language_of_a_text_is_told_by_letters_and_function_words(
    text: str, language: str
) -> None:
    assert language_of(text) == language


NAMES = {
    "Ich arbeite seit März bei Siemens in München mit Katrin Vogel.": {
        "Siemens",
        "München",
        "Katrin Vogel",
    },
    "Je travaille chez Renault à Paris avec Claire Dubois.": {"Renault", "Paris", "Claire Dubois"},
    "Trabajo en Telefónica en Madrid con Lucía Fernández.": {
        "Telefónica",
        "Madrid",
        "Lucía Fernández",
    },
    "Мы используем Kubernetes и PostgreSQL.": {"Kubernetes", "PostgreSQL"},
    "हम PostgreSQL इस्तेमाल करते हैं।": {"PostgreSQL"},
    "我们使用 Kubernetes。": {"Kubernetes"},
}


@pytest.mark.parametrize("text", NAMES)
def test_names_in_other_languages_are_found_and_nothing_is_stated(text: str) -> None:
    draft = drafts.draft(text)
    assert {entity.name for entity in draft.entities} >= NAMES[text]
    assert not draft.facts
    assert not draft.relations


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installed German pipeline: a real one of spaCy's, though it knows a handful of words."""
    import spacy

    nlp = spacy.blank("de")
    tags = nlp.add_pipe("attribute_ruler")
    for word in ("Hund", "Chefin", "Der", "von", "und", "die"):
        tags.add([[{"ORTH": word}]], {"POS": "NOUN"})  # type: ignore[attr-defined]
    ruler = nlp.add_pipe("entity_ruler")
    names = {"PER": "Katrin", "LOC": "Lübeck", "ORG": "Spedition Falk", "MISC": "bellt"}
    ruler.add_patterns([{"label": label, "pattern": name} for label, name in names.items()])  # type: ignore[attr-defined]
    package = tmp_path / "de_core_news_sm"
    package.mkdir()
    nlp.to_disk(package / "de_core_news_sm-3.8.0")
    (package / "meta.json").write_text('{"lang": "de", "name": "core_news_sm", "version": "3.8.0"}')
    (package / "__init__.py").write_text(
        "from spacy.util import load_model_from_init_py\n"
        "def load(**overrides):\n    return load_model_from_init_py(__file__, **overrides)\n"
    )
    about = tmp_path / "de_core_news_sm-3.8.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: de_core_news_sm\nVersion: 3.8.0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    languages.pipeline_of.cache_clear()
    yield package
    languages.pipeline_of.cache_clear()
    sys.modules.pop("de_core_news_sm", None)
    importlib.invalidate_caches()


class Scripted:
    """A finder that takes the words it is told for names."""

    name = "scripted"

    def __init__(self, **names: str) -> None:
        self.names = names

    def find(self, texts: list[str], readings: object, context: ExtractionContext) -> list[Found]:
        return [self._found(text) for text in texts]

    def _found(self, text: str) -> Found:
        names = [
            FoundName(text.index(name), text.index(name) + len(name), name, kind)
            for name, kind in self.names.items()
            if name in text
        ]
        return Found(names, lambda start, stop: {"product": 0.7}, lambda known: self._found(text))


def found(finder: ForeignNames, text: str) -> Found:
    return finder.find([text], (), drafts.context())[0]


def test_an_installed_pipeline_drops_plain_words_and_adds_what_was_missed(german: Path) -> None:
    finder = ForeignNames(Scripted(Hund="organization", Katrin="product"))  # type: ignore[arg-type]
    assert pipeline_of("de") == "de_core_news_sm"
    first = found(finder, GERMAN)
    assert [(name.text, name.kind) for name in first.names] == [
        ("Katrin", "product"),  # where both speak, the kind of the finder stays
        ("Lübeck", "place"),
        ("Spedition Falk", "organization"),
    ]
    assert first.chances is not None
    at = {word: GERMAN.index(word) for word in ("Hund", "Katrin", "Lübeck")}
    assert first.chances(at["Hund"], at["Hund"] + 4) == {"": 1.0}
    assert first.chances(at["Katrin"], at["Katrin"] + 6) == {"product": 0.7}
    assert first.chances(at["Lübeck"], at["Lübeck"] + 6) == {"place": 0.9}
    assert first.again is not None
    assert first.again({}).names == first.names


def test_english_and_languages_without_a_pipeline_are_left_to_the_finder(german: Path) -> None:
    finder = ForeignNames(Scripted(Hund="organization"))  # type: ignore[arg-type]
    for text in (
        "The Hund is what they call the dog here.",
        "Le Hund est là avec nous, dans la rue.",
    ):
        assert [name.text for name in found(finder, text).names] == ["Hund"]


def test_the_extractor_names_the_pipelines_that_help(german: Path) -> None:
    finder = ForeignNames(Scripted())  # type: ignore[arg-type]
    assert finder.name == "scripted+spacy-de_core_news_sm-3.8.0"
    assert LocalExtractor(finder).name.startswith("local/")


def test_a_finder_that_tells_no_chances_is_completed_too(german: Path) -> None:
    finder = ForeignNames(Scripted())  # type: ignore[arg-type]
    joined = languages._joined(
        Found([]), languages._Foreign([FoundName(0, 6, "Katrin", "person")], [])
    )
    assert [name.text for name in joined.names] == ["Katrin"]
    assert joined.chances is None
    assert joined.again is None
    assert found(finder, GERMAN).names


def test_a_pipeline_that_cant_be_loaded_says_which(german: Path) -> None:
    (german / "de_core_news_sm-3.8.0" / "config.cfg").unlink()
    with pytest.raises(ConfigError, match="de_core_news_sm can't be loaded"):
        found(ForeignNames(Scripted()), GERMAN)  # type: ignore[arg-type]


def test_a_package_that_tells_no_version_is_named_all_the_same() -> None:
    assert languages._version("no_such_package") == "0"


def test_the_local_extractor_looks_for_pipelines_of_other_languages(german: Path) -> None:
    assert "spacy-de_core_news_sm-3.8.0" in LocalExtractor(stated="none").name
