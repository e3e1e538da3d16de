"""What things of the world are called in plain English."""

from __future__ import annotations

_MASS = ("water", "lava", "sand", "gravel", "clay", "stone", "_ore", "cane", "obsidian", "ice")


def plain_name(block: str) -> str:
    """A trunk stands for its tree."""
    name = block.removeprefix("wall_").replace("_", " ")
    return f"{name.removesuffix(' log')} tree" if name.endswith(" log") else name


def one_of(block: str) -> str:
    """With its article."""
    name = plain_name(block)
    article = "some" if block.endswith(_MASS) else "an" if name[0] in "aeiou" else "a"
    return f"{article} {name}"
