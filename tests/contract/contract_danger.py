"""Monsters that the world itself moves, and players who are struck."""

from abc import abstractmethod
from collections.abc import Callable

import pytest
from contract.arena import CENTRE, cell, eventually
from contract.contract_digging import CORNER
from contract.contract_resting import BedArena

from bridge.actions import Attack, Equip
from bridge.events import BotHurt, MonstersNear, PlayerHurt
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
