"""Animals: what they are called by what they give, and whose they are.

Those in a pen are of somebody, and no game, nor are their eggs a bot's."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from bots.bot.bot import Bot
from bots.bot.built import Cell, cell_of, is_log, is_worked
from bots.bot.jobs import Job
from bridge.actions import FindBlocks
from bridge.world import MobSighting, Position

SHEEP, SHORN_SHEEP = "sheep", "shorn_sheep"
WIDEST = 12  # blocks from an animal to where its pen must end
MOST_SEEN = 10_000  # blocks of fences, walls and houses


def kind_of(mob: MobSighting) -> str:
    return sheep_of(mob.coat) if mob.name == SHEEP else mob.name


def sheep_of(colour: str | None) -> str:
    """None is a sheep without wool."""
    if colour is None:
        return SHORN_SHEEP
    return SHEEP if colour == "white" else f"{colour}_{SHEEP}"


async def walls_around(bot: Bot, job: Job, known: Iterable[str], radius: float) -> frozenset[Cell]:
    """What may be part of a pen, of the blocks whose names are known, and of what people placed."""
    names = tuple(name for name in known if is_worked(name) or is_log(name))
    found = await job.query(FindBlocks(names, int(radius) + WIDEST, MOST_SEEN))
    placed = bot.placements.peoples((await job.snapshot()).dimension)
    return frozenset(map(cell_of, (*(one.position for one in found), *placed)))


def is_penned(animal: Position, walls: Collection[Cell]) -> bool:
    """Whether walls at the height of an animal leave it no way out."""
    start = cell_of(animal)
    reached, edge = {start}, [start]
    while edge:
        x, y, z = edge.pop()
        if max(abs(x - start[0]), abs(z - start[2])) >= WIDEST:
            return False
        beside = {(x + 1, y, z), (x - 1, y, z), (x, y, z + 1), (x, y, z - 1)} - reached
        on = [at for at in beside if at not in walls and (at[0], y + 1, at[2]) not in walls]
        reached.update(on)
        edge += on
    return True
