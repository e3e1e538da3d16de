"""What the bot does in each scene; each returns what was seen by those who watch it."""

from __future__ import annotations

import time
from collections.abc import Mapping

from benchmarks.foreign.places import AIR, NEXT, OUT_OF_ARMS, carried, earth, foothold, step_aside
from benchmarks.foreign.stage import NotHeld, NotTried, Stage, until
from bots.access.sources import FACTS
from bridge.actions import BlockAt, LyingItems
from bridge.diagnosis import Diagnosis
from bridge.errors import NotConnected
from bridge.server_ping import ping
from bridge.world import BotName, Position

LOOKS_AROUND = 64
NEAR, BESIDE_PLAYER = 2.0, 4.0
BACK_WITHIN_S = 40.0
ANSWERS_WITHIN_S = 8.0
REASON = "come back soon"
GREETING = "good to see you"
DOWN = -40


# --- people ---------------------------------------------------------------------


async def joins(stage: Stage) -> str:
    await stage.watcher.lists(stage.names.bot)
    world = await stage.world()
    await stage.watcher.sees(stage.names.bot, world.position, NEAR)
    return f"{world.version}; {stage.names.watcher} sees it"


async def sees_who_was_there(stage: Stage) -> str:
    return await _lists(stage, stage.names.watcher)


async def sees_who_comes(stage: Stage) -> str:
    await stage.comer.join(stage.server)
    return await _lists(stage, stage.names.comer)


async def _lists(stage: Stage, player: str) -> str:
    async def is_seen() -> bool:
        found = (await stage.world()).player(player)
        return found is not None and found.position is not None

    if not await until(is_seen):
        world = await stage.world()
        in_view = sorted(one.name for one in world.players if one.position is not None)
        raise NotHeld(f"it lists {sorted(one.name for one in world.players)}, in view {in_view}")
    return f"{player} is listed and in view"


async def hears_who_was_there(stage: Stage) -> str:
    return await _hears(stage, stage.names.watcher, "how are you?")


async def hears_who_comes(stage: Stage) -> str:
    return await _hears(stage, stage.names.comer, "where are you?")


async def _hears(stage: Stage, speaker: str, question: str) -> str:
    text = f"{stage.names.bot}, {question}"
    person = stage.watcher if speaker == stage.names.watcher else stage.comer
    with stage.daemon.trace.reading() as reader:
        await person.says(text)

        async def is_heard() -> bool:
            return any(
                one.name == "message.heard" and one.facts["text"] == text for one in reader.taken()
            )

        if not await until(is_heard):
            raise NotHeld(f"“{text}” of {speaker} did not reach it")
    return f"“{text}”"


async def answers_in_public(stage: Stage) -> str:
    before, asked_after = await stage.watcher.heard(), stage.bot.latest_sequence()
    with stage.daemon.trace.reading() as reader:
        await stage.comer.says(f"{stage.names.bot}, what do you carry?")
        said: list[str] = []

        async def has_answered() -> bool:
            sent = [one for one in reader.taken() if one.name == "reply.sent"]
            new = [one for one in sent if one.facts.get("newest", 0) > asked_after]
            said.extend(str(one.facts["text"]) for one in new)
            return bool(said)

        if not await until(has_answered, ANSWERS_WITHIN_S):
            raise NotHeld(f"it says nothing for {ANSWERS_WITHIN_S:g} s")
    return await stage.watcher.hears(said[0], before)


async def whispers(stage: Stage) -> str:
    """What the server refuses must not count as said."""
    before = await stage.comer.heard()
    told = await stage.bot.reply(stage.names.comer, GREETING, sources=FACTS, kind="by_rules")
    if told.success:
        return await stage.comer.hears(GREETING, before)
    own = [one for one in stage.bot.get_conversation_history(limit=5) if one.role == "assistant"]
    if any(one.text == GREETING and one.was_said for one in own):
        raise NotHeld("it was refused, and stands in the history as said")
    raise NotHeld(told.sentence)


async def sees_who_leaves(stage: Stage) -> str:
    await stage.comer.leave()

    async def is_gone() -> bool:
        return (await stage.world()).player(stage.names.comer) is None

    if not await until(is_gone):
        raise NotHeld(f"{stage.names.comer} has left and is still on its player list")
    return f"{stage.names.comer} is off its player list"


# --- the world --------------------------------------------------------------------


async def looks_around(stage: Stage) -> str:
    below = (await stage.world()).position.block
    at = Position(below.x, below.y - 1, below.z)
    told = (await stage.order('!info scanBlocks {"range": 4}')).as_json()
    names = [row["name"] for row in told["data"]["blocks"] if _is_at(row["position"], at)]
    witnessed = await stage.watcher.block(at, *names)
    if names != [witnessed]:
        raise NotHeld(f"it stands on {names}, {stage.names.watcher} says {witnessed}")
    return f"it stands on {witnessed}"


async def draws_what_it_sees(stage: Stage) -> str:
    """Downwards, where there is something on any server."""
    told = (await stage.order(f'!info vision {{"pitch": {DOWN}}}')).as_json()["data"]
    if not (told["blocks"] and told["image"]):
        raise NotHeld(f"“{told['text']}”")
    most = told["blocks"][0]
    at = Position(*(most["position"][axis] for axis in "xyz"))
    if (witnessed := await stage.watcher.block(at, most["name"])) != most["name"]:
        raise NotHeld(f"it sees {most['name']}, {stage.names.watcher} says {witnessed}")
    size = told["metadata"]
    return f"{most['name']} on {most['share']:g} % of {size['width']} by {size['height']} pixels"


def _is_at(row: Mapping[str, float], at: Position) -> bool:
    return (row["x"], row["y"], row["z"]) == (at.x, at.y, at.z)


async def walks(stage: Stage) -> str:
    goal = await _walked(stage)
    left = await stage.watcher.sees(stage.names.bot, goal, NEAR)
    return f"{stage.names.watcher} sees it {left:.1f} blocks from there"


async def _walked(stage: Stage) -> Position:
    """Where it says that it has walked to."""
    goal = await foothold(stage, (await stage.world()).position)
    coords = f'{{"coords": [{goal.x:g}, {goal.y:g}, {goal.z:g}], "range": 1}}'
    await stage.order(f"!navigation gotoCoords {coords}")
    return Position(goal.x + 0.5, goal.y, goal.z + 0.5)


async def walks_to_a_player(stage: Stage) -> str:
    await stage.order(f"!go {stage.names.comer}")
    goal = await stage.comer.stands()
    left = await stage.watcher.sees(stage.names.bot, goal, BESIDE_PLAYER)
    return f"{stage.names.watcher} sees it {left:.1f} blocks from {stage.names.comer}"


async def digs(stage: Stage) -> str:
    target = await earth(
        stage, (await stage.world()).position, away_from=[await stage.comer.stands()]
    )
    told = await stage.order(f"!primitive digBlock {target.x:g} {target.y:g} {target.z:g}")
    left = await stage.watcher.block(target, *AIR)
    if left not in AIR:
        raise NotHeld(f"“{told.lines()[0]}”, and {stage.names.watcher} still sees {left}")
    return told.lines()[0]


async def picks_up(stage: Stage) -> str:
    goal = await stage.comer.stands()
    others = [(await stage.world()).position, await stage.watcher.stands()]
    target = await earth(stage, goal, OUT_OF_ARMS, away_from=others)
    await stage.comer.digs(target)

    async def lies_there() -> bool:
        return bool(await stage.bot.query(LyingItems(LOOKS_AROUND)))

    await until(lies_there)
    told = (await stage.order(f'!navigation pickupItems {{"range": {LOOKS_AROUND}}}')).as_json()
    if not told["pickedUpCount"]:
        raise NotHeld(f"“{told['message']}”")
    return str(told["message"])


async def drops(stage: Stage) -> str:
    item = await carried(stage)
    watcher = stage.watcher
    before, caught = await watcher.lying(), await watcher.carries(item, 0)
    told = await stage.order(f'!navigation dropItem {{"itemName": "{item}", "count": 1}}')
    lies_there = await watcher.lying(before) > before
    if not lies_there and await watcher.carries(item, caught + 1) <= caught:
        raise NotHeld(f"“{told.lines()[0]}”, and {stage.names.watcher} sees nothing lie there")
    return told.lines()[0]


async def hands_over(stage: Stage) -> str:
    item = await carried(stage)
    await step_aside(stage, stage.comer, stage.watcher)
    before = await stage.comer.carries(item, 0)
    to = stage.names.comer
    asked = f'{{"itemName": "{item}", "count": 1, "targetPlayer": "{to}"}}'
    told = await stage.order(f"!navigation dropItem {asked}")
    if await stage.comer.carries(item, before + 1) <= before:
        raise NotHeld(f"“{told.lines()[0]}”, and {to} has none")
    return told.lines()[0]


async def uses_a_chest(stage: Stage) -> str:
    item = await carried(stage)
    async with stage.chest(await foothold(stage, (await stage.world()).position, NEXT)) as at:

        async def is_known() -> bool:
            return [found.name for found in await stage.bot.query(BlockAt(at))] == ["chest"]

        await until(is_known)
        return await _put_and_take(stage, at, item)


async def _put_and_take(stage: Stage, at: Position, item: str) -> str:
    await stage.order(f'!navigation chestOpen {{"coords": [{at.x:g}, {at.y:g}, {at.z:g}]}}')
    await stage.order(f'!navigation chestDeposit {{"item": "{item}", "count": 1}}')
    await stage.order("!navigation chestClose")
    if await stage.watcher.finds_in_chest(at, item) != 1:
        raise NotHeld(f"it put {item} in, and {stage.names.watcher} finds none")
    await stage.order(f'!navigation chestOpen {{"coords": [{at.x:g}, {at.y:g}, {at.z:g}]}}')
    await stage.order(f'!navigation chestWithdraw {{"item": "{item}", "count": 1}}')
    await stage.order("!navigation chestClose")
    return f"{item} put in, seen there by {stage.names.watcher}, taken out"


# --- comings back -------------------------------------------------------------------


async def comes_back_after_death(stage: Stage) -> str:
    died_before = (await stage.world()).died
    with stage.daemon.trace.reading() as reader:

        async def has_died() -> bool:
            return (await stage.world()).died != died_before

        await stage.rule(f"/kill {stage.names.bot}", has_died)
        if not await until(lambda: is_alive(stage), BACK_WITHIN_S):
            raise NotHeld(f"it is dead, and stays so for {BACK_WITHIN_S:g} s")
        causes = [one.facts["cause"] for one in reader.taken() if "cause" in one.facts]
    if "left_dead" in causes:
        await _walked(stage)
        raise NotHeld("the server leaves it dead; it joined anew, and walks")
    return await walks(stage)


async def comes_back_after_a_kick(stage: Stage) -> str:
    told: list[Diagnosis] = []

    async def is_out() -> bool:
        told.extend(filter(None, [stage.connection.diagnosis]))
        return bool(told)

    await stage.rule(f"/kick {stage.names.bot} {REASON}", is_out)
    if REASON not in told[0].sentence:
        raise NotHeld(f"of the reason “{REASON}” it knows: {told[0].sentence}")
    return await _back(stage, told[0].sentence)


async def comes_back_after_a_restart(stage: Stage) -> str:
    if stage.restart is None:
        raise NotTried("nobody here can restart that server")
    with stage.daemon.trace.reading() as reader:
        await stage.restart()
        causes = [one.facts["cause"] for one in reader.taken() if one.facts.get("cause")]
    if not causes:
        raise NotHeld("it did not notice that the server ended")
    return await _back(stage, f"it was told: {causes[0]}.")


async def leaves(stage: Stage) -> str:
    before = await _count(stage)
    await stage.daemon.bridge.despawn(BotName(stage.names.bot))

    async def is_gone() -> bool:
        return await _count(stage) == before - 1

    if not await until(is_gone):
        raise NotHeld(f"the server tells of {await _count(stage)} players, as before")
    return f"the server tells of {before - 1} players, not {before}"


async def _count(stage: Stage) -> int:
    return (await ping(stage.server.host, stage.server.port)).players


async def _back(stage: Stage, why: str) -> str:
    began_s = time.monotonic()
    if not await until(lambda: is_alive(stage), BACK_WITHIN_S):
        raise NotHeld(f"it is not back after {BACK_WITHIN_S:g} s: {stage.connection.diagnosis}")
    return f"{why} Back after {time.monotonic() - began_s:.0f} s."


async def is_alive(stage: Stage) -> bool:
    if stage.connection.state != "online":
        return False
    try:
        return (await stage.world()).health > 0
    except NotConnected:  # lost in this moment
        return False
