"""The bots' connections to the simulated world, and what each says and hears through its own.

Source of the spam rule: minecraft.wiki/w/Spam, ServerPlayer chat."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Mapping
from dataclasses import dataclass, field

from bridge.causes import Cause
from bridge.errors import BridgeError, HostError, LineTooLong, NotConnected
from bridge.events import (
    LEEWAY,
    RINGS,
    ActionProgress,
    BlockPlaced,
    BotDied,
    BotDisconnected,
    BotEndangered,
    BotHurt,
    BotSpawned,
    BridgeEvent,
    ChatHeard,
    Ending,
    HandOverSeen,
    Harm,
    HealthChanged,
    ItemGiven,
    LineAnswered,
    MonstersNear,
    PlayerDied,
    PlayerHurt,
    PlayerJoined,
    PlayerLeft,
    Refusal,
    WhisperReceived,
)
from bridge.fake.body import Body
from bridge.fake.terrain import PASSABLE, Drop
from bridge.fake.world import ROOM, FakeWorld
from bridge.world import BotName, Death, PlayerName, Position, is_day

COST_OF_A_LINE = 20
DECAY_PER_SECOND = 20  # one a tick
KICK_ABOVE = 200
KICK_TEXT, KICK_KEY = "Kicked for spamming", "disconnect.spam"

LINE_LIMIT = 256  # UTF-16 units, header included
OLD_LINE_LIMIT = 100  # up to Minecraft 1.10
PLAYER_NAME = re.compile(r"\w{1,16}", re.ASCII)
ONE_TARGET = re.compile(r"[^@\s]\S{0,31}")  # no selector: `@a` would reach everyone

UNREAD_EVENTS = 300_000
HARMFUL: frozenset[Harm] = frozenset({"lava", "fire"})
LITTLE_AIR = 157  # ticks of breath: ten half bubbles, as in danger.cjs


class SpamScore:
    """How near one player is to being kicked for talking."""

    def __init__(self) -> None:
        self._score, self._at_s = 0.0, 0.0

    def after_line(self, now_s: float) -> bool:
        """Count a line; True when it is one too many."""
        decayed = self._score - (now_s - self._at_s) * DECAY_PER_SECOND
        self._score, self._at_s = max(0.0, decayed) + COST_OF_A_LINE, now_s
        return self._score > KICK_ABOVE


def whisper_line(command: str, to: str, text: str, version: str) -> str:
    """The line of a whisper. Raises LineTooLong, and HostError for what names no player."""
    if not ONE_TARGET.fullmatch(to):
        raise HostError("whisper", f"{to!r} is no player's name")
    return _fitting(f"/{command} {to} {text}", version)


def chat_line(text: str, version: str) -> str:
    """The line of public chat, a command's slash widened. Raises LineTooLong."""
    return _fitting(re.sub(r"^(\s*)/", r"\1／", text), version)


def normalized(text: str) -> str:
    """The text as the server passes it on: trimmed, with single spaces."""
    return " ".join(text.split())


def has_illegal_characters(text: str) -> bool:
    """Whether the server kicks whoever sends this. Source: minecraft.wiki/w/Chat."""
    return any(char == "§" or char < " " or char == "\x7f" for char in normalized(text))


def _fitting(line: str, version: str) -> str:
    length, limit = len(line.encode("utf-16-le")) // 2, _limit(version)
    if length > limit:
        raise LineTooLong(length, limit)
    return line


def _limit(version: str) -> int:
    major, minor, *_ = (*version.split("."), "0")
    return OLD_LINE_LIMIT if int(major) == 1 and int(minor) <= 10 else LINE_LIMIT


class TooManyUnread(BridgeError):
    """More events wait than the stream holds: nobody reads them."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} events wait unread")
        self.limit = limit


class EventStream:
    """First in, first out, for one reader. Of unread progress and health only the newest
    waits, in its newest place; beyond `limit` the next event raises `TooManyUnread` where
    it happens, because losing it silently would hide the fault."""

    def __init__(self, limit: int = UNREAD_EVENTS) -> None:
        self._unread: OrderedDict[Hashable, BridgeEvent] = OrderedDict()
        self._numbers = itertools.count()
        self._limit = limit
        self._woken = asyncio.Event()
        self._is_closed = self._is_awaited = False

    def put(self, event: BridgeEvent) -> None:
        """Add an event; after `close` it is dropped."""
        if self._is_closed:
            return
        if len(self._unread) >= self._limit:
            raise TooManyUnread(self._limit)
        key = self._key(event)
        self._unread.pop(key, None)
        self._unread[key] = event
        self._woken.set()

    def close(self) -> None:
        """End the stream once what is unread has been read."""
        self._is_closed = True
        self._woken.set()

    async def read(self) -> AsyncIterator[BridgeEvent]:
        """Every event, until closed. A reader that stopped may be followed by another; one
        that comes while another waits gets a RuntimeError."""
        while self._unread or not self._is_closed:
            if self._unread:
                yield self._unread.popitem(last=False)[1]
                continue
            if self._is_awaited:
                raise RuntimeError("events() has one reader")
            self._is_awaited = True
            self._woken.clear()
            try:
                await self._woken.wait()
            finally:
                self._is_awaited = False

    def _key(self, event: BridgeEvent) -> Hashable:
        match event:
            case HealthChanged(health=health) if health > 0:
                return "health", event.bot
            case ActionProgress():
                return "progress", event.action_id
            case MonstersNear() | BotEndangered():
                return type(event), event.bot
            case _:
                return next(self._numbers)


def _ring(away: float, before: int | None) -> int:
    """The number of the ring that a monster is in; beyond the last: as many as there are."""
    reach = [ring + LEEWAY * (number == before) for number, ring in enumerate(RINGS)]
    return next((number for number, blocks in enumerate(reach) if away <= blocks), len(RINGS))


@dataclass(slots=True)
class Session:
    """One bot's connection."""

    spawned: BotSpawned
    view_chunks: int
    """Kept for tests: this world has no chunks, and bots see all of it."""
    spam: SpamScore = field(default_factory=SpamScore)
    near: Mapping[int, int] = field(default_factory=dict)
    """The monsters that were told of, each with its ring."""
    harms: frozenset[Harm] = frozenset()
    """What was told that harms it."""
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
        self._look_around(bot, self._open[bot])
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
        self._tell(bot, WhisperReceived(bot, sender, text, self._world.clock.now()))

    def changed_health(self, player: PlayerName) -> None:
        bot, body, now = BotName(player), self._world.bodies[player], self._world.clock.now()
        self._tell(bot, HealthChanged(bot, body.health, body.food, now))

    def looked_around(self) -> None:
        for bot, session in self._open.items():
            self._look_around(bot, session)

    def _look_around(self, bot: BotName, session: Session) -> None:
        body, now = self._world.bodies[PlayerName(bot)], self._world.clock.now()
        far = body.position.distance_to
        mobs = self._world.mobs if body.dimension == "overworld" else []
        around = sorted((mob for mob in mobs if mob.hostile), key=lambda mob: far(mob.position))
        rings = {mob.id: _ring(far(mob.position), session.near.get(mob.id)) for mob in around}
        near = {number: ring for number, ring in rings.items() if ring < len(RINGS)}
        if near != session.near:
            session.near = near
            self._tell(bot, MonstersNear(bot, tuple(mob for mob in around if mob.id in near), now))
        feet, head = map(self._world.terrain(body.dimension).block, body.cells)
        harms = HARMFUL & {feet, head}
        is_dark = self._world.difficulty != "peaceful" and not is_day(self._world.time_of_day)
        if is_dark and body.dimension == "overworld":
            harms |= {"night"}
        if head not in PASSABLE | HARMFUL:
            harms |= {"buried"}
        harms |= {"burning"} if body.condition.burning else set()
        harms |= {"airless"} if body.condition.breath <= LITTLE_AIR else set()
        if harms != session.harms:
            session.harms = harms
            self._tell(bot, BotEndangered(bot, harms, now))

    def hurt(self, player: PlayerName, lost: float, cause: Cause | None) -> None:
        bot, body, now = BotName(player), self._world.bodies[player], self._world.clock.now()
        here = body.position, body.dimension
        self._tell(bot, BotHurt(bot, lost, body.health, cause, *here, now))
        for other in self._watching(body):
            self._tell(other, PlayerHurt(other, player, *here, now))

    def given(self, player: PlayerName, drop: Drop, count: int) -> None:
        bot, now, thrower = BotName(player), self._world.clock.now(), PlayerName(drop.thrown_by)
        is_for_it = drop.is_for(player, self._world.clock.monotonic())
        meant_for = None if is_for_it else PlayerName(drop.meant_for)
        self._tell(bot, ItemGiven(bot, thrower, drop.item, count, now, meant_for))

    def handed(self, giver: PlayerName, taker: PlayerName) -> None:
        at = self._world.bodies[taker]
        for bot in self._watching(at):
            here = self._world.bodies[PlayerName(bot)].position
            if bot != BotName(giver) and here.distance_to(at.position) < ROOM:
                self._tell(bot, HandOverSeen(bot, giver, taker, self._world.clock.now()))

    def placed(self, player: PlayerName, block: str, position: Position) -> None:
        placer, now = self._world.bodies[player], self._world.clock.now()
        for bot in self._watching(placer):
            self._tell(bot, BlockPlaced(bot, player, block, position, placer.dimension, now))

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
        """Deliver an event over the connection of a bot; a person or an absent bot has none."""
        session = self._open.get(bot)
        if session is not None and session.held_back is not None:
            session.held_back.append(event)
        elif session is not None:
            self._stream.put(event)
