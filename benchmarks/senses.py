"""What looking around costs: scans, a view, the recipes, and turning to a speaker.

    python -m benchmarks.senses

Prints JSON: milliseconds as medians over the tries, what a scan read, and how long after a
person's whisper the bot's head had turned to them."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Awaitable, Callable
from typing import Any

from benchmarks.figures import median, percentiles, rounded
from benchmarks.stand import BOT, Stand, standing
from bridge.actions import Query, Towards
from bridge.catalogue import ReadRecipes
from bridge.looking import Behold, Scan, ScanBlocks
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

TRIES = 20
LOOKS = 30
PERSON = BotName("Speaker")
LOOK_AGAIN_S = 0.002
TURNED_WITHIN = 3.0  # degrees
UNLIMITED = 10**9
SCANS = {
    "oak_log, 32": ScanBlocks(("oak_log",)),
    "diamond_ore, 32": ScanBlocks(("diamond_ore",), max_checks=UNLIMITED),
    "diamond_ore, 64": ScanBlocks(("diamond_ore",), 64, -64, 64, max_checks=UNLIMITED),
    "nowhere (sponge), 64": ScanBlocks(("sponge",), 64, -64, 64, max_checks=UNLIMITED),
    "all, 32, 25000 checks": ScanBlocks(),
    "all, 32, unlimited": ScanBlocks(max_checks=UNLIMITED),
}


async def measure_senses(stand: Stand) -> dict[str, Any]:
    """`scans` by what was looked for, `view_ms`, `recipes_ms`, `turned_to_speaker_ms`."""
    scans = {what: await _scan(stand, query) for what, query in SCANS.items()}
    view = await _timed(lambda: _ask(stand, Behold()))
    recipes = await _timed(lambda: _ask(stand, ReadRecipes()))
    turned = await _looks(stand)
    return {
        "scans": scans,
        "view_ms": view,
        "recipes_ms": recipes,
        "turned_to_speaker_ms": percentiles(turned),
    }


async def _ask(stand: Stand, query: Query[Any]) -> Any:
    return await stand.bridge.query(BotName(BOT), query)


async def _scan(stand: Stand, query: ScanBlocks) -> dict[str, Any]:
    ms = await _timed(lambda: _ask(stand, query))
    scan: Scan = await _ask(stand, query)
    return {
        "ms": ms,
        "in_node_ms": rounded(scan.took_ms),
        "found": sum(count.count for count in scan.counts),
        "checks": scan.checks,
        "positions": scan.positions,
        "answered": scan.visited,
        "sections_read": f"{scan.sections_read} of {scan.sections}",
        "complete_within": scan.reached,
    }


async def _timed(once: Callable[[], Awaitable[object]]) -> float:
    loop, took_ms = asyncio.get_running_loop(), []
    for _ in range(TRIES):
        began_s = loop.time()
        await once()
        took_ms.append((loop.time() - began_s) * 1000)
    return rounded(median(took_ms))


async def _looks(stand: Stand) -> list[float]:
    """Milliseconds from a person's whisper until the bot's head points at them."""
    await stand.bridge.spawn(PERSON, stand.address)
    took_ms = []
    for number in range(LOOKS):
        await stand.bridge.glance(BotName(BOT), Towards(yaw=number * 37.0, pitch=40))
        began_s = asyncio.get_running_loop().time()
        await stand.bridge.whisper(PERSON, PlayerName(BOT), f"line {number}")
        async with asyncio.timeout(10):
            while not _looks_at(await stand.bot.snapshot(), PlayerName(PERSON)):  # noqa: ASYNC110
                await asyncio.sleep(LOOK_AGAIN_S)
        took_ms.append((asyncio.get_running_loop().time() - began_s) * 1000)
    await stand.bridge.despawn(PERSON)
    return took_ms


def _looks_at(world: WorldSnapshot, name: PlayerName) -> bool:
    player = world.player(name)
    if player is None or player.position is None or world.pitch > 30:
        return False
    return _turn(world.yaw, _bearing(world.position, player.position)) < TURNED_WITHIN


def _bearing(here: Position, there: Position) -> float:
    return math.degrees(math.atan2(here.x - there.x, here.z - there.z))


def _turn(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


async def _main() -> None:
    async with standing() as stand:
        print(json.dumps(await measure_senses(stand), indent=2))


if __name__ == "__main__":
    asyncio.run(_main())
