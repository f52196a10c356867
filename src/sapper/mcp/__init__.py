"""Tools for assistants that speak the Model Context Protocol, over one-line positions.

``tools`` is plain functions from text to text; ``server`` hands them to the official SDK. Nothing imports this package
but the command.
"""
