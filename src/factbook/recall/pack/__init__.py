"""The fifth step of recall: the lines that fit the budget, as one recollection."""
