"""Where an item belongs on the body."""

from __future__ import annotations

import re

from bridge.actions import WearPlace

_BELONGS: tuple[tuple[str, WearPlace], ...] = (
    (r"\w+_(helmet|skull|head)|carved_pumpkin", "head"),
    (r"\w+_chestplate|elytra", "torso"),
    (r"\w+_leggings", "legs"),
    (r"\w+_boots", "feet"),
    (r"shield", "off-hand"),
)
"""The same as in host/actions/equip.cjs."""


def belongs(item: str) -> WearPlace:
    """Where `Equip` puts an item: the part of the body, or the hand."""
    return next((place for pattern, place in _BELONGS if re.fullmatch(pattern, item)), "hand")
