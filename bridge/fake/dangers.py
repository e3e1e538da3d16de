"""What a dangerous world does by itself, each half second, with the embedded server's figures.

A monster that hunts goes straight over the ground to who is nearest, and strikes; fire, lava and
water over the head hurt; what one does tires, who is full heals, who is empty starves. Left out:
whom monsters see, the push of a blow and armour."""

from __future__ import annotations

import math

from bridge.causes import Cause
from bridge.fake.body import FULL, Body
from bridge.fake.terrain import Terrain, cell_of, is_standable
from bridge.fake.world import TICKS_PER_SECOND, FakeWorld
from bridge.vanilla import DANGERS, HUNTERS
from bridge.world import Difficulty, MobSighting, Position, is_day

EVERY_TICKS: int = DANGERS["unhurt_ticks"]
EVERY_S = EVERY_TICKS / TICKS_PER_SECOND
STRIKES_S: float = DANGERS["strikes_ms"] / 1000
MORTAL = ("survival", "adventure")
STEPS, HALF_WIDTH = 5, 0.3  # of a monster in half a second; blocks of it
TOUCHES, BREATH = DANGERS["touches"], DANGERS["breath_ticks"]
HUNGER, TIRES = DANGERS["hunger"], DANGERS["hunger"]["tires"]
SLOW_STEPS: int = HUNGER["slow_ticks"] // EVERY_TICKS
CLIMBS = (0, 1, -1, -2, -3)  # blocks that a step may lead up or down, as it is tried


def endanger(world: FakeWorld, difficulty: Difficulty = "normal") -> None:
    """Let a world harm who is in it until it is peaceful. Needs a running event loop."""
    world.difficulty = difficulty
    if not world.is_dangerous and difficulty != "peaceful":
        world.is_dangerous = True
        _wait(world, 1)


def tire(world: FakeWorld, body: Body, exhaustion: float) -> None:
    """Count what a body did towards its hunger, where the world is dangerous."""
    condition, food = body.condition, body.food
    if not world.is_dangerous or body.game_mode not in MORTAL:
        return
    condition.exhaustion += exhaustion
    while condition.exhaustion >= HUNGER["point"]:
        condition.exhaustion -= HUNGER["point"]
        if condition.saturation > 0:
            condition.saturation = max(0.0, condition.saturation - 1)
        else:
            food = max(0.0, food - 1)
    if food != body.food:
        world.set_health(body.name, body.health, food)


def _wait(world: FakeWorld, step: int) -> None:
    world.clock.timer(EVERY_S).add_done_callback(lambda _: _pass(world, step))


def _pass(world: FakeWorld, step: int) -> None:
    if world.difficulty == "peaceful":
        world.is_dangerous = False
        return
    for mob in [mob for mob in world.mobs if mob.id in world.hunting]:
        _hunt(world, mob)
    for body in _mortals(world):
        _touch(world, body)
        _breathe(world, body)
        _digest(world, body, is_slow=step % SLOW_STEPS == 0)
    world.tell_surroundings()
    _wait(world, step + 1)


def _mortals(world: FakeWorld) -> list[Body]:
    return [body for body in world.bodies.values() if body.game_mode in MORTAL]


def _hunt(world: FakeWorld, mob: MobSighting) -> None:
    kind = HUNTERS[mob.name]
    here = [body for body in _mortals(world) if body.dimension == "overworld"]
    prey = min(here, key=lambda body: mob.position.distance_to(body.position), default=None)
    is_calm = kind.isCalmInLight and is_day(world.time_of_day)
    if prey is None or is_calm or mob.position.distance_to(prey.position) > kind.follows:
        return
    feet = mob.position
    for _ in range(STEPS):
        if feet.distance_to(prey.position) > kind.reach:
            feet = _step(world.terrain(), feet, prey.position, kind.speed * EVERY_S / STEPS)
    if feet != mob.position:
        world.walk(mob, feet)
    now_s = world.clock.monotonic()
    if feet.distance_to(prey.position) <= kind.reach and now_s >= world.hunting[mob.id]:
        world.hunting[mob.id] = now_s + STRIKES_S
        cause = Cause("creature", mob.name, "guessed")
        if _strike(world, prey, kind.damage[_level(world)], cause):
            tire(world, prey, TIRES["harm"])


def _step(terrain: Terrain, feet: Position, to: Position, step: float) -> Position:
    """Towards a point, up one block or down three; where something is in the way, no farther."""
    dx, dz = to.x - feet.x, to.z - feet.z
    flat = math.hypot(dx, dz)
    if flat <= step:
        return feet
    ahead, there = (
        _standing(terrain, Position(feet.x + dx * far / flat, feet.y, feet.z + dz * far / flat))
        for far in (step + HALF_WIDTH, step)
    )
    return feet if ahead is None or there is None else there


def _standing(terrain: Terrain, near: Position) -> Position | None:
    """Where one stands in the column of a point."""
    x, y, z = cell_of(near)
    heights = (y + up for up in CLIMBS if is_standable(terrain, (x, y + up, z)))
    return next((Position(near.x, height, near.z) for height in heights), None)


def _touch(world: FakeWorld, body: Body) -> None:
    """What is hot hurts, and goes on burning; water puts it out."""
    inside = [world.terrain(body.dimension).block(cell) for cell in body.cells]
    touched = [(TOUCHES[name]["amount"], name) for name in inside if name in TOUCHES]
    burns = max((TOUCHES[name]["burns"] for _, name in touched), default=0) * TICKS_PER_SECOND
    ticks = 0 if "water" in inside else max(burns, body.condition.burning)
    body.condition.burning = max(0, ticks - EVERY_TICKS)
    amount, name = max(touched, default=(0, "fire"))
    if not touched and ticks and ticks % TICKS_PER_SECOND == 0:
        amount = DANGERS["burning"]
    cause = Cause("thing", "lava" if name == "lava" else "fire", "seen")
    if _strike(world, body, amount, cause) and touched:
        tire(world, body, TIRES["harm"])


def _breathe(world: FakeWorld, body: Body) -> None:
    has = body.condition.breath
    if world.terrain(body.dimension).block(body.cells[1]) == "water":
        has -= EVERY_TICKS
    else:
        has = min(BREATH["full"], max(0, has) + BREATH["back"] * EVERY_TICKS)
    body.condition.breath = has
    if has <= BREATH["gasp"]:
        body.condition.breath = 0
        _strike(world, body, DANGERS["drowning"], Cause("thing", "drowning", "seen"))


def _digest(world: FakeWorld, body: Body, *, is_slow: bool) -> None:
    is_hurt, saturation = body.health < FULL, body.condition.saturation
    if is_hurt and body.food >= FULL and saturation > 0:
        spent = min(saturation, TIRES["heal"])
        _heal(world, body, spent / TIRES["heal"], spent)
    elif is_slow and is_hurt and body.food >= HUNGER["heals_from"]:
        _heal(world, body, 1, TIRES["heal"])
    elif is_slow and body.food <= 0 and body.health > HUNGER["starves_to"][_level(world)]:
        _strike(world, body, 1, Cause("thing", "hunger", "seen"))


def _heal(world: FakeWorld, body: Body, health: float, exhaustion: float) -> None:
    world.set_health(body.name, body.health + health)
    tire(world, body, exhaustion)


def _level(world: FakeWorld) -> int:
    levels: list[str] = DANGERS["levels"]
    return levels.index(world.difficulty)


def _strike(world: FakeWorld, body: Body, amount: float, cause: Cause) -> bool:
    """Hurt a body; a second blow within half a second takes only what it is worse by. Whether it
    took anything."""
    now_s, condition = world.clock.monotonic(), body.condition
    before = condition.last_blow if condition.unhurt_until_s > now_s else 0.0
    if amount <= before:
        return False
    if not before:
        condition.unhurt_until_s = now_s + EVERY_S
    condition.last_blow = amount
    world.set_health(body.name, body.health - amount + before, cause=cause)
    return True
