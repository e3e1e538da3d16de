"""The simulated world keeps the contract; always run."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from contract.arena import CENTRE, Arena, ArenaPerson, EventLog, Line, unique
from contract.bridge_contract import BridgeContract, ClosingContract
from contract.contract_danger import DangerArena, DangerContract
from contract.contract_moving import LavaContract
from contract.contract_resting import RestingContract

from bridge.fake import FakeBridge, FakeWorld, Person, VirtualClock, endanger
from bridge.port import ServerAddress
from bridge.world import BotName, Difficulty, MobSighting, PlayerName, Position

SERVER = ServerAddress("127.0.0.1", 25565)


class ScriptedPerson:
    """A person of the simulated world, as the contract knows persons."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self.name = person.name

    async def whisper(self, to: str, text: str) -> None:
        self._person.whisper(to, text)

    async def hears(self) -> Line:
        heard = await self._person.hears()
        return Line(heard.sender, heard.text)

    async def leave(self) -> None:
        self._person.leave()


class FakeArena(DangerArena):
    def __init__(self, fake: FakeBridge, log: EventLog) -> None:
        super().__init__(fake, SERVER, log)
        self._world = fake.world

    @property
    def nowhere(self) -> ServerAddress:
        return ServerAddress("127.0.0.1", 1)

    async def person(self, name: str = "Steve", at: Position = CENTRE) -> ArenaPerson:
        return ScriptedPerson(self._world.person(unique(name), at))

    async def give(self, bot: BotName, item: str, count: int = 1) -> None:
        self._world.give(bot, item, count)

    async def set_block(self, position: Position, name: str) -> None:
        self._world.set_block(position, name)

    async def teleport(self, player: str, position: Position) -> None:
        self._world.teleport(player, position)

    async def set_health(self, bot: BotName, health: float, food: float) -> None:
        self._world.set_health(bot, health, food)

    async def hurt(self, bot: BotName, amount: float) -> None:
        self._world.set_health(bot, self._world.body(bot).health - amount)

    async def kill(self, bot: BotName) -> None:
        self._world.kill(bot)

    async def animal(self, kind: str, at: Position) -> None:
        number = len(self._world.mobs) + 1
        coat = "white" if kind == "sheep" else None
        self._world.mobs.append(MobSighting(kind, at, hostile=False, id=number, coat=coat))

    async def monster(self, kind: str, at: Position) -> None:
        self._world.summon(kind, at, hunts=True)

    async def make_war(self, difficulty: Difficulty = "normal") -> None:
        endanger(self._world, difficulty)

    async def make_peace(self) -> None:
        for mob in list(self._world.mobs):
            self._world.banish(mob)
        self._world.difficulty = "peaceful"

    async def set_time(self, ticks: int) -> None:
        self._world.set_time_of_day(ticks)

    async def is_asleep(self, bot: BotName) -> bool:
        return self._world.body(bot).bed is not None

    async def kick(self, bot: BotName, text: str) -> None:
        self._world.kick(PlayerName(bot), text)

    async def restore(self) -> None:
        """Every test has a world of its own."""


@pytest.fixture
async def bridge() -> AsyncIterator[FakeBridge]:
    fake = FakeBridge(FakeWorld(VirtualClock(idle_s=0), address=SERVER))
    yield fake
    await fake.aclose()


@pytest.fixture
def server() -> ServerAddress:
    return SERVER


@pytest.fixture
async def arena(bridge: FakeBridge) -> AsyncIterator[Arena]:
    log = EventLog(bridge)
    reader = asyncio.create_task(log.read())
    arena = FakeArena(bridge, log)
    yield arena
    await arena.clear()
    reader.cancel()
    await asyncio.gather(reader, return_exceptions=True)


class TestFakeBridge(BridgeContract, RestingContract, LavaContract, DangerContract):
    pass


class TestClosingFakeBridge(ClosingContract):
    pass
