"""Any language model as an extractor, alone or after the local one: a prompt, a form for the reply,
and a strict judge.

One reply goes through one folder: `prompt` asks for what `reply_schema` bounds, `reply_lists` reads
the answer, `reply_entities`, `reply_statements` and `reply_observations` judge it by `evidence` and
`statement_proof`, and an `episode_sheet` gathers what is left. `hybrid` has read only that for which
there is a `reason_to_ask`, has the local reader's `proposals` judged by a `judge_prompt` in the same
call, and makes `joined_drafts`.
"""

from __future__ import annotations

from factbook.extract.llm.extractor import LlmExtractor, batch_episodes
from factbook.extract.llm.hybrid import HybridExtractor
from factbook.extract.llm.reason_to_ask import reason_to_ask

__all__ = ["HybridExtractor", "LlmExtractor", "batch_episodes", "reason_to_ask"]
