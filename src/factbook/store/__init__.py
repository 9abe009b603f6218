"""Stores: SQLite, RAM, and opening one by its URL."""
