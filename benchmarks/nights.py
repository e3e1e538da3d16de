"""Whether bots from nothing live through nights, and how fast and at what cost they react.

    python -m benchmarks.nights [--bots 12] [--nights 1] [--night-seconds 546] [--begins 12542]
                               [--seeds 1] [--json]

For each seed three daemons live one after the other, each on a server of its own: in a peaceful
world, and at normal with reflexes and without. Their bots have nothing and nothing to do, are too
far apart to share a monster, and are brought back near their place after a death. There are no
days. `first` is from what the host told to the first step or blow sent, `processor` what daemon
and Node use, as a multiple of peaceful. Node's packages must be installed (`townsfolk up` does it
once) or TOWNSFOLK_NODE_DIR set.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, TypeAlias, get_args

import psutil

from benchmarks.figures import flat, percentile, rounded
from benchmarks.goals_live import bring_to
from benchmarks.stand import installed, logging_to_file
from bots.app import Daemon
from bots.bot.bot import Bot
from bots.bot.events import BotEvent
from bots.clock import utc_now
from bots.owned_tasks import OwnedTasks
from bots.reflexes.choosing import Kind, Reaction
from bots.reflexes.reflexes import Reflexes
from bots.settings.settings import Settings
from bridge.actions import Action, Hunt, MoveTo
from bridge.events import ActionId, BotDied, BotEndangered, BotHurt, MonstersNear
from bridge.js import JSBridge
from bridge.node import NodeRuntime
from bridge.port import ACTION_DEADLINE_S
from bridge.server.launcher import HOST, VERSION, EmbeddedServer
from bridge.world import BotName, Position

NIGHT_S = 546.0
DUSK, MORNING = 12_542, 1_000  # of a day's ticks
FULL = 20
APART = 192  # blocks: monsters are gone 128 blocks off
BESIDE = 48  # blocks from where it began a bot is put after a death
OUT_BY_DAY_S, LOOK_AGAIN_S = 60.0, 0.5
QUICK: frozenset[Kind] = frozenset({"leave", "back_away", "fight", "flee"})
"""Reactions whose first step or blow is timed."""
MOST_DEATHS, LEAST_DEATHS_WITHOUT = 0.03, 0.5  # of a bot in a night
MOST_FIRST_MS = {50: 150.0, 95: 300.0}
MOST_PROCESSOR = 1.3
MS = 1000

World: TypeAlias = Literal["peaceful", "reflexes", "without"]


@dataclass(slots=True)
class Nights:
    """What the bots of one daemon went through."""

    world: World
    seed: int
    bots: int
    nights: int
    deaths: list[str] = field(default_factory=list)
    """Who died when in the night, and of what."""
    first_ms: list[float] = field(default_factory=list)
    processor_s: float = 0.0
    begins: int = DUSK
    """At which tick of the day a night does."""


class TimedBridge(JSBridge):
    """Times each bot from what the host told until its first step or blow was sent.

    What is told while a reflex has the body, or calls for nothing, is not waited for."""

    def __init__(self, runtime: NodeRuntime, log_path: Path) -> None:
        super().__init__(runtime.binary, runtime.packages_dir, log_path)
        self.first_ms: list[float] = []
        self._told_s: dict[BotName, float] = {}

    def told(self, bot: Bot, event: BotHurt | MonstersNear | BotEndangered) -> None:
        if bot.actions.is_calm:
            self._told_s.setdefault(bot.name, event.at.timestamp())

    def chose(self, bot: BotName, since_s: float, reaction: Reaction | None) -> None:
        calls = reaction is not None and reaction.kind in QUICK
        if not calls and self._told_s.get(bot, math.inf) <= since_s:
            del self._told_s[bot]

    async def begin(
        self,
        bot: BotName,
        action_id: ActionId,
        action: Action,
        *,
        deadline_s: float = ACTION_DEADLINE_S,
        shunned: tuple[Position, ...] = (),
    ) -> None:
        await super().begin(bot, action_id, action, deadline_s=deadline_s, shunned=shunned)
        if isinstance(action, MoveTo | Hunt) and bot in self._told_s:
            self.first_ms.append(round(MS * (_now_s() - self._told_s.pop(bot)), 1))


@contextmanager
def timed_reflexes(bridge: TimedBridge) -> Iterator[None]:
    """Within it each decision is told to the bridge."""
    choose = Reflexes._chosen

    async def chosen(reflexes: Reflexes) -> Reaction | None:
        since_s = _now_s()
        reaction = await choose(reflexes)
        bridge.chose(reflexes._bot.name, since_s, reaction)
        return reaction

    setattr(Reflexes, "_chosen", chosen)  # noqa: B010 (mypy takes no method that is set)
    try:
        yield
    finally:
        setattr(Reflexes, "_chosen", choose)  # noqa: B010


def _now_s() -> float:
    return utc_now().timestamp()


@dataclass(frozen=True, slots=True)
class Town:
    """The bots of one daemon, each with a place of its own."""

    server: EmbeddedServer
    bots: Sequence[Bot]
    bridge: TimedBridge
    done: Nights

    async def spend_night(self, seconds: float) -> None:
        """A night from nothing, and a morning in which everybody comes out."""
        level = "peaceful" if self.done.world == "peaceful" else "normal"
        await self._prepare()
        await self.server.admin("difficulty", level=level)
        await self.server.admin("time", value=self.done.begins)
        ways_back = OwnedTasks()
        watched = [self._watch(number, ways_back) for number in range(len(self.bots))]
        try:
            await asyncio.sleep(seconds)
        finally:
            for unwatch in watched:
                unwatch()
            await ways_back.aclose()
        await self.server.admin("difficulty", level="peaceful")
        await self.server.admin("time", value=MORNING)
        async with asyncio.timeout(OUT_BY_DAY_S):
            await asyncio.gather(*(bot.actions.until_calm() for bot in self.bots))

    async def _prepare(self) -> None:
        await self.server.admin("time", value=MORNING)
        await asyncio.gather(*map(self._bring, range(len(self.bots))))
        for bot in self.bots:
            await self.server.admin("clear", player=bot.name)
            await self.server.admin("health", player=bot.name, level=FULL)
            await self.server.admin("feed", player=bot.name)

    async def _bring(self, number: int, beside: int = 0) -> None:
        side = math.ceil(math.sqrt(len(self.bots)))
        x, z = APART * (number % side - side // 2), APART * (number // side - side // 2)
        await bring_to(self.server, self.bots[number], x + beside, z)

    async def _bring_back(self, number: int) -> None:
        while (await self.bots[number].snapshot()).health <= 0:  # noqa: ASYNC110 (any moment)
            await asyncio.sleep(LOOK_AGAIN_S)
        await self._bring(number, BESIDE)

    def _watch(self, number: int, ways_back: OwnedTasks) -> Any:
        bot, began_s = self.bots[number], _now_s()

        def take(event: BotEvent) -> None:
            match event:
                case BotHurt() | MonstersNear() | BotEndangered():
                    self.bridge.told(bot, event)
                case BotDied(cause=cause):
                    of = cause.name if cause else "?"
                    self.done.deaths.append(f"{bot.name} {_now_s() - began_s:.0f} s {of}")
                    print(self.done.world, self.done.deaths[-1], file=sys.stderr, flush=True)
                    ways_back.start(self._bring_back(number), f"way back of {bot.name}")

        return bot.events.subscribe(take)


@asynccontextmanager
async def town(done: Nights) -> AsyncIterator[Town]:
    """A daemon with so many bots on a server of its own; in the end it tells what it used."""
    world, seed = done.world, done.seed
    names = [f"Settler{number}" for number in range(1, done.bots + 1)]
    runtime = await installed()
    with TemporaryDirectory(prefix="townsfolk-nights-") as folder:
        server = await EmbeddedServer.start(runtime.binary, runtime.packages_dir, seed=seed)
        settings = Settings.model_validate(
            {
                "data_dir": folder,
                "offline": True,
                "server": {"host": HOST, "port": server.port, "version": VERSION},
                "bots": {"names": names},
                "talk": {"small_talk": False},
                "idle": {"enabled": False},
                "dashboard": {"enabled": False},
                "survival": {"enabled": world != "without"},
            }
        )
        bridge = TimedBridge(runtime, Path(folder) / "node.log")
        try:
            with logging_to_file(settings), timed_reflexes(bridge):
                await bridge.start()
                async with Daemon(settings, bridge=bridge, answers=False) as daemon:
                    if not await daemon.all_joined():
                        raise TimeoutError("not all bots joined")
                    yield Town(server, [daemon.bot(name) for name in names], bridge, done)
        finally:
            await server.aclose()


async def live(done: Nights, night_s: float) -> Nights:
    """So many nights in one world."""
    async with town(done) as there:
        node = psutil.Process(there.bridge.node_pid)
        for _ in range(done.nights):
            began_s = _processor_s(node)
            await there.spend_night(night_s)
            there.done.processor_s += _processor_s(node) - began_s
    there.done.first_ms = there.bridge.first_ms
    return there.done


def _processor_s(node: psutil.Process) -> float:
    return sum(sum(process.cpu_times()[:2]) for process in (psutil.Process(), node))


# --- what it comes to ----------------------------------------------------------------------------


def figures(lived: Sequence[Nights]) -> dict[str, Any]:
    """All seeds together."""
    worlds = {world: [one for one in lived if one.world == world] for world in get_args(World)}
    deaths, used = {}, {}
    for world, ones in worlds.items():
        deaths[world] = rounded(
            sum(len(one.deaths) for one in ones) / sum(one.bots * one.nights for one in ones)
        )
        used[world] = sum(one.processor_s for one in ones)
    first = sorted(ms for one in worlds["reflexes"] for ms in one.first_ms)
    first_ms = {percent: percentile(first, percent) for percent in MOST_FIRST_MS} if first else {}
    processor = rounded(used["reflexes"] / used["peaceful"])
    return {
        "deaths": deaths,
        "first_ms": first_ms,
        "first_reactions": len(first),
        "processor": processor,
        "holds": deaths["reflexes"] <= MOST_DEATHS
        and deaths["without"] >= LEAST_DEATHS_WITHOUT
        and len(first_ms) == len(MOST_FIRST_MS)
        and all(ms <= MOST_FIRST_MS[percent] for percent, ms in first_ms.items())
        and processor <= MOST_PROCESSOR,
    }


def table(lived: Sequence[Nights]) -> Iterator[str]:
    yield "world     seed  bots  nights  deaths  first p50  p95 ms  processor s"
    for one in lived:
        p50, p95 = (percentile(one.first_ms or [0], percent) for percent in (50, 95))
        yield (
            f"{one.world:<10}{one.seed:>4}{one.bots:>6}{one.nights:>8}{len(one.deaths):>8}"
            f"{p50:>11.0f}{p95:>8.0f}{one.processor_s:>13.1f}"
        )
    for one in lived:
        yield from (f"{one.world} {death}" for death in one.deaths)


async def measure(
    bots: int,
    nights: int,
    night_s: float,
    seeds: Sequence[int],
    worlds: Sequence[World],
    begins: int = DUSK,
) -> list[Nights]:
    """Every world of every seed."""
    each = [Nights(world, seed, bots, nights, begins=begins) for seed in seeds for world in worlds]
    return [await live(one, night_s) for one in each]


def main() -> None:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.nights", description=summary)
    parser.add_argument("--bots", type=int, default=12)
    parser.add_argument("--nights", type=int, default=1, help="for each seed")
    parser.add_argument("--night-seconds", type=float, default=NIGHT_S)
    parser.add_argument("--begins", type=int, default=DUSK, help="tick of the day: 14000 is night")
    parser.add_argument("--seeds", default="1", help="numbers of worlds, with commas between")
    parser.add_argument("--worlds", default=",".join(get_args(World)), help="which of them")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    seeds = [int(number) for number in wanted.seeds.split(",")]
    worlds = [world for world in get_args(World) if world in wanted.worlds.split(",")]
    lived = asyncio.run(
        measure(wanted.bots, wanted.nights, wanted.night_seconds, seeds, worlds, wanted.begins)
    )
    found = figures(lived) if len(worlds) == len(get_args(World)) else {}
    report = {"nights": [asdict(one) for one in lived], "figures": found}
    print(json.dumps(report) if wanted.json else "\n".join(table(lived)))
    for name, figure in [] if wanted.json else flat(found):
        print(f"{name} {figure}")


if __name__ == "__main__":
    main()
