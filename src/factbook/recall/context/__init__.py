"""Contexts: lines that enter unasked, and whole entities."""
