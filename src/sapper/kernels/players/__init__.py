"""Who decides which cell to open, and whole games."""
