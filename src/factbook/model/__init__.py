"""Frozen values without behaviour: the words of the design, one class each."""
