"""Our own colours and patterns, by words in the names of blocks; looks.py finds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

RGB: TypeAlias = tuple[int, int, int]
Pattern: TypeAlias = Literal[
    "plain", "grain", "planks", "bark", "bricks", "ore", "leaves", "wool", "glass", "turf", "box"
]
Form: TypeAlias = Literal["solid", "plant", "flat", "post", "water", "glass"]
"""How a block is drawn that the version does not know as solid boxes, or that one looks through."""


@dataclass(frozen=True, slots=True)
class Look:
    side: RGB
    top: RGB | None = None
    """None = as the sides; the bottom is as `base`."""
    base: RGB | None = None
    pattern: Pattern = "grain"
    accent: RGB | None = None
    """Of the spots in an ore, the blossom of a flower, the seams between bricks."""
    form: Form = "solid"
    glow: int = 0
    """Light it gives, 0 to 15."""


def _like(
    sides: dict[str, RGB], pattern: Pattern = "grain", form: Form = "solid"
) -> dict[str, Look]:
    """Looks that differ by their colour alone."""
    return {name: Look(side, pattern=pattern, form=form) for name, side in sides.items()}


UNKNOWN = Look((150, 118, 140))
WATER: RGB = (52, 104, 214)

DYES: dict[str, RGB] = {
    "white": (233, 236, 236), "orange": (240, 118, 19), "magenta": (189, 68, 179),
    "light_blue": (58, 175, 217), "yellow": (248, 198, 39), "lime": (112, 185, 25),
    "pink": (237, 141, 172), "gray": (62, 68, 71), "light_gray": (142, 142, 134),
    "silver": (142, 142, 134), "cyan": (21, 137, 145), "purple": (121, 42, 172),
    "blue": (53, 57, 157), "brown": (114, 71, 40), "green": (84, 109, 27),
    "red": (160, 39, 34), "black": (28, 28, 33),
}  # fmt: skip
CLAY: RGB = (152, 94, 67)

PLANKS: dict[str, RGB] = {
    "oak": (162, 130, 78), "spruce": (114, 84, 48), "birch": (192, 175, 121),
    "jungle": (160, 115, 80), "acacia": (168, 90, 50), "dark_oak": (66, 43, 20),
    "mangrove": (117, 54, 48), "cherry": (226, 178, 172), "pale_oak": (227, 217, 216),
    "bamboo": (193, 173, 80), "crimson": (101, 48, 70), "warped": (43, 104, 99),
}  # fmt: skip
BARK: dict[str, RGB] = {
    "oak": (109, 85, 50), "spruce": (58, 37, 16), "birch": (216, 215, 210),
    "jungle": (85, 67, 25), "acacia": (103, 96, 86), "dark_oak": (60, 46, 26),
    "mangrove": (84, 67, 41), "cherry": (54, 33, 44), "pale_oak": (88, 77, 75),
    "bamboo": (127, 144, 57), "crimson": (92, 25, 29), "warped": (58, 58, 77),
}  # fmt: skip
LEAVES: dict[str, RGB] = {
    "oak": (66, 124, 38), "spruce": (55, 94, 58), "birch": (110, 150, 66),
    "jungle": (48, 130, 24), "acacia": (100, 140, 40), "dark_oak": (54, 104, 30),
    "mangrove": (88, 132, 36), "cherry": (236, 176, 203), "pale_oak": (118, 126, 112),
    "azalea": (90, 115, 44), "flowering_azalea": (120, 116, 74),
}  # fmt: skip
MINERALS: dict[str, RGB] = {
    "coal": (36, 36, 36), "iron": (216, 175, 147), "copper": (224, 115, 77),
    "gold": (252, 215, 55), "redstone": (220, 20, 15), "lapis": (28, 70, 190),
    "diamond": (75, 232, 220), "emerald": (24, 210, 90), "quartz": (236, 230, 220),
}  # fmt: skip

STONE: RGB = (126, 126, 126)
DEEPSLATE: RGB = (77, 77, 82)
GREEN: RGB = (92, 150, 54)
DIRT: RGB = (134, 96, 67)
SNOW: RGB = (246, 250, 252)

MATERIALS: dict[str, Look] = {
    **_like({
        "stone": STONE, "granite": (153, 107, 89), "diorite": (193, 193, 195),
        "andesite": (137, 138, 137), "deepslate": DEEPSLATE, "tuff": (108, 110, 103),
        "calcite": (224, 225, 221), "dripstone": (134, 107, 92), "blackstone": (44, 38, 45),
        "obsidian": (22, 15, 36), "sand": (222, 209, 164), "red_sand": (191, 103, 34),
        "dirt": DIRT, "mud": (62, 58, 62), "resin": (218, 98, 24), "netherrack": (102, 40, 40),
        "soul_sand": (82, 62, 51), "soul_soil": (76, 58, 47), "end_stone": (220, 223, 160),
        "amethyst": (134, 98, 192), "copper": (192, 107, 79), "exposed_copper": (161, 126, 104),
        "weathered_copper": (109, 145, 108), "oxidized_copper": (83, 163, 132),
        "lapis": (31, 67, 141), "redstone": (176, 25, 5), "coal": (18, 18, 18),
        "raw_iron": (166, 136, 107), "raw_copper": (154, 106, 79), "raw_gold": (221, 169, 46),
        "bone": (229, 226, 208), "honey": (251, 187, 64), "honeycomb": (229, 148, 30),
        "slime": (112, 192, 91), "moss": (89, 110, 45), "pale_moss": (107, 112, 105),
        "kelp": (56, 70, 36), "wart": (114, 2, 2), "tube": (49, 87, 206), "brain": (207, 91, 159),
        "bubble": (165, 26, 162), "fire": (163, 35, 46), "horn": (216, 199, 66),
    }),
    **_like({
        "sandstone": (217, 204, 158), "red_sandstone": (187, 99, 30), "hay": (184, 152, 32),
        "bamboo_mosaic": (190, 170, 78),
    }, pattern="planks"),
    **_like({
        "clay": (160, 166, 178), "snow": SNOW, "ice": (150, 185, 250), "quartz": (236, 230, 223),
        "iron": (220, 220, 220), "gold": (246, 208, 61), "diamond": (98, 237, 228),
        "emerald": (42, 203, 88), "netherite": (67, 61, 63),
    }, pattern="plain"),
    "cobblestone": Look((122, 122, 122), pattern="bricks", accent=(84, 84, 84)),
    "basalt": Look((80, 81, 86), pattern="bark"),
    "bedrock": Look((70, 70, 70), pattern="bricks", accent=(30, 30, 30)),
    "gravel": Look((132, 126, 124), pattern="bricks", accent=(104, 98, 96)),
    "brick": Look((152, 94, 80), pattern="bricks", accent=(190, 175, 165)),
    "nether_brick": Look((48, 24, 28), pattern="bricks", accent=(28, 12, 16)),
    "red_nether_brick": Look((72, 8, 10), pattern="bricks", accent=(44, 4, 6)),
    "resin_brick": Look((206, 88, 24), pattern="bricks", accent=(150, 52, 12)),
    "purpur": Look((170, 126, 170), pattern="bricks", accent=(140, 98, 140)),
    "prismarine": Look((99, 156, 151), pattern="bricks", accent=(74, 124, 120)),
    "dark_prismarine": Look((52, 92, 76), pattern="bricks", accent=(40, 72, 60)),
    "sponge": Look((195, 192, 74), pattern="bricks", accent=(150, 148, 50)),
    "sculk": Look((12, 30, 36), pattern="ore", accent=(20, 110, 120)),
    "melon": Look((111, 145, 31), pattern="bark"),
    "pumpkin": Look((198, 119, 24), pattern="bark"),
    "mycelium": Look((113, 88, 73), top=(111, 99, 107), base=DIRT, pattern="turf"),
    "magma": Look((142, 63, 32), pattern="ore", accent=(250, 150, 40), glow=3),
}  # fmt: skip

FLOWERS: dict[str, RGB] = {
    "dandelion": (255, 225, 60), "yellow_flower": (255, 225, 60), "poppy": (220, 30, 25),
    "red_flower": (220, 30, 25), "rose": (220, 30, 25), "orchid": (42, 180, 250),
    "allium": (186, 110, 240), "azure_bluet": (240, 240, 230), "red_tulip": (215, 50, 30),
    "orange_tulip": (240, 140, 40), "white_tulip": (240, 240, 240), "pink_tulip": (240, 180, 220),
    "oxeye_daisy": (245, 245, 235), "cornflower": (70, 110, 235), "lily_of_the_valley":
    (250, 250, 250), "sunflower": (250, 205, 40), "lilac": (205, 150, 210), "peony":
    (235, 185, 225), "wither_rose": (40, 40, 40), "torchflower": (250, 150, 40),
    "pitcher": (110, 120, 220), "petals": (245, 180, 215), "blossom": (240, 150, 200),
    "wildflower": (250, 220, 80), "eyeblossom": (240, 120, 40), "wart": (170, 20, 20),
    "red_mushroom": (200, 40, 40), "brown_mushroom": (150, 110, 80), "crimson": (150, 20, 30),
    "warped": (20, 140, 130), "sweet_berry": (190, 40, 60), "cactus_flower": (230, 90, 150),
    "beetroot": (160, 40, 60), "carrot": (240, 140, 30), "cocoa": (150, 85, 40),
    "chorus": (150, 110, 150), "propagule": (110, 180, 60), "berries": (240, 160, 40),
}  # fmt: skip

EXACT: dict[str, Look] = {
    **_like({
        "grass": GREEN, "cobweb": (232, 236, 238), "web": (232, 236, 238),
        "dead_bush": (122, 88, 42), "deadbush": (122, 88, 42), "wheat": (196, 176, 70),
        "sugar_cane": (140, 190, 100), "reeds": (140, 190, 100),
    }, form="plant"),
    **_like({
        "piston_head": (162, 130, 78), "barrel": (134, 100, 58), "composter": (112, 70, 31),
        "lectern": (174, 138, 82), "loom": (146, 118, 80), "noteblock": (120, 78, 52),
        "note_block": (120, 78, 52), "ladder": (150, 118, 66), "scaffolding": (188, 158, 84),
        "beehive": (172, 136, 84), "bee_nest": (204, 156, 66), "fence_gate": PLANKS["oak"],
        "petrified_oak_slab": PLANKS["oak"],
    }, pattern="planks"),
    **_like({
        "grindstone": (140, 140, 140), "dragon_egg": (16, 10, 22),
        "mushroom_stem": (203, 196, 185), "brown_mushroom_block": (149, 111, 81),
        "big_mushroom": (200, 46, 45), "slime": (112, 192, 91), "bell": (250, 210, 70),
        "heavy_core": (82, 86, 92), "dried_ghast": (200, 190, 190), "sniffer_egg": (140, 80, 60),
        "turtle_egg": (228, 226, 190), "monster_egg": STONE, "concrete_powder": DYES["white"],
    }),
    **_like({
        "anvil": (70, 70, 72), "cauldron": (74, 72, 74), "hopper": (76, 74, 76),
        "flower_pot": (124, 68, 52), "decorated_pot": (136, 76, 54), "terracotta": CLAY,
        "hardened_clay": CLAY, "stained_hardened_clay": CLAY, "snow_block": SNOW,
        "packed_ice": (141, 180, 250), "blue_ice": (116, 167, 253), "concrete": DYES["white"],
        "shulker_box": (151, 103, 151), "skull": (200, 198, 186), "skeleton": (200, 198, 186),
        "wither_skeleton": (50, 50, 50), "zombie": (80, 130, 64), "player": (205, 150, 115),
        "creeper": (90, 170, 80), "dragon": (24, 22, 26), "piglin": (230, 170, 130),
    }, pattern="plain"),
    **_like({
        "redstone_wire": (190, 20, 10), "tripwire": (200, 200, 200), "lily_pad": (34, 128, 48),
        "waterlily": (34, 128, 48), "frogspawn": (110, 96, 90),
        "light_weighted_pressure_plate": (246, 208, 61),
        "heavy_weighted_pressure_plate": (220, 220, 220),
    }, form="flat"),
    **_like({
        "tripwire_hook": (140, 120, 90), "iron_bars": (136, 139, 135), "lever": (120, 96, 64),
        "lightning_rod": (192, 107, 79), "standing_banner": DYES["white"],
        "wall_banner": DYES["white"], "chain": (62, 68, 86),
    }, form="post"),
    "grass_block": Look(DIRT, top=GREEN, base=DIRT, pattern="turf", accent=GREEN),
    "podzol": Look(DIRT, top=(110, 78, 32), base=DIRT, pattern="turf", accent=(110, 78, 32)),
    "dirt_path": Look(DIRT, top=(150, 124, 66), base=DIRT),
    "grass_path": Look(DIRT, top=(150, 124, 66), base=DIRT),
    "farmland": Look(DIRT, top=(92, 58, 32), base=DIRT, pattern="planks"),
    "crimson_nylium": Look(
        (102, 40, 40), top=(140, 28, 28), base=(102, 40, 40), pattern="turf", accent=(140, 28, 28)
    ),
    "warped_nylium": Look(
        (102, 40, 40), top=(40, 116, 104), base=(102, 40, 40), pattern="turf", accent=(40, 116, 104)
    ),
    "water": Look(WATER, form="water"),
    "flowing_water": Look(WATER, form="water"),
    "bubble_column": Look(WATER, form="water"),
    "lava": Look((224, 96, 20), pattern="ore", accent=(252, 200, 60), glow=15),
    "flowing_lava": Look((224, 96, 20), pattern="ore", accent=(252, 200, 60), glow=15),
    "fire": Look((246, 150, 30), form="plant", accent=(255, 230, 90), glow=15),
    "soul_fire": Look((60, 200, 220), form="plant", accent=(180, 250, 250), glow=10),
    "cactus": Look((86, 128, 44), top=(120, 160, 80), pattern="bark"),
    "torch": Look((150, 115, 66), accent=(255, 216, 90), form="post", glow=14),
    "wall_torch": Look((150, 115, 66), accent=(255, 216, 90), form="post", glow=14),
    "soul_torch": Look((150, 115, 66), accent=(96, 226, 234), form="post", glow=10),
    "soul_wall_torch": Look((150, 115, 66), accent=(96, 226, 234), form="post", glow=10),
    "redstone_torch": Look((150, 115, 66), accent=(240, 40, 20), form="post", glow=7),
    "glowstone": Look((172, 132, 84), pattern="ore", accent=(255, 220, 130), glow=15),
    "sea_lantern": Look((172, 200, 190), pattern="ore", accent=(235, 250, 245), glow=15),
    "shroomlight": Look((240, 146, 70), glow=15),
    "ochre_froglight": Look((250, 245, 200), pattern="plain", glow=15),
    "verdant_froglight": Look((228, 244, 226), pattern="plain", glow=15),
    "pearlescent_froglight": Look((245, 232, 240), pattern="plain", glow=15),
    "redstone_lamp": Look((142, 92, 52), pattern="bricks", accent=(210, 140, 70)),
    "lit_redstone_lamp": Look((240, 190, 110), pattern="bricks", accent=(255, 230, 170), glow=15),
    "jack_o_lantern": Look((214, 140, 30), pattern="box", accent=(255, 240, 120), glow=15),
    "lantern": Look((106, 91, 83), accent=(255, 210, 110), pattern="box", glow=15),
    "soul_lantern": Look((72, 100, 112), accent=(96, 226, 234), pattern="box", glow=10),
    "campfire": Look((110, 80, 44), top=(240, 150, 40), glow=15),
    "soul_campfire": Look((110, 80, 44), top=(60, 200, 220), glow=10),
    "end_rod": Look((240, 236, 226), form="post", accent=(255, 255, 255), glow=14),
    "beacon": Look((120, 222, 216), pattern="box", accent=(220, 255, 250), glow=15),
    "crafting_table": Look(
        (132, 94, 58), top=(152, 108, 66), base=(162, 130, 78), pattern="box", accent=(84, 60, 36)
    ),
    "furnace": Look((112, 112, 112), pattern="box", accent=(44, 44, 44)),
    "lit_furnace": Look((112, 112, 112), pattern="box", accent=(250, 150, 40), glow=13),
    "blast_furnace": Look((88, 86, 90), pattern="box", accent=(40, 40, 42)),
    "smoker": Look((96, 84, 66), pattern="box", accent=(48, 40, 32)),
    "dispenser": Look((116, 116, 116), pattern="box", accent=(50, 50, 50)),
    "dropper": Look((116, 116, 116), pattern="box", accent=(66, 66, 66)),
    "observer": Look((96, 96, 96), pattern="box", accent=(160, 40, 40)),
    "crafter": Look((112, 100, 98), pattern="box", accent=(170, 60, 50)),
    "piston": Look((110, 104, 96), top=(162, 130, 78), pattern="bricks", accent=(84, 80, 74)),
    "sticky_piston": Look(
        (110, 104, 96), top=(112, 160, 80), pattern="bricks", accent=(84, 80, 74)
    ),
    "chest": Look((158, 108, 36), pattern="box", accent=(92, 62, 22)),
    "ender_chest": Look((40, 58, 60), pattern="box", accent=(60, 190, 150), glow=7),
    "bookshelf": Look((162, 130, 78), top=(162, 130, 78), pattern="bricks", accent=(150, 40, 40)),
    "chiseled_bookshelf": Look((162, 130, 78), pattern="bricks", accent=(90, 66, 34)),
    "jukebox": Look((120, 78, 52), top=(100, 62, 40), pattern="planks"),
    "cartography_table": Look(
        (104, 88, 70), top=(200, 180, 140), pattern="box", accent=(70, 56, 40)
    ),
    "fletching_table": Look((196, 180, 132), pattern="box", accent=(120, 90, 60)),
    "smithing_table": Look((58, 60, 74), pattern="box", accent=(34, 34, 40)),
    "stonecutter": Look((122, 118, 114), pattern="box", accent=(170, 170, 170)),
    "enchanting_table": Look(
        (40, 30, 50), top=(150, 30, 40), pattern="box", accent=(90, 220, 210), glow=7
    ),
    "brewing_stand": Look((124, 104, 82), form="post", accent=(240, 200, 90)),
    "tnt": Look((200, 60, 44), pattern="planks", accent=(240, 240, 240)),
    "spawner": Look((36, 52, 64), pattern="bricks", accent=(16, 22, 28)),
    "target": Look((228, 180, 164), pattern="box", accent=(210, 60, 50)),
    "cake": Look((240, 232, 224), top=(248, 244, 240), accent=(220, 50, 50)),
    "conduit": Look((160, 140, 114), glow=15),
    "end_portal_frame": Look((96, 128, 96), top=(60, 130, 110)),
    "end_portal": Look((10, 14, 26), form="flat", glow=15),
    "end_gateway": Look((10, 14, 26), glow=15),
    "nether_portal": Look((120, 40, 200), pattern="plain", glow=11),
    "portal": Look((120, 40, 200), pattern="plain", glow=11),
    "respawn_anchor": Look((40, 26, 66), top=(120, 40, 200)),
    "lodestone": Look((146, 148, 152), pattern="box", accent=(90, 92, 96)),
    "rail": Look((140, 120, 92), pattern="planks", form="flat"),
    "red_mushroom_block": Look((200, 46, 45), pattern="ore", accent=(240, 230, 230)),
    "wool": Look(DYES["white"], pattern="wool"),
    "carpet": Look(DYES["white"], pattern="wool"),
    "bed": Look((160, 39, 34), pattern="wool"),
    "glass": Look((190, 225, 232), pattern="glass", form="glass"),
    "glass_pane": Look((190, 225, 232), pattern="glass", form="glass"),
    "thin_glass": Look((190, 225, 232), pattern="glass", form="glass"),
    "tinted_glass": Look((44, 38, 48), pattern="glass", form="glass"),
    "sculk_sensor": Look((7, 70, 84), glow=1),
    "vault": Look((50, 62, 70), pattern="box", accent=(240, 150, 60), glow=6),
    "trial_spawner": Look((48, 62, 74), pattern="box", accent=(230, 140, 60), glow=4),
    "creaking_heart": Look((84, 70, 66), pattern="bark"),
    "command_block": Look((176, 126, 96), pattern="box", accent=(90, 60, 46)),
    "chain_command_block": Look((126, 170, 150), pattern="box", accent=(60, 90, 78)),
    "repeating_command_block": Look((120, 100, 180), pattern="box", accent=(60, 46, 96)),
    "structure_block": Look((90, 74, 92), pattern="box", accent=(200, 180, 200)),
    "jigsaw": Look((80, 70, 84), pattern="box", accent=(150, 130, 150)),
    "test_block": Look((110, 104, 120), pattern="box"),
    "test_instance_block": Look((110, 104, 120), pattern="box"),
    "unpowered_repeater": Look((150, 146, 142), form="flat", accent=(220, 20, 15)),
    "powered_repeater": Look((150, 146, 142), form="flat", accent=(220, 20, 15)),
    "unpowered_comparator": Look((150, 146, 142), form="flat", accent=(220, 20, 15)),
    "powered_comparator": Look((150, 146, 142), form="flat", accent=(220, 20, 15)),
    "repeater": Look((150, 146, 142), form="flat", accent=(220, 20, 15)),
    "comparator": Look((150, 146, 142), form="flat", accent=(220, 20, 15)),
    "daylight_detector": Look((130, 116, 94), top=(210, 200, 180)),
    "daylight_detector_inverted": Look((130, 116, 94), top=(150, 160, 190)),
    "stonebrick": Look((122, 122, 122), pattern="bricks", accent=(90, 90, 90)),
    "end_bricks": Look((218, 224, 162), pattern="bricks", accent=(186, 190, 130)),
    "chiseled_nether_bricks": Look((48, 24, 28), pattern="bricks", accent=(28, 12, 16)),
    "cracked_nether_bricks": Look((48, 24, 28), pattern="bricks", accent=(28, 12, 16)),
    "ancient_debris": Look((98, 72, 64), top=(126, 100, 86), pattern="ore", accent=(70, 50, 44)),
    "candle": Look((238, 214, 160), form="post", accent=(255, 220, 120)),
    "azalea": Look((100, 124, 46), pattern="leaves"),
}  # fmt: skip
