"""Data sets of positions with exact answers: ``rows`` makes them in chunks, ``files`` keeps and joins the chunks.

Chunks are made by the backends of `sapper.experiments`.
"""
