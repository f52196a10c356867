"""Positions as pictures: coloured text for the terminal, SVG for pages."""
