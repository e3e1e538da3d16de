"""What a bot keeps with it, and which chest each thing is allotted to."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.bot.chests import Chest
from bots.skills.bag import STACK, rubble, slots_lacking, slots_of_rubble, spare
from bots.skills.storing import allot, family_of, needed
from bridge.catalogue import Catalogue, ReadCatalogue
from bridge.fake import FakeWorld
from bridge.fake.body import Inventory
from bridge.fake.sensing import read_catalogue, take_snapshot
from bridge.world import ItemStack, PlayerName, Position, WorldSnapshot

WORLD = FakeWorld()
BODY = WORLD.enter(PlayerName("Alice"))
KNOWN = read_catalogue(WORLD, BODY, ReadCatalogue())
assert KNOWN is not None
CATALOGUE: Catalogue = KNOWN
ITEMS = ("oak_log", "birch_planks", "cobblestone", "dirt", "coal", "bread", "wheat_seeds", "string")


def chest(x: int, free: int = 27, **items: int) -> Chest:
    return Chest(Position(x, 64, 0), "overworld", items, 27, free)


@pytest.mark.parametrize(
    ("family", "names"),
    [
        ("tools", "iron_pickaxe wooden_hoe bow shears leather_boots arrow"),
        ("food", "bread apple cooked_beef carrot"),
        ("wood", "oak_log stripped_birch_log spruce_planks stick oak_door chest crafting_table"),
        ("metals", "iron_ore gold_ingot coal charcoal diamond redstone iron_block lapis_lazuli"),
        ("stone", "cobblestone stone dirt gravel sand stone_bricks cobblestone_slab andesite"),
        ("plants", "wheat_seeds oak_sapling wheat poppy sugar_cane oak_leaves bone_meal"),
        ("other", "string leather bucket torch white_wool feather"),
    ],
)
def test_things_have_a_family(family: str, names: str) -> None:
    assert {name: family_of(name, CATALOGUE) for name in names.split()} == dict.fromkeys(
        names.split(), family
    )


@dataclass(frozen=True)
class Case:
    """Things to put away, chests from near to far, and what goes into each."""

    items: Mapping[str, int]
    chests: tuple[Chest, ...]
    shares: tuple[Mapping[str, int], ...]


CASES = {
    "the same item comes first, however far": Case(
        {"oak_log": 5},
        (chest(1), chest(2, oak_planks=1), chest(3, oak_log=1)),
        ({}, {}, {"oak_log": 5}),
    ),
    "then its family": Case(
        {"birch_log": 5},
        (chest(1), chest(2, dirt=1), chest(3, stick=1)),
        ({}, {}, {"birch_log": 5}),
    ),
    "then an empty one before one of others": Case(
        {"iron_ore": 2}, (chest(1, bread=1), chest(2)), ({}, {"iron_ore": 2})
    ),
    "then any": Case({"string": 2}, (chest(1, bread=1),), ({"string": 2},)),
    "families do not mix where chests are empty": Case(
        {"oak_log": 1, "dirt": 2, "oak_planks": 3, "cobblestone": 4},
        (chest(1), chest(2)),
        ({"dirt": 2, "cobblestone": 4}, {"oak_log": 1, "oak_planks": 3}),
    ),
    "what is full goes on into the next best": Case(
        {"dirt": 70},
        (chest(1, free=0, dirt=60), chest(2), chest(3, gravel=1)),
        ({"dirt": 4}, {}, {"dirt": 66}),
    ),
    "what does not stack takes a slot each": Case(
        {"iron_sword": 3},
        (chest(1, free=2, iron_axe=1), chest(2, free=0, dirt=64)),
        ({"iron_sword": 2}, {}),
    ),
    "who lies there already has the room": Case(
        {"apple": 64, "bread": 64}, (chest(1, free=1, bread=64),), ({"bread": 64},)
    ),
    "nothing fits": Case({"dirt": 1}, (chest(1, free=0, dirt=64),), ({},)),
    "there is no chest": Case({"dirt": 1}, (), ()),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_thing_goes_where_it_belongs(case: Case) -> None:
    shares = allot(case.items, case.chests, CATALOGUE)
    assert tuple(shares.get(one, {}) for one in case.chests) == case.shares


@given(
    st.dictionaries(st.sampled_from(ITEMS), st.integers(1, 200)),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from(ITEMS)), max_size=4),
)
def test_all_that_is_allotted_has_room_and_the_rest_has_none(
    items: dict[str, int], rows: list[tuple[int, str]]
) -> None:
    chests = [chest(x, free, **{name: 1}) for x, (free, name) in enumerate(rows)]
    shares, left = allot(items, chests, CATALOGUE), Counter(items)
    filled = [Inventory(free + 1, lambda _item: STACK) for free, _ in rows]
    for one, inside, (_, name) in zip(chests, filled, rows, strict=True):
        inside.add(name)
        for item, count in shares.get(one, {}).items():
            assert inside.space_for(item) >= count
            inside.add(item, count)
            left[item] -= count
    assert min(left.values(), default=0) >= 0
    assert not any(inside.space_for(item) for item in +left for inside in filled)


def test_the_best_tools_food_and_a_few_torches_stay() -> None:
    stacks = [("iron_pickaxe", 1), ("stone_pickaxe", 1), ("wooden_sword", 1), ("torch", 40)]
    more = [("bread", 20), ("apple", 5), ("rotten_flesh", 9), ("dirt", 64), ("iron_helmet", 1)]
    items = tuple(ItemStack(name, count) for name, count in (*stacks, *more))
    assert needed(replace(take_snapshot(WORLD, BODY, 0), items=items), CATALOGUE) == {
        **{"iron_pickaxe": 1, "wooden_sword": 1, "torch": 8, "bread": 16, "iron_helmet": 1}
    }


# How much room work takes in a bag, and what may go to make it.


assert KNOWN is not None


def bag(free: int, *stacks: tuple[str, int]) -> WorldSnapshot:
    """A bag of these stacks, with so many free slots beside them."""
    items = tuple(ItemStack(name, count) for name, count in stacks)
    return replace(take_snapshot(WORLD, BODY, 0), items=items, free_slots=free)


@pytest.mark.parametrize(
    ("logs", "free", "lacking"), [(1, 0, 0), (2, 0, 1), (64, 0, 4), (64, 3, 1), (64, 4, 0)]
)
def test_used_up_logs_free_their_slot_for_planks(logs: int, free: int, lacking: int) -> None:
    sack = bag(free, ("oak_log", logs))
    uses, brings = {"oak_log": logs}, {"oak_planks": 4 * logs}
    assert slots_lacking(sack, CATALOGUE, uses, brings, bit_by_bit=True) == lacking


@pytest.mark.parametrize(("held", "more", "lacking"), [(60, 4, 0), (60, 5, 1), (64, 1, 1)])
def test_a_stack_that_is_not_full_is_room(held: int, more: int, lacking: int) -> None:
    sack = bag(0, ("dirt", held))
    assert slots_lacking(sack, CATALOGUE, {}, {"dirt": more}) == lacking


def test_what_does_not_stack_takes_a_slot_each() -> None:
    assert slots_lacking(bag(1), CATALOGUE, {}, {"iron_pickaxe": 3}) == 2


def test_the_least_worth_and_smallest_goes_first_and_what_is_needed_stays() -> None:
    sack = bag(
        *(0, ("cobblestone", 64), ("dirt", 30), ("granite", 5), ("rotten_flesh", 40)),
        *(("gold_ingot", 1), ("cobblestone", 9)),
    )
    keep = {"dirt": 1}
    assert [*rubble(sack, keep)] == [("rotten_flesh", 40), ("granite", 5), ("cobblestone", 64)]
    assert slots_of_rubble(sack, keep) == 4


def test_into_a_chest_food_goes_after_the_rest_and_what_is_dear_last() -> None:
    sack = bag(0, ("bread", 3), ("gold_ingot", 5), ("oak_door", 1), ("iron_pickaxe", 1))
    assert spare(sack, CATALOGUE, {}, 1, dear=True) == {"gold_ingot": 5}
    assert spare(sack, CATALOGUE, {"gold_ingot": 5}, 1, dear=True) == {"bread": 3}
    assert spare(sack, CATALOGUE, {}, 3, dear=True) == {"gold_ingot": 5, "bread": 3, "oak_door": 1}
    assert spare(sack, CATALOGUE, {}, 4, dear=False) == {"gold_ingot": 5, "bread": 3}


def test_of_tools_the_poorest_are_put_away_and_no_chest_is() -> None:
    sack = bag(0, ("iron_axe", 1), ("chest", 1), ("wooden_pickaxe", 1), ("stone_sword", 1))
    assert spare(sack, CATALOGUE, {}, 2, dear=True) == {"wooden_pickaxe": 1, "stone_sword": 1}
