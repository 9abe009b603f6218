"""The fourth step of recall: one score a line."""
