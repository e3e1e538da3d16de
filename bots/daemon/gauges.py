"""What Prometheus may read: what the trace adds up to, and how things are now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import psutil

from bots.daemon.roster import BotRoster
from bots.observability.exposition import Family, exposition, gauge, labels
from bots.observability.loop_lag import LoopLag
from bots.observability.meters import Meters
from llm.engine.budget import Budget
from llm.engine.prices import DOLLAR


class Gauges:
    """Of one daemon."""

    def __init__(self, roster: BotRoster, budget: Budget, meters: Meters, lag: LoopLag) -> None:
        self._roster, self._budget = roster, budget
        self._meters, self._lag = meters, lag
        self._process = psutil.Process()

    def text(self) -> str:
        return exposition(self._families())

    def _families(self) -> Iterator[Family]:
        yield from self._meters.families
        yield self._lag.family
        yield from self._bots()
        yield from self._money()
        yield gauge(
            "townsfolk_memory_bytes",
            "Memory of the daemon, without Node.",
            self._process.memory_info().rss,
        )
        times = self._process.cpu_times()
        used = [("", (), times.user + times.system)]
        yield Family("townsfolk_cpu_seconds_total", "counter", "Of the daemon, without Node.", used)

    def _bots(self) -> Iterator[Family]:
        sessions = self._roster.sessions
        states = Counter(labels(state=session.connection.state) for session in sessions)
        yield gauge("townsfolk_bots", "Bots by the state of their connection.", dict(states))
        waiting = {labels(bot=one.name): len(one.mailbox) for one in sessions}
        yield gauge("townsfolk_mailbox_events", "Events of a bot that wait.", waiting)
        working = {
            labels(bot=one.name): float(one.bot.jobs.current is not None) for one in sessions
        }
        yield gauge("townsfolk_bot_working", "1 while a bot does a job.", working)
        goals = {labels(bot=one.name): len(one.bot.agenda.goals) for one in sessions}
        yield gauge("townsfolk_goals_waiting", "Goals on a bot's agenda.", goals)

    def _money(self) -> Iterator[Family]:
        budget = self._budget
        named = {
            "spent": ("Spent on models in the budget's period that ends now.", budget.spent()),
            "held": ("Of that, what calls under way may cost at most.", budget.held()),
            "cap": ("What may be spent in a period.", budget.caps.everything),
        }
        for name, (meaning, amount) in named.items():
            yield gauge(f"townsfolk_budget_{name}_usd", meaning, amount / DOLLAR)
