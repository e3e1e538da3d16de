"""Builds the domain of one version of Minecraft, everything a bot can do, from the game's data.

domain = domain_of(GameData.from_folder(packages_dir, "1.20.1"))

game_data.py holds the data (from minecraft-data or from the bridge), building.py makes activities
of it and adds what animals, liquids, fishing and chance give, costs.py is the cost model.
Left out, because bots cannot do it: what only trade and structures give; silk touch; filling
bottles; the smithing table, the stonecutter, brewing. A plan can use such items only if they are
held."""

from bots.goals.domain.building import domain_of
from bots.goals.domain.game_data import GameData

__all__ = ["GameData", "domain_of"]
