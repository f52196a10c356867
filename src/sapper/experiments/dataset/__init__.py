"""Positions with exact answers: data sets, and a benchmark for readers of text.

``rows`` makes positions in chunks, by the backends of `sapper.experiments`; ``files`` keeps and joins the chunks.
``benchmark`` asks questions about some of them.
"""
