"""What many statements come to together: trends."""
