"""`townsfolk experiment`: play scenarios, replay them, report on them.

stdout carries the talk as it is said (for several runs a line each), a replay's verdict, or the
pages that were written. Exit codes: 0 done, 1 it failed or a replay differs, 2 wrong usage or
scenario.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bots.cli.output import fail, print_line, refuse

if TYPE_CHECKING:
    from bots.experiments.runs.folder import PreparedRun

app = typer.Typer(help="Talks by the script: play, replay, report.", no_args_is_help=True)

LONGEST_WAIT_S = 5.0  # while watching a talk; longer silences are cut to this

Folders = Annotated[
    list[Path], typer.Argument(metavar="DIR…", help="What `run` wrote; or folders of such.")
]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A scenario, TOML.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder for all of it.")],
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Instead of the scenario's.")
    ] = None,
    runs: Annotated[
        int, typer.Option(metavar="N", min=1, help="So many, with seeds one after another.")
    ] = 1,
    pace: Annotated[
        float | None,
        typer.Option(metavar="X", min=0.1, help="Watch a simulated talk at X times its pace."),
    ] = None,
) -> None:
    """Play a scenario; what happens goes to DIR."""
    from bots.experiments.runs.folder import prepare

    with _plain_errors():
        prepared = prepare(file, seed)
        if runs > 1:
            _play_several(prepared, out, runs)
        else:
            _play_watched(prepared, out, pace)
    typer.echo(f"written to {out}; next: townsfolk experiment report {out}", err=True)


@app.command()
def replay(
    folders: Folders,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Print the talk that came out.")
    ] = False,
) -> None:
    """Run the talk engine again on what was recorded; fails unless the same talk comes out."""
    from bots.experiments.runs.folder import runs_in
    from bots.experiments.runs.replay import replay as run_again

    same = True
    with _plain_errors():
        for folder in runs_in(folders):
            again = run_again(folder)
            same = same and again.identical
            if transcript:
                print_line(again.transcript.rstrip("\n"))
            for difference in again.differences:
                print_line(f"{folder}: {difference}")
            if again.identical:
                print_line(f"{folder}: identical, {again.turns} turns in {again.transitions} steps")
    raise typer.Exit(0 if same else 1)


@app.command()
def report(
    folders: Folders,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="For the comparison of several.")
    ] = None,
) -> None:
    """Write a page with pictures, CSV and JSON; several runs are compared too."""
    from bots.experiments.report.writing import write_reports

    with _plain_errors():
        for page in write_reports(folders, out):
            print_line(str(page))


def _play_watched(prepared: PreparedRun, out: Path, pace: float | None) -> None:
    from dataclasses import replace

    from bots.experiments.analysis.transcript import Watcher

    def wait(seconds: float) -> None:
        if pace is not None and prepared.scenario.world == "simulated":
            time.sleep(min(LONGEST_WAIT_S, seconds / pace))

    _play(replace(prepared, watch=Watcher(print_line, wait)), out)


def _play_several(prepared: PreparedRun, out: Path, runs: int) -> None:
    from bots.experiments.runs.folder import read_run

    first = prepared.scenario.seed
    for seed in range(first, first + runs):
        folder = out / f"seed-{seed}"
        _play(prepared.with_seed(seed), folder)
        found = read_run(folder).metrics
        print_line(f"{folder}: {found.lines} lines, {found.seconds:.0f} s, ended: {found.ended}")


def _play(prepared: PreparedRun, out: Path) -> None:
    from bots.experiments.run import play

    play(prepared, out, lambda line: typer.echo(line, err=True))


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Errors of ours end the program with a sentence; only warnings and errors are logged."""
    from bots.experiments.scenario.errors import ScenarioError
    from bots.observability.logs import quietly
    from bridge.errors import BotError

    try:
        with quietly():
            yield
    except ScenarioError as error:
        refuse(error)
    except BotError as error:
        fail(error)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
