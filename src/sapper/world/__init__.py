"""The world: it holds the truth and shows observations. It never thinks."""
