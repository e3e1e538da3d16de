"""Counts the events of the trace for Prometheus: lines, decisions, tokens, cost, times.

Speakers are not labels: players choose their names, so the labels would grow without bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram

from bots.observability.stalls import EVERY_S
from bots.observability.trace import Trace, TraceLog

_SECONDS = (0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 15, 30)
_LATE_S = (0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.1, 0.25, 0.5, 1)
_SAID = frozenset({"reply.sent", "talk.said", "chat.said", "smalltalk.said"})
_TOKENS = {"tokens_in": "in", "tokens_cached": "cached", "tokens_out": "out"}


class Meters:
    """Since the daemon began."""

    def __init__(self, registry: CollectorRegistry) -> None:
        def counter(name: str, meaning: str, *labels: str) -> Counter:
            return Counter(f"townsfolk_{name}", meaning, labels, registry=registry)

        def times(name: str, meaning: str, *labels: str) -> Histogram:
            return Histogram(
                f"townsfolk_{name}", meaning, labels, registry=registry, buckets=_SECONDS
            )

        self._heard = counter("lines_heard_total", "Lines that bots heard.", "bot")
        self._said = counter("lines_said_total", "Lines that bots said.", "bot")
        self._decisions = counter(
            "decisions_total",
            "Decisions by source (model, partial, rules), tier, and what they were about.",
            *("bot", "source", "tier", "work"),
        )
        self._fallbacks = counter(
            "fallbacks_total", "Decisions without a whole answer of a model, and why.", "why"
        )
        self._tokens = counter("tokens_total", "Tokens of models.", "tier", "kind")
        self._cost = counter("cost_usd_total", "What models cost, in dollars.", "bot", "tier")
        self._tools = counter("tool_calls_total", "Tool calls of models.", "legal")
        self._commands = counter("commands_total", "Commands that players whispered.", "outcome")
        self._jobs = counter("jobs_total", "Jobs that have ended.", "bot", "outcome")
        self._deciding = times("decision_seconds", "How long decisions took.", "source")
        self._answering = times(
            "answer_seconds", "From the oldest line that an answer answers to the answer."
        )
        self._node = counter("bridge_lost_total", "How often a Node died or hung.", "host")
        self._node.labels("1")  # there is always one
        self._skipped = counter(
            "events_skipped_total", "Events that came too fast to be counted here."
        )
        self.loop_lags = Histogram(
            "townsfolk_event_loop_lag_seconds",
            f"How late a turn of the event loop was, looked at every {EVERY_S:g} s.",
            registry=registry,
            buckets=_LATE_S,
        )
        self._lost = 0

    async def run(self, trace: TraceLog) -> None:
        """Read the trace until cancelled."""
        with trace.reading() as reader:
            while traces := await reader.drain():
                for one in traces:
                    self.take(one)
                self._skipped.inc(reader.lost - self._lost)
                self._lost = reader.lost

    def take(self, trace: Trace) -> None:
        bot, facts = trace.bot or "", trace.facts
        match trace.name:
            case "message.heard":
                self._heard.labels(bot).inc()
            case "decision.made":
                self._decided(bot, facts)
            case "command.finished":
                self._commands.labels(_outcome(facts)).inc()
            case "job.finished":
                self._jobs.labels(bot, _outcome(facts)).inc()
            case "bridge.lost":
                self._node.labels(facts["host"]).inc()
        if trace.name in _SAID and facts.get("success", True):
            self._said.labels(bot).inc()
        if trace.name == "reply.sent" and facts.get("success"):
            self._answering.observe(facts["after_s"])

    def _decided(self, bot: str, facts: Mapping[str, Any]) -> None:
        # To Prometheus an empty label is no label.
        source, tier, work = (facts.get(key) or "" for key in ("source", "tier", "work"))
        self._decisions.labels(bot, source, tier, work).inc()
        if facts.get("why") is not None:
            self._fallbacks.labels(facts["why"]).inc()
        for key, kind in _TOKENS.items():
            if facts.get(key):
                self._tokens.labels(tier, kind).inc(facts[key])
        if facts.get("cost_usd"):
            self._cost.labels(bot, tier).inc(facts["cost_usd"])
        for used in facts.get("used") or ():
            self._tools.labels("no" if used.get("illegal") else "yes").inc()
        if facts.get("seconds") is not None:
            self._deciding.labels(source).observe(facts["seconds"])


def _outcome(facts: Mapping[str, Any]) -> str:
    result = facts.get("result") or {}
    return "done" if result.get("success") else str(result.get("reason") or "failed")
