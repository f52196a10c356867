"""What an observation says, before anybody reasons about it.

`statements` are the clues about hidden cells, `boxes` the cells that the same statements touch, `components` the boxes
that influence each other; `facts` is what a player in a game knows so far. Imported by inference and agents.
"""
