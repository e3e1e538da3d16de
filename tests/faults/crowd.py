"""Persons who come back whenever they fall out of the world, and hear whatever is whispered."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bridge.errors import BridgeError
from bridge.events import ChatHeard, WhisperReceived
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.world import BotName, PlayerName

JOIN_EVERY_S = 1.0
SPAWN_WITHIN_S = 10.0

Ear = Callable[[str, str, str], None]
"""Told who heard, who spoke, and the words."""


class Person:
    """One player."""

    def __init__(self, name: str, bridge: JSBridge) -> None:
        self.name = name
        self.heard: asyncio.Queue[tuple[str, str]] = asyncio.Queue(maxsize=1_000)
        self._bridge = bridge

    async def whispers(self, to: str, text: str) -> bool:
        """Whether it left; in a fault it may not."""
        try:
            await self._bridge.whisper(BotName(self.name), PlayerName(to), text)
        except BridgeError:
            return False
        return True

    def take(self, speaker: str, text: str) -> None:
        if self.heard.full():
            self.heard.get_nowait()
        self.heard.put_nowait((speaker, text))

    async def hears(self, from_: str, within_s: float) -> str:
        """The next line of this bot. Raises TimeoutError."""
        async with asyncio.timeout(within_s):
            while True:
                speaker, text = await self.heard.get()
                if speaker == from_:
                    return text

    def forget(self) -> None:
        """Drop what was heard so far."""
        while not self.heard.empty():
            self.heard.get_nowait()


class Crowd:
    """All persons; they join, again and again, the server that `address` names."""

    def __init__(self, bridge: JSBridge, address: Callable[[], ServerAddress], ear: Ear) -> None:
        self._bridge, self._address, self._ear = bridge, address, ear
        self._persons: dict[str, Person] = {}

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        names: tuple[str, ...],
        node: tuple[Path, Path],
        folder: Path,
        address: Callable[[], ServerAddress],
        ear: Ear,
    ) -> AsyncIterator["Crowd"]:
        bridge = JSBridge(*node, folder / "crowd.log")
        await bridge.start()
        crowd = cls(bridge, address, ear)
        crowd._persons = {name: Person(name, bridge) for name in names}
        tasks = [asyncio.create_task(crowd._keep_in(BotName(name))) for name in names]
        tasks.append(asyncio.create_task(crowd._listen()))
        try:
            yield crowd
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await bridge.aclose()

    def __getitem__(self, name: str) -> Person:
        return self._persons[name]

    @asynccontextmanager
    async def visited_by(self, name: str) -> AsyncIterator[Person]:
        """Somebody else, who leaves with the block."""
        person = self._persons[name] = Person(name, self._bridge)
        staying = asyncio.create_task(self._keep_in(BotName(name)))
        try:
            yield person
        finally:
            staying.cancel()
            await asyncio.gather(staying, return_exceptions=True)
            del self._persons[name]
            with suppress(BridgeError):
                await self._bridge.despawn(BotName(name))

    async def _keep_in(self, name: BotName) -> None:
        while True:
            if not await self._stands(name):
                with suppress(BridgeError, OSError, ValueError):  # the daemon may be away
                    await self._bridge.despawn(name)
                with suppress(BridgeError, OSError, ValueError):
                    await self._bridge.spawn(name, self._address(), timeout_s=SPAWN_WITHIN_S)
            await asyncio.sleep(JOIN_EVERY_S)

    async def _stands(self, name: BotName) -> bool:
        try:
            await self._bridge.snapshot(name)
        except BridgeError:
            return False
        return True

    async def _listen(self) -> None:
        async for event in self._bridge.events():
            if isinstance(event, WhisperReceived | ChatHeard) and event.bot in self._persons:
                self._ear(event.bot, event.sender, event.text)
                self._persons[event.bot].take(event.sender, event.text)
