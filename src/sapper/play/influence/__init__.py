"""Chains of influence between the deductions of a game, and student report 000's seven questions about them.

`follow` records what every deduction depends on and compares agents, `measure` computes figures, `answers` answers the
questions.
"""
