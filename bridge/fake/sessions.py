"""The bots' connections to the simulated world, and what each hears through its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bridge.causes import Cause
from bridge.errors import NotConnected
from bridge.events import (
    BlockPlaced,
    BotDied,
    BotDisconnected,
    BotHurt,
    BotSpawned,
    BridgeEvent,
    ChatHeard,
    Ending,
    HealthChanged,
    ItemGiven,
    LineAnswered,
    PlayerDied,
    PlayerJoined,
    PlayerLeft,
    Refusal,
    WhisperReceived,
)
from bridge.fake.body import Body
from bridge.fake.spam import SpamScore
from bridge.fake.stream import EventStream
from bridge.fake.world import FakeWorld
from bridge.world import BotName, Death, PlayerName, Position


@dataclass(slots=True)
class Session:
    """One bot's connection."""

    spawned: BotSpawned
    view_chunks: int
    """Kept for tests: this world has no chunks, and bots see all of it."""
    spam: SpamScore = field(default_factory=SpamScore)
    held_back: list[BridgeEvent] | None = None
    """What the paused socket has not delivered; None = it is read."""


class Sessions:
    """Who is connected. Watches the world and turns what happens there into events."""

    def __init__(
        self,
        world: FakeWorld,
        stream: EventStream,
        *,
        lost: Callable[[BotName], object],
        died: Callable[[BotName], object],
    ) -> None:
        """`lost` is told of a bot whose connection ends, before the event; `died` of one
        that dies, before it is back in the world."""
        self._world, self._stream = world, stream
        self._lost, self._died = lost, died
        self._open: dict[BotName, Session] = {}
        world.watchers.append(self)

    def __contains__(self, bot: BotName) -> bool:
        return bot in self._open

    @property
    def bots(self) -> tuple[BotName, ...]:
        """Those in the world, by name."""
        return tuple(sorted(self._open))

    def require(self, bot: BotName) -> Session:
        """Raises NotConnected."""
        try:
            return self._open[bot]
        except KeyError:
            raise NotConnected(bot) from None

    def open(self, bot: BotName, view_chunks: int) -> BotSpawned:
        """Bring a bot into the world."""
        body = self._world.enter(PlayerName(bot))
        now = self._world.clock.now()
        spawned = BotSpawned(bot, self._world.version, body.position, now)
        self._open[bot] = Session(spawned, view_chunks)
        self._stream.put(spawned)
        return spawned

    def close(self, bot: BotName, ending: Ending, text: str) -> None:
        """Take a bot out of the world; its last words are delivered first."""
        self._end(bot, ending, text)
        self._world.leave(PlayerName(bot))

    def close_all(self, ending: Ending, text: str) -> None:
        for bot in tuple(self._open):
            self.close(bot, ending, text)

    def stop_watching(self) -> None:
        if self in self._world.watchers:
            self._world.watchers.remove(self)

    def pause(self, bot: BotName) -> None:
        session = self.require(bot)
        session.held_back = session.held_back or []

    def resume(self, bot: BotName) -> None:
        session = self.require(bot)
        held_back, session.held_back = session.held_back or [], None
        for event in held_back:
            self._stream.put(event)

    # --- told by the world -------------------------------------------------------

    def joined(self, player: PlayerName) -> None:
        now = self._world.clock.now()
        self._tell_others(player, lambda bot: PlayerJoined(bot, player, now))

    def left(self, player: PlayerName) -> None:
        now = self._world.clock.now()
        self._tell_others(player, lambda bot: PlayerLeft(bot, player, now))

    def chatted(self, sender: PlayerName, text: str) -> None:
        now = self._world.clock.now()
        self._tell_others(sender, lambda bot: ChatHeard(bot, sender, text, now))

    def answered(
        self, bot: BotName, to: PlayerName | None, text: str, refusal: Refusal | None
    ) -> None:
        self._tell(bot, LineAnswered(bot, to, text, refusal, self._world.clock.now()))

    def whispered(self, sender: PlayerName, to: PlayerName, text: str) -> None:
        bot = BotName(to)
        if bot in self._open:
            self._tell(bot, WhisperReceived(bot, sender, text, self._world.clock.now()))

    def changed_health(self, player: PlayerName) -> None:
        bot, body = BotName(player), self._world.bodies[player]
        if bot in self._open:
            now = self._world.clock.now()
            self._tell(bot, HealthChanged(bot, body.health, body.food, now))

    def hurt(self, player: PlayerName, lost: float, cause: Cause | None) -> None:
        bot, body, now = BotName(player), self._world.bodies[player], self._world.clock.now()
        if bot in self._open:
            here = body.position, body.dimension
            self._tell(bot, BotHurt(bot, lost, body.health, cause, *here, now))

    def given(self, player: PlayerName, thrown_by: PlayerName, item: str, count: int) -> None:
        bot = BotName(player)
        if bot in self._open:
            self._tell(bot, ItemGiven(bot, thrown_by, item, count, self._world.clock.now()))

    def placed(self, player: PlayerName, block: str, position: Position) -> None:
        placer, now = self._world.bodies[player], self._world.clock.now()
        for bot in self._watching(placer):
            told = BlockPlaced(bot, player, block, position, placer.dimension, now)
            self._tell(bot, told)

    def died(self, player: PlayerName, death: Death, cause: Cause | None) -> None:
        bot, body, now = BotName(player), self._world.bodies[player], self._world.clock.now()
        if bot in self._open:
            self._died(bot)
            self._tell(bot, BotDied(bot, death, cause, body.dimension, "", body.carried, now))
        for other in self._watching(body):
            self._tell(other, PlayerDied(other, player, death.position, body.dimension, now))

    def _watching(self, body: Body) -> list[BotName]:
        """The bots that see somebody else."""
        seers = {bot: self._world.bodies[PlayerName(bot)] for bot in self._open}
        return [
            bot for bot, seer in seers.items() if seer is not body and self._world.sees(seer, body)
        ]

    def removed(self, player: PlayerName, text: str, key: str) -> None:
        if BotName(player) in self._open:
            self._end(BotName(player), "kicked", text, key)

    def _end(self, bot: BotName, ending: Ending, text: str, key: str = "") -> None:
        self.resume(bot)
        self._lost(bot)
        del self._open[bot]
        self._stream.put(BotDisconnected(bot, ending, text, self._world.clock.now(), key))

    def _tell_others(self, player: PlayerName, event: Callable[[BotName], BridgeEvent]) -> None:
        for bot in self._open:
            if bot != BotName(player):
                self._tell(bot, event(bot))

    def _tell(self, bot: BotName, event: BridgeEvent) -> None:
        held_back = self._open[bot].held_back
        if held_back is None:
            self._stream.put(event)
        else:
            held_back.append(event)
