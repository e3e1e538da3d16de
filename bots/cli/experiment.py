"""`townsfolk experiment`: play scenarios, replay them, report on them.

stdout carries the talk as it is said (for several runs a line each), a replay's verdict, or the
pages that were written. Exit codes: 0 done, 1 it failed or a replay differs, 2 wrong usage or
scenario.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bots.cli.output import Config, complain, fail, print_line, refuse, remark
from bots.text.program import as_typed

if TYPE_CHECKING:
    from bots.experiments.paid_models import Means
    from bots.experiments.runs import Entry, PreparedRun, Run

app = typer.Typer(
    help="Play, replay and report experiments.", no_args_is_help=True, rich_markup_mode=None
)

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
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a key of the scenario. Given again with another value: play both.",
        ),
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(metavar="X", min=0.1, help="Watch a simulated talk at X times its pace."),
    ] = None,
    budget_usd: Annotated[
        float | None,
        typer.Option(metavar="USD", min=0.0, help="The most that models may cost in each run."),
    ] = None,
    allow_rules: Annotated[
        bool, typer.Option("--allow-rules", help="Let rules speak where a model does not answer.")
    ] = False,
    data_dir: Annotated[
        Path | None,
        typer.Option("--data-dir", metavar="DIR", help="Whose settings and budget are used."),
    ] = None,
    config: Config = None,
) -> None:
    """Play a scenario; what happens goes to DIR."""
    from bots.experiments.actors import code_of
    from bots.experiments.paid_models import Means
    from bots.experiments.runs import listed, prepare
    from bots.experiments.scenario_file import conditions_of

    means = Means(config, data_dir, budget_usd, allow_rules)
    with _plain_errors():
        prepared = prepare(file, seed).under(conditions_of(settings or []))
        cast = (member for each in prepared for member in each.scenario.cast)
        for code in code_of(cast, prepared[0].folder):
            remark(f"this runs the code in {code.resolve()}, with all that you may do here")
        planned = len(prepared) * runs
        with listed(prepared[0], out, planned, means, complain) as entry:
            if planned > 1:
                failed = _play_several(prepared, out, runs, means, entry)
            else:
                failed = _play_watched(prepared[0], out, pace, means, entry)
    if failed:
        complain(f"{len(failed)} of {planned} runs failed; the first, {failed[0]}")
        raise typer.Exit(1)
    next_step = as_typed(f"townsfolk experiment report {out}")
    remark(f"written to {out}; next: {next_step}")


@app.command()
def replay(
    folders: Folders,
    transcript: Annotated[
        bool, typer.Option("--transcript", help="Print the talk that came out.")
    ] = False,
) -> None:
    """Run the talk engine again on what was recorded; fails unless the same talk comes out."""
    from bots.experiments.runs import replay as run_again
    from bots.experiments.runs import runs_in

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
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="FILE.py:NAME",
            help="Compare a number of your own: a function that takes a run. Its file is run.",
        ),
    ] = None,
    pages: Annotated[
        bool | None,
        typer.Option(help="A page for each run; unset: for up to 50 runs.", show_default=False),
    ] = None,
    pool: Annotated[
        bool,
        typer.Option("--pool", help="Take runs of other models, prompts or versions together."),
    ] = False,
) -> None:
    """Write a page with pictures, CSV and JSON; several runs are compared too."""
    from bots.experiments.report.comparison import TAKEN, own_metrics
    from bots.experiments.report.writing import MOST_PAGES, write_reports

    with _plain_errors():
        own = own_metrics(metrics or [], TAKEN)
        reports = write_reports(folders, out, own, with_pages=pages, pool=pool)
        written = reports.pages
        for page in written:
            print_line(str(page))
        for said in reports.remarks:
            remark(said)
        if pages is None and len(written) == 1 and written[0].name != "report.html":
            hint = f"more than {MOST_PAGES} runs: no page of each; --pages writes them"
            remark(hint)


@app.command()
def film(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `run` wrote, of one run.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Write the GIF there.")],
) -> None:
    """Make a film of a run from above: who walked where, and what was said."""
    from bots.experiments.report.writing import film_run
    from bots.experiments.runs import read_run
    from bridge.errors import UserError

    with _plain_errors():
        try:
            frames = film_run(read_run(folder), out)
        except OSError as error:
            raise UserError(f"{out} cannot be written: {error.strerror}") from error
        print_line(f"{out}: {frames} frames")


def _play_watched(
    prepared: PreparedRun, out: Path, pace: float | None, means: Means, entry: Entry
) -> list[str]:
    from dataclasses import replace

    from bots.experiments.timeline import Watcher

    def wait(seconds: float) -> None:
        if pace is not None and prepared.scenario.world == "simulated":
            time.sleep(min(LONGEST_WAIT_S, seconds / pace))

    played = _play(replace(prepared, watch=Watcher(print_line, wait)), out, means, entry)
    return list(_failure(played))


def _play_several(
    prepared: Sequence[PreparedRun], out: Path, runs: int, means: Means, entry: Entry
) -> list[str]:
    """One seed under each condition after the other, so that a run that is broken off has all."""
    from bots.experiments.scenario_file import folder_names

    names = folder_names([each.condition for each in prepared])
    first, failed = prepared[0].scenario.seed, list[str]()
    for seed in range(first, first + runs):
        for name, each in zip(names, prepared, strict=True):
            folder = out / f"{name}{'-' if name else ''}seed-{seed}"
            played = _play(each.with_seed(seed), folder, means, entry)
            failed += _failure(played)
            found = played.metrics
            so_long = f"{found.lines} lines, {found.seconds:.0f} s"
            print_line(f"{folder}: {so_long}, ended: {found.ended}")
    return failed


def _failure(run: Run) -> Iterator[str]:
    if run.status == "failed":
        yield f"{run.label}: {run.cause}"


def _play(prepared: PreparedRun, out: Path, means: Means, entry: Entry) -> Run:
    """Play one run; say what models cost, and where they failed."""
    from bots.experiments.metrics import counted
    from bots.experiments.run import play
    from bots.experiments.runs import read_run

    play(prepared, out, means, remark)
    played = read_run(out)
    found = played.metrics
    entry.played(played)
    if played.charged_usd is not None:
        remark(f"answers: {counted(found.answers)}; cost ${played.charged_usd:.4f}")
    if found.faults:
        complain(f"models gave no whole answer to {counted(found.faults)}")
    return played


@contextmanager
def _plain_errors() -> Iterator[None]:
    """Errors of ours end the program with a sentence; only warnings and errors are logged."""
    from bots.errors import SettingsError
    from bots.experiments.scenario import ScenarioError
    from bots.observability.logs import quietly
    from bridge.errors import BotError

    try:
        with quietly():
            yield
    except (ScenarioError, SettingsError) as error:
        refuse(error)
    except BotError as error:
        fail(error)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
