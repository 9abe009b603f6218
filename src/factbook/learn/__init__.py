"""Learning: lease a job, extract a draft, ground it, gather what is known, resolve, commit.

Its modules in that order: `worker` and `worker_turn` lease, `call_extractor` extracts, `committing`
grounds, resolves and commits, over what `gather`, `known_in_text`, `learned_before` and
`recent_statements` read; `engine` holds the parts of one open memory.
"""
