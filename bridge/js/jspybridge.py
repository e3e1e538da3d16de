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
remove when: JSPyBridge takes a process of ours.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

import structlog

from bridge.child_environment import child_environment
from bridge.dialects import LineShapes
from bridge.errors import NodeSetupError
from bridge.js.crossing import Crossing, CrossingFailed, Frame, Library
from bridge.node import NODE_FLAGS

log = structlog.get_logger(__name__)

_HOST = Path(__file__).parents[1] / "host" / "main.cjs"
_FRAME = b'{"r"'
_NOISE_CHARS = 500
_EXIT_WITHIN_S = 5.0


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
    """One life of Node. Everything here blocks; the asyncio side is `Link`."""

    def __init__(
        self,
        settings: HostSettings,
        receive: Callable[[str], int],
        exited: Callable[[str], None],
    ) -> None:
        """Start Node. Raises NodeSetupError.

        `receive` is called with each push, in the reader thread; it must neither raise nor
        block. `exited` is called there once, with the reason."""
        self._settings, self._receive, self._exited = settings, receive, exited
        self._library = _library()
        self._process = _start_node(settings, self._library.bridge_js)
        self._crossing = Crossing(self._process, self._library)
        self._host = 0
        self._reader = threading.Thread(target=self._read, name="node-reader", daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        return self._process.pid

    def load(self) -> None:
        """Load the host and hand it the push callback. Raises NodeSetupError.

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
        """Carry a batch of commands over and return at once. `answered` gets its replies, in
        the reader thread; when its JavaScript raised, `exited` is told instead."""

        def take(frame: Frame) -> None:
            if "error" in frame:
                self._exited(str(frame["error"]))
            else:
                answered(frame["val"])

        self._crossing.send(self._host, "submit", batch, take)

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        """End Node if it still runs; nothing of it is left afterwards."""
        self._process.kill()
        self._reader.join(_EXIT_WITHIN_S)
        for pipe in (self._process.stdin, self._process.stderr):
            _close(pipe)

    def _read(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._take(line)
        why = f"Node ended with code {self._process.wait()}"
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
    _restore_environment("FORCE_COLOR", color)
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


def _restore_environment(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _start_node(settings: HostSettings, bridge_js: Path) -> subprocess.Popen[bytes]:
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
            return subprocess.Popen(
                [settings.node, *NODE_FLAGS, bridge_js],
                stdin=subprocess.PIPE,
                stdout=printed,
                stderr=subprocess.PIPE,
                env=environment,
            )
    except OSError as error:
        raise NodeSetupError(f"Node could not be started: {error}") from error


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        with contextlib.suppress(OSError):  # what was still buffered for a dead Node
            pipe.close()
