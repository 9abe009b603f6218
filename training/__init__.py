"""How the reader's model is made: data, training, export. Not shipped."""
