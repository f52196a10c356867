"""What takes time, in processes that can be ended: about `positions`, about `whole_games`, sweeps in the `lab`.

`processes` runs the first two with a time limit; the lab has a process of its own.
"""
