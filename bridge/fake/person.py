"""A scripted player: speaks when told to and keeps what they hear."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from bridge.fake.body import Body
from bridge.world import PlayerName, Position


class Surroundings(Protocol):
    """What a person needs of a world; `FakeWorld` is one."""

    @property
    def bodies(self) -> Mapping[PlayerName, Body]: ...

    def whisper(self, sender: PlayerName, to: PlayerName, text: str) -> object: ...

    def chat(self, sender: PlayerName, text: str) -> object: ...

    def move(self, body: Body, position: Position) -> object: ...

    def place(self, body: Body, block: str, position: Position) -> object: ...

    def leave(self, name: PlayerName) -> object: ...


@dataclass(frozen=True, slots=True)
class Heard:
    """One line that reached a person."""

    sender: PlayerName
    text: str


class Person:
    """A human stand-in. `inbox` keeps every whisper, `overheard` every line of chat."""

    def __init__(self, world: Surroundings, body: Body) -> None:
        self.name, self.body = body.name, body
        self.inbox: list[Heard] = []
        self.overheard: list[Heard] = []
        self._world = world
        self._read = 0
        self._spoken_to = asyncio.Event()

    @property
    def is_online(self) -> bool:
        return self._world.bodies.get(self.name) is self.body

    def whisper(self, to: str, text: str) -> None:
        """Whisper to a bot or a person; to somebody absent nothing arrives."""
        self._world.whisper(self.name, PlayerName(to), text)

    def chat(self, text: str) -> None:
        self._world.chat(self.name, text)

    def move_to(self, position: Position) -> None:
        """Be there at once, picking up what lies there."""
        self._world.move(self.body, position)

    def place(self, block: str, position: Position) -> None:
        """Put a block down, or take one away with `air`, however far away; bots that see the
        person notice."""
        self._world.place(self.body, block, position)

    def leave(self) -> None:
        self._world.leave(self.name)

    async def hears(self, timeout_s: float = 30.0) -> Heard:
        """The next whisper not yet taken this way. Raises TimeoutError (real seconds)."""
        async with asyncio.timeout(timeout_s):
            while self._read >= len(self.inbox):
                self._spoken_to.clear()
                await self._spoken_to.wait()
        self._read += 1
        return self.inbox[self._read - 1]

    def take_whisper(self, sender: PlayerName, text: str) -> None:
        self.inbox.append(Heard(sender, text))
        self._spoken_to.set()

    def take_chat(self, sender: PlayerName, text: str) -> None:
        self.overheard.append(Heard(sender, text))
