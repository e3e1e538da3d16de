"""Fighting: the nearest monster in view, or whatever comes near somebody who is guarded."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.hunting import take_weapon
from bridge.actions import Approach, Attack, Hunt, Wait
from bridge.world import MobSighting, PlayerName, Position, WorldSnapshot

FIGHT_S = 60.0  # for one monster or player
IN_VIEW = 24.0  # blocks to a monster that is fought
NEAR = 10.0  # blocks from whom it guards to a monster that it fights
BESIDE = 4.0  # blocks to whom it guards
LOOK_EVERY_S = 1.0
COME_S = 30.0
LEFT_ALONE = frozenset({"creeper", "enderman", "zombified_piglin"})
"""What a guard does not begin with: it blows up, or is peaceful until it is struck."""


async def fight(job: Job, kind: str = "") -> MobSighting:
    """Strike the nearest monster in view, or the nearest of a kind, until it is dead.

    Raises CommandError not_found; ActionFailed."""
    world = await job.snapshot()
    foes = _monsters(world, world.position, IN_VIEW)
    foe = next((one for one in foes if kind in ("", one.name)), None)
    if foe is None:
        raise CommandError("not_found", f"I see no {kind or 'monster'} near enough to fight.")
    await take_weapon(job, world)
    await job.act(Hunt(foe.id), deadline_s=FIGHT_S)
    return foe


async def attack(job: Job, name: PlayerName) -> None:
    """Strike a player until they are dead. Raises ActionFailed."""
    await take_weapon(job, await job.snapshot())
    await job.act(Attack(name), deadline_s=FIGHT_S)


async def guard(job: Job, name: PlayerName) -> None:
    """Stay with a player, and fight what comes near, until the job ends.

    Raises CommandError unseen_player."""
    while True:
        world = await job.snapshot()
        player = world.player(name)
        if player is None or player.position is None:
            raise CommandError("unseen_player", f"I have lost sight of {name}.")
        foes = _monsters(world, player.position, NEAR)
        foe = next((one for one in foes if one.name not in LEFT_ALONE), None)
        with suppress(ActionFailed):  # it got away, or there is no way: the next look tells
            await _keep(job, world, player.position, name, foe)


async def _keep(
    job: Job, world: WorldSnapshot, at: Position, name: PlayerName, foe: MobSighting | None
) -> None:
    if foe is not None:
        await take_weapon(job, world)
        await job.act(Hunt(foe.id), deadline_s=FIGHT_S)
    elif world.position.distance_to(at) > BESIDE:
        await job.act(Approach(name), deadline_s=COME_S)
    else:
        await job.act(Wait(LOOK_EVERY_S))


def _monsters(world: WorldSnapshot, near: Position, within: float) -> Iterator[MobSighting]:
    """Those within so many blocks of a place that are nobody's, the nearest first."""
    wild = [one for one in world.mobs if one.hostile and not one.is_somebodys]
    around = [one for one in wild if near.distance_to(one.position) <= within]
    return iter(sorted(around, key=lambda one: near.distance_to(one.position)))
