"""The third step of recall: the signals of each candidate."""
