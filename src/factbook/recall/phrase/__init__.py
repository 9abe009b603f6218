"""Lines put into words, with what a budget needs to know of them."""
