"""From a plan to committed results: what is played, where, and what it came to.

A `sweep` becomes tasks (`running`), tasks become chunks of `games`, a backend plays them (`backends`, `pool`), they
travel as bytes (`packing`) into the `store`, and `summary` sums them up. `given_boards` reads boards from files;
`probes` measures something else than how games end. Knows nothing of reports and pictures.
"""
