"""What the commands share. It knows none of them, and everything in `cli` may import it.

`groups` turns dataclasses into `options`; `files`, `streams` and `progress` read, write and show; `statuses` are what a
command exits with, and `giving_up` is how it ends early.
"""
