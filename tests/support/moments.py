"""Snapshots around Alice and the catalogue of the simulated world, shared by tests."""

from datetime import UTC, datetime

from bridge.catalogue import Catalogue, ReadCatalogue
from bridge.fake import FakeWorld
from bridge.fake.sensing import read_catalogue, take_snapshot
from bridge.world import BotName, ItemStack, PlayerName, PlayerSighting, Position, WorldSnapshot

WORLD = WorldSnapshot(
    bot=BotName("Alice"),
    version="1.16.5",
    position=Position(3.5, 64, -12.2),
    yaw=0,
    pitch=0,
    dimension="overworld",
    game_mode="survival",
    health=18,
    food=17,
    time_of_day=3_000,
    spawn_point=Position(0, 64, 0),
    held=ItemStack("stone_axe", 1),
    items=(ItemStack("oak_log", 3), ItemStack("bread", 2), ItemStack("stone_axe", 1)),
    free_slots=33,
    players=(
        PlayerSighting(PlayerName("Steve"), Position(6, 64, -12), 20),
        PlayerSighting(PlayerName("Bob"), None),
        PlayerSighting(PlayerName("Carol"), Position(13, 64, -12)),
    ),
    blocks=(),
    taken_at=datetime(2026, 1, 1, tzinfo=UTC),
)
"""Steve stands beside Alice, Carol further off; Bob is out of sight."""


def catalogue() -> Catalogue:
    world = FakeWorld()
    known = read_catalogue(world, world.enter(PlayerName("Reader")), ReadCatalogue())
    assert known is not None
    return known


def carrying(food: float = 20, **items: int) -> WorldSnapshot:
    """Alice with these in the bag, in the simulated world."""
    world = FakeWorld()
    body = world.enter(PlayerName("Alice"))
    body.food = food
    for item, count in items.items():
        world.give("Alice", item, count)
    return take_snapshot(world, body, 0)
