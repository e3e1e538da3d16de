"""A console that takes vanilla's commands over RCON and has the bench carry them out: the real
server's arena is tried on it. What a version would not understand, it does not either."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TypeAlias

from versions.bench import VersionServer
from versions.rcon import ANSWER, LOGIN, REFUSED, Packet
from versions.supported import since

PASSWORD = "open sesame"
UNKNOWN = "Unknown or incomplete command, see below for error"
POISON_POINT_S = 0.05
"""Between two blows; vanilla is slower."""
HUNGER_POINT_S = 0.4
"""As in vanilla: whoever takes hunger away late finds more gone."""
POISON_TICKS = 25
"""Between two blows of the weakest poison; they are counted from its end."""
FULL = 20

Handler: TypeAlias = Callable[[re.Match[str]], Awaitable[str]]


@dataclass
class _Player:
    health: int = FULL
    food: int = FULL
    hungers: bool = False
    wearing: set[asyncio.Task[None]] = field(default_factory=set)


class Console:
    def __init__(self, game: VersionServer) -> None:
        self._game = game
        self._built: set[tuple[int, ...]] = set()
        self._players: dict[str, _Player] = {}
        self._grammar = {re.compile(form): do for form, do in self._forms().items()}
        self.refused: list[str] = []
        """Commands that the version does not know."""

    @classmethod
    @asynccontextmanager
    async def of(cls, game: VersionServer) -> AsyncIterator[tuple["Console", int]]:
        """The console and its port, for the time of a block."""
        console = cls(game)
        server = await asyncio.start_server(console._serve, "127.0.0.1", 0)
        try:
            yield console, server.sockets[0].getsockname()[1]
        finally:
            server.close()
            await server.wait_closed()
            for player in console._players.values():
                await player_rests(player)

    def _forms(self) -> Mapping[str, Handler]:
        is_flat = since(self._game.version, "1.13")
        give, clear = ("give ", r"clear (\w+)") if is_flat else ("", r"(\w+) clear")
        rule = "[a-z_]+" if since(self._game.version, "1.21.11") else "[a-z]+[A-Z][A-Za-z]+"
        item = "item" if since(self._game.version, "1.11") else "Item"
        return {
            r"give (\w+) minecraft:(\w+) (\d+)": self._give,
            r"setblock (-?\d+) (-?\d+) (-?\d+) minecraft:(\w+)": self._set_block,
            r"fill -16 \d+ -16 31 \d+ 31 minecraft:(\w+)": self._fill,
            r"tp (\w+) (\S+) (\S+) (\S+)": self._teleport,
            r"kick (\w+) (.+)": self._kick,
            r"kill (\w+)": self._kill,
            rf"effect {give}(\w+) minecraft:poison (\d+) 0": self._poison,
            rf"effect {give}(\w+) minecraft:hunger 60 \d+": self._hunger,
            rf"effect {give}(\w+) minecraft:saturation 1 19": self._saturation,
            rf"effect {clear}": self._rest,
            rf"gamerule {rule} (false|0)": _done,
            rf"kill @e\[type={item}\]": _nothing,
            r"clear \w+": _nothing,
            r"gamemode survival \w+|difficulty easy|weather clear|time set \d+": _done,
            r"setworldspawn 8 64 8": _done,
            **({"forceload add -16 -16 31 31": _done} if is_flat else {}),
        }

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.IncompleteReadError):
            while True:
                asked = await Packet.read(reader)
                if asked.kind == LOGIN:
                    number = asked.number if asked.text == PASSWORD else REFUSED
                    answer = Packet(number, 2, "")
                else:
                    answer = Packet(asked.number, ANSWER, await self.run(asked.text))
                writer.write(answer.encoded())
                await writer.drain()
        writer.close()

    async def run(self, command: str) -> str:
        """What vanilla would say to it."""
        for form, do in self._grammar.items():
            if found := form.fullmatch(command):
                return await do(found)
        self.refused.append(command)
        return UNKNOWN

    async def _give(self, said: re.Match[str]) -> str:
        await self._game.do("give", player=said[1], item=said[2], count=int(said[3]))
        return f"Gave {said[3]} [{said[2]}] to {said[1]}"

    async def _set_block(self, said: re.Match[str]) -> str:
        at = tuple(map(int, said.group(1, 2, 3)))
        self._built.add(at)
        await self._game.do("set_block", at=at, name=said[4])
        return f"Changed the block at {at}"

    async def _fill(self, said: re.Match[str]) -> str:
        """The bench is level; only what was built goes."""
        if said[1] != "air" or not self._built:
            return "No blocks were filled"
        count = len(self._built)
        while self._built:
            await self._game.do("set_block", at=self._built.pop(), name="air")
        return f"Successfully filled {count} blocks"

    async def _teleport(self, said: re.Match[str]) -> str:
        await self._game.do("teleport", player=said[1], at=[float(n) for n in said.group(2, 3, 4)])
        return f"Teleported {said[1]}"

    async def _kick(self, said: re.Match[str]) -> str:
        await self._game.do("kick", player=said[1], component={"text": said[2]})
        return f"Kicked {said[1]}: {said[2]}"

    async def _kill(self, said: re.Match[str]) -> str:
        key = "genericKill" if since(self._game.version, "1.20") else "outOfWorld"
        await self._game.do("die", player=said[1], key=f"death.attack.{key}")
        return f"Killed {said[1]}"

    async def _poison(self, said: re.Match[str]) -> str:
        blows = int(said[2]) * 20 // POISON_TICKS
        return self._apply(said[1], self._wear_health(said[1], blows))

    async def _hunger(self, said: re.Match[str]) -> str:
        self._player(said[1]).hungers = True
        return self._apply(said[1], self._wear_food(said[1]))

    async def _saturation(self, said: re.Match[str]) -> str:
        self._player(said[1]).food = FULL
        return self._apply(said[1], self._tell(said[1]))

    async def _rest(self, said: re.Match[str]) -> str:
        await player_rests(self._player(said[1]))
        return f"Removed every effect from {said[1]}"

    def _apply(self, name: str, effect: Coroutine[None, None, None]) -> str:
        self._player(name).wearing.add(asyncio.create_task(effect))
        return f"Applied effect to {name}"

    async def _wear_health(self, name: str, blows: int) -> None:
        for _ in range(blows):
            await asyncio.sleep(POISON_POINT_S)
            self._player(name).health -= 1
            await self._tell(name)

    async def _wear_food(self, name: str) -> None:
        player = self._player(name)
        while player.food > 1:
            await asyncio.sleep(HUNGER_POINT_S)
            if not player.hungers:
                return
            player.food -= 1
            await self._tell(name)

    async def _tell(self, name: str) -> None:
        player = self._player(name)
        await self._game.do("health", player=name, health=player.health, food=player.food)

    def _player(self, name: str) -> _Player:
        return self._players.setdefault(name, _Player())


async def player_rests(player: _Player) -> None:
    """Hunger wears them no more; what an effect has just taken is told before this returns."""
    player.hungers = False
    await asyncio.gather(*player.wearing)
    player.wearing.clear()


async def _done(_said: re.Match[str]) -> str:
    return "Set"


async def _nothing(_said: re.Match[str]) -> str:
    return "No items were found on player"
