"""What a body in the simulated world senses, as the bridge reports it."""

from __future__ import annotations

from bridge.actions import BlockAt, FindBlocks, Query
from bridge.fake.body import Body
from bridge.fake.world import VIEW_DISTANCE, FakeWorld
from bridge.world import BlockSighting, BotName, PlayerSighting, WorldSnapshot


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
    )


def answer(world: FakeWorld, body: Body, query: Query) -> tuple[BlockSighting, ...]:
    ground = world.terrain(body.dimension)
    match query:
        case FindBlocks():
            return ground.find(query.names, body.position, query.radius, query.limit)
        case BlockAt():
            if body.position.distance_to(query.position) > VIEW_DISTANCE:
                return ()
            where = query.position.block
            return (BlockSighting(ground.block(where), where),)


def _sighting(world: FakeWorld, viewer: Body, other: Body) -> PlayerSighting:
    if not world.sees(viewer, other):
        return PlayerSighting(other.name, None)
    return PlayerSighting(other.name, other.position, other.health)
