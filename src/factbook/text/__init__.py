"""Pure work on text: names, words, dates, tokens, secrets."""
