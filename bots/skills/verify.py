"""What was made counts as far as it is carried."""

from __future__ import annotations

from typing import Any

from bots.errors import CommandError
from bridge.world import WorldSnapshot


def require_kept(world: WorldSnapshot, product: str, facts: dict[str, Any]) -> None:
    """`facts` tell the `count` that was asked for and how many more are carried, as `made`.

    Raises CommandError inventory_full, or not_found where it is gone for another reason."""
    count, made = facts["count"], facts["made"]
    if made >= count:
        return
    is_full = world.free_slots == 0
    why = "the inventory is full" if is_full else "the rest is gone"
    reason = "inventory_full" if is_full else "not_found"
    raise CommandError(reason, f"Got {made} of {count} {product}: {why}.", **facts)
