"""The agent's tools: plain typed functions that return text."""
