"""Names: which words are one, and of what kind."""
