"""Repeat the experiments of the five student reports and judge their claims.

`catalogue` lists them all; each is a file of `studies/`, which plans games, checks what the report claims (`claims`)
and draws (`figures`). `page` writes the results as HTML and Markdown.
"""
