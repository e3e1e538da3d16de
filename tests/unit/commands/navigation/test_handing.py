"""`!navigation dropItem | pickupItems`: the counts in the result have really changed hands."""

from collections.abc import Mapping
from typing import Any

import pytest
from support.acting import Scene, carried, carry_out, lying, play, scenes
from support.job_runs import begin, pass_until_done
from support.rig import Rig, run_json

from bots.bot.bot import Bot
from bridge.fake import Person
from bridge.world import Position

FULL_OF_DIRT = 36 * 64


@pytest.fixture
async def steve(rig: Rig, alice: Bot) -> Person:
    return rig.world.person("Steve", Position(20.5, 64, 0.5))


WALLS = [(dx, 64 + dy, dz) for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)) for dy in (0, 1)]
AT_STEVES = {"Steve": (20.5, 64.0, 0.5)}


# --- dropItem -------------------------------------------------------------------------


async def test_items_are_brought_to_a_player(rig: Rig, steve: Person) -> None:
    rig.world.give("Alice", "bread", 5)
    command = '!navigation dropItem {"itemName": "bread", "count": 2, "targetPlayer": "Steve"}'
    result = await carry_out(rig, command)
    assert result == {
        "success": True,
        "message": "Steve has 2 bread.",
        "targetPlayer": "Steve",
        "itemName": "bread",
        "droppedCount": 2,
        "availableCount": 5,
        "taken": {"Steve": 2},
    }
    assert (carried(rig), lying(rig)) == ({"bread": 3}, {})
    assert steve.body.inventory.count("bread") == 2


async def test_what_the_player_has_no_room_for_is_not_called_handed_over(
    rig: Rig, steve: Person
) -> None:
    rig.world.give("Alice", "bread", 3)
    steve.body.inventory.add("dirt", FULL_OF_DIRT - 64)
    steve.body.inventory.add("bread", 63)
    result = await carry_out(rig, "!navigation dropItem bread 3 Steve")
    assert (result["success"], result["reason"]) == (False, "not_received")
    assert (result["taken"], result["droppedCount"]) == ({"Steve": 1}, 3)
    assert result["message"] == "Steve took 1 of the 3 bread I threw; 2 lie there."
    assert lying(rig) == {"bread": 2}


async def test_what_somebody_else_picks_up_is_told(rig: Rig, steve: Person) -> None:
    rig.world.give("Alice", "bread", 2)
    steve.body.inventory.add("dirt", FULL_OF_DIRT)
    rig.world.person("Zoe", Position(20.5, 64, 1.5))
    result = await carry_out(rig, "!navigation dropItem bread 2 Steve")
    assert (result["reason"], result["taken"]) == ("not_received", {"Zoe": 2})
    assert result["message"] == "Steve took none of the 2 bread I threw; Zoe took 2."


async def test_what_cannot_be_recognised_is_not_judged(rig: Rig, steve: Person) -> None:
    rig.world.tells_items = False
    rig.world.give("Alice", "bread")
    result = await carry_out(rig, "!navigation dropItem bread 1 Steve")
    assert (result["success"], result["reason"]) == (False, "not_recognised")
    assert result["message"] == (
        "Steve picked up what I cannot recognise; I cannot tell who has the 1 bread I threw."
    )
    assert steve.body.inventory.count("bread") == 1


def drop(
    name: str, words: str, shown: Mapping[str, object], bag: Mapping[str, int], **more: Any
) -> Scene:
    return Scene(name, f"!navigation dropItem {words}", shown, given=bag, **more)


STONES = {"cobblestone": 150}
NOT_DROPPED = {"success": False, "reason": "missing_item", "droppedCount": 0}


@scenes(
    *(drop(f"all means every stack: {count}",
           f'{{"itemName": "cobblestone", "count": {count}}}',
           {"droppedCount": 150, "availableCount": 150}, STONES, carried={}, lying=STONES)
      for count in ("-1", '"all"')),
    drop("a count over several stacks", "cobblestone 100", {"droppedCount": 100}, STONES,
         carried={"cobblestone": 50}),
    drop("where the bot stands, without a player", "minecraft:bread",
         {"message": "I dropped 1 bread.", "targetPlayer": None}, {"bread": 2}, stays=True),
    *(drop(f"{asked} of {there}",
           f'{{"itemName": "bread", "count": {asked}, "targetPlayer": "Steve"}}',
           {**NOT_DROPPED, "availableCount": there}, {"bread": there}, people=AT_STEVES,
           carried={"bread": there} if there else {}, stays=True)
      for there, asked in ((0, 1), (0, -1), (3, 4))),
    drop("too far off", '{"itemName": "bread", "targetPlayer": "Steve", "maxDistance": 10}',
         {"reason": "out_of_range", "distance": 20}, {"bread": 1}, people=AT_STEVES,
         carried={"bread": 1}),
    *(drop(f"{name} is not in view", f"bread 1 {name}", {"success": False, "reason": reason},
           {"bread": 1}, people={"Zoe": (900, 64, 0)}, carried={"bread": 1})
      for name, reason in (("Zoe", "entity_not_available"), ("Nobody", "player_not_found"))),
)  # fmt: skip
async def test_what_is_dropped_has_left_the_bag_and_the_rest_has_not(
    rig: Rig, scene: Scene
) -> None:
    await play(rig, scene)


async def test_what_is_worn_is_not_handed_over_and_that_is_told(rig: Rig, alice: Bot) -> None:
    rig.world.body("Alice").worn["head"] = "iron_helmet"
    refused = await carry_out(rig, "!navigation dropItem iron_helmet")
    assert refused["message"] == "I have no iron_helmet to hand over. One I wear."


async def test_on_the_way_it_can_be_stopped_for_good(rig: Rig, alice: Bot, steve: Person) -> None:
    rig.world.give("Alice", "bread")
    handing = await begin(rig, alice, "!navigation dropItem bread 1 Steve")
    await rig.world.clock.advance(1)
    await run_json(alice, "!stop")
    here = rig.world.body("Alice").position
    await rig.world.clock.advance(60)
    assert (await handing)["reason"] == "stopped"
    assert (rig.world.body("Alice").position, carried(rig)) == (here, {"bread": 1})


async def test_a_player_who_keeps_running_is_given_up(rig: Rig, alice: Bot, steve: Person) -> None:
    rig.world.give("Alice", "bread")
    handing = await begin(rig, alice, "!navigation dropItem bread 1 Steve")
    for _ in range(31):
        steve.move_to(Position(rig.world.body("Alice").position.x + 20, 64, 0.5))
        await rig.world.clock.advance(1)
    await pass_until_done(rig, handing)
    assert (await handing)["reason"] == "deadline"
    here = rig.world.body("Alice").position
    await rig.world.clock.advance(60)
    assert (rig.world.body("Alice").position, carried(rig)) == (here, {"bread": 1})


async def test_what_comes_back_into_the_bag_is_not_counted_as_dropped(
    rig: Rig, alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.world.give("Alice", "bread", 5)
    monkeypatch.setattr(rig.world.terrain(), "drop", lambda *_: rig.world.give("Alice", "bread"))
    result = await carry_out(rig, "!navigation dropItem bread 3")
    assert (result["success"], result["reason"]) == (False, "not_dropped")
    assert (result["droppedCount"], carried(rig)) == (2, {"bread": 3})


# --- pickupItems ----------------------------------------------------------------------


BREAD = {"bread": (3, (4.5, 64.0, 0.5))}
UNKNOWN = "Something lies there that I cannot recognise"


@scenes(
    Scene("all is counted", "!navigation pickupItems",
          {"success": True, "message": "I picked up 1 apple, 3 bread.", "foundCount": 4,
           "pickedUpCount": 4,
           "items": [{"name": "apple", "count": 1}, {"name": "bread", "count": 3}]},
          whole=True, drops={**BREAD, "apple": (1, (4.5, 64, 0.5))},
          carried={"bread": 3, "apple": 1}, lying={}),
    Scene("one kind alone", '!navigation pickupItems {"itemName": "bread"}',
          {"foundCount": 3, "pickedUpCount": 3}, drops={**BREAD, "apple": (1, (-4.5, 64, 0.5))},
          lying={"apple": 1}),
    Scene("nothing within a range", '!navigation pickupItems {"range": 2}',
          {"success": True, "message": "Nothing for me to pick up lies within 2 blocks.",
           "foundCount": 0, "pickedUpCount": 0, "items": []}, whole=True, drops=BREAD),
    Scene("what fits of two things", "!navigation pickupItems",
          {"success": False, "reason": "inventory_full", "foundCount": 3, "pickedUpCount": 2,
           "items": [{"name": "dirt", "count": 2}]},
          given={"dirt": FULL_OF_DIRT - 2},
          drops={"dirt": (2, (4.5, 64, 0.5)), "apple": (1, (4.5, 64, 0.5))}),
    Scene("what is out of reach is no success", "!navigation pickupItems",
          {"success": False, "reason": "not_found", "foundCount": 3, "pickedUpCount": 0},
          blocks={"stone": WALLS}, drops=BREAD),
)  # fmt: skip
async def test_what_is_picked_up_is_counted(rig: Rig, scene: Scene) -> None:
    await play(rig, scene)


@scenes(
    *(Scene(f"as what is in the bag: {asked}", f"!navigation pickupItems {asked}",
            {"message": "I picked up 3 bread.", "pickedUpCount": 3}, drops=BREAD)
      for asked in ("{}", '{"itemName": "bread"}')),
    Scene("never as nothing", "!navigation pickupItems",
          {"success": False, "reason": "not_recognised"}, blocks={"stone": WALLS}, drops=BREAD,
          says=UNKNOWN),
)  # fmt: skip
async def test_what_cannot_be_recognised_is_told(rig: Rig, scene: Scene) -> None:
    rig.world.tells_items = False
    await play(rig, scene)
