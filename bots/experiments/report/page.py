"""The report of one run as one HTML file, without scripts and external resources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from operator import attrgetter, itemgetter
from typing import TypeAlias, TypeVar

from bots.experiments.metrics import Metrics, Part, Spread, TaskOutcome, counted
from bots.experiments.report.figures import GREY, SPENDING, colours, picture
from bots.experiments.runs import Run
from bots.experiments.timeline import Line, clock

T = TypeVar("T")
MOST_LINES = 400  # on the page; transcript.txt has all


def page(run: Run) -> str:
    metrics, title = run.metrics, run.scenario.title or run.label
    spending = picture(SPENDING, run)
    drawn = spending.on_page() if metrics.tokens or metrics.cost_usd else ""
    said = "".join(f"<p>{escape(sentence)}</p>\n" for sentence in _about_models(run, metrics))
    return document(
        title,
        _head(run, metrics),
        _drawn("Who spoke when", "who spoke when", run),
        _section("The talk", "Nobody heard the faded lines.", _talk(run)),
        _drawn("Who spoke after whom", "who spoke after whom", run),
        _drawn("Distances", "distances over time", run),
        _drawn("Waiting for an answer", "waiting for each line", run),
        _drawn("Repetition", "repetition by line", run),
        _section("Tokens and cost", spending.caption, said + drawn),
        _section("Participants", "", table_of(metrics.participants, PARTICIPANTS)),
        _section("Tasks", "", table_of(run.tasks, TASKS)) if run.tasks else "",
        _section(
            "Why it was their turn",
            "The rule that chose each speaker, and how nominations were read.",
            _reasons(metrics),
        ),
        _section("The scenario", "", f"<pre>{escape(str(run.log.run['scenario']))}</pre>"),
    )


def document(title: str, *parts: str) -> str:
    style = (files(__package__) / "style.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<main>\n"
        f"{''.join(parts)}</main>\n</body>\n</html>\n"
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """An HTML table. Cells are plain text; the first of each row is its heading."""

    def breakable(name: str) -> str:
        """A name of a condition may be long: it goes on in a new line behind = and dots."""
        return escape(name).replace("=", "=<wbr>").replace(".", ".<wbr>")

    head = "".join(f'<th scope="col">{breakable(cell)}</th>' for cell in heads)
    body = "".join(
        f'<tr><th scope="row">{breakable(first)}</th>'
        f"{''.join(f'<td>{escape(cell)}</td>' for cell in others)}</tr>\n"
        for first, *others in rows
    )
    return (
        f'<div class="wide" tabindex="0"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}</tbody>\n</table></div>\n"
    )


Columns: TypeAlias = Sequence[tuple[str, Callable[[T], object]]]
"""For each its head, and what it says of a row."""


def table_of(rows: Iterable[T], columns: Columns[T]) -> str:
    return table(
        [head for head, _ in columns],
        ([str(says(row)) for _, says in columns] for row in rows),
    )


def seconds(spread: Spread) -> str:
    """As `1.2 s, 95 %: 3.0 s`."""
    if spread.p50 is None or spread.p95 is None:
        return "–"
    return f"{spread.p50:.1f} s, 95 %: {spread.p95:.1f} s"


def percent(share: float | None) -> str:
    return "–" if share is None else f"{share * 100:.0f} %"


def _head(run: Run, metrics: Metrics) -> str:
    scenario = run.scenario
    about = f"<p>{escape(scenario.about)}</p>" if scenario.about else ""
    facts = (
        *([("no data", run.cause)] if run.status == "failed" else []),
        ("ended", metrics.ended or "broken off"),
        ("length", clock(run.timeline.ended_ms)[:5] + " min"),
        ("lines", f"{metrics.lines}, {metrics.persons_lines} by persons"),
        ("waiting", seconds(metrics.latency_s)),
        ("shares (Gini)", f"{metrics.gini_bots:.2f} among bots"),
        ("heard", percent(metrics.heard_share)),
        ("named ones answered", percent(metrics.addressed.rate)),
        ("repetition", percent(metrics.repetition)),
        ("answers", counted(metrics.answers) or "–"),
        *([("models failed", counted(metrics.faults))] if metrics.faults else []),
        ("cost", f"${metrics.cost_usd if run.charged_usd is None else run.charged_usd:.4f}"),
    )
    tiles = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>\n" for name, value in facts
    )
    where = f"{scenario.world} world, order {scenario.talk.order}, seed {scenario.seed}"
    where += f", {run.condition_label}" if run.condition else ""
    title = escape(scenario.title or run.label)
    return f"<h1>{title}</h1>\n{about}<p class='small'>{escape(where)}</p>\n<dl>\n{tiles}</dl>\n"


def _section(title: str, caption: str, content: str) -> str:
    name = title.lower().replace(" ", "-")
    said = f'<p class="small">{escape(caption)}</p>\n' if caption else ""
    return (
        f'<section aria-labelledby="{name}">\n<h2 id="{name}">{escape(title)}</h2>\n'
        f"{said}{content}</section>\n"
    )


def _drawn(title: str, name: str, run: Run) -> str:
    shown = picture(name, run)
    return _section(title, shown.caption, shown.on_page())


def _talk(run: Run) -> str:
    colour = colours([who.name for who in run.scenario.roster])
    entries = [
        (line.at_ms, 1, _line(line, colour.get(line.speaker, GREY))) for line in run.timeline.lines
    ]
    for notice in run.timeline.notices:
        at = f'<span class="at">{clock(notice.at_ms)[:7]}</span>'
        text = f'<li class="notice">{at} {escape(notice.text)}</li>\n'
        entries.append((notice.at_ms, 0, text))
    entries.sort(key=itemgetter(0, 1))
    shown = [text for _, _, text in entries[:MOST_LINES]]
    if (left := len(entries) - len(shown)) > 0:
        shown.append(f'<li class="notice">{left} more: see transcript.txt</li>\n')
    return f'<ol class="talk">\n{"".join(shown)}</ol>\n'


def _line(line: Line, colour: str) -> str:
    why = "outside any turn"
    if line.turn is not None:
        reason = [f"by {line.reason.replace('_', ' ')}"] if line.reason else []
        why = " · ".join([f"turn {line.turn}", line.rule.replace("_", " "), *reason])
    missed = ", ".join(f"{name} ({why})" for name, why in sorted(line.missed_by.items()))
    unheard = f'<span class="missed">not heard by {escape(missed)}</span>' if missed else ""
    everybody = " unheard" if line.hearing and not line.heard_by else ""
    return (
        f'<li class="line{everybody}" style="--speaker:{colour}"><span class="at">'
        f"{clock(line.at_ms)[:7]}</span> <b>{escape(line.speaker)}</b> "
        f'<span class="why">{escape(why)}</span><p>{escape(line.text)}</p>{unheard}</li>\n'
    )


def _about_models(run: Run, metrics: Metrics) -> Iterator[str]:
    for check in run.checks:
        came = f"gave no answer ({check['why']})" if check["why"] else "answered"
        yield f"Asked before the first turn, {check['model']} {came} after {check['seconds']} s."
    if metrics.faults:
        yield f"Rules spoke, or words were cut, where a model failed: {counted(metrics.faults)}."
    if run.charged_usd is not None:
        yield f"The budget was charged ${run.charged_usd:.4f}, with all that was never said."
    elif not metrics.tokens and not metrics.cost_usd and not metrics.faults:
        yield "No model was asked: no tokens, no cost."


TASKS: Columns[TaskOutcome] = (
    ("task", attrgetter("task")),
    ("who", attrgetter("who")),
    ("what", lambda one: one.ask or one.goal),
    ("given", lambda one: "never given" if one.given_ms is None else clock(one.given_ms)),
    ("took", lambda one: "not done" if one.took_s is None else f"{one.took_s:.1f} s"),
    ("deaths", attrgetter("deaths")),
)
PARTICIPANTS: Columns[Part] = (
    ("name", attrgetter("name")),
    ("kind", attrgetter("kind")),
    ("lines", attrgetter("lines")),
    ("share", lambda one: percent(one.share)),
    ("characters", attrgetter("characters")),
    ("heard", attrgetter("heard")),
    ("missed", attrgetter("missed")),
    ("waiting", lambda one: seconds(one.latency_s)),
    ("repetition", lambda one: percent(one.repetition)),
    ("tokens", attrgetter("tokens")),
    ("cost", lambda one: f"${one.cost_usd:.4f}"),
)


def _reasons(metrics: Metrics) -> str:
    rules = ((rule.replace("_", " "), str(count)) for rule, count in metrics.rules.items())
    reasons = ((name.replace("_", " "), str(count)) for name, count in metrics.reasons.items())
    found = table(("rule", "turns"), rules)
    if metrics.reasons:
        found += table(("nomination read by", "turns"), reasons)
    return f'<div class="beside">{found}</div>\n'
