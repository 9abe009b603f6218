"""Learning: lease a job, extract a draft, ground it, gather what is known, resolve, commit."""
