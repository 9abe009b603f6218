"""What all spaces of one open memory share: the store, the models, the worker and the clock."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from factbook.learn.clock import Clock, IdMaker
from factbook.learn.extractor_choice import Extractors
from factbook.learn.observers import Bell
from factbook.learn.worker import Worker
from factbook.ports.models import Embedder, Listener, Loading, Tokenizer
from factbook.ports.store import Store
from factbook.reader.akin_words import akin_to
from factbook.reader.native_gate import GATE
from factbook.text.index_words import index_words

_log = logging.getLogger("factbook")


class Engine:
    """The parts, put together once. Models are loaded where they are first used, each once."""

    def __init__(  # noqa: PLR0913 - the parts of an open memory
        self,
        store: Store,
        *,
        extractors: Extractors,
        embedder: str | Embedder,
        tokenizer: Tokenizer,
        observers: Sequence[Listener],
        background: bool,
        clock: Clock,
        new_id: IdMaker,
        lease_seconds: float,
    ) -> None:
        self.store = store
        self.tokenizer = tokenizer
        self.clock = clock
        self.new_id = new_id
        self.bell = Bell(observers, clock)
        self.extractors = extractors
        self.background = background
        self._embedder = embedder
        self._loaded_embedder: Embedder | None = None
        self._embedder_is_known = False
        self._loading = threading.RLock()
        self._said: set[str] = set()
        self.worker = Worker(
            store,
            extractor=extractors.extractor,
            stand_in=extractors.stand_in,
            embedder=self.embedder,
            bell=self.bell,
            clock=clock,
            new_id=new_id,
            lease_seconds=lease_seconds,
        )

    def embedder(self) -> Embedder | None:
        """The embedder, loaded now if need be; None where there is none.

        Raises:
            ConfigError: one was asked for by name and can't be loaded.
        """
        if not isinstance(self._embedder, str):
            return self._embedder
        with GATE.visit(), self._loading:
            if not self._embedder_is_known:
                from factbook import reader

                self._loaded_embedder = reader.load_embedder(
                    None if self._embedder == "auto" else self._embedder
                )
                self._embedder_is_known = True
            return self._loaded_embedder

    def say_once(self, words: str) -> None:
        """Writes a warning to the log `factbook`, the same one never again."""
        if words not in self._said:
            self._said.add(words)
            _log.warning(words)

    def warm(self) -> None:
        """Loads what the first calls would otherwise wait for.

        Raises:
            ConfigError: a model was asked for by name and can't be loaded.
        """
        akin_to("warm")
        index_words("warm")
        embedder: object = self.embedder()
        if isinstance(embedder, Loading):
            embedder.load()
        self.extractors.warm()

    def close(self) -> None:
        """Stops the worker, breaks off what it still asks a model, and closes the store."""
        self.worker.stop()
        self.extractors.close()
        self.worker.join()
        self.store.close()
