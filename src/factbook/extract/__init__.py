"""Extractors: from what was said to a draft of who and what it tells of. `ground_draft` checks every
draft.
"""
