"""Where the time of one whisper goes, from Node's push until Node is told what to answer.

    python -m benchmarks.stages [--seconds 15]

A client whispers to the daemon's bot and to a plain Mineflayer bot in turn, as in
`benchmarks.bridge`. Marks are set at each seam of the daemon that the whisper passes; what is
shown is the median time from one mark to the next, in microseconds, and what a whisper takes
beyond a plain bot's outside of Python: in Node, in the pipes and in waking processes.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from benchmarks.stand import BOT, standing
from benchmarks.whispers import PLAIN, ask_client, echoing
from bots.bot.bot import Bot
from bots.daemon.dispatcher import Dispatcher
from bots.daemon.session import BotRoster
from bots.store import writer
from bots.store.database import Store
from bots.store.writer import Writer
from bridge.js import JSBridge
from bridge.js.jspybridge import Pipes
from bridge.js.link import Link

SECONDS, WARM_UP = 15.0, 200
NS_PER_US, NS_PER_MS = 1e3, 1e6

SEAMS: tuple[tuple[str, Any, str], ...] = (
    ("reading the push", Pipes, "pipe_data_received"),
    ("JSPyBridge's frame, parsed", Link, "receive"),
    ("the push, parsed again", Link, "_take_push"),
    ("the answer to the push; waking the pump", BotRoster, "_route"),
    ("waking the bot's mailbox", Dispatcher, "handle"),
    ("who says what to whom", Store, "submit"),
    ("waking the writing thread", writer, "_commit"),
    ("SQL, and the disk", Writer, "_tell"),
    ("waking the event loop", Writer, "_settle"),
    ("showing it in the history", Dispatcher, "_fire"),
    ("waking the handler", Bot, "reply"),
    ("cleaning, splitting, pacing", JSBridge, "whisper"),
    ("the command as a frame", Pipes, "write"),
)
"""What is done before each of these is called, in the order of a whisper."""


class Marks:
    """When each seam was passed, of one whisper after another."""

    def __init__(self) -> None:
        self.rows: list[list[int]] = []
        self._row: list[int] = []

    def pass_by(self, number: int) -> None:
        """Seams count in their order alone: others pass them too, for other reasons."""
        if number == 0:
            self._row = []
        if number == len(self._row):
            self._row.append(time.monotonic_ns())
        if len(self._row) == len(SEAMS) and number == len(SEAMS) - 1:
            self.rows.append(self._row)
            self._row = []


def mark(marks: Marks) -> None:
    """Set a mark at each seam, for the rest of the program."""
    for number, (_, owner, name) in enumerate(SEAMS):
        setattr(owner, name, _marked(getattr(owner, name), marks, number))


def _marked(function: Callable[..., Any], marks: Marks, number: int) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(function):

        async def waiting(*args: Any, **named: Any) -> Any:
            marks.pass_by(number)
            return await function(*args, **named)

        return waiting

    def passing(*args: Any, **named: Any) -> Any:
        marks.pass_by(number)
        return function(*args, **named)

    return passing


async def measure(seconds: float) -> list[tuple[str, float]]:
    """Microseconds of each stage, the last one all that is outside of Python."""
    marks = Marks()
    mark(marks)
    async with standing() as stand, echoing(stand.bot):
        took_ms = await ask_client(stand, [BOT, PLAIN], seconds, WARM_UP)
    rows = marks.rows[-len(took_ms[BOT]) :]  # those after the warm-up
    stages = [
        (name, median(row[number] - row[number - 1] for row in rows) / NS_PER_US)
        for number, (name, _, _) in enumerate(SEAMS)
        if number > 0
    ]
    within_ms = median(row[-1] - row[0] for row in rows) / NS_PER_MS
    beyond_ms = median(took_ms[BOT]) - median(took_ms[PLAIN]) - within_ms
    return [*stages, ("Node, pipes, waking processes, beyond a plain bot's", 1e3 * beyond_ms)]


def main() -> None:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stages", description=summary)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    for name, took_us in asyncio.run(measure(parser.parse_args().seconds)):
        print(f"{name:<55}{took_us:>8.0f} us")


if __name__ == "__main__":
    main()
