"""The web app's server: games, hints, analysis and experiments as a JSON API, and the static page that uses it.

A request passes `http/` (is it meant for us, what does it say) and reaches a route in `api/`, which asks `services`
for a game in `storage/` or for a job in a worker process (`jobs/`). `server` puts it together, `settings` configures
it, and `static/` is the page. Only `jobs/` computes; routes import no engine.
"""
