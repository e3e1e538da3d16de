"""The second implementation of the port: no Node, no network, a world in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from bridge.actions import Action, Gaze, Glance, Query
from bridge.errors import SpawnFailed
from bridge.events import ActionId, BotSpawned, BridgeEvent, BridgeLost, BridgeRestored
from bridge.fake.actions import RunningActions
from bridge.fake.body import Body
from bridge.fake.crossing import Crossing, Faults, Refusal
from bridge.fake.sensing import answer, take_snapshot, turn_head
from bridge.fake.sessions import (
    KICK_KEY,
    KICK_TEXT,
    PLAYER_NAME,
    EventStream,
    Sessions,
    chat_line,
    has_illegal_characters,
    normalized,
    whisper_line,
)
from bridge.fake.world import FakeWorld
from bridge.port import (
    ACTION_DEADLINE_S,
    SPAWN_TIMEOUT_S,
    WHISPER_COMMAND,
    WIDE_VIEW_CHUNKS,
    ServerAddress,
)
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

T = TypeVar("T")

ILLEGAL_TEXT = "Illegal characters in chat"
ILLEGAL_KEY = "multiplayer.disconnect.illegal_characters"
NODE_RESTART_S = 0.05


@dataclass(frozen=True, slots=True)
class SentLine:
    """One line a bot said; `to` is None for public chat."""

    bot: BotName
    to: PlayerName | None
    text: str
    at: datetime


class FakeBridge:
    """A `Bridge` over a `FakeWorld`, with faults to order.

    `world` arranges and shows the world, `faults` scripts what fails, `sent` lists every
    line the bots said. Actions take virtual time: see `VirtualClock`. With
    `vanilla_spam_rule` the server kicks bots that talk too fast.

    Bodies step from block to block; nothing else of motion is simulated. Water and ladders are
    air to them: nobody swims or climbs. Doors and gates are walls that never open. A fall
    hurts nobody, and none leads deeper than three blocks. Other harm comes after `endanger`."""

    def __init__(self, world: FakeWorld | None = None, *, vanilla_spam_rule: bool = False) -> None:
        self.world = world or FakeWorld()
        self.faults = Faults()
        self.sent: list[SentLine] = []
        self._spam_rule = vanilla_spam_rule
        self._stream = EventStream()
        self._crossing = Crossing(self.world.clock, self.faults)
        self._actions = RunningActions(self.world, self._stream.put)
        self._sessions = Sessions(
            self.world,
            self._stream,
            lost=lambda bot: self._actions.end(bot, "disconnected"),
            died=self._died,
        )
        self._restart: asyncio.Future[None] | None = None

    def _died(self, bot: BotName) -> None:
        at = self.world.body(bot).position
        where = {"position": [at.x, at.y, at.z]}
        self._actions.end(bot, "failed", "the bot died", "died", where)

    def arrive(self, event: BridgeEvent) -> None:
        """Let an event come in that this world does not make by itself."""
        self._stream.put(event)

    # --- the port ----------------------------------------------------------------

    async def spawn(
        self,
        bot: BotName,
        server: ServerAddress,
        *,
        timeout_s: float = SPAWN_TIMEOUT_S,
        view_chunks: int = WIDE_VIEW_CHUNKS,
    ) -> BotSpawned:
        await self._crossing.go("spawn", bot)
        if bot not in self._sessions:
            refusal = self.faults.take_refusal(bot) or self._refusal(bot, server)
            if refusal is not None:
                if refusal.ending == "spawn_timeout":
                    await self._crossing.wait("spawn", timeout_s)
                raise SpawnFailed(bot, refusal.ending, refusal.text)
        if bot not in self._sessions:
            self._sessions.open(bot, view_chunks)
        return self._sessions.require(bot).spawned

    async def despawn(self, bot: BotName) -> None:
        await self._crossing.go("despawn", bot)
        self._sessions.require(bot)
        self._sessions.close(bot, "requested", "")

    async def snapshot(self, bot: BotName, *, blocks_within: int = 0) -> WorldSnapshot:
        await self._crossing.go("snapshot", bot)
        return take_snapshot(self.world, self._body(bot), blocks_within)

    async def whisper(
        self, bot: BotName, to: PlayerName, text: str, *, command: str = WHISPER_COMMAND
    ) -> None:
        await self._crossing.go("whisper", bot)
        self._sessions.require(bot)
        whisper_line(command, to, text, self.world.version)
        self._say(bot, to, text, command)

    async def chat(self, bot: BotName, text: str) -> None:
        await self._crossing.go("chat", bot)
        self._sessions.require(bot)
        self._say(bot, None, chat_line(text, self.world.version))

    async def begin(
        self,
        bot: BotName,
        action_id: ActionId,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        shunned: tuple[Position, ...] = (),
    ) -> None:
        await self._crossing.go("begin", bot)
        self._actions.begin(self._body(bot), action_id, action, deadline_s, shunned)

    async def cancel(self, bot: BotName) -> ActionId | None:
        await self._crossing.go("cancel", bot)
        self._body(bot).window = None
        return self._actions.end(bot, "cancelled")

    async def query(self, bot: BotName, query: Query[T]) -> T:
        await self._crossing.go("query", bot)
        return answer(self.world, self._body(bot), query)

    async def glance(self, bot: BotName, gaze: Gaze) -> Glance:
        await self._crossing.go("glance", bot)
        body = self._body(bot)
        if self.action_of(bot) is not None:
            return "busy"
        return turn_head(self.world, body, gaze)

    async def see(self, bot: BotName, chunks: int) -> None:
        await self._crossing.go("see", bot)
        self._sessions.require(bot).view_chunks = chunks

    async def pause(self, bot: BotName) -> None:
        await self._crossing.go("pause", bot)
        self._sessions.pause(bot)

    async def resume(self, bot: BotName) -> None:
        await self._crossing.go("resume", bot)
        self._sessions.resume(bot)

    def events(self) -> AsyncIterator[BridgeEvent]:
        return self._stream.read()

    async def aclose(self) -> None:
        self._crossing.cut("the bridge is closed")
        if self._restart is not None:
            self._restart.cancel()
        self._sessions.close_all("requested", "")
        self._sessions.stop_watching()
        await self._actions.aclose()
        self._stream.close()

    # --- faults that strike at once ----------------------------------------------

    def drop_connection(self, bot: str, text: str = "socketClosed") -> None:
        """The network fails under one bot: `BotDisconnected("end")`."""
        self._sessions.require(BotName(bot))
        self._sessions.close(BotName(bot), "end", text)

    def kick(self, bot: str, text: str) -> None:
        """The server throws one bot out: `BotDisconnected("kicked")`."""
        self._sessions.require(BotName(bot))
        self.world.kick(bot, text)

    def kill_node(
        self, why: str = "Node died", *, back_after_s: float | None = NODE_RESTART_S
    ) -> None:
        """All bots are gone at once and commands under way raise `BridgeDown`. Node is back
        after this much virtual time; with None only when `restore_node` is called."""
        self._crossing.cut(why)
        self._stream.put(BridgeLost(why, self.world.clock.now(), self._sessions.bots))
        self._sessions.close_all("node_died", why)
        if back_after_s is not None:
            self._restart = self.world.clock.timer(back_after_s)
            self._restart.add_done_callback(
                lambda timer: None if timer.cancelled() else self.restore_node(back_after_s)
            )

    def restore_node(self, after_s: float = 0.0) -> None:
        """Node is back; `BridgeRestored` follows."""
        self._crossing.mend()
        self._stream.put(BridgeRestored(after_s, self.world.clock.now()))

    @property
    def running_actions(self) -> int:
        """How many actions are under way, over all bots."""
        return self._actions.count

    def action_of(self, bot: str) -> ActionId | None:
        """The action that a bot is doing in the world; None when it does nothing."""
        return self._actions.current(BotName(bot))

    def view_chunks_of(self, bot: str) -> int:
        """How far around it a bot asked to have the world sent to it. Raises NotConnected."""
        return self._sessions.require(BotName(bot)).view_chunks

    def _body(self, bot: BotName) -> Body:
        self._sessions.require(bot)
        return self.world.body(bot)

    def _refusal(self, bot: BotName, server: ServerAddress) -> Refusal | None:
        world = self.world
        if not PLAYER_NAME.fullmatch(bot):
            return Refusal("error", f"{bot!r} is no player's name: 1 to 16 letters, digits or _")
        if not world.is_up or world.address not in (None, server):
            return Refusal("error", "ECONNREFUSED")
        if server.version not in (None, world.version):
            return Refusal("spawn_timeout", "")  # a server of another version stays silent
        return None

    def _say(self, bot: BotName, to: PlayerName | None, text: str, command: str = "") -> None:
        """Keep the line, let the server carry it, and be kicked when the server would."""
        now_s = self.world.clock.monotonic()
        self.sent.append(SentLine(bot, to, text, self.world.clock.now()))
        if has_illegal_characters(text):
            self.world.kick(bot, ILLEGAL_TEXT, ILLEGAL_KEY)
            return
        spam = self._sessions.require(bot).spam
        if not self.faults.swallows(bot, to):
            refusal = self.world.refusal_of(command, to)
            self._sessions.answered(bot, to, text, refusal)
            carried = normalized(text)
            if refusal is None and carried and to is None:
                self.world.chat(PlayerName(bot), carried)
            elif refusal is None and carried and to is not None:
                self.world.whisper(PlayerName(bot), to, carried)
        if self._spam_rule and spam.after_line(now_s):
            self.world.kick(bot, KICK_TEXT, KICK_KEY)
