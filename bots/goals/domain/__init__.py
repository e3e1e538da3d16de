"""Everything a bot can do with its hands in one version of Minecraft, drawn from its data.

domain = domain_of(GameData.from_folder(packages_dir, "1.20.1"))

game_data.py is what is known (read from minecraft-data or told by the bridge), building.py makes
activities of it, costs.py says what they cost. Not in it, for want of hands: what only creatures,
trade, fishing and structures give; silk touch; filling buckets and bottles; the smithing table,
the stonecutter, brewing. Such items are held, or not to be had."""

from bots.goals.domain.building import domain_of
from bots.goals.domain.game_data import GameData

__all__ = ["GameData", "domain_of"]
