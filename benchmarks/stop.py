"""How long `!stop` takes in the middle of every kind of work.

    python -m benchmarks.stop [--json] [--tries N]

On a real server a bot is given an order, and some moment later `!stop`. What counts is the time
from handing in the stop until it is answered and the order's own caller has its result too; by
then nothing of the work may go on. Orders that had ended before are counted apart."""

from __future__ import annotations

import argparse
import asyncio
import json
from dataclasses import dataclass, field
from itertools import cycle
from typing import Any

from benchmarks.figures import flat, percentiles, rounded
from benchmarks.stand import BOT, Stand, standing
from bots.commands.catalogue import handle_chat_command
from bridge.world import BotName

TRIES = 10  # of each order
MOMENTS_S = (0.02, 0.1, 0.25, 0.5, 0.8)  # into the order, one after another
GROUND_Y = 64  # the flat, clear chunk around the spawn point, x and z from 0 to 15
PERSON = BotName("Person")
START, PERSON_AT = (2.5, GROUND_Y, 2.5), (13.5, GROUND_Y, 13.5)
STATIONS = {"furnace": (4, 2), "crafting_table": (2, 4), "chest": (13, 3), "barrel": (3, 13)}
BELONGINGS = {
    **{"iron_ore": 64, "coal": 64, "oak_log": 256, "cobblestone": 64, "dirt": 64},
    **{"golden_apple": 64, "iron_pickaxe": 1, "iron_axe": 1},
}
KNOWN_WITHIN_S = 10.0
ORDERS = {
    "walk": "!navigation gotoCoords 13 64 13",
    "walk where no way leads": "!primitive moveTo 8 200 8",
    "follow": f"!navigation follow {PERSON}",
    "hand over": f"!navigation dropItem dirt 1 {PERSON}",
    "dig": "!skill gather stone 16",
    "place": "!skill place dirt 12 64 8",
    "craft": "!skill craft oak_planks 128",
    "smelt": "!skill smelt iron_ore 8",
    "open a chest": "!navigation chestOpen 13 64 3",
    "eat": "!skill eat golden_apple",
}


@dataclass
class Tries:
    """Of one order."""

    ms: list[float] = field(default_factory=list)
    over_before: int = 0

    @property
    def figures(self) -> dict[str, Any]:
        worst = {"max": rounded(max(self.ms))} if self.ms else {}
        ms = percentiles(self.ms) if self.ms else {}
        return {"stopped": len(self.ms), "over_before": self.over_before, **ms, **worst}


async def measure(tries: int) -> dict[str, Any]:
    """Milliseconds of every order and of all together."""
    async with standing() as stand:
        await _furnish(stand)
        found = {name: await _stop_often(stand, order, tries) for name, order in ORDERS.items()}
    together = Tries([ms for one in found.values() for ms in one.ms])
    together.over_before = sum(one.over_before for one in found.values())
    figures = {name: one.figures for name, one in found.items()}
    return {"stop_ms": {**figures, "all": together.figures}}


async def _furnish(stand: Stand) -> None:
    for block, (x, z) in STATIONS.items():
        await stand.server.admin("setblock", x=x, y=GROUND_Y, z=z, block=block)
    await stand.bridge.spawn(PERSON, stand.address)
    await _put(stand, PERSON, PERSON_AT)
    for item, count in BELONGINGS.items():
        await stand.server.admin("give", player=BOT, item=item, count=count)
    async with asyncio.timeout(KNOWN_WITHIN_S):
        while (await stand.bot.snapshot()).count("iron_axe") < 1:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def _stop_often(stand: Stand, order: str, tries: int) -> Tries:
    done, moments = Tries(), cycle(MOMENTS_S)
    for _ in range(tries):
        await _put(stand, BotName(BOT), START)
        took_ms = await _stop_once(stand, order, next(moments))
        if took_ms is None:
            done.over_before += 1
        else:
            done.ms.append(took_ms)
    return done


async def _stop_once(stand: Stand, order: str, moment_s: float) -> float | None:
    """Milliseconds; None when there was nothing left to stop."""
    loop = asyncio.get_running_loop()
    working = asyncio.create_task(handle_chat_command(stand.bot, "benchmark", order))
    await asyncio.wait({working}, timeout=moment_s)
    if working.done():
        return None
    began_s = loop.time()
    await handle_chat_command(stand.bot, "benchmark", "!stop")
    ended = (await working).as_json()
    took_ms = (loop.time() - began_s) * 1000
    assert stand.bot.doing == [], "something goes on"
    return took_ms if ended.get("reason") == "stopped" else None


async def _put(stand: Stand, player: BotName, at: tuple[float, float, float]) -> None:
    """Teleport a player, who knows it when this returns."""
    x, y, z = at
    await stand.server.admin("teleport", player=player, x=x, y=y, z=z)
    async with asyncio.timeout(KNOWN_WITHIN_S):
        while (await stand.bridge.snapshot(player)).position.block.x != int(x):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def main() -> None:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stop", description=summary)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--tries", type=int, default=TRIES, help="of each order")
    wanted = parser.parse_args()
    report = asyncio.run(measure(wanted.tries))
    if wanted.json:
        print(json.dumps(report))
        return
    for name, value in flat(report):
        print(f"{name:<50}{value:>10,}")


if __name__ == "__main__":
    main()
