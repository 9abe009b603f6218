"""Masking of secrets, before anything is stored.

`formats` knows what secrets look like wherever they stand; `keys` finds the words that announce one
("password", `API_KEY`) and `values` judges what stands behind them: a literal or an expression, a
secret or prose; `commands` and `codes` read shells, PINs, seed phrases and recovery codes.
docs/decisions/0025-secrets.md has the reasons.
"""

from __future__ import annotations

from factbook.text.secrets.masking import mask_secrets

__all__ = ["mask_secrets"]
