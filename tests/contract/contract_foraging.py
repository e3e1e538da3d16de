"""What animals and water give: meat, wool, milk, full buckets."""

from contract.arena import Arena, cell

from bridge.actions import CollectDrops, Fill, Hunt, Place, Pour, Shoot, Till, UseOn, Wait
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
    async def test_a_sheep_gives_wool_to_shears_and_meat_when_killed(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.animal("sheep", GREEN)
        await arena.give(bot, "shears")
        sheep = await seen_by(arena, bot, "sheep")
        assert (sheep.coat, sheep.young) == ("white", False)
        assert await arena.ends(bot, UseOn(sheep.id, "shears")) == "done"
        await arena.sees(bot, lambda seen: sheep.id in [m.id for m in seen.mobs if not m.coat])
        assert await arena.ends(bot, UseOn(sheep.id, "shears")) == "blocked"
        assert await arena.ends(bot, Hunt(sheep.id)) == "done"
        world = await arena.sees(bot, lambda seen: sheep.id not in [m.id for m in seen.mobs])
        await arena.perform(bot, FALLEN)
        await arena.perform(bot, CollectDrops(8.0))
        world = await arena.bridge.snapshot(bot)
        assert world.count("white_wool") in (1, 2, 3)
        assert world.count("mutton") in (1, 2)

    async def test_buckets_take_water_and_milk(self, arena: Arena) -> None:
        bot, pool = await arena.bot(), cell(2, -1, 0)
        await arena.set_block(pool, "water")
        await arena.give(bot, "bucket", 2)
        assert await arena.ends(bot, Fill("bucket", cell(0, -1, 2))) == "wrong_block"
        assert await arena.ends(bot, Fill("bucket", pool)) == "done"
        await arena.sees(bot, lambda seen: seen.count("water_bucket") == seen.count("bucket") == 1)
        await arena.animal("cow", GREEN)
        cow = await seen_by(arena, bot, "cow")
        assert await arena.ends(bot, UseOn(cow.id, "bucket")) == "done"
        await arena.sees(bot, lambda seen: seen.count("milk_bucket") == 1)
        assert await arena.ends(bot, UseOn(cow.id, "bucket")) == "missing_item"
        assert await arena.ends(bot, Hunt(cow.id)) == "done"

    async def test_a_bucket_of_water_is_poured_out(self, arena: Arena) -> None:
        bot, there = await arena.bot(), cell(0, 0, 2)
        await arena.build("air", there)  # is put back so
        await arena.give(bot, "water_bucket")
        for ends in ("done", "missing_item"):
            assert await arena.ends(bot, Pour("water_bucket", there)) == ends
        assert await arena.block(bot, there) == "water"
        await arena.sees(bot, lambda seen: seen.count("bucket") == 1)

    async def test_earth_is_tilled_and_sown(self, arena: Arena) -> None:
        bot, plot, above = await arena.bot(), cell(2, -1, 0), cell(2, 0, 0)
        await arena.set_block(plot, "grass_block")
        await arena.set_block(above, "air")
        assert await arena.ends(bot, Till("stone_hoe", plot)) == "missing_item"
        await arena.give(bot, "stone_hoe")
        await arena.give(bot, "wheat_seeds")
        assert await arena.ends(bot, Till("stone_hoe", plot)) == "done"
        assert await arena.block(bot, plot) == "farmland"
        assert await arena.ends(bot, Place("wheat_seeds", above)) == "done"
        assert await arena.block(bot, above) == "wheat"
        assert await arena.ends(bot, Till("stone_hoe", above)) == "wrong_block"

    async def test_nobody_who_is_not_there_is_hunted_or_shorn(self, arena: Arena) -> None:
        bot = await arena.bot()
        assert await arena.ends(bot, Hunt(NOBODY)) == "not_found"
        assert await arena.ends(bot, UseOn(NOBODY, "shears")) == "missing_item"
        assert await arena.ends(bot, Shoot(NOBODY)) == "not_found"

    async def test_arrows_kill_from_afar(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.animal("cow", GREEN)
        cow = await seen_by(arena, bot, "cow")
        assert await arena.ends(bot, Shoot(cow.id, 1.0)) == "missing_item"
        await arena.give(bot, "bow")
        await arena.give(bot, "arrow", 8)
        finished = await arena.perform(bot, Shoot(cow.id, 1.0))
        assert (finished.outcome, finished.result["dead"]) == ("done", True)
        left = 8 - finished.result["shots"]
        await arena.sees(bot, lambda seen: seen.count("arrow") == left and seen.count("bow") == 1)
        await arena.sees(bot, lambda seen: cow.id not in [mob.id for mob in seen.mobs])
