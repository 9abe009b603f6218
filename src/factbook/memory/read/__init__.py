"""Reading a memory by name and by question."""
