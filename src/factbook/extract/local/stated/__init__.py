"""A learned reading of what a passage states, beside the rules: a small network on the reader's
states.
"""
