"""The exact engine: from the cells of a position to the chance of every cell."""
