"""One Node process and the crossings to it; the only file that imports `javascript`.

Of JSPyBridge 1!1.2.6 this uses the JavaScript side (`bridge.js`), its `Executor` and its
`PyInterface`. Node itself is started and read here, and `crossing.py` is the event loop,
because of the originals' faults, each reproduced:

expected: importing starts nothing. actual: it starts Node (10 s when there is none), changes
    os.environ, sys.excepthook and json, and registers exit hooks that hang or, after a fork,
    end the parent's Node.
expected: noise on stderr is harmless. actual: it is printed on our stdout, swallows the
    frame glued to it, and a byte that is not UTF-8 ends the reading thread.
expected: Node may end and start again. actual: nobody notices; see crossing.py.
remove when: JSPyBridge takes a process of ours."""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Self, TypeAlias, cast

import structlog

from bridge.child_environment import child_environment
from bridge.errors import NodeSetupError
from bridge.js.crossing import Crossing, CrossingFailed, Frame, Library
from bridge.node import NODE_FLAGS, NODE_MEMORY
from bridge.versions import LineShapes

_EXIT_WITHIN_S = 5.0

log = structlog.get_logger(__name__)

_HOST = Path(__file__).parents[1] / "host" / "main.cjs"
_FRAME = b'{"r"'
_NOISE_CHARS = 500

Receive: TypeAlias = Callable[[str], int]
Exited: TypeAlias = Callable[[str], None]


class Pipes(asyncio.SubprocessProtocol):
    """Lines that Node writes to its stderr come to `take`, and `ended` hears why there are no more.

    What is written waits here while Node takes none: at most one batch and one answer, as Node
    gets the next only when it has answered these."""

    _process: asyncio.SubprocessTransport
    _stdin: asyncio.WriteTransport

    def __init__(self, take: Callable[[bytes], None], ended: Callable[[str], None]) -> None:
        self._take, self._ended = take, ended
        self._begun: list[bytes] = []  # of the line whose end has not come yet
        self._gone = asyncio.Event()

    @property
    def pid(self) -> int:
        return self._process.get_pid()

    def write(self, line: str) -> None:
        self._stdin.write(line.encode() + b"\n")

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()

    async def aclose(self) -> None:
        """Kill the process if it still runs, and wait until it is gone."""
        self.kill()
        with suppress(TimeoutError):
            async with asyncio.timeout(_EXIT_WITHIN_S):
                await self._gone.wait()
        self._process.close()

    # --- called by asyncio -------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._process = cast("asyncio.SubprocessTransport", transport)
        self._stdin = cast("asyncio.WriteTransport", self._process.get_pipe_transport(0))

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._take(b"".join((*self._begun, line)))
            self._begun.clear()
        if rest:
            self._begun.append(rest)

    def connection_lost(self, error: Exception | None) -> None:
        """The process has ended, and all that it wrote was read."""
        self._gone.set()
        self._ended(f"Node ended with code {self._process.get_returncode()}")


@dataclass(frozen=True, slots=True)
class HostSettings:
    """What a Node process needs to carry bots."""

    node: Path
    """The Node executable."""
    node_dir: Path
    """The folder that holds package.json and node_modules."""
    log_path: Path
    """Takes whatever packages print; bounded by host/streams.cjs."""
    lines: LineShapes
    """Which lines count as whispers and chat besides the server's own formats."""


class HostProcess:
    """One life of Node. All of it belongs to the thread of the event loop, but `load`."""

    def __init__(self, settings: HostSettings, receive: Receive, exited: Exited) -> None:
        """`receive` is called with each push and must neither raise nor wait; `exited` once, with
        the reason."""
        self._settings, self._receive, self._exited = settings, receive, exited
        self._library = _library()
        self._pipes = Pipes(self._take, self._end)
        self._crossing = Crossing(self._pipes.write, self._library)
        self._host = 0

    @classmethod
    async def start(cls, settings: HostSettings, receive: Receive, exited: Exited) -> Self:
        """Start Node. Raises NodeSetupError."""
        host = cls(settings, receive, exited)
        environment = child_environment(
            TOWNSFOLK_NODE_DIR=str(settings.node_dir.absolute()),
            TOWNSFOLK_HOST_LOG=str(settings.log_path.absolute()),
            FORCE_COLOR="0",
            # expected: a slow callback is waited for. actual: after REQ_TIMEOUT an unhandled
            # rejection ends Node. remove when: 0 is the default.
            REQ_TIMEOUT="0",
        )
        try:
            settings.log_path.parent.mkdir(parents=True, exist_ok=True)
            settings.log_path.touch(mode=0o600)  # packages may print what players whisper
            with settings.log_path.open("ab") as printed:
                await asyncio.get_running_loop().subprocess_exec(
                    lambda: host._pipes,
                    *(settings.node, *NODE_FLAGS, host._library.bridge_js),
                    stdin=subprocess.PIPE,
                    stdout=printed,
                    stderr=subprocess.PIPE,
                    env=environment | NODE_MEMORY,
                )
        except OSError as error:
            raise NodeSetupError(f"Node could not be started: {error}") from error
        return host

    @property
    def pid(self) -> int:
        return self._pipes.pid

    def load(self) -> None:
        """Load the host and hand it the push callback. Blocks; call it off the loop, which reads
        the answers. Raises NodeSetupError.

        expected: `require` of a path reports the module's own error. actual: JSPyBridge hides
        it and runs `npm install` in its package folder. `_require` is Node's own require.
        remove when: `require` only requires."""
        settings = json.dumps(self._settings.lines.as_host_settings())
        try:
            _, self._host = self._crossing.call(0, "_require", str(_HOST))
            self._crossing.call(self._host, "start", self._receive, settings)
        except CrossingFailed as error:
            reason = str(error).splitlines()[0]
            raise NodeSetupError(f"the JavaScript host did not start: {reason}") from error

    def submit(self, batch: str, answered: Callable[[str], None]) -> None:
        """Carry a batch of commands over and return at once. `answered` gets its replies; when
        its JavaScript raised, `exited` is told instead."""

        def take(frame: Frame) -> None:
            if "error" in frame:
                self._exited(str(frame["error"]))
            else:
                answered(frame["val"])

        self._crossing.send(self._host, "submit", batch, take)

    def kill(self) -> None:
        self._pipes.kill()

    async def aclose(self) -> None:
        """End Node if it still runs; nothing of it is left afterwards."""
        await self._pipes.aclose()

    def _end(self, why: str) -> None:
        self._crossing.cut(why)
        self._exited(why)

    def _take(self, line: bytes) -> None:
        noise, mark, rest = line.partition(_FRAME)
        if noise.strip():
            text = noise.decode(errors="replace").rstrip()[:_NOISE_CHARS]
            log.warning("node.printed", text=text)
        if mark:
            self._crossing.take(mark + rest)


@cache
def _library() -> Library:
    """Import JSPyBridge without what its import does besides."""
    hook, default = sys.excepthook, json.JSONEncoder.default
    spec = importlib.util.find_spec("javascript")
    if spec is None or spec.submodule_search_locations is None:
        raise NodeSetupError("the package `javascript` is not installed")
    folder = Path(spec.submodule_search_locations[0])
    color = os.environ.get("FORCE_COLOR")
    if "javascript" not in sys.modules:
        _seed_config(folder / "config.py")
    from javascript import connection, errors, proxy, pyi

    atexit.unregister(connection.stop)
    sys.excepthook = hook
    json.JSONEncoder.default = default  # type: ignore[method-assign]
    if color is None:
        os.environ.pop("FORCE_COLOR", None)
    else:
        os.environ["FORCE_COLOR"] = color
    return Library(
        proxy.Executor, pyi.PyInterface, errors.JavaScriptError, folder / "js" / "bridge.js"
    )


def _seed_config(path: Path) -> None:
    """Put the package's `config` in place first, looking as if the bridge already ran: the
    import then starts no Node."""
    spec = importlib.util.spec_from_file_location("javascript.config", path)
    assert spec is not None
    assert spec.loader is not None
    config: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(config)
    config.event_loop = object()
    sys.modules["javascript.config"] = config
