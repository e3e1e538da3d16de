"""What a running daemon tells Prometheus; and that the docs and the board know it."""

import json
import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from prometheus_client import parser
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics import parser as openmetrics
from support.daemons import daemon_on
from support.descriptors import no_descriptor_left

from bots.clock import utc_now
from bots.daemon.gauges import Gauges, Metered
from bots.observability.trace import TraceLog
from bridge.fake import FakeBridge, FakeWorld

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[3] / "docs"
OPENMETRICS = "application/openmetrics-text; version=1.0.0"
ROW = re.compile(r"^\| (`townsfolk_.*?) \| ([a-z, ]*?) ?\|", re.MULTILINE)
USED = re.compile(r"townsfolk_[a-z_]+")
WITH_LABELS = re.compile(r"(townsfolk_[a-z_]+)(?:\{([^}]*)\})?")
GROUPED = re.compile(r"by \(([^)]*)\)")


@pytest.fixture
async def metered(tmp_path: Path) -> AsyncIterator[Metered]:
    async with daemon_on(FakeBridge(FakeWorld()), tmp_path, None) as daemon:
        gauges = Gauges(lambda: daemon.roster.sessions, daemon.responders.budget)
        metered = Metered(gauges, daemon._lag)
        trace = TraceLog(utc_now)
        facts = {"source": "model", "tier": "haiku", "work": "person", "seconds": 1.0}
        bill = {"tokens_in": 5, "tokens_cached": 2, "tokens_out": 1, "cost_usd": 0.5}
        tools = {"used": [{"illegal": False}], "why": "deadline"}
        metered.meters.take(trace.note("decision.made", 'Al"i\\c\ne', **facts, **bill, **tools))
        for name in ("message.heard", "talk.said", "command.finished", "job.finished"):
            metered.meters.take(trace.note(name, "Alice"))
        yield metered


def read(metered: Metered) -> dict[str, Metric]:
    """As Prometheus reads it, by the names that are written; counters end with `_total`."""
    text = metered.text("").body.decode()
    families = list(parser.text_string_to_metric_families(text))
    ends = {"counter": "_total"}
    return {family.name + ends.get(family.type, ""): family for family in families}


async def test_a_daemon_tells_its_bots_and_money(metered: Metered) -> None:
    found = read(metered)
    (bots,) = found["townsfolk_bots"].samples
    assert (bots.labels, bots.value) == ({"state": "online"}, 1)
    assert found["townsfolk_budget_cap_usd"].samples[0].value > 0
    assert found["townsfolk_cpu_seconds_total"].samples[0].value > 0


async def test_without_a_descriptor_all_but_the_process_itself_is_told(metered: Metered) -> None:
    before = read(metered)
    with no_descriptor_left():
        told = read(metered)
    assert before.keys() - told.keys() == {"townsfolk_memory_bytes", "townsfolk_cpu_seconds_total"}


async def test_no_name_of_a_bot_ends_its_line(metered: Metered) -> None:
    (decided,) = read(metered)["townsfolk_decisions_total"].samples
    assert decided.labels["bot"] == 'Al"i\\c\ne'


async def test_whoever_asks_for_openmetrics_gets_it(metered: Metered) -> None:
    told = metered.text(OPENMETRICS)
    text = told.body.decode()
    families = list(openmetrics.text_string_to_metric_families(text))  # type: ignore[no-untyped-call]
    assert told.media_type.startswith(OPENMETRICS)
    assert len(families) == len(read(metered))


async def test_the_docs_name_every_figure_with_its_labels(metered: Metered) -> None:
    rows = ROW.findall((DOCS / "metrics.md").read_text())
    told = {
        name: set(of.replace(",", "").split()) for names, of in rows for name in USED.findall(names)
    }
    assert told == {name: labels_of(family) for name, family in read(metered).items()}


def labels_of(family: Metric) -> set[str]:
    return {label for sample in family.samples for label in sample.labels} - {"le"}


def expressions() -> Iterator[str]:
    board = json.loads((DOCS / "grafana.json").read_text())
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield target["expr"]


async def test_each_panel_of_the_board_asks_for_what_there_is(metered: Metered) -> None:
    labels: dict[str, set[str]] = {}
    for family in read(metered).values():
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    asked = list(expressions())
    assert len(asked) > 10
    for expression in asked:
        names = WITH_LABELS.findall(expression)
        assert names, expression
        grouped = {one for group in GROUPED.findall(expression) for one in group.split(", ")}
        for name, chosen in names:
            wanted = grouped | set(re.findall(r"(\w+)=", chosen))
            assert name in labels, expression
            assert wanted <= labels[name], expression
