"""`townsfolk` as its users have it: processes, a data folder, HTTP, what they leave behind."""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest
from e2e.daemon_client import COMMAND_WITHIN_S, DaemonClient, Json

READY_WITHIN_S = 60.0  # busy or not, it says so after 30 s of waiting for its bots
ENDS_WITHIN_S = 10.0
NODE_MARK = "javascript"  # of JSPyBridge
LOOK_AGAIN_S = 0.02
ALONE = {
    "TOWNSFOLK_LLM__BRIEFING": "false",
    "TOWNSFOLK_TALK__SMALL_TALK": "false",
    "TOWNSFOLK_IDLE__ENABLED": "false",
}
"""Bots do and say what the test asks, and so does a scripted model."""
PROGRAM = Path(sys.executable).with_name("townsfolk")


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def result(self) -> Json:
        """The JSON on stdout."""
        result = json.loads(self.out)
        assert isinstance(result, dict)
        return result


@dataclass(frozen=True, slots=True)
class Site:
    """The folders of one user; `cache_home` holds the Node packages."""

    folder: Path
    cache_home: Path
    program: tuple[str | Path, ...] = (PROGRAM,)

    @property
    def data_dir(self) -> Path:
        return self.folder / "data"

    async def townsfolk(
        self, *words: str, within_s: float = COMMAND_WITHIN_S, **variables: str
    ) -> Ended:
        """Run a command on this data folder to its end."""
        process = await asyncio.create_subprocess_exec(
            *self.program,
            words[0],
            "--data-dir",
            self.data_dir,
            *words[1:],
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=self._environment(variables),
        )
        try:
            async with asyncio.timeout(within_s):
                out, err = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return Ended(process.returncode or 0, out.decode(), err.decode())

    def command(self, *words: str) -> dict[str, Any]:
        """How another program starts a command of ours: command, args and env."""
        program, *first = map(str, self.program)
        args = [*first, words[0], "--data-dir", str(self.data_dir), *words[1:]]
        return {"command": program, "args": args, "env": self._environment({})}

    @asynccontextmanager
    async def serving_mcp(self) -> AsyncIterator[Json]:
        """`townsfolk mcp --http`, ready; what its file tells clients."""
        serving = await asyncio.create_subprocess_exec(
            *self.program,
            *("mcp", "--data-dir", self.data_dir, "--http", "--port", "0"),
            stdout=asyncio.subprocess.PIPE,
            env=self._environment({}),
        )
        assert serving.stdout is not None
        try:
            async with asyncio.timeout(READY_WITHIN_S):
                assert (await serving.stdout.readline()).startswith(b"ready mcp=")
            yield json.loads((self.data_dir / "mcp.json").read_text())
        finally:
            serving.terminate()
            async with asyncio.timeout(ENDS_WITHIN_S):
                assert await serving.wait() == 0

    @asynccontextmanager
    async def starting(self, *flags: str, **variables: str) -> AsyncIterator["DaemonProcess"]:
        """`townsfolk up`, not waited for; ended with the block, whatever happens in it."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "stderr").open("ab") as stderr:
            process = await asyncio.create_subprocess_exec(
                *self.program,
                "up",
                "--data-dir",
                self.data_dir,
                *flags,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=stderr,
                env=self._environment(variables),
                start_new_session=True,  # its own group, as a shell gives it
                preexec_fn=_with_a_terminal,
            )
        daemon = DaemonProcess(self, process)
        try:
            yield daemon
        finally:
            await daemon.aclose()

    @asynccontextmanager
    async def up(self, *flags: str, **variables: str) -> AsyncIterator["DaemonProcess"]:
        """`townsfolk up`, ready. Upper-case variables go into its environment."""
        async with self.starting(*flags, **variables) as daemon:
            await daemon.ready()
            yield daemon

    def _environment(self, variables: dict[str, str]) -> dict[str, str]:
        """A user's own: nothing of the one who tests but the way to programs."""
        homes = {"HOME": self.folder, "XDG_CACHE_HOME": self.cache_home}
        homes |= {f"XDG_{kind}_HOME": self.folder / kind.lower() for kind in ("DATA", "CONFIG")}
        kept = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **ALONE}
        return kept | {name: str(home) for name, home in homes.items()} | variables


class DaemonProcess(DaemonClient):
    """One `townsfolk up`."""

    def __init__(self, site: Site, process: asyncio.subprocess.Process) -> None:
        super().__init__(site.data_dir)
        self.site, self.pid = site, process.pid
        self.ready_line = ""
        self._process = process
        self._seen: dict[int, psutil.Process] = {}

    # --- its life ----------------------------------------------------------------

    async def ready(self) -> None:
        """Wait for the ready line, which is the first on stdout."""
        assert self._process.stdout is not None
        async with asyncio.timeout(READY_WITHIN_S):
            self.ready_line = (await self._process.stdout.readline()).decode()
        assert self.ready_line.startswith("ready "), self.ready_line + self.stderr

    async def announced(self) -> None:
        """Wait for daemon.json, which is there before the bots have joined."""
        await eventually((self.site.data_dir / "daemon.json").exists, READY_WITHIN_S)

    def send_signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def signal_group(self, number: signal.Signals) -> None:
        """To all its processes at once, as a terminal does for Ctrl-C."""
        os.killpg(self.pid, number)

    async def ended(self, within_s: float = ENDS_WITHIN_S) -> int:
        """Its exit code, waited for; negative = signal. Raises TimeoutError."""
        async with asyncio.timeout(within_s):
            return await self._process.wait()

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._process.returncode

    async def rest_of_stdout(self) -> str:
        """What came after the ready line, of one that has ended."""
        assert self._process.stdout is not None
        return (await self._process.stdout.read()).decode()

    async def aclose(self) -> None:
        """End it in order, by force if need be, and all it started."""
        await self.hang_up()
        self.descendants()
        if self._process.returncode is None:
            self._process.terminate()
            try:
                await self.ended()
            except TimeoutError:
                self._process.kill()
                await self._process.wait()
        for left in self.left_behind():
            left.kill()

    # --- its processes -----------------------------------------------------------

    def descendants(self) -> list[psutil.Process]:
        """The processes it has started, and theirs, that run now."""
        try:
            found = psutil.Process(self.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return []
        self._seen |= {process.pid: process for process in found}
        return [process for process in found if _runs(process)]

    def left_behind(self) -> list[psutil.Process]:
        """Of the processes ever seen below it, those that still run."""
        return [process for process in self._seen.values() if _runs(process)]

    @property
    def bots_node(self) -> psutil.Process:
        """The Node that carries the bots, where one does."""
        return self._the_one(NODE_MARK)

    @property
    def bots_nodes(self) -> list[psutil.Process]:
        """The Nodes that carry the bots."""
        return self._those(NODE_MARK)

    @property
    def server(self) -> psutil.Process:
        """The embedded server."""
        return self._the_one("bridge/server/main.cjs")

    @property
    def size(self) -> tuple[int, int]:
        """Reflections and open files of the daemon itself."""
        process = psutil.Process(self.pid)
        return process.num_threads(), process.num_fds()

    def _the_one(self, mark: str) -> psutil.Process:
        (found,) = self._those(mark)
        return found

    def _those(self, mark: str) -> list[psutil.Process]:
        return [p for p in self.descendants() if mark in " ".join(_words(p))]

    # --- what it tells -----------------------------------------------------------

    @property
    def stderr(self) -> str:
        return (self.site.folder / "stderr").read_text()

    @property
    def logged(self) -> list[Json]:
        """The events of its log file."""
        file = self.site.data_dir / "log" / "townsfolk.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()]

    @property
    def tracebacks(self) -> list[str]:
        """Where something failed that nobody had thought of."""
        logs = [path.read_text(errors="replace") for path in self.written() if "log" in path.parts]
        lines = "\n".join([self.stderr, *logs]).splitlines()
        return [line for line in lines if "Traceback" in line]

    def written(self) -> list[Path]:
        """Every file in the data folder."""
        return [path for path in self.site.data_dir.rglob("*") if path.is_file()]


async def eventually(is_so: Callable[[], bool], within_s: float = 10.0) -> float:
    """Wait until this is so; the seconds it took. Raises TimeoutError."""
    begun_s = time.monotonic()
    with anyio.fail_after(within_s):
        while True:
            if is_so():
                return time.monotonic() - begun_s
            await anyio.sleep(LOOK_AGAIN_S)  # processes and files tell nobody of their changes


def _with_a_terminal() -> None:
    """As in a terminal, whatever started the tests: under nohup SIGHUP would stay ignored, and
    SIGINT in the background of a script."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def _runs(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def _words(process: psutil.Process) -> list[str]:
    try:
        return list(process.cmdline())
    except (psutil.NoSuchProcess, psutil.ZombieProcess):
        return []


def daemon_with(*flags: str, **variables: str) -> Any:
    """The fixture `daemon` of a module: one for all its tests, which must leave no traceback."""

    @pytest.fixture(scope="module", name="daemon")
    async def started(new_site: Callable[[], Site]) -> AsyncIterator[DaemonProcess]:
        async with new_site().up(*flags, **variables) as daemon:
            yield daemon
            assert daemon.tracebacks == []

    return started
