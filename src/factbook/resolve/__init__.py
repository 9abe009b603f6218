"""Resolving: a draft, or a write by hand, and what is known become changes. Everything here is
pure.
"""
