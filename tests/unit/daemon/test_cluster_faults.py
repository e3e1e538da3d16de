"""Three daemons whose cables, processes and broker fail at random: every bot stays one bot.

Time is invented, so a busy machine changes nothing. A schedule is told by its seed alone.
"""

import asyncio
import gc
import random
import re
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from support.clusters import Cable, cluster_settings
from support.local_bus import LocalBus

from bots.app import Daemon
from bots.clock import Times
from bots.cluster.bus import Bus, BusUnavailable, Lease
from bots.daemon.residence import HomeLost
from bots.owned_tasks import until_first
from bots.settings.settings import Settings
from bridge import FakeBridge
from bridge.fake import FakeWorld
from bridge.fake.body import Person
from bridge.world import PlayerName

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

LEASE_S = 6.0
BOTS = {"one": "Alice", "two": "Bob", "three": "Cara"}
STEPS = 15
STEP_S = (0.5, 12.0)  # shorter and longer than a lease
QUIET_S = 60.0
ANSWER_S = 3.0
AGAIN_S = 1.0  # a supervisor starts anew what has failed
NAMED = re.compile(r"item(\d+)")


class Line(Cable):
    """A cable that can also lose the broker's answers: what was asked has happened then."""

    def __init__(self, bus: Bus) -> None:
        super().__init__(bus)
        self.loses_answers = False

    @property
    def is_whole(self) -> bool:
        return not self._is_cut and not self.loses_answers

    async def append(self, stream: str, body: bytes, after: int | None = None) -> int:
        position = await super().append(stream, body, after)
        self._answer()
        return position

    async def take(self, name: str, holder: str) -> Lease | None:
        lease = await super().take(name, holder)
        self._answer()
        return lease

    async def renew(self, lease: Lease) -> Lease:
        renewed = await super().renew(lease)
        self._answer()
        return renewed

    def _answer(self) -> None:
        if self.loses_answers:
            raise BusUnavailable("the answer is lost")


class Doubles:
    """Watches the world for bots that come in while they are there (port: `Watcher`)."""

    def __init__(self, world: FakeWorld) -> None:
        self.seen: list[str] = []
        world.watchers.append(self)

    def removed(self, player: PlayerName, text: str, key: str) -> None:
        if "duplicate_login" in key:
            self.seen.append(player)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_words, **_named: None


class Member:
    """One daemon, started anew by its supervisor whenever it has failed."""

    def __init__(self, settings: Settings, world: FakeWorld, bus: Bus) -> None:
        self.line = Line(bus)
        self.daemon: Daemon | None = None
        self._settings, self._world, self._bus = settings, world, bus
        self._told = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self._bridge = FakeBridge(world)
        self._is_starting = False

    @property
    def is_up(self) -> bool:
        return self._life is not None

    async def start(self) -> None:
        self.line = Line(self._bus)
        self._told = asyncio.Event()
        self._life = asyncio.create_task(self._live(self.line, self._told))

    async def stop(self) -> None:
        """As Ctrl-C does."""
        await self._end()

    async def die(self) -> None:
        """Nothing more of it reaches the broker or the world."""
        self.line.cut()
        for bot in self._bridge._sessions.bots:
            self._world.leave(PlayerName(bot))
        await self._end()

    async def _end(self) -> None:
        assert self._life is not None
        life, self._life = self._life, None
        self._told.set()
        if self._is_starting:
            life.cancel()
        await asyncio.gather(life, return_exceptions=self._is_starting)

    async def _live(self, line: Line, told: asyncio.Event) -> None:
        while not told.is_set():
            try:
                await self._live_once(line, told)
            except (HomeLost, BusUnavailable):
                await until_first(told.wait(), self._world.clock.sleep(AGAIN_S))

    async def _live_once(self, line: Line, told: asyncio.Event) -> None:
        self._bridge, times = FakeBridge(self._world), self._times(line)
        self._is_starting = True
        async with Daemon(self._settings, bridge=self._bridge, bus=line, times=times) as daemon:
            self._is_starting, self.daemon = False, daemon
            try:
                await until_first(told.wait(), asyncio.shield(daemon.failure))
            finally:
                self.daemon = None
        if daemon.failure.done():
            await daemon.failure

    def _times(self, line: Line) -> Times:
        """Time waits for what is being written, but not for a broker that does not answer."""

        def hold_while(is_at_work: Callable[[], bool]) -> None:
            self._world.clock.hold_while(lambda: line.is_whole and is_at_work())

        return replace(Times.of(self._world.clock), hold_while=hold_while)


Act: TypeAlias = Callable[[Member], Coroutine[Any, Any, None]]
"""One fault or repair."""


class Cluster:
    """Three daemons, and a person who talks with their bots."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.world = FakeWorld()
        self.doubles = Doubles(self.world)
        clock = self.world.clock
        self.bus = LocalBus(clock.now, clock.monotonic, LEASE_S)
        self.members = {
            name: Member(cluster_settings(folder, name, bot), self.world, self.bus)
            for name, bot in BOTS.items()
        }
        self.told: list[str] = []
        """What was done, for whoever reads of a failure."""
        self.acknowledged: dict[str, list[int]] = {bot: [] for bot in BOTS.values()}
        self._dice, self._numbers = random.Random(seed), count(1)
        self._steve = self.world.person("Steve")

    async def step(self) -> None:
        """One fault or repair, some time, and a line to each bot."""
        name = self._dice.choice(list(self.members))
        member = self.members[name]
        what = self._dice.choice(list(self._possible(member)))
        self.told.append(f"{self.world.clock.monotonic():.1f} s: {what.__name__} {name}")
        await what(member)
        await self.world.clock.sleep(self._dice.uniform(*STEP_S))
        await self.talk()
        assert self.doubles.seen == [], self.told

    async def talk(self) -> None:
        """Whisper a numbered line to each bot; what is answered is acknowledged."""
        for bot in self.acknowledged:
            number = next(self._numbers)
            self._steve.whisper(bot, f"Where is item{number}?")
            await self.world.clock.sleep(ANSWER_S)
            if number in _named(self._steve, bot):
                self.acknowledged[bot].append(number)

    async def repair(self) -> None:
        """Everything runs, every cable is whole, and all is quiet."""
        for member in self.members.values():
            await _mend(member)
            if not member.is_up:
                await member.start()
        await self.world.clock.sleep(QUIET_S)

    async def aclose(self) -> None:
        for member in self.members.values():
            if member.is_up:
                await member.stop()

    def _possible(self, member: Member) -> Iterator[Act]:
        if not member.is_up:
            yield Member.start
            return
        yield from (Member.stop, Member.die, _cut, _mend, _lose_answers)


async def _cut(member: Member) -> None:
    member.line.cut()


async def _mend(member: Member) -> None:
    member.line.mend()
    member.line.loses_answers = False


async def _lose_answers(member: Member) -> None:
    member.line.loses_answers = True


def _named(person: Person, bot: str) -> set[int]:
    said = [heard.text for heard in person.inbox if heard.sender == bot]
    return {int(number) for text in said for number in NAMED.findall(text)}


def kept(daemon: Daemon, bot: str) -> list[int]:
    """The numbers of the person's lines in a bot's history, in its order."""
    heard = daemon.bot(bot).get_conversation_history(username="Steve")
    found = [NAMED.search(str(line.utterance.content)) for line in heard]
    return [int(match[1]) for match in found if match]


@pytest.mark.parametrize("seed", range(3))
async def test_whatever_fails_each_bot_is_one_and_remembers(tmp_path: Path, seed: int) -> None:
    cluster, unheard = Cluster(tmp_path, seed), list[str]()
    asyncio.get_running_loop().set_exception_handler(lambda _, what: unheard.append(str(what)))
    for member in cluster.members.values():
        await member.start()
    await cluster.world.clock.sleep(QUIET_S)
    for _ in range(STEPS):
        await cluster.step()
    await cluster.repair()
    assert cluster.doubles.seen == [], cluster.told
    assert cluster.world.bodies.keys() == {"Steve", *BOTS.values()}, cluster.told
    for name, bot in BOTS.items():
        daemon = cluster.members[name].daemon
        assert daemon is not None, cluster.told
        numbers = kept(daemon, bot)
        assert numbers == sorted(numbers), cluster.told
        assert max(Counter(numbers).values()) == 1, cluster.told
        assert set(cluster.acknowledged[bot]) <= set(numbers), cluster.told
    await cluster.aclose()
    gc.collect()
    assert cluster.world.bodies.keys() == {"Steve"}
    assert [what for what in unheard if "never retrieved" in what] == []
