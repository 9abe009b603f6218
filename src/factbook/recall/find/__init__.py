"""The second step of recall: the candidate lines, and the rows behind them."""
