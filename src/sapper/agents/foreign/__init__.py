"""Agents in any language, each in a process of its own that can be killed; `agents.registry` makes them by name.

``host`` and ``adapters`` run in that process with the standard library alone; ``protocol`` is the language spoken with
programs; ``agent`` is the side that Sapper sees.
"""
