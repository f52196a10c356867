"""A game looked at afterwards: `judging` of every move, what it was worth (`winning`), in `words`, as a `page`."""
