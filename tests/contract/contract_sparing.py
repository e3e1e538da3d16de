"""Zones that an action leaves alone: no way through them, nothing taken out of them, nothing struck
in them. The first zone that has a block decides."""

from dataclasses import replace

from contract.arena import GROUND_Y, Arena, cell
from contract.contract_foraging import GREEN, seen_by

from bridge.actions import CollectDrops, FindBlocks, Hunt, LookAt, MoveTo, Toss, UseOn, Wait
from bridge.world import Position, Zone

LOW, HIGH = -4096, 4096
CHEST_HIGH = 1.2  # blocks


def column(at: Position, within: float = 0, *, may_touch: bool = False) -> Zone:
    return Zone(Position(at.x, LOW, at.z), Position(at.x, HIGH, at.z), within, may_touch)


class SparingContract:
    async def test_no_way_is_dug_through_a_spared_zone(self, arena: Arena) -> None:
        bot, inside = await arena.bot(), cell(3, 1, 0)
        mound = [cell(dx, dy, dz) for dx in range(1, 5) for dy in range(3) for dz in range(-2, 3)]
        await arena.build("dirt", *mound)
        spared = (Zone(mound[0], mound[-1]),)
        into = MoveTo(Position(inside.x + 0.5, inside.y, inside.z + 0.5), 0.9, may_dig=True)
        assert await arena.ends(bot, replace(into, spared=spared)) == "no_path"
        assert [await arena.block(bot, block) for block in mound] == ["dirt"] * len(mound)
        free = (column(inside, 4, may_touch=True), *spared)
        assert await arena.ends(bot, replace(into, spared=free)) == "done"

    async def test_what_lies_in_a_spared_zone_is_left_there(self, arena: Arena) -> None:
        bot = await arena.bot(bread=2)
        await arena.perform(bot, LookAt(Position(8.5, GROUND_Y + CHEST_HIGH, 12.5)))
        await arena.perform(bot, Toss("bread", 2))
        await arena.perform(bot, Wait(1.5))
        spared = (column(cell(0, 0, 3), 6),)
        assert await arena.ends(bot, CollectDrops(8, spared=spared)) == "not_found"
        assert (await arena.bridge.snapshot(bot)).count("bread") == 0
        assert (await arena.perform(bot, CollectDrops(8))).result["collected"] == {"bread": 2}

    async def test_no_animal_is_struck_or_shorn_in_a_spared_zone(self, arena: Arena) -> None:
        bot, pen = await arena.bot(shears=1), (column(GREEN.block, 7),)
        await arena.animal("sheep", GREEN)
        sheep = await seen_by(arena, bot, "sheep")
        for action in (Hunt(sheep.id, pen), UseOn(sheep.id, "shears", pen)):
            assert await arena.ends(bot, action) == "not_found"
        again = await seen_by(arena, bot, "sheep")
        assert (again.id, again.coat) == (sheep.id, sheep.coat)
        assert await arena.ends(bot, Hunt(sheep.id)) == "done"

    async def test_blocks_of_a_spared_zone_are_not_found(self, arena: Arena) -> None:
        bot, near, far = await arena.bot(), cell(2, 0, 0), cell(-5, 0, 0)
        await arena.build("sponge", near, far)
        seek = FindBlocks(("sponge",), 8, 1)
        assert [one.position for one in await arena.bridge.query(bot, seek)] == [near]
        spared = FindBlocks(("sponge",), 8, 1, spared=(column(near, 2),))
        assert [one.position for one in await arena.bridge.query(bot, spared)] == [far]
        both = (column(near, may_touch=True), column(near, 12))
        some = FindBlocks(("sponge",), 8, 4, spared=both)
        assert [one.position for one in await arena.bridge.query(bot, some)] == [near]
