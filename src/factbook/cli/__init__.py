"""The command line: `factbook --help` shows what it can do."""
