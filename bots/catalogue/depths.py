"""At which heights ores are found: the table of before 1.18, and that of since.

Source: minecraft.wiki/w/Ore.
"""

from __future__ import annotations

from collections.abc import Mapping

_DEEPER_SINCE = (1, 18)
_SINCE: Mapping[str, str] = {
    "diamond": "-59",
    "redstone": "-59",
    "gold": "-16",
    "lapis": "0",
    "iron": "16",
    "copper": "48",
    "coal": "96",
    "emerald": "232",
}
_BEFORE: Mapping[str, str] = {
    "diamond": "11",
    "redstone": "11",
    "gold": "29",
    "lapis": "15",
    "iron": "40",
    "coal": "60",
    "emerald": "29",
}
_DEBRIS = "15"
"""In the Nether."""


def height_of(block: str, version: str) -> str | None:
    """The height with most of an ore; None for other blocks."""
    if block == "ancient_debris":
        return _DEBRIS
    if not block.endswith("_ore") or block.startswith("nether_"):
        return None
    metal = block.removesuffix("_ore").removeprefix("deepslate_").removeprefix("lit_")
    return (_SINCE if _is_deep(version) else _BEFORE).get(metal)


def _is_deep(version: str) -> bool:
    numbers = tuple(int(part) for part in version.split(".") if part.isdecimal())
    return numbers >= _DEEPER_SINCE
