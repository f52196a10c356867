"""What the commands share. It knows none of them, and everything in `cli` may import it.

`commands` loads the one that is called, `groups` turns dataclasses into `options`, `effects` refuses options that would
have none, and `help` writes pages. `files`,
`contents`, `streams` and `progress` read, write and show. `statuses` are what a command exits with, `complaints` say
what is wrong, and `giving_up` is how it ends early.
"""
