"""A store at a glance: how far its sweeps are, and what its runs came to.

`overview` reads the store, `page` draws it as one HTML file. Neither plays or imports an agent, so a store can be
looked at wherever it is. They use runs, results and the shared look of pages; the command `sapper runs` stands above.
"""
