"""Four bots and the persons around them: a daemon as a process, started anew when it must be."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import psutil
from e2e import memory_in_use
from e2e.daemon_process import DaemonProcess, Site, eventually
from e2e.memory_in_use import HeldByNode
from faults.crowd import Crowd, Person
from faults.model import LIMIT_USD, PERIOD_S, PRICE, IndiscreetModel, limit
from faults.promises import Promises, Sample
from websockets.exceptions import WebSocketException

from bots.store.database import FILE_NAME
from bridge import node as node_packages
from llm.fake_api import FakeClaude

BOTS = ("Alice", "Bob", "Cara", "Dan")
OWNER, TRUSTED, STRANGERS = "Olga", "Tess", ("Mallory", "Mike")
PERSONS = (OWNER, TRUSTED, *STRANGERS)
PROGRAM = Path(__file__).with_name("program.py")
ANSWER_WITHIN_S = 12.0
LOOK_AGAIN_S = 0.25
ENDS_WITHIN_S = 15.0
ORPHANS_GONE_S = 5.0
UNANSWERED = (httpx2.HTTPError, OSError, ValueError, KeyError)
VARIABLES = {
    "ANTHROPIC_API_KEY": "sk-ant-api03-nobody",
    "TOWNSFOLK_PERMISSIONS__OWNERS": OWNER,
    "TOWNSFOLK_PERMISSIONS__TRUSTED": TRUSTED,
    "TOWNSFOLK_BRIDGE__HOSTS": "1",  # what looks at Node, and breaks it, looks at the one
    "TOWNSFOLK_GROUP_TALK__MAX_TURNS": "12",
    "TOWNSFOLK_GROUP_TALK__MAX_TIME_S": "90",
    "TOWNSFOLK_LLM__COST_LIMIT_USD": str(LIMIT_USD),
    "TOWNSFOLK_LLM__COST_PERIOD_H": str(PERIOD_S / 3_600),
    "TOWNSFOLK_LLM__PERIODIC_EVERY_S": "60",
    **{f"TOWNSFOLK_LLM__{tier}_PRICE": PRICE for tier in ("HAIKU", "SONNET", "OPUS")},
}


class Testbed:
    """One daemon at a time, and everything around it that outlives it."""

    def __init__(
        self,
        site: Site,
        model: IndiscreetModel,
        api_url: str,
        bots: tuple[str, ...] = BOTS,
        keeps_world: bool = False,
        difficulty: str = "peaceful",
    ) -> None:
        self.site, self.model, self.bots, self._keeps_world = site, model, bots, keeps_world
        self._difficulty = difficulty
        self.promises = Promises(STRANGERS, PERSONS)
        self.crowd: Crowd
        self.daemon: DaemonProcess
        self.number = 0
        self._url = api_url
        self._stack = AsyncExitStack()
        self.haste = 1.0
        """By how much people are quicker than they are."""
        self.is_warming_up = False
        self._ending = False
        self._begun_s = time.monotonic()
        self._asking = asyncio.Lock()

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        folder: Path,
        seed: int,
        bots: tuple[str, ...] = BOTS,
        *,
        keeps_world: bool = False,
        difficulty: str = "peaceful",
    ) -> AsyncIterator["Testbed"]:
        """A testbed in this folder, everybody in it. Where it keeps the world, that is on disk."""
        runtime = await node_packages.ready(lambda line: None)
        cache_home = runtime.packages_dir.parents[2]
        site = Site(folder, cache_home, (sys.executable, str(PROGRAM)))
        model = IndiscreetModel(seed)
        async with FakeClaude(decide=model).serving() as api, AsyncExitStack() as stack:
            testbed = cls(site, model, api.url, bots, keeps_world, difficulty)
            testbed.doors.mkdir(parents=True, exist_ok=True)
            stack.push_async_callback(testbed._close)
            await testbed.start()
            paths = runtime.binary, runtime.packages_dir
            ear = testbed.promises.overhears
            opened = Crowd.open(PERSONS, paths, folder, lambda: testbed.daemon.minecraft, ear)
            testbed.crowd = await stack.enter_async_context(opened)
            async with asyncio.TaskGroup() as group:
                watching = [
                    group.create_task(work)
                    for work in (testbed._follow(), testbed._read_log(), testbed._stay_alive())
                ]
                yield testbed
                for task in watching:
                    task.cancel()

    # --- the daemon's life -------------------------------------------------------

    async def start(self) -> None:
        variables = VARIABLES | {
            **memory_in_use.environment(self.doors),
            "ANTHROPIC_BASE_URL": self._url,
            "FAULTS_FOLDER": str(self.doors),
            "TOWNSFOLK_EMBEDDED__DIFFICULTY": self._difficulty,
        }
        if self._keeps_world:
            variables["TOWNSFOLK_EMBEDDED__WORLD_FOLDER"] = str(self.site.folder / "world")
        self.daemon = await self._stack.enter_async_context(
            self.site.starting("--bots", ",".join(self.bots), **variables)
        )
        await self.daemon.ready()
        self.promises.started_anew()
        self.number += 1
        self._ending = False

    async def kill(self) -> None:
        """End it without a word; what it has started must end too."""
        self._ending = True
        self.daemon.descendants()
        self.daemon.send_signal(signal.SIGKILL)
        await self.daemon.ended(ENDS_WITHIN_S)
        try:
            await eventually(lambda: not self.daemon.left_behind(), ORPHANS_GONE_S)
        except TimeoutError:
            self.promises.breach(f"left behind: {self.daemon.left_behind()}")
        await self._stack.aclose()

    async def end(self) -> None:
        """End it in order."""
        self._ending = True
        self.daemon.send_signal(signal.SIGTERM)
        try:
            code = await self.daemon.ended(ENDS_WITHIN_S)
        except TimeoutError:
            self.promises.breach("the daemon did not end when it was told to")
        else:
            if code != 0:
                self.promises.breach(f"the daemon ended with {code} when it was told to end")
        await self._stack.aclose()

    async def _stay_alive(self) -> None:
        """A daemon that ends by itself breaks a promise."""
        while True:
            await asyncio.sleep(LOOK_AGAIN_S)
            code = self.daemon.exit_code
            if code is not None and not self._ending:
                self.promises.breach(f"the daemon ended by itself with {code}")
                await self._stack.aclose()
                await self.start()

    async def _close(self) -> None:
        self._ending = True
        await self._stack.aclose()

    @contextmanager
    def hurried(self, haste: float) -> Iterator[None]:
        """People talk so many times as fast while the block lasts."""
        self.haste = haste
        try:
            yield
        finally:
            self.haste = 1.0

    @contextmanager
    def warming_up(self) -> Iterator[None]:
        """Nothing is judged while the block lasts."""
        self.is_warming_up = True
        try:
            yield
        finally:
            self.is_warming_up = False

    # --- how it is ---------------------------------------------------------------

    @property
    def minute(self) -> float:
        """Since the beginning."""
        return (time.monotonic() - self._begun_s) / 60

    @property
    def doors(self) -> Path:
        """Where `program.py` looks."""
        return self.site.folder / "doors"

    @property
    def database(self) -> Path:
        return self.site.data_dir / FILE_NAME

    @property
    def owner(self) -> Person:
        return self.crowd[OWNER]

    async def well(self, within_s: float) -> float:
        """Wait until all is well and the owner is answered; the seconds it took."""
        begun_s = time.monotonic()
        async with asyncio.timeout(within_s):
            await until(self._looks_well)
            await until(self._answers)
        return time.monotonic() - begun_s

    async def tells_trouble(self) -> bool:
        """Whether the daemon says that something is wrong with its database."""
        try:
            return bool((await self.daemon.get("/healthz"))["database"] != "ok")
        except UNANSWERED:
            return False

    async def _looks_well(self) -> bool:
        try:
            health = await self.daemon.get("/healthz")
        except UNANSWERED:
            return False
        return health["ok"] is True and health["online"] == len(self.bots)

    async def _answers(self) -> bool:
        self.owner.forget()
        if not await self.owner.whispers("Alice", "!echo here I am"):
            return False
        try:
            await self.owner.hears("Alice", ANSWER_WITHIN_S)
        except TimeoutError:
            return False
        return True

    def check(self) -> None:
        """What is known only by looking."""
        self.promises.check_kept(self.database)
        if self.model.dearest > limit():
            self.promises.breach(f"a period cost {self.model.dearest} of {limit()} nanodollars")
            self.model.dearest = 0

    async def sample(self, collecting: bool) -> Sample:
        process = psutil.Process(self.daemon.pid)
        held = await self.through_doors()
        return Sample(
            self.minute,
            self.number,
            _mb(process),
            _mb(self.daemon.bots_node),
            _mb(self.daemon.server),
            process.num_fds(),
            held["threads"],
            held["tasks"],
            held["blocks"],
            len(self.daemon.descendants()),
            await self._in_use_mb() if collecting else None,
        )

    async def _in_use_mb(self) -> tuple[float, float]:
        node = await self.held_by_node(self.daemon.bots_node)
        server = await self.held_by_node(self.daemon.server)
        return node.in_use_bytes / 1e6, server.in_use_bytes / 1e6

    async def held_by_node(self, process: psutil.Process) -> HeldByNode:
        """What one of the two Nodes has in use. Raises TimeoutError while it stands still."""
        async with self._asking:
            return await memory_in_use.held_by_node(self.doors, process.pid)

    async def through_doors(self, clock_off_s: float = 0.0) -> dict[str, Any]:
        """Set the daemon's clock, and read what it holds."""
        (self.doors / "clock").write_text(str(clock_off_s))
        return await self.held()

    async def held(self) -> dict[str, Any]:
        """What the daemon holds. Raises TimeoutError while it stands still."""
        async with self._asking:
            return await ask_program(self.doors, self.daemon.pid)

    # --- watching ----------------------------------------------------------------

    async def _follow(self) -> None:
        """Read the trace; take it up again where it was left."""
        number, seen = 0, 0
        while True:
            if number != self.number:
                number, seen = self.number, 0
            with suppress(OSError, WebSocketException, TimeoutError, *UNANSWERED):
                async with self.daemon.watching(last=seen) as watch:
                    async for trace in watch:
                        seen = trace["sequence"]
                        self.promises.counts["traces skipped"] += trace["skipped"]
                        self.promises.traced(trace)
            await asyncio.sleep(LOOK_AGAIN_S)

    async def _read_log(self) -> None:
        with (self.site.folder / "stderr").open(errors="replace") as log:
            line = ""
            while True:
                line += log.readline()
                if line.endswith("\n"):
                    self.promises.logged(line)
                    line = ""
                else:
                    await asyncio.sleep(LOOK_AGAIN_S)


async def ask_program(doors: Path, pid: int) -> dict[str, Any]:
    """What a daemon that `program.py` started holds. Raises TimeoutError while it stands still."""
    written = doors / "held.json"
    written.unlink(missing_ok=True)
    os.kill(pid, signal.SIGUSR1)
    await eventually(written.exists, ANSWER_WITHIN_S)
    held: dict[str, Any] = json.loads(written.read_text())
    return held


async def until(is_so: Callable[[], Awaitable[bool]]) -> None:
    """Wait until this is so: other processes tell nobody of their changes."""
    while not await is_so():  # noqa: ASYNC110
        await asyncio.sleep(LOOK_AGAIN_S)


def _mb(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 1_000_000
