"""Which extractor a memory learns with: what the caller or the environment names, checked at
opening, loaded when used.

| spec | extractor |
|---|---|
| `local` | ours, without any model call |
| `openai:MODEL`, `anthropic:MODEL`, `ollama:MODEL` | that language model |
| `local+openai:MODEL` and so on | ours first; the language model judges, and reads where it adds |
| `none` | none: what is said is kept and found as text |
| `auto` | the model that EXTRACTION_MODEL names, else `local` where it is installed, else none |
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Literal

from factbook.errors import ConfigError
from factbook.llm import ModelSettings, provider_and_model, settings_from, spec_from
from factbook.model.usage import Usage
from factbook.ports.models import (
    AsyncLanguageModel,
    Closing,
    Extractor,
    LanguageModel,
    Loading,
    Metered,
)
from factbook.reader.native_gate import GATE

ExtractorLike = str | Extractor | LanguageModel | AsyncLanguageModel | Callable[[str], Any]
"""A spec, an extractor, a language model (of our port, a client's, or a plain callable from prompt
to text).
"""

SettingsLike = ModelSettings | Mapping[str, Any] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Choice:
    """A spec, read.

    Attributes:
        local: whether our own extractor reads: `always`, never, or `if installed`.
        model: the language model's spec, empty for none. settings: how it is asked.
    """

    local: Literal["always", "never", "if installed"] = "never"
    model: str = ""
    settings: ModelSettings | None = field(default=None, repr=False)

    @property
    def learns(self) -> bool:
        """False where none is wished."""
        return bool(self.model) or self.local != "never"


def choose(spec: str, settings: SettingsLike, environment: Mapping[str, str]) -> Choice:
    """Reads a spec. Settings that aren't given come from the environment.

    Raises:
        ConfigError: there is no such extractor, or a setting is wrong.
    """
    wanted = spec.strip()
    if wanted == "none":
        return Choice()
    if wanted == "local":
        return Choice(local="always")
    if wanted == "auto":
        named = spec_from(environment)
        if named is None:
            return Choice(local="if installed")
        return Choice(model=named, settings=_settings(named, settings, environment))
    first, plus, model = wanted.partition("+")
    if not plus or first.strip() != "local":
        model = wanted
    try:
        provider_and_model(model)
    except ConfigError:
        raise ConfigError(
            f"no extractor {spec!r}; name one as 'local', 'none', 'auto', 'openai:MODEL', "
            "'anthropic:MODEL',"
            " 'ollama:MODEL' or 'local+ollama:MODEL', or give an object"
        ) from None
    local: Literal["always", "never"] = "never" if model is wanted else "always"
    return Choice(
        local=local, model=model.strip(), settings=_settings(model.strip(), settings, environment)
    )


def _settings(spec: str, given: SettingsLike, environment: Mapping[str, str]) -> ModelSettings:
    if isinstance(given, ModelSettings):
        given = {
            each.name: value
            for each in fields(given)
            if (value := getattr(given, each.name)) != _default(each)
        }
    return settings_from(environment, spec, **(given or {}))


def _default(each: Any) -> Any:
    return each.default if each.default is not MISSING else each.default_factory()


def load_extractor(choice: Choice) -> Extractor | None:
    """The extractor that was chosen; None where none is wished or installed.

    Raises:
        ConfigError: a package is missing, or there is no key for the provider's own server.
    """
    ours: Extractor | None = None
    if choice.local != "never":
        from factbook.extract.local import LocalExtractor, is_installed

        if choice.local == "always" or is_installed():
            ours = LocalExtractor()
    if not choice.model:
        return ours
    from factbook.extract.llm import HybridExtractor, LlmExtractor
    from factbook.llm import open_model

    theirs = LlmExtractor(open_model(choice.model, choice.settings))
    return theirs if ours is None else HybridExtractor(ours, theirs)


def adopt(
    given: Extractor | LanguageModel | AsyncLanguageModel | Callable[[str], Any],
    settings: SettingsLike = None,
) -> Extractor:
    """The host's object as an extractor. Of the settings a client of OpenAI or Anthropic needs
    `model`, and nothing else is heeded.

    Raises:
        ConfigError: it is neither an extractor nor a language model, or a client without a model's
            name.
    """
    if isinstance(given, Extractor):
        return given
    from factbook.extract.llm import LlmExtractor
    from factbook.llm.adapt import language_model

    model = settings.get("model") if isinstance(settings, Mapping) else None
    try:
        return LlmExtractor(language_model(given, model))
    except ConfigError as error:
        words = str(error).replace("extraction_model=", "model_settings={'model': …}")
        raise ConfigError(words) from None


class Extractors:
    """A memory's extractor and what stands in for it, each loaded where it is first used.

    Args:
        environment: where the settings stand that aren't given. The rest: see `Memory.open`.

    Raises:
        ConfigError: there is no such extractor or stand-in, or a setting is wrong.
    """

    def __init__(
        self,
        extractor: ExtractorLike,
        *,
        model_settings: SettingsLike = None,
        stand_in: Extractor | str | None = None,
        environment: Mapping[str, str],
    ) -> None:
        if isinstance(stand_in, str) and stand_in != "local":
            raise ConfigError(f"no stand-in {stand_in!r}; there is 'local', or give an extractor")
        self._loading = threading.RLock()
        self._choice = (
            choose(extractor, model_settings, environment)
            if isinstance(extractor, str)
            else Choice()
        )
        self._extractor: Extractor | None = (
            None if isinstance(extractor, str) else adopt(extractor, model_settings)
        )
        self._is_ours = isinstance(extractor, str)
        self._stand_in_choice = Choice(
            local="if installed" if isinstance(stand_in, str) else "never"
        )
        self._stand_in: Extractor | None = None if isinstance(stand_in, str) else stand_in

    @property
    def learns(self) -> bool:
        """False where no extractor is wished."""
        return not self._is_ours or self._choice.learns

    @property
    def is_missing(self) -> bool:
        """True where nothing will ever learn: no extractor is wished, or `auto` finds none
        installed. Loads nothing.
        """
        if not self._is_ours or self._choice.model or self._choice.local == "always":
            return False
        from factbook.extract.local import is_installed

        return self._choice.local == "never" or not is_installed()

    def extractor(self) -> Extractor | None:
        """The extractor, loaded now if need be; None where none is wished or `auto` finds none
        installed.

        Raises:
            ConfigError: it was asked for by name and can't be loaded.
        """
        with GATE.visit(), self._loading:
            if self._extractor is None:
                self._extractor = load_extractor(self._choice)
            return self._extractor

    def stand_in(self) -> Extractor | None:
        """Returns the extractor that learns meanwhile where the model can't be asked; None where
        none is wished or installed.
        """
        with GATE.visit(), self._loading:
            if self._stand_in is None:
                self._stand_in = load_extractor(self._stand_in_choice)
            return self._stand_in

    def warm(self) -> None:
        """Loads the models that run here; a server is not asked.

        Raises:
            ConfigError: what was asked for by name can't be loaded.
        """
        models: list[object] = [self.extractor(), self.stand_in()]
        for found in models:
            if isinstance(found, Loading):
                found.load()

    def usage(self) -> Usage | None:
        """Counts the language model's calls since the opening; None where there is none or nobody
        counts.
        """
        found: object = self._extractor
        if isinstance(found, Metered):
            return found.usage()
        return Usage() if self._choice.model else None

    def close(self) -> None:
        """Ends the connections of a model that was opened here."""
        found: object = self._extractor
        if self._is_ours and isinstance(found, Closing):
            found.close()
