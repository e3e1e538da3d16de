"""A snapshot around Alice, shared by tests."""

from datetime import UTC, datetime

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
