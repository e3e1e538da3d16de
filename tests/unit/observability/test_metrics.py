"""Figures for Prometheus: what is counted, and how late the loop is."""

from typing import Any

import anyio
import pytest
from prometheus_client import CollectorRegistry

from bots.clock import utc_now
from bots.observability.meters import Meters
from bots.observability.stalls import LoopLag
from bots.observability.trace import READER_BUFFER, TraceLog


class Counted:
    """The samples after these events of Alice."""

    def __init__(self, *noted: tuple[str, dict[str, Any]]) -> None:
        self.registry = CollectorRegistry()
        self.trace, self.meters = TraceLog(utc_now), Meters(self.registry)
        for name, facts in noted:
            self.meters.take(self.trace.note(name, "Alice", **facts))

    def value(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(f"townsfolk_{name}", labels)


def test_a_decision_counts_its_source_tier_tokens_and_cost() -> None:
    facts = {
        **{"source": "model", "tier": "haiku", "work": "person", "why": None, "seconds": 0.7},
        **{"tokens_in": 900, "tokens_cached": 700, "tokens_out": 30, "cost_usd": 0.0125},
        "used": [{"illegal": False}, {"illegal": True}],
    }
    found = Counted(("decision.made", facts), ("decision.made", facts))
    decision = {"bot": "Alice", "source": "model", "tier": "haiku", "work": "person"}
    assert found.value("decisions_total", **decision) == 2
    assert found.value("tokens_total", tier="haiku", kind="cached") == 1400
    assert found.value("tokens_total", tier="haiku", kind="out") == 60
    assert found.value("cost_usd_total", bot="Alice", tier="haiku") == 0.025
    assert found.value("tool_calls_total", legal="no") == 2
    assert found.value("decision_seconds_bucket", source="model", le="1.0") == 2
    assert found.value("decision_seconds_bucket", source="model", le="0.5") == 0


def test_a_decision_of_the_rules_has_no_tier_and_says_why() -> None:
    facts = {"source": "rules", "why": "no_model", "seconds": 0.1, "work": "person"}
    found = Counted(("decision.made", facts))
    decision = {"bot": "Alice", "source": "rules", "tier": "", "work": "person"}
    assert found.value("decisions_total", **decision) == 1
    assert found.value("fallbacks_total", why="no_model") == 1


def test_lines_commands_and_jobs_are_counted_by_how_they_ended() -> None:
    found = Counted(
        ("message.heard", {"speaker": "Steve", "text": "hello"}),
        ("reply.sent", {"success": True, "after_s": 0.4}),
        ("reply.sent", {"success": False, "after_s": 9.0}),
        ("talk.said", {"text": "Hi."}),
        ("command.finished", {"result": {"success": False, "reason": "out_of_range"}}),
        ("job.finished", {"result": {"success": True}}),
    )
    assert found.value("lines_heard_total", bot="Alice") == 1
    assert found.value("lines_said_total", bot="Alice") == 2
    assert found.value("answer_seconds_count") == 1
    assert found.value("commands_total", outcome="out_of_range") == 1
    assert found.value("jobs_total", bot="Alice", outcome="done") == 1


def test_no_player_is_a_label() -> None:
    found = Counted(*[("message.heard", {"speaker": f"Guest{n}", "text": "hi"}) for n in range(50)])
    values = {
        value
        for family in found.registry.collect()
        for sample in family.samples
        for value in sample.labels.values()
    }
    assert "Alice" in values
    assert not [value for value in values if "Guest" in value]


async def test_meters_read_the_trace_as_it_comes_and_count_what_came_too_fast() -> None:
    found = Counted()
    async with anyio.create_task_group() as group:
        group.start_soon(found.meters.run, found.trace)
        await anyio.wait_all_tasks_blocked()
        found.trace.note("bridge.lost", why="it died", host=2)
        await anyio.wait_all_tasks_blocked()
        for _ in range(READER_BUFFER + 7):
            found.trace.note("message.heard", "Alice")
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    assert [found.value("bridge_lost_total", host=host) for host in "12"] == [0, 1]
    assert found.value("lines_heard_total", bot="Alice") == READER_BUFFER
    assert found.value("events_skipped_total") == 7


async def test_a_late_turn_of_the_loop_is_measured() -> None:
    counted = Counted()
    moments = iter([0.0, 0.0, 0.13, 1.0, 1.13])

    async def sleep(seconds: float) -> None:
        """The stopwatch tells how long it took."""

    lag = LoopLag(lambda: next(moments), sleep)
    lag.watch(counted.meters.loop_lags.observe)
    with pytest.raises(RuntimeError):  # the stopwatch has no more to tell
        await lag.run()
    assert counted.value("event_loop_lag_seconds_bucket", le="0.02") == 0
    assert counted.value("event_loop_lag_seconds_bucket", le="0.05") == 2
