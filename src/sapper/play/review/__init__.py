"""A game looked at afterwards: `judging` of every move, what it was worth (`winning`), in `words`, as a `page`.

It sees the record and so the truth, which no agent does. Page and commands import it.
"""
