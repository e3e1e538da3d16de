"""Ways of a run beside its steps: to what is out of sight, out of a mine, back into the world."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.clock import Sleep
from bots.errors import ActionFailed, JobEnded
from bots.goals.activity import Away, Domain, PlanningWorld
from bots.goals.plan import FORAGING, SPARING, Plan
from bots.goals.runner.step_times import StepTimes, time_of_climb
from bots.skills.tunnelling import climb, is_below_ground
from bridge.actions import MoveTo
from bridge.errors import BotError, BridgeDown, BridgeError, BridgeTimeout, NotConnected
from bridge.looking import ScanBlocks
from bridge.world import Position, WorldSnapshot

PLENTY = 10_000
"""More of a block than any plan uses."""
STRIDE = 1.5
"""Distance between two outlooks as a multiple of the sight radius; leaves no gap between them."""
_WOODS = "oak|spruce|birch|jungle|acacia|dark_oak|mangrove|cherry|pale_oak"
_GROUND = r"stone|deepslate|granite|diorite|andesite|tuff|calcite|dirt|grass_block|coarse_dirt"
_NATURE = {
    "overworld": rf"({_WOODS})_(log|leaves)|(deepslate_)?\w+_ore|{_GROUND}|podzol|mycelium|mud|clay"
    r"|gravel|(red_)?sand(stone)?|snow|snow_block|ice|packed_ice|blue_ice|obsidian|terracotta"
    r"|(\w+_)?terracotta|dripstone_block|pointed_dripstone|amethyst_block|moss_block|grass"
    r"|short_grass|tall_grass|fern|large_fern|dead_bush|seagrass|kelp|sugar_cane|cactus|bamboo"
    r"|pumpkin|melon|vine|lily_pad|sweet_berry_bush|cocoa|(brown|red)_mushroom|dandelion|poppy"
    r"|blue_orchid|allium|azure_bluet|\w+_tulip|oxeye_daisy|cornflower|lily_of_the_valley"
    r"|sunflower|lilac|rose_bush|peony|cow|pig|sheep|chicken|rabbit|water|lava",
    "the_nether": r"netherrack|nether_(gold|quartz)_ore|ancient_debris|soul_sand|soul_soil|basalt"
    r"|blackstone|gilded_blackstone|magma_block|glowstone|gravel|obsidian|(brown|red)_mushroom"
    r"|(crimson|warped)_(stem|nylium|fungus|roots)|nether_wart_block|warped_wart_block|shroomlight"
    r"|nether_sprouts|weeping_vines|twisting_vines|bone_block|lava",
    "the_end": r"end_stone|obsidian|chorus_plant|chorus_flower",
}
"""Blocks and animals that occur naturally in each dimension; those of structures are left out.
Source: minecraft.wiki/w/Overworld, /w/The_Nether, /w/The_End."""
DEEP_BLOCKS, PIT_BLOCKS = 8.0, 2.0
"""So far below its start a bot climbs back: from anywhere, or only from below ground."""
CLIMBED_WITHIN = 2.0
MAX_INTERRUPTIONS = 20
"""A run gives up when the bot was out of the world more often."""
LOOK_EVERY_S = 0.5
LOADED_WITHIN_S = 10.0
"""So long it waits for the land around, which comes after the bot."""
_NEAR = 48  # blocks; chunks come from near to far
_LAND = ScanBlocks((), _NEAR, -_NEAR, _NEAR, max_checks=1_000_000_000, limit=0)


def with_all_of_dimension(
    world: PlanningWorld, domain: Domain, dimension: str, sight: int
) -> PlanningWorld:
    """The same world as if every natural block of the dimension were there, just out of sight."""
    nature = re.compile(_NATURE.get(dimension.removeprefix("minecraft:"), ""))
    kinds = {**domain.digging, **domain.foraging}
    somewhere = {kind: PLENTY for kind in kinds if nature.fullmatch(kind)}
    away = {**dict.fromkeys(somewhere, Away(sight * STRIDE)), **world.away}
    return replace(world, nearby={**world.nearby, **somewhere}, away=away)


def out_of_sight(plan: Plan, nearby: Mapping[str, int]) -> dict[str, int]:
    """Things of which the plan takes more than are in sight, with the count it takes."""
    dug: dict[str, int] = {}
    for step in plan.steps:
        if step.action == "gather" or step.action in FORAGING:
            taken = 1 if step.action in SPARING else step.count
            dug[step.target] = dug.get(step.target, 0) + taken
    return {block: count for block, count in dug.items() if count > nearby.get(block, 0)}


def outlooks(start: Position, sight: int) -> Iterator[Position]:
    """Endless places to look around from, in a square spiral around the start."""
    stride, x, z = sight * STRIDE, start.x, start.z
    directions = ((1, 0), (0, 1), (-1, 0), (0, -1))
    for side in itertools.count():
        dx, dz = directions[side % 4]
        for _ in range(side // 2 + 1):
            x, z = x + dx * stride, z + dz * stride
            yield Position(x, start.y, z)


async def climb_home(bot: Bot, job: Job, start: Position, times: StepTimes) -> bool:
    """Climb out of a mine or pit; return whether there was one to climb out of."""
    depth = start.y - (await job.snapshot()).position.y
    is_deep = depth >= DEEP_BLOCKS or (depth >= PIT_BLOCKS and await is_below_ground(job))
    if not is_deep:
        return False
    began = bot.times.stopwatch()
    with suppress(ActionFailed):
        await climb(bot, job, MoveTo(start, CLIMBED_WITHIN))
        took_s = bot.times.stopwatch() - began
        times.add(time_of_climb(bot.times.clock(), bot.name, depth, took_s))
    return True


def is_lost(error: BotError) -> bool:
    """Whether the bot, or the link to it, is gone: it comes back by itself."""
    if isinstance(error, JobEnded):
        return error.reason == "disconnected"
    return isinstance(error, NotConnected | BridgeDown | BridgeTimeout)


async def until_back(job: Job, sleep: Sleep) -> WorldSnapshot:
    """Wait until the bot is in the world and sees the land; the job's deadline ends the wait."""
    while True:
        job.look_again()
        with suppress(BridgeError):
            await job.snapshot()
            await until_land_is_loaded(job, sleep)
            return await job.snapshot()
        await sleep(LOOK_EVERY_S)


async def until_land_is_loaded(job: Job, sleep: Sleep) -> None:
    """Wait until no more land comes in: before, anything might be missing around."""
    known = 0
    for _ in range(round(LOADED_WITHIN_S / LOOK_EVERY_S)):
        seen = sum(kind.count for kind in (await job.query(_LAND)).counts)
        if seen and seen == known:
            return
        known = seen
        await sleep(LOOK_EVERY_S)
        job.look_again()
