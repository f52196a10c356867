"""Many games side by side, with random numbers of their own: what learning agents play."""
