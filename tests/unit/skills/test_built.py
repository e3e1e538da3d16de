"""What people made is told from what grew."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.bot.built import Cell, Judge, around
from bridge.world import BlockSighting, Position, is_spared

Blocks = dict[Cell, str]


def tree(x: int, z: int, tall: int = 5, wood: str = "oak") -> Blocks:
    crown = dict.fromkeys(around((x, 64 + tall, z), 2), f"{wood}_leaves")
    return crown | {(x, 64 + y, z): f"{wood}_log" for y in range(tall)}


def cabin(x: int, z: int, wide: int, wall: str) -> Blocks:
    """Four walls with a door in one."""
    sides = [(dx, dz) for dx in range(wide) for dz in range(wide)]
    ring = [(dx, dz) for dx, dz in sides if {dx, dz} & {0, wide - 1}]
    walls = {(x + dx, 64 + dy, z + dz): wall for dx, dz in ring for dy in range(3)}
    return walls | {(x + 2, 64, z): "oak_door", (x + 2, 65, z): "oak_door"}


def built(blocks: Blocks, free: frozenset[Cell] = frozenset()) -> Blocks:
    judge = Judge(blocks, free)
    judged = {at: BlockSighting(name, Position(*at)) for at, name in blocks.items()}
    return {at: blocks[at] for at, one in judged.items() if judge.is_built(one)}


@pytest.mark.parametrize("wood", ["oak", "spruce", "dark_oak"])
def test_a_tree_is_free_with_a_house_of_its_wood_beside(wood: str) -> None:
    house, plant = cabin(0, 0, 5, f"{wood}_log"), tree(12, 2, wood=wood)
    refused = built(house | plant)
    assert house.keys() <= refused.keys()
    assert not [at for at in plant if at in refused and plant[at].endswith("_log")]


@pytest.mark.parametrize(
    "trunks",
    [
        [(0, 0), (1, 0), (0, 1), (1, 1)],  # thick
        [(0, 0), (0, 1), (1, -1)],
        [(0, 0), (1, 1), (2, 0), (2, 2), (1, -1)],
        [(0, 0), (2, 1), (4, 0), (6, 2), (7, 3), (8, 1)],
    ],
)
def test_trees_that_touch_are_trees(trunks: list[tuple[int, int]]) -> None:
    trees = [tree(x, z, 5 + x % 3, "dark_oak") for x, z in trunks]
    logs = {at: name for one in trees for at, name in one.items() if name == "dark_oak_log"}
    grove = {at: name for one in trees for at, name in one.items()} | logs
    assert built(grove) == {}


def test_a_branch_is_of_its_tree() -> None:
    bough = {(x, 67 + x // 2, 0): "oak_log" for x in range(1, 5)}
    crown = dict.fromkeys(around((4, 69, 0), 2), "oak_leaves")
    assert built(crown | tree(0, 0, 7) | bough) == {}


def test_a_house_of_logs_with_leaves_on_its_roof_is_no_tree() -> None:
    walls = {at: name for at, name in cabin(0, 0, 5, "oak_log").items() if name == "oak_log"}
    leaves = {(x, 67, z): "oak_leaves" for x in range(5) for z in range(5)}
    assert walls.keys() <= built(walls | leaves).keys()


@pytest.mark.parametrize(
    "worked", ["torch", "oak_planks", "oak_fence", "ladder", "glass", "white_wool", "bookshelf"]
)
def test_a_tree_that_carries_something_worked_is_left(worked: str) -> None:
    plant = tree(0, 0)
    assert (0, 64, 0) in built(plant | {(1, 66, 0): worked})
    assert (0, 64, 0) not in built(plant | {(1, 66, 0): worked}, frozenset({(1, 66, 0)}))


def test_what_was_seen_placed_is_built_and_so_is_the_floor_close_by() -> None:
    hut: Blocks = {(x, 64, z): "dirt" for x in range(5) for z in range(5) if {x, z} & {0, 4}}
    judge = Judge({}, frozenset({(9, 64, 9)}), {**hut, (9, 64, 9): "dirt", (20, 64, 0): "sand"})

    def is_built(at: Cell, name: str = "dirt") -> bool:
        return judge.is_built(BlockSighting(name, Position(*at)))

    assert all(map(is_built, hut))
    assert is_built((2, 63, 2))
    assert not is_built((2, 61, 2))
    assert not is_built((8, 63, 2))
    assert not is_built((2, 63, 2), "coal_ore")
    assert is_built((20, 64, 0), "sand")
    assert not is_built((20, 64, 0), "oak_log")  # a tree has grown there since


def test_ore_that_somebody_put_up_is_theirs_and_the_vein_beside_is_not() -> None:
    judge = Judge({}, placed={(0, 64, 0): "iron_ore"})
    assert judge.is_built(BlockSighting("iron_ore", Position(0, 64, 0)))
    assert not judge.is_built(BlockSighting("iron_ore", Position(1, 64, 0)))
    assert not judge.is_built(BlockSighting("coal_ore", Position(0, 64, 0)))  # another by now


@pytest.mark.parametrize("placed", [0, 2, 4])
def test_a_tree_with_a_log_that_somebody_added_is_left(placed: int) -> None:
    plant, log = tree(0, 0), (0, 64 + placed, 0)
    sighting = BlockSighting("oak_log", Position(0, 65, 0))
    assert not Judge(plant).is_built(sighting)
    assert Judge(plant, placed={log: "oak_log"}).is_built(sighting)
    assert not Judge(plant, placed={log: "oak_sapling"}).is_built(sighting)


def looked_below(blocks: Blocks, floor: Blocks) -> Judge:
    """A judge who was told what the wood at 0 64 0 stands on."""
    judge = Judge(blocks)
    for at in judge.floors_of(BlockSighting(blocks[0, 64, 0], Position(0, 64, 0))):
        judge.floors[at] = floor.get(at)
    return judge


@pytest.mark.parametrize(
    ("wood", "ground"),
    [
        ("oak", "dirt"),
        ("oak", "grass_block"),
        ("oak", "podzol"),
        ("spruce", "snow_block"),
        ("mangrove", "mud"),
        ("jungle", "moss_block"),
        ("oak", "mycelium"),
        ("acacia", "sand"),
        ("dark_oak", "rooted_dirt"),
        ("crimson", "crimson_nylium"),
    ],
)
def test_a_tree_stands_on_ground_that_trees_grow_on(wood: str, ground: str) -> None:
    trunk, crown = ("stem", "nether_wart_block") if wood == "crimson" else ("log", f"{wood}_leaves")
    plant = {
        at: f"{wood}_{trunk}" if name.endswith("_log") else crown
        for at, name in tree(0, 0, wood=wood).items()
    }
    judge = looked_below(plant, {(0, 63, 0): ground})
    foot = BlockSighting(f"{wood}_{trunk}", Position(0, 64, 0))
    assert (judge.is_built(foot), judge.is_doubtful(foot)) == (False, False)
    assert judge.floors_of(foot) == ()


@pytest.mark.parametrize("ground", ["stone", "terracotta", "quartz_ore", "iron_ore", "obsidian"])
def test_a_trunk_with_leaves_on_rock_was_put_there(ground: str) -> None:
    judge = looked_below(tree(0, 0), {(0, 63, 0): ground})
    assert judge.is_built(BlockSighting("oak_log", Position(0, 66, 0)))


@pytest.mark.parametrize("below", ["air", "cave_air", "water", "oak_leaves"])
def test_wood_that_hangs_may_be_left_of_a_tree(below: str) -> None:
    judge = looked_below(tree(0, 0), {(0, 63, 0): below})
    log = BlockSighting("oak_log", Position(0, 66, 0))
    assert (judge.is_built(log), judge.is_doubtful(log)) == (False, True)


def test_one_foot_on_the_ground_is_enough() -> None:
    bough = {(x, 67 + x // 2, 0): "oak_log" for x in range(1, 5)}
    plant = dict.fromkeys(around((4, 69, 0), 2), "oak_leaves") | tree(0, 0, 7) | bough
    floor = dict.fromkeys(plant, "stone") | {(0, 63, 0): "dirt"}
    judge = looked_below(plant, {at: floor.get(at, "air") for at in around((0, 66, 0), 8)})
    assert not judge.is_built(BlockSighting("oak_log", Position(0, 66, 0)))


def test_what_is_near_to_each_other_lies_in_one_box_and_all_that_is_judged_built_in_some() -> None:
    house = cabin(0, 0, 5, "bricks")
    judge = Judge(house, frozenset({(0, 64, 0)}), {(30, 64, 0): "dirt"})
    boxes = tuple(judge.boxes())
    assert len(boxes) < len(house) / 4
    for at in around((3, 65, 3), 12):
        if judge.is_built(BlockSighting("stone", Position(*at))):
            assert is_spared(boxes, Position(*at))
    assert is_spared(boxes, Position(30, 62, 2))
    assert not is_spared(boxes, Position(30, 61, 2))
    assert not is_spared(boxes, Position(17, 64, 2))


def test_a_pile_or_a_bridge_of_logs_is_left() -> None:
    assert len(built({(x, 63, z): "oak_log" for x in range(8) for z in range(2)})) == 16


@pytest.mark.parametrize(
    "name", ["cobblestone", "stone_bricks", "oak_stairs", "farmland", "wheat", "dirt_path"]
)
def test_worked_things_are_never_raw_material_unless_a_bot_put_them(name: str) -> None:
    assert built({(0, 64, 0): name})
    assert not built({(0, 64, 0): name}, frozenset({(0, 64, 0)}))


@pytest.mark.parametrize(
    "name",
    ["stone", "dirt", "sand", "gravel", "oak_leaves", "coal_ore", "granite", "infested_stone"],
)
def test_ground_is_free_where_nobody_built(name: str) -> None:
    far_house = {(x, 64, 30): "oak_planks" for x in range(9)}
    assert built({(0, 64, 0): name} | far_house) == far_house


@pytest.mark.parametrize("name", ["dirt", "grass_block", "sand", "gravel"])
def test_the_soil_of_a_village_is_left_while_there_is_other(name: str) -> None:
    judge = Judge(cabin(0, 0, 5, "bricks"), frozenset())
    assert judge.is_doubtful(BlockSighting(name, Position(17, 63, 2)))
    assert judge.is_doubtful(BlockSighting(name, Position(17, 20, 2)))
    assert not judge.is_doubtful(BlockSighting(name, Position(40, 63, 2)))
    assert not judge.is_doubtful(BlockSighting("stone", Position(17, 63, 2)))


@pytest.mark.parametrize(
    ("at", "from_y", "is_under"),
    [
        ((2, 60, 2), 64, True),
        ((2, 11, 2), 64, True),
        ((2, 62, 2), 64, False),  # less than a shaft
        ((15, 11, 2), 64, False),  # beside the yard
        ((2, 11, 2), 14, False),  # from a cave deep below
        ((2, 70, 2), 64, False),
    ],
)
def test_no_shaft_is_sunk_through_a_house(at: Cell, from_y: float, *, is_under: bool) -> None:
    assert Judge(cabin(0, 0, 5, "cobblestone"), frozenset()).is_under(at, from_y) is is_under


@settings(max_examples=60, deadline=None)
@given(
    x=st.integers(-40, 40),
    z=st.integers(-40, 40),
    wide=st.integers(4, 7),
    wall=st.sampled_from(["oak_log", "dirt", "sand", "stone", "cobblestone", "bricks"]),
    places=st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), max_size=9, unique=True),
)
def test_no_block_of_a_house_is_free_in_any_wood(
    x: int, z: int, wide: int, wall: str, places: list[tuple[int, int]]
) -> None:
    house, woods = cabin(x, z, wide, wall), Blocks()
    for column, row in places:
        woods |= tree(column * 9, row * 9)
    assert house.keys() <= built(woods | house).keys()


@settings(max_examples=60, deadline=None)
@given(
    wide=st.integers(4, 7),
    roof=st.booleans(),
    places=st.lists(
        st.tuples(st.integers(-9, 14), st.integers(-9, 14)), min_size=1, max_size=9, unique=True
    ),
)
def test_a_bare_cabin_of_logs_among_trees_is_built(
    wide: int, places: list[tuple[int, int]], *, roof: bool
) -> None:
    house = {at: name for at, name in cabin(0, 0, wide, "oak_log").items() if name == "oak_log"}
    top = {(x, 67, z): "oak_leaves" for x in range(wide) for z in range(wide) if roof}
    woods = Blocks()
    for x, z in places:
        if not (-3 < x < wide + 2 and -3 < z < wide + 2):  # as in a clearing
            woods = tree(x, z, 6) | woods
    assert house.keys() <= built(woods | top | house).keys()
