"""The tables of docs/figures.md: each function turns the results of one benchmark into Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from sapper.statistics import wilson

Results = dict[str, Any]


def table(heads: str, rows: Iterable[Sequence[object]]) -> str:
    """Return a table; its heads are joined by bars."""
    n = heads.count("|") + 1
    lines = [f"|{heads}|", f"|{'|'.join(['---'] * n)}|"]
    lines += [f"|{'|'.join('' if cell is None else str(cell) for cell in row)}|" for row in rows]
    return "\n".join(lines)


def short(value: float) -> str:
    """Return three significant digits, all digits before the point."""
    if value == 0:
        return "0"
    digits = 2
    for limit in (10.0, 100.0):
        digits -= abs(value) >= limit
    while abs(value) < 10.0 ** (-digits + 2) and digits < 6 and abs(value) < 1.0:
        digits += 1
    return f"{value:,.{digits}f}"


def points(difference: Sequence[float]) -> str:
    """Return a difference of shares in percentage points, with its interval."""
    value, low, high = (100.0 * one for one in difference)
    return f"{value:+.2f} [{low:+.2f}, {high:+.2f}]"


def percent(won: Results) -> str:
    """Return a share with its interval."""
    return f"{100 * won['value']:.1f}% [{100 * won['low']:.1f}, {100 * won['high']:.1f}]"


def spread(ratios: Sequence[float]) -> str:
    """Return a median with its range."""
    return f"{ratios[0]:.1f} [{ratios[1]:.1f}, {ratios[2]:.1f}]"


# The engine.


def positions(found: Results) -> str:
    """Kernel and public call beside ms_toollib."""
    heads = "positions|n|kernel, µs|95%|most|public call, µs|ms_toollib, µs|kernel's ratio (goal)|call's ratio (goal)"
    return table(
        heads,
        (
            (
                row["corpus"], row["positions"], *(short(row["sapper"][name]) for name in ("median", "p95", "max")),
                short(row["library"]["median"]), short(row["ms_toollib"]["median"]),
                f"{row['ratio']:,.0f} ({row['goal']})", f"{row['library_ratio']:,.0f} ({row['library_goal']})",
            )
            for row in found["positions"]
        ),
    )  # fmt: skip


def lattices(found: Results) -> str:
    """The hardest positions: lattices of isolated clues."""
    return table(
        "lattice: side-percentage mined|seconds|",
        (
            (
                one["position"].removeprefix("lattice-"),
                "too hard" if "too_hard" in one else short(one["seconds"]), one.get("too_hard", ""),
            )
            for one in found["lattices"]
        ),
    )  # fmt: skip


def many(found: Results) -> str:
    """Batches beside a loop and ms_toollib."""
    names = ("one thread", "two threads", "loop", "ms_toollib")
    return table(
        "corpus|one thread, µs|two threads|loop|ms_toollib|ratio to ms_toollib|two threads against one",
        (
            (
                row["corpus"], *(short(row[name]) for name in names), spread(row["times ms_toollib"]),
                spread(row["two threads against one"]),
            )
            for row in found["batches"]
        ),
    )  # fmt: skip


def versions(found: Results) -> str:
    """Two versions of Sapper beside each other."""
    return table(
        f"measure|unit|{found.get('other', 'Numba kernels')}|now|gain",
        (
            (row["what"], row["unit"], short(row["other"]), short(row["this"]), short(row["gain"]))
            for row in found["rows"]
        ),
    )


def audit(found: Results) -> str:
    """The engine against exact fractions."""
    heads = "compared|left out: reference too slow|impossible, found by both|too hard|probabilities|certain cells"
    rows = [
        f"{found[name]:,}" for name in ("positions", "left_out", "impossible", "too_hard", "cells", "certain", "again")
    ]
    row = [*rows, len(found["wrong"]), f"{found['worst']:.1e}"]
    return table(f"{heads}|answers repeated bit by bit|wrong|largest relative difference", [row])


def start(found: Results) -> str:
    """Start, memory and installation."""
    return table("measure|value", found["figures"].items())


def variants_times(found: Results) -> str:
    """Other neighbourhoods and channels."""
    return table(
        "board|positions|too hard|median, µs|95%|most",
        (
            [row[name] for name in ("board", "positions", "too_hard")]
            + [f"{row[name]:,.0f}" for name in ("median_us", "p95_us", "max_us")]
            for row in found["rows"]
        ),
    )


def variants_reasoning(found: Results) -> str:
    """Deductions by shape, and how many of them are wrong."""
    shapes = {row["shape"]: row["ways"] for row in found["rows"]}
    ways = list(next(iter(shapes.values())))
    rows = [[way, *(f"{shape[way]['deductions']:,}" for shape in shapes.values())] for way in ways]
    rows.append(["refuted", *(str(sum(one["refuted"] for one in shape.values())) for shape in shapes.values())])
    return table("deductions by|" + "|".join("both, up to 12 neighbours" if n == "own" else n for n in shapes), rows)


# Players.


def starts(found: Results, agents: Sequence[str] = ("exact", "expert", "master")) -> str:
    """Win rates beside the best of the other solvers that played all the boards; also in the README."""
    rows = []
    for entry in found["starts"]:
        cells = [start_name(entry), *(percent(row["won"]) for row in entry["players"])]
        cells += ["-"] * (1 + len(agents) - len(cells))
        most = max((one["games"] for one in entry["others"].values()), default=0)
        others = {label: one["value"] for label, one in entry["others"].items() if one["games"] == most}
        best = max(others, key=others.__getitem__, default=None)
        rows.append([*cells, f"{100 * others[best]:.1f}% ({best})" if best else "-"])
    return table("|".join(["board, first cell", *(f"`{agent}`" for agent in agents), "best other"]), rows)


def start_name(entry: Results) -> str:
    """Return the board and the first cell."""
    return f"{entry['start'].replace('_safe', ', safe').replace('_zero', ', opens')} {tuple(entry['first'])}"


def rivals(found: Results) -> str:
    """Differences to every other solver, on the same boards."""
    solvers = list(dict.fromkeys(label for entry in found["starts"] for label in entry["others"]))
    rows = []
    for entry in found["starts"]:
        for row in entry["players"]:
            against = (row["against"].get(label) for label in solvers)
            cells = [f"{points(one['difference'])}, {one['games']:,}" if one else "" for one in against]
            rows.append(
                [start_name(entry), f"`{row['agent']}`", f"{row['games']:,}", short(row["per_cpu_second"]), *cells]
            )
    return table("|".join(["board, first cell", "agent", "games", "games per CPU-second", *solvers]), rows)


def millions(found: Results) -> str:
    """How often `expert` wins, over all published runs."""
    rows = []
    for start, runs in found.items():
        if start != "measured":
            games, won = (sum(run[name] for run in runs) for name in ("games", "won"))
            value, low, high = wilson(won, games)
            agents = ", ".join(dict.fromkeys(run["agent"] for run in runs))
            seconds = sum(run["CPU seconds"] for run in runs)
            interval = f"{value:.3%} [{low:.3%}, {high:.3%}]"
            rows.append([start, agents, runs[0]["first seed"], f"{games:,}", interval, f"{games / seconds:,.0f}"])
    return table("boards|agent and version|first seed|games|won|games per CPU-second", rows)


def small(found: Results) -> str:
    """Small boards, beside perfect play."""
    agents = list(dict.fromkeys(agent for row in found["small"] for agent in row["won"]))
    return table(
        "|".join(["board", "perfect", "first", "states", *(f"`{agent}`" for agent in agents)]),
        (
            (
                row["board"], f"{row['perfect']:,} / {row['layouts']:,}",
                ", ".join(str(tuple(one)) for one in row["first"]), f"{row['states']:,}",
                *(f"{row['won'][agent]:,}" if agent in row["won"] else "" for agent in agents),
            )
            for row in found["small"]
        ),
    )  # fmt: skip


def agents(found: Results) -> str:
    """Every agent."""
    survey = {row["agent"]: row for row in found["survey"]}
    rows = []
    for row in found["classic"]:
        name = row["agent"]
        other = survey.get(name)
        costs = ", ".join(f"{cost:.0f}" for cost in found["growth"].get(name, []))
        shown = [short(other["per_second"]), f"{other['score']:.3f}"] if other else ["", ""]
        rows.append([f"`{name}`", short(row["per_second"]), f"{row['won']:.1%}", *shown, costs])
    return table("agent|classic, games/s|won|survey, games/s|score|µs per cell and game on 8², 16², 32², 64²", rows)


# Boards.


def noguess(found: Results) -> str:
    """No-guess boards beside ms_toollib."""
    rows = []
    for row in found["rows"]:
        took = row["ms_per_board"]
        tried = row["rounds"] * row["boards_per_round"]["ms_toollib"]
        times = [f"{took[name]:,.2f}" if name in took else "" for name in ("repair", "reject", "ms_toollib")]
        rows.append([row["rules"], *times, short(row["ratio"]), f"{row['given_up']['ms_toollib']} of {tried}"])
    return table("board|repair, ms|reject, ms|ms_toollib, ms|ratio|given up by ms_toollib", rows)


def noguess_checked(found: Results) -> str:
    """No-guess boards solved and verified."""
    rows = []
    for rules, group in groupby(found["rows"], key=lambda row: row["rules"]):
        some = list(group)
        made, won, verified = (sum(row[name] for row in some) for name in ("made", "won", "verified"))
        times = [max(row[name] for row in some) for name in ("ms_certify", "ms_verify")]
        scores = ", ".join(f"{row['score']['median']:.0f}" for row in some)
        most = max(row["most_clues"] for row in some)
        rows.append([rules, f"{made:,}", f"{won:,}", f"{verified:,}", most, *(f"{one:.0f}" for one in times), scores])
    heads = "board|boards|solved|verified|most clues in a step|certify, ms|verify, ms"
    return table(f"{heads}|median difficulty by `single` … `count`", rows)


def fair_times(found: Results) -> str:
    """The time of a move on fair boards."""

    def pair(times: Results) -> str:
        return f"{times['median']:.3f} / {times['longest']:.1f}"

    return table(
        "board|games|moves|a move, ms|a forced guess, ms|judging, ms",
        (
            (
                row["rules"], row["games"], f"{row['moves']:,}", pair(row["ms_of_all"]), pair(row["ms_of_guesses"]),
                pair(row["ms_of_judging"]),
            )
            for row in found["rows"]
        ),
    )  # fmt: skip


def fair_games(found: Results) -> str:
    """Games with forced guesses only."""
    return table(
        "board|games|won|forced guesses|lost",
        (
            (
                row["rules"], f"{row['games']:,}", f"{row['outcomes'].get('won', 0):,}",
                f"{sum(row['guesses'].values()):,}", row["guesses_lost"],
            )
            for row in found["rows"]
        ),
    )  # fmt: skip


def fair_guesses(found: Results) -> str:
    """Guesses that survived, by setting."""
    rows = []
    for setting in ("fair", "kind", "cruel"):
        tally = {"forced": [0, 0], "unforced": [0, 0]}
        games = 0
        for board in found["rows"]:
            games += board[setting]["games"]
            for verdict, counts in board[setting].items():
                if verdict != "games":
                    which = tally["unforced" if verdict == "unforced" else "forced"]
                    which[0] += counts["guesses"]
                    which[1] += counts["survived"]
        rows.append([f"`{setting}`", f"{games:,}", *(f"{won:,} of {n:,}" for n, won in tally.values())])
    return table("setting|games|forced guesses that survived|unforced guesses that survived", rows)


# The environment and learning.


def env(found: Results) -> str:
    """Steps per second."""
    return table(
        "environment|board|moves/s|slowest and fastest round|per CPU-second|µs per environment and step",
        (
            (
                row["who"], row["rules"], f"{row['moves_per_second']:,}",
                " to ".join(f"{one:,}" for one in row["slowest_and_fastest_round"]),
                f"{row['moves_per_cpu_second']:,}", f"{row['microseconds_per_environment_and_step']:.2f}",
            )
            for row in found["results"]
        ),
    )  # fmt: skip


def training_times(found: Results) -> str:
    """The time to make a puzzle."""
    boards = list(dict.fromkeys(row["board"] for row in found["times"]))
    by_kind: dict[str, dict[str, str]] = {}
    for row in found["times"]:
        by_kind.setdefault(row["kind"], {})[row["board"]] = f"{row['median_ms']} / {row['ms_95']} / {row['worst_ms']}"
    return table(
        "|".join(["kind", *boards]), ([f"`{kind}`", *(one[board] for board in boards)] for kind, one in by_kind.items())
    )


def training_checks(found: Results) -> str:
    """Whether puzzles are sound, and whether their difficulty predicts a player's effort."""
    return table(
        "level|puzzles|different|unsound|mean difficulty|mean right answers|median looks|Spearman|quarters",
        (
            (
                f"`{row['level']}`", f"{row['puzzles']:,}", f"{row['different']:,}", row["unsound"],
                row["mean_difficulty"], row["mean_solutions"], row["median_looks"], row["spearman"],
                " to ".join(f"{100 * limit(row['quarters'].values()):.1f}" for limit in (min, max)) + "%",
            )
            for row in found["checks"]
        ),
    ) + f"\n\nSpearman's correlation over all levels: {found['spearman_of_all']}."  # fmt: skip


def puzzles(found: Results) -> str:
    """The backtracking search, by size."""
    texts = []
    for clues, group in groupby(found["tables"], key=lambda one: one["clues"]):
        some = list(group)
        sizes = [one["size"] for one in max((row["sizes"] for row in some), key=len)]
        rows = []
        for row in some:
            cells = []
            for one in row["sizes"]:
                nodes = "-" if one["median_nodes"] is None else f"{one['median_nodes']:,.0f}"
                cells.append(nodes + (f" ({one['solved']})" if one["solved"] < found["limits"]["puzzles"] else ""))
            rows.append([row["heuristics"], *cells, *["-"] * (len(sizes) - len(cells))])
        texts.append(table("|".join([f"{clues:.0%} shown", *(f"{size}x{size}" for size in sizes)]), rows))
    return "\n\n".join(texts)


def pictures(found: Results) -> str:
    """Pictures read, by program."""
    return table(
        "pictures of|read without a fault|otherwise",
        (
            (
                row["program"], f"{row['right']} of {row['pictures']}",
                ", ".join(f"{n} {what}" for what, n in row["others"].items()),
            )
            for row in found["rows"]
        ),
    ) + (
        f"\n\n{found['right']} of {found['pictures']} without a fault, {found['silent']} with one that no mark shows; "
        f"median {found['median_s']} s a picture, slowest {found['slowest_s']} s."
    )  # fmt: skip


# The web app.


def load(found: Results) -> str:
    """Response times, and what a kill costs."""
    rows = []
    for name, what in (("thinking_1_s", "think for a second on average"), ("without_thinking", "never pause")):
        one = found[name]
        times = [f"{one[key]:,.1f}" for key in ("median_ms", "p95_ms", "p99_ms", "worst_ms")]
        rate = one.get("requests_per_second") or one["requests"] / one["seconds"]
        rows.append([what, f"{one['requests']:,}", f"{rate:,.0f}", *times])
    return (
        table(f"{found['players']} players|moves|moves per second|median, ms|95%|99%|worst", rows)
        + f"\n\nGames lost by `SIGKILL`: {found['games_lost_by_sigkill']} of {found['players']}."
    )


def greedy(found: Results) -> str:
    """What a player waits for among greedy visitors."""
    player = found["answers_by_status"]["player"]
    refused = sum(n for status, n in player.items() if int(status) >= 400)
    return table(
        "the one who plays|n|median, ms|worst, ms",
        (
            (what, found[name]["n"], *(f"{found[name][key]:,.0f}" for key in ("median_ms", "worst_ms")))
            for what, name in (("a move", "moves"), ("a first click, no-guess", "first_clicks_on_no_guess_boards"))
        ),
    ) + f"\n\nRefused: {refused} of {sum(player.values())} requests."  # fmt: skip


def soak(found: Results) -> str:
    """What came of a soak."""
    before, most, after = (found[f"held_{when}"] for when in ("before", "at_most", "after"))
    answers = found["answers_by_kind_and_status"].values()
    rows = [
        ("minutes; players; other visitors", f"{found['minutes']:g}; {found['players']}; {found['other_visitors']}"),
        ("requests; answered with 500", f"{found['requests']:,}; {sum(one.get('500', 0) for one in answers)}"),
        ("moves acknowledged; faults", f"{found['moves_acknowledged']:,}; {found['faults']}"),
        ("games; moves verified in the file",
         f"{found['games_verified_in_the_file']:,}; {found['moves_verified_in_the_file']:,}"),
        ("faults provoked", ", ".join(f"{what}: {n}" for what, n in found["events"].items())),
    ]  # fmt: skip
    names = {"processes": "processes", "handles": "file handles", "server_mb": "server, MB", "worker_mb": "worker, MB"}
    rows += [
        (f"{what}: before, at most, after", ", ".join(f"{one[name]:g}" for one in (before, most, after)))
        for name, what in names.items()
    ]
    for kind in ("move", "hint"):
        times = found["milliseconds_by_kind"][kind]
        rows.append(
            (f"a {kind}, ms: median, 95%, 99%", ", ".join(f"{times[key]:,}" for key in ("median", "p95", "p99")))
        )
    return table("measure|value", rows)


def first_visit(found: Results) -> str:
    """The first visit, until the board takes a click."""
    return table(
        "visit|link|requests|KB|usable after, ms",
        ([row[name] for name in ("name", "link", "requests", "kilobytes", "usable_ms")] for row in found["rows"]),
    )


def frames(found: Results) -> str:
    """Intervals between frames."""
    return table(
        "board on|moving by|median, ms|95%|worst|late frames|own work, 95%, ms",
        (
            (
                row["device"], row["what"], row["median_ms"], row["p95_ms"], row["worst_ms"],
                f"{row['late'] * row['frames']:.0f} of {row['frames']}", row["own_p95_ms"],
            )
            for row in found["rows"]
        ),
    )  # fmt: skip
