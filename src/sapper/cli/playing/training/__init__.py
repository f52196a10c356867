"""What ``sapper train`` has behind it, all in the terminal.

`teachers` set the puzzles, some of them up and down a `ladder` of levels; `asking` shows one and reads answers;
`sessions` go from one to the next, a `diary` keeps the answers, and `progress` shows what they tell. Only that command
imports them.
"""
