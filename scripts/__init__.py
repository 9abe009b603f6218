"""Scripts of the repository; not shipped."""
