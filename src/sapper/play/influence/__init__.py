"""Chains of influence in games as they are played, and report 000's seven questions about them.

`follow` records what every deduction rests on and compares agents, `measure` turns that into figures, and `answers`
answers the questions.
"""
