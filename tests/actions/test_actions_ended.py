"""Actions that are cancelled, replaced or out of time: they stop, and nothing of them is left."""

from collections.abc import Awaitable, Callable

import pytest
from actions.stage import Scene, dig, walk, walk_into_the_unknown
from contract.arena import eventually

from bridge.actions import (
    Action,
    CollectDrops,
    Craft,
    Deposit,
    Eat,
    MoveTo,
    OpenContainer,
    Smelt,
    Toss,
    Wait,
    Withdraw,
)
from bridge.events import ActionFinished, ActionId, ActionProgress

pytestmark = pytest.mark.real

STILL = 0.05  # blocks a bot that stands may differ between two looks

UnderWay = Callable[[Scene, ActionId], Awaitable[None]]


async def moving(scene: Scene, action_id: ActionId) -> None:
    start = await scene.position()

    async def look() -> bool | None:
        return (await scene.position()).distance_to(start) > 0.5 or None

    await eventually(look)


async def progressing(scene: Scene, action_id: ActionId) -> None:
    await scene.stage.log.first(ActionProgress, action_id=action_id)


async def begun(scene: Scene, action_id: ActionId) -> None:
    for _ in range(10):
        await scene.position()


async def craft(scene: Scene) -> Action:
    await scene.give(oak_log=64)
    return Craft("oak_planks", 256)


async def craft_at_table(scene: Scene) -> Action:
    await scene.give(cobblestone=192, stick=64)
    return Craft("stone_pickaxe", 30, await scene.put(scene.at(2, 0, 0), "crafting_table"))


async def smelt(scene: Scene) -> Action:
    await scene.give(iron_ore=10, coal=3)
    return Smelt("iron_ore", "coal", await scene.put(scene.at(2, 0, 0), "furnace"), 10)


async def eat(scene: Scene) -> Action:
    await scene.stage.server.admin("feed", player=scene.bot, level=10)
    await scene.give(bread=2)
    return Eat("bread")


async def collect(scene: Scene) -> Action:
    await scene.give(apple=1)
    await scene.done(Toss("apple"))
    await scene.done(MoveTo(scene.at(5, 0, 5)))
    return CollectDrops(16)


async def wait(scene: Scene) -> Action:
    return Wait(3600)


async def deposit(scene: Scene) -> Action:
    await scene.give(cobblestone=64)
    await scene.done(OpenContainer(await scene.put(scene.at(2, 0, 0), "chest")))
    return Deposit("cobblestone", 32)


LONG: dict[str, tuple[Callable[[Scene], Awaitable[Action]], UnderWay]] = {
    "walk": (walk, moving),
    "walk into the unknown": (walk_into_the_unknown, begun),
    "dig": (dig, begun),
    "craft": (craft, progressing),
    "craft at a table": (craft_at_table, progressing),
    "smelt": (smelt, progressing),
    "eat": (eat, begun),
    "collect": (collect, moving),
    "wait": (wait, begun),
    "deposit": (deposit, begun),
}


@pytest.mark.parametrize("name", LONG)
async def test_a_cancelled_action_stops_and_ends_once(scene: Scene, name: str) -> None:
    prepare, under_way = LONG[name]
    action_id = await scene.begin(await prepare(scene))
    await under_way(scene, action_id)
    assert await scene.stage.bridge.cancel(scene.bot) == action_id
    assert (await scene.finished(action_id)).outcome == "cancelled"
    stopped = await scene.position()
    await scene.done(Wait(0.6))
    moved = await scene.position()
    assert abs(moved.x - stopped.x) + abs(moved.z - stopped.z) < STILL
    assert len(scene.stage.log.all(ActionFinished, action_id=action_id)) == 1


async def test_a_cancelled_meal_is_not_eaten(scene: Scene) -> None:
    action = await eat(scene)
    await begun(scene, await scene.begin(action))
    await scene.stage.bridge.cancel(scene.bot)
    await scene.done(Wait(2))  # longer than the meal would have taken
    assert await scene.carries() == {"bread": 2}


@pytest.mark.parametrize("name", ["craft", "craft at a table"])
async def test_a_cancelled_craft_loses_nothing(scene: Scene, name: str) -> None:
    action = await LONG[name][0](scene)
    before = await scene.carries()
    await progressing(scene, await scene.begin(action))
    await scene.stage.bridge.cancel(scene.bot)
    await scene.done(Wait(0.1))
    after = await scene.carries()
    if name == "craft":
        assert after["oak_planks"] == 4 * (before["oak_log"] - after["oak_log"])
    else:
        used = before["stick"] - after["stick"], before["cobblestone"] - after["cobblestone"]
        assert used == (2 * after["stone_pickaxe"], 3 * after["stone_pickaxe"])


async def test_a_cancelled_smelt_takes_its_things_out_of_the_furnace(scene: Scene) -> None:
    await progressing(scene, await scene.begin(await smelt(scene)))
    await scene.stage.bridge.cancel(scene.bot)
    await scene.done(Wait(0.1))
    carried = await scene.carries()
    assert carried["iron_ore"] + carried["iron_ingot"] == 10
    assert carried["iron_ingot"] >= 1
    assert not await scene.chest(scene.at(2, 0, 0))


async def test_a_smelt_out_of_time_ends_by_its_deadline_with_its_things(scene: Scene) -> None:
    finished = await scene.perform(await smelt(scene), deadline_s=0.5)
    assert finished.outcome == "deadline"
    assert (await scene.carries())["iron_ore"] == 10


async def test_of_three_actions_in_a_row_the_last_is_done_and_each_ends_once(scene: Scene) -> None:
    first = await scene.begin(Wait(3600))
    second = await scene.begin(MoveTo(scene.at(6, 0, 6)))
    third = await scene.begin(Wait(0.05))
    ends = [await scene.finished(action_id) for action_id in (first, second, third)]
    assert [end.outcome for end in ends] == ["replaced", "replaced", "done"]
    order = [scene.stage.log.index(end) for end in ends]
    assert order == sorted(order)
    stopped = await scene.position()  # between two orders it may have set off
    await scene.done(Wait(0.6))
    assert (await scene.position()).distance_to(stopped) < STILL


async def test_a_walk_replaced_by_a_walk_goes_the_new_way_only(scene: Scene) -> None:
    first = await scene.begin(MoveTo(scene.at(6, 0, 0)))
    await moving(scene, first)
    await scene.done(MoveTo(scene.at(-5, 0, -5)))
    assert (await scene.finished(first)).outcome == "replaced"
    stopped = await scene.position()
    await scene.done(Wait(0.6))
    assert (await scene.position()).distance_to(stopped) < STILL


async def test_what_is_on_the_way_between_slots_survives_a_cancel(scene: Scene) -> None:
    for _ in range(8):
        action_id = await scene.begin(await deposit(scene))
        await scene.position()
        await scene.stage.bridge.cancel(scene.bot)
        assert (await scene.finished(action_id)).outcome in ("cancelled", "done")
        chest = await scene.chest(scene.at(2, 0, 0))
        carried = await scene.carries()
        assert (carried + chest)["cobblestone"] % 64 == 0


async def test_any_other_action_puts_an_open_container_away(scene: Scene) -> None:
    await scene.give(bread=1, oak_log=1)
    await scene.done(OpenContainer(await scene.put(scene.at(2, 0, 0), "chest")))
    await scene.done(Wait(0.05))
    await scene.done(Deposit("bread"))
    await scene.done(Craft("oak_planks"))
    assert (await scene.perform(Withdraw("bread"))).reason == "window_closed"
    assert await scene.carries() == {"oak_planks": 4}
    assert await scene.chest(scene.at(2, 0, 0)) == {"bread": 1}
