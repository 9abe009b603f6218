"""A consistent view of the database: the record, what was said, and the search."""
