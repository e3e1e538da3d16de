"""Sleep: in the nearest bed that is free and may be used, until it is day or the job ends."""

from __future__ import annotations

import re

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.reach import walk_into_reach
from bridge.actions import FindBlocks, Sleep
from bridge.world import BlockSighting, Position, WorldSnapshot

BED = re.compile(r"(\w+_)?bed")
BED_WITHIN = 32  # blocks
CHASED_TIMES = 8  # from a bed in one night
TRIED = 8  # beds; each has two halves
NEAR = 2.5  # blocks from the eyes; vanilla wants its middle within 3
LIES_ABOVE = 0.6  # blocks above the ground of a bed, at its head; who stands on it is lower
HALF = 1.0  # blocks to the other half; of a bed alongside, the foot is farther from the pillow
NIGHT_S = 900.0  # a night takes 546 s
TRY_ANOTHER = ("occupied", "obstructed", "too_far")
SAYS = {
    "day": "I can sleep only at night.",
    "monsters": "I cannot sleep: monsters are near.",
    "occupied": "Somebody lies in the bed.",
    "obstructed": "There is no room above the bed.",
    "too_far": "I cannot get close enough to the bed.",
}
REASONS = {"day": "not_night", "monsters": "monsters_near", "occupied": "bed_taken"}


async def bed_of_ours(bot: Bot, world: WorldSnapshot) -> Position | None:
    """The nearest bed in which it may lie unasked and nobody else lies: a bot placed it, or an area
    allows it."""
    names = tuple(name for name in (await bot.catalogue()).blocks if BED.fullmatch(name))
    beds = await bot.query(FindBlocks(names, BED_WITHIN, TRIED)) if names else ()
    ours = bot.placements.everyones(world.dimension)
    others = (one.position for one in world.players if one.position)
    pillows = [at.block for at in others if at.y % 1 > LIES_ABOVE]
    for bed in beds:
        if any(bed.position.distance_to(pillow) <= HALF for pillow in pillows):
            continue
        area = bot.areas.at(world.dimension, bed.position)
        if bed.position in ours or (area is not None and area.rule == "allow"):
            return bed.position
    return None


async def sleep(job: Job, bot: Bot) -> BlockSighting:
    """Lie down, and sleep until woken; the bed.

    Raises CommandError not_found, not_night, monsters_near, bed_taken; ActionFailed."""
    names = tuple(name for name in (await bot.catalogue()).blocks if BED.fullmatch(name))
    beds = await job.targets(FindBlocks(names, BED_WITHIN, TRIED))
    if not beds:
        raise CommandError("not_found", f"I know no bed within {BED_WITHIN} blocks.")
    if (await job.snapshot()).is_day:
        raise CommandError("not_night", SAYS["day"])
    refused: ActionFailed | None = None
    for bed in beds:
        try:
            await _lie_down(job, bed.position)
            return bed
        except ActionFailed as failed:
            refused = failed
            if failed.reason != "no_path" and failed.data.get("why") not in TRY_ANOTHER:
                break
    assert refused is not None, "there was a bed"
    why = str(refused.data.get("why") or "")
    if why not in SAYS:
        raise refused
    raise CommandError(REASONS.get(why, "blocked"), SAYS[why]) from refused


async def _lie_down(job: Job, bed: Position) -> None:
    """Sleep until woken, also when monsters chased it from its bed before. Raises ActionFailed."""
    for is_last in (*(False,) * CHASED_TIMES, True):
        await walk_into_reach(job, await job.snapshot(), bed, NEAR)
        try:
            await job.act(Sleep(bed), deadline_s=NIGHT_S)
            return
        except ActionFailed as failed:
            if is_last or failed.reason != "too_far":
                raise
