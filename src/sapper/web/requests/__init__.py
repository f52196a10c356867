"""What every request passes and every answer is made of.

`guard` (is it meant for us, and not too often: `rates`), `sessions` (who asks), `reading` (what it says), `answers`
(values and errors as JSON), `pages` (the files of the page). Knows no game.
"""
