"""The contract's arena on any server: what it orders goes over RCON as vanilla's own commands."""

import math
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from contract.arena import CENTRE, GROUND_Y, EventLog, eventually
from versions.rcon import Rcon
from versions.stage import ServerArena
from versions.supported import since

from bridge.events import BotSpawned
from bridge.js import JSBridge
from bridge.port import ServerAddress
from bridge.world import BotName, Position

SCOUT = BotName("Scout")
EDGE = 16
"""Blocks around the chunk of the stage that are levelled too."""
CLEAR_BLOCKS = 13
REFUSAL = re.compile(
    r"(§.)?(Unknown|Incorrect|Expected|Invalid|Usage|No player|That player|That position|Cannot"
    r"|Too many|Error|.*<--\[HERE\])",
    re.DOTALL,
)
"""How vanilla's refusals begin. That nothing is to be done (“No blocks were filled”) is none."""
BEFORE_1_9_AMPLIFIER, AMPLIFIER = 19, 99
"""Of hunger: half a food point a second wears too slowly, so this takes one each 0.4 s."""
POISON_POINT_S = 1.25
"""How long the weakest poison takes for a point; its blows come at fixed moments before its end."""
MEALS = 3
MARK = Position(8, GROUND_Y + 10, 8)
FULL = 20.0


class Refused(AssertionError):
    """The server did not take a command."""


@dataclass(frozen=True)
class Spelling:
    """Vanilla's commands as a version spells them."""

    version: str

    def of_stage(self) -> Iterator[str]:
        """What makes the world as the contract wants it: calm, by day, level around the spawn."""
        yield from ("difficulty easy", "weather clear", "time set 6000")
        for rule, value in self._rules():
            yield f"gamerule {rule} {value}"
        yield f"setworldspawn {_cell(CENTRE)}"
        if since(self.version, "1.13.2"):
            yield f"forceload add {-EDGE} {-EDGE} {15 + EDGE} {15 + EDGE}"

    def ground(self) -> Iterator[str]:
        """Level ground with nothing on it and nobody around."""
        grass = "grass_block" if since(self.version, "1.13") else "grass"
        yield _fill(GROUND_Y, GROUND_Y + CLEAR_BLOCKS, "air")
        yield _fill(GROUND_Y - 5, GROUND_Y - 2, "stone")
        yield _fill(GROUND_Y - 1, GROUND_Y - 1, grass)
        yield f"kill @e[type={'item' if since(self.version, '1.11') else 'Item'}]"

    def newcomer(self, name: str) -> Iterator[str]:
        """As one who was never here before."""
        yield from (f"gamemode survival {name}", f"clear {name}", f"effect {self._clears(name)}")

    def give(self, name: str, item: str, count: int) -> Iterator[str]:
        at_once = count if since(self.version, "1.13") else 64
        for given in range(0, count, at_once):
            yield f"give {name} minecraft:{item} {min(at_once, count - given)}"

    def effect(self, name: str, effect: str, amplifier: int, seconds: int) -> str:
        give = "give " if since(self.version, "1.13") else ""
        return f"effect {give}{name} minecraft:{effect} {seconds} {amplifier}"

    def no_effect(self, name: str) -> str:
        return f"effect {self._clears(name)}"

    @property
    def hunger(self) -> int:
        return AMPLIFIER if since(self.version, "1.9") else BEFORE_1_9_AMPLIFIER

    def _clears(self, name: str) -> str:
        return f"clear {name}" if since(self.version, "1.13") else f"{name} clear"

    def _rules(self) -> Iterator[tuple[str, str]]:
        is_new = since(self.version, "1.21.11")
        for old, new in (
            ("doMobSpawning", "spawn_mobs"),
            ("doDaylightCycle", "advance_time"),
            ("doWeatherCycle", "advance_weather"),
            ("naturalRegeneration", "natural_health_regeneration"),
        ):
            yield (new if is_new else old), "false"
        yield ("respawn_radius" if is_new else "spawnRadius"), "0"


class RconArena(ServerArena):
    def __init__(
        self, bridge: JSBridge, server: ServerAddress, log: EventLog, version: str, rcon: Rcon
    ) -> None:
        super().__init__(bridge, server, log, version)
        self._rcon, self._say = rcon, Spelling(version)

    async def spawn(self, bot: BotName) -> BotSpawned:
        is_here = bot in self._bots
        spawned = await super().spawn(bot)
        if not is_here:
            await self._forget(bot)
        return spawned

    async def set_health(self, bot: BotName, health: float, food: float) -> None:
        if health <= 0:
            await self.kill(bot)
            return
        await self._poison(bot, health)
        await self._starve(bot, food)
        await self.sees(bot, lambda seen: (seen.health, seen.food) == (health, food))

    async def kill(self, bot: BotName) -> None:
        await self.order(f"kill {bot}")

    async def animal(self, kind: str, at: Position) -> None:
        name = kind if since(self.version, "1.11") else kind.capitalize()
        await self.order(f"summon {name} {at.x} {at.y} {at.z}")

    async def kick(self, bot: BotName, text: str) -> None:
        await self.order(f"kick {bot} {text}")

    async def restore(self) -> None:
        for command in self._say.ground():
            await self.order(command)

    async def order(self, command: str) -> None:
        """Raises Refused with the server's words."""
        answer = await self._rcon.run(command)
        if REFUSAL.match(answer):
            raise Refused(f"/{command}: {answer}")

    async def _order_items(self, bot: BotName, item: str, count: int) -> None:
        for command in self._say.give(bot, item, count):
            await self.order(command)

    async def _order_block(self, position: Position, name: str) -> None:
        await self.order(f"setblock {_cell(position)} minecraft:{name}")

    async def _order_place(self, player: str, position: Position) -> None:
        await self.order(f"tp {player} {position.x} {position.y} {position.z}")

    async def _forget(self, bot: BotName) -> None:
        """Names come again with every run, and the server keeps what they carried."""
        for command in self._say.newcomer(bot):
            await self._rcon.run(command)  # who carries nothing has nothing to be cleared of
        await self.sees(bot, lambda seen: not seen.items and seen.game_mode == "survival")

    async def _poison(self, bot: BotName, health: float) -> None:
        """No command sets the health of a player: so much poison takes it, and not a blow more."""
        lost = (await self.bridge.snapshot(bot)).health - health
        if lost > 0:
            seconds = math.ceil(lost * POISON_POINT_S)
            await self.order(self._say.effect(bot, "poison", 0, seconds))
            await self.sees(bot, lambda seen: seen.health <= health)

    async def _starve(self, bot: BotName, food: float) -> None:
        """Nor its food: hunger takes it until told to end, which may be late; then it eats."""
        for _ in range(MEALS):
            if (await self.bridge.snapshot(bot)).food > food:
                await self.order(self._say.effect(bot, "hunger", self._say.hunger, 60))
                await self.sees(bot, lambda seen: seen.food <= food)
                await self.order(self._say.no_effect(bot))
            await self._until_told()
            if (await self.bridge.snapshot(bot)).food == food:
                return
            await self.order(self._say.effect(bot, "saturation", 19, 1))
            await self.sees(bot, lambda seen: seen.food == FULL)
        raise AssertionError(f"{bot} never has {food} food")

    async def _until_told(self) -> None:
        """All that was ordered so far has reached the bots, which see a block change after it."""
        for name in ("glass", "air"):
            await self.set_block(MARK, name)


@asynccontextmanager
async def real_arena(
    bridge: JSBridge, log: EventLog, server: ServerAddress, rcon: Rcon
) -> AsyncIterator[RconArena]:
    """The arena of a server whose spawn is made level; a scout asks for its version."""
    spawned = await bridge.spawn(SCOUT, server)
    arena = RconArena(bridge, server, log, spawned.version, rcon)
    for command in (f"tp {SCOUT} {_cell(CENTRE)}", *Spelling(spawned.version).of_stage()):
        await arena.order(command)
    await eventually(lambda: _levelled(arena))
    await bridge.despawn(SCOUT)
    yield arena


async def _levelled(arena: RconArena) -> bool | None:
    try:
        await arena.restore()
    except Refused:  # its chunks are not loaded yet
        return None
    return True


def _fill(bottom: int, top: int, name: str) -> str:
    far = 15 + EDGE
    return f"fill {-EDGE} {bottom} {-EDGE} {far} {top} {far} minecraft:{name}"


def _cell(position: Position) -> str:
    at = position.block
    return f"{at.x:g} {at.y:g} {at.z:g}"
