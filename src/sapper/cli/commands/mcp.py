"""``sapper mcp``: tools for assistants, over the Model Context Protocol."""

from __future__ import annotations

import typer


def mcp(
    http: int | None = typer.Option(
        None, "--http", metavar="PORT", min=0, max=65535, help="Serve HTTP on loopback at this port, 0 for a free one."
    ),
) -> None:
    """Give an assistant exact Minesweeper tools.

    They are validate, analyse, explain, best_move, judge_guess, review, generate and play. The command speaks the Model
    Context Protocol on standard input and output; it needs the extra mcp. With --http, the first line it prints is the
    address.

    Example: sapper mcp --http 0
    """
    from sapper.mcp.server import make_server, run_http

    try:
        if http is None:
            make_server().run("stdio")
        else:
            run_http(http, lambda address: print(address, flush=True))
    except KeyboardInterrupt:
        pass
