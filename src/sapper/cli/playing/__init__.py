"""Commands to play with: the page, a game in the terminal, advice about a real game, a demonstration."""
