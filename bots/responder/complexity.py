"""How complex a situation is: the signals that choose a model's tier, read from Minecraft."""

from __future__ import annotations

from collections.abc import Mapping

from bridge.world import MobSighting, WorldSnapshot
from llm.engine.complexity import Signal

THREAT_RANGE = 16.0  # blocks; about what most monsters notice a player from

SPECIAL_POWERS = frozenset(
    {
        # They do more than hit: explode, throw, curse, summon, teleport, fly.
        "blaze",
        "breeze",
        "creeper",
        "drowned",
        "elder_guardian",
        "ender_dragon",
        "enderman",
        "evoker",
        "ghast",
        "guardian",
        "illusioner",
        "phantom",
        "pillager",
        "ravager",
        "shulker",
        "skeleton",
        "stray",
        "vex",
        "warden",
        "witch",
        "wither",
        "wither_skeleton",
    }
)


def signals_of(
    world: WorldSnapshot | None, *, goal_running: bool, pending: int
) -> Mapping[Signal, float]:
    """The signals of this moment; zero where the world cannot be sensed."""
    threats = [] if world is None else [m.name for m in world.mobs if _threatens(world, m)]
    return {
        "special": float(any(name in SPECIAL_POWERS for name in threats)),
        "effects": float(len(world.effects)) if world else 0.0,
        "goal": float(goal_running),
        "pending": float(pending),
        "threats": float(len(threats)),
    }


def _threatens(world: WorldSnapshot, mob: MobSighting) -> bool:
    return mob.hostile and world.position.distance_to(mob.position) <= THREAT_RANGE
