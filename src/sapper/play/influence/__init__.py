"""Chains of influence in games as they are played, and report 000's seven questions about them.

`following` notes what every deduction rests on, `measuring` turns that into figures, `comparing` sets players beside
each other, and `answers` says what the figures come to.
"""
