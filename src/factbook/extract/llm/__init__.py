"""Any language model as an extractor, alone or after the local one: a prompt, a form for the reply,
and a strict judge.
"""

from __future__ import annotations

from factbook.extract.llm.asking import reason_to_ask
from factbook.extract.llm.extractor import LlmExtractor, batch_episodes
from factbook.extract.llm.hybrid import HybridExtractor

__all__ = ["HybridExtractor", "LlmExtractor", "batch_episodes", "reason_to_ask"]
