"""Agents in any language, each in a process of its own that can be killed; `agents.registry` makes them by name.

``host``, ``watching``, ``loader``, ``adapters`` and ``scratch`` run in that process with the standard library alone;
``files`` finds those of a submission; ``protocol`` is the language spoken with programs; ``agent`` is the side that
Sapper sees.
"""
