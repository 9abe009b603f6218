"""Vectors of lines: stored bytes, one-bit codes, and the nearest."""
