"""Forgetting: what a wish to forget means in rows, and its erasure."""
