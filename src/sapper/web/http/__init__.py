"""What every request passes, and what every response is made of.

`guard` (origin, size, rate limits), `sessions` (who asks, under which prefix), `fields` (typed input), `responses`
(values and errors as JSON), `static` (the page's files). It knows no game.
"""
