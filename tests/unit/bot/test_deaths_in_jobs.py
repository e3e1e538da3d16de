"""A death ends no job: the bot fetches what it lost, goes on, and tells what became of it."""

import asyncio
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from support.acting import GROUND, carried, put
from support.job_runs import begin, pass_until_done
from support.rig import Rig, run_json

from bots.bot.actions import RunningAction
from bots.bot.bot import Bot
from bots.bot.events import BotEvent, WorkTold
from bridge.actions import Action, MoveTo, Wait
from bridge.causes import Cause
from bridge.events import BotDied
from bridge.world import Position

AT_WORK = Position(40.5, GROUND, 40.5)
"""Some way from the spawn point."""
LAVA = Cause("thing", "lava", "told")
VOID = Cause("thing", "void", "told")
DIED = "I died at 40 64 40"
CHEST = (40, GROUND, 42)

JOBS = {
    '!skill gather {"itemName": "oak_log", "count": 3}': 3,
    '!goal {"goal": "inventory.oak_log:3", "range": 12, "outlooks": 0}': 3,
    "!navigation gotoCoords 60 64 40": 0,
    "!primitive digBlock 42 64 40": 0,
    "!skill craft stick 4": 0,
    '!navigation chestDeposit {"item": "diamond", "count": 2}': 0,
}
"""Commands, and how many logs the bot has at their end."""


@pytest.fixture
async def alice(rig: Rig) -> Bot:
    bot = await rig.bot("Alice", AT_WORK)
    put(rig, "oak_log", *((42, GROUND, 38 + z) for z in range(6)))
    rig.world.give("Alice", "diamond", 5)
    rig.world.give("Alice", "oak_planks", 2)
    return bot


class Dying:
    """Lets Alice die in the middle of a command."""

    def __init__(self, rig: Rig, alice: Bot) -> None:
        self._rig, self._alice = rig, alice
        self.resumed: list[str] = []
        alice.events.subscribe(self._take)

    async def during(self, command: str, cause: Cause | None = None) -> dict[str, Any]:
        running = await begin(self._rig, self._alice, command)
        self._rig.world.set_health("Alice", 0, cause=cause)
        return await self.ended(running)

    async def ended(self, running: asyncio.Task[dict[str, Any]]) -> dict[str, Any]:
        await pass_until_done(self._rig, running, 30)
        return await running

    async def when_walking_back(self) -> None:
        """Until the bot is under way to its things, and nowhere near."""
        start = self._rig.world.spawn_point
        body = self._rig.world.body("Alice")

        def is_on_its_way() -> bool:
            return 2 < body.position.distance_to(start) < 30

        async with asyncio.timeout(30):
            while not is_on_its_way():
                await self._rig.world.clock.advance(0.25)
                await asyncio.sleep(0.001)

    def _take(self, event: BotEvent) -> None:
        if isinstance(event, WorkTold):
            self.resumed.append(event.text)


@pytest.fixture
def dying(rig: Rig, alice: Bot) -> Dying:
    return Dying(rig, alice)


def gather(count: int) -> str:
    return f"!skill gather {json.dumps({'itemName': 'oak_log', 'count': count})}"


@pytest.mark.parametrize("command", JOBS)
async def test_every_job_fetches_what_was_lost_and_goes_on(
    rig: Rig, dying: Dying, alice: Bot, command: str
) -> None:
    if "chest" in command:
        put(rig, "chest", CHEST)
        opening = await begin(rig, alice, "!navigation chestOpen")
        assert (await dying.ended(opening))["success"] is True
    result = await dying.during(command)
    assert result["success"] is True, result
    assert carried(rig)["diamond"] == (3 if "chest" in command else 5)
    assert carried(rig).get("oak_log", 0) >= JOBS[command]
    assert f"{DIED} and got my things back." in result["message"]


async def test_a_death_before_the_job_is_not_made_good(rig: Rig, dying: Dying, alice: Bot) -> None:
    rig.world.kill("Alice")
    running = await begin(rig, alice, "!navigation gotoCoords 12 64 8")
    death = rig.world.body("Alice").died
    assert death is not None
    told = BotDied(alice.name, death, None, "overworld", "", (), datetime.now(UTC))
    alice.events.emit(told)
    result = await dying.ended(running)
    assert result["success"] is True, result
    assert "died" not in result["message"]
    assert rig.world.body("Alice").position.distance_to(Position(12, GROUND, 8)) < 3


async def test_whoever_gave_the_job_hears_of_the_death_when_it_goes_on(dying: Dying) -> None:
    await dying.during(gather(2))
    assert dying.resumed == [f"{DIED} and got my things back. I go on with !skill gather."]


async def test_it_goes_on_from_what_is_still_lacking(rig: Rig, dying: Dying, alice: Bot) -> None:
    rig.world.give("Alice", "oak_log", 4)
    put(rig, "oak_log", (58, GROUND, 40), (58, GROUND, 41))
    running = await begin(rig, alice, gather(8))
    async with asyncio.timeout(30):
        while carried(rig)["oak_log"] < 5:
            await rig.world.clock.advance(0.05)
            await asyncio.sleep(0.001)
    rig.world.kill("Alice")
    assert (await dying.ended(running))["success"] is True
    assert carried(rig)["oak_log"] == 12


async def test_what_it_had_before_and_lost_is_not_gathered_again(
    rig: Rig, dying: Dying, alice: Bot
) -> None:
    rig.world.give("Alice", "oak_log", 20)
    running = await begin(rig, alice, gather(3))
    rig.world.set_health("Alice", 0, cause=LAVA)
    rig.world.terrain().drops.clear()
    result = await dying.ended(running)
    assert (result["success"], result["gathered"], carried(rig)["oak_log"]) == (True, 3, 3), result


@pytest.mark.parametrize(
    ("cause", "why"), [(LAVA, "they burnt in lava"), (VOID, "they fell out of the world")]
)
async def test_what_is_destroyed_is_told_and_not_walked_for(
    rig: Rig, dying: Dying, cause: Cause, why: str
) -> None:
    result = await dying.during("!navigation gotoCoords 12 64 8", cause)
    assert result["success"] is True, result
    assert f"{DIED} and lost 5 diamond, 2 oak_planks: {why}." in result["message"]
    assert "diamond" not in carried(rig)


async def test_a_death_on_the_way_is_made_good_too(rig: Rig, dying: Dying, alice: Bot) -> None:
    running = await begin(rig, alice, gather(2))
    rig.world.kill("Alice")
    await dying.when_walking_back()
    rig.world.kill("Alice")
    result = await dying.ended(running)
    assert result["success"] is True, result
    assert carried(rig)["diamond"] == 5
    assert result["message"].count("I died at") == 2


async def test_a_bot_that_always_dies_gives_up(rig: Rig, dying: Dying, alice: Bot) -> None:
    running = await begin(rig, alice, gather(2))
    rig.world.kill("Alice")
    for _ in range(3):
        await dying.when_walking_back()
        rig.world.kill("Alice")
    result = await dying.ended(running)
    assert (result["success"], result["reason"]) == (False, "died"), result
    assert "lost 5 diamond, 2 oak_planks: I died again on the way to them." in result["message"]


async def test_things_somebody_took_are_told_as_lost(rig: Rig, dying: Dying, alice: Bot) -> None:
    running = await begin(rig, alice, gather(2))
    rig.world.kill("Alice")
    rig.world.terrain().drops.clear()
    result = await dying.ended(running)
    assert result["success"] is True, result
    assert "lost 5 diamond, 2 oak_planks: they did not lie there any more." in result["message"]


async def test_after_five_minutes_it_walks_no_further_for_what_has_vanished(
    rig: Rig, dying: Dying, alice: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    walked: list[float] = []
    begin_action = alice.actions.begin

    async def wade(action: Action, *, deadline_s: float, **options: Any) -> RunningAction:
        """Walking back takes longer than it may."""
        if isinstance(action, MoveTo) and rig.world.body("Alice").died and not walked:
            walked.append(deadline_s)
            action = Wait(deadline_s + 100)
        return await begin_action(action, deadline_s=deadline_s, **options)

    monkeypatch.setattr(alice.actions, "begin", wade)
    result = await dying.during(gather(2))
    assert "lost 5 diamond, 2 oak_planks: I did not get there in time." in result["message"]
    assert walked == [pytest.approx(300, abs=5)]


async def test_things_in_another_dimension_end_the_work_there(rig: Rig, dying: Dying) -> None:
    rig.world.teleport("Alice", AT_WORK, "the_nether")
    result = await dying.during("!navigation gotoCoords 60 64 40")
    assert (result["success"], result["reason"]) == (False, "died")
    assert result["message"] == (
        f"{DIED} and lost 5 diamond, 2 oak_planks: they lie in the_nether."
    )


async def test_no_stopped_job_goes_on_after_a_death(rig: Rig, dying: Dying, alice: Bot) -> None:
    running = await begin(rig, alice, gather(2))
    rig.world.kill("Alice")
    await dying.when_walking_back()
    await run_json(alice, "!stop")
    assert (await dying.ended(running))["reason"] == "stopped"
    stopped_at = rig.world.body("Alice").position
    await rig.world.clock.advance(30)
    assert alice.jobs.all_over
    assert rig.world.body("Alice").position == stopped_at


async def test_a_new_order_wins_over_what_was_lost(rig: Rig, dying: Dying, alice: Bot) -> None:
    running = await begin(rig, alice, gather(2))
    rig.world.kill("Alice")
    await dying.when_walking_back()
    new = asyncio.create_task(run_json(alice, "!navigation gotoCoords 12 64 8"))
    assert (await dying.ended(running))["reason"] == "replaced"
    assert (await dying.ended(new))["success"] is True
    assert "diamond" not in carried(rig)


async def test_what_others_left_there_stays(rig: Rig, dying: Dying) -> None:
    rig.world.terrain().drop("gold_ingot", 5, Position(44.5, GROUND, 44.5))
    await dying.during("!navigation gotoCoords 12 64 8")
    assert carried(rig)["diamond"] == 5
    assert "gold_ingot" not in carried(rig)
