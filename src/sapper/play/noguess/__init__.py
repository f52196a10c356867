"""No-guess boards: `generate` finds them, `certify` proves them by a `certificate`, `verify` checks it.

`verify` uses neither the engine nor the reasoning of this library: it is independent evidence.
"""
