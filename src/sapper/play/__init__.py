"""Where the world and agents meet.

`match` plays a game with an agent and `compiled` many, `record` is what happened, `narrative` tells it step by step;
`dealt` has fair, kind and cruel games; `reading` reads and writes any format; `metrics` measures boards and games;
`replays` turns mouse events into moves. `noguess/` makes and proves no-guess boards, `advice/` helps with games
elsewhere, `review/` judges finished games, `influence/` follows chains of influence.
"""
