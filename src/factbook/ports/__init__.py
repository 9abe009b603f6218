"""The protocols behind which the parts stand."""
