"""Domains and worlds that tests of planning share."""

import os
from pathlib import Path

from bots.goals.activity import Domain, PlanningWorld
from bots.goals.domain import GameData, domain_of

NOTHING = PlanningWorld(inventory={}, nearby={})
COUNTRY = PlanningWorld(
    inventory={},
    nearby={
        "oak_log": 24,
        "stone": 400,
        "coal_ore": 16,
        "iron_ore": 12,
        "dirt": 200,
        "grass_block": 300,
        "sand": 20,
    },
)
"""Wood, stone, coal and iron enough for iron tools; nothing held."""


def real_domain(version: str, packages_dir: Path | None = None) -> Domain:
    """Of the installed npm data (fixture `node_dir`, or TOWNSFOLK_NODE_DIR); read once."""
    folder = packages_dir or Path(os.environ["TOWNSFOLK_NODE_DIR"])
    return domain_of(GameData.from_folder(folder, version))
