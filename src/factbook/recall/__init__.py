"""From a question to the lines that answer it: pure functions over what the store found."""
