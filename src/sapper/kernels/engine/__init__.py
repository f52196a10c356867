"""The exact engine: from a board and what it shows to the chance of every cell."""
