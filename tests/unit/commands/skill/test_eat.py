"""`!skill eat`: the food named, or the most fitting."""

import pytest
from support.acting import carried, carry_out
from support.rig import Rig


async def test_the_most_fitting_food_is_eaten_when_none_is_named(rig: Rig) -> None:
    for item in ("cooked_beef", "bread", "chicken", "potato"):
        rig.world.give("Alice", item)
    rig.world.set_health("Alice", 20, 14)
    result = await carry_out(rig, "!skill eat")
    assert result == {"success": True, "itemName": "bread", "foodBefore": 14, "food": 19, "left": 0}


async def test_a_named_food_is_eaten(rig: Rig) -> None:
    rig.world.give("Alice", "apple", 2)
    rig.world.set_health("Alice", 20, 10)
    result = await carry_out(rig, "!skill eat apple")
    assert (result["food"], result["left"]) == (14, 1)


@pytest.mark.parametrize(
    ("given", "food", "text", "reason"),
    [
        ("stick", 10, "!skill eat", "missing_item"),
        ("chicken", 10, "!skill eat", "missing_item"),
        ("stick", 10, "!skill eat stick", "not_edible"),
        ("apple", 20, "!skill eat apple", "not_hungry"),
        ("stick", 10, "!skill eat appel", "unknown_item"),
    ],
)
async def test_a_meal_fails_with_its_reason(
    rig: Rig, given: str, food: float, text: str, reason: str
) -> None:
    rig.world.give("Alice", given)
    rig.world.set_health("Alice", 20, food)
    assert (await carry_out(rig, text))["reason"] == reason
    assert carried(rig) == {given: 1}
