"""Writing a memory by hand, and taking in what was said."""
