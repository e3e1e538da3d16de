"""Where a bot may turn its head, and whether it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from bridge.world import PlayerName, Position


@dataclass(frozen=True, slots=True)
class Towards:
    """A direction: degrees, yaw 0 = north and counter-clockwise, pitch positive = up."""

    kind: ClassVar = "direction"
    yaw: float
    pitch: float


@dataclass(frozen=True, slots=True)
class AtPlayer:
    """The face of a player in view, where it is at that moment."""

    kind: ClassVar = "player"
    player: PlayerName


@dataclass(frozen=True, slots=True)
class AtPoint:
    kind: ClassVar = "point"
    position: Position


Gaze: TypeAlias = Towards | AtPlayer | AtPoint

Glance = Literal["turned", "busy", "unseen", "dead"]
"""What came of it: the head turned; an action is under way and keeps it; that player is not in
view; the bot lies dead."""
