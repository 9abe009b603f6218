"""An embedder for one call: a question that several spaces are asked is embedded once."""

from __future__ import annotations

from collections.abc import Sequence

from factbook.ports.models import Embedder


class CachedEmbedder:
    """Embeds each text once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, bytes] = {}

    @property
    def name(self) -> str:
        """As `Embedder.name`."""
        return self._embedder.name

    @property
    def size(self) -> int:
        """As `Embedder.size`."""
        return self._embedder.size

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        """As `Embedder.embed`."""
        fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
        if fresh:
            self._known.update(zip(fresh, self._embedder.embed(fresh), strict=True))
        return [self._known[text] for text in texts]
