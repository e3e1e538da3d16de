"""What a body in the simulated world senses, as the bridge reports it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bridge.actions import (
    BlockAt,
    FindBlocks,
    Footholds,
    LyingItems,
    OpenedContainer,
    PlayerGear,
    Query,
)
from bridge.fake.body import Body
from bridge.fake.catalogue import read_catalogue
from bridge.fake.paths import is_standable
from bridge.fake.recipe_book import read_recipes
from bridge.fake.region import read_region
from bridge.fake.scanning import scan_blocks
from bridge.fake.viewing import behold
from bridge.fake.world import VIEW_DISTANCE, FakeWorld
from bridge.whereabouts import AskWhereabouts, Seen, Whereabouts
from bridge.world import (
    BlockSighting,
    BotName,
    Container,
    Gear,
    LyingItem,
    MobSighting,
    PlayerSighting,
    Position,
    WorldSnapshot,
)
from bridge.zones import is_spared

T = TypeVar("T")

MOST_MOBS = 32
CEILING = 255  # blocks; nothing is built higher
EVERY = 1_000_000  # blocks


def take_snapshot(world: FakeWorld, body: Body, blocks_within: int) -> WorldSnapshot:
    ground = world.terrain(body.dimension)
    return WorldSnapshot(
        bot=BotName(body.name),
        version=world.version,
        position=body.position,
        yaw=body.yaw,
        pitch=body.pitch,
        dimension=body.dimension,
        game_mode=body.game_mode,
        health=body.health,
        food=body.food,
        time_of_day=world.time_of_day,
        spawn_point=world.spawn_point,
        held=body.held,
        items=body.inventory.stacks,
        free_slots=body.inventory.free_slots,
        players=tuple(_sighting(world, body, o) for o in world.bodies.values() if o is not body),
        blocks=ground.count_within(body.position, blocks_within) if blocks_within else (),
        taken_at=world.clock.now(),
        weather=world.weather,
        worn=tuple(body.worn.values()),
        mobs=_mobs(world, body),
        effects=tuple(body.effects),
        died=body.died,
    )


def answer(world: FakeWorld, body: Body, query: Query[T]) -> T:
    answer: T = ANSWERS[query.kind](world, body, query)
    return answer


def _find_blocks(world: FakeWorld, body: Body, query: FindBlocks) -> tuple[BlockSighting, ...]:
    ground = world.terrain(body.dimension)
    find = ground.find_in_cube if query.in_cube else ground.find
    limit = EVERY if query.spared else query.limit
    found = find(query.names, body.position, query.radius, limit)
    free = [one for one in found if not is_spared(query.spared, one.position)]
    return tuple(free[: query.limit])


def _block_at(world: FakeWorld, body: Body, query: BlockAt) -> tuple[BlockSighting, ...]:
    if body.position.distance_to(query.position) > VIEW_DISTANCE:
        return ()
    where = query.position.block
    return (BlockSighting(world.terrain(body.dimension).block(where), where),)


def _sighting(world: FakeWorld, viewer: Body, other: Body) -> PlayerSighting:
    if not world.sees(viewer, other):
        return PlayerSighting(other.name, None)
    return PlayerSighting(other.name, other.position, other.health)


def _mobs(world: FakeWorld, body: Body) -> tuple[MobSighting, ...]:
    def away(mob: MobSighting) -> float:
        return body.position.distance_to(mob.position)

    here = world.mobs if body.dimension == "overworld" else []
    near = [mob for mob in here if away(mob) <= VIEW_DISTANCE]
    return tuple(sorted(near, key=away)[:MOST_MOBS])


def _footholds(world: FakeWorld, body: Body, query: Footholds) -> tuple[Position, ...] | None:
    if _level_distance(body.position, query) > VIEW_DISTANCE:
        return None
    ground = world.terrain(body.dimension)
    column = (Position(query.x, y, query.z) for y in range(1, CEILING))
    return tuple(feet for feet in column if is_standable(ground, feet))


def _lying_items(world: FakeWorld, body: Body, query: LyingItems) -> tuple[LyingItem, ...]:
    drops = world.terrain(body.dimension).drops_within(body.position, query.radius)
    if not world.tells_items:
        return tuple(LyingItem(None, 1, drop.position) for drop in drops)
    return tuple(LyingItem(drop.item, drop.count, drop.position) for drop in drops)


def _player_gear(world: FakeWorld, body: Body, query: PlayerGear) -> Gear | None:
    other = world.bodies.get(query.player)
    if other is None or not world.sees(body, other):
        return None
    off_hand = [other.off_hand.name] if other.off_hand else []
    return Gear(other.held.name if other.held else None, (*other.worn.values(), *off_hand))


def _opened_container(world: FakeWorld, body: Body, _query: OpenedContainer) -> Container | None:
    if body.window is None:
        return None
    kept = world.terrain(body.dimension).chest(body.window)
    return Container(body.window, kept.stacks, len(kept.slots))


def _whereabouts(world: FakeWorld, body: Body, query: AskWhereabouts) -> Whereabouts:
    left_out = {body.name, *query.leave_out}
    others = [other for other in world.bodies.values() if other.name not in left_out]
    return Whereabouts(
        position=body.position,
        yaw=body.yaw,
        dimension=body.dimension,
        health=body.health,
        food=body.food,
        held=body.held.name if body.held else None,
        time_of_day=world.time_of_day,
        players=tuple(Seen(o.name, o.position) for o in others if world.sees(body, o)),
    )


def _level_distance(here: Position, column: Footholds) -> float:
    return math.hypot(here.x - column.x, here.z - column.z)


ANSWERS: Mapping[str, Callable[[FakeWorld, Body, Any], Any]] = {
    "find_blocks": _find_blocks,
    "block_at": _block_at,
    "scan_blocks": scan_blocks,
    "behold": behold,
    "read_recipes": read_recipes,
    "read_region": read_region,
    "footholds": _footholds,
    "lying_items": _lying_items,
    "opened_container": _opened_container,
    "whereabouts": _whereabouts,
    "player_gear": _player_gear,
    "read_catalogue": read_catalogue,
}
