"""Language models: whatever a host has, as our port. The connection stays in the host's own client object."""
