"""What animals are called by what they give: sheep of each colour, and the shorn ones."""

from __future__ import annotations

from bridge.world import MobSighting

SHEEP, SHORN_SHEEP = "sheep", "shorn_sheep"


def kind_of(mob: MobSighting) -> str:
    return sheep_of(mob.coat) if mob.name == SHEEP else mob.name


def sheep_of(colour: str | None) -> str:
    """None is a sheep without wool."""
    if colour is None:
        return SHORN_SHEEP
    return SHEEP if colour == "white" else f"{colour}_{SHEEP}"
