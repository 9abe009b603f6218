"""Measurements. `python -m bench --help` lists them; each prints a table and stands by its bars."""
