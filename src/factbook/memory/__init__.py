"""Memory: the one place where the rooms are put together."""
