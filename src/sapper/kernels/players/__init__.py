"""Which cell to open: looking ahead, perfect endings, games played on, whole games."""
