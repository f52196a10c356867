"""``sapper runs``: what the store holds, as a list or as a table for other programs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from sapper.cli.options import StoreOptions, grouped

if TYPE_CHECKING:
    from sapper.experiments.store import Run


if TYPE_CHECKING:
    Plan = tuple[int, str, dict[str, object], str]


@dataclass(frozen=True, slots=True)
class FormOptions:
    """In which form the store is shown."""

    as_csv: Annotated[bool, typer.Option("--csv", help="Write every run with its rates and intervals as CSV.")] = False
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False

    def check(self, file: str | None) -> None:
        """Raise `InputError` if two forms are asked for, or one that cannot be written."""
        from sapper.cli.files import check_target
        from sapper.errors import InputError

        if self.as_csv and self.as_json:
            raise InputError("Choose one of --csv and --json.")
        if file is not None and not self.as_csv:
            raise InputError(f"A file such as {file[:80]!r} needs --csv; --store names the store.")
        if file is not None:
            check_target(file)


@grouped
def runs(
    *,
    file: str | None = typer.Argument(
        None, metavar="[FILE]", help="With --csv: where to write it; by default standard output."
    ),
    kept: StoreOptions,
    form: FormOptions,
) -> None:
    """List what the store holds: plans of sweeps that --resume goes on with, and runs with the games they have.

    --csv sums up every run, with 95 % intervals, for a spreadsheet or a program. No agent is loaded for it.

    Example: sapper runs --csv results.csv
    """
    form.check(file)
    if form.as_csv:
        _write_csv(kept, "-" if file is None else file)
    else:
        _list(kept, form.as_json)


def _write_csv(kept: StoreOptions, file: str) -> None:
    from sapper.cli.files import write_bytes
    from sapper.experiments.results import Results

    found = Results.of_store(kept.path()) if _is_there(kept) else Results((), ())
    write_bytes(file, found.to_csv().encode())


def _list(kept: StoreOptions, as_json: bool) -> None:
    from sapper.words import count

    plans, found = _read_store(kept)
    if as_json:
        listed = [
            {
                "id": run.id, "rules": run.condition.rules, "agent": run.condition.agent,
                "version": run.condition.version, "boards": run.condition.source, "seed": run.seed,
                "games": n_games, "cpu_seconds": seconds,
            }
            for run, n_games, seconds in found
        ]  # fmt: skip
        print(json.dumps({"store": str(kept.path()), "plans": plans, "runs": listed}))
        return
    print(f"{kept.path()}: {count(len(plans), 'plan')}, {count(len(found), 'run')}.")
    for number, kind, settings, made in plans:
        print(f"plan {number}, {made}: {kind} {_describe(settings)}")
    for run, n_games, seconds in found:
        condition = run.condition
        source = f"seeds from {run.seed}" if condition.source == "seeds" else condition.source
        print(
            f"{run.id:>6}  {condition.agent:<19}{condition.rules:<44}{source:<32}{n_games:>9,} games{seconds:>9,.1f} s"
        )


def _read_store(kept: StoreOptions) -> tuple[list[Plan], list[tuple[Run, int, float]]]:
    """The plans and runs of the store; none if it is the usual one and nothing was ever played."""
    if not _is_there(kept):
        return [], []
    with kept.open_store(must_exist=True) as results:
        return results.plans(), results.runs()


def _describe(settings: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items() if value not in ([], False))


def _is_there(kept: StoreOptions) -> bool:
    """Whether there is anything to read; that the usual store is not there is no mistake, but another one should be."""
    return kept.store is not None or kept.path().exists()
