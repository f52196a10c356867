"""Experiments of ours: `variants` are the assignment's other agents, `uncertainty` and `liars` clues that may be wrong.

Only `catalogue` imports them.
"""
