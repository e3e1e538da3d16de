"""From readings of a daemon to a verdict: what grows is named, a restart is not taken for it."""

import asyncio
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from faults.testbed import BOTS
from prometheus_client import CollectorRegistry, generate_latest

from benchmarks.soak.__main__ import ENDING_A_PROCESS, WARMING, in_rounds
from benchmarks.soak.judging import broken, exits, grown, judge, late_share
from benchmarks.soak.readings import FILE_NAME, Reading, lag_of, readings_of
from benchmarks.soak.showing import draw, verdict_of
from benchmarks.soak.slopes import Verdict
from benchmarks.soak.visits import names_of
from bots.observability.meters import LoopLag

HOUR_S, EVERY_S = 3_600, 20
BROKEN = "the daemon ended by itself with 1"


def readings(
    grows_mb: float = 0.0,
    node_restarts: bool = False,
    warm_up_share: float = 0.0,
    compiles_mb: float = 0.0,
) -> Iterator[Reading]:
    """Of an hour, with memory that grows by so much in it."""
    for number in range(HOUR_S // EVERY_S):
        share = number * EVERY_S / HOUR_S
        is_new = node_restarts and share > 0.5
        yield {
            "at_s": number * EVERY_S,
            "daemon": 1,
            "is_warm_up": share < warm_up_share,
            "lines": number,
            "broken": [],
            "processes": {
                "daemon": {"pid": 1, "rss_mb": 150 + grows_mb * share + number % 3 / 10},
                "node": {
                    "pid": 3 if is_new else 2,
                    "rss_mb": (200 if is_new else 120) + compiles_mb * share,
                    "compiled_mb": compiles_mb * share,
                },
            },
            "files_mb": {"database": 30 * share, "log": 1},
            "lag": {"looks": 40 * number, "sum_s": 0.04 * number, "late": number // 10},
        }


def verdicts(found: list[Reading]) -> dict[str, Verdict | None]:
    return {one.measure.name: one.verdict for one in judge(found)}


def test_what_stays_is_flat_and_what_was_never_read_is_unsure() -> None:
    found = verdicts(list(readings()))
    assert found["daemon memory"] is Verdict.FLAT
    assert found["mean event loop lag"] is Verdict.FLAT
    assert found["node handles"] is Verdict.UNSURE


def test_what_grows_is_named() -> None:
    assert grown(judge(list(readings(grows_mb=12)))) == ["daemon memory"]
    assert grown(judge(list(readings(grows_mb=1)))) == []


def test_what_is_kept_on_purpose_has_a_slope_and_no_verdict() -> None:
    (database,) = [one for one in judge(list(readings())) if one.measure.name == "database"]
    assert database.verdict is None
    assert database.slope is not None
    assert database.slope.rate == pytest.approx(30)


def test_what_v8_compiles_is_no_growth_of_its_process() -> None:
    by_name = {one.measure.name: one for one in judge(list(readings(compiles_mb=12)))}
    assert by_name["node memory"].verdict is Verdict.FLAT
    code = by_name["node compiled code"]
    assert (code.slope is not None, code.verdict) == (True, None)


def test_a_process_that_was_started_anew_with_more_memory_does_not_grow() -> None:
    assert verdicts(list(readings(node_restarts=True)))["node memory"] is Verdict.FLAT


def test_bots_that_all_come_in_again_begin_a_life_of_nodes_memory_and_none_of_its_data() -> None:
    found = list(readings())
    for number, reading in enumerate(found):
        came_again = number > len(found) // 2
        reading["processes"]["server"] = {"pid": 5 if came_again else 4}
        reading["processes"]["node"] |= {"data_mb": 80, "rss_mb": 260 if came_again else 190}
    assert verdicts(found)["node memory"] is Verdict.FLAT
    for reading in found[len(found) // 2 :]:
        reading["processes"]["node"]["data_mb"] = 85
    by_name = {one.measure.name: one for one in judge(found)}
    assert (len(by_name["node memory"].lives), len(by_name["node data"].lives)) == (2, 1)
    assert by_name["node data"].verdict is not Verdict.FLAT


def test_what_fills_at_the_start_is_left_out() -> None:
    found = list(readings())
    for reading in found[:20]:
        reading["processes"]["daemon"]["rss_mb"] -= 60
    assert verdicts(found)["daemon memory"] is Verdict.FLAT
    assert judge(found)[0].lives[0].times[0] == pytest.approx(1 / 6)


@pytest.mark.parametrize("node_restarts", [False, True])
def test_who_lived_through_the_warm_up_is_judged_from_its_end(node_restarts: bool) -> None:
    found = list(readings(node_restarts=node_restarts, warm_up_share=0.2))
    for reading in found[:36]:
        reading["processes"]["daemon"]["rss_mb"] -= 60
    by_name = {one.measure.name: one for one in judge(found)}
    assert by_name["daemon memory"].verdict is Verdict.FLAT
    assert by_name["daemon memory"].lives[0].times[0] == pytest.approx(0.2, abs=0.01)
    begun = [life.times[0] for life in by_name["node memory"].lives]
    warm_h = 1 / 6  # of who was born later
    assert begun == pytest.approx([0.2, 0.5 + warm_h] if node_restarts else [0.2], abs=0.02)
    assert "48 minutes after 12 of warm-up" in verdict_of(found)[1]


def test_the_mean_lag_is_that_between_two_readings() -> None:
    (lag,) = [one for one in judge(list(readings())) if one.measure.name == "mean event loop lag"]
    assert lag.last == pytest.approx(1.0)
    assert late_share(list(readings())) == pytest.approx(17 / (179 * 40))


def test_the_time_in_which_garbage_is_collected_is_no_lag() -> None:
    found = list(readings())
    found[60]["lag_from_here"] = {**found[60]["lag"], "sum_s": found[60]["lag"]["sum_s"] + 30}
    for reading in found[61:]:
        reading["lag"]["sum_s"] += 30
    assert verdicts(found)["mean event loop lag"] is Verdict.FLAT


def test_the_lag_is_read_as_the_daemon_tells_it() -> None:
    moments = iter([0.0, 0.11, 1.0, 1.3])  # 10 and 200 ms late

    async def sleep(seconds: float) -> None:
        """The stopwatch tells how long it took."""

    async def measured() -> str:
        registry = CollectorRegistry()
        lag = LoopLag(lambda: next(moments), sleep, registry)
        with pytest.raises(RuntimeError):  # the stopwatch has no more to tell
            await lag.run()
        return generate_latest(registry).decode()

    assert lag_of(asyncio.run(measured())) == {"looks": 2, "sum_s": pytest.approx(0.21), "late": 1}


def test_an_exit_and_a_broken_promise_are_no_lasting() -> None:
    found = list(readings())
    assert verdict_of(found)[0]
    found[-1] |= {"daemon": 2, "broken": [BROKEN]}
    assert (exits(found), broken(found)) == (1, [BROKEN])
    lasted, text = verdict_of(found)
    assert not lasted
    assert BROKEN in text


@pytest.mark.slow
def test_a_run_that_was_killed_is_reported_from_its_file(tmp_path: Path) -> None:
    lines = [json.dumps(reading) for reading in islice(readings(), 90)]
    (tmp_path / FILE_NAME).write_text("\n".join([*lines, lines[0][:40]]))
    found = readings_of(tmp_path)
    assert len(found) == 90
    draw(found, tmp_path / "soak.png")
    assert (tmp_path / "soak.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("count", [1, 4, 20])
def test_the_bots_that_people_name_are_always_among_them(count: int) -> None:
    names = names_of(count, BOTS)
    assert names[: len(BOTS)] == BOTS
    assert len(set(names)) == max(count, len(BOTS))


def test_what_ends_a_process_comes_first_in_each_round_and_the_others_take_their_time() -> None:
    first, others, again = 4, len(WARMING), 2
    played = list(islice(in_rounds(7, 12), first + others + again))
    ending = {number for number, one in enumerate(played) if one.kind in ENDING_A_PROCESS}
    assert ending == {0, 1, 2, 3, first + others, first + others + 1}
    assert len({one.kind for one in played}) == first + others
    assert [one.number for one in played] == list(range(1, len(played) + 1))
    assert sum(one.after_s for one in played[:first]) < 120
    assert 240 < sum(one.after_s for one in played[first : first + others]) / others < 360
    assert list(in_rounds(7, 0)) == []
