"""Figures for Prometheus: the text format, what is counted, and how late the loop is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import anyio
import pytest

from bots.clock import utc_now
from bots.observability.exposition import Counter, Family, Histogram, exposition, gauge, labels
from bots.observability.loop_lag import LoopLag
from bots.observability.meters import Meters
from bots.observability.trace import TraceLog

SAMPLE = re.compile(
    r'[a-z_]+\{(?:[a-z]+="(?:[^"\\\n]|\\.)*"(?:,|(?=\})))*\} (?:[+-]?[0-9.e+-]+|[+-]Inf)'
)


def lines_of(families: Iterable[Family]) -> list[str]:
    return exposition(families).splitlines()


def counted(*noted: tuple[str, dict[str, Any]]) -> set[str]:
    """The samples after these events of Alice."""
    trace, meters = TraceLog(utc_now), Meters()
    for name, facts in noted:
        meters.take(trace.note(name, "Alice", **facts))
    return {line for line in lines_of(meters.families) if not line.startswith("#")}


def test_a_counter_is_written_with_its_meaning_and_type() -> None:
    lines = Counter("lines_total", "Lines.")
    lines.add(bot="Alice")
    lines.add(2, bot="Alice")
    assert lines_of([lines.family]) == [
        "# HELP lines_total Lines.",
        "# TYPE lines_total counter",
        'lines_total{bot="Alice"} 3',
    ]


def test_labels_are_quoted_so_that_no_value_ends_its_line() -> None:
    text = exposition([gauge("bots", "A\nB", {labels(bot='a"b\\c\nd'): 1.0})])
    assert text.splitlines()[0] == "# HELP bots A\\nB"
    assert text.splitlines()[2] == 'bots{bot="a\\"b\\\\c\\nd"} 1'


def test_a_histogram_counts_up_to_each_bound() -> None:
    times = Histogram("seconds", "Times.", (1, 5))
    for value in (0.5, 3, 9):
        times.observe(value)
    assert lines_of([times.family])[2:] == [
        'seconds_bucket{le="1"} 1',
        'seconds_bucket{le="5"} 2',
        'seconds_bucket{le="+Inf"} 3',
        "seconds_sum{} 12.5",
        "seconds_count{} 3",
    ]


def test_a_decision_counts_its_source_tier_tokens_and_cost() -> None:
    facts = {
        **{"source": "model", "tier": "haiku", "work": "person", "why": None, "seconds": 0.7},
        **{"tokens_in": 900, "tokens_cached": 700, "tokens_out": 30, "cost_usd": 0.0125},
        "used": [{"illegal": False}, {"illegal": True}],
    }
    found = counted(("decision.made", facts), ("decision.made", facts))
    assert {
        'townsfolk_decisions_total{bot="Alice",source="model",tier="haiku",work="person"} 2',
        'townsfolk_tokens_total{tier="haiku",kind="cached"} 1400',
        'townsfolk_tokens_total{tier="haiku",kind="out"} 60',
        'townsfolk_cost_usd_total{bot="Alice",tier="haiku"} 0.025',
        'townsfolk_tool_calls_total{legal="no"} 2',
        'townsfolk_decision_seconds_bucket{source="model",le="1"} 2',
        'townsfolk_decision_seconds_bucket{source="model",le="0.5"} 0',
    } <= found


def test_lines_commands_and_jobs_are_counted_by_how_they_ended() -> None:
    found = counted(
        ("message.heard", {"speaker": "Steve", "text": "hello"}),
        ("reply.sent", {"success": True, "after_s": 0.4}),
        ("reply.sent", {"success": False, "after_s": 9.0}),
        ("talk.said", {"text": "Hi."}),
        ("command.finished", {"result": {"success": False, "reason": "out_of_range"}}),
        ("job.finished", {"result": {"success": True}}),
    )
    assert {
        'townsfolk_lines_heard_total{bot="Alice"} 1',
        'townsfolk_lines_said_total{bot="Alice"} 2',
        "townsfolk_answer_seconds_count{} 1",
        'townsfolk_commands_total{outcome="out_of_range"} 1',
        'townsfolk_jobs_total{bot="Alice",outcome="done"} 1',
    } <= found


def test_no_player_is_a_label() -> None:
    noted = [("message.heard", {"speaker": f"Guest{n}", "text": "hi"}) for n in range(50)]
    assert not any("Guest" in line for line in counted(*noted))


def test_every_sample_has_the_form_that_prometheus_reads() -> None:
    trace, meters = TraceLog(utc_now), Meters()
    meters.take(trace.note("decision.made", 'A"', source="rules", why="no_model", seconds=0.1))
    samples = [line for line in lines_of(meters.families) if not line.startswith("#")]
    assert samples
    assert [line for line in samples if not SAMPLE.fullmatch(line)] == []


@pytest.mark.anyio
async def test_meters_read_the_trace_as_it_comes() -> None:
    trace, meters = TraceLog(utc_now), Meters()
    async with anyio.create_task_group() as group:
        group.start_soon(meters.run, trace)
        await anyio.wait_all_tasks_blocked()
        trace.note("bridge.lost", why="it died")
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    assert "townsfolk_bridge_lost_total{} 1" in lines_of(meters.families)


@pytest.mark.anyio
async def test_a_late_turn_of_the_loop_is_measured() -> None:
    now_s, turns = 0.0, 0

    async def late(seconds: float) -> None:
        nonlocal now_s, turns
        now_s, turns = now_s + seconds + 0.03, turns + 1
        if turns > 2:
            await anyio.sleep_forever()

    lag = LoopLag(lambda: now_s, late)
    async with anyio.create_task_group() as group:
        group.start_soon(lag.run)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
    lines = lines_of([lag.family])
    assert 'townsfolk_event_loop_lag_seconds_bucket{le="0.02"} 0' in lines
    assert 'townsfolk_event_loop_lag_seconds_bucket{le="0.05"} 2' in lines
