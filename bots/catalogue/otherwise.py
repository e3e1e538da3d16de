"""Ways to get an item that are neither crafting nor digging nor fighting."""

from __future__ import annotations

import re
from collections.abc import Sequence
from re import Pattern
from typing import Literal, TypeAlias

Otherwise: TypeAlias = Literal[
    "shearing", "milking", "laying", "filling", "fishing", "growing", "honey", "chests", "end"
]

_WAYS: Sequence[tuple[Pattern[str], Otherwise]] = (
    (re.compile(r"\w+_wool|wool"), "shearing"),
    (re.compile("milk_bucket"), "milking"),
    (re.compile("egg"), "laying"),
    (re.compile("(?:water|lava)_bucket"), "filling"),
    (re.compile("cod|salmon|fish|pufferfish|tropical_fish|nautilus_shell"), "fishing"),
    (re.compile("wheat|carrot|potato|beetroot|nether_wart"), "growing"),
    (re.compile("honeycomb|honey_bottle"), "honey"),
    (re.compile("saddle|name_tag|enchanted_golden_apple|music_disc_.+|heart_of_the_sea"), "chests"),
    (re.compile("elytra|dragon_head"), "end"),
)


def otherwise(item: str) -> Otherwise | None:
    """The way beside the common ones that somebody should know of."""
    return next((way for names, way in _WAYS if names.fullmatch(item)), None)
