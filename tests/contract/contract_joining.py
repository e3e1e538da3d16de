"""Coming into a world and going out of it."""

from collections.abc import Awaitable, Callable

import pytest
from contract.arena import CENTRE, Arena, unique

from bridge.actions import BlockAt, Towards, Wait
from bridge.errors import NotConnected, SpawnFailed
from bridge.events import (
    ActionFinished,
    ActionId,
    BotDisconnected,
    BotSpawned,
    PlayerJoined,
    PlayerLeft,
)
from bridge.port import Bridge
from bridge.world import BotName, PlayerName

GHOST = BotName("Ghost")

ON_A_BOT: dict[str, Callable[[Bridge], Awaitable[object]]] = {
    "despawn": lambda bridge: bridge.despawn(GHOST),
    "snapshot": lambda bridge: bridge.snapshot(GHOST),
    "whisper": lambda bridge: bridge.whisper(GHOST, PlayerName("Steve"), "boo"),
    "chat": lambda bridge: bridge.chat(GHOST, "boo"),
    "begin": lambda bridge: bridge.begin(GHOST, ActionId("haunt"), Wait(1)),
    "cancel": lambda bridge: bridge.cancel(GHOST),
    "query": lambda bridge: bridge.query(GHOST, BlockAt(CENTRE)),
    "glance": lambda bridge: bridge.glance(GHOST, Towards(0, 0)),
    "see": lambda bridge: bridge.see(GHOST, 3),
    "pause": lambda bridge: bridge.pause(GHOST),
    "resume": lambda bridge: bridge.resume(GHOST),
}


class JoiningContract:
    async def test_spawn_tells_version_and_place_and_so_does_its_event(self, arena: Arena) -> None:
        bot = BotName(unique("Alice"))
        spawned = await arena.spawn(bot)
        assert spawned.bot == bot
        assert spawned.version == arena.version
        assert await arena.log.first(BotSpawned, bot=bot) == spawned
        assert (await arena.bridge.snapshot(bot)).position.distance_to(spawned.position) < 2

    async def test_spawning_a_bot_twice_leaves_it_as_it_is(self, arena: Arena) -> None:
        bot = await arena.bot(apple=1)
        again = await arena.spawn(bot)
        assert again.bot == bot
        assert (await arena.bridge.snapshot(bot)).count("apple") == 1
        assert len(arena.log.all(BotSpawned, bot=bot)) == 1
        assert not arena.log.all(BotDisconnected, bot=bot)

    async def test_a_bot_refused_where_nobody_listens_can_join_elsewhere(
        self, arena: Arena
    ) -> None:
        bot = BotName(unique("Alice"))
        with pytest.raises(SpawnFailed) as refused:
            await arena.bridge.spawn(bot, arena.nowhere)
        assert (refused.value.bot, refused.value.ending) == (bot, "error")
        assert "ECONNREFUSED" in refused.value.text
        with pytest.raises(NotConnected):
            await arena.bridge.snapshot(bot)
        assert (await arena.spawn(bot)).bot == bot

    async def test_a_name_the_game_does_not_take_cannot_join(self, arena: Arena) -> None:
        for name in ("", "seventeen_letters", "two words", "名前", "a\nb", "@a"):
            with pytest.raises(SpawnFailed) as refused:
                await arena.bridge.spawn(BotName(name), arena.server)
            assert refused.value.ending == "error"
            assert "name" in refused.value.text

    async def test_a_bot_that_left_as_requested_can_come_back(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.bridge.despawn(bot)
        assert (await arena.log.first(BotDisconnected, bot=bot)).ending == "requested"
        with pytest.raises(NotConnected):
            await arena.bridge.snapshot(bot)
        await arena.spawn(bot)
        assert (await arena.bridge.snapshot(bot)).bot == bot
        assert len(await arena.log.take(2, BotSpawned, bot=bot)) == 2

    async def test_an_operation_on_an_absent_bot_raises_not_connected(self, arena: Arena) -> None:
        for operation in ON_A_BOT.values():
            with pytest.raises(NotConnected) as raised:
                await operation(arena.bridge)
            assert raised.value.bot == GHOST

    async def test_a_bot_is_told_who_else_joins_later_and_who_leaves(self, arena: Arena) -> None:
        before = await arena.person()
        bot, person = await arena.bot(), await arena.person("Later")
        await arena.log.first(PlayerJoined, bot=bot, player=person.name)
        await person.leave()
        await arena.log.first(PlayerLeft, bot=bot, player=person.name)
        for known in (bot, before.name):
            assert not arena.log.all(PlayerJoined, bot=bot, player=known)

    async def test_a_kick_ends_the_connection_with_the_servers_words(self, arena: Arena) -> None:
        bot = await arena.bot()
        await arena.kick(bot, "be nice")
        gone = await arena.log.first(BotDisconnected, bot=bot)
        assert gone.ending == "kicked"
        assert "be nice" in gone.text
        with pytest.raises(NotConnected):
            await arena.bridge.snapshot(bot)
        other = await arena.bot("Bob")
        await arena.bridge.despawn(other)
        await arena.log.first(BotDisconnected, bot=other)
        assert len(arena.log.all(BotDisconnected, bot=bot)) == 1

    async def test_leaving_ends_the_action_under_way_first(self, arena: Arena) -> None:
        bot = await arena.bot()
        action_id = await arena.begin(bot, Wait(3600), deadline_s=7200)
        await arena.bridge.despawn(bot)
        finished = await arena.finished(action_id)
        gone = await arena.log.first(BotDisconnected, bot=bot)
        assert finished.outcome == "disconnected"
        assert arena.log.index(finished) < arena.log.index(gone)
        assert len(arena.log.all(ActionFinished, action_id=action_id)) == 1
