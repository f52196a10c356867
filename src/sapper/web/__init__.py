"""The page's server: games, hints, analysis and experiments as a JSON API, and the static page that uses it.

A request passes `requests/` (is it meant for us, what does it say) and reaches a route in `api/`, which asks `services`
for a game (`games/`) or for work in a process of its own (`work/`). `server` puts it together, `settings` says how, and
`static/` is the page. Only `work/` computes; routes know no engine.
"""
