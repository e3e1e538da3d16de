"""What animals give: the killed leave it, the shorn keep the rest."""

from __future__ import annotations

from contract.arena import CENTRE, Arena

from bridge.actions import CollectDrops, Hunt, UseOn, Wait
from bridge.world import BotName, MobSighting, Position

GREEN = Position(8.5, 64, 13.5)
FALLEN = Wait(0.8)
NOBODY = 1_000_000


async def seen_by(arena: Arena, bot: BotName, kind: str) -> MobSighting:
    """The nearest animal of a kind, as soon as the bot sees it beside the green."""

    def near(mob: MobSighting) -> bool:
        return mob.name == kind and mob.position.distance_to(GREEN) < 5

    world = await arena.sees(bot, lambda seen: any(map(near, seen.mobs)))
    return next(filter(near, world.mobs))


class ForagingContract:
    async def test_a_sheep_gives_wool_to_shears_and_meat_when_it_is_killed(
        self, arena: Arena
    ) -> None:
        bot = await arena.bot(at=CENTRE)
        await arena.animal("sheep", GREEN)
        await arena.give(bot, "shears")
        sheep = await seen_by(arena, bot, "sheep")
        assert (sheep.coat, sheep.young) == ("white", False)
        assert (await arena.perform(bot, UseOn(sheep.id, "shears"))).outcome == "done"
        await arena.sees(bot, lambda seen: sheep.id in [m.id for m in seen.mobs if not m.coat])
        assert (await arena.perform(bot, UseOn(sheep.id, "shears"))).reason == "blocked"
        assert (await arena.perform(bot, Hunt(sheep.id))).outcome == "done"
        world = await arena.sees(bot, lambda seen: sheep.id not in [m.id for m in seen.mobs])
        await arena.perform(bot, FALLEN)
        await arena.perform(bot, CollectDrops(8.0))
        world = await arena.bridge.snapshot(bot)
        assert world.count("white_wool") in (1, 2, 3)
        assert world.count("mutton") in (1, 2)

    async def test_nobody_who_is_not_there_is_hunted_or_shorn(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert (await arena.perform(bot, Hunt(NOBODY))).reason == "not_found"
        assert (await arena.perform(bot, UseOn(NOBODY, "shears"))).reason == "missing_item"
