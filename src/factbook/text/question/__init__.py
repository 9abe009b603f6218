"""A question read as text alone: its words, times, answer shapes and hops."""
