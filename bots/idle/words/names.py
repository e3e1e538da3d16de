"""What things of the world are called in plain English."""

from __future__ import annotations


def plain_name(block: str) -> str:
    """A trunk stands for its tree."""
    name = block.removeprefix("wall_").replace("_", " ")
    return f"{name.removesuffix(' log')} tree" if name.endswith(" log") else name
