"""Farm animals on the embedded server: where they stand, who sees them, what they leave."""

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest
from server.players import Players

from bridge.server.launcher import EmbeddedServer

pytestmark = pytest.mark.real

SPAWN = 8.5
CLEAR_OF_ANIMALS = 32.0
KINDS = {"cow": 3, "pig": 3, "sheep": 3, "chicken": 3}


async def herd(node: Path, node_dir: Path, seed: int) -> list[Any]:
    server = await EmbeddedServer.start(node, node_dir, seed=seed)
    try:
        animals: list[Any] = await server.admin("animals")
        return animals
    finally:
        await server.aclose()


async def test_a_seed_gives_the_same_animals(node_binary: Path, node_dir: Path) -> None:
    one, again, other = await asyncio.gather(
        *(herd(node_binary, node_dir, seed) for seed in (5, 5, 6))
    )
    assert one == again
    assert one != other
    for animals in (one, other):
        names = [name for name, _ in animals]
        assert {name: names.count(name) for name in names} == KINDS
        away = [math.hypot(x - SPAWN, z - SPAWN) for _, (x, _, z) in animals]
        assert min(away) >= CLEAR_OF_ANIMALS


async def test_clients_see_every_animal_by_name_and_place(players: Players) -> None:
    facts = await players.play("seeAnimals")
    assert set(facts["kinds"]) == KINDS.keys()  # hunted or not
    assert facts["seen"] == facts["stand"]


async def test_a_hit_from_afar_misses(players: Players) -> None:
    assert await players.play("hitFromAfar") is True


async def test_the_killed_leave_meat(players: Players) -> None:
    prey = await players.play("hunt")
    assert {name: found["hits"] for name, found in prey.items()} == {
        "cow": 2,
        "pig": 2,
        "sheep": 2,
        "chicken": 4,
    }
    assert [found["left"] for found in prey.values()] == [2, 2, 2, 2]
    assert all(1 <= found["meat"] <= 3 for found in prey.values())
