"""Reading several rows as one view: merged entities, links with the names of their ends, the bearers
of a name."""
