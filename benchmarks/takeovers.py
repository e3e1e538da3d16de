"""How long bots are gone when their daemon is killed, and whether anything is lost or doubled.

    python -m benchmarks.takeovers [--times 50] [--bots 2] [--json]

Two daemons, a broker and a server run as processes of their own. A person whispers numbered lines
to every bot, as fast as people type, and counts a line as acknowledged when its bot has answered
that very line. In turn the one and the other daemon is killed, and started again once the other one
lives with its home. Every fifth is not killed: it stands still until then and wakes up, alone or
with its Nodes. All is judged by what the server tells everybody and by what the histories hold in
the end. The exit code is 1 when a line was lost or doubled, or a bot.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import signal
import sqlite3
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count, pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil

from benchmarks.figures import flat, percentile, rounded
from benchmarks.soak import TESTS
from benchmarks.stand import HERE
from bots.store.database import FILE_NAME
from bridge import node
from bridge.node import NodeRuntime
from bridge.server.launcher import HOST, VERSION, EmbeddedServer

assert TESTS  # the harness lies there

from e2e.daemon_process import DaemonProcess, Site, eventually  # noqa: E402
from support.broker import Broker, running_broker  # noqa: E402

PERSON = "Wendy"
DAEMONS = ("one", "two")
EVERY_FIFTH = 5
BACK_WITHIN_S = 120.0  # a busy machine; what is measured is told
ANSWER_WITHIN_S = 0.5  # then another line is sent
TYPES_S = 1.6  # nobody is quicker: bots leave machines alone
SETTLED_S = 2.0  # between two kills
ORPHANS_GONE_S = 5.0
NAMED = re.compile(r"\w+x\d+")  # by which an answer tells its line
SETTINGS = {
    "TOWNSFOLK_CHAT__PACE": "false",
    "TOWNSFOLK_LIMITS__AUTO_REPLIES_PER_MINUTE": "1000",
    "TOWNSFOLK_GROUP_TALK__BY_WORDS": "false",
    "TOWNSFOLK_BRIDGE__HOSTS": "1",
}


@dataclass(frozen=True, slots=True)
class Passing:
    """A bot came into the world or went out of it."""

    at_s: float
    bot: str
    came: bool


class Witness:
    """The person: what she heard and saw."""

    def __init__(self, process: Process) -> None:
        self.passings: list[Passing] = []
        self.answered_at_s: defaultdict[str, list[float]] = defaultdict(list)
        """By what a line asks for."""
        self._process = process
        self._news = asyncio.Condition()

    @classmethod
    @asynccontextmanager
    async def watching(cls, runtime: NodeRuntime, port: int) -> AsyncIterator[Witness]:
        account = {"host": HOST, "port": port, "version": VERSION, "username": PERSON}
        process = await asyncio.create_subprocess_exec(
            *(runtime.binary, HERE / "takeovers.cjs", json.dumps(account)),
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, "TOWNSFOLK_NODE_DIR": str(runtime.packages_dir)},
        )
        witness = cls(process)
        reading = asyncio.create_task(witness._read())
        try:
            yield witness
        finally:
            assert process.stdin is not None
            process.stdin.close()
            await process.wait()
            await reading

    def whispers(self, to: str, words: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"to": to, "say": words}).encode() + b"\n")

    async def until(self, met: Callable[[], bool], within_s: float) -> None:
        """Raises TimeoutError."""
        async with asyncio.timeout(within_s), self._news:
            await self._news.wait_for(met)

    def came(self, bot: str, after_s: float) -> list[float]:
        """When it came into the world since then."""
        return [one.at_s for one in self._of(bot) if one.came and one.at_s > after_s]

    def two_at_once(self, bot: str) -> int:
        """How often it came while it was there."""
        return sum(before.came and after.came for before, after in pairwise(self._of(bot)))

    def _of(self, bot: str) -> list[Passing]:
        return [one for one in self.passings if one.bot == bot]

    async def _read(self) -> None:
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            async with self._news:
                self._take(json.loads(line))
                self._news.notify_all()

    def _take(self, fact: dict[str, Any]) -> None:
        now_s = time.monotonic()
        for how in ("came", "went"):
            if how in fact:
                self.passings.append(Passing(now_s, fact[how], how == "came"))
        for asked in NAMED.findall(fact.get("heard", "")):
            self.answered_at_s[asked].append(now_s)


class Talk:
    """Numbered lines of the person to one bot."""

    def __init__(self, witness: Witness, bot: str) -> None:
        self.bot = bot
        self.said_at_s: dict[str, float] = {}
        self._witness = witness

    async def run(self) -> None:
        """The next line follows the answer, or some time without one."""
        for number in count(1):
            asked = f"{self.bot}x{number}".lower()
            self.said_at_s[asked] = time.monotonic()
            self._witness.whispers(self.bot, f"Where is {asked}?")
            with suppress(TimeoutError):
                await self._witness.until(partial(self._is_answered, asked), ANSWER_WITHIN_S)
                await asyncio.sleep(TYPES_S)

    def answered_s(self, since_s: float) -> float | None:
        """When a line that was said since then was first answered."""
        answers = self._witness.answered_at_s
        new = (asked for asked, at_s in self.said_at_s.items() if at_s >= since_s)
        return next((answers[asked][0] for asked in new if self._is_answered(asked)), None)

    @property
    def acknowledged(self) -> list[str]:
        """In the order in which they were said."""
        return [asked for asked in self.said_at_s if self._is_answered(asked)]

    @property
    def answered_twice(self) -> list[str]:
        answers = self._witness.answered_at_s
        return [asked for asked in self.said_at_s if len(answers.get(asked, ())) > 1]

    def _is_answered(self, asked: str) -> bool:
        return bool(self._witness.answered_at_s.get(asked))


class Member:
    """One daemon of the cluster, started again and again on its folder."""

    def __init__(self, site: Site, name: str, bots: Sequence[str], flags: Sequence[str]) -> None:
        self.name, self.bots = name, bots
        self._site, self._flags = site, (*flags, "--bots", ",".join(bots), "--owner", PERSON)
        self._stack = AsyncExitStack()
        self.process: DaemonProcess

    async def start(self) -> None:
        """Until its bots are at home and in the world."""
        starting = self._site.starting(*self._flags, **SETTINGS, TOWNSFOLK_CLUSTER__NAME=self.name)
        self.process = await self._stack.enter_async_context(starting)
        await self.process.ready()

    async def end(self) -> None:
        await self._stack.aclose()

    async def kill(self) -> int:
        """How many processes it has left behind."""
        self.process.descendants()
        self.process.send_signal(signal.SIGKILL)
        await self.process.ended()
        with suppress(TimeoutError):
            await eventually(lambda: not self.process.left_behind(), ORPHANS_GONE_S)
        left = len(self.process.left_behind())
        await self.end()
        return left

    def still(self, *, with_node: bool) -> list[psutil.Process]:
        """Let it stand still; those that are to be woken."""
        daemon = psutil.Process(self.process.pid)
        processes = [daemon, *(self.process.descendants() if with_node else ())]
        for process in processes:
            process.suspend()
        return processes

    def lines(self) -> Iterator[tuple[str, str]]:
        """For what the person asked whom, in the order of the history."""
        asked = (
            "SELECT bot, content FROM hearings JOIN utterances ON id = utterance_id"
            " WHERE speaker = ? ORDER BY bot, sequence"
        )
        base = sqlite3.connect(f"file:{self._site.data_dir / FILE_NAME}?mode=ro", uri=True)
        with closing(base):
            for bot, content in base.execute(asked, (PERSON,)):
                yield bot, NAMED.findall(content)[0]


@dataclass(slots=True)
class Tally:
    """What was measured, in seconds, and what went wrong."""

    gone_s: list[float] = field(default_factory=list)
    """From a kill until the last bot of the home was in the world again."""
    answered_s: list[float] = field(default_factory=list)
    """From a kill until every bot of the home had answered."""
    woken_s: list[float] = field(default_factory=list)
    """The same for daemons that stood still."""
    back_s: list[float] = field(default_factory=list)
    """From going home until every bot had answered."""
    wrong: Counter[str] = field(default_factory=Counter)


class Cluster:
    """Two daemons, a person, and what is done to them."""

    def __init__(self, witness: Witness, members: Sequence[Member]) -> None:
        self.members, self.tally = members, Tally()
        self.talks = {bot: Talk(witness, bot) for member in members for bot in member.bots}
        self._witness = witness

    async def strike(self, number: int) -> None:
        """One kill, take-over and coming home."""
        member = self.members[number % len(self.members)]
        begun_s = time.monotonic()
        if number % EVERY_FIFTH:
            await self._kill(member, begun_s)
        else:
            with_node = bool(number // EVERY_FIFTH % 2)
            await self._hold(member, begun_s, with_node=with_node)
        for bot in member.bots:  # once to the other daemon, once home
            self.tally.wrong["bots came too often"] += len(self._witness.came(bot, begun_s)) - 2

    async def _kill(self, member: Member, begun_s: float) -> None:
        self.tally.wrong["processes left behind"] += await member.kill()
        self.tally.gone_s.append(await self._all_came(member, begun_s, times=1))
        self.tally.answered_s.append(await self._all_answer(member, begun_s))
        await member.start()
        await self._at_home(member, begun_s)

    async def _hold(self, member: Member, begun_s: float, *, with_node: bool) -> None:
        held = member.still(with_node=with_node)
        self.tally.woken_s.append(await self._all_answer(member, begun_s))
        for process in held:
            process.resume()
        await member.process.ready()  # it tells so again once its home is back
        await self._at_home(member, begun_s)

    async def _at_home(self, member: Member, begun_s: float) -> None:
        await self._all_came(member, begun_s, times=2)
        went_s = max(
            one.at_s for one in self._witness.passings if one.bot in member.bots and not one.came
        )
        self.tally.back_s.append(await self._all_answer(member, went_s))
        await asyncio.sleep(SETTLED_S)

    async def _all_came(self, member: Member, since_s: float, times: int) -> float:
        def have() -> bool:
            return all(len(self._witness.came(bot, since_s)) >= times for bot in member.bots)

        await self._witness.until(have, BACK_WITHIN_S)
        return max(self._witness.came(bot, since_s)[times - 1] for bot in member.bots) - since_s

    async def _all_answer(self, member: Member, since_s: float) -> float:
        talks = [self.talks[bot] for bot in member.bots]

        def have() -> bool:
            return all(talk.answered_s(since_s) is not None for talk in talks)

        await self._witness.until(have, BACK_WITHIN_S)
        return max(talk.answered_s(since_s) or 0.0 for talk in talks) - since_s

    def judge(self) -> None:
        """Compare what was acknowledged with the histories, now that all are at home."""
        wrong = self.tally.wrong
        for member in self.members:
            kept: defaultdict[str, list[str]] = defaultdict(list)
            for bot, asked in member.lines():
                kept[bot].append(asked)
            for bot in member.bots:
                wrong.update(faults(self.talks[bot], kept[bot]))
                wrong["two bodies of one bot"] += self._witness.two_at_once(bot)
        wrong["tracebacks"] += sum(len(member.process.tracebacks) for member in self.members)


def faults(talk: Talk, kept: Sequence[str]) -> dict[str, int]:
    """How often what was acknowledged is not in a history once and in order."""
    times = Counter(kept)
    numbers = [int(asked.rpartition("x")[2]) for asked in dict.fromkeys(kept)]
    return {
        "lines lost": sum(not times[asked] for asked in talk.acknowledged),
        "lines doubled": sum(often - 1 for often in times.values()),
        "lines out of order": sum(before > after for before, after in pairwise(numbers)),
        "lines answered twice": len(talk.answered_twice),
    }


async def measure(times: int, bots: int) -> dict[str, Any]:
    """The figures of so many kills of daemons with so many bots each."""
    runtime = await node.ready(lambda line: None)
    with TemporaryDirectory(prefix="townsfolk-takeovers-") as folder:
        async with _cluster(runtime, Path(folder), bots) as cluster, asyncio.TaskGroup() as group:
            talking = [group.create_task(talk.run()) for talk in cluster.talks.values()]
            for number in range(1, times + 1):
                await cluster.strike(number)
                print(f"{number} of {times}: {dict(+cluster.tally.wrong)}", file=sys.stderr)
            for task in talking:
                task.cancel()
            cluster.judge()
        return _figures(cluster)


@asynccontextmanager
async def _cluster(runtime: NodeRuntime, folder: Path, bots: int) -> AsyncIterator[Cluster]:
    async with AsyncExitStack() as stack:
        broker = await stack.enter_async_context(running_broker(folder / "broker"))
        server = await EmbeddedServer.start(runtime.binary, runtime.packages_dir)
        stack.push_async_callback(server.aclose)
        watching = Witness.watching(runtime, server.port)
        witness = await stack.enter_async_context(watching)
        members = [_member(folder, runtime, broker, server, name, bots) for name in DAEMONS]
        for member in members:
            stack.push_async_callback(member.end)
        await asyncio.gather(*(member.start() for member in members))
        yield Cluster(witness, members)


def _member(
    folder: Path,
    runtime: NodeRuntime,
    broker: Broker,
    server: EmbeddedServer,
    name: str,
    bots: int,
) -> Member:
    site = Site(folder / name, runtime.packages_dir.parents[2])
    names = [f"{name.title()}{number:02}" for number in range(bots)]
    where = f"{HOST}:{server.port}"
    return Member(site, name, names, ("--offline", "--server", where, "--cluster", broker.url))


def _figures(cluster: Cluster) -> dict[str, Any]:
    tally = cluster.tally
    return {
        "killed": len(tally.gone_s),
        "gone_s": _spread(tally.gone_s),
        "answered_s": _spread(tally.answered_s),
        "stood_still": len(tally.woken_s),
        "stood_still_answered_s": _spread(tally.woken_s),
        "back_home_answered_s": _spread(tally.back_s),
        "acknowledged": sum(len(talk.acknowledged) for talk in cluster.talks.values()),
        "wrong": dict(tally.wrong),
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {}
    spread = {f"p{percent}": rounded(percentile(values, percent)) for percent in (50, 95)}
    return {**spread, "max": rounded(max(values))}


def main() -> int:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.takeovers", description=summary)
    parser.add_argument("--times", type=int, default=50, help="daemons that are killed or held")
    parser.add_argument("--bots", type=int, default=2, help="of each daemon")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    wanted = parser.parse_args()
    report = asyncio.run(measure(wanted.times, wanted.bots))
    if wanted.json:
        print(json.dumps(report))
    else:
        for name, value in flat(report):
            print(f"{name:<40}{value:>10,}")
    return int(any(report["wrong"].values()))


if __name__ == "__main__":
    sys.exit(main())
