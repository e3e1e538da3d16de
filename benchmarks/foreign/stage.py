"""Who is there when scenes are played: a daemon with its bot, and people who watch it."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.child import Child
from benchmarks.stand import logging_to_file, started_bridge
from bots.app import Daemon
from bots.bot.bot import Bot
from bots.bot.result import Failure, Result
from bots.commands.catalogue import handle_chat_command
from bots.daemon.connection import Connection
from bots.settings.settings import Settings
from bridge.diagnosis import Diagnosis, diagnose
from bridge.errors import SpawnFailed
from bridge.node import NodeRuntime
from bridge.port import Bridge, ServerAddress
from bridge.world import BotName, Position, WorldSnapshot

PEOPLE = Path(__file__).with_name("people.cjs")
JOINS_WITHIN_S = 30.0
OBEYS_WITHIN_S = 25.0
SHOWN_WITHIN_S = 3.0
"""What one did is with the others, on a busy machine."""
LOOK_AGAIN_S = 0.05
TRIES, THROTTLED_S = 4, 5.0
"""To join where Spigot asks to wait; it wants 4 s."""

_numbers = itertools.count(1)
Restart = Callable[[], Awaitable[None]]


class NotHeld(Exception):
    """It did not come out; the text is what was seen instead."""


class NotTried(Exception):
    """The server does not let us; the text is whose hand it needs."""


class NotLetIn(Exception):
    """Somebody could not join; the text says why and what would be right."""


@dataclass(frozen=True, slots=True)
class Names:
    """Nobody of a server may have them while scenes are played."""

    bot: str = "Alice"
    watcher: str = "Steve"
    """Is there before the bot."""
    comer: str = "Alex"
    """Comes after it."""


NAMES = Names()


class Person:
    """One plain client; all of them live in one Node process."""

    def __init__(self, child: Child, name: str, turn: asyncio.Lock) -> None:
        self.name = name
        self.is_here = False
        self._child, self._turn = child, turn

    async def does(self, order: str, **facts: Any) -> dict[str, Any]:
        """Carry out an order of people.cjs. Raises NotHeld with the client's own words."""
        async with self._turn:
            asked = {"n": next(_numbers), "who": self.name, "order": order, **facts}
            answer: dict[str, Any] = await self._child.ask(asked, OBEYS_WITHIN_S)
            while answer["n"] != asked["n"]:  # of an order that nobody waited for any more
                answer = await self._child.answer(OBEYS_WITHIN_S)
        if not answer["ok"]:
            raise NotHeld(f"{self.name}'s client: {answer['why']}")
        return answer

    async def join(self, server: ServerAddress) -> None:
        """Raises NotLetIn."""
        for _ in range(TRIES):
            refused = await self._refusal(server)
            if refused is None:
                self.is_here = True
                return
            if refused.cause != "throttled":
                break
            await asyncio.sleep(THROTTLED_S)
        raise NotLetIn(str(refused))

    async def _refusal(self, server: ServerAddress) -> Diagnosis | None:
        """Join; why that is not allowed."""
        at = {"host": server.host, "port": server.port, "version": server.version}
        try:
            await self.does("join", **at)
        except NotHeld as refused:
            return diagnose("kicked", str(refused), bot=self.name, server=server)
        return None

    async def leave(self) -> None:
        self.is_here = False
        with suppress(NotHeld):  # the server may have put it out
            await self.does("leave")

    async def says(self, text: str) -> None:
        await self.does("say", text=text)

    async def heard(self) -> int:
        """How many lines so far."""
        return int((await self.does("heard"))["count"])

    async def hears(self, containing: str, after: int, within_s: float = SHOWN_WITHIN_S) -> str:
        """The first line with these words after so many. Raises NotHeld."""
        ms = within_s * 1000
        told = await self.does("hear", containing=containing, after=after, ms=ms)
        if told["line"] is None:
            raise NotHeld(f"{self.name} heard {told['instead'] or 'nothing'}")
        return str(told["line"])

    async def lists(self, player: str, *, listed: bool = True) -> None:
        """Raises NotHeld when it is not so in time."""
        told = await self.does("list", player=player, listed=listed, ms=SHOWN_WITHIN_S * 1000)
        if (player in told["players"]) != listed:
            raise NotHeld(f"{self.name} lists {sorted(told['players'])}")

    async def sees(self, player: str, at: Position, within: float) -> float:
        """How many blocks from a point it stands in these eyes. Raises NotHeld."""
        facts = {"at": xyz(at), "within": within, "ms": SHOWN_WITHIN_S * 1000}
        distance = (await self.does("see", player=player, **facts))["distance"]
        if distance is None:
            raise NotHeld(f"{self.name} does not see {player}")
        if distance > within:
            raise NotHeld(f"{self.name} sees {player} {distance:.1f} blocks from there")
        return float(distance)

    async def stands(self) -> Position:
        at = await self.does("stand")
        return Position(at["x"], at["y"], at["z"])

    async def walks(self, to: Position) -> None:
        """Straight there, as far as it gets in time."""
        await self.does("walk", at=xyz(to), ms=SHOWN_WITHIN_S * 1000)

    async def block(self, at: Position, *among: str) -> str | None:
        """The block at a point, once it is one of these or time is up."""
        asked = {"at": xyz(at), "among": among, "ms": SHOWN_WITHIN_S * 1000}
        name: str | None = (await self.does("block", **asked))["name"]
        return name

    async def lying(self, more_than: int = -1) -> int:
        """How many stacks it sees on the ground, once there are more or time is up."""
        told = await self.does("lie", more=more_than, ms=SHOWN_WITHIN_S * 1000)
        return int(told["stacks"])

    async def digs(self, at: Position) -> None:
        await self.does("dig", at=xyz(at))

    async def carries(self, item: str, count: int) -> int:
        """How many, once there are so many or time is up."""
        ms = SHOWN_WITHIN_S * 1000
        return int((await self.does("carry", item=item, count=count, ms=ms))["count"])

    async def finds_in_chest(self, at: Position, item: str, *, puts: bool = False) -> int:
        """How many are in the chest; one more is put in first, if told so."""
        return int((await self.does("open", at=xyz(at), item=item, put=puts))["count"])


@dataclass(frozen=True, slots=True)
class Stage:
    server: ServerAddress
    daemon: Daemon
    names: Names
    watcher: Person
    comer: Person
    restart: Restart | None = None
    """Ends the server and starts it again, where somebody may."""

    @property
    def bot(self) -> Bot:
        return self.daemon.bot(self.names.bot)

    @property
    def connection(self) -> Connection:
        return self.daemon.roster.find(self.names.bot).connection

    async def world(self) -> WorldSnapshot:
        return await self.bot.snapshot()

    @asynccontextmanager
    async def with_comer(self) -> AsyncIterator[Person]:
        """The comer in the world; who was not there leaves afterwards."""
        was_here = self.comer.is_here
        if not was_here:
            await self.comer.join(self.server)
        try:
            yield self.comer
        finally:
            if not was_here:
                await self.comer.leave()

    async def order(self, command: str) -> Result:
        """What a command of the bot gives. Raises NotHeld with its words."""
        result = await handle_chat_command(self.bot, self.names.watcher, command)
        if isinstance(result, Failure):
            raise NotHeld(f"“{result.message}”")
        return result

    async def rule(self, command: str, came: Callable[[], Awaitable[bool]]) -> None:
        """The watcher types a command of the server's. Raises NotTried when nothing comes of it,
        with the server's own words."""
        before = await self.watcher.heard()
        await self.watcher.says(command)
        if not await until(came):
            said = (await self.watcher.does("hear", containing="\0", after=before, ms=0))["instead"]
            words = f"the server says {said}" if said else "the server says nothing"
            raise NotTried(f"{self.watcher.name} typed {command}: {words}")

    @asynccontextmanager
    async def chest(self, at: Position) -> AsyncIterator[Position]:
        """A chest that the watcher sets down, for the time of a block. Raises NotTried."""
        where = f"{at.x:g} {at.y:g} {at.z:g}"

        async def is_there() -> bool:
            return await self.watcher.block(at, "chest") == "chest"

        await self.rule(f"/setblock {where} chest", is_there)
        try:
            yield at
        finally:
            await self.watcher.says(f"/setblock {where} air")


async def until(is_so: Callable[[], Awaitable[bool]], within_s: float = SHOWN_WITHIN_S) -> bool:
    """Whether it comes true in time."""
    try:
        async with asyncio.timeout(within_s):
            while not await is_so():  # noqa: ASYNC110 - worlds tell nobody
                await asyncio.sleep(LOOK_AGAIN_S)
    except TimeoutError:
        return False
    return True


@asynccontextmanager
async def staged(
    runtime: NodeRuntime,
    server: ServerAddress,
    names: Names = NAMES,
    restart: Restart | None = None,
) -> AsyncIterator[Stage]:
    """The watcher has joined, and the bot after it; the comer has not yet. Raises NotLetIn."""
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="townsfolk-foreign-")))
        environment = {"TOWNSFOLK_NODE_DIR": str(runtime.packages_dir)}
        running = Child.running(runtime.binary, PEOPLE, environment=environment)
        child = await stack.enter_async_context(running)
        turn = asyncio.Lock()
        watcher, comer = (Person(child, name, turn) for name in (names.watcher, names.comer))
        settings = _settings(folder, server, names.bot)
        stack.enter_context(logging_to_file(settings))
        bridge = await started_bridge(runtime, folder)
        stack.push_async_callback(bridge.aclose)
        known = await _with_version(bridge, server, names.bot)
        await watcher.join(known)
        daemon = await stack.enter_async_context(Daemon(settings, bridge=bridge))
        stage = Stage(known, daemon, names, watcher, comer, restart)
        if not await daemon.all_joined(JOINS_WITHIN_S):
            raise NotLetIn(str(stage.connection.diagnosis))
        yield stage


async def _with_version(bridge: Bridge, server: ServerAddress, bot: str) -> ServerAddress:
    """The server with what it speaks: the bot looks in. Raises NotLetIn."""
    try:
        spawned = await bridge.spawn(BotName(bot), server)
    except SpawnFailed as end:
        why = diagnose(end.ending, end.text, end.key, bot=bot, server=server)
        raise NotLetIn(str(why)) from end
    await bridge.despawn(BotName(bot))
    return replace(server, version=spawned.version)


def _settings(folder: Path, server: ServerAddress, bot: str) -> Settings:
    return Settings.model_validate(
        {
            "data_dir": folder,
            "offline": True,
            "bots": {"names": [bot]},
            "server": {"host": server.host, "port": server.port, "version": server.version or ""},
            "dashboard": {"enabled": False},
        }
    )


def xyz(at: Position) -> dict[str, float]:
    return {"x": at.x, "y": at.y, "z": at.z}
