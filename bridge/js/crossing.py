"""Frames between JSPyBridge's two halves, without its event loop.

`Executor` (calls into Node) and `PyInterface` (calls from it) expect an event loop of a few
methods; `Crossing` is one over the pipes of a Node process, which asyncio reads and writes. What
it mends in the original:

expected: a late answer is dropped. actual: its thread ends and the bridge is dead for good.
expected: an answer reaches its caller. actual: numbers of callbacks and calls overlap, and a
    call may get a callback's payload; an answer before its registration is lost.
expected: a dead Node fails its callers. actual: they wait out their timeouts, and what they
    sent is replayed into the next Node.
expected: an exit of the program ends its threads. actual: some wait, and each restart leaves
    two behind.
remove when: JSPyBridge takes a transport of ours.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import structlog

from bridge.errors import BridgeError
from bridge.foreign_json import NotJson, read_object

log = structlog.get_logger(__name__)

_FIRST_REQUEST = 1 << 40  # Node numbers its own requests from 10,000: ours never meet them
_FIRST_SENT = 1 << 41  # and Executor's never meet those of `send`

Frame: TypeAlias = dict[str, Any]


class CrossingFailed(BridgeError):
    """The text did not come back from Node: it died, or its side raised."""


@dataclass(frozen=True, slots=True)
class Library:
    """What is used of the package `javascript`."""

    executor: Callable[[Any], Any]
    py_interface: Callable[[Any, Any], Any]
    javascript_error: type[Exception]
    bridge_js: Path


class Crossing:
    """Frames to and from `bridge.js`: what Executor and PyInterface expect of an event loop.

    All methods belong to the thread of asyncio's loop, but `call` and what Executor asks for."""

    def __init__(self, write: Callable[[str], None], library: Library) -> None:
        """`write` sends a frame to Node and never waits."""
        self.responses: dict[int, tuple[Frame, threading.Barrier]] = {}
        self.freeable: list[int] = []
        self._loop = asyncio.get_running_loop()
        self._write, self._error = write, library.javascript_error
        self._expected: dict[int, tuple[threading.Event, Frame | None]] = {}
        self._sent: dict[int, Callable[[Frame], None]] = {}
        self._numbers = itertools.count(_FIRST_SENT)
        self._cut: str | None = None
        self._registry = threading.Lock()
        self.pyi = library.py_interface(self, None)
        # What Node may call: the push callback alone. The library's own table, shared by all,
        # would let whoever gets a line onto stderr import and call any Python module.
        self.pyi.m = {}
        self._executor = library.executor(self)
        self._executor.i = _FIRST_REQUEST

    def call(self, ffid: int, name: str, *args: Any) -> tuple[str, Any]:
        """Call a function of a JavaScript object, for one other thread at a time. Blocks until it
        answers or Node is gone: no timeout, because whoever hears a late answer is gone."""
        try:
            kind, value = self._executor.pcall(ffid, "call", name, args, timeout=None)
        except self._error as error:
            raise CrossingFailed(str(error.args[1])) from error
        return kind, value

    def send(self, ffid: int, name: str, text: str, answered: Callable[[Frame], None]) -> None:
        """Call a function with one text and return at once; `answered` gets the frame of its
        answer, and nothing when Node is gone. One such call at a time.

        It is what `call` sends, without a thread that waits."""
        request = next(self._numbers)
        self._sent[request] = answered
        frame = {"r": request, "action": "call", "ffid": ffid, "key": name, "args": [text], "p": 0}
        self._write(json.dumps(frame))

    def cut(self, why: str) -> None:
        """Node is gone: whoever waits, now or later, is told so."""
        with self._registry:
            self._cut = why
            for request, (arrived, otherwise) in self._expected.items():
                self._answer(request, otherwise or {"error": why})
                arrived.set()
            self._expected.clear()

    def take(self, line: bytes) -> None:
        """One frame from Node."""
        try:
            frame: Frame = read_object(line)
        except NotJson:
            log.warning("node.frame_broken", length=len(line))
            return
        if frame.get("c") == "pyi":
            if frame["action"] == "pcall" and frame["key"] == []:
                self.pyi.inbound(frame)
            else:
                log.warning("node.call_refused", action=str(frame["action"]))
        else:
            self._take_answer(frame)

    # --- called by Executor and PyInterface --------------------------------------

    def queue_request(
        self, request: int, payload: str, timeout: float | None = None
    ) -> threading.Event:
        arrived = self._expect(request)
        self._loop.call_soon_threadsafe(self._write, payload)
        return arrived

    def await_response(self, request: int, timeout: float | None = None) -> threading.Event:
        """Wait for the object numbers of a call's arguments, which Node sends unasked.

        expected: an error there raises JavaScriptError. actual: Executor then reads a name
        before it is set. remove when: it does not; the call's own answer bears the error."""
        return self._expect(request, {"val": {}})

    def queue_payload(self, payload: Frame) -> None:
        self._write(json.dumps(payload))

    # -----------------------------------------------------------------------------

    def _take_answer(self, frame: Frame) -> None:
        request = frame["r"]
        if not isinstance(request, int) or request < _FIRST_REQUEST:
            log.warning("node.answer_refused", request=request)
            return
        if (answered := self._sent.pop(request, None)) is not None:
            answered(frame)
            return
        with self._registry:
            self._answer(request, frame)
            arrived, _ = self._expected.pop(request, (None, None))
        if arrived is not None:
            arrived.set()

    def _expect(self, request: int, otherwise: Frame | None = None) -> threading.Event:
        """Set once the answer is there; `otherwise` takes its place when Node is gone."""
        arrived = threading.Event()
        with self._registry:
            if self._cut is not None:
                self._answer(request, otherwise or {"error": self._cut})
            if request in self.responses:
                arrived.set()
            else:
                self._expected[request] = arrived, otherwise
        return arrived

    def _answer(self, request: int, frame: Frame) -> None:
        # The barrier is Executor's way to hold the reading thread; there is nothing to hold.
        self.responses[request] = frame, threading.Barrier(1)
