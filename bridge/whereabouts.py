"""Where a bot stands and whom it sees: little enough to be asked several times a second."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bridge.actions import Query
from bridge.world import PlayerName, Position, player_name, world_name


@dataclass(frozen=True, slots=True)
class Seen:
    """Somebody in view."""

    name: PlayerName
    position: Position


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A bot on the map."""

    position: Position
    yaw: float
    """Degrees, 0 = north, counter-clockwise."""
    dimension: str
    health: float
    """Half-hearts, 0 to 20."""
    food: float
    """0 to 20."""
    held: str | None
    """The name of the item in its hand."""
    time_of_day: int
    """Ticks since sunrise, 0 to 23,999."""
    players: tuple[Seen, ...]
    """Everybody else in view, but for whom the question leaves out."""


@dataclass(frozen=True, slots=True)
class AskWhereabouts(Query[Whereabouts]):
    """Ask where a bot is. Fifty bots see each other 2,450 times: who asks them all leaves them
    out."""

    kind: ClassVar = "whereabouts"
    leave_out: tuple[str, ...] = ()


def parse_whereabouts(wire: Mapping[str, Any]) -> Whereabouts:
    """Read what `host/queries/whereabouts.cjs` sends. Raises KeyError, TypeError, ValueError."""
    return Whereabouts(
        position=Position(*wire["position"]),
        yaw=float(wire["yaw"]),
        dimension=world_name(str(wire["dimension"])),
        health=float(wire["health"]),
        food=float(wire["food"]),
        held=wire["held"],
        time_of_day=int(wire["time_of_day"]),
        players=tuple(Seen(player_name(name), Position(*at)) for name, at in wire["players"]),
    )
