"""What is dear: things that hold ores or much work.

Nobody burns them, makes something else of them or throws them away, unless told to; into a chest of
its own a bot puts them where nothing else makes room. Their ingredients are no such things: they
are there to be used."""

from __future__ import annotations

import re

_TO_WIELD_OR_WEAR = (
    r"\w+_(pickaxe|axe|shovel|hoe|sword|spear|helmet|chestplate|leggings|boots|horse_armor)"
    r"|bow|crossbow|trident|mace|shield|elytra|fishing_rod|\w+_on_a_stick|shears|flint_and_steel"
    r"|brush|spyglass|compass|\w+_compass|clock|saddle|name_tag|wolf_armor|totem_of_undying"
)
_TO_CARRY_OR_RIDE = r"\w+_bucket|\w+_boat|\w+_raft|(\w+_)?minecart|(\w+_)?shulker_box"
_TO_LIVE_WITH = (
    r"crafting_table|(\w+_)?chest|barrel|(chiseled_)?bookshelf|lectern|jukebox|ladder|loom"
    r"|composter|\w+_table|grindstone|stonecutter|smoker|blast_furnace|brewing_stand|(\w+_)?anvil"
    r"|(\w+_)?cauldron|beacon|conduit|bell|lodestone|respawn_anchor|note_block|daylight_detector"
    r"|lightning_rod|hopper|dispenser|dropper|observer|(sticky_)?piston|crafter|beehive|decorated_pot"
    r"|\w+_(bed|door|trapdoor|fence_gate|sign|banner|head|skull|shelf)|painting|(\w+_)?item_frame"
    r"|armor_stand|scaffolding"
)
_PRECIOUS = r"(enchanted_)?golden_apple|music_disc_\w+|nether_star|dragon_egg|\w+_template"
_WIELDED_OR_WORN = re.compile(_TO_WIELD_OR_WEAR)
_DEAR = re.compile("|".join((_TO_WIELD_OR_WEAR, _TO_CARRY_OR_RIDE, _TO_LIVE_WITH, _PRECIOUS)))


def is_dear(item: str) -> bool:
    """Whether an item is kept unless somebody says that it may be used up."""
    return _DEAR.fullmatch(item) is not None


def is_wielded_or_worn(item: str) -> bool:
    """Whether it is a tool, a weapon or armour."""
    return _WIELDED_OR_WORN.fullmatch(item) is not None
