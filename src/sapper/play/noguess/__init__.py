"""No-guess boards: found (`generate`), proved (`certify`, a `certificate`) and checked (`verify`).

`verify` uses neither the engine nor the reasoning of this library, so that it can be trusted.
"""
