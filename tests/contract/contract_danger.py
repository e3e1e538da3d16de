"""Monsters that the world itself moves, and players who are struck."""

from abc import abstractmethod
from collections.abc import Callable
from collections.abc import Set as AbstractSet

import anyio
import pytest
from contract.arena import CENTRE, WITHIN_S, cell, eventually
from contract.contract_digging import CORNER
from contract.contract_resting import BedArena

from bridge.actions import Attack, Equip, Wait
from bridge.causes import Cause
from bridge.events import BotEndangered, BotHurt, Harm, HealthChanged, MonstersNear, PlayerHurt
from bridge.world import BotName, Difficulty, MobSighting, PlayerName, Position


class DangerArena(BedArena):
    """A world where monsters hunt."""

    @abstractmethod
    async def monster(self, kind: str, at: Position) -> None:
        """One comes to be there; where there is war it hunts whoever it sees."""

    @abstractmethod
    async def hurt(self, bot: BotName, amount: float) -> None:
        """Take half-hearts away, for all to see."""

    @abstractmethod
    async def make_war(self, difficulty: Difficulty = "normal") -> None:
        """Players can be hurt."""

    @abstractmethod
    async def make_peace(self) -> None:
        """All monsters vanish."""

    async def told(
        self, bot: BotName, is_so: Callable[[tuple[MobSighting, ...]], bool]
    ) -> tuple[MobSighting, ...]:
        """What a bot was told of the monsters near, once it is so. Raises TimeoutError."""

        async def look() -> tuple[tuple[MobSighting, ...]] | None:
            events = self.log.all(MonstersNear, bot=bot)
            return next(((event.monsters,) for event in events if is_so(event.monsters)), None)

        return (await eventually(look))[0]

    async def endangered(
        self, bot: BotName, is_so: Callable[[AbstractSet[Harm]], bool], earlier: int = 0
    ) -> tuple[int, BotEndangered]:
        """What a bot is told of its harm once it is so, after so many other words; and which word
        of all it is. Raises TimeoutError."""
        with anyio.fail_after(WITHIN_S):
            while True:
                earlier += 1
                told = (await self.log.take(earlier, BotEndangered, bot=bot))[-1]
                if is_so(told.by):
                    return earlier, told


class DangerContract:
    async def test_a_monster_is_told_of_as_it_comes_comes_nearer_and_goes(
        self, arena: DangerArena
    ) -> None:
        bot = await arena.bot()
        await arena.make_war()
        await arena.monster("zombie", cell(0, 0, 12))
        (zombie,) = await arena.told(bot, lambda monsters: len(monsters) == 1)
        assert (zombie.name, zombie.hostile) == ("zombie", True)
        assert 8 < zombie.position.distance_to(CENTRE) <= 16
        (nearer,) = await arena.told(
            bot, lambda all: bool(all) and all[0].position.distance_to(CENTRE) <= 3
        )
        assert nearer.id == zombie.id
        await arena.sees(bot, lambda world: world.difficulty == "normal")
        await arena.make_peace()
        await arena.sees(bot, lambda world: world.is_peaceful)
        await arena.told(bot, lambda monsters: not monsters)

    async def test_a_player_is_attacked_until_dead_and_nobody_is_who_is_not_there(
        self, arena: DangerArena
    ) -> None:
        bot, person = await arena.bot(at=CENTRE), await arena.person(at=cell(0, 0, 4))
        await arena.make_war()
        await arena.sees(bot, lambda seen: seen.player(person.name) is not None)
        await arena.give(bot, "iron_sword")
        await arena.perform(bot, Equip("iron_sword"))
        finished = await arena.perform(bot, Attack(person.name))
        assert finished.outcome == "done"
        assert finished.result["strokes"] >= 4
        assert (await arena.perform(bot, Attack(PlayerName("Nobody")))).reason == "unseen_player"
        assert (await arena.perform(bot, Attack(PlayerName(bot)))).reason == "unseen_player"

    async def test_another_sees_who_is_hurt(self, arena: DangerArena) -> None:
        hurt, watcher = await arena.bot(), await arena.bot("Bob", CORNER)
        await arena.sees(watcher, lambda s: any(one.position for one in s.players))
        await arena.hurt(hurt, 5)
        seen = await arena.log.first(PlayerHurt, bot=watcher)
        assert (str(seen.player), seen.dimension) == (hurt, "overworld")
        assert seen.position.distance_to(CENTRE) < 1
        assert not arena.log.all(PlayerHurt, bot=hurt)

    @pytest.mark.parametrize(("level", "blow"), [("easy", 2.5), ("normal", 3), ("hard", 4.5)])
    async def test_a_zombie_walks_up_and_strikes_as_hard_as_the_world_is(
        self, arena: DangerArena, level: Difficulty, blow: float
    ) -> None:
        bot = await arena.bot()
        await arena.make_war(level)
        await arena.monster("zombie", Position(8.5, 64, 12.5))
        first, second = await arena.log.take(2, BotHurt, bot=bot)
        assert (first.lost, first.health) == (blow, 20 - blow)
        assert first.cause is not None
        assert (first.cause.kind, first.cause.name) == ("creature", "zombie")
        assert (second.at - first.at).total_seconds() > 0.9

    async def test_under_water_the_air_gets_short_and_then_one_drowns(
        self, arena: DangerArena
    ) -> None:
        bot = await arena.bot()
        await arena.build("stone", cell(0, 2, 0))  # else it swims up
        await arena.build("water", cell(0, 0, 0), cell(0, 1, 0))
        await arena.make_war()
        told, short = await arena.endangered(bot, lambda by: "airless" in by)
        drowns = await arena.log.first(BotHurt, bot=bot)
        assert (drowns.lost, drowns.cause) == (2, Cause("thing", "drowning", "seen"))
        assert 5 < (drowns.at - short.at).total_seconds() < 12
        await arena.build("air", cell(0, 2, 0), cell(0, 1, 0))
        await arena.endangered(bot, lambda by: "airless" not in by, told)

    @pytest.mark.parametrize(("block", "amount"), [("fire", 1), ("lava", 4)])
    async def test_fire_hurts_and_goes_on_burning_until_water_puts_it_out(
        self, arena: DangerArena, block: str, amount: int
    ) -> None:
        bot = await arena.bot()
        await arena.make_war()
        await arena.build(block, cell(0, 0, 0))
        hurt = await arena.log.first(BotHurt, bot=bot)
        assert (hurt.lost, hurt.cause) == (amount, Cause("thing", block, "seen"))
        await arena.build("air", cell(0, 0, 0))
        told, burns = await arena.endangered(bot, lambda by: by == {"burning"})
        await arena.build("water", cell(0, 0, 0))
        _, out = await arena.endangered(bot, lambda by: not by, told)
        assert (out.at - burns.at).total_seconds() < 5

    async def test_who_is_full_heals_by_what_they_ate_and_gets_hungry(
        self, arena: DangerArena
    ) -> None:
        bot = await arena.bot()
        await arena.set_health(bot, 10, 20)
        await arena.make_war()
        hungry = await arena.log.first(HealthChanged, bot=bot, food=19)
        assert hungry.health == pytest.approx(10 + 5 * 4 / 6 + 1, abs=0.01)

    async def test_who_is_empty_starves_as_far_as_the_world_is_hard(
        self, arena: DangerArena
    ) -> None:
        bot = await arena.bot()
        await arena.set_health(bot, 11, 0)
        await arena.make_war("easy")
        starves = await arena.log.first(BotHurt, bot=bot, health=10)
        assert (starves.lost, starves.cause) == (1, Cause("thing", "hunger", "seen"))
        await arena.perform(bot, Wait(5))
        assert (await arena.bridge.snapshot(bot)).health == 10
