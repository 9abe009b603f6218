"""The database file: opening it, its schema, who waits to write, and whether it is still the same."""
