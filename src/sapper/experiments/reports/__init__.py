"""The experiments of the five student reports, repeated and judged.

`catalogue` lists them all; each is a file of `studies/`, which plans games, checks what the report claims (`claims`)
and draws (`figures`). `page` writes the results as HTML and Markdown.
"""
