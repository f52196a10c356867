"""Studies of boards rather than of games: how their figures spread, how ways of making them differ."""
