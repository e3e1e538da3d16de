"""What is dear, and what is there to be used."""

import pytest

from bots.skills.belongings import is_dear


@pytest.mark.parametrize(
    "item",
    [
        *("jukebox", "bookshelf", "bow", "fishing_rod", "wooden_axe", "diamond_chestplate"),
        *("oak_door", "oak_boat", "white_bed", "chest", "crafting_table", "lava_bucket"),
        *("minecart", "shulker_box", "red_shulker_box", "enchanting_table", "music_disc_13"),
        "lightning_rod",
    ],
)
def test_what_holds_work_or_ores_is_dear(item: str) -> None:
    assert is_dear(item)


@pytest.mark.parametrize(
    "item",
    [
        *("oak_log", "oak_planks", "stick", "coal", "iron_ingot", "diamond", "iron_block"),
        *("cobblestone", "dirt", "oak_fence", "oak_slab", "book", "bucket", "furnace", "bowl"),
        *("blaze_rod", "breeze_rod", "end_rod"),
    ],
)
def test_what_is_there_to_be_used_is_not_dear(item: str) -> None:
    assert not is_dear(item)
