"""`!navigation …`: places with names, walking, following, handing over, chests."""

from __future__ import annotations

from bots.commands.navigation import chests, following, handing, places, walking

__all__ = ["chests", "following", "handing", "places", "walking"]
