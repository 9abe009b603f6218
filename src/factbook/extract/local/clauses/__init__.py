"""Open reading: which clauses of a passage are worth keeping, by a small network on the reader's
states.
"""
