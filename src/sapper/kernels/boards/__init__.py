"""Opened cells, and boards that need no guess."""
