"""`townsfolk experiment`: play scenarios, replay them, report on them.

stdout carries the talk as it is said (for several runs a line each), a replay's verdict, or the
pages that were written. Exit codes: 0 done, 1 it failed or a replay differs, 2 wrong usage or
scenario.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bots.cli.output import Config, complain, fail, print_line, refuse, remark
from bots.text import suggest
from bots.text.program import as_typed

if TYPE_CHECKING:
    from bots.daemon.experiment_records import PlayedRun
    from bots.experiments.paid_models import Means
    from bots.experiments.playing import Planned, Played
    from bots.experiments.scenario import Member
    from bots.experiments.seats import Seats
    from bots.experiments.study import Study

app = typer.Typer(
    help="Play, replay and report experiments.", no_args_is_help=True, rich_markup_mode=None
)

LONGEST_IN_S, LONGEST_IN_MIN = 90, 90  # until the next unit is told
LONGEST_WAIT_S = 5.0  # while watching a talk; longer silences are cut to this

Folders = Annotated[
    list[Path], typer.Argument(metavar="DIR…", help="What `run` wrote; or folders of such.")
]


DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", metavar="DIR", help="Whose settings and budget are used."),
]
FakeLlm = Annotated[
    Path | None,
    typer.Option(metavar="SCRIPT", help="Answer by this script, not by a model, as for up."),
]


@app.command()
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A scenario, TOML.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder for all of it.")],
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, help="Instead of the scenario's.")
    ] = None,
    runs: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="So many, with seeds one after another.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="Change a key of the scenario. Given again with another value: play both.",
        ),
    ] = None,
    server: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Play it there, with real bots; world of its file."),
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
    fake_llm: FakeLlm = None,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=1, max=64, help="So many at the same time.")
    ] = 1,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Tell what it would take, and play nothing.")
    ] = False,
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Play a scenario; what happens goes to DIR."""
    from bots.experiments.estimate import estimated
    from bots.experiments.own_functions import OwnFunction, code_of, digest_of_file
    from bots.experiments.paid_models import Means
    from bots.experiments.playing import alone_in, planned_in
    from bots.experiments.report.comparison import TAKEN
    from bots.experiments.runs import LOG_NAME, listed, prepare
    from bots.experiments.scenario import ScenarioError
    from bots.experiments.scenario_file import conditions_of
    from bots.experiments.study import declare
    from bots.experiments.tables import own_metrics

    means = Means(config, data_dir, budget_usd, allow_rules, fake_llm)
    with _plain_errors():
        base = prepare(file, seed)
        study = base.study
        if study is not None:
            given = [seed, runs, settings]
            _refuse_besides(study, any(one is not None for one in given))
            prepared = base.studied(study)
        else:
            prepared = base.under(conditions_of(settings or []))
        if server is not None:
            prepared = [each.on_server(server) for each in prepared]
        if jobs > 1 and any(each.scenario.server for each in prepared):
            raise ScenarioError("--jobs: runs on a server go one by one: their bots share names")
        cast = [member for each in prepared for member in each.scenario.cast]
        if jobs > 1 and any(member.is_live for member in cast):
            raise ScenarioError("--jobs: a human is in one talk at a time")
        folder = prepared[0].folder
        taking_part = (code for each in prepared for code in code_of(each.scenario, folder))
        measures = study.own_functions if study else ()
        counting = (OwnFunction("study", each, "metrics", folder).code for each in measures)
        for code in dict.fromkeys((*taking_part, *counting)):
            remark(f"this runs the code in {code.file.resolve()}, with all that you may do here")
        own = own_metrics(measures, TAKEN, "study", folder)
        for one in own:
            if one.scope == "study":
                raise ScenarioError(f"study: {one.named} is of all runs: none to compare")
        first = prepared[0].scenario.seed
        seeds = study.seeds_from(first) if study else range(first, first + (runs or 1))
        plan = planned_in(prepared, seeds, out)
        if dry_run:
            print_line(f"{len(plan)} runs: {estimated(plan, jobs, means)} with {jobs} jobs")
            return
        with (
            listed(prepared[0], out, len(plan), means, complain) as list_run,
            alone_in(out),
            _seats_of(cast) as seats,
        ):
            was_played = any(out.glob(LOG_NAME)) or any(out.glob(f"*/{LOG_NAME}"))
            declared_code = {one.name: digest_of_file(one.function) for one in own}
            declare(study, len(plan), out, was_played=was_played, code=declared_code)
            failed = _play(plan, out, replace(means, seats=seats), jobs, pace, list_run)
    if failed:
        complain(f"{len(failed)} of {len(plan)} runs failed; the first, {failed[0]}")
        raise typer.Exit(1)
    next_step = as_typed(f"townsfolk experiment report {out}")
    if study is not None and study.judges:
        next_step = as_typed(f"townsfolk experiment judge {out}")
    elif study is not None:
        next_step += "".join(f" --metric {folder / each}" for each in study.own_functions)
    remark(f"written to {out}; next: {next_step}")


@app.command()
def show(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A scenario, TOML.")],
    prompt: Annotated[
        bool, typer.Option("--prompt", help="What each model is told before it speaks.")
    ] = False,
    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="As for run.")
    ] = None,
) -> None:
    """Show the conditions of a scenario, or the prompt of each of its bots."""
    from bots.experiments.runs import prepare
    from bots.experiments.scenario_file import conditions_of, label_of

    with _plain_errors():
        base = prepare(file)
        study = None if settings else base.study
        for each in base.studied(study) if study else base.under(conditions_of(settings or [])):
            identity = each.identity
            digests = {part: identity[part] for part in ("scenario", "prompts")} | identity["code"]
            told = [f"{key} {named}" for key, named, _ in each.scenario.functions]
            told = [*(f"{part} {digest[:8]}" for part, digest in digests.items()), *told]
            print_line(f"{each.name or label_of(each.condition)}: {', '.join(told)}")
            if prompt:
                for name, text in each.prompts:
                    print_line(f"\n=== {name}\n\n{text}\n")


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


Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="FILE.py:NAME|NAME",
        help="Add a number of your own: a function, or an entry point.",
    ),
]


@app.command()
def report(
    folders: Folders,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="For the comparison of several.")
    ] = None,
    metrics: Metrics = None,
    pages: Annotated[
        bool | None,
        typer.Option(help="A page for each run; unset: for up to 50 runs.", show_default=False),
    ] = None,
    pool: Annotated[
        bool,
        typer.Option("--pool", help="Take runs of other models, prompts or versions together."),
    ] = False,
    figures: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Each figure as SVG, PDF and PNG there, with captions."),
    ] = None,
) -> None:
    """Write a page with pictures, CSV and JSON; several runs are compared too."""
    from bots.experiments.data import read_study
    from bots.experiments.report.comparison import TAKEN
    from bots.experiments.report.writing import MOST_PAGES, write_reports
    from bots.experiments.tables import own_metrics, scoped

    with _plain_errors():
        own = own_metrics(metrics or [], TAKEN)
        of_study, own = scoped(own, "study"), scoped(own, "talk", "turn")
        study = read_study(folders, own) if of_study else None
        numbers = {one.name: one.of_study(study) for one in of_study if study}
        reports = write_reports(
            folders, out, own, numbers, with_pages=pages, pool=pool, figures=figures
        )
        written = reports.pages
        for page in written:
            print_line(str(page))
        for said in reports.remarks:
            remark(said)
        if pages is None and len(written) == 1 and written[0].name != "report.html":
            hint = f"more than {MOST_PAGES} runs: no page of each; --pages writes them"
            remark(hint)


@app.command()
def judge(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `run` wrote.")],
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="Judges to add: a file with [[study.judges]]."),
    ] = None,
    fake_llm: FakeLlm = None,
    data_dir: DataDir = None,
    config: Config = None,
) -> None:
    """Have models score the talks, as the study declares; nothing is played again."""
    from bots.experiments.judges import Outcome, judge_runs, judges_in
    from bots.experiments.metrics import counted
    from bots.experiments.paid_models import Means
    from bots.experiments.playing import alone_in
    from bots.experiments.runs import runs_in

    lack: list[str] = []

    def tell(done: Outcome) -> None:
        scores = f"{done.kept + done.given} of {done.wanted} scores"
        told = f"{done.given} new, {done.asked} questions, ${done.cost_usd:.4f}"
        print_line(f"{done.judge.name}: {scores}, {told}")
        if not done.is_whole:
            lack.append(f"{done.judge.name} lacks scores: {counted(done.why)}")

    with _plain_errors():
        added = judges_in(file) if file is not None else ()
        runs_in([folder])
        with alone_in(folder):
            judge_runs(folder, added, Means(config, data_dir, fake_llm=fake_llm), tell)
    for one in lack:
        complain(one)
    if lack:
        raise typer.Exit(1)
    remark(f"next: {as_typed(f'townsfolk experiment report {folder}')}")


@app.command()
def export(
    folders: Folders,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Write the tables there.")],
    parquet: Annotated[
        bool, typer.Option("--parquet", help="Parquet in place of CSV; needs townsfolk[study].")
    ] = False,
    metrics: Metrics = None,
) -> None:
    """Write runs, participants, lines, turns, decisions, tasks of a whole study as tables."""
    from bots.experiments.data import export as write
    from bots.experiments.data import load_study

    with _plain_errors():
        data = load_study(*folders, metrics=metrics or ())
        for file in write(data, out, parquet=parquet):
            print_line(str(file))
        if left := sum(one.status != "whole" for one in data.runs):
            remark(f"{left} of {len(data.runs)} runs are no data: runs tells why")
        if players := sum(line.of_player for line in data.lines):
            remark(f"{players} lines are words of players: personal data")


@app.command()
def pack(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `run` wrote.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="A new zip.")],
    anonymise: Annotated[
        bool, typer.Option("--anonymise", help="Replace names and words of people.")
    ] = False,
) -> None:
    """Put all runs of a folder into one archive with checksums, to replay elsewhere."""
    from bots.experiments.pack import pack as put
    from bots.experiments.pack import pack_anonymised

    with _plain_errors():
        packed = (pack_anonymised if anonymise else put)(folder, out)
        print_line(f"{out}: {packed.runs} runs, SHA-256 {packed.sha256}")
        if packed.cut:
            remark(f"left out: {packed.cut} runs that were cut off")
        for difference in packed.unlike:
            complain(f"does not replay without its words: {difference}")
        if packed.players_lines:
            hint = "--anonymise replaces them"
            remark(f"{packed.players_lines} lines are words of players, personal data: {hint}")


@app.command()
def unpack(
    archive: Annotated[Path, typer.Argument(metavar="FILE", help="What `pack` wrote.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder.")],
) -> None:
    """Write what an archive holds into DIR, if every byte is as it was packed."""
    from bots.experiments.pack import unpack as write

    with _plain_errors():
        files = write(archive, out)
        print_line(f"{out}: {len(files)} files, as they were packed")
    remark(f"next: {as_typed(f'townsfolk experiment replay {out}')}")


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


def _refuse_besides(study: Study, is_given: bool) -> None:
    from bots.experiments.own_functions import installed
    from bots.experiments.report.comparison import TAKEN
    from bots.experiments.scenario import ScenarioError

    if is_given:
        raise ScenarioError("its file declares a study: conditions and seeds are those of [study]")
    own = {each.rpartition(":")[2] for each in study.own_functions}
    judges = {one.name for one in study.judges}
    if taken := sorted(judges & {*TAKEN, *own}):
        raise ScenarioError(f"study: judges: there is a number {taken[0]} already")
    known = {*TAKEN, *installed("metrics"), *own, *judges}
    for column in study.columns:
        if column not in known and column not in study.own_functions:
            near = suggest.as_clause(suggest.similar(column, known))
            raise ScenarioError(f"study: there is no number {column!r}{near}")


def _play(
    plan: Sequence[Planned],
    out: Path,
    means: Means,
    jobs: int,
    pace: float | None,
    list_run: Callable[[PlayedRun], None],
) -> list[str]:
    """Play what is not there yet; for each run that failed a sentence."""
    from bots.experiments.playing import kept_of, play_all

    kept = kept_of(plan, means)
    left = [one for one in plan if one.folder not in kept]
    # Whoever sits there as a bot is shown by it what it hears, and no more.
    cast = [member for one in plan for member in one.prepared.scenario.cast]
    is_played = any(member.is_live and not (member.player or member.chat) for member in cast)
    if len(plan) == 1 and not is_played:
        left = [_watched(one, pace) for one in left]
    begun, failed = Progress(len(plan), len(kept)), list[str]()
    if kept:
        remark(f"{len(kept)} of {len(plan)} are played already and kept")
    for played in kept.values():
        list_run(played.for_page)
    for played in play_all(left, out, means, jobs, remark):
        begun.done += 1
        list_run(played.for_page)
        _tell(played, begun)
        if played.status == "failed":
            failed.append(f"{played.folder.name}: {played.cause}")
    return failed


def _seats_of(cast: Sequence[Member]) -> AbstractContextManager[Seats | None]:
    if not any(member.chat for member in cast):
        return nullcontext()
    from bots.experiments.seats import seats_of

    return seats_of(cast)


def _watched(one: Planned, pace: float | None) -> Planned:
    from bots.experiments.timeline import Watcher

    def wait(seconds: float) -> None:
        if pace is not None and one.prepared.scenario.world == "simulated":
            time.sleep(min(LONGEST_WAIT_S, seconds / pace))

    return replace(one, prepared=replace(one.prepared, watch=Watcher(print_line, wait)))


def _tell(played: Played, begun: Progress) -> None:
    """A line for a run of several; on stderr what models cost, and where they failed."""
    from bots.experiments.metrics import counted

    if begun.planned > 1:
        failed = f", failed: {played.cause}" if played.status == "failed" else ""
        said = f"{played.said} lines, {played.at_ms / 1000:.0f} s, ended: {played.ended}{failed}"
        print_line(f"{played.folder}: {said} ({begun.told()})")
    if played.charged_usd is not None:
        remark(f"answers: {counted(played.answers)}; cost ${played.charged_usd:.4f}")
    if played.faults:
        complain(f"models gave no whole answer to {counted(played.faults)}")


class Progress:
    """How much of an experiment is played."""

    def __init__(self, planned: int, kept: int) -> None:
        self.planned, self._kept, self.done = planned, kept, 0
        self._began_s = time.monotonic()

    def told(self) -> str:
        """As `12 of 60, 3 min left`."""
        there = self._kept + self.done
        if not self.done or there == self.planned:
            return f"{there} of {self.planned}"
        each_s = (time.monotonic() - self._began_s) / self.done
        left_s = each_s * (self.planned - there)
        left = f"{left_s:.0f} s" if left_s < LONGEST_IN_S else f"{left_s / 60:.0f} min"
        if left_s / 60 >= LONGEST_IN_MIN:
            left = f"{left_s / 3600:.1f} h"
        return f"{there} of {self.planned}, {left} left"


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
