"""The page's server: games, hints, analysis and experiments as a JSON API, and the static page that uses it."""
