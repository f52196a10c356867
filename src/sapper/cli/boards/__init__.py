"""Commands about boards and files: made, checked, measured, converted.

One file for each command of that name. They import `play`, `formats` and `experiments.layouts` when they run; only
`sapper.cli.command` imports them.
"""
