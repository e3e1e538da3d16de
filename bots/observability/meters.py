"""What the trace adds up to, for Prometheus: lines, decisions, tokens, cost, times.

Whoever speaks is no label: names that players choose would grow without bound."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bots.observability.exposition import Counter, Family, Histogram
from bots.observability.trace import Trace, TraceLog, TraceReader

_SECONDS = (0.1, 0.25, 0.5, 1, 2, 3, 5, 8, 15, 30)
_SAID = frozenset({"reply.sent", "talk.said", "chat.said", "smalltalk.said"})
_TOKENS = {"tokens_in": "in", "tokens_cached": "cached", "tokens_out": "out"}


class Meters:
    """Since the daemon began."""

    def __init__(self) -> None:
        self._heard = Counter("townsfolk_lines_heard_total", "Lines that bots heard.")
        self._said = Counter("townsfolk_lines_said_total", "Lines that bots said.")
        self._decisions = Counter(
            "townsfolk_decisions_total",
            "Decisions by source (model, partial, rules), tier, and what they were about.",
        )
        self._fallbacks = Counter(
            "townsfolk_fallbacks_total", "Decisions without a whole answer of a model, and why."
        )
        self._tokens = Counter("townsfolk_tokens_total", "Tokens of models.")
        self._cost = Counter("townsfolk_cost_usd_total", "What models cost, in dollars.")
        self._tools = Counter("townsfolk_tool_calls_total", "Tool calls of models.")
        self._commands = Counter("townsfolk_commands_total", "Commands that players whispered.")
        self._jobs = Counter("townsfolk_jobs_total", "Jobs that have ended.")
        self._deciding = Histogram(
            "townsfolk_decision_seconds", "How long decisions took.", _SECONDS
        )
        self._answering = Histogram(
            "townsfolk_answer_seconds",
            "From the oldest line that an answer answers to the answer.",
            _SECONDS,
        )
        self._node = Counter("townsfolk_bridge_lost_total", "How often Node died or hung.")
        self._skipped = 0

    async def run(self, trace: TraceLog) -> None:
        """Read the trace until cancelled."""
        with trace.reading() as reader:
            while traces := await reader.drain():
                self._take_all(traces, reader)

    @property
    def families(self) -> Iterator[Family]:
        for meter in (
            *(self._heard, self._said, self._decisions, self._fallbacks, self._tokens),
            *(self._cost, self._tools, self._commands, self._jobs, self._deciding),
            *(self._answering, self._node),
        ):
            yield meter.family
        skipped = [("", (), float(self._skipped))]
        meaning = "Events that came too fast to be counted here."
        yield Family("townsfolk_events_skipped_total", "counter", meaning, skipped)

    def _take_all(self, traces: list[Trace], reader: TraceReader) -> None:
        for trace in traces:
            self.take(trace)
        self._skipped = reader.lost

    def take(self, trace: Trace) -> None:
        facts = trace.facts
        match trace.name:
            case "message.heard":
                self._heard.add(bot=trace.bot)
            case "decision.made":
                self._decided(trace.bot, facts)
            case "command.finished":
                self._commands.add(outcome=_outcome(facts))
            case "job.finished":
                self._jobs.add(bot=trace.bot, outcome=_outcome(facts))
            case "bridge.lost":
                self._node.add()
        if trace.name in _SAID and facts.get("success", True):
            self._said.add(bot=trace.bot)
        if trace.name == "reply.sent" and facts.get("success"):
            self._answering.observe(facts["after_s"])

    def _decided(self, bot: str | None, facts: Mapping[str, Any]) -> None:
        source, tier, work = (facts.get(key) for key in ("source", "tier", "work"))
        self._decisions.add(bot=bot, source=source, tier=tier, work=work)
        if facts.get("why") is not None:
            self._fallbacks.add(why=facts["why"])
        for key, kind in _TOKENS.items():
            if facts.get(key):
                self._tokens.add(facts[key], tier=tier, kind=kind)
        if facts.get("cost_usd"):
            self._cost.add(facts["cost_usd"], bot=bot, tier=tier)
        for used in facts.get("used") or ():
            self._tools.add(legal="no" if used.get("illegal") else "yes")
        if facts.get("seconds") is not None:
            self._deciding.observe(facts["seconds"], source=source)


def _outcome(facts: Mapping[str, Any]) -> str:
    result = facts.get("result") or {}
    return "done" if result.get("success") else str(result.get("reason") or "failed")
