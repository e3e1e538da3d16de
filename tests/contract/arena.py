"""What the bridge contract needs of a world it can arrange, and how it watches events."""

import asyncio
import itertools
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import anyio

from bridge.actions import Action, BlockAt
from bridge.errors import NotConnected
from bridge.events import ActionFinished, ActionId, BotSpawned, BridgeEvent, WhisperReceived
from bridge.port import ACTION_DEADLINE_S, Bridge, ServerAddress
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

WITHIN_S = 15.0  # a real server on a busy machine
LOOK_AGAIN_S = 0.02
GROUND_Y = 64  # feet on the flat, clear chunk around the spawn point
CENTRE = Position(8.5, GROUND_Y, 8.5)

_numbers = itertools.count(1)
Event = TypeVar("Event", bound=BridgeEvent)
T = TypeVar("T")


def cell(dx: int, dy: int, dz: int) -> Position:
    """A block counted from the one a bot's feet are in at the centre."""
    return Position(8 + dx, GROUND_Y + dy, 8 + dz)


def unique(name: str) -> str:
    """A name nobody had before in this run; 16 characters at most."""
    return f"{name}{next(_numbers)}"


@dataclass(frozen=True)
class Line:
    """A whisper that reached a person."""

    sender: str
    text: str


class ArenaPerson(Protocol):
    """Another player: scripted in the fake, a second client on a real server."""

    @property
    def name(self) -> PlayerName: ...

    async def whisper(self, to: str, text: str) -> None: ...

    async def hears(self) -> Line:
        """The next whisper; waits a bounded time."""
        ...

    async def leave(self) -> None: ...


class EventLog:
    """Reads a bridge's events from the start and lets tests wait for one."""

    def __init__(self, bridge: Bridge, within_s: float = WITHIN_S) -> None:
        self._bridge, self._within_s = bridge, within_s
        self._seen: list[BridgeEvent] = []
        self._woken = asyncio.Event()

    async def read(self) -> None:
        """Runs until the bridge is closed."""
        async for event in self._bridge.events():
            self._seen.append(event)
            self._woken.set()

    def all(self, kind: type[Event], **fields: Any) -> list[Event]:
        """The events so far of a kind whose fields have these values."""
        of_kind = (event for event in self._seen if isinstance(event, kind))
        return [e for e in of_kind if all(getattr(e, f) == v for f, v in fields.items())]

    def index(self, event: BridgeEvent) -> int:
        return self._seen.index(event)

    async def first(self, kind: type[Event], **fields: Any) -> Event:
        """The first such event, waited for. Raises TimeoutError."""
        return (await self.take(1, kind, **fields))[0]

    async def take(self, count: int, kind: type[Event], **fields: Any) -> list[Event]:
        """The first so many such events, waited for. Raises TimeoutError."""
        with anyio.fail_after(self._within_s):
            while len(found := self.all(kind, **fields)) < count:
                self._woken.clear()
                await self._woken.wait()
        return found[:count]


class SecondClient:
    """A person played by another bot of the same bridge."""

    def __init__(self, bridge: Bridge, log: EventLog, bot: BotName) -> None:
        self._bridge, self._log, self._bot = bridge, log, bot
        self._heard = 0
        self.name = PlayerName(bot)

    async def whisper(self, to: str, text: str) -> None:
        await self._bridge.whisper(self._bot, PlayerName(to), text)

    async def hears(self) -> Line:
        self._heard += 1
        heard = (await self._log.take(self._heard, WhisperReceived, bot=self._bot))[-1]
        return Line(heard.sender, heard.text)

    async def leave(self) -> None:
        await self._bridge.despawn(self._bot)


class Arena(ABC):
    """One bridge on one world. Bots join through `bot`, so that `clear` sends them away."""

    version = "1.16.5"
    """The server's Minecraft version."""
    line_limit = 256
    keeps_spaces = False
    """Whether the server carries several spaces in a row; since 1.19."""
    """UTF-16 units of one chat line, `/tell NAME ` included."""

    def __init__(self, bridge: Bridge, server: ServerAddress, log: EventLog) -> None:
        self.bridge, self.server, self.log = bridge, server, log
        self._bots: list[BotName] = []
        self.shunned: tuple[Position, ...] = ()
        """What its bots walk around, until `clear`."""

    async def bot(self, name: str = "Alice", at: Position = CENTRE, **items: int) -> BotName:
        """A new bot that stands somewhere and carries these items alone."""
        bot = BotName(unique(name))
        await self.spawn(bot)
        await self.teleport(bot, at)
        for item, count in items.items():
            await self.give(bot, item, count)
        return bot

    async def spawn(self, bot: BotName) -> BotSpawned:
        self._bots.append(bot)
        return await self.bridge.spawn(bot, self.server)

    async def begin(
        self, bot: BotName, action: Action, deadline_s: float = ACTION_DEADLINE_S
    ) -> ActionId:
        action_id = ActionId(unique(action.kind))
        where = self.shunned
        await self.bridge.begin(bot, action_id, action, deadline_s=deadline_s, shunned=where)
        return action_id

    async def finished(self, action_id: ActionId) -> ActionFinished:
        return await self.log.first(ActionFinished, action_id=action_id)

    async def perform(self, bot: BotName, action: Action) -> ActionFinished:
        """Begin an action and wait for its end."""
        return await self.finished(await self.begin(bot, action))

    async def ends(self, bot: BotName, action: Action) -> str:
        """Why an action failed, or else how it ended."""
        finished = await self.perform(bot, action)
        return finished.reason or finished.outcome

    async def sees(self, bot: BotName, is_so: Callable[[WorldSnapshot], bool]) -> WorldSnapshot:
        """A snapshot of which this is so, waited for. Raises TimeoutError."""

        async def look() -> WorldSnapshot | None:
            seen = await self.bridge.snapshot(bot)
            return seen if is_so(seen) else None

        return await eventually(look)

    async def sees_at(self, bot: BotName, name: str, place: Position | None) -> WorldSnapshot:
        """A snapshot in which a player is there; None = out of view. Raises TimeoutError."""

        def is_there(seen: WorldSnapshot) -> bool:
            player = seen.player(PlayerName(name))
            return player is not None and player.position == place

        return await self.sees(bot, is_there)

    async def block(self, bot: BotName, position: Position) -> str:
        """The name of a block as the bot knows it."""
        (sighting,) = await self.bridge.query(bot, BlockAt(position))
        return sighting.name

    async def build(self, name: str, *positions: Position) -> None:
        """`set_block` at each."""
        for position in positions:
            await self.set_block(position, name)

    async def clear(self) -> None:
        """Send this test's bots away and put the world back."""
        for bot in self._bots:
            if await self._is_connected(bot):
                await self.bridge.despawn(bot)
        self._bots.clear()
        self.shunned = ()
        await self.restore()

    async def _is_connected(self, bot: BotName) -> bool:
        try:
            await self.bridge.snapshot(bot)
        except NotConnected:
            return False
        return True

    @property
    @abstractmethod
    def nowhere(self) -> ServerAddress:
        """An address at which nobody listens."""

    @abstractmethod
    async def person(self, name: str = "Steve", at: Position = CENTRE) -> ArenaPerson: ...

    @abstractmethod
    async def give(self, bot: BotName, item: str, count: int = 1) -> None:
        """The bot carries it when this returns."""

    @abstractmethod
    async def set_block(self, position: Position, name: str) -> None:
        """Every bot knows it when this returns; put back by `restore`."""

    @abstractmethod
    async def teleport(self, player: str, position: Position) -> None:
        """The player knows it when this returns."""

    @abstractmethod
    async def set_health(self, bot: BotName, health: float, food: float) -> None: ...

    @abstractmethod
    async def kill(self, bot: BotName) -> None:
        """As `/kill` does."""

    @abstractmethod
    async def animal(self, kind: str, at: Position) -> None:
        """A grown one comes to stand there."""

    @abstractmethod
    async def kick(self, bot: BotName, text: str) -> None: ...

    @abstractmethod
    async def restore(self) -> None:
        """Undo `set_block`, remove what lies around and persons."""


async def eventually(look: Callable[[], Awaitable[T | None]]) -> T:
    """What `look` gives as soon as that is something. Raises TimeoutError."""
    with anyio.fail_after(WITHIN_S):
        while True:
            found = await look()
            if found is not None:
                return found
            await anyio.sleep(LOOK_AGAIN_S)  # the world tells nobody of its smallest changes
