"""The players part of `!info all`, by one snapshot and by reading each property."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from benchmarks.child import Child
from benchmarks.figures import median, rounded
from benchmarks.stand import BOT, HERE, Stand
from bots.commands.catalogue import handle_chat_command
from bots.commands.info.sections import Players, by_nearness
from bridge.world import BotName, WorldSnapshot

COUNT = 200
HEALTH_KEY = 8  # where metadata keeps health on 1.14 to 1.16
WALKER = "Walker"
OURS_EACH_ROUND = 10
INFO_ALLS = 20
WALK_WITHIN_S = 30.0


async def measure_players(stand: Stand, seconds: float) -> dict[str, Any]:
    """`info_all_speedup`, `info_all_ms` and `crossings_per_info_all`; see walking_proxies.py
    for the two walks."""
    await _bring_in_the_crowd(stand)
    walker = (sys.executable, "-m", "benchmarks.walking_proxies", json.dumps(stand.account(WALKER)))
    async with Child.running(
        *walker, str(COUNT), str(HEALTH_KEY), environment=stand.environment
    ) as child:
        times = await _take_turns(stand, child, seconds)
    return {**_figures(times), "crossings_per_info_all": await _crossings(stand)}


async def _bring_in_the_crowd(stand: Stand) -> None:
    call = {"module": str(HERE / "crowd.cjs"), "call": "install", "args": [COUNT, HEALTH_KEY]}
    await stand.bridge._run("call_module", BotName(BOT), call)


async def _take_turns(stand: Stand, walker: Child, seconds: float) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {"ours": [], "held": [], "chained": []}
    until_s = time.perf_counter() + seconds
    while time.perf_counter() < until_s or not times["held"]:
        for how in ("held", "chained"):
            times["ours"] += [await _ours(stand) for _ in range(OURS_EACH_ROUND)]
            walked = await walker.ask({"how": how}, WALK_WITHIN_S)
            times[how].append(walked["ms"])
            _check_same(walked["players"], await stand.bot.snapshot())
    return times


async def _ours(stand: Stand) -> float:
    began_s = time.perf_counter()
    world = await stand.bot.snapshot()
    json.dumps(Players.of(by_nearness(world)).model_dump(mode="json", by_alias=True))
    return (time.perf_counter() - began_s) * 1000


def _check_same(walked: list[Any], world: WorldSnapshot) -> None:
    """Both must have read the same crowd; real people beside it differ by the reader."""
    ours = [
        [player.name, [player.position.x, player.position.y, player.position.z], player.health]
        for player in world.players
        if player.position is not None
    ]
    assert _crowd_of(walked) == _crowd_of(ours)


def _crowd_of(rows: list[Any]) -> list[Any]:
    crowd = sorted(row for row in rows if row[0].startswith("Person"))
    assert len(crowd) == COUNT
    return crowd


async def _crossings(stand: Stand) -> float:
    before = stand.bridge.crossings
    for _ in range(INFO_ALLS):
        result = await handle_chat_command(stand.bot, "benchmark", "!info all")
        assert result.success, result
    return (stand.bridge.crossings - before) / INFO_ALLS


def _figures(times: dict[str, list[float]]) -> dict[str, Any]:
    ours, chained, held = (median(times[how]) for how in ("ours", "chained", "held"))
    return {
        "info_all_speedup": rounded(chained / ours),
        "info_all_ms": {"ours": rounded(ours), "property_by_property": rounded(chained)},
        "details": {
            "info_all_speedup_over_careful_reading": rounded(held / ours),
            "careful_reading_ms": rounded(held),
            "readings_each": len(times["held"]),
        },
    }
