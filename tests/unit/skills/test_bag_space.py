"""How much room work takes in a bag, and what may go to make it."""

from dataclasses import replace

import pytest

from bots.skills.bag import rubble, slots_lacking, slots_of_rubble, spare
from bridge.catalogue import Catalogue, ReadCatalogue
from bridge.fake import FakeWorld
from bridge.fake.sensing import read_catalogue, take_snapshot
from bridge.world import ItemStack, PlayerName, WorldSnapshot

WORLD = FakeWorld()
BODY = WORLD.enter(PlayerName("Alice"))
KNOWN = read_catalogue(WORLD, BODY, ReadCatalogue())
assert KNOWN is not None
CATALOGUE: Catalogue = KNOWN


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
