"""What Prometheus may read: what the trace adds up to, and how things are now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TypeVar

import psutil
from prometheus_client import CollectorRegistry
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from bots.daemon.session import BotSession
from bots.daemon.shapes import MetricsText
from bots.observability.meters import Meters
from bots.observability.stalls import LoopLag
from llm.engine.budget import Budget
from llm.engine.prices import DOLLAR

T = TypeVar("T", bound=str)


class Gauges(Collector):
    """Of one daemon; how things are when somebody asks."""

    def __init__(self, sessions: Callable[[], Iterable[BotSession]], budget: Budget) -> None:
        """`sessions`: of all bots that live here now."""
        self._sessions, self._budget = sessions, budget
        self._process = psutil.Process()

    def collect(self) -> Iterator[Metric]:
        yield from self._bots()
        yield from self._money()
        with suppress(OSError):  # no descriptor is left to ask the system: the rest is told
            memory, times = self._process.memory_info().rss, self._process.cpu_times()
            yield _gauge("memory_bytes", "Memory of the daemon, without Node.", memory)
            cpu_s = times.user + times.system
            about = "Of the daemon, without Node."
            yield CounterMetricFamily("townsfolk_cpu_seconds_total", about, value=cpu_s)

    def _bots(self) -> Iterator[Metric]:
        sessions = tuple(self._sessions())
        states = Counter(session.connection.state for session in sessions)
        yield _gauges("bots", "Bots by the state of their connection.", "state", states)
        waiting = {one.name: len(one.mailbox) for one in sessions}
        yield _gauges("mailbox_events", "Events of a bot that wait.", "bot", waiting)
        working = {one.name: one.bot.jobs.current is not None for one in sessions}
        yield _gauges("bot_working", "1 while a bot does a job.", "bot", working)
        goals = {one.name: len(one.bot.agenda.goals) for one in sessions}
        yield _gauges("goals_waiting", "Goals on a bot's agenda.", "bot", goals)

    def _money(self) -> Iterator[Metric]:
        budget = self._budget
        named = {
            "spent": ("Spent on models in the budget's period that ends now.", budget.spent()),
            "held": ("Of that, what calls under way may cost at most.", budget.held()),
            "cap": ("What may be spent in a period.", budget.caps.everything),
        }
        for name, (meaning, amount) in named.items():
            yield _gauge(f"budget_{name}_usd", meaning, amount / DOLLAR)


class Metered(Collector):
    """All figures of one daemon, counted from now on."""

    def __init__(self, gauges: Collector, lag: LoopLag) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(gauges)
        self.meters = Meters(self._registry)
        lag.watch(self.meters.loop_lags.observe)

    def text(self, accept: str) -> MetricsText:
        """In the text format that this header asks for, Prometheus' own or OpenMetrics."""
        encode, media_type = choose_encoder(accept)
        return MetricsText(encode(self), media_type)

    def collect(self) -> Iterable[Metric]:
        """Without the moments at which each series began: three more lines for each figure."""
        for family in self._registry.collect():
            family.samples = [one for one in family.samples if not one.name.endswith("_created")]
            yield family


def _gauge(name: str, meaning: str, value: float) -> Metric:
    return GaugeMetricFamily(f"townsfolk_{name}", meaning, value=value)


def _gauges(name: str, meaning: str, label: str, values: Mapping[T, float]) -> Metric:
    family = GaugeMetricFamily(f"townsfolk_{name}", meaning, labels=[label])
    for of, value in values.items():
        family.add_metric([str(of)], value)
    return family
