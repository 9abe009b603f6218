"""The first step of recall: what a question asks for."""
