"""Experiments: games by the thousand, kept in a store, summed up with intervals, drawn."""
