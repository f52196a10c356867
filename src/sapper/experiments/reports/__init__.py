"""The experiments of the five reports, played again and judged.

`catalogue` lists them all; each is a file of `studies/`, which plans games, checks what the report claims (`claims`)
and draws (`figures`). `page` and `table` write down what came of it.
"""
