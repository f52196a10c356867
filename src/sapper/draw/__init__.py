"""Positions as pictures: coloured text for the terminal, SVG for pages, pixels for films.

Everybody above may draw; drawing knows observations and nothing that thinks.
"""
