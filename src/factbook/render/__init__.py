"""Recalled lines as text for a prompt: data, escaped, in one delimited block."""
