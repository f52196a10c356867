"""Reviews of finished games: `review` judges every move, `wins` estimates what it cost, `sentences` words both.

A review sees the record and so the mines, which no agent does.
"""
