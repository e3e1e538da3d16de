"""Fighting: the nearest monster in view, or whatever comes near whom or what is guarded."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

from bots.bot.bot import Bot
from bots.bot.jobs import Job
from bots.errors import ActionFailed, CommandError
from bots.skills.hunting import take_weapon
from bots.skills.reckoning import LEFT_ALONE, fighter, reckon
from bridge.actions import Approach, Attack, Footholds, Hunt, MoveTo, Wait
from bridge.world import MobSighting, PlayerName, Position, WorldSnapshot

FIGHT_S = 60.0  # for one monster or player
IN_VIEW = 24.0  # blocks to a monster that is fought
NEAR = 10.0  # blocks from whom or what it guards to a monster that it fights
BESIDE = 4.0  # blocks to whom it guards
LOOK_EVERY_S = 1.0
COME_S = 30.0
CHASE_S = 10.0  # for which a guard goes after one, then it looks again
ROUND, CORNERS = 6.0, 8  # blocks from a place, and where it stops on its way about it
LOOKS_AT_A_CORNER = 6
STRAYED = 10.0  # blocks from a place to which it comes back
ARRIVED = 2.0


async def fight(job: Job, kind: str = "") -> MobSighting:
    """Strike the nearest monster in view, or the nearest of a kind, until it is dead.

    Raises CommandError not_found; ActionFailed."""
    world = await job.snapshot()
    foes = _monsters(world, world.position, IN_VIEW)
    foe = next((one for one in foes if kind in ("", one.name)), None)
    if foe is None:
        raise CommandError("no_monster", f"I see no {kind or 'monster'} near enough to fight.")
    await take_weapon(job, world)
    await job.act(Hunt(foe.id), deadline_s=FIGHT_S)
    return foe


async def attack(job: Job, name: PlayerName) -> None:
    """Strike a player until they are dead. Raises ActionFailed."""
    await take_weapon(job, await job.snapshot())
    await job.act(Attack(name), deadline_s=FIGHT_S)


async def guard(bot: Bot, job: Job, ward: PlayerName | Position) -> None:
    """Stay with a player, or walk a round about a place, and fight what comes near and is reckoned
    to be beaten, until the job ends.

    Raises CommandError unseen_player."""
    for look in count():
        world = await job.snapshot()
        if isinstance(ward, Position):
            at = ward
        elif (player := world.player(ward)) is not None and player.position is not None:
            at = player.position
        else:
            raise CommandError("unseen_player", f"I have lost sight of {ward}.")
        foes = [one for one in _monsters(world, at, NEAR) if one.name not in LEFT_ALONE]
        names, fellows = [one.name for one in foes], bot.beside(world)
        with suppress(ActionFailed):  # it got away, or there is no way: the next look tells
            if foes and reckon(fighter(world), names, beside=fellows) == "fight":
                await take_weapon(job, world)
                await job.act(Hunt(foes[0].id), deadline_s=CHASE_S)
            elif isinstance(ward, Position):
                await _walk_round(job, world, ward, look, must_wait=bool(foes))
            elif world.position.distance_to(at) > BESIDE:
                await job.act(Approach(ward), deadline_s=COME_S)
            else:
                await job.act(Wait(LOOK_EVERY_S))


async def _walk_round(
    job: Job, world: WorldSnapshot, place: Position, look: int, *, must_wait: bool
) -> None:
    """One step of a round: wait, come back, or go on to the next corner."""
    away = world.position.distance_to(place)
    if must_wait or (away <= STRAYED and look % LOOKS_AT_A_CORNER):
        await job.act(Wait(LOOK_EVERY_S))
        return
    angle = 2 * math.pi * (look // LOOKS_AT_A_CORNER) / CORNERS
    x, z = place.x + ROUND * math.cos(angle), place.z + ROUND * math.sin(angle)
    corners = () if away > STRAYED else await job.query(Footholds(math.floor(x), math.floor(z)))
    level = [one for one in corners or () if abs(one.y - place.y) <= ROUND]
    to = min(level, key=lambda one: abs(one.y - place.y), default=place)
    await job.act(MoveTo(to, ARRIVED), deadline_s=COME_S)


def _monsters(world: WorldSnapshot, near: Position, within: float) -> Iterator[MobSighting]:
    """Those within so many blocks of a place that are nobody's, the nearest first."""
    wild = [one for one in world.mobs if one.hostile and not one.is_somebodys]
    around = [one for one in wild if near.distance_to(one.position) <= within]
    return iter(sorted(around, key=lambda one: near.distance_to(one.position)))
