"""Players: each a way of reasoning plus a way of guessing. They see observations, never the truth."""
