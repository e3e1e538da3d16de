"""What a bot has in view, found by rays instead of a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bridge.actions import Query
from bridge.world import MobSighting, PlayerSighting, Position, player_name

RAYS_ACROSS, RAYS_DOWN = 48, 27  # a fan of 16:9
FIELD_ACROSS, FIELD_DOWN = 100.0, 70.0  # degrees; about what a player's window shows


@dataclass(frozen=True, slots=True)
class InView:
    """One kind of block that some rays met."""

    name: str
    nearest: Position
    distance: float
    """Blocks from the eyes to the nearest."""
    share: float
    """Of all rays, 0 to 1. A ray goes on through glass, water and plants, so the shares of
    all kinds may come to more than 1."""


@dataclass(frozen=True, slots=True)
class View:
    eyes: Position
    yaw: float
    pitch: float
    blocks: tuple[InView, ...]
    """Largest share first."""
    sky: float
    """Share of rays that met nothing solid as far as the world is loaded."""
    players: tuple[PlayerSighting, ...]
    """In the fan and not hidden behind blocks, nearest first."""
    mobs: tuple[MobSighting, ...]
    """Animals and monsters likewise, at most 32."""
    rays: int
    checks: int
    """Blocks read on the way."""
    took_ms: float


@dataclass(frozen=True, slots=True)
class Behold(Query[View]):
    """Look along a fan of rays without turning the head; None = where it looks now."""

    kind: ClassVar = "behold"
    yaw: float | None = None
    pitch: float | None = None
    reach: float = 64.0
    across: int = RAYS_ACROSS
    down: int = RAYS_DOWN
    field_across: float = FIELD_ACROSS
    field_down: float = FIELD_DOWN


def parse_view(wire: Mapping[str, Any]) -> View:
    """The answer of host/queries/behold.cjs."""
    return View(
        eyes=Position(*wire["eyes"]),
        yaw=wire["yaw"],
        pitch=wire["pitch"],
        blocks=tuple(
            InView(name, Position(*where), distance, share)
            for name, where, distance, share in wire["blocks"]
        ),
        sky=wire["sky"],
        players=tuple(
            PlayerSighting(player_name(name), Position(*where)) for name, where in wire["players"]
        ),
        mobs=tuple(
            MobSighting(name, Position(*where), hostile) for name, where, hostile in wire["mobs"]
        ),
        rays=wire["rays"],
        checks=wire["checks"],
        took_ms=wire["took_ms"],
    )
