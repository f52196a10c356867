"""Many games side by side, for learning machines."""
