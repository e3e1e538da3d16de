"""Several users of one bridge: each has bots of its own, and gets the events of these alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TypeAlias, TypeVar

from bridge.actions import Action, Gaze, Glance, Query
from bridge.errors import BridgeError, NotConnected
from bridge.events import ActionId, Arrivals, BotSpawned, BridgeEvent, BridgeLost, BridgeRestored
from bridge.port import (
    ACTION_DEADLINE_S,
    SPAWN_TIMEOUT_S,
    WHISPER_COMMAND,
    WIDE_VIEW_CHUNKS,
    Bridge,
    ServerAddress,
)
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

T = TypeVar("T")

LEFT_WITHIN_S = 5.0

OnClose: TypeAlias = Callable[["BridgeShare"], None]
MayAct: TypeAlias = Callable[[], bool]
"""Whether the bots may still join, speak and do things; asked each time, as nobody may have
noticed yet that they may not."""


class SharedBridge:
    """A bridge and the shares in it. `run` is owned by whoever opened the bridge."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._shares: list[BridgeShare] = []

    def share(self, may_act: MayAct) -> BridgeShare:
        """One more share, without bots yet."""
        share = BridgeShare(self._bridge, may_act, self._shares.remove)
        self._shares.append(share)
        return share

    async def run(self) -> None:
        """Hand out the events until the bridge closes."""
        async for event in self._bridge.events():
            for share in tuple(self._shares):
                share.take(event)


class BridgeShare:
    """The bridge for the bots of one user (port: `bridge.port.Bridge`)."""

    def __init__(self, bridge: Bridge, may_act: MayAct, forget: OnClose) -> None:
        self._bridge, self._may_act, self._forget = bridge, may_act, forget
        self._bots: set[BotName] = set()
        self._arrivals = Arrivals()
        self._is_shut = self._is_closed = False

    def take(self, event: BridgeEvent) -> None:
        """An event of the bridge; those of others' bots are left out."""
        if isinstance(event, BridgeLost | BridgeRestored) or event.bot in self._bots:
            self._arrivals.put([event])

    async def shut(self) -> None:
        """Let all bots leave now, and let none join any more."""
        self._is_shut = True
        async with asyncio.timeout(LEFT_WITHIN_S):
            await asyncio.gather(*map(self._leave, self._bots))

    async def _leave(self, bot: BotName) -> None:
        with suppress(BridgeError):  # it is not in the world
            await self._bridge.despawn(bot)

    # --- the port ----------------------------------------------------------------

    async def spawn(
        self,
        bot: BotName,
        server: ServerAddress,
        *,
        timeout_s: float = SPAWN_TIMEOUT_S,
        view_chunks: int = WIDE_VIEW_CHUNKS,
    ) -> BotSpawned:
        self._refuse_once_shut(bot)
        self._bots.add(bot)
        spawned = await self._bridge.spawn(
            bot, server, timeout_s=timeout_s, view_chunks=view_chunks
        )
        if self._is_shut or not self._may_act():  # meanwhile
            await self._leave(bot)
            raise NotConnected(bot)
        return spawned

    async def despawn(self, bot: BotName) -> None:
        await self._bridge.despawn(bot)

    async def snapshot(self, bot: BotName, *, blocks_within: int = 0) -> WorldSnapshot:
        return await self._bridge.snapshot(bot, blocks_within=blocks_within)

    async def whisper(
        self, bot: BotName, to: PlayerName, text: str, *, command: str = WHISPER_COMMAND
    ) -> None:
        self._refuse_once_shut(bot)
        await self._bridge.whisper(bot, to, text, command=command)

    async def chat(self, bot: BotName, text: str) -> None:
        self._refuse_once_shut(bot)
        await self._bridge.chat(bot, text)

    async def begin(
        self,
        bot: BotName,
        action_id: ActionId,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        shunned: tuple[Position, ...] = (),
    ) -> None:
        self._refuse_once_shut(bot)
        await self._bridge.begin(bot, action_id, action, deadline_s=deadline_s, shunned=shunned)

    async def cancel(self, bot: BotName) -> ActionId | None:
        return await self._bridge.cancel(bot)

    async def query(self, bot: BotName, query: Query[T]) -> T:
        return await self._bridge.query(bot, query)

    async def glance(self, bot: BotName, gaze: Gaze) -> Glance:
        return await self._bridge.glance(bot, gaze)

    async def see(self, bot: BotName, chunks: int) -> None:
        await self._bridge.see(bot, chunks)

    async def pause(self, bot: BotName) -> None:
        await self._bridge.pause(bot)

    async def resume(self, bot: BotName) -> None:
        await self._bridge.resume(bot)

    def events(self) -> AsyncIterator[BridgeEvent]:
        return self._arrivals.read()

    async def aclose(self) -> None:
        """Let the bots leave; the bridge goes on for the others."""
        if self._is_closed:
            return
        self._is_closed = True
        with suppress(TimeoutError):
            await self.shut()
        self._forget(self)
        self._arrivals.close()

    def _refuse_once_shut(self, bot: BotName) -> None:
        if self._is_shut or not self._may_act():
            raise NotConnected(bot)
