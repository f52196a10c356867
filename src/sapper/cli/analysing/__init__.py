"""Commands that look at a position or at a game: its chances, the best cell, the proof, the mistakes."""
