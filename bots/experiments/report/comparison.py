"""Compares several runs: tables, means by condition, and metrics of a user's own."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from html import escape
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Any, TypeAlias

import numpy as np

from bots.experiments import tables
from bots.experiments.identity import PARTS, shown
from bots.experiments.metrics import Metrics, counted
from bots.experiments.report import statistics
from bots.experiments.report.figures import Picture, runs_by_condition
from bots.experiments.report.page import Columns, document, percent, table, table_of
from bots.experiments.report.statistics import FEW, Difference, Direction, Estimate
from bots.experiments.runs import Run
from bots.experiments.scenario_file import AS_WRITTEN
from bots.experiments.study import Study
from bots.experiments.tables import LineRow, Measure, ParticipantRow, columns_of

OTHERS = ("run", "title", "place", "condition", "file", "record", "order", "seed", "charged_usd")
FORMULA = ("=", "+", "-", "@", "\t")
MOST_ANSWERS = 6  # at the head, of numbers that nobody declared
MOST_ROWS = 100  # on the page; comparison.csv has all


def metrics_json(run: Run) -> str:
    head = {"run": run.label, "title": run.scenario.title, "seed": run.scenario.seed}
    head |= {"status": run.status, "cause": run.cause, "played_with": run.played_with}
    tail = {"charged_usd": run.charged_usd, "checks": run.checks}
    found = {**head, **asdict(run.metrics), **tail}
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"


def lines_csv(run: Run) -> str:
    columns = [name for name in columns_of(LineRow) if name not in ("run", "kind", "of_player")]
    return as_csv(columns, map(attrgetter(*columns), tables.lines_of(run, run.label)))


def participants_csv(run: Run) -> str:
    columns = [name for name in columns_of(ParticipantRow) if name not in ("run", "is_player")]
    return as_csv(columns, map(attrgetter(*columns), tables.participants_of(run, run.label)))


def as_csv(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """CSV; cells that a spreadsheet would take for a formula get a leading quote."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        cells = [" ".join(cell) if isinstance(cell, tuple) else cell for cell in row]
        writer.writerow(
            f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
            for cell in cells
        )
    return text.getvalue()


@dataclass(frozen=True, slots=True)
class Compared:
    name: str
    caption: str
    values: Mapping[str, Sequence[float]]
    """Of all runs that have it, by condition."""
    estimates: tuple[Estimate | None, ...]
    """For each condition."""
    differences: tuple[Difference | None, ...]
    """For each condition but the first, to that; p is corrected for all that is tested, but not
    where it is exploratory."""
    exploratory: bool = False
    """Whether a study was declared, and this number not in it."""

    @property
    def varies(self) -> bool:
        return len({value for values in self.values.values() for value in values}) > 1


@dataclass(frozen=True, slots=True)
class Comparison:
    conditions: tuple[str, ...]
    metrics: tuple[Compared, ...]

    @property
    def varied(self) -> list[Compared]:
        """The numbers that are not the same in all runs."""
        return [one for one in self.metrics if one.varies]

    @property
    def tests(self) -> int:
        """How many differences are tested."""
        tested = (one for one in self.metrics if not one.exploratory)
        differences = (found for one in tested for found in one.differences)
        return sum(found is not None and found.p is not None for found in differences)

    @classmethod
    def of(
        cls,
        rows: Sequence[tuple[str, Mapping[str, Any]]],
        captions: Mapping[str, str],
        study: Study | None = None,
    ) -> Comparison:
        """Of (condition, numbers) of each run; the first one's condition is the first. With a study
        the numbers that it declares come first, and these alone are corrected for."""
        conditions = tuple(dict.fromkeys(name for name, _ in rows))
        declared = [name.rpartition(":")[2] for name in study.declared_metrics] if study else []
        found: list[Compared] = []
        for name in dict.fromkeys((*declared, *captions)):
            if name not in captions:
                continue
            by_seed: dict[str, statistics.BySeed] = {condition: {} for condition in conditions}
            for condition, entry in rows:
                if entry[name] is not None:
                    by_seed[condition].setdefault(entry["seed"], []).append(float(entry[name]))
            is_primary = study is not None and study.primary and name == declared[0]
            direction: Direction = study.direction if study and is_primary else "two-sided"
            first, *others = by_seed.values()
            values = {one: [*chain(*own.values())] for one, own in by_seed.items()}
            compared = Compared(
                name,
                captions[name],
                values,
                tuple(statistics.estimate(own) for own in values.values()),
                tuple(statistics.between(first, own, direction) for own in others),
                exploratory=bool(declared) and name not in declared,
            )
            found.append(compared)
        for same in (each for one in found if not one.varies for each in one.differences if each):
            same.p = None  # no test
        tested = [
            (each, each.p)
            for one in found
            if not one.exploratory
            for each in one.differences
            if each is not None and each.p is not None
        ]
        for (each, _), p in zip(tested, statistics.holm([p for _, p in tested]), strict=True):
            each.p = p
        return cls(conditions, tuple(found))


def conditions_csv(comparison: Comparison) -> str:
    """One row for each number of each condition."""
    heads = ("condition", "metric", "runs", "mean", "low", "high", "difference", "difference_low")
    rows: list[tuple[object, ...]] = []
    for one in comparison.metrics:
        for condition, own, found in zip(
            comparison.conditions, one.estimates, (None, *one.differences), strict=True
        ):
            of_own = (own.runs, own.mean, own.low, own.high) if own else (0, None, None, None)
            of_difference: tuple[object, ...] = (None,) * 7
            if found is not None:
                mean, counts = found.between, (found.pairs, found.effect, one.exploratory)
                of_difference = (mean.mean, mean.low, mean.high, found.p, *counts)
            rows.append((condition, one.name, *of_own, *of_difference))
    return as_csv((*heads, "difference_high", "p", "pairs", "effect", "exploratory"), rows)


def shown_estimate(found: Estimate | None) -> str:
    """As `1.25 (1.1 to 1.4)`."""
    if found is None:
        return "–"
    if found.low is None or found.high is None or found.low == found.high:
        return shown_number(found.mean)
    return f"{shown_number(found.mean)} ({shown_number(found.low)} to {shown_number(found.high)})"


def shown_number(value: float | None) -> str:
    """Without a power of ten, however small."""
    if value is None:
        return "–"
    if abs(value) >= 1_000:
        return f"{value:,.0f}"
    return np.format_float_positional(value, 3, fractional=False, trim="-")


def _shown_p(p: float | None) -> str:
    if p is None:
        return "–"
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"


Row: TypeAlias = dict[str, Any]


def _nominated(reason: str, metrics: Metrics) -> int:
    return metrics.reasons.get(reason, 0)


NUMBERS: dict[str, tuple[str, Callable[[Metrics], Any]]] = {
    "ended": ("", attrgetter("ended")),
    "seconds": ("length in seconds", attrgetter("seconds")),
    "lines": ("lines", attrgetter("lines")),
    "turns": ("", attrgetter("turns")),
    "gini_bots": ("Gini of the bots' lines", attrgetter("gini_bots")),
    "latency_p50_s": ("median waiting in seconds", attrgetter("latency_s.p50")),
    "latency_p95_s": ("longest waiting but for 5 %, in seconds", attrgetter("latency_s.p95")),
    "overlap": ("lines that cut in", attrgetter("overlap")),
    "repetition": ("repetition", attrgetter("repetition")),
    "addressed_rate": ("named ones that answered", attrgetter("addressed.rate")),
    "questions_rate": ("questions that were answered", attrgetter("questions.rate")),
    "topic_kept": ("lines that keep to the topic", attrgetter("topic_kept")),
    "lead_share": ("share of the one who leads", attrgetter("lead_share")),
    "claims_true": ("claims to have been told, true", attrgetter("claims.true")),
    "claims_false": ("claims to have been told, false", attrgetter("claims.false")),
    "hearing_violations": ("lines heard from too far away", attrgetter("hearing_violations")),
    "heard_share": ("share that was heard", attrgetter("heard_share")),
    "thoughts_dropped": ("turns that were cut off", attrgetter("thoughts_dropped")),
    "answers_failed": ("turns that failed", attrgetter("answers_failed")),
    **{
        f"nominated_{reason}": (
            f"nominations: {reason.replace('_', ' ')}",
            partial(_nominated, reason),
        )
        for reason in ("tag", "fuzzy", "round_robin", "random", "none")
    },
    "answers": ("", lambda metrics: counted(metrics.answers)),
    "without_model": ("answers that a model owed", attrgetter("without_model")),
    "tasks_done": ("tasks that were done", attrgetter("tasks.rate")),
    "tasks_s": ("seconds until a task was done", attrgetter("tasks.mean_s")),
    "tasks_deaths": ("deaths at tasks", attrgetter("tasks.deaths")),
    "tokens": ("tokens", attrgetter("tokens")),
    "cost_usd": ("cost in US dollars", attrgetter("cost_usd")),
}
"""Of each column its caption where it is compared, and its value."""
CAPTIONS = {"lines": "lines"} | {name: said for name, (said, _) in NUMBERS.items() if said}
TAKEN = frozenset({*NUMBERS, *OTHERS, *PARTS})
"""Columns that a metric of one's own cannot be called by."""


def row(run: Run, own: Sequence[Measure] = ()) -> Row:
    """The numbers of one run; what its condition changed has a column for each key. Raises LogError
    where a metric of the user's own fails."""
    return {
        "run": run.label,
        "title": run.scenario.title,
        "place": run.place,
        "condition": run.condition_label,
        **{f"set {key}": value for key, value in run.condition.items()},
        **dict.fromkeys(PARTS, ""),
        **run.played_with,
        "file": run.as_written,
        "record": run.record,
        "order": run.scenario.talk.order,
        "seed": run.scenario.seed,
        **{name: of(run.metrics) for name, (_, of) in NUMBERS.items()},
        "charged_usd": run.charged_usd,
        **{metric.name: metric.of(run) for metric in own},
    }


def in_order(rows: Iterable[Row]) -> list[Row]:
    """As the conditions were given, each by its seeds."""
    return sorted(rows, key=lambda entry: (entry["title"], entry["place"], entry["seed"]))


def compared(rows: Sequence[Row], own: Sequence[Measure], study: Study | None = None) -> Comparison:
    """Means by condition, and their differences; of the user's own metrics too."""
    named = (
        name
        for name in (study.columns if study else ())
        if all(isinstance(entry.get(name), int | float | None) for entry in rows)
    )
    captions = {name: name for name in (*(metric.name for metric in own), *named)} | CAPTIONS
    one_title = len({entry["title"] for entry in rows}) == 1  # else it is told
    groups = (
        entry["condition"]
        if one_title
        else f"{entry['title'] or entry['run']}: {entry['condition']}"
        for entry in rows
    )
    return Comparison.of(list(zip(groups, rows, strict=True)), captions, study)


def comparison_csv(rows: Sequence[Row]) -> str:
    columns = list(dict.fromkeys(column for entry in rows for column in entry))
    return as_csv(columns, [[entry.get(column) for column in columns] for entry in rows])


def told_apart(rows: Sequence[Row], *, pool: bool) -> tuple[list[Row], list[str]]:
    """The rows, those of one condition that were played with different models, prompts or the like
    as conditions of their own; what is to be said of it. With `pool` they stay together."""
    alike: dict[tuple[str, str], list[Row]] = {}
    for entry in rows:
        alike.setdefault((entry["title"], entry["condition"]), []).append(entry)
    told: list[Row] = []
    differing: dict[str, None] = {}
    for entry in rows:
        same = alike[entry["title"], entry["condition"]]
        parts = [part for part in PARTS if len({other[part] for other in same}) > 1]
        differing |= dict.fromkeys(parts)
        said = ", ".join(shown(part, entry[part]) for part in parts)
        own = said if entry["condition"] == AS_WRITTEN else f"{entry['condition']}, {said}"
        told.append({**entry, "condition": own} if said and not pool else entry)
    words = "Pooled though they differ in" if pool else "Conditions of their own, as they differ in"
    apart = [f"{words}: {', '.join(differing)}."] if differing else []
    known = {*differing, *(["file"] if "scenario" in differing else [])}
    return told, [*apart, *_confounds(rows, known)]


def once(rows: Sequence[Row]) -> tuple[list[Row], list[str]]:
    """Each talk once, as a copy proves nothing more; how many copies there were, in a sentence.
    Without models a talk that is played again with the same seed is the same."""
    kept: dict[Any, Row] = {}
    for entry in rows:
        kept.setdefault(itemgetter("title", "condition", "seed", "record")(entry), entry)
    copies = len(rows) - len(kept)
    told = [f"Left out: {copies} that repeat another run to the letter."] if copies else []
    return [*kept.values()], told


def _confounds(rows: Sequence[Row], told: Collection[str]) -> Iterator[str]:
    """What conditions differ in though their names do not say so, or do not though they say so: a
    difference between them may come from that, or be none."""
    names = {name for entry in rows for name in entry if name.startswith("set ")}
    varied = [name for name in names if len({str(entry.get(name)) for entry in rows}) > 1]
    titles = {entry["title"] for entry in rows}
    parts = [
        part
        for part, explains in EXPLAINED_BY.items()
        if part not in told
        and not any(re.fullmatch(f"set ({explains})", name) for name in varied)
        and len({(entry["title"], entry[part]) for entry in rows}) > len(titles)
    ]
    if parts:
        yield f"The conditions differ in more than their names say: {', '.join(parts)}."
    models = {entry["model"] for entry in rows}
    if len(models) == 1 and any(map(NAMES_MODEL.fullmatch, varied)):
        yield f"The conditions name several models, but {models.pop() or 'none'} answered in all."


MODEL_KEYS = r"llm\..*|cast\..*\.(model|temperature|max_tokens|answers)"
EXPLAINED_BY = {
    "file": "",
    "code": r"cast\..*\.(function|answers)|talk\.(order|stop)",
    "prompt": r"prompt\..*",
    "model": MODEL_KEYS,
    "settings of the model": MODEL_KEYS,
    "version": "",
}
"""By part the keys of a scenario that are there to change it."""
NAMES_MODEL = re.compile(r"set (llm\.(haiku_|sonnet_)?model|cast\..*\.model)")


def comparison_page(
    rows: Sequence[Row], comparison: Comparison, remarks: Sequence[str] = ()
) -> str:
    varied = comparison.varied
    same = ", ".join(
        one.caption for one in comparison.metrics if not one.varies and any(one.values.values())
    )
    alike = f'<p class="small">The same in all: {same}.</p>\n' if same else ""
    pictures = "".join(
        f"<section><h2>{escape(one.caption)}</h2>\n{picture.on_page()}</section>\n"
        for one, picture in zip(varied, pictures_of(comparison), strict=True)
    )
    said = "".join(f"<p>{escape(remark)}</p>\n" for remark in remarks)
    head = f"<h1>{len(rows)} runs compared</h1>\n{said}"
    shown = table_of(rows[:MOST_ROWS], RUNS)
    left = len(rows) - MOST_ROWS
    more = f'<p class="small">{left} more: comparison.csv has all.</p>\n' if left > 0 else ""
    runs = f"<section><h2>Runs</h2>\n{shown}{more}</section>\n"
    answers, means = _answers(comparison), _means(comparison)
    return document("Runs compared", head, answers, means, alike, pictures, runs)


RUNS: Columns[Row] = (
    *((name, itemgetter(name)) for name in ("run", "order", "seed", "ended", "lines")),
    (
        "waiting",
        lambda one: "–" if one["latency_p50_s"] is None else f"{one['latency_p50_s']:.1f} s",
    ),
    ("Gini", lambda one: f"{one['gini_bots']:.2f}"),
    ("heard", lambda one: percent(one["heard_share"])),
    ("named answered", lambda one: percent(one["addressed_rate"])),
    ("answers", itemgetter("answers")),
)


def pictures_of(comparison: Comparison) -> list[Picture]:
    """One for each number that varies; its caption tells what a reader of a paper has to know."""
    first, *others = comparison.conditions
    found: list[Picture] = []
    for one in comparison.varied:
        runs = ", ".join(f"{len(own)} with {condition}" for condition, own in one.values.items())
        said = [f"{one.caption[0].upper()}{one.caption[1:]}. Each dot is a run ({runs})."]
        said += ["Large dot and bar: the mean with its 95 % interval (bootstrap over runs)."]
        for other, each in zip(others, one.differences, strict=True):
            if each is None:
                continue
            pairs = f"paired over {each.pairs} seeds" if each.pairs else "unpaired"
            corrected = f"Holm-corrected for {comparison.tests} tests"
            said.append(
                f"{other} minus {first}: {shown_estimate(each.between)}, p {_shown_p(each.p)}"
                f" ({pairs}, permutation, {'exploratory' if one.exploratory else corrected})."
            )
        found.append(runs_by_condition(one.name, one.caption, " ".join(said), one.values))
    return found


def _answers(comparison: Comparison) -> str:
    """What is known of the numbers that decide: those declared, else those that surely differ."""
    first, *others = map(escape, comparison.conditions)
    if not others:
        return ""
    declared = any(one.exploratory for one in comparison.metrics)
    said = ""
    for place, other in enumerate(others):
        told = [
            f"<li>{_answer(one.caption, found)}</li>\n"
            for one in comparison.metrics
            if not one.exploratory and (found := one.differences[place]) is not None
            if declared or found.is_sure
        ]
        if (more := len(told) - MOST_ANSWERS) > 0 and not declared:
            told[MOST_ANSWERS:] = [f"<li>{more} more numbers differ: see below</li>\n"]
        if told:
            said += f"<p><b>{other}</b> against {first}:</p>\n"
            said += f'<ul class="answer">\n{"".join(told)}</ul>\n'
    nothing = f"<p>No number differs from {first} more than chance would make it.</p>\n"
    return f"<section><h2>The answer</h2>\n{said or nothing}</section>\n"


def _answer(caption: str, found: Difference) -> str:
    mean, effect = shown_estimate(found.between), _shown_effect(found.effect)
    sign = "+" if found.between.mean > 0 else ""
    sure = "" if found.is_sure else "not known to differ, "
    return f"{escape(caption)}: {sure}<b>{sign}{mean}</b>, d {effect}, p {_shown_p(found.p)}"


def _shown_effect(effect: float | None) -> str:
    return "–" if effect is None else f"{effect:.2f}"


def _means(comparison: Comparison) -> str:
    first, *others = comparison.conditions
    said = ["In brackets: where the mean lies, with 95 % certainty, by drawing the runs anew."]
    if others:
        said.append(
            f"Differences are to {escape(first)}, seed by seed where both have "
            "the same seeds. d: the difference in standard deviations. p: how often chance alone "
            "makes one as large, by turning pairs round or dealing the runs anew; corrected (Holm) "
            f"for the {comparison.tests} that are tested here, but not where it says exploratory."
        )
    runs = [found.runs for one in comparison.metrics for found in one.estimates if found]
    if min(runs, default=FEW) < FEW:
        said.append(
            f"With fewer than {FEW} runs of a condition the brackets are too narrow: play more"
            " seeds."
        )
    about = "".join(f'<p class="small">{line}</p>\n' for line in said)
    rows = ((one.caption, *map(shown_estimate, one.estimates)) for one in comparison.varied)
    means = table(["", *comparison.conditions], rows)
    for place, other in enumerate(others):
        of_both = (
            (
                one.caption,
                shown_estimate(found.between),
                _shown_effect(found.effect),
                _shown_p(found.p),
                str(found.pairs or "–"),
                "exploratory" if one.exploratory else "",
            )
            for one in comparison.varied
            if (found := one.differences[place]) is not None
        )
        differences = table(("", "difference", "d", "p", "pairs", ""), of_both)
        means += f"<h2>{escape(other)}: difference</h2>\n{differences}"
    return f"<section><h2>Means</h2>\n{about}{means}</section>\n"
