"""Players beside the daemon's bots: real clients, carried by a Node of the test's own."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from bridge.actions import Action, LookAt, MoveTo, Toss, Wait
from bridge.errors import NotConnected
from bridge.events import ActionFinished, ActionId, WhisperReceived
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.world import BotName, PlayerName, Position, WorldSnapshot

ANSWER_WITHIN_S = 8.0  # what is promised for an answer's first line

LOOK_AGAIN_S = 0.05
AIMED = Wait(0.15)  # until the server knows where somebody looks

_numbers = itertools.count(1)
_walks = itertools.count(1)


class Player:
    """One client in the world."""

    def __init__(self, bridge: JSBridge, name: BotName) -> None:
        self.name = name
        self.heard: list[WhisperReceived] = []
        """All so far; times are those of its arrival."""
        self._bridge = bridge
        self._read = 0
        self.ended: set[ActionId] = set()
        self.woken = asyncio.Event()

    async def whispers(self, to: str, text: str) -> None:
        await self._bridge.whisper(self.name, PlayerName(to), text)

    async def says(self, text: str) -> None:
        """Say it in public chat."""
        await self._bridge.chat(self.name, text)

    async def hears(
        self, from_: str, within_s: float = ANSWER_WITHIN_S, containing: str = ""
    ) -> str:
        """The next line of this sender with these words, not heard before. Raises TimeoutError,
        with what was heard in its place."""
        begun = self._read
        try:
            async with asyncio.timeout(within_s):
                return await self._next_line(from_, containing)
        except TimeoutError:
            instead = [f"{line.sender}: {line.text}" for line in self.heard[begun:]]
            raise TimeoutError(f"no {containing!r} of {from_}, but {instead}") from None

    async def _next_line(self, from_: str, containing: str) -> str:
        while True:
            for line in self.heard[self._read :]:
                self._read += 1
                if line.sender == from_ and containing in line.text:
                    return line.text
            self.woken.clear()
            await self.woken.wait()

    async def asks(self, bot: str, text: str, within_s: float = ANSWER_WITHIN_S) -> str:
        """Whisper and wait for the first line of the answer."""
        await self.whispers(bot, text)
        return await self.hears(bot, within_s)

    async def tells_server(self, command: str) -> None:
        """Type a command of the server's, with its slash: here persons are operators."""
        await self._bridge._run("send_raw", self.name, {"text": command})

    async def walks(self, to: Position) -> None:
        """Set off; this does not wait for the arrival."""
        action = ActionId(f"{self.name}-{next(_walks)}")
        await self._bridge.begin(self.name, action, MoveTo(to))

    async def throws(self, item: str, count: int = 1, to: Position | None = None) -> None:
        """Throw down, or to a place, what is on its way into the bag; return once it is gone."""
        if to is not None:
            await self.does(LookAt(to))
            await self.does(AIMED)
        await self.carries(item, lambda carried: carried >= count)
        action = ActionId(f"{self.name}-{next(_walks)}")
        await self._bridge.begin(self.name, action, Toss(item, count))
        await self.carries(item, lambda carried: carried < count)

    async def does(self, action: Action) -> None:
        """Act until that has ended."""
        number = ActionId(f"{self.name}-{next(_walks)}")
        await self._bridge.begin(self.name, number, action)
        async with asyncio.timeout(ANSWER_WITHIN_S):
            while number not in self.ended:
                self.woken.clear()
                await self.woken.wait()

    async def carries(self, item: str, enough: Callable[[int], bool]) -> None:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            while not enough((await self.sees()).count(item)):  # noqa: ASYNC110 - it is not told
                await asyncio.sleep(LOOK_AGAIN_S)

    async def sees(self) -> WorldSnapshot:
        return await self._bridge.snapshot(self.name)

    def take(self, line: WhisperReceived) -> None:
        self.heard.append(line)
        self.woken.set()


class People:
    """All players of one test module: a Python process carries one Node."""

    def __init__(self, bridge: JSBridge) -> None:
        self._bridge = bridge
        self._players: dict[BotName, Player] = {}

    @classmethod
    @asynccontextmanager
    async def open(cls, node: Path, node_dir: Path, folder: Path) -> AsyncIterator["People"]:
        bridge = JSBridge(node, node_dir, folder / "people.log")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TOWNSFOLK_HOST_PROBES", "1")  # players type server commands too
            await bridge.start()
        people = cls(bridge)
        listening = asyncio.create_task(people._listen())
        try:
            yield people
        finally:
            await bridge.aclose()
            await listening

    @asynccontextmanager
    async def player(
        self, server: ServerAddress, name: str = "Steve", *, is_known: bool = False
    ) -> AsyncIterator[Player]:
        """A player in the world for as long as the block lasts; a name nobody had before, unless
        the bots are to know this one."""
        bot = BotName(name if is_known else f"{name}{next(_numbers)}")
        player = self._players[bot] = Player(self._bridge, bot)
        await self._bridge.spawn(bot, server)
        try:
            yield player
        finally:
            del self._players[bot]
            with suppress(NotConnected):  # the server may be gone, and the player with it
                await self._bridge.despawn(bot)

    async def _listen(self) -> None:
        async for event in self._bridge.events():
            match event:
                case WhisperReceived(bot=bot) if bot in self._players:
                    self._players[bot].take(event)
                case ActionFinished(bot=bot, action_id=action) if bot in self._players:
                    self._players[bot].ended.add(action)
                    self._players[bot].woken.set()
