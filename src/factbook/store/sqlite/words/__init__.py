"""Lines in the index of words, and names in theirs."""
