"""`!skill equip | eat | moveTo | collectDrops`, and who may make a bot work."""

import pytest
from support.acting import GROUND, Scene, carried, carry_out, give, in_hand, play, scenes
from support.rig import Rig, run_json

from bots.access.origin import Person
from bridge.world import PlayerName


@pytest.mark.parametrize(
    "text",
    [
        *("!skill equip iron_axe", "!skill equip_mainhand iron_axe"),
        '!primitive equipItem {"itemName": "iron_axe", "destination": "hand"}',
    ],
)
async def test_an_item_is_taken_in_hand(rig: Rig, text: str) -> None:
    give(rig, dirt=1, iron_axe=1)
    assert await carry_out(rig, text) == {"success": True, "itemName": "iron_axe", "place": "hand"}
    assert in_hand(rig) == "iron_axe"


async def test_armour_is_worn_where_it_belongs(rig: Rig) -> None:
    rig.world.give("Alice", "iron_helmet")
    result = await carry_out(rig, '!skill equip_armor {"slot": "head", "item": "iron_helmet"}')
    assert result["place"] == "head"
    assert rig.world.body("Alice").worn == {"head": "iron_helmet"}


GEAR = {"wooden_pickaxe": 1, "diamond_pickaxe": 1, "golden_pickaxe": 1}
STICK = {"stick": 1}


@scenes(
    Scene("a kind of gear means the best of it", "!skill equip pickaxe",
          {"itemName": "diamond_pickaxe"}, given=GEAR),
    Scene("not carried", "!skill equip iron_axe", {"success": False, "reason": "missing_item"}),
    Scene("misspelt", "!skill equip iron_xae", {"success": False, "reason": "unknown_item"}),
    Scene("no such place", "!skill equip iron_axe nose",
          {"success": False, "reason": "invalid_format"}),
    Scene("worn nowhere", "!skill equip stick head", {"success": False, "reason": "wrong_slot"},
          given=STICK, carried=STICK),
)  # fmt: skip
async def test_gear_is_taken_or_refused_with_its_reason(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


@pytest.mark.parametrize("destination", ["hand", "off-hand"])
async def test_either_hand_takes_what_else_would_be_worn(rig: Rig, destination: str) -> None:
    give(rig, dirt=3, iron_helmet=1)
    order = f'{{"itemName": "iron_helmet", "destination": "{destination}"}}'
    assert (await carry_out(rig, f"!primitive equipItem {order}"))["place"] == destination
    body = rig.world.body("Alice")
    stack = body.held if destination == "hand" else body.off_hand
    assert stack is not None
    assert (stack.name, body.worn.get("head")) == ("iron_helmet", None)
    assert carried(rig)["dirt"] == 3


# --- !skill eat -----------------------------------------------------------------------


ANY_FOOD = {"cooked_beef": 1, "bread": 1, "chicken": 1, "potato": 1}


@scenes(
    Scene("the most fitting when none is named", "!skill eat",
          {"success": True, "itemName": "bread", "foodBefore": 14, "food": 19, "left": 0},
          whole=True, food=14, given=ANY_FOOD),
    Scene("the one that is named", "!skill eat apple", {"food": 14, "left": 1},
          food=10, given={"apple": 2}),
    *(Scene(f"{reason}: {given}", text, {"reason": reason}, food=food, given={given: 1},
            carried={given: 1})
      for given, food, text, reason in (
          ("stick", 10, "!skill eat", "missing_item"),
          ("chicken", 10, "!skill eat", "missing_item"),
          ("stick", 10, "!skill eat stick", "not_edible"),
          ("apple", 20, "!skill eat apple", "not_hungry"),
          ("stick", 10, "!skill eat appel", "unknown_item"))),
)  # fmt: skip
async def test_a_meal_is_eaten_or_fails_with_its_reason(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


# --- moveTo ---------------------------------------------------------------------------


WALLS = [(x, z) for x in (7, 8, 9) for z in (7, 8, 9) if (x, z) != (8, 8)]
CELL = [(x, GROUND + y, z) for x, z in WALLS for y in (0, 1)]
NO_POINT = {"success": False, "reason": "invalid_format"}


@scenes(
    *(Scene(f"to a point: {text}", text,
            {"success": True, "target": {"x": 20, "y": 64, "z": 8}, "distance": 3},
            near=(20.5, 64, 8.5))
      for text in ("!skill moveTo 20 64 8", "!skill move_to 20 64 8 3",
                   '!skill moveTo {"position": {"x": 20, "y": 64, "z": 8}, "range": 3}',
                   '!skill moveTo {"x": 20, "y": 64, "z": 8}')),
    Scene("to the nearest block of a kind", "!skill moveTo log",
          {"block": "birch_log", "target": {"x": 25, "y": GROUND, "z": 8}},
          blocks={"birch_log": [(25, GROUND, 8)], "oak_log": [(14, GROUND + 20, 8)]}),
    Scene("a primitive walk ends in the block itself", "!primitive moveTo 20 64 8",
          {"position": {"x": 20, "y": 64, "z": 8}, "distance": 0}),
    Scene("no path out of a cell of bedrock", "!skill moveTo 20 64 8",
          {"success": False, "reason": "no_path"}, blocks={"bedrock": CELL}, stays=True),
    Scene("no such block", "!skill moveTo oak_log", {"success": False, "reason": "not_found"}),
    Scene("a misspelt block", "!skill moveTo oak_lgo",
          {"success": False, "reason": "unknown_block"}),
    Scene("nothing", "!skill moveTo", NO_POINT),
    Scene("half a point", "!skill moveTo 20 64", NO_POINT),
    Scene("a word in a point", "!primitive moveTo 20 64 north", NO_POINT),
    Scene("too late", '!primitive moveTo {"position": [90, 64, 8], "timeout": 500}',
          {"success": False, "reason": "deadline"}),
)  # fmt: skip
async def test_a_walk_ends_where_it_says_or_fails_with_its_reason(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


# --- collectDrops ---------------------------------------------------------------------


APPLES = {"apple": (3, (12.5, GROUND, 8.5))}
BOTH = {"apple": 3, "stick": 1}


@scenes(
    *(Scene(f"counted: {family}", f"!{family} collectDrops",
            {"success": True, "collected": BOTH, "count": 4}, whole=True,
            drops={**APPLES, "stick": (1, (8.5, GROUND, 11.5))}, carried=BOTH)
      for family in ("skill", "primitive")),
    Scene("nothing is a failure", "!skill collect_drops 4",
          {"success": False, "reason": "not_found", "collected": {}}),
    Scene("no room", "!skill collectDrops", {"reason": "inventory_full"},
          given={"dirt": 36 * 64}, drops=APPLES),
)  # fmt: skip
async def test_what_lies_about_is_picked_up_and_counted(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


@pytest.mark.parametrize("text", ["!skill gather oak_log", "!creative placeBlock dirt"])
async def test_a_mere_player_may_not_work_a_bot(rig_of_strangers: Rig, text: str) -> None:
    steve = Person(PlayerName("Steve"))
    result = await run_json(rig_of_strangers.bots["Alice"], text, steve)
    assert (result["reason"], result["level"]) == ("not_permitted", "trusted")
