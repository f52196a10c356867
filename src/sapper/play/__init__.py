"""Where the world and the mind meet: games played, recorded and measured."""
