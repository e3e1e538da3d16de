"""The same without us: a plain client does what the bot could not, so that it is told whose fault
that is. Each returns what was seen."""

from __future__ import annotations

from benchmarks.foreign.places import AIR, NEXT, earth, foothold
from benchmarks.foreign.stage import NotHeld, Person, Stage, xyz

NEAR = 2.0
REVIVES_WITHIN_S, FETCHES_WITHIN_S = 2.0, 2.0
EARTH = "dirt"
WORDS = "a word with you"


async def is_seen(stage: Stage) -> str:
    """By who was there before."""
    async with stage.with_comer() as comer:
        await stage.watcher.lists(comer.name)
        await stage.watcher.sees(comer.name, await comer.stands(), NEAR)
    return f"{stage.watcher.name} sees {comer.name}"


async def sees_who_was_there(stage: Stage) -> str:
    async with stage.with_comer() as comer:
        await comer.sees(stage.watcher.name, await stage.watcher.stands(), NEAR)
    return f"{comer.name} sees {stage.watcher.name}"


async def digs(stage: Stage) -> str:
    async with stage.with_comer() as comer:
        target = await earth(stage, await comer.stands())
        await comer.digs(target)
        left = await stage.watcher.block(target, *AIR)
        if left not in AIR:
            raise NotHeld(f"{stage.watcher.name} still sees {left}")
    return f"{comer.name} dug"


async def lists_who_was_there(stage: Stage) -> str:
    """Whoever is on no list is nobody whose words can be told from a stranger's."""
    async with stage.with_comer() as comer:
        await comer.lists(stage.watcher.name)
    return f"{comer.name} lists {stage.watcher.name}"


async def whispers(stage: Stage) -> str:
    before = await stage.comer.heard()
    await stage.watcher.says(f"/tell {stage.comer.name} {WORDS}")
    return await stage.comer.hears(WORDS, before)


async def sees_who_leaves(stage: Stage) -> str:
    await stage.watcher.lists(stage.comer.name, listed=False)
    return f"{stage.comer.name} is off the list of {stage.watcher.name}"


async def picks_up(stage: Stage) -> str:
    async with stage.with_comer() as comer:
        target = await earth(stage, await comer.stands())
        await comer.digs(target)
        told = await comer.does("fetch", at=xyz(target), ms=FETCHES_WITHIN_S * 1000)
        if not told["gained"]:
            raise NotHeld(f"{comer.name} walked there and has got nothing")
    return f"{comer.name} has got what it dug"


async def throws(stage: Stage) -> str:
    async with stage.with_comer() as comer:
        await _given_earth(stage, comer)
        told = await comer.does("toss", item=EARTH)
        if not told["lies"]:
            raise NotHeld(f"{told['gone']} left the bag of {comer.name}, and nothing lies there")
    return f"{comer.name} threw {EARTH}"


async def uses_a_chest(stage: Stage) -> str:
    async with stage.with_comer() as comer:
        await _given_earth(stage, comer)
        async with stage.chest(await foothold(stage, await comer.stands(), NEXT)) as at:
            await comer.block(at, "chest")
            if await comer.finds_in_chest(at, EARTH, puts=True) != 1:
                raise NotHeld(f"{comer.name} put {EARTH} in, and it is not there")
    return f"{comer.name} put {EARTH} in"


async def comes_back_after_death(stage: Stage) -> str:
    async with stage.with_comer() as comer:
        await stage.watcher.says(f"/kill {comer.name}")
        if not (await comer.does("revive", ms=REVIVES_WITHIN_S * 1000))["alive"]:
            raise NotHeld(f"{comer.name} stays dead for {REVIVES_WITHIN_S:g} s")
    return f"{comer.name} lives again"


async def _given_earth(stage: Stage, comer: Person) -> None:
    before = await comer.carries(EARTH, 0)

    async def has_more() -> bool:
        return await comer.carries(EARTH, before + 1) > before

    await stage.rule(f"/give {comer.name} {EARTH} 1", has_more)
