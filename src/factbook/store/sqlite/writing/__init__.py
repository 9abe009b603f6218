"""Writing: the two doors, the table of jobs, and forgetting."""
