"""Rules: what the clauses of a passage say of the names in it."""
