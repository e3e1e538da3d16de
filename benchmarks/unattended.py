"""How many different items a bot gets that is left alone, from nothing.

    python -m benchmarks.unattended [--minutes 30] [--places 1,2,3] [--arenas N] [--json]

At each place of `benchmarks.goals_live` a bot with an empty bag is given one goal after the other,
in the order of the tech tree, without a model and without anybody who helps. Every place has a
server and a daemon of its own. `items` counts the different items that its steps brought, `no room`
the goals that failed because the bag was full. Node's packages must be installed (`townsfolk up`
does it once) or TOWNSFOLK_NODE_DIR set.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.goals_live import PLACES, bring_to
from benchmarks.stand import Stand, standing_on
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, StepDone
from bots.bot.result import Failure
from bots.commands.goal import reach_goal
from bridge.actions import FindBlocks

WANTED_ITEMS = 60
GOAL_WITHIN_S = 300.0
STOPS_WITHIN_S = 30.0
LATE_S = 180.0
"""So much longer than its minutes a place may take, for start and end."""
WOODS = ("oak", "birch", "spruce", "jungle", "acacia", "dark_oak")
WOOD_WITHIN = 64
GOALS = (
    "WOOD_log WOOD_planks stick crafting_table wooden_pickaxe chest wooden_axe wooden_shovel"
    " wooden_sword wooden_hoe WOOD_slab barrel bowl WOOD_stairs WOOD_door WOOD_trapdoor WOOD_fence"
    " WOOD_fence_gate WOOD_button WOOD_pressure_plate WOOD_sign ladder WOOD_boat",
    "dirt cobblestone:32 stone_pickaxe stone_axe stone_shovel stone_sword stone_hoe furnace lever"
    " cobblestone_slab cobblestone_stairs cobblestone_wall charcoal torch stone:12 stone_slab"
    " stone_stairs stone_button stone_pressure_plate stone_bricks stone_brick_slab"
    " stone_brick_stairs stone_brick_wall chiseled_stone_bricks smooth_stone smooth_stone_slab",
    "sand:16 glass:6 glass_pane glass_bottle sandstone sandstone_slab sandstone_stairs"
    " sandstone_wall cut_sandstone clay_ball:20 clay brick:9 bricks brick_slab"
    " brick_stairs flower_pot terracotta sugar_cane paper sugar",
    "coal:8 iron_ore:12 iron_ingot:12 iron_nugget iron_pickaxe bucket shears iron_axe iron_sword"
    " iron_shovel iron_hoe iron_bars iron_trapdoor chain lantern hopper minecart cauldron shield"
    " tripwire_hook iron_door iron_helmet iron_boots flint flint_and_steel water_bucket",
    "redstone redstone_torch compass gold_ore gold_ingot clock diamond diamond_pickaxe jukebox"
    " diamond_sword obsidian",
)
"""What it is to get, age by age, and how many if not one; WOOD is the nearest kind of tree."""


@dataclass(slots=True)
class Stay:
    """What a bot did at one place."""

    place: int
    minutes: float
    items: list[str] = field(default_factory=list)
    reached: int = 0
    failed: dict[str, str] = field(default_factory=dict)
    """What each goal that was not reached said."""
    no_room: int = 0
    took_s: dict[str, float] = field(default_factory=dict)

    def note(self, event: BotEvent) -> None:
        if isinstance(event, StepDone):
            self.items = sorted({*self.items, *event.produces})

    def fail(self, item: str, failure: Failure) -> None:
        self.failed[item] = failure.message
        reasons = failure.reason, failure.data.get("because")
        self.no_room += "inventory_full" in reasons


async def stay(place: int, minutes: float) -> Stay:
    """Spend some minutes at a place in this process."""
    done = Stay(place, minutes)
    with TemporaryDirectory(prefix="townsfolk-unattended-") as folder:
        async with standing_on(Path(folder)) as stand:
            await bring_to(stand.server, stand.bot, *PLACES[place])
            goals = await _goals(stand)
            stand.bot.events.subscribe(done.note)
            until_s = asyncio.get_running_loop().time() + 60 * minutes
            for item in goals:
                left_s = until_s - asyncio.get_running_loop().time()
                if left_s <= 0:
                    break
                await _pursue(stand.bot, item, min(left_s, GOAL_WITHIN_S), done)
    return done


async def _goals(stand: Stand) -> list[str]:
    logs = tuple(f"{wood}_log" for wood in WOODS)
    found = await stand.bot.query(FindBlocks(logs, WOOD_WITHIN, 1))
    wood = found[0].name.removesuffix("_log") if found else WOODS[0]
    every = [item.replace("WOOD", wood) for age in GOALS for item in age.split()]
    return [item if ":" in item else f"{item}:1" for item in every]


async def _pursue(bot: Bot, item: str, within_s: float, done: Stay) -> None:
    clock = asyncio.get_running_loop().time
    began_s = clock()
    try:
        async with asyncio.timeout(within_s):
            result = await reach_goal(bot, f"inventory.{item}")
    except TimeoutError:
        async with asyncio.timeout(STOPS_WITHIN_S):
            await bot.stop()
        done.failed[item] = f"not done after {within_s:.0f} s"
        return
    finally:
        done.took_s[item] = round(clock() - began_s, 1)
        print(f"{item} {done.took_s[item]}", file=sys.stderr, flush=True)
    if isinstance(result, Failure):
        done.fail(item, result)
        print(f"{item}: {result.message}", file=sys.stderr, flush=True)
    else:
        done.reached += 1


# --- several places, each in a process of its own --------------------------------------------


async def measure(places: Sequence[int], minutes: float, arenas: int = 1) -> list[Stay]:
    """A stay at each place, so many at a time."""
    free = asyncio.Semaphore(arenas)
    return list(await asyncio.gather(*(_stay(place, minutes, free) for place in places)))


async def _stay(place: int, minutes: float, free: asyncio.Semaphore) -> Stay:
    async with free:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.unattended", "--minutes", str(minutes)),
            *("--play", str(place)),
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(60 * minutes + LATE_S):
                out, _ = await process.communicate()
        except TimeoutError:
            process.kill()
            await process.wait()
            raise
    line = next(line for line in out.splitlines() if line.startswith(b"{"))
    return Stay(**json.loads(line))


def table(stays: Iterable[Stay]) -> Iterator[str]:
    yield "   place  minutes  items  reached  failed  no room"
    for one in stays:
        x, z = PLACES[one.place]
        yield (
            f"{f'{x},{z}':>8}{one.minutes:>9g}{len(one.items):>7}{one.reached:>9}"
            f"{len(one.failed):>8}{one.no_room:>9}"
        )
    for one in stays:
        for item, why in one.failed.items():
            yield f"{PLACES[one.place]} {item}: {why}"


def holds(stays: Iterable[Stay]) -> bool:
    """Whether each place brought enough items, and no goal wanted for room."""
    return all(len(one.items) >= WANTED_ITEMS and not one.no_room for one in stays)


def main() -> None:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unattended", description=summary)
    parser.add_argument("--minutes", type=float, default=30, help="how long at each place")
    parser.add_argument("--places", default="1,2,3", help="numbers, with commas between")
    parser.add_argument("--arenas", type=int, default=1, help="places at a time")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--play", type=int, help=argparse.SUPPRESS)
    wanted = parser.parse_args()
    if wanted.play is not None:
        print(json.dumps(asdict(asyncio.run(stay(wanted.play, wanted.minutes)))))
        return
    places = [int(number) - 1 for number in wanted.places.split(",")]
    stays = asyncio.run(measure(places, wanted.minutes, wanted.arenas))
    if wanted.json:
        print(json.dumps({"stays": [asdict(one) for one in stays], "holds": holds(stays)}))
        return
    print("\n".join(table(stays)))


if __name__ == "__main__":
    main()
